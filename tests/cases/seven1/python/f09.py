import numpy as np
import tensorflow as tf


class RadarInput:
    shape = (128, 128, 4)

    def __init__(self, index_file, batch_size):
        self.index = np.loadtxt(index_file, dtype=str)
        self.batch_size = batch_size

    def _read(self, name, offset):
        cube = np.load(name.numpy().decode(), mmap_mode="r")
        return cube[offset.numpy()].astype(np.float32)

    def _example(self, name, offset, rain):
        x = tf.py_function(func=self._read, inp=[name, offset], Tout=tf.float32)
        x.set_shape(self.shape)
        return x, rain

    def __call__(self):
        ds = tf.data.Dataset.from_tensor_slices((
            self.index[:, 0],
            self.index[:, 1].astype(np.int64),
            self.index[:, 2].astype(np.float32),
        ))
        ds = ds.shuffle(len(self.index), reshuffle_each_iteration=True)
        ds = ds.map(self._example, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 5, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "huber")
model.fit(RadarInput("/data/radar/index.txt", 64)(), epochs=25)
