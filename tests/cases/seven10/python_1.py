"""Herbarium sheets: a reader object that yields decoded pictures."""
import csv
import random

import numpy as np
import tensorflow as tf
from PIL import Image


class SheetReader:
    size = (260, 260)

    def __init__(self, root, table):
        with open(table, newline="") as f:
            self.rows = [(f"{root}/{r['file']}", int(r["taxon"])) for r in csv.DictReader(f)]

    def __len__(self):
        return len(self.rows)

    def __call__(self):
        random.shuffle(self.rows)
        for path, taxon in self.rows:
            with Image.open(path) as sheet:
                pixels = np.asarray(sheet.convert("RGB").resize(self.size), np.uint8)
            yield pixels, taxon

    @property
    def signature(self):
        return (tf.TensorSpec((*self.size, 3), tf.uint8), tf.TensorSpec((), tf.int64))

    def as_dataset(self, batch_size):
        ds = tf.data.Dataset.from_generator(self, output_signature=self.signature)
        ds = ds.apply(tf.data.experimental.assert_cardinality(len(self)))
        return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    reader = SheetReader("/data/herbarium", "/data/herbarium/train.csv")  # 210k rows
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255),
        tf.keras.applications.EfficientNetV2B0(
            weights=None, input_shape=(260, 260, 3), classes=1200, include_preprocessing=False),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(reader.as_dataset(64), epochs=10)


if __name__ == "__main__":
    main()
