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
    def _scale(images, labels):
        images = tf.cast(images, tf.float32)[..., tf.newaxis] / 255.0
        return (images - 0.19) / 0.35, labels

    def _prepare(self, ds):
        return ds.map(self._scale, num_parallel_calls=tf.data.AUTOTUNE)

    def _collate(self, ds):
        return ds.batch(self.batch_size, drop_remainder=True)

    def train(self):
        ds = self._source().shuffle(len(self.labels))
        ds = self._prepare(self._collate(ds))
        return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    module = CharModule("/data/k49.npz")
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(49),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(module.train(), epochs=12)
