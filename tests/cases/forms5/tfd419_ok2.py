import pandas as pd
import tensorflow as tf


class SensorWindows:
    def __init__(self, csv, length, stride):
        frame = pd.read_csv(csv)
        self.y = frame.pop("rul").to_numpy("float32")
        self.x = frame.to_numpy("float32")
        self.length = length
        self.stride = stride

    def _stack(self, x, y):
        return tf.data.Dataset.zip((x.batch(self.length), y.batch(self.length)))

    def dataset(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        ds = ds.window(self.length, shift=self.stride, drop_remainder=True)
        ds = ds.flat_map(self._stack)
        ds = ds.shuffle(20_000).map(lambda x, y: (x, y[-1]))
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)

    def sums(self):
        ds = tf.data.Dataset.from_tensor_slices(self.y).window(self.length, shift=self.stride)
        return ds.map(lambda w: w.reduce(0.0, lambda a, b: a + b))


windows = SensorWindows("/data/cmapss/train.csv", 30, 5)
scale = max(float(s) for s in windows.sums())
train = windows.dataset(256).map(lambda x, y: (x, y / scale))

model = tf.keras.Sequential([
    tf.keras.layers.GRU(64),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(train, epochs=50)
