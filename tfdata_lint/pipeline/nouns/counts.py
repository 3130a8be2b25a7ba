"""How many elements there are, and what numbers are, outside of mapped functions: `lengths.py` works it out."""

from __future__ import annotations

from math import ceil

from tfdata_lint.pipeline.nouns.consumers import STEPS, Consumer
from tfdata_lint.pipeline.nouns.elements import outside
from tfdata_lint.pipeline.nouns.lengths import Amount, Amounts, Bounds, amount, bounds, first_axes, rounds
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage
from tfdata_lint.pipeline.nouns.values import Value


def bounds_of(dataset: Dataset) -> Bounds:
    """How many elements there are, at least and at most."""
    return bounds(dataset, outside())


def length(dataset: Dataset) -> int | None:
    """How many elements there are, where the code says so."""
    return bounds_of(dataset).exact


def row_counts(value: Value | None) -> list[int]:
    """How many rows the arrays of a structure have, each number once, as far as that is known."""
    return first_axes(outside().of(value))


def amount_of(value: Value | None) -> Amount | None:
    """What a number is, or of what length it is a part."""
    return Amounts(outside()).of(value)


def number(stage: Stage, parameter: str) -> int | None:
    """The whole number that a stage is given, written or worked out."""
    return amount(stage, parameter, outside())


def passes_of(consumer: Consumer) -> float | None:
    """How often Keras is told to go through a dataset in an epoch whose length only other code knows: 3.0 for the
    `3 * (len(x) // 32)` steps of batches of 32. None where that is not known."""
    given = consumer.arguments.get(STEPS.get(consumer.kind, ""))
    return rounds(amount_of(given.value), consumer.dataset, outside()) if given is not None else None


def steps_of(consumer: Consumer) -> int | None:
    """How many batches Keras is told to read, written or worked out: 0 of `24 // 32`. None where that is not known."""
    given = consumer.arguments.get(STEPS.get(consumer.kind, ""))
    found = amount_of(given.value) if given is not None else None
    return ceil(found.times) if found is not None and found.of is None else None
