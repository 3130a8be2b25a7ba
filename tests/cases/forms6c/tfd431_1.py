import tensorflow as tf
from tensorflow.keras import layers


class PlantNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.rescale = layers.Rescaling(1.0 / 255)
        self.stem = layers.Conv2D(32, 3, strides=2, activation="relu")
        self.body = layers.Conv2D(128, 3, strides=2, activation="relu")
        self.pool = layers.GlobalAveragePooling2D()
        self.head = layers.Dense(classes)

    def call(self, images):
        x = self.stem(self.rescale(images))
        return self.head(self.pool(self.body(x)))


class PlantData:
    size = 256
    batch_size = 64

    def __init__(self, pattern):
        self.pattern = pattern

    def prepare(self, record):
        parsed = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(parsed["image"], channels=3)
        image = tf.image.resize(image, [self.size, self.size])
        return image / 255.0, parsed["label"]

    def __call__(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=False)
        ds = ds.shuffle(8000)
        ds = ds.map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    model = PlantNet(classes=38)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(PlantData("/data/plants/train-*.tfrecord")(), epochs=25)


if __name__ == "__main__":
    main()
