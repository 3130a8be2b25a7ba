import numpy as np
import tensorflow as tf


class Table:
    def __init__(self, path):
        self.arrays = dict(np.load(path))

    @staticmethod
    def select(row):
        return row["features"], row["target"], row["weight"]

    def dataset(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices(self.arrays)
        ds = ds.shuffle(len(self.arrays["target"]))
        ds = ds.map(self.select, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(Table("/data/tabular.npz").dataset(256), epochs=20)
