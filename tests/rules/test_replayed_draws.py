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
