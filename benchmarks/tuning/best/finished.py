"""There is nothing to be gained."""

from __future__ import annotations

import tensorflow as tf


def augment(x: tf.Tensor) -> tf.Tensor:
    matrix = tf.eye(64) * tf.cast(x + 1, tf.float32)
    for _ in range(12):
        matrix = tf.sin(tf.matmul(matrix, matrix))
    return tf.reduce_sum(matrix) + tf.random.stateless_uniform([], [1, x])


dataset = tf.data.Dataset.range(10**9)
dataset = dataset.shuffle(1000, seed=3)
dataset = dataset.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(32)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

if __name__ == "__main__":
    for batch in dataset:
        tf.reduce_sum(batch)
