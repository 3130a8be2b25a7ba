"""Dermatology images: Trainer whose loaders share one closing transformation."""
import argparse

import pandas as pd
import tensorflow as tf


def closing(batch_size):
    def _apply(ds):
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)
    return _apply


class Trainer:
    def __init__(self, csv_path, batch_size):
        frame = pd.read_csv(csv_path)
        self.train_frame = frame[frame.fold != 0]
        self.val_frame = frame[frame.fold == 0]
        self.batch_size = batch_size

    @staticmethod
    def _decode(path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [300, 300]), label

    def _source(self, frame, name):
        ds = tf.data.Dataset.from_tensor_slices((frame.path.values, frame.target.values))
        return ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE).cache(f"/scratch/derm_{name}")

    def loaders(self):
        finish = closing(self.batch_size)
        train = self._source(self.train_frame, "train").shuffle(3000).apply(finish)
        val = self._source(self.val_frame, "val").apply(finish)
        return train, val

    def fit(self, epochs):
        train, val = self.loaders()
        model = tf.keras.applications.EfficientNetB3(weights=None, classes=7)
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        model.fit(train, validation_data=val, epochs=epochs)
        return model


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("csv")
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=50)
    ns = ap.parse_args()
    Trainer(ns.csv, ns.batch).fit(ns.epochs).save_weights("derm")
