"""What the pages of TFD8xx say about several workers."""

from __future__ import annotations

import tensorflow as tf
from run import claim
from tensorflow.python.data.experimental.ops import distribute

Dataset = tf.data.Dataset


@claim("TFD803", "each of them prepared 64 of 64 elements")
def each_worker_prepares_all() -> None:
    prepared: list[int] = []

    def prepare(x: tf.Tensor) -> tf.Tensor:
        prepared.append(int(x))
        return x

    ds = Dataset.from_tensor_slices(tf.range(64)).map(lambda x: tf.py_function(prepare, [x], tf.int32)).batch(4)
    for worker in range(2):
        prepared.clear()
        assert len(list(distribute._AutoShardDataset(ds, 2, worker))) == 8
        assert sorted(prepared) == list(range(64))
