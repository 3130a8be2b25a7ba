"""Traffic speed forecasting on METR-LA."""
import argparse

import h5py
import numpy as np
import tensorflow as tf


def load(path):
    with h5py.File(path, "r") as f:
        values = f["df/block0_values"][:].astype(np.float32)
    return (values - values.mean()) / values.std()


def sliding(values, size):
    return tf.data.Dataset.from_tensor_slices(values).window(size, shift=1, drop_remainder=True)


def make_dataset(values, history, horizon, batch_size):
    inputs = sliding(values[:-horizon], history)
    targets = sliding(values[history:], horizon)
    pairs = tf.data.Dataset.zip((inputs, targets))
    return pairs.shuffle(2000).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build_model(sensors, horizon):
    return tf.keras.Sequential([
        tf.keras.layers.GRU(256),
        tf.keras.layers.RepeatVector(horizon),
        tf.keras.layers.GRU(256, return_sequences=True),
        tf.keras.layers.Dense(sensors),
    ])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", default="metr-la.h5")
    parser.add_argument("--history", type=int, default=12)
    parser.add_argument("--horizon", type=int, default=12)
    parser.add_argument("--batch_size", type=int, default=64)
    args = parser.parse_args()

    values = load(args.file)
    cut = int(0.7 * len(values))
    train = make_dataset(values[:cut], args.history, args.horizon, args.batch_size)
    model = build_model(values.shape[1], args.horizon)
    model.compile("adam", "mae")
    model.fit(train, epochs=50)


if __name__ == "__main__":
    main()
