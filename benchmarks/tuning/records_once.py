"""Compressed files of records, parsed one by one, read once."""

from __future__ import annotations

import tensorflow as tf
from data import measurements

FEATURES = {"x": tf.io.FixedLenFeature([16], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(record: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    example = tf.io.parse_single_example(record, FEATURES)
    return example["x"], example["y"]


dataset = tf.data.TFRecordDataset(measurements(4, 10_000), compression_type="GZIP")
dataset = dataset.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(64)

if __name__ == "__main__":
    total = tf.zeros([16])
    for x, _ in dataset:
        total += tf.reduce_sum(x, axis=0)
