"""Do the factors on the rule pages hold? Measures each anew, and prints page figure against measured figure.

    python benchmarks/claims.py [PAGE]... [--rounds N] [--output FILE]

The slow and the fast way take turns, on the installed TensorFlow; a ratio is that of two neighbours, so that a busy
machine slows both. Shown are the median and the range of the ratios. A page is right within 30 %. The exit code is 1
where one is not. Two cores are what the pages were measured on: on others pin it with `taskset -c 0,1`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import mkdtemp
from typing import Any, TextIO

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
from report import row

ROOT = Path(__file__).parents[1]
#: How far a measured factor may be from what the page says.
CLOSE = 0.3
AUTOTUNE = tf.data.AUTOTUNE

Work = Callable[[], Any]


@dataclass(frozen=True)
class Factor:
    """The slow way takes so many times as long as the fast one."""

    page: str
    said: str
    """The words of the page, with the number."""
    times: float | tuple[float, float]
    """As the page has it, or from and to."""
    make: Callable[[], tuple[Work, Work]]
    """Makes the slow and the fast way; each call does the work once."""
    rounds: int | None = None
    """Fewer than else, where once takes seconds."""


FACTORS: list[Factor] = []


def factor(
    page: str, said: str, times: float | tuple[float, float], rounds: int | None = None
) -> Callable[[Callable[[], tuple[Work, Work]]], Callable[[], tuple[Work, Work]]]:
    def register(make: Callable[[], tuple[Work, Work]]) -> Callable[[], tuple[Work, Work]]:
        FACTORS.append(Factor(page, said, times, make, rounds))
        return make

    return register


# ── what is measured ────────────────────────────────────────────────────────────────────────────────────────────────


def drain(ds: tf.data.Dataset) -> Work:
    """Goes through a dataset; the iterator is made anew each time."""

    def work() -> None:
        for _ in ds:
            pass

    return work


def wait(seconds: float) -> Callable[[tf.Tensor], tf.Tensor]:
    def waiting(x: np.ndarray) -> np.ndarray:
        time.sleep(seconds)
        return x

    return lambda x: tf.numpy_function(waiting, [x], tf.int64, stateful=True)


def jpegs(count: int, size: int) -> list[bytes]:
    images = np.random.default_rng(0).integers(0, 255, (count, size // 8, size // 8, 3), np.uint8)
    return [tf.io.encode_jpeg(np.kron(image, np.ones((8, 8, 1), np.uint8))).numpy() for image in images]


def photos() -> tf.data.Dataset:
    """To decode one is work for one core."""
    return tf.data.Dataset.from_tensor_slices(jpegs(20, 512)).repeat(40)


@factor("TFD101", "1.95 times slower on every version", 1.95)
def prefetch_in_a_graph() -> tuple[Work, Work]:
    def passes(ds: tf.data.Dataset) -> Work:
        @tf.function
        def work() -> None:
            for x in ds:
                wait(0.005)(x)

        return work

    ds = tf.data.Dataset.range(60).map(wait(0.005))
    return passes(ds), passes(ds.prefetch(1))


@factor("TFD102", "| `tf.random.*`, `tf.image.random_*` | 1.84 times |", 1.84)
def a_random_map() -> tuple[Work, Work]:
    def work(x: tf.Tensor) -> tf.Tensor:
        return tf.image.random_flip_left_right(tf.io.decode_jpeg(x))

    ds = photos()
    return drain(ds.map(work)), drain(ds.map(work, num_parallel_calls=AUTOTUNE))


@factor("TFD102", "| waiting for something outside of TensorFlow | 2.0 times |", 2.0)
def a_waiting_map() -> tuple[Work, Work]:
    ds = tf.data.Dataset.range(100)
    return drain(ds.map(wait(0.005))), drain(ds.map(wait(0.005), num_parallel_calls=AUTOTUNE))


@factor("TFD102", "| stateless, from 2.6 on | not at all: *advice* only |", 1.0)
def a_stateless_map() -> tuple[Work, Work]:
    ds = photos()
    return drain(ds.map(tf.io.decode_jpeg)), drain(ds.map(tf.io.decode_jpeg, num_parallel_calls=AUTOTUNE))


def interleaved(cycle_length: int | None) -> tuple[Work, Work]:
    """Sixteen inputs, each of whose elements is waited for, as for those of a remote file."""

    def read(_: tf.Tensor) -> tf.data.Dataset:
        return tf.data.Dataset.range(12).map(wait(0.002))

    inputs = tf.data.Dataset.range(16)
    parallel = inputs.interleave(read, cycle_length=cycle_length, num_parallel_calls=AUTOTUNE)
    return drain(inputs.interleave(read, cycle_length=cycle_length)), drain(parallel)


@factor("TFD103", "1.38 times slower with the default `cycle_length`", 1.38)
def interleave_as_it_is() -> tuple[Work, Work]:
    return interleaved(None)


@factor("TFD103", "2.0 times with one of 8", 2.0)
def interleave_of_eight() -> tuple[Work, Work]:
    return interleaved(8)


@factor("TFD110", "took 0.77 s, and 0.13 s with `use_unbounded_threadpool=True`", 0.77 / 0.13)
def calls_that_wait() -> tuple[Work, Work]:
    ds = tf.data.Dataset.range(64)
    bounded = ds.map(wait(0.02), num_parallel_calls=AUTOTUNE)
    return drain(bounded), drain(ds.map(wait(0.02), num_parallel_calls=AUTOTUNE, use_unbounded_threadpool=True))


ROWS = np.random.default_rng(0).random((20_000, 32), np.float32)
ROW, BATCH = tf.TensorSpec([32], tf.float32), tf.TensorSpec([None, 32], tf.float32)


def generated(step: int) -> tf.data.Dataset:
    def batches() -> Iterable[np.ndarray]:
        return (ROWS[start : start + step] for start in range(0, len(ROWS), step))

    return tf.data.Dataset.from_generator(batches, output_signature=BATCH)


def generated_rows() -> tf.data.Dataset:
    return tf.data.Dataset.from_generator(lambda: iter(ROWS), output_signature=ROW).batch(256)


@factor("TFD201", "yielding batches of 256 is 55 to 90 times faster than yielding rows", (55, 90), rounds=4)
def a_generator_of_batches() -> tuple[Work, Work]:
    return drain(generated_rows()), drain(generated(256))


@factor("TFD201", "`from_tensor_slices` 100 to 200 times", (100, 200), rounds=4)
def slices_for_a_generator() -> tuple[Work, Work]:
    return drain(generated_rows()), drain(tf.data.Dataset.from_tensor_slices(ROWS).batch(256))


def squares(x: np.ndarray) -> np.ndarray:
    return x * x + 1.0


@factor("TFD202", "the native operation is 6 to 9 times faster", (6, 9))
def a_native_operation() -> tuple[Work, Work]:
    ds = tf.data.Dataset.from_tensor_slices(ROWS[:8000, 0])
    python = ds.map(lambda x: tf.numpy_function(squares, [x], tf.float32)).batch(256)
    return drain(python), drain(ds.map(squares).batch(256))


@factor("TFD202", "one `numpy_function` call per batch 67 to 107 times", (67, 107))
def python_on_batches() -> tuple[Work, Work]:
    ds = tf.data.Dataset.from_tensor_slices(ROWS[:8000, 0])
    rows = ds.map(lambda x: tf.numpy_function(squares, [x], tf.float32)).batch(256)
    return drain(rows), drain(ds.batch(256).map(lambda x: tf.numpy_function(squares, [x], tf.float32)))


@factor("TFD202", "`py_function` is 2.5 times slower than `numpy_function`", 2.5)
def an_eager_function() -> tuple[Work, Work]:
    ds = tf.data.Dataset.from_tensor_slices(ROWS[:4000, 0])
    eager = ds.map(lambda x: tf.py_function(squares, [x], tf.float32))
    return drain(eager), drain(ds.map(lambda x: tf.numpy_function(squares, [x], tf.float32)))


def first_and_rest(data: Any, function: Callable[..., Any], size: int) -> tuple[Work, Work]:
    """One element at a time, and batches of them."""
    ds = tf.data.Dataset.from_tensor_slices(data)
    return drain(ds.map(function).batch(size)), drain(ds.batch(size).map(function))


@factor("TFD305", "10 to 26 times faster for a trivial function of numbers", (10, 26))
def numbers_in_batches() -> tuple[Work, Work]:
    return first_and_rest(np.arange(40_000.0), lambda x: x + 1.0, 256)


@factor("TFD305", "3 to 6 times for `cast` and a division on 32×32 images", (3, 6))
def small_images_in_batches() -> tuple[Work, Work]:
    images = np.zeros((4000, 32, 32, 3), np.uint8)
    return first_and_rest(images, lambda x: tf.cast(x, tf.float32) / 255.0, 64)


@factor("TFD305", "15 times for parsing with `parse_example`", 15)
def records_in_batches() -> tuple[Work, Work]:
    numbers = tf.train.Feature(float_list=tf.train.FloatList(value=[1.0] * 8))
    record = tf.train.Example(features=tf.train.Features(feature={"x": numbers, "y": numbers})).SerializeToString()
    features = {name: tf.io.FixedLenFeature([8], tf.float32) for name in "xy"}
    ds = tf.data.Dataset.from_tensor_slices([record] * 8000)
    one = ds.map(lambda r: tf.io.parse_single_example(r, features)).batch(256)
    return drain(one), drain(ds.batch(256).map(lambda r: tf.io.parse_example(r, features)))


@factor("TFD325", "padded to 224 x 224 it took 5 to 8 times as long", (5, 8))
def large_images_behind_the_cache() -> tuple[Work, Work]:
    images = tf.data.Dataset.from_tensor_slices(np.zeros((1000, 32, 32, 3), np.uint8))

    def pad(images: tf.Tensor) -> tf.Tensor:
        return tf.image.resize_with_crop_or_pad(images, 224, 224)

    small = images.cache().batch(32).map(pad, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)
    return drain(small), drain(images.map(pad).cache().batch(32).prefetch(AUTOTUNE))


@factor("TFD312", "1.8 times faster for rows of 4 kB", 1.8)
def wide_rows_anew() -> tuple[Work, Work]:
    ds = tf.data.Dataset.from_tensors(np.zeros((64, 1024), np.float32)).repeat(600)
    return drain(ds.unbatch().batch(96)), drain(ds.rebatch(96))


@factor("TFD318", "10 to 18 times (measured", (10, 18))
def an_image_for_nobody() -> tuple[Work, Work]:
    noise = np.random.default_rng(0).integers(0, 255, (224, 224, 3), np.uint8)
    values = {"image": tf.io.encode_jpeg(noise, quality=95).numpy(), "x": b"x" * 8}
    features = {name: tf.train.Feature(bytes_list=tf.train.BytesList(value=[value])) for name, value in values.items()}
    record = tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()
    records = tf.data.Dataset.from_tensors(record).repeat(400)

    def parsed(*names: str) -> tf.data.Dataset:
        spec = {name: tf.io.FixedLenFeature([], tf.string) for name in names}
        return records.map(lambda record: tf.io.parse_single_example(record, spec))

    def decoded(f: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
        return {**f, "image": tf.io.decode_jpeg(f["image"])}

    unread = parsed("image", "x").map(decoded).map(lambda f: f["x"])
    return drain(unread.batch(32)), drain(parsed("x").map(lambda f: f["x"]).batch(32))


@factor("TFD319", "it took 2.3 to 3.5 times as long", (2.3, 3.5))
def three_filters() -> tuple[Work, Work]:
    ds = tf.data.Dataset.from_tensor_slices(jpegs(40, 512)).repeat(10).enumerate()
    decoded = ds.map(lambda number, image: (number, tf.io.decode_jpeg(image)))
    parts = [decoded.filter(lambda number, image, part=part: number % 3 == part) for part in range(3)]
    return drain(tf.data.Dataset.zip(tuple(parts))), drain(decoded)


@factor("TFD324", "an epoch took 1.8 to 3.7 times as long", (1.8, 3.7), rounds=8)
def made_in_every_epoch() -> tuple[Work, Work]:
    data = np.zeros((12_500, 1000), np.float32)
    made = tf.data.Dataset.from_tensor_slices(data).batch(256)

    def anew() -> None:
        drain(tf.data.Dataset.from_tensor_slices(data).batch(256))()

    return anew, drain(made)


@factor("TFD403", "20 to 50 times slower with `shuffle(5000)`", (20, 50), rounds=4)
def an_iterator_each_time() -> tuple[Work, Work]:
    ds = tf.data.Dataset.range(100_000).shuffle(5000).batch(32)
    iterator = iter(ds.repeat())
    return lambda: [next(iter(ds)) for _ in range(20)], lambda: [next(iterator) for _ in range(20)]


def training(model: tf.keras.Model) -> Callable[[tf.Tensor, tf.Tensor], None]:
    optimizer = tf.keras.optimizers.SGD(0.01)
    optimizer.build(model.trainable_variables)

    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        variables = model.trainable_variables
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables, strict=True))

    return step


def steps_of(model: tf.keras.Model, shape: tuple[int, ...]) -> tuple[Work, Work]:
    x, y = tf.ones(shape), tf.ones(model(tf.ones(shape)).shape)
    step = training(model)
    graph = tf.function(step)

    def several(step: Callable[[tf.Tensor, tf.Tensor], None]) -> Work:
        return lambda: [step(x, y) for _ in range(10)]

    return several(step), several(graph)


@factor("TFD604", "dense layers 18 to 28", (18, 28))
def dense_steps() -> tuple[Work, Work]:
    layers = [tf.keras.layers.Dense(32, activation="relu") for _ in range(4)]
    return steps_of(tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)]), (32, 16))


@factor("TFD604", "small convolutions 10 times", 10)
def small_convolutions() -> tuple[Work, Work]:
    layers = [tf.keras.layers.Conv2D(8, 3, activation="relu"), tf.keras.layers.Conv2D(8, 3, activation="relu")]
    model = tf.keras.Sequential([*layers, tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
    return steps_of(model, (8, 12, 12, 1))


@factor("TFD327", "20 to 600 times as long", (20, 600))
def record_files() -> tuple[Work, Work]:
    folder = Path(mkdtemp())

    def apart() -> None:
        for number in range(2000):
            with tf.io.TFRecordWriter(str(folder / f"{number}.tfrecord")) as writer:
                writer.write(b"x" * 1000)

    def together() -> None:
        with tf.io.TFRecordWriter(str(folder / "all.tfrecord")) as writer:
            for _ in range(2000):
                writer.write(b"x" * 1000)

    return apart, together


@factor("TFD614", "2.0 times for waiting", 2.0)
def one_thread() -> tuple[Work, Work]:
    def wait(x: np.int64) -> np.int64:
        time.sleep(0.005)
        return x

    def work(x: tf.Tensor) -> tf.Tensor:
        return tf.numpy_function(wait, [x], tf.int64)

    ds = tf.data.Dataset.range(100).map(work, num_parallel_calls=AUTOTUNE)
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    return drain(ds.with_options(options)), drain(ds)


@factor("TFD612", "40 times as long in `fit`", 40, rounds=4)
def eager_fit() -> tuple[Work, Work]:
    ds = tf.data.Dataset.from_tensor_slices((tf.ones([640, 32]), tf.ones([640, 1]))).batch(8).prefetch(2)

    def fit(eagerly: bool) -> Work:
        layers = [tf.keras.layers.Dense(64, activation="relu") for _ in range(4)]
        model = tf.keras.Sequential([tf.keras.Input([32]), *layers, tf.keras.layers.Dense(1)])
        model.compile("adam", "mse", run_eagerly=eagerly)
        return lambda: model.fit(ds, verbose=0)

    return fit(True), fit(False)


@factor("TFD610", "20 to 26 times as long as calling a small model", (20, 26), rounds=4)
def predictions() -> tuple[Work, Work]:
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
    x = tf.ones([1, 16])
    model(x)
    return lambda: model.predict(x, verbose=0), lambda: model(x)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def ratios(found: Factor, rounds: int) -> list[float]:
    """How many times as long the slow way takes, round by round; the first round of all warms up."""
    slow, fast = found.make()
    results = []
    for number in range((found.rounds or rounds) + 1):
        # Whoever comes first is no better off.
        ways = (slow, fast) if number % 2 else (fast, slow)
        seconds = {way: _seconds(way, fast) for way in ways}
        if number:
            results.append(seconds[slow] / seconds[fast])
    return results


def _seconds(way: Work, fast: Work) -> float:
    """Of one pass; of what is over at once, the mean of several."""
    passes = 0
    start = time.perf_counter()
    while passes < 1 or (way is fast and time.perf_counter() - start < 0.02):
        way()
        passes += 1
    return (time.perf_counter() - start) / passes


def is_on_its_page(found: Factor) -> bool:
    [page] = (ROOT / "rules").glob(f"{found.page}-*.md")
    return found.said in " ".join(page.read_text("utf-8").split())


def table(wanted: list[Factor], rounds: int, out: TextIO) -> bool:
    """Prints what came out, row by row; are all pages right?"""
    print(row(["page", "says", "figure", "median", "range", ""]), row(["---"] * 6), sep="\n", file=out)
    are_right = True
    for found in wanted:
        if not is_on_its_page(found):
            raise SystemExit(f"{found.page} does not say: {found.said}")
        times = ratios(found, rounds)
        low, high = found.times if isinstance(found.times, tuple) else (found.times, found.times)
        is_close = low * (1 - CLOSE) <= median(times) <= high * (1 + CLOSE)
        are_right = are_right and is_close
        figure = f"{low:.3g}" if low == high else f"{low:.3g}–{high:.3g}"
        cells = (figure, f"{median(times):.3g}", f"{min(times):.3g}–{max(times):.3g}")
        said = found.said.strip("| ").replace("|", "·")
        print(row([found.page, said, *cells, "" if is_close else "**off**"]), file=out, flush=True)
    return are_right


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", help="codes of rules (default: all)")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--output", type=Path, help="where the table is written (default: printed)")
    options = parser.parse_args(arguments)
    wanted = [found for found in FACTORS if not options.pages or found.page in options.pages]
    print(f"TensorFlow {tf.__version__}, {len(os.sched_getaffinity(0))} cores", file=sys.stderr)
    if options.output is None:
        return not table(wanted, options.rounds, sys.stdout)
    with options.output.open("w", encoding="utf-8") as out:
        return not table(wanted, options.rounds, out)


if __name__ == "__main__":
    sys.exit(main())
