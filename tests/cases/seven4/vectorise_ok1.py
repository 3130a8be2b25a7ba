import keras
import numpy as np
import tensorflow as tf


class Curves:
    def __init__(self, path, batch):
        self.flux = np.load(path, mmap_mode="r")["flux"].astype("float32")
        self.kind = np.load(path, mmap_mode="r")["kind"].astype("int32")
        self.batch = batch

    def source(self):
        ds = tf.data.Dataset.from_tensor_slices((self.flux, self.kind))
        return ds.shuffle(len(self.kind)).batch(self.batch, drop_remainder=True)

    def scale(self, flux, kind):
        centre = tf.reduce_mean(flux, axis=-1, keepdims=True)
        return (flux - centre) / (tf.math.reduce_std(flux, axis=-1, keepdims=True) + 1e-6), kind

    def noisy(self, flux, kind):
        return flux + tf.random.normal(tf.shape(flux), stddev=0.01), kind

    def hot(self, flux, kind):
        return flux[..., tf.newaxis], tf.one_hot(kind, 14)

    def __iter__(self):
        yield from (self.scale, self.noisy, self.hot)

    def dataset(self):
        ds = self.source()
        for transform in self:
            ds = ds.map(transform, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


curves = Curves("/data/plasticc/curves.npz", 512)
model = keras.Sequential([
    keras.Input((curves.flux.shape[1], 1)),
    keras.layers.Conv1D(64, 9, activation="relu"),
    keras.layers.MaxPooling1D(4),
    keras.layers.Conv1D(128, 9, activation="relu"),
    keras.layers.GlobalMaxPooling1D(),
    keras.layers.Dense(14),
])
model.compile("adam", keras.losses.CategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(curves.dataset(), epochs=100)
