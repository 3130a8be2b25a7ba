"""Pipelines whose slowest stage is known: it ends in the line with the comment `# here`.

Each function is a target of `--verify`. Busy work is a matrix product, slow input is sleeping.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
FILES = 6


def numbers() -> tf.data.Dataset:
    return tf.data.Dataset.range(10**9)


def work(x: tf.Tensor, size: int = 160) -> tf.Tensor:
    a = tf.random.stateless_uniform([size, size], seed=[1, 2])
    return tf.cast(x, tf.float32) + tf.reduce_sum(a @ a) * 0.0


def random_work(x: tf.Tensor) -> tf.Tensor:
    a = tf.random.uniform([160, 160])
    return tf.cast(x, tf.float32) + tf.reduce_sum(a @ a) * 0.0


def light(x: tf.Tensor) -> tf.Tensor:
    return tf.cast(x, tf.float32) + 1


def spin(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def python_work(x: tf.Tensor) -> tf.Tensor:
    def busy(value: tf.Tensor) -> tf.Tensor:
        spin(0.0006)
        return value

    return tf.py_function(busy, [x], tf.int64)


def generator(wait: Callable[[float], None], seconds: float) -> Callable[[], Iterator[int]]:
    def generate() -> Iterator[int]:
        number = 0
        while True:
            wait(seconds)
            yield number
            number += 1

    return generate


def record_files(pictures: int = 20, padding: int = 200_000) -> list[str]:
    """Compressed records of a small JPEG and much that is not looked at."""
    folder = tempfile.mkdtemp()
    random = np.random.default_rng(0)
    picture = tf.io.encode_jpeg(tf.constant(random.integers(0, 255, (160, 160, 3)), tf.uint8)).numpy()
    paths = []
    for number in range(FILES):
        paths.append(os.path.join(folder, f"{number}.tfrecord.gz"))
        with tf.io.TFRecordWriter(paths[-1], tf.io.TFRecordOptions(compression_type="GZIP")) as writer:
            for index in range(pictures):
                writer.write(_example(picture, index % 10, random.bytes(padding)))
    return paths


def _example(picture: bytes, label: int, padding: bytes) -> bytes:
    feature = {
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[picture])),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
        "padding": tf.train.Feature(bytes_list=tf.train.BytesList(value=[padding])),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def decoded(record: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    features = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}
    example = tf.io.parse_single_example(record, features)
    return tf.image.resize(tf.io.decode_jpeg(example["image"], channels=3), [96, 96]), example["label"]


# ── those of the first experiments ──────────────────────────────────────────────────────────────────────────────────


def stateless_map() -> tf.data.Dataset:
    return (
        numbers()
        .map(work)  # here
        .batch(16)
    )


def stateful_map() -> tf.data.Dataset:
    return (
        numbers()
        .map(random_work)  # here
        .batch(16)
    )


def parallel_map() -> tf.data.Dataset:
    return (
        numbers()
        .map(work, num_parallel_calls=AUTOTUNE)  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def busy_generator() -> tf.data.Dataset:
    ds = tf.data.Dataset.from_generator(generator(spin, 0.0006), output_signature=tf.TensorSpec((), tf.int64))  # here
    return ds.map(light, num_parallel_calls=AUTOTUNE).batch(16).prefetch(AUTOTUNE)


def sleeping_generator() -> tf.data.Dataset:
    ds = tf.data.Dataset.from_generator(
        generator(time.sleep, 0.001), output_signature=tf.TensorSpec((), tf.int64)
    )  # here
    return ds.map(light).batch(16)


def python_function() -> tf.data.Dataset:
    return (
        numbers()
        .map(python_work, num_parallel_calls=AUTOTUNE)  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def second_of_two_maps() -> tf.data.Dataset:
    return (
        numbers()
        .map(light, num_parallel_calls=AUTOTUNE)
        .map(work, num_parallel_calls=AUTOTUNE)  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def first_of_two_maps() -> tf.data.Dataset:
    return (
        numbers()
        .map(random_work)  # here
        .map(light)
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def filter_() -> tf.data.Dataset:
    return (
        numbers()
        .filter(lambda x: work(x) > -1)  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def compressed_records() -> tf.data.Dataset:
    files = tf.data.Dataset.from_tensor_slices(record_files()).repeat()
    records = files.interleave(
        lambda file: tf.data.TFRecordDataset(file, compression_type="GZIP"),  # here
        cycle_length=1,
    )
    return records.map(tf.strings.length, num_parallel_calls=AUTOTUNE).batch(16).prefetch(AUTOTUNE)


def decoding_after_records() -> tf.data.Dataset:
    files = tf.data.Dataset.from_tensor_slices(record_files(padding=10)).repeat()
    records = files.interleave(lambda file: tf.data.TFRecordDataset(file, compression_type="GZIP"), cycle_length=2)
    return (
        records
        .map(decoded)  # here
        .batch(16)
    )  # fmt: skip


def copying_into_batches() -> tf.data.Dataset:
    ds = numbers().map(lambda x: tf.fill([512, 512, 3], tf.cast(x, tf.float32)), num_parallel_calls=AUTOTUNE)  # here
    return (
        ds
        .batch(64)  # here
        .prefetch(AUTOTUNE)
    )  # fmt: skip


def light_map_before_batch() -> tf.data.Dataset:
    return (
        numbers()
        .map(light)  # here
        .batch(256)
    )


# ── new ones ────────────────────────────────────────────────────────────────────────────────────────────────────────


def nested_reader_map() -> tf.data.Dataset:
    """The expensive map stands inside the function of the interleave."""

    def reader(file: tf.Tensor) -> tf.data.Dataset:
        records = tf.data.TFRecordDataset(file, compression_type="GZIP")
        return records.map(decoded)  # here

    files = tf.data.Dataset.from_tensor_slices(record_files(padding=10)).repeat()
    return files.interleave(reader, cycle_length=2).batch(16).prefetch(AUTOTUNE)


def zip_with_slow_side() -> tf.data.Dataset:
    quick = numbers().map(light)
    slow = numbers().map(random_work)  # here
    return tf.data.Dataset.zip((quick, slow)).batch(16).prefetch(AUTOTUNE)


def sample_from_uneven_datasets() -> tf.data.Dataset:
    quick = numbers().map(light)
    slow = numbers().map(random_work)  # here
    return tf.data.Dataset.sample_from_datasets([quick, slow], weights=[0.5, 0.5], seed=1).batch(16)


def generator_beside_files() -> tf.data.Dataset:
    labels = tf.data.Dataset.from_generator(
        generator(time.sleep, 0.003), output_signature=tf.TensorSpec((), tf.int64)
    )  # here
    pictures = tf.data.TFRecordDataset(record_files(4, padding=10), compression_type="GZIP").repeat()
    return tf.data.Dataset.zip((pictures, labels)).batch(16).prefetch(AUTOTUNE)


def filter_that_keeps_little() -> tf.data.Dataset:
    return (
        numbers()
        .map(random_work)  # here
        .filter(lambda x: tf.cast(x, tf.int64) % 10 == 0)
        .batch(4)
    )


def unbatch() -> tf.data.Dataset:
    return (
        tf.data.Dataset.from_tensors(tf.zeros([64, 512, 512]))
        .repeat()
        .unbatch()  # here
        .skip(1)
        .prefetch(AUTOTUNE)
    )


def flat_map_of_generators() -> tf.data.Dataset:
    return numbers().flat_map(
        lambda _: tf.data.Dataset.range(8).map(random_work)  # here
    ).batch(16)  # fmt: skip


def work_after_the_batch() -> tf.data.Dataset:
    return (
        numbers()
        .map(light, num_parallel_calls=AUTOTUNE)
        .batch(16)
        .map(lambda x: x + work(tf.constant(1), 600))  # here
        .prefetch(AUTOTUNE)
    )


def shuffle_between() -> tf.data.Dataset:
    return (
        numbers()
        .map(random_work)  # here
        .shuffle(64)
        .map(light)
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def parallel_interleave_of_sleep() -> tf.data.Dataset:
    def shard(_: tf.Tensor) -> tf.data.Dataset:
        wait = generator(time.sleep, 0.004)
        return tf.data.Dataset.from_generator(wait, output_signature=tf.TensorSpec((), tf.int64))  # here

    return tf.data.Dataset.range(4).interleave(shard, cycle_length=4, num_parallel_calls=4).batch(16).prefetch(AUTOTUNE)


def concatenation() -> tf.data.Dataset:
    first = numbers().map(random_work)  # here
    return first.concatenate(numbers().map(light)).batch(16).prefetch(AUTOTUNE)


def helper_called_twice() -> tf.data.Dataset:
    """The same line of a helper makes two stages; only one is slow."""

    def mapped(ds: tf.data.Dataset, function: Callable[[tf.Tensor], tf.Tensor]) -> tf.data.Dataset:
        return ds.map(function)  # here

    return mapped(mapped(numbers(), random_work), light).batch(16).prefetch(AUTOTUNE)


def padded_batches() -> tf.data.Dataset:
    return (
        numbers()
        .map(lambda x: tf.fill([1 + x % 7], x))
        .map(lambda x: tf.cast(x, tf.float32) + random_work(tf.constant(0)))  # here
        .padded_batch(16)
        .prefetch(AUTOTUNE)
    )


def cached_then_augmented() -> tf.data.Dataset:
    return (
        tf.data.Dataset.range(500)
        .map(light)
        .cache()
        .repeat()
        .map(random_work)  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def python_function_in_windows() -> tf.data.Dataset:
    return (
        numbers()
        .window(4)
        .flat_map(lambda window: window.batch(4))
        .map(lambda x: tf.numpy_function(lambda v: (time.sleep(0.002), v)[1], [x], tf.int64))  # here
        .prefetch(AUTOTUNE)
    )


def few() -> tuple[tf.data.Dataset, ...]:
    """Some of them for one process."""
    return nested_reader_map(), zip_with_slow_side(), sleeping_generator()
