"""Click-through model on a day of tabular logs."""
import argparse

import numpy as np
import tensorflow as tf

NUMERIC = 13


class ClickData:
    def __init__(self, path, batch_size):
        blob = np.load(path)
        self.dense = blob["dense"].astype(np.float32)
        self.labels = blob["clicked"].astype(np.float32)
        self.mean = self.dense.mean(axis=0)
        self.std = self.dense.std(axis=0) + 1e-6
        self.batch_size = batch_size

    def _standardise(self, row, label):
        row = tf.math.log1p(tf.maximum(row, 0.0))
        row = (row - self.mean) / self.std
        return tf.clip_by_value(row, -5.0, 5.0), label

    def _source(self):
        ds = tf.data.Dataset.from_tensor_slices((self.dense, self.labels))
        return ds.shuffle(200_000)

    def _features(self, ds):
        return ds.map(self._standardise, num_parallel_calls=tf.data.AUTOTUNE)

    def _pack(self, ds):
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def train(self):
        return self._pack(self._features(self._source()))


def build_model():
    model = tf.keras.Sequential([
        tf.keras.Input((NUMERIC,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    return model


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/clicks/day_0.npz")
    ap.add_argument("--batch-size", type=int, default=4096)
    args = ap.parse_args()
    build_model().fit(ClickData(args.data, args.batch_size).train(), epochs=3)
