"""Pipelines into which `verify_judgement.py` plants fixes of a known effect, by changing one of the constants below.

Each function is a target of `--verify`. The elements are the same whatever the constants say.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np
import tensorflow as tf

#: The speed of most of them is `1 / WORK`.
WORK = 10
#: How many calls at a time: none, or as many as the runtime likes.
CALLS = None
#: Is a function applied to each element, or to whole batches?
PER_BATCH = False
#: About seven tenths of what a batch of `all_in_parallel` takes without parallel calls: 6.6 ms where this was set.
STEP_S = 0.0045
FILES, RECORDS = 4, 16
#: One for each step of a consumer.
STEPS: list[None] = []
FACTOR = np.eye(128, dtype=np.float32)


def nothing(result: tf.Tensor) -> tf.Tensor:
    """Zero, which no optimisation knows in advance."""
    return tf.minimum(tf.abs(tf.cast(result, tf.float32)), 0.0)


def products(x: tf.Tensor, factors: int = WORK * 2) -> tf.Tensor:
    factor = tf.constant(FACTOR)
    matrix = factor + tf.cast(x, tf.float32) * 1e-9
    for _ in range(factors):
        matrix = tf.matmul(matrix, factor)
    return tf.cast(x, tf.float32) + nothing(tf.reduce_sum(matrix))


def noisy_products(x: tf.Tensor, factors: int = WORK * 2) -> tf.Tensor:
    """What the runtime does not do in parallel by itself."""
    noise = tf.random.uniform([])
    return products(x, factors) + noise


def counted(value: np.ndarray) -> np.ndarray:
    for _ in range(WORK * 12_000):
        pass
    return value


def python_work(x: tf.Tensor) -> tf.Tensor:
    return tf.ensure_shape(tf.numpy_function(counted, [x], tf.int64), [])


def consume(name: str) -> None:
    """What a user does with it: consume it, forever."""
    for _ in globals()[name]() or ():
        STEPS.append(None)


def numbers() -> tf.data.Dataset:
    return tf.data.Dataset.range(10**9)


def cheap_map() -> tf.data.Dataset:
    return numbers().map(lambda x: x + 1).batch(256)


def native_map() -> tf.data.Dataset:
    return numbers().map(products).batch(8)


def python_function() -> tf.data.Dataset:
    return numbers().map(python_work).batch(2)


def generator() -> tf.data.Dataset:
    def generate() -> Iterator[int]:
        for number in itertools.count():
            for _ in range(WORK * 12_000):
                pass
            yield number

    return tf.data.Dataset.from_generator(generate, output_signature=tf.TensorSpec((), tf.int64)).batch(2)


def decoding() -> tf.data.Dataset:
    random = np.random.default_rng(0)
    pictures = [tf.io.encode_jpeg(random.integers(0, 255, (64, 64, 3)).astype("uint8")).numpy() for _ in range(32)]

    def decode(x: tf.Tensor, some: tf.Tensor) -> tf.Tensor:
        decoded = [tf.image.resize(tf.io.decode_jpeg(some[n], channels=3), [96, 96]) for n in range(WORK)]
        return tf.cast(x, tf.float32) + nothing(tf.add_n([tf.reduce_sum(picture) for picture in decoded]))

    return numbers().map(lambda x: (x, tf.constant(pictures))).map(decode).batch(8)


def interleaved_files() -> tf.data.Dataset:
    def parse(record: tf.Tensor) -> tf.Tensor:
        return tf.io.parse_single_example(record, {"label": tf.io.FixedLenFeature([], tf.int64)})["label"]

    files = tf.data.Dataset.list_files(f"{records()}/*", shuffle=False).repeat()
    return files.interleave(
        lambda file: tf.data.TFRecordDataset(file, compression_type="GZIP").map(parse), cycle_length=2
    ).batch(2)


def records() -> str:
    """The folder of files whose records are the longer, the more the work; processes that start share it."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"records-{WORK}")
    if os.path.isdir(folder):
        return folder
    random, new = np.random.default_rng(0), tempfile.mkdtemp(dir=os.path.dirname(folder))
    for file in range(FILES):
        path = os.path.join(new, f"{file}.tfrecord.gz")
        with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions(compression_type="GZIP")) as writer:
            for record in range(RECORDS):
                writer.write(example(file * RECORDS + record, random.integers(0, 64, WORK * 40_000).astype("uint8")))
    try:
        os.rename(new, folder)
    except OSError:
        shutil.rmtree(new)
    return folder


def example(label: int, padding: np.ndarray) -> bytes:
    feature = {
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
        "padding": tf.train.Feature(bytes_list=tf.train.BytesList(value=[padding.tobytes()])),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def shuffled() -> tf.data.Dataset:
    return numbers().take(4096).shuffle(1024, seed=3).map(noisy_products).batch(8).repeat()


# ── consumers of their own ──────────────────────────────────────────────────────────────────────────────────────────


def spin(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def with_step() -> None:
    """A loop whose step is shorter than its wait."""
    for _ in numbers().map(noisy_products).batch(8).prefetch(tf.data.AUTOTUNE):
        time.sleep(0.001)
        STEPS.append(None)


def in_function() -> None:
    def pause(x: np.ndarray) -> np.ndarray:
        time.sleep(0.001)
        STEPS.append(None)
        return x

    @tf.function
    def train(dataset: tf.data.Dataset) -> None:
        for x in dataset:
            tf.numpy_function(pause, [x], tf.float32)

    train(numbers().map(noisy_products).batch(8).prefetch(tf.data.AUTOTUNE))


def fitted() -> None:
    def example(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return tf.fill([16], noisy_products(x) * 1e-9), 1.0

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse")
    counting = tf.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: STEPS.append(None))
    model.fit(numbers().map(example).batch(32), verbose=0, callbacks=[counting])


# ── more parallelism ────────────────────────────────────────────────────────────────────────────────────────────────


def all_in_parallel() -> tf.data.Dataset:
    """Nearly all of the work can be done at once: on two cores that makes it almost twice as fast."""
    return numbers().map(noisy_products, CALLS, deterministic=True).batch(8).map(lambda x: x * 0.0)


def python_in_parallel() -> tf.data.Dataset:
    """NumPy computes without Python's lock."""

    def sort(x: np.ndarray) -> np.ndarray:
        values = np.resize(np.arange(99991)[::-1], WORK * 6_000)
        values.sort()
        return x + values[0]

    return numbers().map(lambda x: tf.ensure_shape(tf.numpy_function(sort, [x], tf.int64), []), CALLS).batch(4)


def files_in_parallel() -> tf.data.Dataset:
    """Compressed files are read one after the other, or several at once."""
    files = tf.data.Dataset.list_files(f"{records()}/*", shuffle=False).repeat()
    return files.interleave(
        lambda file: tf.data.TFRecordDataset(file, compression_type="GZIP").map(tf.strings.length),
        cycle_length=2,
        num_parallel_calls=CALLS,
        deterministic=True,
    ).batch(2)


def waiting_in_parallel() -> tf.data.Dataset:
    """What waits for a disk or a server needs no core."""

    def wait(x: np.ndarray) -> np.ndarray:
        time.sleep(0.002)
        return x

    return numbers().map(lambda x: tf.ensure_shape(tf.numpy_function(wait, [x], tf.int64), []), CALLS).batch(4)


def partly_in_parallel() -> tf.data.Dataset:
    """Three quarters of the work are done one after the other, whatever else is done at once."""
    first = numbers().map(lambda x: noisy_products(x, 7), CALLS, deterministic=True)
    return first.scan(np.float32(0), lambda state, x: (state, products(x))).batch(8).map(lambda x: x * 0.0)


def generator_and_map() -> tf.data.Dataset:
    """A generator does most of the work, and there is but one of it."""

    def generate() -> Iterator[int]:
        for number in itertools.count():
            for _ in range(WORK * 8_000):
                pass
            yield number

    ds = tf.data.Dataset.from_generator(generate, output_signature=tf.TensorSpec((), tf.int64))
    return ds.map(lambda x: noisy_products(x, 12), CALLS, deterministic=True).batch(2).map(lambda x: x * 0.0)


def parallel_with_step() -> None:
    """The consumer takes so long for its step that only a part of the gain is seen."""
    owed = 0.0
    for _ in all_in_parallel().prefetch(tf.data.AUTOTUNE):
        # As a device does: a sleep that takes longer than it should makes the next one shorter.
        began = time.perf_counter()
        time.sleep(max(0.0, STEP_S - owed))
        owed = min(STEP_S, owed + time.perf_counter() - began - STEP_S)
        STEPS.append(None)


# ── whole batches ───────────────────────────────────────────────────────────────────────────────────────────────────


def in_batches(function: Callable[[tf.Tensor], tf.Tensor], size: int) -> tf.data.Dataset:
    if PER_BATCH:
        return numbers().batch(size).map(function)
    return numbers().map(function).batch(size)


def arithmetic() -> tf.data.Dataset:
    def shape(x: tf.Tensor) -> tf.Tensor:
        for _ in range(4):
            x = x * 3 // 3 + 1
        return x

    return in_batches(shape, 128)


def noisy_arithmetic() -> tf.data.Dataset:
    """Not parallelised by the runtime."""

    def shape(x: tf.Tensor) -> tf.Tensor:
        noise = tf.random.uniform([]) * 0.0
        for _ in range(6):
            x = x * 3 // 3 + 1
        return tf.cast(x, tf.float32) + noise

    return in_batches(shape, 64)


def small_python() -> tf.data.Dataset:
    return in_batches(lambda x: tf.numpy_function(lambda v: v + 1, [x], tf.int64), 16)
