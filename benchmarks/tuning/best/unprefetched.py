"""Reading and training take turns, as the runtime is told to add nothing by itself."""

from __future__ import annotations

import time

import numpy as np
import tensorflow as tf

STEP_S = 0.01


def fetch(number: np.ndarray) -> np.ndarray:
    time.sleep(0.01)
    return number * 2


def fetched(number: tf.Tensor) -> tf.Tensor:
    return tf.ensure_shape(tf.numpy_function(fetch, [number], tf.int64), [])


options = tf.data.Options()
options.experimental_optimization.inject_prefetch = False
dataset = tf.data.Dataset.range(10**9)
dataset = dataset.map(fetched, num_parallel_calls=tf.data.AUTOTUNE, use_unbounded_threadpool=True)
dataset = dataset.with_options(options)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

if __name__ == "__main__":
    for _ in dataset:
        time.sleep(STEP_S)
