"""How a value in a mapped function relates to the element that the function is given (`batches.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, TypeAlias

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import BatchSafety
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.nouns.records import Record


class Refused(Exception):
    """The function cannot be shown to be safe."""

    def __init__(self, verdict: BatchSafety, reason: str) -> None:
        super().__init__(reason)
        self.verdict: BatchSafety = verdict
        self.reason = reason


def unsafe(reason: str) -> NoReturn:
    raise Refused("unsafe", reason)


def unknown(reason: str) -> NoReturn:
    raise Refused("unknown", reason)


def refuse(name: str) -> NoReturn:
    """Refuse a call by what is known of it."""
    if why := known(name).why_not:
        unsafe(f"`{displayed(name)}` {why}")
    unknown(f"`{displayed(name)}` is not known")


class Tensor(Record):
    """A tensor made from the element, row by row. Equal `shape`s are equal shapes."""

    __slots__ = ("folds", "shape")
    __match_args__: ClassVar = ("shape", "folds")

    def __init__(self, shape: Any, folds: frozenset[str] = frozenset()) -> None:
        self.shape = shape
        self.folds = folds
        """What the last operation was, if a further one may be folded with it: a product (`*`) or a sum (`+`)."""

    def _parts(self) -> tuple[Any, ...]:
        return (self.shape, self.folds)


class Component(Record):
    """The element or a part of it: a tensor, or a dict of parts, which only its use tells."""

    __slots__ = ("changed", "path", "removed")

    def __init__(
        self, path: tuple[str, ...], changed: Mapping[str, Answer], removed: frozenset[str] = frozenset()
    ) -> None:
        self.path = path
        self.changed = changed
        """Items set, in a dict."""
        self.removed = removed

    def _parts(self) -> tuple[Any, ...]:
        return (self.path, self.changed, self.removed)


class Scalar(Record):
    """A constant without dimensions; `value` is `...` where it is not known."""

    __slots__ = ("value",)
    __match_args__: ClassVar = ("value",)

    def __init__(self, value: Any = ...) -> None:
        self.value = value

    def _parts(self) -> tuple[Any, ...]:
        return (self.value,)


class Static(Record):
    """Something that does not depend on the element and is no scalar for sure: a table, a dtype, an array."""

    __slots__ = ("known", "text")
    __match_args__: ClassVar = ("text", "known")

    def __init__(self, text: str, known: bool = True) -> None:
        self.text = text
        self.known = known
        """False: it might be a scalar after all."""

    def _parts(self) -> tuple[Any, ...]:
        return (self.text, self.known)


class Group(Record):
    """A tuple, list or dict made by the function."""

    __slots__ = ("items", "keys", "kind")

    def __init__(self, kind: str, items: tuple[Answer, ...], keys: tuple[Any, ...] = ()) -> None:
        self.kind = kind
        self.items = items
        self.keys = keys

    def _parts(self) -> tuple[Any, ...]:
        return (self.kind, self.items, self.keys)


class Columns(Record):
    """What `tf.io.decode_csv` returns: a list of unknown length of tensors of one shape."""

    __slots__ = ("shape",)
    __match_args__: ClassVar = ("shape",)

    def __init__(self, shape: Any) -> None:
        self.shape = shape

    def _parts(self) -> tuple[Any, ...]:
        return (self.shape,)


Answer: TypeAlias = "Tensor | Component | Scalar | Static | Group | Columns"


def with_item(base: Component, key: Any, item: Answer) -> Component:
    """A dict with another item."""
    return Component(base.path, {**base.changed, key: item}, base.removed - {key})
