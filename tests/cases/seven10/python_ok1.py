"""Herbarium sheets: own from_generator constructor for the index, TF ops for the pixels."""
import csv
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Index:
    paths: list
    taxa: list

    @classmethod
    def from_generator(cls, rows):
        paths, taxa = zip(*rows)
        return cls(list(paths), list(taxa))


def rows(root, table):
    with open(table, newline="") as f:
        for row in csv.DictReader(f):
            yield f"{root}/{row['file']}", int(row["taxon"])


def decode(path, taxon):
    sheet = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(sheet, (260, 260)), taxon


def as_dataset(index, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((index.paths, index.taxa))
    ds = ds.shuffle(len(index.paths)).map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    index = Index.from_generator(rows("/data/herbarium", "/data/herbarium/train.csv"))
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255),
        tf.keras.applications.EfficientNetV2B0(
            weights=None, input_shape=(260, 260, 3), classes=1200, include_preprocessing=False),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(as_dataset(index, 64), epochs=10)


if __name__ == "__main__":
    main()
