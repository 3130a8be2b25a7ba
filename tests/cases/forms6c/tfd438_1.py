import argparse
import os

import tensorflow as tf


def featurize(line):
    fields = tf.io.decode_csv(line, [[0.0]] * 129)
    return tf.stack(fields[:-1]), fields[-1]


def materialize(args, target):
    ds = tf.data.TextLineDataset(tf.io.gfile.glob(args.csv), num_parallel_reads=8)
    ds = ds.map(featurize, num_parallel_calls=tf.data.AUTOTUNE)
    ds.save(target, compression="GZIP")


def training_set(args, source):
    ds = tf.data.Dataset.load(source)
    ds = ds.shuffle(100_000)
    return ds.batch(args.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv", default="/data/sensors/*.csv")
    parser.add_argument("--work-dir", default="/scratch/sensors")
    parser.add_argument("--batch-size", type=int, default=2048)
    args = parser.parse_args()

    saved = os.path.join(args.work_dir, "features")
    if not tf.io.gfile.exists(saved):
        materialize(args, saved)
    model = tf.keras.Sequential([
        tf.keras.Input((128,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(training_set(args, saved), epochs=20)


if __name__ == "__main__":
    main()
