"""Leaf disease classifier; the folder's name is the label."""
import dataclasses
import os

import tensorflow as tf


@dataclasses.dataclass
class Leaves:
    root: str = "data/leaves"
    valid_fraction: float = 0.15
    batch: int = 32
    side: int = 160

    def __post_init__(self):
        self.classes = sorted(os.listdir(self.root))
        self.lookup = tf.keras.layers.StringLookup(vocabulary=self.classes, num_oov_indices=0)

    def _load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (self.side, self.side))
        return image, self.lookup(tf.strings.split(path, os.sep)[-2])

    def _batches(self, paths):
        ds = paths.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)

    def splits(self):
        paths = tf.data.Dataset.list_files(os.path.join(self.root, "*", "*.jpg"), seed=7)
        total = int(paths.cardinality())
        cut = int(total * (1 - self.valid_fraction))
        return (
            self._batches(paths.take(cut)),
            self._batches(paths.skip(cut)),
        )


def main():
    leaves = Leaves()
    train, valid = leaves.splits()
    base = tf.keras.applications.MobileNetV2(
        input_shape=(leaves.side, leaves.side, 3), include_top=False, pooling="avg", weights=None)
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 127.5, offset=-1),
        base,
        tf.keras.layers.Dropout(0.3),
        tf.keras.layers.Dense(len(leaves.classes), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=30)
    model.save("leaves.keras")


if __name__ == "__main__":
    main()
