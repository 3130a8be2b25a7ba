"""TFD207 speaks exactly where each epoch meets the draws of the one before, on TensorFlow itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tfdata_lint.lint.linting import lint_source

PROGRAM = """
import tensorflow as tf

{seed}


def augment(*x):
    return (*x, tf.random.uniform([]{own}))


def train(dataset):
    epochs = []
    for epoch in range(3):
        epochs.append([])
        for element in dataset:
            epochs[-1].append(tuple(float(part) for part in element))
    return epochs


def number(path):
    return tf.strings.to_number(tf.strings.substr(path, -2, 2))


def some(first):
    return tf.data.Dataset.range(first, first + 4)


def some_augmented(first):
    return some(first).map(augment)


numbers = tf.data.Dataset.range(16)
four = tf.data.Dataset.range(4)
halves = [tf.data.Dataset.range(8), tf.data.Dataset.range(8, 16)]
result = train({dataset})
"""
#: With the order fixed, and the elements' draws with it.
REPLAYED = [
    "numbers.map(augment)",
    "numbers.shuffle(16, reshuffle_each_iteration=False).map(augment)",
    "numbers.shuffle(16, seed=5, reshuffle_each_iteration=False).map(augment)",
    "numbers.map(augment).shuffle(16)",
    "numbers.map(augment).shuffle(16, seed=5)",
    "numbers.skip(1).prefetch(2).map(augment)",
    "tf.data.Dataset.list_files(FILES, shuffle=False).map(number).map(augment)",
    "four.interleave(some, cycle_length=2).map(augment)",
    "four.interleave(some_augmented, cycle_length=2)",
    "tf.data.Dataset.sample_from_datasets(halves, seed=3).map(augment)",
]
#: With another order in each epoch.
MET_ANEW = [
    "numbers.shuffle(16).map(augment)",
    "numbers.shuffle(16, seed=5).map(augment)",
    "numbers.shuffle(16, seed=5, reshuffle_each_iteration=True).map(augment)",
    "numbers.shuffle(16).prefetch(2).map(augment)",
    "numbers.batch(2).shuffle(16).unbatch().map(augment)",
    "tf.data.Dataset.list_files(FILES).map(number).map(augment)",
    "tf.data.Dataset.list_files(FILES, seed=4).map(number).map(augment)",
    "four.shuffle(4).interleave(some, cycle_length=2).map(augment)",
    "four.shuffle(4).interleave(some_augmented, cycle_length=2)",
    "numbers.take(8).concatenate(numbers.skip(8).shuffle(8)).map(augment)",
    "tf.data.Dataset.zip((numbers, numbers.shuffle(16))).map(augment)",
    "tf.data.Dataset.sample_from_datasets(halves, seed=3, rerandomize_each_iteration=True).map(augment)",
]
SEEDS = [("tf.random.set_seed(1)", ""), ("tf.keras.utils.set_random_seed(1)", ""), ("", ", seed=3")]


@pytest.mark.tensorflow
@pytest.mark.parametrize(("seed", "own"), SEEDS, ids=["global", "keras", "own"])
@pytest.mark.parametrize("dataset", [*REPLAYED, *MET_ANEW])
def test_draws_are_repeated_by_position(dataset: str, seed: str, own: str, tmp_path: Path) -> None:
    for name in range(16):
        (tmp_path / f"{name:02}").touch()
    text = PROGRAM.format(seed=seed, own=own, dataset=dataset.replace("FILES", f"{str(tmp_path)!r} + '/*'"))
    scope: dict[str, Any] = {}
    exec(text, scope)
    first, *later = (sorted(epoch) for epoch in scope["result"])
    assert all(epoch == first for epoch in later) == (dataset in REPLAYED)
    reported = [d.code for d in lint_source(text, "train.py").diagnostics if d.code == "TFD207"]
    assert reported == ["TFD207"] * (dataset in REPLAYED)


NUMBERED = """
import tensorflow as tf

epoch_number = tf.Variable(0, dtype=tf.int64)
counter = tf.data.Dataset.counter


def draw(x, seed):
    return x, tf.random.stateless_uniform([], seed=seed)


def one(x, number):
    return draw(x, (number, 0))


def swapped(number, x):
    seed = tf.stack([tf.constant(42, tf.int64), number])
    return draw(x, seed)


def split(x, seeds):
    return draw(x, tf.random.split(tf.cast(seeds, tf.int32), num=1)[0, :])


def nested(pair, seed):
    x, _ = pair
    return draw(x, seed)


def moving(x, number):
    return draw(x, (number, epoch_number))


x = tf.data.Dataset.range(8)
random = tf.data.Dataset.random
dataset = {dataset}
epochs = []
for epoch in range(2):
    epoch_number.assign(epoch)
    epochs.append([])
    for first, drawn in dataset:
        epochs[-1].append((int(first), float(drawn)))


@tf.function
def total():
    return dataset.reduce(0.0, lambda sum, pair: sum + tf.cast(pair[0] + 1, tf.float32) * pair[1])


in_graph = [float(total())]
epoch_number.assign_add(1)
in_graph.append(float(total()))
"""
#: Seeds that are the same for the same element in each epoch.
SAME_SEEDS = [
    "tf.data.Dataset.zip((x, counter())).map(one)",
    "tf.data.Dataset.zip(x, tf.data.Dataset.range(9)).map(one).shuffle(8)",
    "tf.data.Dataset.zip((x, random())).shuffle(8).map(one)",
    "tf.data.Dataset.zip((x, random(seed=3).batch(2))).map(draw)",
    "tf.data.Dataset.zip((x, random().batch(2).map(lambda s: tf.cast(s, tf.int32)))).map(split)",
    "x.enumerate().map(swapped)",
    "x.shuffle(8, reshuffle_each_iteration=False).enumerate().prefetch(2).map(swapped)",
    "tf.data.Dataset.zip((tf.data.Dataset.zip((x, x)), (counter(1), counter()))).map(nested)",
]
OTHER_SEEDS = [
    "tf.data.Dataset.zip((x, random(rerandomize_each_iteration=True))).map(one)",
    "tf.data.Dataset.zip((x, random(seed=3, rerandomize_each_iteration=True).batch(2))).map(draw)",
    "tf.data.Dataset.zip((x.shuffle(8), counter())).map(one)",
    "x.shuffle(8).enumerate().map(swapped)",
    "tf.data.Dataset.zip((x, counter())).map(moving)",
]


@pytest.mark.tensorflow
@pytest.mark.parametrize("dataset", [*SAME_SEEDS, *OTHER_SEEDS])
def test_seeds_of_numbers_come_again(dataset: str) -> None:
    text = NUMBERED.format(dataset=dataset)
    scope: dict[str, Any] = {}
    import tensorflow as tf

    # Another test may have set one.
    tf.random.set_seed(None)
    exec(text, scope)
    one, other = map(sorted, scope["epochs"])
    assert (one == other) == (dataset in SAME_SEEDS)
    first, second = scope["in_graph"]
    # A graph makes an unseeded source anew.
    assert (abs(first - second) < 1e-3) == (dataset in SAME_SEEDS and "random()" not in dataset)
    reported = [d.code for d in lint_source(text, "train.py").diagnostics if d.code == "TFD207"]
    assert reported == ["TFD207"] * (dataset in SAME_SEEDS)
