"""Eight inputs that alternate, one at a time, and work of their own on each element."""

from __future__ import annotations

import tensorflow as tf


def products(x: tf.Tensor) -> tf.Tensor:
    matrix = tf.eye(96) * tf.cast(x + 1, tf.float32)
    for _ in range(12):
        matrix = tf.sin(tf.matmul(matrix, matrix))
    return tf.reduce_sum(matrix)


def read(file: tf.Tensor) -> tf.data.Dataset:
    return tf.data.Dataset.range(10_000 * file, 10_000 * file + 5_000).map(products)


dataset = tf.data.Dataset.range(64)
dataset = dataset.interleave(read, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(8)

if __name__ == "__main__":
    for batch in dataset:
        tf.reduce_sum(batch)
