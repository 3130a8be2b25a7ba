"""Histopathology patches in HDF5 -> ResNet."""
import argparse

import h5py
import numpy as np
import tensorflow as tf


class PatchSource:
    """Iterates over one HDF5 file in random order."""

    def __init__(self, path, seed=0):
        self.path = path
        self.rng = np.random.default_rng(seed)
        with h5py.File(path, "r") as f:
            self.n = f["x"].shape[0]
            self.shape = f["x"].shape[1:]

    def __len__(self):
        return self.n

    def __call__(self):
        with h5py.File(self.path, "r") as f:
            x, y = f["x"], f["y"]
            for i in self.rng.permutation(self.n):
                yield x[i], np.float32(y[i].item())

    def dataset(self, batch_size):
        spec = (
            tf.TensorSpec(self.shape, tf.uint8),
            tf.TensorSpec([], tf.float32),
        )
        ds = tf.data.Dataset.from_generator(self, output_signature=spec)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="/data/pcam/camelyonpatch_level_2_split_train_x.h5")
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--epochs", type=int, default=20)
    args = ap.parse_args()

    source = PatchSource(args.train)
    print(f"{len(source)} patches")
    model = tf.keras.Sequential([
        tf.keras.Input(source.shape),
        tf.keras.layers.Rescaling(1 / 255.0),
        tf.keras.layers.RandomFlip("horizontal_and_vertical"),
        tf.keras.applications.ResNet50V2(include_top=False, weights=None, pooling="avg"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(source.dataset(args.batch), epochs=args.epochs)


if __name__ == "__main__":
    main()
