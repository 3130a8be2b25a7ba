"""Sensor anomaly autoencoder over CSV shards."""
import dataclasses
from typing import Callable, Sequence

import numpy as np
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, TextLineDataset

N = 52
MEAN, STD = np.load("/data/plant/stats.npy").astype("float32")


def to_columns(line):
    return tf.stack(tf.io.decode_csv(line, record_defaults=[[0.0]] * N))


def standardise(row):
    return (row - MEAN) / STD


def as_target(row):
    return row, row


@dataclasses.dataclass
class Recipe:
    pattern: str
    transforms: Sequence[Callable] = (to_columns, standardise, as_target)
    batch_size: int = 4096
    shuffle: int = 500_000

    def dataset(self):
        ds = Dataset.list_files(self.pattern).interleave(
            lambda p: TextLineDataset(p).skip(1), cycle_length=12, num_parallel_calls=AUTOTUNE
        )
        ds = ds.shuffle(self.shuffle)
        for fn in self.transforms:
            ds = ds.map(fn, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(AUTOTUNE)


def autoencoder():
    return tf.keras.Sequential([
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(N),
    ])


def main():
    recipe = Recipe("/data/plant/sensors-*.csv")
    model = autoencoder()
    model.compile("adam", "mse")
    model.fit(recipe.dataset(), epochs=10)


if __name__ == "__main__":
    main()
