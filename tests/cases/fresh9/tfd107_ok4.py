"""Train a landmark classifier; records come from a slow bucket."""
import argparse

import tensorflow as tf

SPEC = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    img = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    img = tf.image.resize(img, [224, 224])
    return tf.keras.applications.mobilenet_v2.preprocess_input(img), ex["image/class/label"]


def make_train(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                       num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000)
    # compressed records only, so that a hiccup of the bucket costs no step
    ds = ds.prefetch(batch_size)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="gs://landmarks/train-*")
    parser.add_argument("--batch_size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    model = tf.keras.applications.MobileNetV2(weights=None, classes=2000)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(make_train(args.pattern, args.batch_size), epochs=args.epochs)


if __name__ == "__main__":
    main()
