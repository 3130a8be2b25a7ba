"""What an element is: its nesting, and of each tensor in it the dtype and the shape, as far as they are known.

What is said here TensorFlow's `element_spec` says too; where nothing is sure, it is `UNKNOWN`, `""` or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from math import prod
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, TypeAlias

from tfdata_lint.pipeline.nouns.records import Record
from tfdata_lint.pipeline.nouns.values import same

#: A dimension that is known to differ from element to element; None is one of which nothing is known.
VARIES: Final = -1

Shape: TypeAlias = tuple[int | None, ...] | None
"""None where not even the rank is known."""

#: Bytes that a value takes.
WIDTHS: Final = MappingProxyType(
    {"bool": 1, "uint8": 1, "int8": 1, "float16": 2, "bfloat16": 2, "uint16": 2, "int16": 2, "float32": 4, "int32": 4,
     "uint32": 4, "float64": 8, "int64": 8, "uint64": 8, "complex64": 8, "complex128": 16}
)  # fmt: skip

Kind = Literal[
    "dense",
    "sparse",
    "ragged",
    "array",  # of NumPy: on the way to a tensor
]


class Unknown(Record):
    """Anything at all."""

    __slots__ = ()

    def __str__(self) -> str:
        return "?"


class Nothing(Record):
    """A `None` in the place of a tensor."""

    __slots__ = ()

    def __str__(self) -> str:
        return "None"


class Tensor(Record):
    """One tensor of an element."""

    __slots__ = ("dtype", "kind", "shape", "unranked")
    __match_args__: ClassVar = ("dtype", "shape", "kind", "unranked")

    def __init__(self, dtype: str = "", shape: Shape = None, kind: Kind = "dense", unranked: bool = False) -> None:
        self.dtype = dtype
        """As TensorFlow has it: `float32`, `string`. Empty where it is not known."""
        self.shape = shape
        self.kind = kind
        self.unranked = unranked
        """TensorFlow itself does not know the rank."""

    def _parts(self) -> tuple[Any, ...]:
        return (self.dtype, self.shape, self.kind, self.unranked)

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)

    @property
    def varies(self) -> bool:
        """Is it known to have other sizes in other elements?"""
        return self.shape is not None and VARIES in self.shape

    def shaped(self, shape: Shape) -> Tensor:
        """The same with another shape."""
        return Tensor(self.dtype, shape, self.kind, self.unranked and shape is None)

    def typed(self, dtype: str) -> Tensor:
        """The same with another dtype."""
        return Tensor(dtype, self.shape, self.kind, self.unranked)

    def __str__(self) -> str:
        shape = "..." if self.shape is None else ",".join(map(_dimension, self.shape))
        text = f"{self.dtype or '?'}[{shape}]"
        return f"{self.kind} {text}" if self.kind in ("sparse", "ragged") else text


class Nested(Record):
    """A dataset as (part of) an element, as `window` makes it."""

    __slots__ = ("differing", "element")
    __match_args__: ClassVar = ("element", "differing")

    def __init__(self, element: Structure, differing: int = 0) -> None:
        self.element = element
        self.differing = differing
        """Its first batches of so many elements, or of more, are known to differ in length; 0: nothing is known."""

    def _parts(self) -> tuple[Any, ...]:
        return (self.element, self.differing)

    def __str__(self) -> str:
        return f"dataset of {self.element}"


class Tuple_(Record):
    """Several parts in a tuple. `map` gives them to its function one by one, unless they have names."""

    __slots__ = ("items", "names")
    __match_args__: ClassVar = ("items", "names")

    def __init__(self, items: tuple[Structure, ...], names: tuple[str, ...] = ()) -> None:
        self.items = items
        self.names = names
        """Of a named tuple."""

    def _parts(self) -> tuple[Any, ...]:
        return (self.items, self.names)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))}{',' * (len(self.items) == 1)})"


class Dict_(Record):
    """Parts by name, in the order in which they are written."""

    __slots__ = ("entries",)
    __match_args__: ClassVar = ("entries",)

    def __init__(self, entries: tuple[tuple[object, Structure], ...]) -> None:
        self.entries = entries

    def _parts(self) -> tuple[Any, ...]:
        return (self.entries,)

    @property
    def keys(self) -> tuple[object, ...]:
        return tuple([key for key, _ in self.entries])

    def get(self, key: object) -> Structure | None:
        return next((part for name, part in self.entries if name == key), None)

    def __str__(self) -> str:
        return f"({', '.join(f'{key}: {part}' for key, part in self.entries)})" if self.entries else "{}"


Structure: TypeAlias = Unknown | Nothing | Tensor | Nested | Tuple_ | Dict_

UNKNOWN: Final = Unknown()
NOTHING: Final = Nothing()


def scalar(dtype: str) -> Tensor:
    return Tensor(dtype, ())


def dict_of(entries: Iterable[tuple[object, Structure]]) -> Dict_:
    """Parts by name; the last one of a name counts."""
    return Dict_(tuple(dict(entries).items()))


def leaves(structure: Structure) -> Iterator[Unknown | Nothing | Tensor | Nested]:
    """The parts that hold no other parts, from left to right."""
    match structure:
        case Tuple_(items):
            for item in items:
                yield from leaves(item)
        case Dict_(entries):
            for _, item in entries:
                yield from leaves(item)
        case _:
            yield structure


#: Parts of one element that are told apart; real code has some hundreds at most.
_PARTS = 2_000


def bounded(structure: Structure) -> Structure:
    """What an element is, unless it has too many parts: tuples of one thing twice, again and again, are endless."""
    if not isinstance(structure, (Tuple_, Dict_, Nested)):
        return structure
    todo: list[Structure] = [structure]
    left = _PARTS
    while todo:
        match todo.pop():
            case Tuple_(items):
                todo.extend(items)
            case Dict_(entries):
                todo.extend([part for _, part in entries])
            case Nested(element):
                todo.append(element)
        left -= 1
        if left < len(todo):
            return UNKNOWN
    return structure


def arguments_of(structure: Structure) -> tuple[Structure, ...] | None:
    """What a mapped function is given; None where that is not known."""
    match structure:
        case Unknown():
            return None
        case Tuple_(items, ()):
            return items
    return (structure,)


def values_in(leaf: Structure) -> int | None:
    """How many values a tensor has; None where that is not known, or it is none of numbers."""
    if isinstance(leaf, Nothing):
        return 0
    if not isinstance(leaf, Tensor) or leaf.kind != "dense" or leaf.shape is None or leaf.dtype not in WIDTHS:
        return None
    sides = [side for side in leaf.shape if side is not None and side >= 0]
    return prod(sides) if len(sides) == len(leaf.shape) else None


def bytes_in(leaf: Structure) -> int | None:
    """How many bytes a tensor takes; None where that is not known."""
    values = values_in(leaf)
    return values * WIDTHS[leaf.dtype] if values and isinstance(leaf, Tensor) else values


# ---- what operations do to elements ---------------------------------------------------------------------------------


def batched(
    structure: Structure, size: int | None, drop_remainder: bool | None = False, rest: int | None = None
) -> Structure:
    """Batches of elements: a new first dimension, known where no batch can be smaller; else it is the `rest`."""
    first = size if drop_remainder else rest
    return _each(structure, lambda leaf: leaf.shaped(_before(first, leaf.shape)))


def ragged_batched(structure: Structure, size: int | None, drop_remainder: bool | None = False) -> Structure:
    """Batches whose rows may have other lengths: ragged where TensorFlow does not know a dimension."""
    first = size if drop_remainder else None
    return _each(structure, lambda leaf: _ragged(leaf, first))


def _ragged(leaf: Tensor, first: int | None) -> Structure:
    if leaf.kind == "sparse" or leaf.shape is None or None in leaf.shape:
        # It may know more.
        return UNKNOWN
    return Tensor(leaf.dtype, _before(first, leaf.shape), "ragged" if leaf.varies else leaf.kind)


def padded(
    structure: Structure, size: int | None, drop_remainder: bool | None = False, shapes: Structure | None = None
) -> Structure:
    """Batches of padded elements. `shapes` says per tensor to which size, if it is said."""
    first = size if drop_remainder else None
    match structure, shapes:
        case Tuple_(items), Tuple_(to):
            if len(items) != len(to):
                return UNKNOWN
            pairs_of = zip(items, to, strict=True)
            return Tuple_(tuple([padded(a, size, drop_remainder, b) for a, b in pairs_of]), structure.names)
        case Dict_(entries), Dict_():
            pairs = [(key, part, shapes.get(key)) for key, part in entries]
            return dict_of(
                (k, UNKNOWN if to is None else padded(part, size, drop_remainder, to)) for k, part, to in pairs
            )
        case Tensor(), (None | Tensor()):
            to_shape = structure.shape if shapes is None else shapes.shape
            return structure.shaped(_before(first, _open(to_shape)))
        case _, None:
            return _each(structure, lambda leaf: leaf.shaped(_before(first, _open(leaf.shape))))
    return UNKNOWN


def unbatched(structure: Structure) -> Structure:
    """The rows of the elements."""
    return _each(structure, _row)


def _row(leaf: Tensor) -> Structure:
    if leaf.shape is None:
        return leaf
    return leaf.shaped(leaf.shape[1:]) if leaf.shape else UNKNOWN


def windows_of(structure: Structure, differing: int = 0) -> Structure:
    """`window` makes a dataset of each tensor."""
    match structure:
        case Tuple_(items):
            return Tuple_(tuple([windows_of(item, differing) for item in items]), structure.names)
        case Dict_(entries):
            return Dict_(tuple([(key, windows_of(part, differing)) for key, part in entries]))
        case Unknown():
            return UNKNOWN
    return Nested(structure, differing)


def settled(structure: Structure) -> Structure:
    """The same where sizes that differ may not do so any more."""

    def change(leaf: Tensor) -> Tensor:
        shape = leaf.shape
        return leaf if shape is None else leaf.shaped(tuple([None if size == VARIES else size for size in shape]))

    return _each(structure, change)


def joined(a: Structure, b: Structure) -> Structure:
    """What holds of both."""
    if same(a, b):
        return a
    match a, b:
        case Tensor(), Tensor():
            if a.kind != b.kind:
                return UNKNOWN
            shape, unranked = _joined_shapes(a.shape, b.shape), a.unranked and b.unranked
            return Tensor(a.dtype if a.dtype == b.dtype else "", shape, a.kind, unranked)
        case Nested(one, differing), Nested(other, others):
            return Nested(joined(one, other), differing if differing == others else 0)
        case Tuple_(items, names), Tuple_(others, other_names) if len(items) == len(others) and names == other_names:
            return Tuple_(tuple([joined(one, other) for one, other in zip(items, others, strict=True)]), names)
        case Dict_(entries), Dict_(further) if set(a.keys) == set(b.keys):
            others_by_key = dict(further)
            return Dict_(tuple([(key, joined(part, others_by_key[key])) for key, part in entries]))
    return UNKNOWN


def one_of(structures: Sequence[Structure]) -> Structure:
    """What holds of all of them."""
    return reduce(joined, structures) if structures else UNKNOWN


def _joined_shapes(a: Shape, b: Shape) -> Shape:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple([one if one == other else None for one, other in zip(a, b, strict=True)])


def refined(shape: Shape, other: Shape) -> Shape:
    """A shape of which another one is known to hold, too, as `set_shape` merges them."""
    if shape is None or other is None or len(shape) != len(other):
        return shape if other is None else other
    return tuple([two if is_open(one) else one for one, two in zip(shape, other, strict=True)])


def is_open(dimension: int | None) -> bool:
    """Is it no number?"""
    return dimension is None or dimension == VARIES


def _open(shape: Shape) -> Shape:
    """Dimensions that padding makes equal within a batch."""
    return None if shape is None else tuple([None if is_open(size) else size for size in shape])


def _before(first: int | None, shape: Shape) -> Shape:
    return None if shape is None else (first, *shape)


def _each(structure: Structure, change: Callable[[Tensor], Structure]) -> Structure:
    """The same nesting with other tensors; what holds datasets is not known."""
    match structure:
        case Tensor():
            return change(structure)
        case Tuple_(items):
            return Tuple_(tuple([_each(item, change) for item in items]), structure.names)
        case Dict_(entries):
            return Dict_(tuple([(key, _each(part, change)) for key, part in entries]))
        case Nothing():
            return structure
    return UNKNOWN


def _dimension(size: int | None) -> str:
    return "?" if size is None else "*" if size == VARIES else str(size)
