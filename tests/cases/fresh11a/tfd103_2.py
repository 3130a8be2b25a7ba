import glob

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, TextLineDataset

CONFIG = {
    "data": {
        "train": "/data/criteo/train/day_*.tsv",
        "valid": "/data/criteo/valid/day_*.tsv",
        "batch_size": 8192,
        "read": {"cycle_length": 12, "block_length": 64},
    },
    "epochs": 3,
}
DEFAULTS = [[0.0]] + [[0.0]] * 13


def open_day(path):
    return TextLineDataset(path, buffer_size=4 << 20).skip(1)


def parse_lines(lines):
    cols = tf.io.decode_csv(lines, DEFAULTS, field_delim="\t")
    return tf.stack(cols[1:], axis=1), cols[0]


def make_split(split, cfg):
    days = Dataset.from_tensor_slices(sorted(glob.glob(cfg[split])))
    if split == "train":
        days = days.shuffle(64)
    ds = days.interleave(open_day, **cfg["read"])
    if split == "train":
        ds = ds.shuffle(500_000)
    ds = ds.batch(cfg["batch_size"])
    return ds.map(parse_lines, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


if __name__ == "__main__":
    sets = {name: make_split(name, CONFIG["data"]) for name in ("train", "valid")}
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    net.compile("adagrad", "binary_crossentropy", metrics=["AUC"])
    net.fit(sets["train"], validation_data=sets["valid"], epochs=CONFIG["epochs"])
