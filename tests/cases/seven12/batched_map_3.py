import abc

import tensorflow as tf
import tensorflow_datasets as tfds


class InputPipeline(abc.ABC):
    buffer = 20_000

    def __init__(self, split, batch_size):
        self.split = split
        self.batch_size = batch_size

    @abc.abstractmethod
    def load(self):
        ...

    def transform(self, ds):
        return ds

    def finalize(self, ds):
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def build(self):
        ds = self.load()
        if self.split == "train":
            ds = ds.shuffle(self.buffer)
        ds = self.transform(ds)
        return self.finalize(ds)


class EmnistPipeline(InputPipeline):
    num_classes = 62

    def load(self):
        return tfds.load("emnist/byclass", split=self.split, as_supervised=True, shuffle_files=True)

    def transform(self, ds):
        depth = self.num_classes

        def to_float(image, label):
            image = tf.cast(image, tf.float32) * (1.0 / 127.5) - 1.0
            return image, tf.one_hot(label, depth)

        return super().transform(ds).map(to_float, tf.data.AUTOTUNE)


def main():
    train = EmnistPipeline("train", 1024).build()
    test = EmnistPipeline("test", 1024).build()
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(62),
    ])
    model.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=test, epochs=4)


if __name__ == "__main__":
    main()
