import argparse

import tensorflow as tf


def load_pipeline(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def parse(record):
    example = tf.io.parse_single_example(record, {
        "features": tf.io.FixedLenFeature([20], tf.float32),
        "target": tf.io.FixedLenFeature([], tf.float32),
    })
    return example["features"], example["target"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="data/train-*.tfrecord")
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--holdout", type=float, default=0.1)
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.Input((20,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    dataset = load_pipeline(args.data, args.batch_size)
    model.fit(dataset, epochs=20, validation_split=args.holdout)


if __name__ == "__main__":
    main()
