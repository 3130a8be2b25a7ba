"""Power forecasting from turbine logs, several sites mixed into one stream."""
import argparse
import csv
import pathlib

import numpy as np
import tensorflow as tf

SITES = ["aalborg", "esbjerg", "horns_rev", "anholt"]
FEATURES = 14

SPEC = (
    tf.TensorSpec((FEATURES,), tf.float32),
    tf.TensorSpec((), tf.float32),
)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--root", type=pathlib.Path, default=pathlib.Path("scada"))
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--steps", type=int, default=800)
    return p.parse_args()


def per_site_streams(root):
    streams = []
    for site in SITES:
        log = root / site / "scada_10min.csv"

        def rows():
            with open(log, newline="") as fh:
                reader = csv.reader(fh)
                next(reader)
                for row in reader:
                    values = np.asarray(row[1:], dtype=np.float32)
                    yield values[:FEATURES], values[FEATURES]

        stream = tf.data.Dataset.from_generator(rows, output_signature=SPEC)
        streams.append(stream.shuffle(20_000).repeat())
    return streams


def regressor():
    net = tf.keras.Sequential([
        tf.keras.Input((FEATURES,)),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    net.compile("adam", "huber", metrics=["mae"])
    return net


def main():
    args = parse_args()
    mixed = tf.data.Dataset.sample_from_datasets(
        per_site_streams(args.root), weights=[0.25] * len(SITES), seed=3)
    mixed = mixed.batch(args.batch).prefetch(tf.data.AUTOTUNE)
    regressor().fit(mixed, epochs=12, steps_per_epoch=args.steps)


if __name__ == "__main__":
    main()
