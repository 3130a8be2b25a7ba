"""How many elements a dataset has, how many rows an array: exactly, at most, or in writing."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.elements import amount_of, bounds_of, length, number
from tfdata_lint.pipeline.nouns.lengths import KEEPING, Amount, root_of
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage
from tfdata_lint.pipeline.nouns.values import Mapping_, Sequence, Value

__all__ = ["amount_of", "bounds_of", "length", "number", "said", "share"]

_BATCHES = ("batch", "padded_batch")


def said(dataset: Dataset) -> str:
    """What is known of the number of elements, as a text: `7`, `at most 100`; empty where nothing is."""
    least, most = bounds_of(dataset)
    return "" if most is None else str(most) if least == most else f"at most {most}"


@recursive
def share(dataset: Dataset) -> Amount | None:
    """What part of the rows of an array of unknown length the elements are: 1/32 of `x`, in batches of 32."""
    if not isinstance(dataset, Stage):
        return None
    if dataset.op == "from_tensor_slices":
        return Amount(1.0, root_of(_first(dataset.result)))
    if (dataset.op not in KEEPING and dataset.op not in _BATCHES) or not dataset.inputs:
        return None
    given = share(dataset.inputs[0])
    if given is None or dataset.op in KEEPING:
        return given
    size = amount_of(dataset.arguments["batch_size"].value) if "batch_size" in dataset.arguments else None
    if size is None or size.of is not None or size.times < 1:
        return None
    return given._replace(times=given.times / size.times)


@recursive
def _first(value: Value | None) -> Value | None:
    """The first of the arrays in a structure: all of them are of one length."""
    match value:
        case Sequence(kind="tuple", items=(first, *_)):
            return _first(first)
        case Mapping_(items=columns) if columns:
            return _first(next(iter(columns.values())))
    return value
