"""What the pages of TFD6xx say about devices."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tensorflow as tf
from run import claim

keras = tf.keras


def initializes(work: Callable[[], Any]) -> bool:
    """Whether threads cannot be configured any more after some work, which a process of its own does."""
    child = os.fork()
    if child == 0:
        status = 2
        try:
            work()
            tf.config.threading.set_inter_op_parallelism_threads(3)
            status = 0
        except RuntimeError as error:
            status = 1 if "cannot be modified" in str(error) else 2
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(ended)
    assert code in (0, 1)
    return code == 1


@claim(
    "TFD608",
    "one that makes a tensor, a dataset, a model or a strategy, or lists the logical devices",
)
def these_initialize_the_devices() -> None:
    file = Path(tempfile.mkdtemp()) / "a.txt"
    file.write_text("a\n")
    spec = tf.TensorSpec([], tf.int32)
    for work in (
        lambda: tf.constant(1),
        lambda: tf.Variable(1.0),
        lambda: tf.zeros([2]),
        lambda: tf.ones([2]),
        lambda: tf.fill([2], 1),
        lambda: tf.eye(2),
        lambda: tf.range(2),
        lambda: tf.linspace(0.0, 1.0, 2),
        lambda: tf.convert_to_tensor([1]),
        lambda: tf.io.read_file(str(file)),
        lambda: tf.random.uniform([2]),
        lambda: tf.random.normal([2]),
        lambda: tf.random.truncated_normal([2]),
        lambda: tf.random.shuffle([1, 2]),
        lambda: tf.random.Generator.from_seed(1),
        lambda: tf.random.Generator.from_non_deterministic_state(),
        lambda: tf.config.experimental.list_logical_devices(),
        lambda: tf.distribute.MirroredStrategy(),
        lambda: tf.distribute.MultiWorkerMirroredStrategy(),
        lambda: tf.distribute.OneDeviceStrategy("/cpu:0"),
        lambda: tf.data.Dataset.range(3),
        lambda: tf.data.Dataset.list_files(str(file)),
        lambda: tf.data.Dataset.from_tensors(1),
        lambda: tf.data.Dataset.from_tensor_slices([1]),
        lambda: tf.data.Dataset.from_generator(lambda: iter([1]), output_signature=spec),
        lambda: tf.data.TFRecordDataset([str(file)]),
        lambda: tf.data.TextLineDataset([str(file)]),
        lambda: tf.data.FixedLengthRecordDataset([str(file)], 1),
        lambda: keras.applications.MobileNetV2(weights=None),
        lambda: keras.Sequential([keras.layers.Dense(3, input_shape=[4])]),
        lambda: keras.Sequential([keras.Input([4]), keras.layers.Dense(3)]),
        lambda: keras.layers.Embedding(5, 3)(keras.Input([4])),
        lambda: keras.layers.Conv2D(5, 3)(keras.Input([4, 4, 1])),
        lambda: keras.layers.LSTM(5)(keras.Input([4, 4])),
    ):
        assert initializes(work), work


@claim(
    "TFD608",
    "Looking at the physical devices, and making layers, losses or an empty `Sequential`, does not initialize the"
    " devices.",
)
def these_do_not() -> None:
    for work in (
        lambda: tf.config.list_physical_devices(),
        lambda: keras.layers.Dense(3),
        lambda: keras.losses.MeanSquaredError(),
        lambda: keras.Sequential(),
        lambda: keras.Sequential([keras.layers.Dense(3)]),
        lambda: tf.random.set_seed(1),
    ):
        assert not initializes(work), work
