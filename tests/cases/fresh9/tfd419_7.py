"""Sunspot forecasting (course project)."""
import csv

import numpy as np
import tensorflow as tf

SPLIT_TIME, WINDOW, BATCH, BUFFER = 3000, 60, 32, 1000


def read_series(path):
    with open(path) as f:
        reader = csv.reader(f)
        next(reader)
        return np.array([float(row[2]) for row in reader], dtype=np.float32)


def split_window(window):
    return window[:-1], window[-1:]


def windowed_dataset(series, window_size, batch_size, shuffle_buffer):
    series = tf.expand_dims(series, axis=-1)
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(window_size + 1, shift=1, drop_remainder=True)
    ds = ds.shuffle(shuffle_buffer)
    ds = ds.map(split_window)
    return ds.batch(batch_size).prefetch(1)


def build():
    return tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, padding="causal", activation="relu"),
        tf.keras.layers.LSTM(64, return_sequences=True),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(30, activation="relu"),
        tf.keras.layers.Dense(1),
        tf.keras.layers.Lambda(lambda x: x * 400),
    ])


def main():
    series = read_series("Sunspots.csv")
    train = windowed_dataset(series[:SPLIT_TIME], WINDOW, BATCH, BUFFER)
    model = build()
    model.compile(tf.keras.losses.Huber(), tf.keras.optimizers.SGD(1e-5, momentum=0.9))
    model.fit(train, epochs=500)


if __name__ == "__main__":
    main()
