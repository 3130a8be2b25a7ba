"""Pack a folder of lab time series into shards, then train on them."""
import argparse
import pathlib

import numpy as np
import tensorflow as tf


class ShardWriter:
    def __init__(self, folder, shards):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        options = tf.io.TFRecordOptions(compression_type="GZIP", compression_level=6)
        self.writers = [tf.io.TFRecordWriter(str(self.folder / f"part-{i:04d}.tfrecord"), options)
                        for i in range(shards)]
        self.count = 0

    def add(self, series, label):
        example = tf.train.Example(features=tf.train.Features(feature={
            "series": tf.train.Feature(float_list=tf.train.FloatList(value=series)),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))}))
        self.writers[self.count % len(self.writers)].write(example.SerializeToString())
        self.count += 1

    def close(self):
        for w in self.writers:
            w.close()


def pack(source, folder, shards=64):
    writer = ShardWriter(folder, shards)
    for file in sorted(pathlib.Path(source).glob("*.npz")):
        with np.load(file) as z:
            for series, label in zip(z["series"], z["label"]):
                writer.add(series.astype("float32"), int(label))
    writer.close()


def train_set(folder, length, batch):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {"series": tf.io.FixedLenFeature([length, 1], tf.float32),
                                              "label": tf.io.FixedLenFeature([], tf.int64)})
        return ex["series"], ex["label"]

    ds = tf.data.Dataset.list_files(str(pathlib.Path(folder) / "part-*.tfrecord"))
    ds = ds.interleave(lambda f: tf.data.TFRecordDataset(f, buffer_size=8 << 20), cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("source")
    ap.add_argument("folder")
    args = ap.parse_args()
    pack(args.source, args.folder)
    model = tf.keras.Sequential([tf.keras.layers.Input((3000, 1)),
                                 tf.keras.layers.Conv1D(64, 50, strides=6, activation="relu"),
                                 tf.keras.layers.LSTM(128),
                                 tf.keras.layers.Dense(5, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train_set(args.folder, 3000, 256), epochs=20)
