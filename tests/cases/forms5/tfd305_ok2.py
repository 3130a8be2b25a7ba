import numpy as np
import tensorflow as tf


class ClickFeatures:
    def __init__(self, mean, std, n_hours=24):
        self.mean = tf.constant(mean, tf.float32)
        self.std = tf.constant(std, tf.float32)
        self.n_hours = n_hours

    def transform(self, rows):
        dense = tf.math.log1p(rows["dense"])
        dense = (dense - self.mean) / self.std
        hour = tf.one_hot(rows["hour"], self.n_hours)
        return tf.concat([dense, hour], axis=-1), rows["clicked"]

    def dataset(self, arrays, batch_size):
        ds = tf.data.Dataset.from_tensor_slices(arrays)
        ds = ds.shuffle(500_000)
        ds = ds.batch(batch_size, drop_remainder=True)
        ds = ds.map(self.transform, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(2)


arrays = dict(np.load("/data/clicks/train.npz"))
logs = np.log1p(arrays["dense"])
features = ClickFeatures(logs.mean(0), logs.std(0))
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(features.dataset(arrays, 4096), epochs=10)
