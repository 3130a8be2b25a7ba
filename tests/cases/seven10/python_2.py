"""Seismic traces in HDF5 (1.2 million rows), one dataset per split."""
import dataclasses
import functools

import h5py
import numpy as np
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset


@dataclasses.dataclass
class Split:
    file: str
    shuffle: bool
    batch: int = 512


SPLITS = {
    "train": Split("/data/stead/train.h5", True),
    "valid": Split("/data/stead/valid.h5", False),
}
OUT = (tf.TensorSpec([6000, 3], tf.float32), tf.TensorSpec([], tf.int32))


def iterate(path, shuffle):
    with h5py.File(path, "r") as store:
        waves, kinds = store["waves"], store["kinds"]
        order = np.arange(len(kinds))
        if shuffle:
            np.random.shuffle(order)
        for i in order:
            yield waves[i], kinds[i]


def open_split(split):
    source = functools.partial(iterate, split.file, split.shuffle)
    ds = Dataset.from_generator(source, output_signature=OUT)
    return ds.batch(split.batch, drop_remainder=split.shuffle).prefetch(AUTOTUNE)


def detector():
    return tf.keras.Sequential([
        tf.keras.layers.Conv1D(32, 15, 4, activation="relu"),
        tf.keras.layers.Conv1D(64, 9, 4, activation="relu"),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(2, activation="softmax"),
    ])


if __name__ == "__main__":
    data = {name: open_split(split) for name, split in SPLITS.items()}
    model = detector()
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data["train"], validation_data=data["valid"], epochs=8)
