"""Re-pack click logs to a temporary folder, train, then throw the folder away."""
import csv
import glob
import os
import tempfile

import tensorflow as tf

CODEC = "GZIP"


def repack(sources, folder):
    for n, source in enumerate(sources):
        target = os.path.join(folder, f"{n:05d}.tfrecord.gz")
        with tf.io.TFRecordWriter(target, options=CODEC) as writer, open(source, newline="") as fh:
            for row in csv.DictReader(fh):
                feature = {
                    "user": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(row["user"])])),
                    "item": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(row["item"])])),
                    "stars": tf.train.Feature(float_list=tf.train.FloatList(value=[float(row["stars"])])),
                }
                writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())


def dataset(folder, batch):
    spec = {"user": tf.io.FixedLenFeature([], tf.int64), "item": tf.io.FixedLenFeature([], tf.int64),
            "stars": tf.io.FixedLenFeature([], tf.float32)}

    def split(raw):
        ex = tf.io.parse_example(raw, spec)
        return (ex["user"], ex["item"]), ex["stars"]

    files = tf.data.Dataset.list_files(os.path.join(folder, "*.gz"))
    ds = files.interleave(lambda f: tf.data.TFRecordDataset(f, compression_type=CODEC),
                          cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(500_000).batch(batch).map(split, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def factorization(users, items):
    u, i = tf.keras.Input((), dtype="int64"), tf.keras.Input((), dtype="int64")
    score = tf.keras.layers.Dot(-1)([tf.keras.layers.Embedding(users, 64)(u), tf.keras.layers.Embedding(items, 64)(i)])
    model = tf.keras.Model((u, i), score)
    model.compile("adam", "mse")
    return model


def main():
    model = factorization(300_000, 60_000)
    with tempfile.TemporaryDirectory() as folder:
        repack(sorted(glob.glob("/logs/ratings/*.csv")), folder)
        model.fit(dataset(folder, 8192), epochs=5)
    model.save("/models/mf.keras")


if __name__ == "__main__":
    main()
