import argparse

import numpy as np
import tensorflow as tf


def load_higgs(path):
    table = np.load(path, mmap_mode=None)          # (11_000_000, 29) float32
    return table[:, 1:], table[:, 0]


class Scaler:
    def __init__(self, features):
        sample = features[::100]
        self.mean = tf.constant(sample.mean(axis=0), tf.float32)
        self.std = tf.constant(sample.std(axis=0) + 1e-6, tf.float32)

    def __call__(self, x, y):
        x = (tf.cast(x, tf.float32) - self.mean) / self.std
        return tf.clip_by_value(x, -5.0, 5.0), tf.cast(y, tf.float32)


def make_ds(x, y, scaler, batch_size, train):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if train:
        ds = ds.shuffle(1_000_000)
    ds = ds.map(scaler, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def mlp(width, depth):
    model = tf.keras.Sequential([tf.keras.Input((28,))])
    for _ in range(depth):
        model.add(tf.keras.layers.Dense(width, activation="elu"))
        model.add(tf.keras.layers.Dropout(0.1))
    model.add(tf.keras.layers.Dense(1, activation="sigmoid"))
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--table", default="/data/higgs.npy")
    ap.add_argument("--width", type=int, default=512)
    ap.add_argument("--depth", type=int, default=5)
    ap.add_argument("--epochs", type=int, default=10)
    a = ap.parse_args()

    x, y = load_higgs(a.table)
    scaler = Scaler(x)
    n = len(x) - 500_000
    train = make_ds(x[:n], y[:n], scaler, 4096, True)
    test = make_ds(x[n:], y[n:], scaler, 4096, False)
    model = mlp(a.width, a.depth)
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(train, validation_data=test, epochs=a.epochs)
    model.save("higgs.keras")


if __name__ == "__main__":
    main()
