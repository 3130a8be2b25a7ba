"""Whether an iterator can be saved in a checkpoint: what is said, and what TensorFlow does."""

from __future__ import annotations

import pytest
from rows import each
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.lint.linting import recover
from tfdata_lint.pipeline.nouns.saving import Saving, saving

START = """import tempfile
import numpy as np
import tensorflow as tf

variable = tf.Variable(1, dtype=tf.int64)
draws = tf.random.Generator.from_seed(1)
count = tf.data.Dataset.range(24)
text, records = tempfile.mkdtemp() + "/text", tempfile.mkdtemp() + "/records"
with open(text, "w") as file:
    file.write("row\\n" * 9)
with tf.io.TFRecordWriter(records) as writer:
    for number in range(9):
        writer.write(b"%d" % number)


def numbers():
    yield from range(24)


def python(x):
    return x
"""
TRY = """
iterator = iter(ds)
for _ in range(2):
    next(iterator)
path = tf.train.Checkpoint(iterator=iterator).save(tempfile.mkdtemp() + "/c")
following = [np.asarray(next(iterator)).tolist() for _ in range(2)]
again = iter(ds)
tf.train.Checkpoint(iterator=again).restore(path)
assert following == [np.asarray(next(again)).tolist() for _ in range(2)]
"""
PYTHON = "lambda x: tf.py_function(python, [x], tf.int64)"
RANDOM = "lambda x: tf.random.uniform([])"

SAVED = [
    "count.batch(2)",
    "count.shuffle(5).repeat(2).batch(2).prefetch(2)",
    "count.cache().padded_batch(2)",
    "count.map(lambda x: x + 1, num_parallel_calls=4)",
    "count.map(lambda x: tf.random.stateless_uniform([], [1, 2]))",
    "count.filter(lambda x: x > 1).take(9).skip(1).shard(2, 0).enumerate().map(lambda i, x: i + x)",
    "count.interleave(lambda x: tf.data.Dataset.range(4), cycle_length=2, num_parallel_calls=2)",
    "count.flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(2))",
    "count.window(4, drop_remainder=True).flat_map(lambda window: window.batch(4))",
    "tf.data.Dataset.zip((count, count)).map(lambda a, b: a + b)",
    "count.concatenate(count).unique()",
    "tf.data.Dataset.sample_from_datasets([count, count])",
    "tf.data.Dataset.from_tensor_slices(list(range(9)))",
    "count.ragged_batch(4)",
    "count.batch(4).unbatch()",
    "count.group_by_window(lambda x: x % 2, lambda key, window: window.batch(2), 2)",
    "count.scan(tf.constant(0, tf.int64), lambda state, x: (state + x, state)).take_while(lambda x: x < 99)",
    "tf.data.Dataset.choose_from_datasets([count, count], count.map(lambda x: x % 2))",
    "tf.data.Dataset.from_tensors(3).repeat()",
    "tf.data.TextLineDataset([text])",
    "tf.data.TFRecordDataset([records])",
    "tf.data.Dataset.list_files([text, records]).repeat(4)",
]
NOT_SAVED = [
    ("count.map(PYTHON)", "map", "tf.py_function"),
    ("count.map(PYTHON).batch(2).shuffle(2).prefetch(2)", "map", "tf.py_function"),
    ("count.map(lambda x: tf.numpy_function(python, [x], tf.int64))", "map", "tf.numpy_function"),
    ("count.filter(lambda x: tf.py_function(bool, [x + 1], tf.bool))", "filter", "tf.py_function"),
    ("count.flat_map(lambda x: tf.data.Dataset.range(9).map(PYTHON))", "map", "tf.py_function"),
    ("tf.data.Dataset.zip((count, count.map(PYTHON))).map(lambda a, b: b)", "map", "tf.py_function"),
    ("count.map(PYTHON).concatenate(count)", "map", "tf.py_function"),
    ("count.map(RANDOM)", "map", "tf.random.uniform"),
    ("count.map(lambda x: tf.random.uniform([], seed=3))", "map", "tf.random.uniform"),
    ("count.map(lambda x: tf.image.random_brightness(tf.ones([2, 2, 3]), 0.5))", "map", "tf.image.random_brightness"),
    ("count.map(lambda x: draws.uniform([]))", "map", "uniform"),
    ("count.map(lambda x: variable.assign_add(x))", "map", "assign_add"),
    (
        "tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64)).batch(2)",
        "from_generator", "a Python generator",
    ),
]  # fmt: skip
#: Nothing is said: it depends on when, on options, or on what is not seen.
OPEN = [
    "count.map(unknown)",
    "count.map(PYTHON).cache()",
    "count.concatenate(count.map(PYTHON))",
    "count.map(PYTHON) if unknown else count",
    "count.map(lambda x: tf.random.uniform([]) if unknown else 1.0)",
    "count.map(RANDOM).with_options(options)",
    "count.with_options(unknown)",
    "count.cache('/tmp/x')",
    "tf.keras.utils.image_dataset_from_directory('x')",
]


def program(pipeline: str) -> str:
    pipeline = pipeline.replace("PYTHON", PYTHON).replace("RANDOM", RANDOM)
    return f"{START}ds = {pipeline}\n"


def said(source: str) -> Saving | None:
    *_, consumer = recover(f"{source}for x in ds: model.train_on_batch(x)\n").consumers
    return saving(consumer.dataset)


@each("pipeline", SAVED)
def test_what_can_be_saved(pipeline: str) -> None:
    assert said(program(pipeline)) == Saving(True)


@each(("pipeline", "op", "why"), NOT_SAVED)
def test_what_cannot_be_saved(pipeline: str, op: str, why: str) -> None:
    found = said(program(pipeline))
    assert found is not None
    assert found.stage is not None
    assert (found.is_possible, found.stage.op) == (False, op)
    assert why in found.reason


@each("pipeline", OPEN)
def test_what_is_not_known(pipeline: str) -> None:
    options = "options = tf.data.Options()\noptions.experimental_symbolic_checkpoint = True\n"
    assert said(program(pipeline).replace("ds = ", f"{options}ds = ")) is None


def test_a_generator_is_not_saved_whatever_the_options_are() -> None:
    options = "options = tf.data.Options()\noptions.experimental_symbolic_checkpoint = True\n"
    made = "tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64)).with_options(options)"
    found = said(program(made).replace("ds = ", f"{options}ds = "))
    assert found is not None
    assert not found.is_possible


@pytest.mark.tensorflow
def test_tensorflow_does_as_is_said(run_on_tensorflow: RunOnTensorFlow) -> None:
    for pipeline in SAVED:
        ended = run_on_tensorflow(program(pipeline) + TRY, __file__)
        assert ended["error"] == "", (pipeline, ended)
    for pipeline, _, _ in NOT_SAVED:
        ended = run_on_tensorflow(program(pipeline) + TRY, __file__)
        assert ended["error"] in ("FailedPreconditionError", "UnimplementedError"), (pipeline, ended)
