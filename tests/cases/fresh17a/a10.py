"""Leaf disease classifier on a folder of photos."""
import csv
import pathlib
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Settings:
    root: pathlib.Path = pathlib.Path("/data/leaves")
    side: int = 256
    batch: int = 48
    epochs: int = 12
    classes: int = 38


class LeafPhotos:
    def __init__(self, settings, listing):
        self.s = settings
        self.paths, self.labels = [], []
        with open(listing) as fh:
            for row in csv.DictReader(fh):
                self.paths.append(str(settings.root / row["file"]))
                self.labels.append(int(row["label"]))

    def _load(self, path, label):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, (self.s.side, self.s.side))
        return img / 255.0, label

    def stream(self, training):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        if training:
            ds = ds.shuffle(len(self.paths))
        ds = ds.map(self._load)
        return ds.batch(self.s.batch).prefetch(tf.data.AUTOTUNE)


def network(s):
    inp = tf.keras.Input((s.side, s.side, 3))
    x = inp
    for width in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(width, 3, strides=2, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(s.classes)(x))


if __name__ == "__main__":
    s = Settings()
    train = LeafPhotos(s, s.root / "train.csv").stream(True)
    val = LeafPhotos(s, s.root / "val.csv").stream(False)
    model = network(s)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=val, epochs=s.epochs)
