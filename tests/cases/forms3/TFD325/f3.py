import numpy as np
import tensorflow as tf


class Signals:
    LENGTH = 65536

    def __init__(self, path, batch=32):
        data = np.load(path)
        self.x = data["x"].astype("float32")[:, :1024]
        self.y = data["y"]
        self.batch = batch

    def pad(self, x, y):
        return tf.pad(x, [[0, 0], [0, self.LENGTH - 1024]]), y

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        ds = ds.batch(self.batch)
        ds = ds.map(self.pad, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache("/tmp/signals").prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Reshape((65536, 1)),
    tf.keras.layers.Conv1D(8, 64, strides=32, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(6, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(Signals("signals.npz").dataset(), epochs=10)
