"""Bearing vibration forecasting with sliding windows."""
import numpy as np
import tensorflow as tf


class WindowedSeries:
    """window().flat_map() pipeline with hooks for what a window becomes."""

    def __init__(self, past, horizon, shift):
        self.past, self.horizon, self.shift = past, horizon, shift

    @property
    def width(self):
        return self.past + self.horizon

    def windows(self, series):
        ds = tf.data.Dataset.from_tensor_slices(series)
        ds = ds.window(self.width, shift=self.shift, drop_remainder=True)
        return ds.flat_map(lambda w: w.batch(self.width, drop_remainder=True))

    def prepare(self, window):
        raise NotImplementedError

    def dataset(self, series, batch, training):
        ds = self.windows(series)
        if training:
            ds = ds.shuffle(20_000)
        ds = ds.map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


class Residual(WindowedSeries):
    """The target is the change against the last known value."""

    def prepare(self, window):
        past, future = window[..., :self.past, :], window[..., self.past:, :]
        return past, future - past[..., -1:, :]


def tcn(channels, past, horizon):
    inp = tf.keras.Input((past, channels))
    x = inp
    for d in (1, 2, 4, 8, 16):
        x = tf.keras.layers.Conv1D(64, 3, dilation_rate=d, padding="causal", activation="relu")(x)
    x = tf.keras.layers.Lambda(lambda t: t[:, -1])(x)
    x = tf.keras.layers.Dense(horizon * channels)(x)
    return tf.keras.Model(inp, tf.keras.layers.Reshape((horizon, channels))(x))


def main():
    raw = np.load("/data/bearing/run3.npy", mmap_mode="r").astype(np.float32)
    cut = int(0.85 * len(raw))
    series = Residual(past=256, horizon=32, shift=4)
    model = tcn(raw.shape[1], 256, 32)
    model.compile("adam", "huber")
    model.fit(series.dataset(raw[:cut], 256, True),
              validation_data=series.dataset(raw[cut:], 256, False), epochs=20)


if __name__ == "__main__":
    main()
