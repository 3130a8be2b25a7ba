"""Pipelines whose slowest stage is known: it ends in the line with the comment `# here`.

Each function is a target of `--verify`. Busy work is a matrix product, slow input is sleeping.
"""

from __future__ import annotations

import gzip
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


# ── expensive and parallel, and behind it cheap and sequential: it is the workers that lack cores ───────────────────


def pictures(count: int = 8, size: int = 320) -> tf.data.Dataset:
    """JPEGs in memory, again and again."""
    random = np.random.default_rng(0)
    made = [random.integers(0, 255, (size, size, 3), dtype=np.uint8) for _ in range(count)]
    return tf.data.Dataset.from_tensor_slices([tf.io.encode_jpeg(picture).numpy() for picture in made]).repeat()


def decode(picture: tf.Tensor) -> tf.Tensor:
    return tf.image.resize(tf.io.decode_jpeg(picture, channels=3), [128, 128])


def decode_then_flip() -> tf.data.Dataset:
    return (
        pictures()
        .map(decode, num_parallel_calls=AUTOTUNE)  # here
        .map(tf.image.random_flip_left_right)
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def decode_that_the_runtime_parallelises() -> tf.data.Dataset:
    return (
        pictures()
        .map(decode)  # here
        .map(tf.image.random_flip_left_right)
        .batch(16)
    )


def decode_then_filter() -> tf.data.Dataset:
    return (
        pictures()
        .map(decode, num_parallel_calls=AUTOTUNE)  # here
        .filter(lambda image: tf.reduce_mean(image) > 0)
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def decode_then_shuffle() -> tf.data.Dataset:
    return (
        pictures()
        .map(decode, num_parallel_calls=AUTOTUNE)  # here
        .shuffle(64)
        .batch(16)
        .map(lambda images: images / 255)
    )


def decode_inside_an_interleave() -> tf.data.Dataset:
    def reader(file: tf.Tensor) -> tf.data.Dataset:
        records = tf.data.TFRecordDataset(file, compression_type="GZIP")
        return records.map(decoded)  # here

    files = tf.data.Dataset.from_tensor_slices(record_files(padding=10)).repeat()
    return (
        files
        .interleave(reader, cycle_length=4, num_parallel_calls=4)
        .map(lambda image, label: (tf.image.random_flip_left_right(image), label))
        .batch(16)
        .prefetch(AUTOTUNE)
    )  # fmt: skip


def decode_then_numpy() -> tf.data.Dataset:
    def labelled(image: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return image, tf.numpy_function(lambda first: int(first) % 10, [image[0, 0, 0]], tf.int64)

    return (
        pictures()
        .map(decode, num_parallel_calls=AUTOTUNE)  # here
        .map(labelled)
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def decode_then_pad() -> tf.data.Dataset:
    return (
        pictures()
        .map(lambda picture: decode(picture)[: tf.strings.length(picture) % 64 + 32], AUTOTUNE)  # here
        .padded_batch(16)
        .prefetch(AUTOTUNE)
    )


def whole_batches_then_unbatched() -> tf.data.Dataset:
    def worked(batch: tf.Tensor) -> tf.Tensor:
        return tf.map_fn(decode, batch, fn_output_signature=tf.float32)

    return (
        pictures()
        .batch(4)
        .map(worked, num_parallel_calls=AUTOTUNE)  # here
        .unbatch()
        .shuffle(32)
        .batch(16)
    )


def decode_then_scan() -> tf.data.Dataset:
    return (
        pictures()
        .map(decode, num_parallel_calls=AUTOTUNE)  # here
        .scan(np.int64(0), lambda count, image: (count + 1, (count, image)))
        .take_while(lambda count, _: count >= 0)
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def three_stages_of_augmentation() -> tf.data.Dataset:
    return (
        pictures()
        .map(decode, num_parallel_calls=AUTOTUNE)  # here
        .map(lambda image: image / 127.5 - 1, num_parallel_calls=AUTOTUNE)
        .map(lambda image: tf.image.random_crop(image, [112, 112, 3]))
        .map(tf.image.random_flip_up_down)
        .batch(16)
        .prefetch(AUTOTUNE)
    )


# ── like real training scripts ──────────────────────────────────────────────────────────────────────────────────────


def classifier() -> tf.keras.Model:
    model = tf.keras.Sequential([tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(10)])
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


def fit_on_files() -> None:
    """A folder of pictures for each class."""
    folder = tempfile.mkdtemp()
    for number, picture in enumerate(pictures().take(60)):
        path = os.path.join(folder, str(number % 10), f"{number}.jpg")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        tf.io.write_file(path, picture)

    def loaded(path: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        label = tf.strings.to_number(tf.strings.split(path, os.sep)[-2], tf.int64)
        return decode(tf.io.read_file(path)) / 255, label

    def augmented(image: tf.Tensor, label: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return tf.image.random_brightness(tf.image.random_flip_left_right(image), 0.1), label

    train = (
        tf.data.Dataset.list_files(os.path.join(folder, "*", "*.jpg"))
        .repeat()
        .map(loaded, num_parallel_calls=AUTOTUNE)  # here
        .map(augmented)
        .batch(16)
        .prefetch(AUTOTUNE)
    )
    classifier().fit(train, steps_per_epoch=10**6, verbose=0)


def loop_with_a_tape() -> None:
    """Records of several files at once, parsed and augmented."""
    model, optimizer = classifier(), tf.keras.optimizers.SGD()

    @tf.function
    def train_step(images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = model.loss(labels, model(images, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    train = (
        tf.data.Dataset.from_tensor_slices(record_files(padding=10))
        .repeat()
        .interleave(
            lambda file: tf.data.TFRecordDataset(file, compression_type="GZIP"),
            cycle_length=4,
            num_parallel_calls=AUTOTUNE,
        )
        .shuffle(100)
        .map(decoded, num_parallel_calls=AUTOTUNE)  # here
        .map(lambda image, label: (tf.image.random_flip_left_right(image), label))
        .batch(16, drop_remainder=True)
        .prefetch(AUTOTUNE)
    )
    for step, (images, labels) in enumerate(train):
        loss = train_step(images, labels)
        if step % 100 == 0:
            print(step, float(loss))


def fit_on_a_generator() -> None:
    """Augmentation in NumPy, as before there was tf.data."""
    random = np.random.default_rng(0)
    images = random.random((200, 96, 96, 3), dtype=np.float32)

    def samples() -> Iterator[tuple[np.ndarray, int]]:
        while True:
            for number in random.permutation(len(images)):
                noisy = images[number] + random.normal(0, 0.1, images[number].shape)
                yield np.clip(np.fliplr(noisy), 0, 1).astype(np.float32), int(number % 10)

    signature = (tf.TensorSpec((96, 96, 3), tf.float32), tf.TensorSpec((), tf.int64))
    train = tf.data.Dataset.from_generator(samples, output_signature=signature)  # here
    train = train.shuffle(50).batch(16).prefetch(AUTOTUNE)
    classifier().fit(train, steps_per_epoch=10**6, verbose=0)


def fit_on_what_was_cached() -> None:
    """Decoded once, augmented in every epoch."""

    def augmented(image: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        image = tf.image.random_crop(tf.image.resize(image, [192, 192], "bicubic"), [128, 128, 3])
        image = tf.image.random_saturation(tf.image.random_hue(image / 255, 0.1), 0.8, 1.2)
        return image, tf.cast(image[0, 0, 0] * 9, tf.int64)

    train = (
        pictures()
        .take(480)
        .map(decode, num_parallel_calls=AUTOTUNE)
        .cache()
        .shuffle(64)
        .map(augmented, num_parallel_calls=AUTOTUNE)  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )
    classifier().fit(train, epochs=10**6, verbose=0)


def loop_over_lines_of_text() -> None:
    """Tables as text, a line at a time."""
    columns = 60
    folder = tempfile.mkdtemp()
    for number in range(FILES):
        with open(os.path.join(folder, f"{number}.csv"), "w") as file:
            file.writelines(",".join([f"{number}.25"] * columns) + "\n" for _ in range(2000))

    def parsed(line: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        values = tf.stack(tf.io.decode_csv(line, [0.0] * columns))
        return values[1:], values[0]

    train = (
        tf.data.Dataset.list_files(os.path.join(folder, "*.csv"))
        .interleave(tf.data.TextLineDataset, cycle_length=FILES)
        .map(parsed)  # here
        .shuffle(1000)
        .repeat()
        .batch(64)
        .prefetch(AUTOTUNE)
    )
    weights = tf.Variable(tf.zeros([columns - 1, 1]))
    for values, _ in train:
        weights.assign_sub(0.0 * tf.reduce_mean(values, axis=0)[:, None])


# ── where it would be wrong to look at the cores alone ──────────────────────────────────────────────────────────────


def sequential_beside_cheap_and_parallel() -> tf.data.Dataset:
    return (
        numbers()
        .map(lambda x: work(x, 64), num_parallel_calls=AUTOTUNE)
        .map(random_work)  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def sleeping_while_the_model_takes_the_cores() -> None:
    ds = tf.data.Dataset.from_generator(
        generator(time.sleep, 0.01), output_signature=tf.TensorSpec((), tf.int64)
    )  # here
    matrix = tf.random.uniform([1200, 1200])
    for _ in ds.map(lambda x: work(x, 32), num_parallel_calls=AUTOTUNE).batch(4):
        matrix = tf.nn.l2_normalize(matrix @ matrix)


def python_that_locks_itself_out() -> tf.data.Dataset:
    return (
        numbers()
        .map(python_work, num_parallel_calls=8)  # here
        .map(lambda x: work(x, 48))
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def parallel_decompression() -> tf.data.Dataset:
    def noisy(record: tf.Tensor) -> tf.Tensor:
        return tf.cast(tf.strings.length(record), tf.float32) + tf.random.uniform([])

    files = tf.data.Dataset.from_tensor_slices(record_files()).repeat()
    return files.interleave(
        lambda file: tf.data.TFRecordDataset(file, compression_type="GZIP"),  # here
        cycle_length=4,
        num_parallel_calls=AUTOTUNE,
    ).map(noisy).batch(16)  # fmt: skip


def slow_side_of_a_mixture() -> tf.data.Dataset:
    """Both sides are parallel, one works ten times as much."""
    quick = pictures(size=64).map(decode, num_parallel_calls=AUTOTUNE)
    slow = pictures(size=512).map(decode, num_parallel_calls=AUTOTUNE)  # here
    both = tf.data.Dataset.zip((quick, slow)).map(lambda one, other: tf.image.random_flip_left_right(one + other))
    return both.batch(16).prefetch(AUTOTUNE)


# ── readers that are given their files directly, without an interleave around them ──────────────────────────────────


def gzipped(lines: list[bytes], files: int = FILES) -> list[str]:
    """Compressed files with these lines each."""
    folder = tempfile.mkdtemp()
    paths = [os.path.join(folder, f"{number}.gz") for number in range(files)]
    for path in paths:
        with gzip.open(path, "wb") as file:
            file.writelines(lines)
    return paths


def rows_of_text(columns: int, rows: int = 2000) -> list[bytes]:
    random = np.random.default_rng(0)
    return [",".join(f"{value:.3f}" for value in random.random(columns)).encode() + b"\n" for _ in range(rows)]


def compressed_records_directly() -> tf.data.Dataset:
    records = tf.data.TFRecordDataset(record_files(), compression_type="GZIP")  # here
    return records.repeat().map(tf.strings.length, num_parallel_calls=AUTOTUNE).batch(16).prefetch(AUTOTUNE)


def compressed_records_in_parallel_directly() -> tf.data.Dataset:
    records = tf.data.TFRecordDataset(record_files(), compression_type="GZIP", num_parallel_reads=2)  # here
    return records.repeat().map(tf.strings.length).batch(16).prefetch(AUTOTUNE)


def decoding_after_records_directly() -> tf.data.Dataset:
    return (
        tf.data.TFRecordDataset(record_files(padding=10), compression_type="GZIP")
        .repeat()
        .map(decoded)  # here
        .batch(16)
    )


def parallel_decoding_after_records_directly() -> tf.data.Dataset:
    return (
        tf.data.TFRecordDataset(record_files(padding=10), compression_type="GZIP")
        .repeat()
        .map(decoded, num_parallel_calls=AUTOTUNE)  # here
        .map(lambda image, label: (tf.image.random_flip_left_right(image), label))
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def compressed_lines_directly() -> tf.data.Dataset:
    lines = tf.data.TextLineDataset(gzipped(rows_of_text(2000, 100)), compression_type="GZIP")  # here
    return lines.repeat().map(tf.strings.length, num_parallel_calls=AUTOTUNE).batch(16).prefetch(AUTOTUNE)


def parsing_after_lines_directly() -> tf.data.Dataset:
    columns = 60
    return (
        tf.data.TextLineDataset(gzipped(rows_of_text(columns)), compression_type="GZIP")
        .repeat()
        .map(lambda line: tf.stack(tf.io.decode_csv(line, [0.0] * columns)))  # here
        .batch(64)
        .prefetch(AUTOTUNE)
    )


def compressed_blocks_directly() -> tf.data.Dataset:
    blocks = gzipped([np.random.default_rng(0).bytes(100_000) for _ in range(40)])
    rows = tf.data.FixedLengthRecordDataset(blocks, 100_000, compression_type="GZIP")  # here
    return rows.repeat().map(tf.strings.length, num_parallel_calls=AUTOTUNE).batch(16).prefetch(AUTOTUNE)


def work_after_blocks_directly() -> tf.data.Dataset:
    return (
        tf.data.FixedLengthRecordDataset(gzipped([bytes(1000)] * 400), 1000, compression_type="GZIP")
        .repeat()
        .map(lambda block: random_work(tf.strings.length(block)))  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def tables_directly() -> tf.data.Dataset:
    files = gzipped(rows_of_text(200))
    rows = tf.data.experimental.CsvDataset(files, [0.0] * 200, compression_type="GZIP")  # here
    return rows.repeat().map(lambda *row: row[0] + row[1], num_parallel_calls=AUTOTUNE).batch(64).prefetch(AUTOTUNE)


def work_after_tables_directly() -> tf.data.Dataset:
    return (
        tf.data.experimental.CsvDataset(gzipped(rows_of_text(4)), [0.0] * 4, compression_type="GZIP")
        .repeat()
        .map(lambda *row: random_work(row[0]))  # here
        .batch(16)
        .prefetch(AUTOTUNE)
    )


def fit_on_records_directly() -> None:
    train = (
        tf.data.TFRecordDataset(record_files(padding=10), compression_type="GZIP")
        .repeat()
        .shuffle(100)
        .map(decoded, num_parallel_calls=AUTOTUNE)  # here
        .map(lambda image, label: (tf.image.random_flip_left_right(image), label))
        .batch(16)
        .prefetch(AUTOTUNE)
    )
    classifier().fit(train, steps_per_epoch=10**6, verbose=0)


def fit_on_compressed_records_directly() -> None:
    def labelled(record: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return tf.zeros([8, 8, 3]), tf.strings.length(record) % 10

    records = tf.data.TFRecordDataset(record_files(), compression_type="GZIP")  # here
    train = records.repeat().map(labelled, num_parallel_calls=AUTOTUNE).batch(16).prefetch(AUTOTUNE)
    classifier().fit(train, steps_per_epoch=10**6, verbose=0)


def few() -> tuple[tf.data.Dataset, ...]:
    """Some of them for one process."""
    return nested_reader_map(), zip_with_slow_side(), sleeping_generator()
