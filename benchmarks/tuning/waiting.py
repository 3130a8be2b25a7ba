"""A Python function that waits, as for a network."""

from __future__ import annotations

import time

import numpy as np
import tensorflow as tf


def fetch(number: np.ndarray) -> np.ndarray:
    time.sleep(0.005)
    return number * 2


def fetched(number: tf.Tensor) -> tf.Tensor:
    return tf.ensure_shape(tf.numpy_function(fetch, [number], tf.int64), [])


dataset = tf.data.Dataset.range(10**9)
dataset = dataset.map(fetched)
dataset = dataset.batch(8)

if __name__ == "__main__":
    for batch in dataset:
        tf.reduce_sum(batch)
