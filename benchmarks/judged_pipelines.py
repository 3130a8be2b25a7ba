"""Pipelines whose speed is `1 / WORK`: what is planted by `verify_judgement.py` is by how much that changes.

Each function is a target of `--verify`. The elements are the same whatever the work.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Iterator

import numpy as np
import tensorflow as tf

WORK = 10
FILES, RECORDS = 4, 16
FACTOR = np.eye(128, dtype=np.float32)


def nothing(result: tf.Tensor) -> tf.Tensor:
    """Zero, which no optimisation knows in advance."""
    return tf.minimum(tf.abs(tf.cast(result, tf.float32)), 0.0)


def products(x: tf.Tensor) -> tf.Tensor:
    factor = tf.constant(FACTOR)
    matrix = factor + tf.cast(x, tf.float32) * 1e-9
    for _ in range(WORK * 2):
        matrix = tf.matmul(matrix, factor)
    return tf.cast(x, tf.float32) + nothing(tf.reduce_sum(matrix))


def noisy_products(x: tf.Tensor) -> tf.Tensor:
    noise = tf.random.uniform([])
    return products(x) + noise


def counted(value: np.ndarray) -> np.ndarray:
    for _ in range(WORK * 12_000):
        pass
    return value


def python_work(x: tf.Tensor) -> tf.Tensor:
    return tf.ensure_shape(tf.numpy_function(counted, [x], tf.int64), [])


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


def with_step() -> None:
    """A loop whose step is shorter than its wait."""
    for _ in numbers().map(noisy_products).batch(8).prefetch(tf.data.AUTOTUNE):
        time.sleep(0.001)


def in_function() -> None:
    def pause(x: np.ndarray) -> np.ndarray:
        time.sleep(0.001)
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
    model.fit(numbers().map(example).batch(32), verbose=0)
