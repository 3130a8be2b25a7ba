"""What values are: literals, containers, and what the expression of a tensor makes it.

The rules by which functions are followed stand in `tensors.py` and `contents.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence as Items
from typing import Any, NamedTuple, TypeAlias

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import canonical, last
from tfdata_lint.pipeline.knowledge.rows import Known
from tfdata_lint.pipeline.nouns.fold import Fold, expressions
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Given, Join, Stage
from tfdata_lint.pipeline.nouns.structure import (
    NOTHING,
    UNKNOWN,
    Dict_,
    Kind,
    Nested,
    Shape,
    Structure,
    Tensor,
    Tuple_,
    Unknown,
    bounded,
    dict_of,
    one_of,
    refined,
)
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Computed,
    Constant,
    Expr,
    External,
    Mapping_,
    Sequence,
    Symbol,
    Value,
)

_DTYPES = frozenset(
    {"bfloat16", "bool", "complex64", "complex128", "float16", "float32", "float64", "int8", "int16", "int32", "int64",
     "string", "uint8", "uint16", "uint32", "uint64"}
)  # fmt: skip
#: Other names of dtypes; those of Python mean others to NumPy.
_ALIASES = {"half": "float16", "double": "float64", "bool_": "bool", "str": "string", "bytes": "string"}
_OF_TENSORS = {"float": "float32", "int": "int64"}
#: Functions that give a number of Python, of the dtype that this has where it meets no tensor.
NUMBERS = {"builtins.float": "float32", "builtins.int": "int32", "builtins.len": "int32"}
OF_ARRAYS = {"float": "float64", "int": "int64", "float_": "float64", "int_": "int64"}


class Rules(NamedTuple):
    """How results are worked out."""

    operators: Mapping[str, Rule]
    """By the name of an operator or a method."""
    functions: Mapping[str, Rule]
    """By the name that rows of `knowledge/functions.py` give them."""
    other: Callable[[Call, str], Structure]
    """What has no row, by its canonical name."""


class Reading(Fold[Structure]):
    """One working out of structures, given what mapped functions are given."""

    def __init__(
        self,
        structure_of: Callable[[Stage | Join, Reading], Structure],
        argument: Callable[[Given, int, Reading], Structure],
        rules: Rules,
        given: Mapping[int, tuple[Structure, ...] | None] | None = None,
    ) -> None:
        super().__init__()
        self.structure_of = structure_of
        self.argument = argument
        self.rules = rules
        self.given = given or {}
        """The arguments of the mapped functions that are being followed, by the `id` of their `Given`."""
        self.stages: dict[int, Structure] = {}

    def value(self, value: Value | None) -> Structure:
        """What a value is that is no expression."""
        match value:
            case Constant(inner):
                return NOTHING if inner is None else of_literal(inner)
            case Sequence(kind="tuple", items=items, rest=None, exact=True):
                return bounded(Tuple_(tuple([self.of(item) for item in items])))
            case Sequence(kind="tuple"):
                # Of how many parts is not known: `(x, *y)`.
                return UNKNOWN
            case Sequence():
                return self.packed(value)
            case Mapping_(exact=True):
                return self._dict(value)
            case External(symbol=symbol, receiver=receiver):
                given = value.arguments if receiver is None else (receiver, *value.arguments)
                return bounded(Call(self, symbol, given, value.keywords).result())
            case Stage(op="parameter", result=Expr() as expr):
                # A window, or several in a dict.
                return self.of(expr)
            case Stage() | Join():
                return bounded(Nested(self.structure_of(value, self)))
            case Alternatives(branches=branches):
                return one_of([self.of(branch.value) for branch in branches])
        return UNKNOWN

    def result(self, value: Value | None) -> Structure:
        """What a mapped function gives: a list is a tuple to it."""
        return _result(value, self)

    def fits(self, given: Given) -> bool:
        """Is a mapped function given what it was read with?"""
        arguments = self.given.get(id(given))
        return given.exact if arguments is None else len(arguments) == given.count

    def tensor(self, value: Value | None) -> Tensor | Unknown:
        """A value as the tensor that it is converted to."""
        return _tensor(value, self)

    def packed(self, value: Sequence) -> Structure:
        """A list as a tensor."""
        if not value.exact or value.kind == "set":
            return UNKNOWN
        if value.rest is not None:
            return Tensor()
        if not value.items:
            return Tensor("float32", (0,))
        if (literal := literal_of(value)) is not ...:
            return of_literal(literal)
        return stacked([self.tensor(item) for item in value.items], list(value.items))

    def _dict(self, value: Mapping_) -> Structure:
        entries = [(key, self.of(item)) for key, item in value.held]
        if value.spread is not None:
            start = self.of(value.spread)
            return bounded(dict_of((*start.entries, *entries))) if isinstance(start, Dict_) else UNKNOWN
        return bounded(dict_of(entries)) if value.rest is None else UNKNOWN

    def expression(self, expr: Expr) -> Structure:
        if expr.by == "parameter":
            given, number = expr.of
            return self.argument(given, number, self)
        return bounded(Call(self, expr.by, expr.of, expr.named).result())


@recursive
def _result(value: Value | None, reading: Reading) -> Structure:
    match value:
        case Sequence(kind="list" | "tuple", items=items, rest=None, exact=True):
            return plain(bounded(Tuple_(tuple([reading.of(item) for item in items]))))
        case Sequence():
            # A tuple, but of how many parts is not known.
            return UNKNOWN
        case Alternatives(branches=branches):
            return one_of([_result(branch.value, reading) for branch in branches])
        case Expr(by="either", of=values):
            return one_of([_result(part, reading) for part in values])
        case Expr(by="mapped", of=(Given() as given, inner)):
            return _result(inner, reading) if reading.fits(given) else UNKNOWN
    return plain(reading.of(value))


@recursive
def _tensor(value: Value | None, reading: Reading) -> Tensor | Unknown:
    match value:
        case Sequence():
            found = reading.packed(value)
        case Alternatives(branches=branches):
            found = one_of([_tensor(branch.value, reading) for branch in branches])
        case _:
            found = reading.of(value)
    if isinstance(found, Tuple_) and not found.names:
        found = stacked(found.items)
    return found if isinstance(found, Tensor) else UNKNOWN


class Call:
    """A function or operator, and what it is given."""

    def __init__(self, reading: Reading, name: str, positional: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        self.reading = reading
        self.name = name
        self.positional = positional
        self.named = named
        self.row = Known()

    def result(self) -> Structure:
        rules = self.reading.rules
        if (rule := rules.operators.get(self.name)) is not None:
            return rule(self)
        row = known(self.name)
        if not row.gives:
            return rules.other(self, canonical(self.name))
        if len(self.positional) > len(row.parameters) and row.parameters:
            # Some of them have further ones, which change nothing where they are given by name.
            self.positional = self.positional[: len(row.parameters)]
        self.row = row
        return rules.functions[row.gives](self)

    def value(self, parameter: str) -> Value | None:
        """What is given for a parameter; None where nothing is."""
        if parameter in self.named:
            found: Value | None = self.named[parameter]
            return found
        place = self.row.parameters.index(parameter)
        return self.positional[place] if place < len(self.positional) else None

    @property
    def first(self) -> Tensor | Unknown:
        """What is given first, as a tensor."""
        if self.positional:
            return self.reading.tensor(self.positional[0])
        return self.reading.tensor(self.named.get(self.row.parameters[0])) if self.row.parameters else UNKNOWN

    def literal(self, parameter: str, default: Any = None) -> Any:
        """The Python value of an argument; `...` where it is not known."""
        value = self.value(parameter)
        return default if value is None else literal_of(value)

    def literal_named(self, name: str, default: Any = None) -> Any:
        """The Python value of an argument that older versions take by this name."""
        return literal_of(self.named[name]) if name in self.named else default

    def shape(self, parameter: str) -> Shape:
        """The shape that an argument says."""
        return shape_said(self.value(parameter), self.reading)

    def dtype(self, parameter: str, default: str = "") -> str:
        value = self.value(parameter)
        return default if value is None or value == Constant(None) else dtype_said(value)

    def at(self, place: int) -> Value:
        return self.positional[place] if place < len(self.positional) else Constant(None)


# ---- what is written ------------------------------------------------------------------------------------------


def dtype_said(value: Value | None, aliases: Mapping[str, str] = _OF_TENSORS) -> str:
    """The dtype that a value names; empty where that is not known."""
    match value:
        case Symbol(name):
            name = last(name)
        case Constant(str(name)):
            pass
        case _:
            return ""
    name = aliases.get(name, _ALIASES.get(name, name))
    return name if name in _DTYPES else ""


@recursive
def shape_said(value: Value | None, reading: Reading) -> Shape:
    """The shape that a value names: a list, a number, a `TensorShape`, a tensor of sizes."""
    match value:
        case Sequence(items=items, rest=None, exact=True):
            return tuple([size_said(item, reading) for item in items])
        case Constant(bool()):
            return None
        case Constant(int(size)):
            return (size_of(size),)
        case External(symbol=symbol, arguments=(inner,)) if last(symbol) == "TensorShape":
            return None if inner == Constant(None) else shape_said(inner, reading)
        case Expr() | External():
            sizes = reading.tensor(value)
            if isinstance(sizes, Tensor) and sizes.shape is not None and len(sizes.shape) == 1:
                rank = sizes.shape[0]
                return None if rank is None or not 0 <= rank <= 8 else (None,) * rank
    return None


def size_said(value: Value, reading: Reading) -> int | None:
    """The size that a number names, also that of another tensor: `len(x)`, `x.shape[0]`."""
    match value.expr if isinstance(value, Computed) else value:
        case Constant(size):
            return size_of(size)
        case Expr(by="builtins.len", of=(inner,)):
            return _size_at(reading.tensor(inner), 0)
        case Expr(by="item", of=(Expr(by="attribute", of=(inner, Constant("shape"))), Constant(int(place)))):
            return _size_at(reading.tensor(inner), place)
    return None


def _size_at(tensor: Tensor | Unknown, place: int) -> int | None:
    shape = (tensor.shape or ()) if isinstance(tensor, Tensor) and tensor.kind in ("dense", "array") else ()
    return size_of(shape[place]) if -len(shape) <= place < len(shape) else None


def size_of(size: Any) -> int | None:
    return size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else None


@recursive
def literal_of(value: Value | None) -> Any:
    """The Python value: of a literal, of a list of them; `...` where it is not known."""
    match value:
        case Constant(inner):
            return inner
        case Sequence(items=items, rest=None, exact=True):
            found = [literal_of(item) for item in items]
            return ... if any(item is ... for item in found) else found
    return ...


def of_literal(value: Any, is_array: bool = False) -> Tensor | Unknown:
    """What a number, a text or a list of them is converted to."""
    shape: list[int] = []
    row = [value]
    while row and isinstance(row[0], list):
        sizes = {len(part) if isinstance(part, list) else -1 for part in row}
        if len(sizes) > 1:
            return UNKNOWN
        shape.append(sizes.pop())
        row = [item for part in row for item in part]
    types = {type(item) for item in row}
    if list in types:
        return UNKNOWN
    found = tuple(shape)
    if not row:
        return Tensor("float64" if is_array else "float32", found)
    if types <= {str, bytes}:
        return Tensor("string", found)
    if types == {bool}:
        return Tensor("bool", found)
    if types == {int}:
        small = all(-(2**31) <= item < 2**31 for item in row)
        return Tensor("int32" if small and not is_array else "int64", found)
    if types <= {int, float}:
        return Tensor("float64" if is_array else "float32", found)
    return UNKNOWN


def is_weak(value: Value | None) -> bool:
    """A number or a list of numbers of Python, which takes the dtype of the tensor it meets."""
    if isinstance(value, Expr) and value.by in NUMBERS:
        return not any(part.by == "parameter" for part in expressions(value))
    return literal_of(value) is not ...


def plain(structure: Structure) -> Structure:
    """An array as the tensor that tf.data makes of it."""
    match structure:
        case Tensor(kind="array"):
            return Tensor(structure.dtype, structure.shape)
        case Tuple_(items, names):
            return Tuple_(tuple([plain(item) for item in items]), names)
        case Dict_(entries):
            return Dict_(tuple([(key, plain(part)) for key, part in entries]))
    return structure


def stacked(parts: Items[Structure], values: list[Value] | None = None, axis: int = 0) -> Tensor | Unknown:
    """Several tensors as one, with a new dimension of so many."""
    tensors = [part for part in parts if isinstance(part, Tensor)]
    if len(tensors) != len(parts) or not tensors:
        return UNKNOWN
    if any(tensor.kind in ("sparse", "ragged") for tensor in tensors):
        return UNKNOWN
    weak = [is_weak(value) for value in values] if values is not None else [False] * len(parts)
    dtypes = {tensor.dtype for tensor, is_weak in zip(tensors, weak, strict=True) if not is_weak}
    shape = agreed([tensor.shape for tensor in tensors])
    if shape is not None:
        axis = axis + len(shape) + 1 if axis < 0 else axis
        shape = (*shape[:axis], len(tensors), *shape[axis:])
    kind: Kind = "array" if all(tensor.kind == "array" for tensor in tensors) else "dense"
    return Tensor(dtypes.pop() if len(dtypes) == 1 else "", shape, kind)


def agreed(shapes: list[Shape]) -> Shape:
    """The one shape that tensors must have: what is known of any of them."""
    found: Shape = None
    for shape in shapes:
        if shape is not None and found is not None and len(shape) != len(found):
            return None
        found = refined(found, shape)
    return found


Rule: TypeAlias = Callable[[Call], Structure]
"""What a call gives."""
