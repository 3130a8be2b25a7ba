"""Pictures decoded anew in each epoch, which would fit into memory."""

from __future__ import annotations

import tensorflow as tf
from data import pictures


def decode(path: tf.Tensor) -> tf.Tensor:
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [96, 96])


dataset = tf.data.Dataset.from_tensor_slices(pictures(300))
dataset = dataset.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.cache()
dataset = dataset.shuffle(100, seed=3)
dataset = dataset.batch(16)

if __name__ == "__main__":
    for _ in range(1000):
        for batch in dataset:
            tf.reduce_sum(batch)
