"""Examples parsed one by one and then shuffled, read once."""

from __future__ import annotations

import tensorflow as tf
from data import records

FEATURES = {"x": tf.io.FixedLenFeature([8], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(example: tf.Tensor) -> dict[str, tf.Tensor]:
    return tf.io.parse_single_example(example, FEATURES)


dataset = tf.data.TFRecordDataset(records(2, 20_000))
dataset = dataset.map(parse)
dataset = dataset.shuffle(1000, seed=3)
dataset = dataset.batch(128)

if __name__ == "__main__":
    for batch in dataset:
        tf.reduce_sum(batch["x"])
