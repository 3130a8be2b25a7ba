import tensorflow as tf


class ImageRecords:
    batch_size = 256
    buffer = 10_000

    def __init__(self, pattern):
        self.pattern = pattern

    def records(self):
        files = tf.data.Dataset.list_files(self.pattern)
        return files.interleave(
            tf.data.TFRecordDataset,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=False,
        )

    def example(self, record):
        row = tf.io.parse_single_example(record, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/class/label": tf.io.FixedLenFeature([], tf.int64),
        })
        return row["image/encoded"], row["image/class/label"] - 1

    def image(self, encoded, label):
        image = tf.io.decode_jpeg(encoded, channels=3)
        image = tf.image.resize(image, [224, 224])
        return tf.image.random_flip_left_right(image) / 255.0, label

    def dataset(self):
        ds = self.records()
        ds = ds.map(self.example, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(self.buffer)
        ds = ds.map(self.image, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    data = ImageRecords("gs://images/imagenet/train-*").dataset()
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None)
        model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data, epochs=90)


if __name__ == "__main__":
    main()
