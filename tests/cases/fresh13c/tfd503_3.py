"""Forecasting model with a callback that profiles a few steps well after the start."""
import numpy as np
import tensorflow as tf


class ProfileWindow(tf.keras.callbacks.Callback):
    def __init__(self, logdir, start_step=500, steps=8):
        super().__init__()
        self.logdir = logdir
        self.start_step, self.stop_step = start_step, start_step + steps
        self.seen = 0
        self.running = False

    def on_train_batch_begin(self, batch, logs=None):
        if self.seen == self.start_step:
            tf.profiler.experimental.start(self.logdir)
            self.running = True

    def on_train_batch_end(self, batch, logs=None):
        self.seen += 1
        if self.running and self.seen >= self.stop_step:
            self._finish()

    def on_train_end(self, logs=None):
        if self.running:
            self._finish()

    def _finish(self):
        tf.profiler.experimental.stop()
        self.running = False


def windows(path, length=336, horizon=24, batch=512):
    series = np.load(path, mmap_mode="r").astype("float32")  # (hours, meters)
    series = (series - series.mean(0)) / (series.std(0) + 1e-6)
    hours, meters = series.shape
    table = tf.constant(series.T)

    def cut(_):
        m = tf.random.uniform([], 0, meters, tf.int32)
        t = tf.random.uniform([], 0, hours - length - horizon, tf.int32)
        piece = table[m, t:t + length + horizon]
        piece = tf.ensure_shape(piece, [length + horizon])
        return piece[:length, None], piece[length:]

    ds = tf.data.Dataset.range(1).repeat().map(cut, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.Sequential([tf.keras.layers.Input((336, 1)), tf.keras.layers.GRU(128), tf.keras.layers.Dense(24)])
    net.compile("adam", "mae")
    net.fit(windows("/data/electricity.npy"), steps_per_epoch=3000, epochs=10,
            callbacks=[ProfileWindow("/logs/electricity")])
