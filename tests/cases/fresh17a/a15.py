"""Multi-sensor pump forecast with a window factory."""
import argparse
from functools import partial

import numpy as np
import tensorflow as tf


class WindowFactory:
    def __init__(self, table, lookback, stride, batch):
        self.table = table
        self.make = partial(
            tf.keras.preprocessing.timeseries_dataset_from_array,
            sequence_length=lookback,
            sampling_rate=1,
            sequence_stride=stride,
            batch_size=batch,
        )

    def part(self, lo, hi, shuffle):
        n = len(self.table)
        block = self.table[int(lo * n):int(hi * n)]
        ds = self.make(block, block, shuffle=shuffle)
        return ds.prefetch(tf.data.AUTOTUNE)


def scaled(path, train_share):
    raw = np.load(path)["sensors"].astype("float32")
    head = raw[: int(train_share * len(raw))]
    return (raw - head.mean(axis=0)) / (head.std(axis=0) + 1e-6)


def forecaster(lookback, sensors):
    inp = tf.keras.Input((lookback, sensors))
    x = tf.keras.layers.Conv1D(64, 5, padding="causal", activation="relu")(inp)
    x = tf.keras.layers.Conv1D(64, 5, padding="causal", dilation_rate=4, activation="relu")(x)
    x = tf.keras.layers.GRU(64)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(sensors)(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--table", default="/plant/pumps.npz")
    p.add_argument("--lookback", type=int, default=120)
    p.add_argument("--stride", type=int, default=2)
    p.add_argument("--batch", type=int, default=128)
    a = p.parse_args()
    table = scaled(a.table, 0.7)
    windows = WindowFactory(table, a.lookback, a.stride, a.batch)
    train = windows.part(0.0, 0.7, True)
    val = windows.part(0.7, 0.85, False)
    test = windows.part(0.85, 1.0, False)
    model = forecaster(a.lookback, table.shape[1])
    model.compile("adam", "huber")
    model.fit(train, validation_data=val, epochs=15)
    print("test loss", model.evaluate(test))


if __name__ == "__main__":
    main()
