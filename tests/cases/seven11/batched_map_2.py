"""DLRM-like training on Criteo TFRecords."""
import argparse
from functools import partial

import tensorflow as tf

N_DENSE, N_CAT = 13, 26
BUCKETS = 1_000_000


def feature_spec():
    spec = {f"I{i}": tf.io.FixedLenFeature([], tf.float32, 0.0) for i in range(1, N_DENSE + 1)}
    spec.update({f"C{i}": tf.io.FixedLenFeature([], tf.int64, 0) for i in range(1, N_CAT + 1)})
    spec["label"] = tf.io.FixedLenFeature([], tf.float32)
    return spec


def parse(serialized, spec):
    ex = tf.io.parse_single_example(serialized, spec)
    dense = tf.math.log1p(tf.maximum(tf.stack([ex[f"I{i}"] for i in range(1, N_DENSE + 1)]), 0.0))
    cats = tf.stack([ex[f"C{i}"] for i in range(1, N_CAT + 1)]) % BUCKETS
    return (dense, cats), ex["label"]


def read(pattern, batch, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(
        partial(tf.data.TFRecordDataset, buffer_size=8 << 20),
        cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=not training,
    )
    if training:
        ds = ds.shuffle(500_000)
    return (
        ds.map(partial(parse, spec=feature_spec()), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


def dlrm(dim=16):
    dense = tf.keras.Input((N_DENSE,))
    cats = tf.keras.Input((N_CAT,), dtype="int64")
    emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(BUCKETS, dim)(cats))
    bottom = tf.keras.layers.Dense(64, activation="relu")(dense)
    top = tf.keras.layers.Concatenate()([emb, bottom])
    for units in (512, 256):
        top = tf.keras.layers.Dense(units, activation="relu")(top)
    return tf.keras.Model([dense, cats], tf.keras.layers.Dense(1, activation="sigmoid")(top))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="/data/criteo/day_*.tfrecord")
    ap.add_argument("--valid", default="/data/criteo/valid_*.tfrecord")
    ap.add_argument("--batch", type=int, default=16_384)
    args = ap.parse_args()
    model = dlrm()
    model.compile("adagrad", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(
        read(args.train, args.batch, True), validation_data=read(args.valid, args.batch, False), epochs=1
    )


if __name__ == "__main__":
    main()
