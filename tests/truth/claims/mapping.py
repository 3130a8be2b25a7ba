"""What the pages of TFD1xx and TFD2xx say about parallelism, prefetching and the functions given to `map`."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import math
import multiprocessing
import os
import random
import threading
import uuid
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from run import claim, raises
from tensorflow.python.data.experimental.ops.testing import assert_next

AUTOTUNE = tf.data.AUTOTUNE
VERSION = tuple(int(part) for part in tf.__version__.split(".")[:2])
Dataset = tf.data.Dataset
Build = Callable[[Dataset], Dataset]


def double(x: tf.Tensor) -> tf.Tensor:
    return x * 2


def draw(_: tf.Tensor) -> tf.Tensor:
    return tf.random.uniform([])


def runs_as(stages: str, build: Build, consume: Callable[[Dataset], Any] = list, **options: bool) -> None:
    """Raise unless TensorFlow runs what is built as these stages; options are written `autotune__enabled=False`."""
    ds = build(Dataset.range(8).apply(assert_next(stages.split())))
    if options:
        ds = ds.with_options(options_of(**options))
    consume(ds)


def options_of(**options: bool) -> tf.data.Options:
    given = tf.data.Options()
    for path, value in options.items():
        *owners, name = path.split("__")
        setattr(functools.reduce(getattr, owners, given), name, value)
    return given


def numbers(ds: Dataset) -> list[int]:
    return [int(x) for x in ds.as_numpy_iterator()]


def epochs(ds: Dataset, count: int = 3) -> list[tuple[float, ...]]:
    return [tuple(np.ravel(list(ds.as_numpy_iterator())).tolist()) for _ in range(count)]


def message(work: Callable[[], Any]) -> str:
    try:
        work()
    except Exception as error:
        return str(error)
    return ""


class Calls:
    """Python under `map`: counts how often it is called, and how many of its calls are at work at once."""

    def __init__(self, together: int = 1) -> None:
        self.made = self.active = self.peak = 0
        self.together = together
        """A call waits a moment for as many others, which come if they can."""
        self.changed = threading.Condition()

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return tf.py_function(self._work, [x], tf.int64)

    def _work(self, x: tf.Tensor) -> tf.Tensor:
        with self.changed:
            self.made += 1
            self.active += 1
            self.peak = max(self.peak, self.active)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.peak >= self.together, timeout=0.1)
            self.active -= 1
        return x

    def reach(self, count: int, timeout: float = 20) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.made >= count, timeout)

    def stay_at(self, count: int) -> bool:
        return self.reach(count) and not self.reach(count + 1, timeout=0.3)


def two_cores() -> int:
    """Let TensorFlow, which has not started yet, see two cores at most; how many it sees."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    return len(os.sched_getaffinity(0))


def twice(x: tf.Tensor) -> Dataset:
    return Dataset.from_tensors(x).repeat(2)


def inputs_open(**arguments: Any) -> int:
    """How many inputs an `interleave` has open: it takes one element from each before the first one's second."""
    mixed = numbers(Dataset.range(1024).interleave(twice, **arguments))
    return next(i for i, x in enumerate(mixed) if x in mixed[:i])


def text_files() -> list[str]:
    for name in "abc":
        Path(name).write_text("".join(f"{name}{line}\n" for line in range(3)))
    return list("abc")


# TFD101 missing-prefetch


@claim("TFD101", "From 2.11 on TensorFlow appends a prefetch by itself")
def a_prefetch_is_appended() -> None:
    runs_as("Shuffle Batch Prefetch Root", lambda ds: ds.shuffle(8).batch(2))


@claim("TFD101", "a loop over the dataset itself inside a `tf.function`")
def no_prefetch_is_appended_in_a_function() -> None:
    @tf.function
    def total(ds: Dataset) -> tf.Tensor:
        result = tf.constant(0, tf.int64)
        for batch in ds:
            result += tf.reduce_sum(batch)
        return result

    runs_as("Shuffle Batch Scan", lambda ds: ds.shuffle(8).batch(2), total)
    runs_as("Shuffle Batch Prefetch Scan", lambda ds: ds.shuffle(8).batch(2).prefetch(2), total)


@claim(
    "TFD101",
    "`autotune.enabled`, `experimental_optimization.apply_default_optimizations` or "
    "`experimental_optimization.inject_prefetch` is switched off",
)
def each_of_three_options_keeps_the_prefetch_away() -> None:
    runs_as("Shuffle Batch Prefetch Root", lambda ds: ds.shuffle(8).batch(2), experimental_slack=False)
    for option in (
        "autotune__enabled",
        "experimental_optimization__apply_default_optimizations",
        "experimental_optimization__inject_prefetch",
    ):
        runs_as("Shuffle Batch Root", lambda ds: ds.shuffle(8).batch(2), **{option: False})


@claim("TFD101", "a last stage `prefetch(0)`, which suppresses it from 2.18 on")
def prefetch_0_keeps_the_prefetch_away() -> None:
    buffered, unbuffered = Calls(), Calls()
    iterators = [
        iter(Dataset.range(8).map(buffered)),
        iter(Dataset.range(8).map(unbuffered).prefetch(0)),
    ]
    for iterator in iterators:
        next(iterator)
    assert buffered.reach(2)
    assert unbuffered.stay_at(1) == (VERSION >= (2, 18))


@claim("TFD101", "or a `batch` directly after a `map`, which TensorFlow makes one stage")
def map_and_batch_become_one() -> None:
    runs_as("MapAndBatch Root", lambda ds: ds.map(draw).batch(2))
    runs_as("Map Shuffle Batch Prefetch Root", lambda ds: ds.map(draw).shuffle(8).batch(2))


@claim("TFD101", "elements, their order, the cardinality and `element_spec` stay the same")
def a_prefetch_changes_no_elements() -> None:
    # Made twice: of one shuffle, the second that reads it gets another order.
    plain, ahead = (Dataset.range(20).shuffle(20, seed=1).batch(3) for _ in range(2))
    ahead = ahead.prefetch(AUTOTUNE)
    assert numbers(plain.unbatch()) == numbers(ahead.unbatch())
    assert plain.cardinality() == ahead.cardinality()
    assert plain.element_spec == ahead.element_spec


@claim("TFD101", "a function reads or changes a Variable, which the loop may, too")
def reading_ahead_meets_another_variable() -> None:
    def second_after_a_change(build: Build) -> int:
        scale, calls = tf.Variable(1, dtype=tf.int64), Calls()
        ds = build(Dataset.range(100, 102).map(lambda x: calls(x * scale)))
        rows = iter(ds.with_options(options_of(experimental_optimization__inject_prefetch=False)))
        next(rows)
        calls.reach(2, timeout=1)
        scale.assign(2)
        return int(next(rows))

    assert second_after_a_change(lambda ds: ds) == 202
    assert second_after_a_change(lambda ds: ds.prefetch(2)) == 101


@claim("TFD101", "one stage, which draws another order than the two do when it is read again")
def shuffle_and_repeat_become_one() -> None:
    def passes(between: Build) -> list[tuple[float, ...]]:
        return epochs(between(Dataset.range(50).shuffle(50, seed=1)).repeat(2), 2)

    runs_as("ShuffleAndRepeat Prefetch Root", lambda ds: ds.shuffle(8, seed=1).repeat(2))
    runs_as("Shuffle Prefetch", lambda ds: ds.shuffle(8, seed=1).prefetch(2).repeat(2))
    together, apart = passes(lambda ds: ds), passes(lambda ds: ds.prefetch(2))
    assert together == passes(lambda ds: ds)
    assert together[0] == apart[0]
    assert together[1] != apart[1]


# TFD102 sequential-map


@claim("TFD102", "TensorFlow 2.6 and later parallelize a `map` by themselves, but only if its function is stateless")
def only_stateless_maps_become_parallel() -> None:
    runs_as("ParallelMap Root", lambda ds: ds.map(double))
    runs_as("Map Prefetch Root", lambda ds: ds.map(draw))


@claim("TFD102", "the map is not inside the function of another stage")
def nested_maps_stay_sequential() -> None:
    def nested(_: tf.Tensor) -> Dataset:
        return Dataset.range(3).apply(assert_next(["Map"])).map(double)

    runs_as("ParallelMap", lambda ds: ds.map(double))
    assert numbers(Dataset.range(2).flat_map(nested)) == [0, 2, 4] * 2
    assert numbers(Dataset.range(2).interleave(nested)) == [0, 0, 2, 2, 4, 4]


@claim(
    "TFD102",
    "Also stateful, and never parallel without being asked: variables, `tf.print`, Keras random layers, and Keras "
    "layers that hold variables or tables",
)
def stateful_maps_stay_sequential() -> None:
    variable = tf.Variable(1, dtype=tf.int64)
    flip = tf.keras.layers.RandomFlip(seed=1)
    index = tf.keras.layers.IntegerLookup(vocabulary=[5, 7])
    dense = tf.keras.layers.Dense(1)
    dense(tf.zeros([1, 1]))

    def printed(x: tf.Tensor) -> tf.Tensor:
        tf.print(x, output_stream="file://printed")
        return x

    for function in (
        lambda x: x + variable,
        printed,
        lambda x: flip(tf.zeros([2, 2, 1]) + tf.cast(x, tf.float32), training=True),
        lambda x: dense(tf.reshape(tf.cast(x, tf.float32), [1, 1])),
        lambda x: index(x[None]),
    ):
        runs_as("Map Prefetch Root", lambda ds, function=function: ds.map(function))


@claim("TFD102", "a generator that yields one array again and again and writes to it")
def elements_of_a_generator_are_its_memory() -> None:
    memory = np.zeros(1_064, np.float32)
    # TensorFlow copies what does not begin at a multiple of 64 bytes.
    start = -memory.ctypes.data % 64 // 4
    buffer = memory[start : start + 1_000]

    def generate() -> Iterator[Any]:
        for number in range(3):
            buffer[:] = number
            yield buffer

    elements = list(Dataset.from_generator(generate, output_signature=tf.TensorSpec([1_000])))
    assert [float(element[0]) for element in elements] == [2.0, 2.0, 2.0]


@claim("TFD102", "A table lookup is stateful for TensorFlow, but safe in parallel")
def table_lookups_stay_sequential() -> None:
    pairs = tf.lookup.KeyValueTensorInitializer(tf.range(8, dtype=tf.int64), tf.range(8, dtype=tf.int64) ** 2, tf.int64)
    table = tf.lookup.StaticHashTable(pairs, 0)
    runs_as("Map Prefetch Root", lambda ds: ds.map(table.lookup))
    runs_as("ParallelMap Root", lambda ds: ds.map(table.lookup, AUTOTUNE))
    assert numbers(Dataset.range(8).map(table.lookup, AUTOTUNE)) == [x * x for x in range(8)]


@claim("TFD102", "An option makes TensorFlow parallelize stateless maps")
def an_option_parallelises_stateless_maps() -> None:
    alone = {"experimental_optimization__apply_default_optimizations": False}
    option = {"experimental_optimization__map_parallelization": True}
    runs_as("Map Root", lambda ds: ds.map(double), **alone)
    runs_as("ParallelMap Root", lambda ds: ds.map(double), **alone, **option)
    runs_as("Map Root", lambda ds: ds.map(draw), **alone, **option)


@claim("TFD102", "`num_parallel_calls=1` switches the automatic parallelism off, also by position")
def one_call_stays_one() -> None:
    # TensorFlow runs both as a parallel map, so the stages would not tell them apart.
    tf.config.threading.set_inter_op_parallelism_threads(4)

    def calls_at_once(number: int) -> int:
        calls = Calls(together=2)
        list(Dataset.range(6).map(calls, number))
        return calls.peak

    assert calls_at_once(1) == 1
    assert calls_at_once(2) == 2


@claim("TFD102", "With autotuning or the default optimizations switched off there is no such help")
def options_keep_maps_sequential() -> None:
    runs_as("ParallelMap Root", lambda ds: ds.map(double), experimental_slack=False)
    runs_as("Map Root", lambda ds: ds.map(double), autotune__enabled=False)
    runs_as("Map Root", lambda ds: ds.map(double), experimental_optimization__apply_default_optimizations=False)


@claim("TFD102", "`synchronous=True` (from 2.18 on) says so")
def synchronous_maps_exist() -> None:
    exists = "synchronous" in inspect.signature(Dataset.map).parameters
    assert exists == (VERSION >= (2, 18))
    if exists:
        runs_as("Map Prefetch Root", lambda ds: ds.map(double, synchronous=True))


def _first_held_up(seconds: float, **arguments: Any) -> list[int]:
    """A map whose first element waits until another one has come out, at most so long."""
    tf.config.threading.set_inter_op_parallelism_threads(4)
    another_came = threading.Event()

    def work(x: tf.Tensor) -> tf.Tensor:
        if x == 0:
            another_came.wait(seconds)
        return x

    came = []
    for x in Dataset.range(4).map(lambda x: tf.py_function(work, [x], tf.int64), **arguments):
        came.append(int(x))
        if x != 0:
            another_came.set()
    return came


@claim("TFD102", "`deterministic=False`: it has no effect on a sequential map, and reorders a parallel one")
def only_parallel_maps_are_reordered() -> None:
    assert _first_held_up(20, num_parallel_calls=2, deterministic=False)[0] != 0
    assert _first_held_up(0.3, deterministic=False) == [0, 1, 2, 3]


@claim("TFD102", "elements and their order stay the same")
def parallel_maps_keep_the_order() -> None:
    assert _first_held_up(0.3, num_parallel_calls=2) == _first_held_up(0.3) == [0, 1, 2, 3]


@claim("TFD102", "shared state gets lost (measured: 100 increments left 50)")
def parallel_calls_overwrite_each_other() -> None:
    tf.config.threading.set_inter_op_parallelism_threads(4)
    count = 0
    both_have_read = threading.Barrier(2)

    def increment(x: tf.Tensor) -> tf.Tensor:
        nonlocal count
        read = count
        both_have_read.wait(20)
        count = read + 1
        both_have_read.wait(20)
        return x

    list(Dataset.range(100).map(lambda x: tf.py_function(increment, [x], tf.int64), num_parallel_calls=2))
    assert count == 50


# TFD103 sequential-interleave


@claim("TFD103", "unlike `map` TensorFlow never parallelizes it by itself")
def interleaves_stay_sequential() -> None:
    runs_as("Interleave Prefetch Root", lambda ds: ds.interleave(twice, cycle_length=4))
    runs_as("ParallelInterleave Root", lambda ds: ds.interleave(twice, cycle_length=4, num_parallel_calls=AUTOTUNE))
    runs_as("ParallelMap Root", lambda ds: ds.map(double))


@claim("TFD103", "takes an element from one input, then from the next, but never works on two at once")
def interleaves_work_on_one_input() -> None:
    tf.config.threading.set_inter_op_parallelism_threads(4)

    def inputs_at_once(**arguments: Any) -> int:
        calls = Calls(together=2)
        ds = Dataset.range(4).interleave(lambda x: Dataset.from_tensors(x).map(calls), cycle_length=2, **arguments)
        list(ds)
        return calls.peak

    assert inputs_at_once() == 1
    assert inputs_at_once(num_parallel_calls=2) == 2


@claim("TFD103", "measured in 24 combinations of `cycle_length`, `block_length` and `num_parallel_calls`")
def parallel_interleaves_keep_the_order() -> None:
    for cycle, block, number in product((1, 2, 5), (1, 3), (1, 2, 5, AUTOTUNE)):
        arguments = {"cycle_length": cycle, "block_length": block}
        sequential = Dataset.range(7).interleave(Dataset.range, **arguments)
        if number <= cycle:
            parallel = Dataset.range(7).interleave(Dataset.range, **arguments, num_parallel_calls=number)
            assert numbers(parallel) == numbers(sequential)


@claim(
    "TFD103", "the sequential default is the number of cores, the parallel one a third of that, on a small machine 1"
)
def default_cycle_lengths() -> None:
    cores = len(os.sched_getaffinity(0))
    assert inputs_open() == cores
    assert inputs_open(num_parallel_calls=AUTOTUNE) == math.ceil(cores / 3)


@claim("TFD103", "`cardinality()` is unknown in sequence and infinite in parallel")
def cardinality_of_endless_interleaves() -> None:
    endless = Dataset.range(3).repeat()
    sequential = endless.interleave(twice, cycle_length=2)
    parallel = endless.interleave(twice, cycle_length=2, num_parallel_calls=AUTOTUNE)
    assert sequential.cardinality() == tf.data.UNKNOWN_CARDINALITY
    assert parallel.cardinality() == tf.data.INFINITE_CARDINALITY


# TFD104 flat-map-over-files


@claim("TFD104", "reads one file to its end, then opens the next, and does both only when an element is requested")
def flat_map_opens_one_after_the_other() -> None:
    opened = Calls()
    files = Dataset.range(3).flat_map(lambda x: twice(opened(x)))
    files = files.with_options(options_of(experimental_optimization__inject_prefetch=False))
    assert [(int(x), opened.made) for x in files] == [(0, 1), (0, 1), (1, 2), (1, 2), (2, 3), (2, 3)]

    ahead = Calls()
    iterator = iter(Dataset.range(3).interleave(lambda x: twice(ahead(x)), cycle_length=2, num_parallel_calls=2))
    next(iterator)
    assert ahead.reach(2)


@claim(
    "TFD104", "With `cycle_length=1` the elements keep their order; with a larger one as many files are read at once"
)
def interleave_of_one_is_flat_map() -> None:
    def mixed(cycle: int) -> list[int]:
        return numbers(Dataset.range(5).interleave(twice, cycle_length=cycle, num_parallel_calls=AUTOTUNE))

    flat = numbers(Dataset.range(5).flat_map(twice))
    assert mixed(1) == flat == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert mixed(2) == [0, 1, 0, 1, 2, 3, 2, 3, 4, 4]


@claim("TFD104", "the list of files may be endless, which changes `cardinality()`")
def cardinality_of_endless_flat_maps() -> None:
    endless = Dataset.range(3).repeat()
    parallel = endless.interleave(twice, cycle_length=1, num_parallel_calls=AUTOTUNE)
    assert endless.flat_map(twice).cardinality() != parallel.cardinality()


# TFD105 sequential-file-reads


@claim("TFD105", "makes the reader a parallel `interleave` with a `cycle_length` of n")
def parallel_reads_interleave() -> None:
    files = text_files()
    for n in (1, 2, 3):
        opened = Dataset.from_tensor_slices(files)
        mixed = opened.interleave(tf.data.TextLineDataset, cycle_length=n, num_parallel_calls=n)
        read = tf.data.TextLineDataset(files, num_parallel_reads=n)
        assert list(read.as_numpy_iterator()) == list(mixed.as_numpy_iterator())


@claim("TFD105", "the records of several files are mixed, so their order changes")
def parallel_reads_mix() -> None:
    files = text_files()
    sequential = list(tf.data.TextLineDataset(files).as_numpy_iterator())
    parallel = list(tf.data.TextLineDataset(files, num_parallel_reads=2).as_numpy_iterator())
    assert sequential == sorted(sequential)
    assert parallel[:4] == [b"a0", b"b0", b"a1", b"b1"]
    assert sorted(parallel) == sequential


# TFD106 hard-coded-parallelism


@claim("TFD106", "works on no more than two elements at a time, but keeps 64 results in memory")
def sixty_four_calls_keep_as_many_results() -> None:
    cores = two_cores()
    many, tuned = Calls(), Calls()
    iterators = [iter(Dataset.range(200).map(calls, n)) for calls, n in ((many, 64), (tuned, AUTOTUNE))]
    for iterator in iterators:
        next(iterator)
    # The element that was read, and those that wait.
    assert many.stay_at(1 + 64)
    assert not tuned.reach(1 + 8, timeout=0.3)

    together = Calls(together=3)
    list(Dataset.range(6).map(together, 64))
    assert together.peak <= cores


@claim("TFD106", "depend on the machine, down to one file at a time on two cores")
def autotuned_reads_take_one_file_on_two_cores() -> None:
    two_cores()
    files = text_files()
    tuned = tf.data.TextLineDataset(files, num_parallel_reads=AUTOTUNE)
    chosen = tf.data.TextLineDataset(files, num_parallel_reads=2)
    assert list(tuned.as_numpy_iterator()) == list(tf.data.TextLineDataset(files).as_numpy_iterator())
    assert list(tuned.as_numpy_iterator()) != list(chosen.as_numpy_iterator())


@claim("TFD106", "the elements and their order do not depend on how many are in work")
def the_number_of_calls_changes_nothing() -> None:
    for build in (
        lambda n: Dataset.range(20).map(double, n),
        lambda n: Dataset.range(20).batch(5, num_parallel_calls=n).unbatch(),
        lambda n: Dataset.range(20).interleave(twice, cycle_length=4, num_parallel_calls=n),
    ):
        assert numbers(build(2)) == numbers(build(4)) == numbers(build(AUTOTUNE))


# TFD107 oversized-prefetch


@claim("TFD107", "keeps 16,384 examples ready")
def a_prefetch_of_the_batch_size() -> None:
    batches = Calls()
    iterator = iter(Dataset.range(40_000).batch(128).map(lambda batch: batches(batch)).prefetch(128))
    next(iterator)
    assert batches.stay_at(1 + 16_384 // 128)


@claim("TFD107", "elements, order, cardinality and `element_spec` do not depend on the buffer")
def the_buffer_changes_nothing() -> None:
    batches = Dataset.range(20).batch(4)
    large, small = batches.prefetch(100), batches.prefetch(AUTOTUNE)
    assert epochs(large, 1) == epochs(small, 1)
    assert large.cardinality() == small.cardinality()
    assert large.element_spec == small.element_spec


# TFD108 parallel-trivial-map


@claim("TFD108", "elements and order stay the same, but whether it is faster depends on the machine")
def picking_in_parallel_changes_nothing() -> None:
    pairs = Dataset.zip((Dataset.range(100), Dataset.range(100)))
    assert numbers(pairs.map(lambda x, _: x)) == numbers(pairs.map(lambda x, _: x, AUTOTUNE))


# TFD109 parallelism-exceeds-cycle


@claim("TFD109", "cannot work on more inputs than that")
def more_calls_than_inputs_are_refused() -> None:
    def make(calls: int) -> Dataset:
        return Dataset.range(8).interleave(twice, cycle_length=2, num_parallel_calls=calls)

    assert raises(lambda: list(make(4))) == "InvalidArgumentError"
    assert raises(lambda: list(make(2))) == ""


@claim("TFD109", "With both numbers given it fails as soon as the dataset is made")
def the_refusal_comes_before_iterating() -> None:
    make = functools.partial(Dataset.range(8).interleave, twice, num_parallel_calls=4)
    assert raises(lambda: make(cycle_length=2)) == "InvalidArgumentError"
    assert raises(make) == ""


@claim("TFD109", 'fails with "num_parallel_calls is 4 and cycle_length is 2"')
def few_cores_refuse_the_default() -> None:
    cores = two_cores()
    said = message(lambda: list(Dataset.range(8).interleave(twice, num_parallel_calls=4)))
    assert f"num_parallel_calls is 4 and cycle_length is {cores}" in said.replace("`", "")


@claim("TFD109", "Without a `cycle_length` it takes N or the number of cores, whichever is less")
def the_cycle_length_of_a_number_of_calls() -> None:
    cores = len(os.sched_getaffinity(0))
    for calls in {1, cores}:
        assert inputs_open(num_parallel_calls=calls) == calls
    assert raises(lambda: inputs_open(num_parallel_calls=cores + 1)) == "InvalidArgumentError"


# TFD110 blocking-map-capped


@claim("TFD110", "AUTOTUNE runs no more calls at once than there are cores")
def autotune_is_capped() -> None:
    cores = two_cores()
    calls = Calls(together=cores + 1)
    list(Dataset.range(8).map(calls, AUTOTUNE))
    assert calls.peak == cores


@claim("TFD110", "`use_unbounded_threadpool=True` (TensorFlow 2.18 and later)")
def the_unbounded_pool_is_not_capped() -> None:
    exists = "use_unbounded_threadpool" in inspect.signature(Dataset.map).parameters
    assert exists == (VERSION >= (2, 18))
    if exists:
        cores = two_cores()
        calls = Calls(together=cores + 1)
        list(Dataset.range(8).map(calls, AUTOTUNE, use_unbounded_threadpool=True))
        assert calls.peak > cores


# TFD201 from-generator


def _restored(graph: bytes) -> str:
    spec = tf.TensorSpec([], tf.int64)
    return raises(lambda: list(tf.data.experimental.from_variant(tf.raw_ops.DatasetFromGraph(graph_def=graph), spec)))


def elsewhere(*builds: Callable[[], Dataset]) -> list[str]:
    """What datasets that are built here raise where another process reads them."""
    # It starts before TensorFlow does, which does not survive a fork.
    with multiprocessing.get_context("fork").Pool(1) as other:
        return [other.apply(_restored, (build()._as_serialized_graph().numpy(),)) for build in builds]


@claim("TFD201", "the dataset cannot be serialized for `tf.data` service or several workers")
def generators_stay_in_their_process() -> None:
    def generated() -> Dataset:
        return Dataset.from_generator(lambda: iter([1, 2]), output_signature=tf.TensorSpec([], tf.int64))

    native, generator = elsewhere(lambda: Dataset.from_tensor_slices([1, 2]).map(double_64), generated)
    assert native == ""
    assert generator


def double_64(x: tf.Tensor) -> tf.Tensor:
    return tf.cast(x * 2, tf.int64)


@claim("TFD201", "For each element, TensorFlow calls Python, checks the values against the signature")
def generated_values_are_checked() -> None:
    asked = 0

    def rows() -> Iterator[list[int]]:
        nonlocal asked
        for length in (2, 2, 3):
            asked += 1
            yield [0] * length

    ds = Dataset.from_generator(rows, output_signature=tf.TensorSpec([2], tf.int32))
    assert len(list(ds.take(2))) == 2
    asked = 0
    assert raises(lambda: list(ds)) == "InvalidArgumentError"
    assert asked == 3


@claim("TFD201", "With a cache behind it the generator runs in the first epoch only")
def a_cached_generator_runs_once() -> None:
    runs = 0

    def rows() -> Iterator[int]:
        nonlocal runs
        runs += 1
        yield from range(3)

    ds = Dataset.from_generator(rows, output_signature=tf.TensorSpec([], tf.int64))
    epochs(ds)
    assert runs == 3
    runs = 0
    assert epochs(ds.cache()) == [(0, 1, 2)] * 3
    assert runs == 1


@claim("TFD201", "but not behind a shuffle, whose buffer is filled all the same")
def take_behind_a_shuffle_fills_the_buffer() -> None:
    def made_for_one(build: Build) -> int:
        made = 0

        def rows() -> Iterator[int]:
            nonlocal made
            for x in range(100):
                made += 1
                yield x

        list(build(Dataset.from_generator(rows, output_signature=tf.TensorSpec([], tf.int64))))
        return made

    assert made_for_one(lambda ds: ds.take(1)) <= 2
    assert made_for_one(lambda ds: ds.shuffle(100).take(1)) == 100


@claim("TFD201", "Rows that differ in length go into a ragged tensor")
def ragged_tensors_are_sliced() -> None:
    rows = [[1], [2, 3], []]
    assert [row.numpy().tolist() for row in Dataset.from_tensor_slices(tf.ragged.constant(rows))] == rows
    assert raises(lambda: Dataset.from_tensor_slices(rows)) == "ValueError"


# TFD202 py-function


@claim("TFD202", "The dataset cannot be serialized for several workers or `tf.data` service")
def wrapped_python_stays_in_its_process() -> None:
    def mapped(wrap: Callable[..., tf.Tensor]) -> Callable[[], Dataset]:
        return lambda: Dataset.range(2).map(lambda x: wrap(lambda y: y, [x], tf.int64))

    native, *wrapped = elsewhere(
        lambda: Dataset.range(2).map(double), mapped(tf.py_function), mapped(tf.numpy_function)
    )
    assert native == ""
    assert all(wrapped)


@claim("TFD202", "where the result has lost its shape and goes, as it is, into `fit` or `evaluate` of Keras 3")
def keras_needs_the_shape() -> None:
    def model() -> tf.keras.Model:
        made = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        made.compile(loss="mse")
        return made

    def rows(shape: bool) -> Dataset:
        def load(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            row = tf.numpy_function(lambda _: np.zeros(3, "float32"), [x], tf.float32)
            if shape:
                row.set_shape([3])
            return row, tf.zeros([1])

        return Dataset.range(4).map(load).batch(2)

    assert raises(lambda: model().fit(rows(shape=False), verbose=0)) == "ValueError"
    model().fit(rows(shape=True), verbose=0)
    assert raises(lambda: model().evaluate(rows(shape=False), verbose=0)) == "ValueError"
    model().evaluate(rows(shape=True), verbose=0)


@claim("TFD202", "`padded_batch` without `padded_shapes`: those raise a ValueError")
def padded_batch_needs_the_rank() -> None:
    lost = Dataset.range(4).map(lambda x: tf.py_function(lambda n: tf.zeros([n]), [x], tf.float32))
    assert lost.element_spec.shape.rank is None
    assert raises(lambda: lost.padded_batch(2)) == "ValueError"
    assert len(list(lost.padded_batch(2, padded_shapes=[None]))) == 2
    assert len(list(lost.map(lambda x: tf.ensure_shape(x, [None])).padded_batch(2))) == 2


# TFD203 python-random-in-map


@claim("TFD203", "Measured: 1 distinct value over all elements and epochs")
def python_draws_once() -> None:
    for python in (random.random, np.random.rand, lambda: float(uuid.uuid4().int % 1000)):
        ds = Dataset.range(20).map(lambda x, python=python: tf.cast(x, tf.float64) * 0 + python())
        assert len({x for epoch in epochs(ds) for x in epoch}) == 1
    assert len({x for epoch in epochs(Dataset.range(20).map(draw)) for x in epoch}) > 50


@claim("TFD203", "`if random.random() < 0.5` is decided once for the whole dataset")
def python_decides_once() -> None:
    def mapped(x: tf.Tensor) -> tf.Tensor:
        return x * 0 + 1 if random.random() < 0.5 else x * 0

    decisions = [set(numbers(Dataset.range(10).map(mapped))) for _ in range(32)]
    assert all(len(decision) == 1 for decision in decisions)
    assert set().union(*decisions) == {0, 1}


@claim("TFD203", "Under `numpy_function` and `py_function` Python runs for every element")
def wrapped_python_draws_for_every_element() -> None:
    for wrap in (tf.numpy_function, tf.py_function):
        ds = Dataset.range(20).map(lambda x, wrap=wrap: wrap(lambda _: random.random(), [x], tf.float64))
        assert len({x for epoch in epochs(ds) for x in epoch}) == 60


@claim("TFD203", "Seeds of Python and NumPy have no effect on it")
def seeds_of_python_do_not_reach_tensorflow() -> None:
    def drawn(seed: Callable[[], None]) -> tuple[float, ...]:
        seed()
        return epochs(Dataset.range(20).map(draw), 1)[0]

    def of_python() -> None:
        random.seed(1)
        np.random.seed(1)

    assert drawn(of_python) != drawn(of_python)
    assert drawn(lambda: tf.random.set_seed(1)) == drawn(lambda: tf.random.set_seed(1))


# TFD204 python-side-effect-in-map


@claim("TFD204", "Measured: 1 execution over all elements and 3 epochs")
def python_runs_once() -> None:
    count = 0

    def counting(x: tf.Tensor) -> tf.Tensor:
        nonlocal count
        count += 1
        return x

    ds = Dataset.range(20).map(counting)
    epochs(ds)
    assert count == 1
    epochs(Dataset.range(20).map(lambda x: tf.numpy_function(counting, [x], tf.int64)))
    assert count == 1 + 60


@claim("TFD204", "A list gets one symbolic tensor instead of the values")
def lists_get_a_symbol() -> None:
    collected: list[Any] = []

    def collecting(x: tf.Tensor) -> tf.Tensor:
        collected.append(x)
        return x

    list(Dataset.range(20).map(collecting))
    assert len(collected) == 1
    assert not hasattr(collected[0], "numpy")


@claim("TFD204", 'a log shows `Tensor("args_0:0")`')
def prints_show_a_symbol() -> None:
    def printing(x: tf.Tensor) -> tf.Tensor:
        print(x)
        return x

    with contextlib.redirect_stdout(io.StringIO()) as shown:
        list(Dataset.range(20).map(printing))
    assert shown.getvalue().startswith('Tensor("args_0:0"')
    assert shown.getvalue().count("Tensor") == 1


@claim("TFD204", "`tf.print` prints for every element, in its own format and to standard error")
def tf_print_prints_every_element() -> None:
    def printing(x: tf.Tensor) -> tf.Tensor:
        tf.print("seen", x)
        return x

    before = os.dup(2)
    with open("errors", "w") as errors:
        os.dup2(errors.fileno(), 2)
        list(Dataset.range(4).map(printing))
        os.dup2(before, 2)
    assert Path("errors").read_text().count("seen") == 4


@claim("TFD204", "It gives an operation where `print` gives None")
def tf_print_gives_an_operation() -> None:
    given: list[Any] = []
    list(Dataset.range(2).map(lambda x: (given.append(tf.print(x)), x)[1]))
    assert isinstance(given[0], tf.Operation)


@claim("TFD204", "The element itself is a new dict for each call, and may be changed")
def elements_are_new_dicts() -> None:
    def without_b(row: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
        row.pop("b")
        return row

    rows = Dataset.from_tensor_slices({"a": [1, 2], "b": [3, 4]})
    assert set(rows.map(without_b).element_spec) == {"a"}
    assert set(rows.element_spec) == {"a", "b"}
    assert [set(row) for row in rows.map(without_b).map(dict)] == [{"a"}] * 2
    assert [set(row) for row in rows] == [{"a", "b"}] * 2


# TFD205 eager-only-code-in-map


@claim("TFD205", "`.numpy()` raises an AttributeError, functions of NumPy a NotImplementedError")
def values_are_not_there_yet() -> None:
    rows = Dataset.from_tensor_slices([1.0, 2.0])
    for function, error in ((lambda x: x.numpy(), "AttributeError"), (np.sin, "NotImplementedError")):
        assert raises(lambda function=function: rows.map(function)) == error
        assert raises(lambda function=function: function(tf.constant(1.0))) == ""
    said = message(lambda: rows.map(np.sin))
    assert "Cannot convert a symbolic tf.Tensor" in said
    assert "to a numpy array" in said


@claim("TFD205", "`os.path.join` and `open` a TypeError")
def names_are_not_there_yet() -> None:
    def read(name: tf.Tensor) -> str:
        with open(name) as file:
            return file.read()

    names = Dataset.from_tensor_slices(["a", "b"])
    assert raises(lambda: names.map(lambda name: os.path.join("folder", name))) == "TypeError"
    assert raises(lambda: names.map(read)) == "TypeError"


@claim("TFD205", "`tf.config.run_functions_eagerly` and the debug mode of tf.data do not help")
def functions_are_traced_all_the_same() -> None:
    tf.config.run_functions_eagerly(True)
    assert raises(lambda: Dataset.range(2).map(lambda x: x.numpy())) == "AttributeError"
    tf.data.experimental.enable_debug_mode()
    assert raises(lambda: Dataset.range(2).map(lambda x: x.numpy())) == "AttributeError"


@claim("TFD205", "arithmetic with the size of a decoded image, `image.shape[0]`, which is None then")
def sizes_of_decoded_images_are_unknown() -> None:
    png = tf.io.encode_png(tf.zeros([4, 6, 3], tf.uint8))
    seen: list[Any] = []

    def halve(data: tf.Tensor) -> tf.Tensor:
        image = tf.io.decode_png(data, channels=3)
        seen.append(image.shape[0])
        return image[: image.shape[0] // 2]

    assert raises(lambda: Dataset.from_tensors(png).map(halve)) == "TypeError"
    assert seen == [None]
    assert halve(png).shape == [2, 6, 3]


# TFD206 constant-stateless-seed


@claim("TFD206", "Measured: 1 distinct value over 200 elements, 0 of 200 images flipped")
def a_constant_seed_draws_once() -> None:
    def drawn(seed: Callable[[tf.Tensor], Any]) -> set[float]:
        return set(epochs(Dataset.range(200).map(lambda i: tf.random.stateless_uniform([], seed(i))), 1)[0])

    def flipped(seed: Callable[[tf.Tensor], Any]) -> int:
        image = tf.reshape(tf.range(4), [1, 4, 1])
        images = Dataset.range(200).map(lambda i: tf.image.stateless_random_flip_left_right(image, seed(i)))
        return sum(int(image[0, 0, 0]) == 3 for image in images)

    assert len(drawn(lambda i: (1, 2))) == 1
    assert len(drawn(lambda i: (1, i))) > 190
    assert flipped(lambda i: (1, 2)) == 0
    assert 50 < flipped(lambda i: (1, i)) < 150


@claim("TFD206", "every element of every epoch is flipped, or none is; all are cropped at one place")
def a_constant_seed_crops_at_one_place() -> None:
    def corners(seed: Callable[[tf.Tensor], Any]) -> set[int]:
        image = tf.reshape(tf.range(64), [8, 8, 1])
        crops = Dataset.range(50).map(lambda i: tf.image.stateless_random_crop(image, [2, 2, 1], seed(i)))
        return {int(crop[0, 0, 0]) for _ in range(2) for crop in crops}

    assert len(corners(lambda i: (1, 2))) == 1
    assert len(corners(lambda i: (1, i))) > 10


@claim("TFD206", "Operations with a state draw anew for each element, whatever their seed")
def stateful_draws_differ() -> None:
    seeded = Dataset.range(200).map(lambda _: tf.random.uniform([], seed=1))
    assert len(set(epochs(seeded, 1)[0])) > 190


# TFD207 replayed-augmentation


@claim(
    "TFD207", "A seeded operation starts from its seed again in every new iterator: its draws come again by position"
)
def seeded_draws_are_replayed() -> None:
    def distinct_epochs(function: Callable[[tf.Tensor], tf.Tensor]) -> int:
        return len(set(epochs(Dataset.range(8).map(function))))

    assert distinct_epochs(lambda _: tf.random.uniform([], seed=3)) == 1
    assert distinct_epochs(draw) == 3
    tf.random.set_seed(1)
    assert distinct_epochs(draw) == 1
    # Within one iterator they go on.
    (passes,) = epochs(Dataset.range(8).map(draw).repeat(2), 1)
    assert passes[:8] != passes[8:]


@claim("TFD207", "Measured with `fit` over 3 epochs: the model gets the identical augmented inputs three times")
def fit_gets_the_same_inputs() -> None:
    def inputs() -> list[float]:
        seen: list[float] = []

        def see(x: np.ndarray) -> np.ndarray:
            seen.append(float(x))
            return x

        rows = Dataset.range(4).map(lambda _: tf.numpy_function(see, [tf.random.uniform([])], tf.float32))
        rows = rows.map(lambda x: (tf.ensure_shape(x, [])[None], tf.zeros([1]))).batch(2)
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile(loss="mse")
        model.fit(rows, epochs=3, verbose=0)
        return seen

    # In some versions Keras looks at a batch before it trains.
    assert len(set(inputs())) > 8
    tf.random.set_seed(1)
    seen = inputs()
    assert len(seen) >= 12
    assert len(set(seen)) == 4


@claim("TFD207", "Without any seed, or after a `shuffle` that reshuffles, the inputs differ")
def reshuffled_inputs_differ() -> None:
    def noisy(x: tf.Tensor) -> tf.Tensor:
        return tf.cast(x, tf.float32) + tf.random.uniform([])

    assert len({frozenset(epoch) for epoch in epochs(Dataset.range(50).map(noisy))}) == 3
    tf.random.set_seed(1)
    assert len({frozenset(epoch) for epoch in epochs(Dataset.range(50).map(noisy))}) == 1
    assert len({frozenset(epoch) for epoch in epochs(Dataset.range(50).shuffle(50).map(noisy))}) == 3


@claim("TFD207", "Neither a shuffle behind the map nor one that keeps its order changes that")
def other_shuffles_do_not_help() -> None:
    def noisy(x: tf.Tensor) -> tf.Tensor:
        return tf.cast(x, tf.float32) + tf.random.uniform([], seed=3)

    for ds in (
        Dataset.range(50).map(noisy).shuffle(50),
        Dataset.range(50).shuffle(50, reshuffle_each_iteration=False).map(noisy),
    ):
        assert len({frozenset(epoch) for epoch in epochs(ds)}) == 1


@claim("TFD207", "its state goes on from epoch to epoch")
def generators_go_on() -> None:
    tf.random.set_seed(1)
    generator = tf.random.Generator.from_seed(42)
    assert len(set(epochs(Dataset.range(8).map(lambda _: generator.uniform([]))))) == 3


@claim("TFD207", "Keras random layers keep a state of their own")
def keras_layers_go_on() -> None:
    tf.random.set_seed(0)
    flip = tf.keras.layers.RandomFlip("horizontal", seed=1)
    images = Dataset.from_tensors(tf.reshape(tf.range(4.0), [1, 4, 1])).repeat(64)
    assert len(set(epochs(images.map(lambda image: flip(image, training=True))))) == 3


# TFD208 late-bound-lambda


def _names(datasets: list[Dataset]) -> list[bytes]:
    return [next(ds.as_numpy_iterator()) for ds in datasets]


def _rows(name: Any) -> Iterator[Any]:
    yield name


@claim("TFD208", "of three datasets for three files, all three give the third")
def generators_find_the_last_value() -> None:
    spec = tf.TensorSpec([], tf.string)
    datasets = [Dataset.from_generator(lambda: _rows(name), output_signature=spec) for name in "abc"]  # noqa: B023
    assert _names(datasets) == [b"c", b"c", b"c"]


@claim("TFD208", "`map`, `filter` and the like are not affected: they trace their function at once")
def traced_functions_keep_their_value() -> None:
    mapped, filtered, wrapped = [], [], []
    for n in (1, 2):
        mapped.append(Dataset.range(3).map(lambda x: x * n))  # noqa: B023
        filtered.append(Dataset.range(3).filter(lambda x: x == n))  # noqa: B023
        python = lambda x: x * n  # noqa: B023, E731
        wrapped.append(Dataset.range(3).map(lambda x, python=python: tf.numpy_function(python, [x], tf.int64)))
    assert [numbers(ds) for ds in mapped] == [[0, 1, 2], [0, 2, 4]]
    assert [numbers(ds) for ds in filtered] == [[1], [2]]
    assert [numbers(ds) for ds in wrapped] == [[0, 2, 4], [0, 2, 4]]


@claim("TFD208", "A default, a partial, or `args`")
def three_ways_keep_the_value() -> None:
    make = functools.partial(Dataset.from_generator, output_signature=tf.TensorSpec([], tf.string))
    assert _names([make(lambda name=name: _rows(name)) for name in "abc"]) == [b"a", b"b", b"c"]
    assert _names([make(functools.partial(_rows, name)) for name in "abc"]) == [b"a", b"b", b"c"]
    assert _names([make(_rows, args=(name,)) for name in "abc"]) == [b"a", b"b", b"c"]
