"""Hourly load forecasting with an LSTM."""
import argparse

import pandas as pd
import tensorflow as tf


class Windows:
    def __init__(self, frame, target, history=168, horizon=24, batch_size=64):
        self.target = target
        self.history = history
        self.horizon = horizon
        self.batch_size = batch_size
        cut = int(len(frame) * 0.8)
        self.mean = frame.iloc[:cut].mean()
        self.std = frame.iloc[:cut].std()
        scaled = ((frame - self.mean) / self.std).astype("float32")
        self.past, self.future = scaled.iloc[:cut], scaled.iloc[cut:]

    def _make(self, frame):
        values = frame.to_numpy()
        goal = frame[self.target].to_numpy()[self.history + self.horizon - 1:]
        return tf.keras.utils.timeseries_dataset_from_array(
            values, goal, sequence_length=self.history, batch_size=self.batch_size)

    @property
    def train(self):
        return self._ready(self._make(self.past).cache(), mix=True)

    @property
    def val(self):
        return self._ready(self._make(self.future).cache(), mix=False)

    @staticmethod
    def _ready(ds, mix):
        if mix:
            ds = ds.shuffle(400, reshuffle_each_iteration=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def lstm(units):
    return tf.keras.Sequential([
        tf.keras.layers.LSTM(units, return_sequences=True),
        tf.keras.layers.LSTM(units),
        tf.keras.layers.Dense(1),
    ])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("csv")
    ap.add_argument("--target", default="load_mw")
    ap.add_argument("--units", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=30)
    a = ap.parse_args()

    frame = pd.read_csv(a.csv, parse_dates=["time"], index_col="time").interpolate()
    windows = Windows(frame, a.target)
    model = lstm(a.units)
    model.compile(tf.keras.optimizers.Adam(1e-3), "mse", metrics=["mae"])
    model.fit(windows.train, validation_data=windows.val, epochs=a.epochs,
              callbacks=[tf.keras.callbacks.EarlyStopping(patience=5)])


if __name__ == "__main__":
    main()
