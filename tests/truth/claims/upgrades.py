"""What the pages of TFD5xx to TFD8xx say about profiles, training loops, old names and several processes."""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf
from run import claim, raises

Dataset = tf.data.Dataset
old = tf.data.experimental
profiler = tf.profiler.experimental


# Profiles


class Event(NamedTuple):
    name: str
    start: int
    end: int
    stats: frozenset[str]


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protocol buffer: profiles are read without the classes, whose module has moved."""
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
            continue
        size = number() if key & 7 == 2 else {1: 8, 5: 4}[key & 7]
        yield key >> 3, message[at : at + size]
        at += size


def events(folder: str) -> list[Event]:
    """What the threads of the host did, by the profile in a folder."""
    found: list[Event] = []
    [path] = Path(folder).rglob("*.xplane.pb")
    for plane in (list(fields(plane)) for number, plane in fields(path.read_bytes()) if number == 1):
        names: dict[int, dict[int, str]] = {4: {}, 5: {}}
        for number, value in plane:
            if number in names:
                entry = dict(fields(dict(fields(value))[2]))
                names[number][entry[1]] = entry.get(2, b"").decode()
        for line in (list(fields(value)) for number, value in plane if number == 3):
            begin = 1000 * next((value for number, value in line if number == 3), 0)
            for event in (list(fields(value)) for number, value in line if number == 4):
                known = dict(event)
                start = begin + known.get(2, 0)
                stats = frozenset(names[5][dict(fields(value))[1]] for number, value in event if number == 4)
                found.append(Event(names[4][known[1]], start, start + known.get(3, 0), stats))
    return found


def files(folder: str) -> list[Path]:
    return [path for path in Path(folder).rglob("*") if path.is_file()]


@claim("TFD501", "The profiler then shows steps without the wait for their input")
def a_step_shows_only_what_is_inside_of_its_trace() -> None:
    ds = Dataset.range(8).batch(2)

    def fetched_in_steps(folder: str) -> list[int]:
        found = events(folder)
        steps = [event for event in found if event.name == "train"]
        fetches = [event for event in found if event.name.startswith("IteratorGetNext")]
        assert len(steps) == 4
        assert len(fetches) >= 4
        return [sum(step.start <= fetch.start and fetch.end <= step.end for fetch in fetches) for step in steps]

    with profiler.Profile("outside"):
        for step, x in enumerate(ds):
            with profiler.Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
    with profiler.Profile("inside"):
        iterator = iter(ds)
        for step in range(4):
            with profiler.Trace("train", step_num=step, _r=1):
                tf.reduce_sum(next(iterator))
    assert fetched_in_steps("outside") == [0, 0, 0, 0]
    assert fetched_in_steps("inside") == [1, 1, 1, 1]


@claim("TFD501", "the profile also shows a step for the call that finds no more data")
def the_call_that_finds_the_end_is_a_step() -> None:
    iterator = iter(Dataset.range(3))
    with profiler.Profile("logs"), suppress(StopIteration):
        for step in range(10):
            with profiler.Trace("train", step_num=step, _r=1):
                next(iterator)
    assert sum(event.name == "train" for event in events("logs")) == 4


@claim("TFD502", "the event then carries no `_r`, no `step_num`")
def what_is_not_given_to_trace_is_not_in_the_profile() -> None:
    with profiler.Profile("logs"):
        with profiler.Trace("bare"):
            tf.zeros([])
        with profiler.Trace("numbered", step_num=1):
            tf.zeros([])
        with profiler.Trace("both", step_num=1, _r=1):
            tf.zeros([])
    stats = {event.name: event.stats & {"_r", "step_num"} for event in events("logs")}
    assert [stats[name] for name in ("bare", "numbered", "both")] == [set(), {"step_num"}, {"step_num", "_r"}]


@claim("TFD503", "A profile grows with its steps")
def a_profile_of_more_steps_is_larger() -> None:
    def size(steps: int) -> int:
        with profiler.Profile(str(steps)):
            for step in range(steps):
                with profiler.Trace("train", step_num=step, _r=1):
                    tf.reduce_sum(tf.zeros([4]))
        return sum(path.stat().st_size for path in files(str(steps)))

    size(1)
    assert size(500) > 4 * size(50)


@claim("TFD503", "It is kept in memory until it ends")
def nothing_is_written_before_the_end() -> None:
    profiler.start("logs")
    for _ in range(100):
        tf.zeros([])
    assert not files("logs")
    profiler.stop()
    assert files("logs")


@claim("TFD504", "In the first step functions are traced")
def the_first_step_traces() -> None:
    traces: list[int] = []

    @tf.function
    def step(x: tf.Tensor) -> tf.Tensor:
        traces.append(1)
        return x + 1

    traced = []
    for x in Dataset.range(8).batch(2):
        before = len(traces)
        step(x)
        traced.append(len(traces) - before)
    assert traced == [1, 0, 0, 0]


@claim("TFD504", "The second step is an ordinary one, as far as the model is concerned.")
def a_model_is_traced_in_its_first_step_alone() -> None:
    traces: list[int] = []
    seen: list[int] = []

    class Noted(tf.keras.layers.Layer):  # type: ignore[misc]
        def call(self, x: tf.Tensor) -> tf.Tensor:
            traces.append(1)
            return 2 * x

    model = tf.keras.Sequential([tf.keras.Input([4]), Noted(), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    traces.clear()
    note = tf.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: seen.append(len(traces)))
    model.fit(Dataset.from_tensor_slices((tf.zeros([8, 4]), tf.zeros([8, 1]))).batch(2), verbose=0, callbacks=[note])
    assert seen[0] > 0
    assert seen == seen[:1] * 4


@claim("TFD505", "Only `stop` writes the profile. A program that ends without it leaves no file behind")
def a_program_that_does_not_stop_the_profiler_leaves_nothing() -> None:
    program = "import tensorflow as tf; tf.profiler.experimental.start('logs'); tf.zeros([]); print('done'); "
    # The first one must not have failed for another reason, and the other one shows that there could be a file.
    for end, is_written in (("", False), ("tf.profiler.experimental.stop()", True)):
        done = subprocess.run([sys.executable, "-c", program + end], capture_output=True, text=True, check=True)
        assert "done" in done.stdout
        assert bool(files("logs")) is is_written


@claim("TFD505", "a second `start` raises an AlreadyExistsError")
def one_profile_at_a_time() -> None:
    profiler.start("logs")
    assert raises(lambda: profiler.start("logs")) == "AlreadyExistsError"
    profiler.stop()
    assert raises(lambda: profiler.start("logs")) == ""
    profiler.stop()


# Models and training loops


@claim("TFD601", "on a CPU some of these kernels do not exist at all")
def a_cpu_cannot_compute_channels_first() -> None:
    kernel = tf.ones([3, 3, 4, 4])
    layouts: dict[str, Callable[[tf.Tensor, str], Any]] = {
        "conv2d": lambda x, layout: tf.nn.conv2d(x, kernel, 1, "SAME", data_format=layout),
        "conv2d_transpose": lambda x, layout: tf.nn.conv2d_transpose(
            x, kernel, tf.shape(x), 1, "SAME", data_format=layout
        ),
        "depthwise_conv2d": lambda x, layout: tf.nn.depthwise_conv2d(x, kernel, [1] * 4, "SAME", data_format=layout),
        "max_pool2d": lambda x, layout: tf.nn.max_pool2d(x, 2, 2, "SAME", data_format=layout),
        "avg_pool2d": lambda x, layout: tf.nn.avg_pool2d(x, 2, 2, "SAME", data_format=layout),
        "depth_to_space": lambda x, layout: tf.nn.depth_to_space(x, 2, data_format=layout),
    }
    with tf.device("/CPU:0"):
        for work in layouts.values():
            assert raises(lambda work=work: work(tf.ones([1, 8, 8, 4]), "NHWC")) == ""
        failing = {name for name, work in layouts.items() if raises(lambda w=work: w(tf.ones([1, 4, 8, 8]), "NCHW"))}
    # Which others depends on oneDNN, which TensorFlow uses by itself on newer CPUs.
    assert "depth_to_space" in failing


@claim("TFD601", "Channels last, the default of TensorFlow and Keras")
def channels_last_is_the_default() -> None:
    assert tf.keras.layers.Conv2D(8, 3).data_format == "channels_last"
    assert tf.keras.layers.MaxPooling2D().data_format == "channels_last"
    assert inspect.signature(tf.nn.conv2d).parameters["data_format"].default == "NHWC"


@claim("TFD604", "where elements differ in shape, for each of which a function is traced anew (`reduce_retracing=True`")
def every_shape_is_traced() -> None:
    def traces(**settings: bool) -> int:
        count = 0

        def step(x: tf.Tensor) -> tf.Tensor:
            nonlocal count
            count += 1
            return tf.reduce_sum(x)

        function = tf.function(step, **settings)
        for length in range(1, 9):
            function(tf.zeros([length]))
        return count

    assert traces() == 8
    assert traces(reduce_retracing=True) == 2


@claim("TFD604", "Under `strategy.run`, which does not make a graph by itself")
def a_strategy_runs_eagerly() -> None:
    eager: list[bool] = []

    def step() -> None:
        eager.append(tf.executing_eagerly())

    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    function = tf.function(step)
    for _ in range(3):
        strategy.run(step)
    for _ in range(3):
        strategy.run(function)
    assert eager == [True, True, True, False]


@claim("TFD604", "what Python does in the function happens once, when it is traced")
def python_runs_once() -> None:
    plain: list[int] = []
    traced: list[int] = []
    function = tf.function(lambda x: (traced.append(1), x)[1])
    for number in range(5):
        function(tf.constant(number))
        plain.append(1)
    assert (len(traced), len(plain)) == (1, 5)


@claim("TFD604", "makes a variable, a layer, a metric or an optimizer | raises in its first call")
def a_function_makes_its_variables_once() -> None:
    made: list[tf.Variable] = []

    @tf.function
    def first() -> tf.Tensor:
        if not made:
            made.append(tf.Variable(1.0))
        return made[0] + 1

    @tf.function
    def every() -> tf.Tensor:
        return tf.Variable(1.0) + 1

    assert raises(first) == ""
    assert raises(every) == "ValueError"


@claim("TFD609", "The step waits until all variables are written")
def save_returns_when_all_is_written() -> None:
    variables = [tf.Variable(tf.fill([100], float(number))) for number in range(20)]
    checkpoint = tf.train.Checkpoint(variables=variables)
    path = tf.train.CheckpointManager(checkpoint, "saved", max_to_keep=2).save()
    for variable in variables:
        variable.assign(tf.fill([100], -1.0))
    written = tf.train.load_checkpoint(path)
    for number in range(20):
        value = written.get_tensor(f"variables/{number}/.ATTRIBUTES/VARIABLE_VALUE")
        assert (value == number).all()


@claim("TFD610", "Each call of `predict` makes a dataset of what it is given, an iterator and callbacks anew")
def predict_makes_everything_anew() -> None:
    made = {"datasets": 0, "iterators": 0, "callbacks": 0}

    def count(of: type, name: str, key: str) -> None:
        method = getattr(of, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            made[key] += 1
            return method(*args, **kwargs)

        setattr(of, name, counted)

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
    count(Dataset, "__init__", "datasets")
    count(Dataset, "__iter__", "iterators")
    count(tf.keras.callbacks.CallbackList, "__init__", "callbacks")
    x = tf.zeros([8, 4])
    for _ in range(3):
        before = dict(made)
        model.predict(x, verbose=0)
        assert all(made[key] > before[key] for key in made)
    before = dict(made)
    model(x, training=False)
    assert made == before


@claim("TFD611", "20 numbers gave 20 traces")
def numbers_of_python_are_traced_one_by_one() -> None:
    traces = {"numbers": 0, "tensors": 0}

    @tf.function
    def step(x: tf.Tensor, number: Any, kind: str) -> tf.Tensor:
        traces[kind] += 1
        return x * tf.cast(number, tf.float32)

    for number in range(20):
        step(tf.zeros([8]), number, "numbers")
        step(tf.zeros([8]), tf.constant(number), "tensors")
    assert traces == {"numbers": 20, "tensors": 1}


@claim("TFD611", "That takes longer than to run the function without `tf.function`, and the graphs stay in memory.")
def traced_graphs_are_kept() -> None:
    graphs: list[weakref.ref[Any]] = []

    @tf.function
    def step(x: tf.Tensor, number: int) -> tf.Tensor:
        graphs.append(weakref.ref(tf.compat.v1.get_default_graph()))
        return x * number

    for number in range(10):
        step(tf.constant(1), number)
    gc.collect()
    assert len({id(graph()) for graph in graphs if graph() is not None}) == 10


@claim("TFD611", "Tensors, what an input signature makes one")
def an_input_signature_makes_tensors() -> None:
    traces: list[int] = []

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def step(number: tf.Tensor) -> tf.Tensor:
        traces.append(1)
        return number + 1

    assert [int(step(number)) for number in range(20)] == list(range(1, 21))
    assert len(traces) == 1


@claim("TFD611", "a tensor is no number of Python where the function uses it as one, as an index of a list")
def a_tensor_is_no_index_of_a_list() -> None:
    @tf.function
    def chosen(number: Any) -> Any:
        return ["a", "b"][number]

    assert raises(lambda: chosen(1)) == ""
    assert raises(lambda: chosen(tf.constant(1))) == "TypeError"


# Names that are old or gone


@contextmanager
def logged() -> Iterator[list[str]]:
    """What TensorFlow logs meanwhile."""
    messages: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    keep = Keep()
    # tf.data logs with absl, the rest of TensorFlow with a logger of its own.
    loggers = [logging.getLogger(name) for name in ("absl", "tensorflow")]
    for logger in loggers:
        logger.addHandler(keep)
    yield messages
    for logger in loggers:
        logger.removeHandler(keep)


def elements(ds: Dataset) -> list[Any]:
    """The elements of two passes, as lists."""
    passes = (x for _ in range(2) for x in ds.as_numpy_iterator())
    return [[np.asarray(part).tolist() for part in tf.nest.flatten(x)] for x in passes]


def same(before: Dataset, after: Dataset) -> bool:
    """Whether two pipelines give the same, so far as a page says so."""
    assert elements(before)
    return (elements(before), before.element_spec, int(before.cardinality())) == (
        elements(after),
        after.element_spec,
        int(after.cardinality()),
    )


def reads(thing: Any, *names: str) -> bool:
    """Whether a name of a name … is there. `hasattr`, since a missing one would pass for an older TensorFlow."""
    for name in names:
        if not hasattr(thing, name):
            return False
        thing = getattr(thing, name)
    return True


@claim("TFD701", "it is the same number")
def both_autotunes_are_equal() -> None:
    assert old.AUTOTUNE == tf.data.AUTOTUNE


@claim("TFD701", "both are -1")
def autotune_is_minus_one() -> None:
    assert (old.AUTOTUNE, tf.data.AUTOTUNE) == (-1, -1)


@claim("TFD701", "`tf.data.AUTOTUNE`, since TensorFlow 2.4.")
def autotune_is_there() -> None:
    assert reads(tf.data, "AUTOTUNE")


@claim("TFD702", "| `map_and_batch` | `map(…).batch(…)` | 2.4 | safe;")
def map_and_batch_is_two_steps() -> None:
    ds = Dataset.range(8)
    before = ds.apply(old.map_and_batch(lambda x: x + 1, 3, drop_remainder=True))
    assert same(before, ds.map(lambda x: x + 1, num_parallel_calls=tf.data.AUTOTUNE).batch(3, drop_remainder=True))


@claim("TFD702", "Without `num_parallel_calls` it ran as many calls at once as a batch has elements")
def map_and_batch_runs_a_batch_at_once() -> None:
    def calls_at_once(size: int) -> int:
        # It breaks, and the pipeline fails, unless this many calls wait for each other.
        together = threading.Barrier(size)
        lock = threading.Lock()
        running = most = 0

        def work(x: np.ndarray) -> np.ndarray:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            together.wait(20)
            with lock:
                running -= 1
            return x

        mapped = old.map_and_batch(lambda x: tf.numpy_function(work, [x], tf.int64), size)
        options = tf.data.Options()
        options.threading.private_threadpool_size = 8
        for _ in Dataset.range(12).apply(mapped).with_options(options):
            pass
        return most

    assert [calls_at_once(size) for size in (2, 3)] == [2, 3]


@claim("TFD702", "| `parallel_interleave` | `interleave(…, num_parallel_calls=…)` | 2.2 | safe;")
def parallel_interleave_keeps_its_elements() -> None:
    ds = Dataset.range(6)
    before = ds.apply(old.parallel_interleave(Dataset.range, 3))
    assert same(before, ds.interleave(Dataset.range, cycle_length=3, num_parallel_calls=3))


@claim("TFD702", "it went on in another order where an input ends inside a block")
def the_order_behind_a_broken_block_differs() -> None:
    def count(length: int) -> Callable[[tf.Tensor], Dataset]:
        def numbers(x: tf.Tensor) -> Dataset:
            return Dataset.range(length + 2 * (x % 2)).map(lambda y: 10 * x + y)

        return numbers

    def both(numbers: Callable[[tf.Tensor], Dataset], block: int) -> tuple[list[Any], list[Any]]:
        ds = Dataset.range(4)
        before = ds.apply(old.parallel_interleave(numbers, 3, block_length=block))
        return elements(before), elements(ds.interleave(numbers, 3, block, num_parallel_calls=3))

    # What the old one did then depended on which input was ready.
    tries = [both(count(3), 2) for _ in range(6)]
    assert any(before != after for before, after in tries)
    assert all(sorted(before) == sorted(after) for before, after in tries)


@claim("TFD702", "the cardinality was unknown, and becomes infinite")
def interleave_knows_that_it_is_endless() -> None:
    for ds in (Dataset.range(3).repeat(), Dataset.counter(), Dataset.random(seed=1)):
        before = ds.apply(old.parallel_interleave(Dataset.from_tensors, 2))
        after = ds.interleave(Dataset.from_tensors, cycle_length=2, num_parallel_calls=2)
        assert int(before.cardinality()) == tf.data.UNKNOWN_CARDINALITY
        assert int(after.cardinality()) == tf.data.INFINITE_CARDINALITY


@claim("TFD702", "where the option `deterministic` is switched off: they did not heed it.")
def the_old_ones_keep_the_order_where_none_is_asked_for() -> None:
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 8

    def order(make: Callable[[Dataset, Callable[[tf.Tensor], tf.Tensor]], Dataset], wait: float) -> list[int]:
        second_is_done = threading.Event()

        def work(x: np.ndarray) -> np.ndarray:
            if x == 0:
                second_is_done.wait(wait)
            return x

        taken = []
        for x in make(Dataset.range(2), lambda x: tf.numpy_function(work, [x], tf.int64)).with_options(options):
            taken += np.ravel(x).tolist()
            second_is_done.set()
        return taken

    def interleaved(ds: Dataset, f: Callable[[tf.Tensor], tf.Tensor]) -> Dataset:
        return ds.apply(old.parallel_interleave(lambda x: Dataset.from_tensors(f(x)), 2))

    # The first is ready only when the second has been taken, or gives up.
    assert order(lambda ds, f: ds.map(f, num_parallel_calls=2), 20) == [1, 0]
    assert order(lambda ds, f: ds.apply(old.map_and_batch(f, 1, num_parallel_calls=2)), 0.5) == [0, 1]
    assert order(interleaved, 0.5) == [0, 1]


@claim("TFD702", "it began every dataset made from it with the same seeds; `shuffle` goes on with its order")
def shuffle_and_repeat_begins_anew() -> None:
    def orders(ds: Dataset) -> list[list[Any]]:
        return [list(ds.map(lambda x: x).as_numpy_iterator()) for _ in range(2)]

    first, second = orders(Dataset.range(20).apply(old.shuffle_and_repeat(20, 1, seed=1)))
    assert first == second
    first, second = orders(Dataset.range(20).shuffle(20, seed=1).repeat(1))
    assert first != second


@claim("TFD702", "| `unbatch`, `enumerate_dataset` | `unbatch()`, `enumerate()` | 2.0 | safe |")
def unbatch_and_enumerate_are_methods() -> None:
    ds = Dataset.range(6).batch(2)
    assert same(ds.apply(old.unbatch()), ds.unbatch())
    assert same(ds.apply(old.enumerate_dataset(3)), ds.enumerate(3))


@claim(
    "TFD702",
    "| `bucket_by_sequence_length`, `group_by_window`, `scan`, `snapshot`, `take_while`, `unique` |"
    " the methods of that name | 2.6 | safe |",
)
def six_are_methods() -> None:
    methods = ["bucket_by_sequence_length", "group_by_window", "scan", "snapshot", "take_while", "unique"]
    assert all(hasattr(Dataset, name) for name in methods)
    ds = Dataset.range(8).map(lambda x: x % 3)
    vectors = ds.map(lambda x: tf.fill([x + 1], x))
    buckets: dict[str, Any] = {
        "element_length_func": lambda x: tf.size(x),
        "bucket_boundaries": [2],
        "bucket_batch_sizes": [2, 3],
    }
    windows: dict[str, Any] = {"key_func": lambda x: x, "reduce_func": lambda _, x: x.batch(2), "window_size": 2}
    zero = tf.constant(0, tf.int64)
    assert same(vectors.apply(old.bucket_by_sequence_length(**buckets)), vectors.bucket_by_sequence_length(**buckets))
    assert same(ds.apply(old.group_by_window(**windows)), ds.group_by_window(**windows))
    assert same(ds.apply(old.scan(zero, lambda s, x: (s + x, s))), ds.scan(zero, lambda s, x: (s + x, s)))
    assert same(ds.apply(old.snapshot("before")), ds.snapshot("after"))
    assert same(ds.apply(old.take_while(lambda x: x < 2)), ds.take_while(lambda x: x < 2))
    assert same(ds.apply(old.unique()), ds.unique())


@claim("TFD702", "`dataset.get_single_element()`, `Dataset.random` | 2.6 | safe |")
def single_element_and_random_are_methods() -> None:
    assert reads(Dataset, "get_single_element")
    assert reads(Dataset, "random")
    ds = Dataset.range(5, 6)
    assert int(old.get_single_element(ds)) == int(ds.get_single_element()) == 5
    assert same(old.RandomDataset(seed=1).take(4), Dataset.random(seed=1).take(4))


@claim("TFD702", "`rejection_resample`, `sample_from_datasets` | the methods of that name | 2.7 | safe |")
def sampling_is_a_method() -> None:
    assert reads(Dataset, "rejection_resample")
    assert reads(Dataset, "sample_from_datasets")
    both = [Dataset.range(4), Dataset.range(10, 14)]
    before = old.sample_from_datasets(both, [0.5, 0.5], seed=1)
    assert same(before, Dataset.sample_from_datasets(both, [0.5, 0.5], seed=1))
    ds = Dataset.range(40).map(lambda x: x % 2)
    settings: dict[str, Any] = {"target_dist": [0.5, 0.5], "initial_dist": [0.5, 0.5], "seed": 1}
    before = ds.apply(old.rejection_resample(lambda x: tf.cast(x, tf.int32), **settings))
    assert same(before, ds.rejection_resample(lambda x: tf.cast(x, tf.int32), **settings))


@claim("TFD702", "the default of `choose_from_datasets` has changed")
def the_method_stops_at_the_first_empty_dataset() -> None:
    both = [Dataset.range(2), Dataset.range(10, 15)]
    which = Dataset.range(2).repeat(5)
    before = old.choose_from_datasets(both, which)
    assert not same(before, Dataset.choose_from_datasets(both, which))
    assert same(before, Dataset.choose_from_datasets(both, which, stop_on_empty_dataset=False))


@claim("TFD702", "`ignore_errors()`, `save()`, `Dataset.load`, `Dataset.counter` | 2.11 | safe |")
def four_more_are_methods() -> None:
    assert all(hasattr(Dataset, name) for name in ("ignore_errors", "save", "load", "counter"))
    ds = Dataset.range(4)
    old.save(ds, "before")
    ds.save("after")
    assert same(old.load("before"), Dataset.load("after"))
    assert same(old.Counter(start=1).take(4), Dataset.counter(start=1).take(4))
    checked = Dataset.from_tensor_slices([1.0, 0.0, 2.0]).map(lambda x: tf.debugging.check_numerics(1 / x, "infinite"))
    assert raises(lambda: list(checked)) == "InvalidArgumentError"
    assert same(checked.apply(old.ignore_errors()), checked.ignore_errors())


@claim("TFD702", "`dense_to_ragged_batch`, `dense_to_sparse_batch` | `ragged_batch`, `sparse_batch` | 2.12 | safe |")
def ragged_and_sparse_batches_are_methods() -> None:
    assert reads(Dataset, "ragged_batch")
    assert reads(Dataset, "sparse_batch")
    ds = Dataset.range(1, 5).map(tf.range)

    def rows(ds: Dataset) -> list[Any]:
        return [tf.convert_to_tensor(x.to_tensor() if hasattr(x, "to_tensor") else x).numpy().tolist() for x in ds]

    before, after = ds.apply(old.dense_to_ragged_batch(2)), ds.ragged_batch(2)
    assert rows(before) == rows(after)
    assert before.element_spec == after.element_spec
    dense = tf.sparse.to_dense
    before, after = ds.apply(old.dense_to_sparse_batch(2, [4])), ds.sparse_batch(2, [4])
    assert rows(before.map(dense)) == rows(after.map(dense))
    assert before.element_spec == after.element_spec


@claim("TFD702", "`get_next_as_optional` | the method of the iterator | 2.3 | safe |")
def optional_is_a_method_of_the_iterator() -> None:
    iterator = iter(Dataset.range(2))
    assert reads(iterator, "get_next_as_optional")
    found = [old.get_next_as_optional(iterator), iterator.get_next_as_optional(), iterator.get_next_as_optional()]
    assert [bool(x.has_value()) for x in found] == [True, True, False]


@claim("TFD702", "the static shape of sparse features can lose the batch size")
def parsed_sparse_features_have_no_batch_size() -> None:
    features = {"x": tf.io.VarLenFeature(tf.int64)}
    ds = Dataset.from_tensors(tf.train.Example().SerializeToString()).repeat(4).batch(2, drop_remainder=True)
    before = ds.apply(old.parse_example_dataset(features))
    after = ds.map(lambda x: tf.io.parse_example(x, features))
    assert before.element_spec["x"].shape.as_list() == [2, None]
    assert after.element_spec["x"].shape.as_list() == [None, None]


@claim("TFD702", "`StatsAggregator`, `latency_stats`, …, `*Structure`, `MapVectorizationOptions` | removed |")
def statistics_and_structures_are_gone() -> None:
    gone = ["StatsAggregator", "latency_stats", "bytes_produced_stats", "TensorStructure", "MapVectorizationOptions"]
    assert [name for name in gone if hasattr(old, name)] == []


@claim("TFD702", "removed ones fail with `AttributeError` when the code runs")
def a_removed_name_raises_where_it_is_used() -> None:
    assert raises(lambda: old.StatsAggregator()) == "AttributeError"
    assert raises(lambda: Dataset.range(4).apply(old.latency_stats("tag"))) == "AttributeError"


@claim("TFD702", "`tf.contrib` is gone from TensorFlow 2")
def contrib_is_gone() -> None:
    assert not hasattr(tf, "contrib")


@claim("TFD703", "| `experimental_threading` | `threading` | 2.6 |")
def threading_has_a_new_name() -> None:
    assert reads(tf.data.Options(), "threading")


@claim("TFD703", "| `tf.data.experimental.ThreadingOptions` | `tf.data.ThreadingOptions` | 2.6 |")
def the_class_of_threading_has_moved() -> None:
    assert reads(tf.data, "ThreadingOptions")
    assert old.ThreadingOptions is tf.data.ThreadingOptions


@claim("TFD703", "| `experimental_deterministic` | `deterministic` | 2.7 |")
def deterministic_has_a_new_name() -> None:
    assert reads(tf.data.Options(), "deterministic")


@claim("TFD703", "Safe: the old names are aliases of the new ones.")
def old_options_set_the_new_ones() -> None:
    options = tf.data.Options()
    assert options.deterministic is None
    options.experimental_deterministic = False
    options.experimental_threading.private_threadpool_size = 4
    assert options.deterministic is False
    assert options.threading.private_threadpool_size == 4


@claim("TFD703", "`experimental_threading` logs a warning for each use")
def each_use_of_threading_warns() -> None:
    options = tf.data.Options()
    with logged() as messages:
        for size in range(3):
            options.experimental_threading.private_threadpool_size = size
            options.experimental_deterministic = False
            options.threading.private_threadpool_size = size
    assert len(messages) == 3
    assert all("experimental_threading is deprecated" in message for message in messages)


GROUP = "experimental_optimization."


def setting(name: str) -> Callable[[], None]:
    def assign() -> None:
        options = tf.data.Options()
        setattr(options.experimental_optimization if name.startswith(GROUP) else options, name.split(".")[-1], True)

    return assign


@claim("TFD703", "Options that were removed raise an AttributeError, in the middle of building the pipeline.")
def removed_options_raise() -> None:
    gone = ["autotune", "autotune_cpu_budget", "autotune_ram_budget", "autotune_buffers", "map_vectorization"]
    gone += ["hoist_random_uniform", "filter_with_random_uniform_fusion", "reorder_data_discarding_ops"]
    names = [GROUP + name for name in gone]
    names += ["experimental_autotune", "experimental_stats", "experimental_numa_aware"]
    assert {name: raises(setting(name)) for name in names} == dict.fromkeys(names, "AttributeError")
    assert raises(setting(GROUP + "map_fusion")) == ""
    assert raises(setting("experimental_slack")) == ""


@claim("TFD703", "`autotune.cpu_budget`, `autotune.ram_budget` | 2.7, the old ones were removed |")
def autotune_has_options_of_its_own() -> None:
    options = tf.data.Options()
    assert reads(options, "autotune", "enabled")
    assert reads(options, "autotune", "cpu_budget")
    assert reads(options, "autotune", "ram_budget")
    assert not hasattr(options.experimental_optimization, "autotune_cpu_budget")


@claim("TFD704", "Datasets of TensorFlow 2 do not have these methods; the call fails with `AttributeError`.")
def iterators_of_tensorflow_1_are_no_methods() -> None:
    ds = Dataset.range(4)
    assert raises(lambda: ds.make_one_shot_iterator()) == "AttributeError"
    assert raises(lambda: ds.make_initializable_iterator()) == "AttributeError"


@claim("TFD704", "Under `tf.compat.v1` they live on, the second one in graph mode only")
def iterators_of_tensorflow_1_live_on() -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        ds = v1.data.Dataset.range(4)
        assert session.run(ds.make_one_shot_iterator().get_next()) == 0
        iterator = ds.make_initializable_iterator()
        session.run(iterator.initializer)
        assert session.run(iterator.get_next()) == 0
    ds = v1.data.Dataset.range(4)
    assert int(ds.make_one_shot_iterator().get_next()) == 0
    assert raises(lambda: ds.make_initializable_iterator()) == "RuntimeError"


def ones() -> Iterator[int]:
    yield 1


@claim("TFD705", "deprecated since TensorFlow 2.4 in favor of `output_signature`")
def from_generator_takes_a_signature() -> None:
    assert "output_signature" in inspect.signature(Dataset.from_generator).parameters


@claim("TFD705", "`from_generator` logs a deprecation warning.")
def types_of_a_generator_are_deprecated() -> None:
    # Once in a process, so the old way comes first.
    with logged() as messages:
        Dataset.from_generator(ones, output_types=tf.int32, output_shapes=[])
    assert any("output_types is deprecated" in message for message in messages)
    with logged() as messages:
        Dataset.from_generator(ones, output_signature=tf.TensorSpec([], tf.int32))
    assert not messages


@claim("TFD705", "sparse and ragged tensors cannot be told")
def types_tell_no_sparse_and_ragged_tensors() -> None:
    def ragged() -> Iterator[Any]:
        yield tf.ragged.constant([[1, 2], [3]])

    def sparse() -> Iterator[Any]:
        yield tf.sparse.from_dense([[1, 0]])

    for rows, spec in (
        (ragged, tf.RaggedTensorSpec((2, None), tf.int32)),
        (sparse, tf.SparseTensorSpec([None, None], tf.int32)),
    ):
        assert raises(lambda rows=rows, spec=spec: list(Dataset.from_generator(rows, output_signature=spec))) == ""
        assert raises(lambda rows=rows: list(Dataset.from_generator(rows, tf.int32)))


@claim("TFD705", "where shapes are left out nothing is known of them downstream")
def shapes_that_are_left_out_stay_unknown() -> None:
    assert Dataset.from_generator(ones, tf.int32).batch(2).element_spec.shape.rank is None
    assert Dataset.from_generator(ones, tf.int32, []).batch(2).element_spec.shape.as_list() == [None]


@claim("TFD705", "from types and shapes TensorFlow itself makes these very `tf.TensorSpec`s")
def types_and_shapes_make_specs() -> None:
    def rows() -> Iterator[Any]:
        yield {"row": [1, 2, 3], "label": 1}

    specs = {"row": tf.TensorSpec([3], tf.int64), "label": tf.TensorSpec(None, tf.int32)}
    typed = Dataset.from_generator(rows, {"row": tf.int64, "label": tf.int32}, {"row": [3], "label": None})
    assert typed.element_spec == specs
    assert same(typed, Dataset.from_generator(rows, output_signature=specs))


OLD_ARGUMENTS = {"experimental_compile": "jit_compile", "experimental_relax_shapes": "reduce_retracing"}


@claim("TFD706", "`experimental_compile`, which is `jit_compile` since TensorFlow 2.5")
def jit_compile_is_there() -> None:
    assert "jit_compile" in inspect.signature(tf.function).parameters


@claim("TFD706", "`experimental_relax_shapes`, which is `reduce_retracing` since 2.9")
def reduce_retracing_is_there() -> None:
    assert "reduce_retracing" in inspect.signature(tf.function).parameters


@claim("TFD706", "The first use logs a deprecation warning")
def the_first_use_of_an_old_argument_warns() -> None:
    for name, modern in OLD_ARGUMENTS.items():
        with logged() as messages:
            tf.function(lambda x: x, **{modern: False})
        assert not messages
        with logged() as messages:
            for _ in range(3):
                tf.function(lambda x: x, **{name: True})
        assert len(messages) == 1
        assert f"with {name} is deprecated" in messages[0]


@claim("TFD706", 'says that the name "will be removed in a future version"')
def a_warning_announces_the_removal() -> None:
    for name in OLD_ARGUMENTS:
        with logged() as messages:
            tf.function(lambda x: x, **{name: True})
        assert any("will be removed in a future version" in message for message in messages)


@claim("TFD706", "Safe: `tf.function` takes the one for the other.")
def old_arguments_do_the_same() -> None:
    def traces(**settings: bool) -> int:
        count = 0

        def step(x: tf.Tensor) -> tf.Tensor:
            nonlocal count
            count += 1
            return tf.reduce_sum(x)

        function = tf.function(step, **settings)
        for length in range(1, 9):
            function(tf.zeros([length]))
        return count

    assert traces(experimental_relax_shapes=True) == traces(reduce_retracing=True) < traces()

    # What XLA cannot compile fails under both names, and without them does not.
    def work(x: tf.Tensor) -> tf.Tensor:
        return x + x

    assert raises(lambda: tf.function(work)("abc")) == ""
    modern = raises(lambda: tf.function(work, jit_compile=True)("abc"))
    assert modern == raises(lambda: tf.function(work, experimental_compile=True)("abc")) != ""


@claim("TFD706", "Both names at once are for you to sort out")
def both_names_at_once_raise() -> None:
    assert raises(lambda: tf.function(lambda x: x, jit_compile=True, experimental_compile=True)) == "ValueError"
    assert raises(lambda: tf.function(lambda x: x, jit_compile=True)) == ""


@claim("TFD707", "names of TensorFlow 1 that TensorFlow 2 does not have")
def names_of_tensorflow_1_are_gone() -> None:
    gone = "string_split random_uniform gfile FixedLenFeature parse_single_example random_crop to_float read_file app"
    gone += " logging substr py_func random_normal placeholder Session log"
    assert [name for name in gone.split() if hasattr(tf, name)] == []
    assert not hasattr(tf.image, "resize_images")
    # They were names: the module of TensorFlow 1 has all of them.
    assert [name for name in gone.split() if not hasattr(tf.compat.v1, name)] == []


@claim("TFD707", "and the private `tf.python`")
def the_private_module_is_no_attribute() -> None:
    assert not hasattr(tf, "python")


@claim("TFD707", "the tables that TensorFlow ships for its own upgrade script, `tf_upgrade_v2`")
def tensorflow_ships_its_tables() -> None:
    renames = importlib.import_module("tensorflow.tools.compatibility.renames_v2").renames
    assert renames["tf.random_uniform"] == "tf.random.uniform"
    assert renames["tf.FixedLenFeature"] == "tf.io.FixedLenFeature"


@claim("TFD707", "in a mapped function when that is traced, which is when `map` is called")
def a_removed_name_raises_when_map_is_called() -> None:
    built: list[str] = []

    def build() -> None:
        ds = Dataset.range(4)
        built.append("range")
        ds.map(lambda x: tf.to_float(x))
        built.append("map")

    assert raises(build) == "AttributeError"
    assert built == ["range"]


@claim("TFD707", "`tf.image.resize` puts the centers of pixels elsewhere than `tf.image.resize_images` did")
def resize_is_not_resize_images() -> None:
    image = tf.reshape(tf.range(4.0), [1, 2, 2, 1])
    before = tf.compat.v1.image.resize_images(image, [4, 4])[0, 0, :, 0]
    after = tf.image.resize(image, [4, 4])[0, 0, :, 0]
    assert np.allclose(before, [0, 0.5, 1, 1])
    assert np.allclose(after, [0, 0.25, 0.75, 1])


# Several processes


@claim("TFD801", "With a worker in a process of its own all three fail with an InvalidArgumentError")
def python_does_not_travel_to_a_worker() -> None:
    service = tf.data.experimental.service
    reader, writer = os.pipe()
    # Forked before TensorFlow has started anything.
    child = os.fork()
    if child == 0:
        os.close(writer)
        worker = service.WorkerServer(service.WorkerConfig(dispatcher_address=os.read(reader, 100).decode()))
        worker.join()
        os._exit(0)
    try:
        dispatcher = service.DispatchServer()
        os.write(writer, dispatcher.target.split("://")[1].encode())
        ds = Dataset.range(4)

        def outcome(ds: Dataset) -> str:
            return raises(lambda: list(ds.apply(service.distribute("parallel_epochs", dispatcher.target))))

        assert outcome(ds) == ""
        assert outcome(ds.map(lambda x: tf.py_function(abs, [x], tf.int64))) == "InvalidArgumentError"
        assert outcome(ds.map(lambda x: tf.numpy_function(abs, [x], tf.int64))) == "InvalidArgumentError"
        spec = tf.TensorSpec([], tf.int32)
        assert outcome(Dataset.from_generator(ones, output_signature=spec)) == "InvalidArgumentError"
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@claim("TFD801", "The worker runs in the same process, which has its functions.")
def a_worker_in_the_process_has_its_functions() -> None:
    service = tf.data.experimental.service
    dispatcher = service.DispatchServer()
    worker = service.WorkerServer(service.WorkerConfig(dispatcher_address=dispatcher.target.split("://")[1]))
    ds = Dataset.range(-2, 0).map(lambda x: tf.py_function(abs, [x], tf.int64))
    ds = ds.apply(service.distribute("parallel_epochs", dispatcher.target))
    assert sorted(int(x) for x in ds) == [1, 2]
    del worker


def in_processes(work: Callable[[], list[int]]) -> list[list[int]]:
    """What two processes come to, which are forked before TensorFlow has started anything."""
    results = []
    for _ in range(2):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(writer, "w") as answers:
                json.dump(work(), answers)
                answers.flush()
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as answers:
            results.append(json.load(answers))
        os.waitpid(child, 0)
    return results


@claim("TFD804", "Two processes that shuffle under one seed, the global one or that of `shuffle`, draw the same order")
def one_seed_gives_processes_one_order() -> None:
    def drawn(seed: int | None, of_shuffle: int | None) -> list[int]:
        if seed is not None:
            tf.random.set_seed(seed)
        return [int(x) for x in Dataset.range(100).shuffle(100, seed=of_shuffle).as_numpy_iterator()]

    for seeds in ((42, None), (None, 42)):
        first, second = in_processes(lambda seeds=seeds: drawn(*seeds))
        assert first == second != sorted(first)
    first, second = in_processes(lambda: drawn(None, None))
    assert first != second
