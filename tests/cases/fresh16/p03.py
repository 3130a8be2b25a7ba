"""Power forecasting from turbine logs, several sites mixed into one stream."""
import argparse
import pathlib

import tensorflow as tf

SITES = ["aalborg", "esbjerg", "horns_rev", "anholt"]
FEATURES = 14
DEFAULTS = [[""]] + [[0.0]] * (FEATURES + 1)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--root", type=pathlib.Path, default=pathlib.Path("scada"))
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--steps", type=int, default=800)
    return p.parse_args()


def parse_rows(lines, site_ids):
    columns = tf.io.decode_csv(lines, DEFAULTS)
    features = tf.stack(columns[1:FEATURES + 1], axis=1)
    where = tf.one_hot(site_ids, len(SITES))
    return tf.concat([features, where], axis=1), columns[-1]


def per_site_streams(root):
    streams = []
    for number, site in enumerate(SITES):
        log = str(root / site / "scada_10min.csv")
        stream = tf.data.TextLineDataset(log).skip(1)
        stream = stream.shuffle(20_000).repeat()
        stream = stream.map(lambda line: (line, number),
                            num_parallel_calls=tf.data.AUTOTUNE)
        streams.append(stream)
    return streams


def regressor():
    net = tf.keras.Sequential([
        tf.keras.Input((FEATURES + len(SITES),)),
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
    mixed = mixed.batch(args.batch).map(parse_rows, num_parallel_calls=tf.data.AUTOTUNE)
    mixed = mixed.prefetch(tf.data.AUTOTUNE)
    regressor().fit(mixed, epochs=12, steps_per_epoch=args.steps)


if __name__ == "__main__":
    main()
