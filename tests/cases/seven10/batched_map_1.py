"""Kuzushiji characters (270k arrays) in a data module with stage methods."""
import numpy as np
import tensorflow as tf


class CharModule:
    def __init__(self, path, batch_size=512):
        store = np.load(path)
        self.images, self.labels = store["images"], store["labels"]
        self.batch_size = batch_size

    def _source(self):
        return tf.data.Dataset.from_tensor_slices((self.images, self.labels))

    @staticmethod
    def _scale(image, label):
        image = tf.cast(image, tf.float32)[..., tf.newaxis] / 255.0
        return (image - 0.19) / 0.35, label

    def _prepare(self, ds):
        return ds.map(self._scale, num_parallel_calls=tf.data.AUTOTUNE)

    def _collate(self, ds):
        return ds.batch(self.batch_size, drop_remainder=True)

    def train(self):
        ds = self._source().shuffle(len(self.labels))
        ds = self._collate(self._prepare(ds))
        return ds.prefetch(tf.data.AUTOTUNE)


def network(classes):
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(classes),
    ])


if __name__ == "__main__":
    module = CharModule("/data/k49.npz")
    model = network(49)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(module.train(), epochs=12)
