import glob

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, TextLineDataset

READ = {"cycle_length": 12, "block_length": 64, "num_parallel_calls": AUTOTUNE}
DEFAULTS = [[0.0]] * 14


def open_day(path):
    return TextLineDataset(path, buffer_size=4 << 20).skip(1)


def parse_lines(lines):
    cols = tf.io.decode_csv(lines, DEFAULTS, field_delim="\t")
    return tf.stack(cols[1:], axis=1), cols[0]


class ClickData:
    def __init__(self, root, batch_size, **read):
        self.root = root
        self.batch_size = batch_size
        self.read = read

    def split(self, name, training):
        days = Dataset.from_tensor_slices(sorted(glob.glob(f"{self.root}/{name}/*.tsv")))
        if training:
            days = days.shuffle(64)
        ds = days.interleave(open_day, **self.read)
        if training:
            ds = ds.shuffle(500_000)
        ds = ds.batch(self.batch_size)
        return ds.map(parse_lines, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


if __name__ == "__main__":
    data = ClickData("/data/criteo", 8192, **READ)
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    net.compile("adagrad", "binary_crossentropy", metrics=["AUC"])
    net.fit(data.split("train", True), validation_data=data.split("valid", False), epochs=3)
