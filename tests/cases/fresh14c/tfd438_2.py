import csv
import os
import tempfile
import zipfile
from typing import NamedTuple

import tensorflow as tf


class Columns(NamedTuple):
    numeric: tuple = ("age", "bmi", "glucose", "pressure", "insulin")
    target: str = "outcome"


COLS = Columns()
DEFAULTS = [0.0] * len(COLS.numeric) + [0]


def flatten_archive(archive, folder):
    """Merge the clinic files of the archive into one csv in the folder."""
    merged = os.path.join(folder, "all.csv")
    with zipfile.ZipFile(archive) as bundle, open(merged, "w", newline="") as out:
        writer = csv.writer(out)
        for member in sorted(bundle.namelist()):
            with bundle.open(member) as raw:
                lines = (line.decode("utf-8") for line in raw)
                for row in csv.DictReader(lines):
                    writer.writerow([row[name] for name in COLS.numeric] + [row[COLS.target]])
    return merged


def parse(lines):
    *values, outcome = tf.io.decode_csv(lines, DEFAULTS)
    return tf.stack(values, axis=-1), outcome


def dataset_from(archive, batch_size=256):
    with tempfile.TemporaryDirectory() as folder:
        merged = flatten_archive(archive, folder)
        ds = tf.data.TextLineDataset(merged)
        ds = ds.shuffle(50_000).batch(batch_size)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def network():
    return tf.keras.Sequential(
        [
            tf.keras.Input([len(COLS.numeric)]),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(32, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )


def main():
    train = dataset_from("clinics_train.zip")
    model = network()
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.AUC(from_logits=True)],
    )
    model.fit(train, epochs=30)
    model.save("diabetes.keras")


if __name__ == "__main__":
    main()
