import tensorflow as tf


def windowed(size, shift=1):
    def transform(ds):
        ds = ds.window(size, shift=shift, drop_remainder=True)
        return ds.flat_map(lambda w: w.batch(size))

    return transform


class Readings:
    def __init__(self, files, history=60):
        self.files = files
        self.history = history

    def values(self):
        lines = tf.data.TextLineDataset(self.files, num_parallel_reads=tf.data.AUTOTUNE)
        return lines.map(tf.strings.to_number, num_parallel_calls=tf.data.AUTOTUNE)

    def dataset(self, batch_size=128):
        ds = self.values().apply(windowed(self.history + 1))
        ds = ds.map(lambda w: (w[:-1], w[-1:]), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.shuffle(8000).batch(batch_size).prefetch(tf.data.AUTOTUNE)


readings = Readings(sorted(tf.io.gfile.glob("pumps/*.txt")))
model = tf.keras.Sequential([
    tf.keras.Input((60,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(readings.dataset(), epochs=6)
