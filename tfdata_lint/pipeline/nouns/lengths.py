"""How many elements there are: at least, at most, exactly; and what a number is that code works out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor
from operator import add, floordiv, mul, sub, truediv
from typing import Any, NamedTuple

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.fold import Fold
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.results import Reading
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage, tips
from tfdata_lint.pipeline.nouns.structure import Structure, Tensor, is_open, leaves
from tfdata_lint.pipeline.nouns.values import (
    Computed,
    Constant,
    Expr,
    External,
    Mapping_,
    Sequence,
    Slice,
    Unknown,
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
KEEPING = frozenset({"map", "enumerate", "shuffle", "cache", "prefetch", "with_options", "snapshot", "scan"})
#: And these no more than that.
_FEWER = frozenset({"filter", "take_while", "ignore_errors", "unique", "rejection_resample"})
_BATCHES = frozenset({"batch", "padded_batch", "ragged_batch", "map_and_batch", "batch_and_drop_remainder",
                      "padded_batch_and_drop_remainder"})  # fmt: skip
#: More elements than anybody reads.
_ENDLESS = 10**15
_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "Add": add,
    "Sub": sub,
    "Mult": mul,
    "Div": truediv,
    "FloorDiv": floordiv,
}
_ROUNDING: Mapping[str, Callable[[Any], int]] = {"int": int, "floor": floor, "ceil": ceil, "round": round}
#: Operations on an array that are looked through for the array it was made of.
_DEEP = 20


class Bounds(NamedTuple):
    """So many at least, and so many at most; no most where that is not known, or where there is no end."""

    least: int = 0
    most: int | None = None

    @property
    def exact(self) -> int | None:
        return self.most if self.least == self.most else None


class Amount(NamedTuple):
    """A number: so many times the length of something that is not known, or, of nothing, the number itself."""

    times: float
    of: Value | None = None


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


def bounds(dataset: Dataset, reading: Reading) -> Bounds:
    """How many elements there are, as far as the code says so."""
    known: Bounds | None = dataset.known.get(bounds)
    if known is None:
        found = [_bounds(stage, reading) for stage in tips(dataset)]
        known = dataset.known[bounds] = Bounds(min(one.least for one in found), _most(one.most for one in found))
    return known


def _most(several: Iterable[int | None]) -> int | None:
    numbers = [*several]
    known = [number for number in numbers if number is not None]
    return max(known) if len(known) == len(numbers) else None


def _bounds(stage: Stage, reading: Reading) -> Bounds:
    if not stage.inputs:
        return _of_source(stage, reading)
    given = [bounds(dataset, reading) for dataset in stage.inputs]
    first, mosts = given[0], [one.most for one in given if one.most is not None]
    match stage.op:
        case op if op in KEEPING:
            return first
        case op if op in _FEWER:
            return Bounds(0, first.most)
        case "zip":
            return Bounds(min(one.least for one in given), min(mosts, default=None))
        case "concatenate":
            return Bounds(sum(one.least for one in given), sum(mosts) if len(mosts) == len(given) else None)
        case "repeat" if stage.literal("count") in (None, -1):
            return Bounds(first.least * _ENDLESS, None if first.most else first.most)
        case "assert_cardinality":
            number = amount(stage, "cardinality", reading)
            return Bounds(number, number) if number is not None and number >= 0 else Bounds()
    if first.most is None and stage.op == "take":
        first = first._replace(most=_ENDLESS)
    most = None if first.most is None else _after(stage, first.most, False, reading)
    return Bounds(_after(stage, first.least, True, reading) or 0, None if most is None or most >= _ENDLESS else most)


def _after(stage: Stage, count: int, is_least: bool, reading: Reading) -> int | None:
    """How many elements a stage gives that is given so many: at least, or at most; None where that is not known."""
    if not count:
        return 0
    unknown = 0 if is_least else count
    match stage.op:
        case "take" | "skip" | "repeat":
            number = amount(stage, "count", reading)
            if stage.op == "repeat":
                return None if number is None else count * number
            if number is None:
                return unknown
            if stage.op == "take":
                return min(count, number) if number >= 0 else count
            return max(count - number, 0) if number >= 0 else 0
        case "shard":
            number = amount(stage, "num_shards", reading)
            return unknown if not number else count // number if is_least else ceil(count / number)
        case op if op in _BATCHES:
            number = amount(stage, "batch_size", reading)
            if number is None or number < 1:
                return unknown
            drops = op.endswith("drop_remainder") or stage.literal("drop_remainder", False)
            return ceil(count / number) if drops is False or (drops is ... and not is_least) else count // number
        case "window":
            size, stride = amount(stage, "size", reading), amount(stage, "stride", reading, 1)
            shift = amount(stage, "shift", reading, size) or size
            if not size or not shift or not stride:
                return unknown
            whole = max((count - (size - 1) * stride - 1) // shift + 1, 0)
            drops = stage.literal("drop_remainder", False)
            return ceil(count / shift) if drops is False or (drops is ... and not is_least) else whole
    return None


def _of_source(stage: Stage, reading: Reading) -> Bounds:
    number: int | None = None
    match stage.op:
        case "range":
            said = [_said(stage, part) for part in getattr(stage.node, "args", ())]
            numbers = [one for one in said if isinstance(one, int)]
            if len(numbers) == len(said) and 1 <= len(said) <= 3 and not (len(said) == 3 and not numbers[2]):
                number = len(range(*numbers))
        case "from_tensors":
            number = 1
        case "from_tensor_slices":
            return rows(stage.result, reading)
    return Bounds() if number is None else Bounds(number, number)


def _said(stage: Stage, part: Any) -> object:
    first = stage.arguments.get("args")
    return first.literal if first is not None and first.node is part else getattr(part, "value", None)


# ---- arrays ----------------------------------------------------------------------------------------------------------


def rows(value: Value | None, reading: Reading) -> Bounds:
    """How long the first axis is of an array or a list, or of all that a structure of some holds."""
    known = first_axes(reading.of(value))
    if len(known) == 1:
        return Bounds(known[0], known[0])
    parts: Iterable[Value | None] = [value]
    if isinstance(value, Mapping_) or (isinstance(value, Sequence) and value.kind == "tuple"):
        parts = value.items.values() if isinstance(value, Mapping_) else value.items
    return Bounds(0, min([most for part in parts if (most := _cut(root_of(part))) is not None], default=None))


def first_axes(structure: Structure) -> list[int]:
    """The first axis of each part for which it is known, each once."""
    sizes = {leaf.shape[0] for leaf in leaves(structure) if isinstance(leaf, Tensor) and leaf.shape}
    return [size for size in sizes if size is not None and not is_open(size)]


def root_of(value: Value | None) -> Value | None:
    """What an array has its rows from: arithmetic, other types and further axes keep them."""
    for _ in range(_DEEP):
        match value:
            case Computed(expr=expr):
                value = expr
            case Expr(by="array.astype", of=(inner, *_)):
                value = inner
            case Expr(by="item", of=(inner, Sequence(kind="tuple", items=(first, *_)))) if _is_whole(first):
                value = inner
            case Expr(by="Add" | "Sub" | "Div", of=(inner, Constant())):
                value = inner
            case External(receiver=inner, symbol=symbol) if inner is not None and symbol.endswith(".astype"):
                value = inner
            case External(symbol=symbol, arguments=(inner, *_)) if symbol.rpartition(".")[2] in ARRAYS:
                value = inner
            case _:
                break
    return value


def _is_whole(key: Value) -> bool:
    match key:
        case Slice(lower=None, upper=None, step=None):
            return True
        case Constant(inner):
            return inner is ...
    return False


def _cut(value: Value | None) -> int | None:
    """The most that a slice leaves, whatever it is cut from: 96 of `x[-96:]`."""
    match value:
        case Expr(by="item", of=(_, Slice(step=None) as key)):
            pass
        case _:
            return None
    lower, upper = key.lower, key.upper
    start = 0 if lower is None else lower.value if isinstance(lower, Constant) else None
    stop = 0 if upper is None else upper.value if isinstance(upper, Constant) else None
    if not isinstance(start, int) or not isinstance(stop, int) or (upper is None and start >= 0):
        return None
    if stop > 0:
        return max(stop - start, 0) if start >= 0 else min(stop, -start)
    return max(stop - start, 0) if start < 0 else None


# ---- numbers ---------------------------------------------------------------------------------------------------------


def amount(stage: Stage, parameter: str, reading: Reading, default: int | None = None) -> int | None:
    """The whole number that a stage is given; None where that is not known."""
    if parameter not in stage.arguments:
        return None if stage.open_arguments else default
    argument = stage.arguments[parameter]
    number = argument.literal if argument.literal is not ... else number_of(argument.value, reading)
    return default if number is None else int(number) if isinstance(number, (int, float)) else None


def number_of(value: Value | None, reading: Reading) -> float | None:
    """The number that something is: `len(x) // 32` of an `x` whose length is known."""
    found = Amounts(reading).of(value)
    return found.times if found is not None and found.of is None else None


def rounds(asked: Amount | None, dataset: Dataset, reading: Reading) -> float | None:
    """How often a dataset, which has as many elements as something of unknown length, is gone through for so many
    elements: 3.0 for `3 * (len(x) // 32)` of the batches of 32 of `x`."""
    found: set[float | None] = set()
    if asked is None or asked.of is None:
        return None
    for stage in tips(dataset):
        times, one = asked.times, stage
        while one is not asked.of and (size := _shrinking(one, reading)) and isinstance(one.inputs[0], Stage):
            times, one = times * size, one.inputs[0]
        given = one.result
        parts = given.items if isinstance(given, Sequence) and given.kind == "tuple" else (given,)
        is_it = one is asked.of or (one.op == "from_tensor_slices" and asked.of in map(root_of, parts))
        found.add(times if is_it else None)
    return found.pop() if len(found) == 1 else None


def _shrinking(stage: Stage, reading: Reading) -> float | None:
    """By which number the elements become fewer; None where that is not known."""
    if not stage.inputs:
        return None
    if stage.op in KEEPING:
        return 1.0
    size = amount(stage, "batch_size", reading) if stage.op in _BATCHES else None
    count = amount(stage, "count", reading) if stage.op == "repeat" else None
    return 1.0 / count if count and count > 0 else size


def numbers_in(counted: Value | None) -> range:
    """What `range(1, 9)` counts; nothing where that is not known."""
    bounds = counted.of if isinstance(counted, Expr) and counted.by == "builtins.range" else ()
    known = [bound.value for bound in bounds if isinstance(bound, Constant) and isinstance(bound.value, int)]
    return range(*known) if known and len(known) == len(bounds) and known[2:] != [0] else range(0)


@recursive
def numbers_of(value: Value | None) -> tuple[int, ...]:
    """The least and the greatest that a number is, where a loop counts: 1 and 8 of `for i in range(1, 9)`."""
    match value:
        case Constant(int(one)):
            return (one,)
        case Computed(expr=Expr() as value) | (Expr() as value):
            pass
    match value:
        case Expr(by="item", of=(Expr(by="builtins.range") as counted, Unknown())):
            numbers = numbers_in(counted)
            return (min(numbers), max(numbers)) if numbers else ()
        case Expr(by="Add" | "Sub" | "Mult" as by, of=(one, other)):
            return tuple([int(_ARITHMETIC[by](left, right)) for left in numbers_of(one) for right in numbers_of(other)])
    return ()


class Amounts(Fold[Amount | None]):
    """What a number is that comes of lengths: `int(0.8 * len(x))` is 0.8 times that of `x`."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading

    def value(self, value: Value | None) -> Amount | None:
        match value:
            case Constant(int() | float() as number):
                return Amount(number)
            case External(symbol=symbol, arguments=(inner,), keywords=named) if not named:
                return self._rounded(symbol, self.of(inner))
        return None

    def expression(self, expr: Expr) -> Amount | None:
        match expr.by, expr.of:
            case "builtins.len", (Stage() | Join() as dataset,):
                found = bounds(dataset, self.reading).exact
                return Amount(1.0, dataset) if found is None else Amount(found)
            case ("builtins.len", (inner,)) | (
                "item",
                (Expr(by="attribute", of=(inner, Constant("shape"))), Constant(0)),
            ):
                known = rows(inner, self.reading)
                return Amount(1.0, root_of(inner)) if known.exact is None else Amount(known.exact)
            case by, (one, other) if by in _ARITHMETIC:
                return _combined(by, self.of(one), self.of(other))
            case by, (inner,):
                return self._rounded(by, self.of(inner))
        return None

    def _rounded(self, function: str, inner: Amount | None) -> Amount | None:
        name = plain(function).rpartition(".")[2]
        if inner is None or name not in _ROUNDING:
            return None
        return inner if inner.of is not None else Amount(_ROUNDING[name](inner.times))


def _combined(by: str, one: Amount | None, other: Amount | None) -> Amount | None:
    """What an operator makes of two."""
    if one is None or other is None or (by in ("Div", "FloorDiv") and not other.times):
        return None
    is_kept = other.of is None if by in ("Div", "FloorDiv") else one.of is None or other.of is None
    if by in ("Add", "Sub"):
        is_kept = one.of is other.of
    if not is_kept:
        return None
    of = one.of or other.of
    # Of a length that is not known no number is whole.
    operator = _ARITHMETIC.get("Div" if by == "FloorDiv" and of is not None else by)
    return None if operator is None else Amount(operator(one.times, other.times), of)
