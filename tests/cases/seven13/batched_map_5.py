"""Electricity load forecasting (LSTM encoder) over sliding windows."""
import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class WindowSpec:
    history: int = 168
    horizon: int = 24
    batch: int = 256
    target_column: int = 0

    @property
    def total(self):
        return self.history + self.horizon

    def split(self, window):
        past = tf.math.log1p(tf.nn.relu(window[: self.history]))
        future = tf.math.log1p(tf.nn.relu(window[self.history:, self.target_column]))
        return past, future

    def windows(self, series, training):
        ds = tf.keras.utils.timeseries_dataset_from_array(
            series, targets=None, sequence_length=self.total, batch_size=None)
        if training:
            ds = ds.shuffle(100_000)
        return ds


class LoadForecaster(tf.keras.Model):
    def __init__(self, horizon):
        super().__init__()
        self.encoder = tf.keras.layers.LSTM(256)
        self.head = tf.keras.layers.Dense(horizon)

    def call(self, past):
        return self.head(self.encoder(past))


def loaders(spec, series):
    cut = int(0.9 * len(series))
    parts = {"train": series[:cut], "val": series[cut - spec.history:]}
    out = {}
    for name, values in parts.items():
        windows = spec.windows(values, training=name == "train")
        pairs = windows.map(spec.split, num_parallel_calls=tf.data.AUTOTUNE)
        out[name] = pairs.batch(spec.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return out


def main():
    spec = WindowSpec()
    series = np.load("/data/load/minute_level.npy").astype(np.float32)  # [5_256_000, 12]
    data = loaders(spec, series)
    model = LoadForecaster(spec.horizon)
    model.compile("adam", "mae")
    model.fit(data["train"], validation_data=data["val"], epochs=8,
              callbacks=[tf.keras.callbacks.LearningRateScheduler(lambda e: 1e-3 * 0.7 ** e)])


if __name__ == "__main__":
    main()
