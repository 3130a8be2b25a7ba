"""Which parts of an element a value is made of, or decided by."""

from __future__ import annotations

from typing import Any, TypeAlias

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.fold import Gathered, part_of
from tfdata_lint.pipeline.nouns.stages import Given, Join, Stage
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Unknown, Value

#: Keys from the whole element inwards; of several parameters the number of one is the first.
Place: TypeAlias = tuple[Any, ...]
#: Something may be read that is not seen.
UNSEEN: Place = (...,)


class Parts(Gathered):
    """The parts of the element of which a value is made, or which decide between several."""

    def expression(self, expr: Expr) -> frozenset[Any]:
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
        return super().expression(expr)

    def value(self, value: Value | None) -> frozenset[Any]:
        # What is made elsewhere may change: a variable, a generator.
        may_change = isinstance(value, External) and not known(value.symbol).is_pure
        return frozenset({UNSEEN}) if may_change or isinstance(value, (Unknown, Stage, Join)) else super().value(value)

    def too_deep(self) -> frozenset[Any]:
        return frozenset({UNSEEN})


def _is_picked(value: Value) -> bool:
    """Is it the element, or a part of it?"""
    while isinstance(value, Expr) and value.by in ("item", "unpacked"):
        value = value.of[0]
    return isinstance(value, Expr) and value.by == "parameter"
