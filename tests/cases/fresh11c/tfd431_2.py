import tensorflow as tf
import tensorflow_datasets as tfds


class SmallNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.scale = tf.keras.layers.Rescaling(1.0 / 255)
        self.stem = tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu")
        self.body = tf.keras.layers.Conv2D(64, 3, activation="relu")
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.head = tf.keras.layers.Dense(classes)

    def call(self, images):
        x = self.scale(images)
        return self.head(self.pool(self.body(self.stem(x))))


def preprocess(image, label):
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, (128, 128)), label


def pipelines(splits, batch_size=64):
    result = {}
    for name in splits:
        ds = tfds.load("stanford_dogs", split=name, as_supervised=True,
                       shuffle_files=name == "train")
        if name == "train":
            ds = ds.shuffle(2048)
        result[name] = (ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
                        .batch(batch_size).prefetch(tf.data.AUTOTUNE))
    return result


if __name__ == "__main__":
    data = pipelines(["train", "test"])
    model = SmallNet(120)
    model.compile(
        optimizer="adam", metrics=["accuracy"],
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data["train"], validation_data=data["test"], epochs=30)
