"""How many elements there are."""

from __future__ import annotations

from math import ceil

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import only_literal
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    Computed,
    Constant,
    Expr,
    External,
    Mapping_,
    Sequence,
    Slice,
    Value,
)

#: Functions that make an array of what they are given.
ARRAYS = ("array", "asarray", "constant", "convert_to_tensor")
#: Sources whose length TensorFlow knows (measured with `len`), and transformations that leave it known.
_COUNTED_SOURCES = frozenset(
    {"from_tensor_slices", "from_tensors", "range", "list_files", "image_dataset_from_directory",
     "text_dataset_from_directory", "tfds.load", "timeseries_dataset_from_array"}
)  # fmt: skip
_COUNTED = frozenset(
    {"map", "enumerate", "take", "skip", "shard", "shuffle", "batch", "padded_batch", "cache", "prefetch", "zip",
     "concatenate", "with_options", "window"}
)  # fmt: skip
#: These give as many elements as they are given.
_KEEPING = frozenset({"map", "enumerate", "shuffle", "cache", "prefetch", "with_options"})
#: Functions whose first argument is the shape of what they make, or its first axis.
_SHAPED = frozenset(
    [f"numpy.{name}" for name in ("zeros", "ones", "empty", "full")]
    + [f"numpy.random.{name}" for name in ("random", "random_sample", "rand", "randn")]
    + [f"tensorflow.{name}" for name in ("zeros", "ones", "fill", "random.uniform", "random.normal")]
)
#: Functions that count up to their only argument.
_RANGES = frozenset({"numpy.arange", "tensorflow.range"})
#: And these make as many as their third.
_SPACED = frozenset({"numpy.linspace", "tensorflow.linspace"})
_OPERATORS = frozenset({"Add", "Sub", "Mult", "Div", "Pow"})
_LONGEST = 10**12


def has_length(dataset: Dataset) -> bool:
    """Does TensorFlow know how many elements there are, and is that a number?"""
    known: bool | None = dataset.known.get(has_length)
    if known is None:
        known = dataset.known[has_length] = all(map(_is_counted, tips(dataset)))
    return known


def _is_counted(stage: Stage) -> bool:
    if stage.op in _COUNTED_SOURCES or stage.op == "assert_cardinality":
        return True
    count = stage.literal("count")
    keeps = stage.op in _COUNTED or (stage.op == "repeat" and isinstance(count, int) and count > 0)
    return keeps and bool(stage.inputs) and all(map(has_length, stage.inputs))


def length(dataset: Dataset) -> int | None:
    """How many elements there are, where the code says so."""
    if length not in dataset.known:
        numbers = {_length(stage) for stage in tips(dataset)}
        dataset.known[length] = numbers.pop() if len(numbers) == 1 else None
    known: int | None = dataset.known[length]
    return known


def _length(stage: Stage) -> int | None:
    if not stage.inputs:
        return _source_length(stage)
    given = length(stage.inputs[0]) if len(stage.inputs) == 1 else None
    if given is None or stage.op in _KEEPING:
        return given
    number = stage.literal("batch_size" if stage.operation.batches else "count")
    if not isinstance(number, int) or number < 1:
        return None
    match stage.op:
        case "take":
            return min(given, number)
        case "skip":
            return max(given - number, 0)
        case "repeat":
            return given * number
        case "batch" | "padded_batch":
            dropped = stage.literal("drop_remainder", False)
            # Whole batches, and one more for what is left over.
            return None if dropped is ... else given // number + (given % number > 0 and not dropped)
    return None


def _source_length(stage: Stage) -> int | None:
    match stage.op, stage.arguments.get("tensors"):
        case "range", _:
            count = only_literal(stage.node)
            return count if isinstance(count, int) and count >= 0 else None
        case "from_tensors", _:
            return 1
        case "from_tensor_slices", given if given is not None:
            return _rows(given.value)
    return None


@recursive
def _rows(value: Value) -> int | None:
    """How long the first axis is, of all that a structure holds."""
    match value:
        case Sequence(kind="tuple", items=[first, *_], rest=None):
            return _rows(first)
        case Sequence(kind="list", items=items, rest=None):
            return len(items)
        case Mapping_(items=columns, rest=None) if columns:
            return _rows(next(iter(columns.values())))
        case External(symbol=symbol, arguments=[shape, *_]):
            if symbol.rpartition(".")[2] in ARRAYS:
                return _rows(Sequence("list", shape.items, shape.rest)) if isinstance(shape, Sequence) else None
            if plain(symbol) in _RANGES and value.given == (shape,) and isinstance(shape, Constant):
                return (
                    ceil(shape.value) if isinstance(shape.value, (int, float)) and 0 <= shape.value < _LONGEST else None
                )
            if plain(symbol) in _SPACED and len(value.given) == 3 and isinstance(number := value.given[2], Constant):
                return number.value if isinstance(number.value, int) and number.value >= 0 else None
            if value.receiver is not None and symbol.endswith(".astype"):
                return _rows(value.receiver)
            return _first_axis(shape) if plain(symbol) in _SHAPED else None
        case Computed(expr=expr):
            return _computed_rows(expr)
        case Expr():
            return _computed_rows(value)
    return None


def _computed_rows(expr: Expr) -> int | None:
    """How long the first axis is of what operators and `x[:, None]` make of arrays."""
    if expr.by == "item" and len(expr.of) == 2:
        match expr.of[1]:
            case Sequence(items=[Slice(lower=None, upper=None, step=None), *_]):
                return _rows(expr.of[0])
            case Sequence(items=[Constant(None), *_]):
                return 1
    if expr.by not in _OPERATORS:
        return None
    known = {_rows(part) for part in expr.of if not isinstance(part, Constant)}
    # An axis of one is stretched. Where others differ, one may have fewer axes.
    longest = known - {1} or known
    return longest.pop() if len(longest) == 1 else None


def _first_axis(shape: Value) -> int | None:
    match shape:
        case Constant(int(length)) | Sequence(items=[Constant(int(length)), *_]):
            return length
    return None
