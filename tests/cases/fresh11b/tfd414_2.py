import argparse

import numpy as np
import tensorflow as tf


def windows(series, length):
    ds = tf.keras.utils.timeseries_dataset_from_array(
        series[:-length], series[length:, 0], sequence_length=length, batch_size=None)
    return ds


class ForecastDataModule:
    def __init__(self, csv, length, batch_size):
        series = np.loadtxt(csv, delimiter=",", skiprows=1, dtype="float32")
        cut = int(len(series) * 0.8)
        mean, std = series[:cut].mean(0), series[:cut].std(0)
        self.series = (series - mean) / std
        self.cut, self.length, self.batch_size = cut, length, batch_size

    def train(self):
        ds = windows(self.series, self.length).shuffle(self.cut)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def validation(self):
        ds = windows(self.series[self.cut:], self.length)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("csv")
    p.add_argument("--length", type=int, default=96)
    args = p.parse_args()
    dm = ForecastDataModule(args.csv, args.length, 128)
    model = tf.keras.Sequential([tf.keras.layers.LSTM(64), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(dm.train(), validation_data=dm.validation(), epochs=20)


if __name__ == "__main__":
    main()
