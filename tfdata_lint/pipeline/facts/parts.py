"""Which parts of an element a value is made of, or decided by."""

from __future__ import annotations

from typing import Any, TypeAlias

from tfdata_lint.pipeline.nouns.fold import Fold, part_of
from tfdata_lint.pipeline.nouns.stages import Given
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Constant,
    Expr,
    External,
    Function,
    Mapping_,
    Sequence,
    Slice,
    Symbol,
    Value,
    parts_of,
)

#: Keys from the whole element inwards; of several parameters the number of one is the first.
Place: TypeAlias = tuple[Any, ...]
#: Something may be read that is not seen.
UNSEEN: Place = (...,)
_NOTHING = frozenset[Place]()


class Parts(Fold[frozenset[Place]]):
    """The parts of the element of which a value is made, or which decide between several."""

    def expression(self, expr: Expr) -> frozenset[Place]:
        match expr:
            case Expr(by="parameter", of=(Given(count=count), int(number))):
                return frozenset({(number,) if count > 1 else ()})
            case Expr(by="item" | "unpacked", of=(base, Constant(key), *_)):
                found = part_of(base, Constant(key))
                if not isinstance(found, Expr) or found.by != "item" or found.of[1] != Constant(key):
                    return self.of(found)
                # Of what computes with the whole element no part is a part of that.
                inner = self.of(found.of[0])
                return frozenset([(*place, key) for place in inner]) if _is_picked(found.of[0]) else inner
        return _NOTHING.union(*map(self.of, expr.of), *map(self.of, expr.named.values()))

    def value(self, value: Value | None) -> frozenset[Place]:
        match value:
            case Sequence() | Mapping_() | Alternatives():
                return _NOTHING.union(*map(self.of, parts_of(value)))
            case External(receiver=receiver, given=given):
                return self.of(receiver).union(*map(self.of, given))
            case Slice(lower=lower, upper=upper, step=step):
                return self.of(lower) | self.of(upper) | self.of(step)
            case Constant() | Symbol() | Function() | None:
                return _NOTHING
        return frozenset({UNSEEN})

    def too_deep(self) -> frozenset[Place]:
        return frozenset({UNSEEN})


def _is_picked(value: Value) -> bool:
    """Is it the element, or a part of it?"""
    while isinstance(value, Expr) and value.by in ("item", "unpacked"):
        value = value.of[0]
    return isinstance(value, Expr) and value.by == "parameter"
