import argparse
import os

import tensorflow as tf


def parse(serialized):
    ex = tf.io.parse_single_example(serialized, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, ex["label"]


def get_dataset(args):
    workers = args.workers or len(os.sched_getaffinity(0))
    ds = tf.data.Dataset.list_files(args.pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(30000)
    ds = ds.map(parse, num_parallel_calls=workers)
    return ds.batch(args.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pattern", default="/data/openimages/train-*.tfrecord")
    p.add_argument("--batch_size", type=int, default=128)
    p.add_argument("--workers", type=int, default=None)
    args = p.parse_args()
    model = tf.keras.applications.ResNet50(weights=None, classes=600)
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(get_dataset(args), epochs=20)


if __name__ == "__main__":
    main()
