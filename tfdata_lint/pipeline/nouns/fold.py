"""The one way to ask something of an expression graph: a fold, which answers for each expression by its operands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence as Items
from typing import Any, Generic, TypeVar, cast

from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Mapping_,
    Method,
    Partial,
    Sequence,
    Slice,
    Symbol,
    Unknown,
    Value,
    kinds,
    parts_of,
    snapshot,
)
from tfdata_lint.pipeline.nouns.work import step
from tfdata_lint.source.compiled import mypyc_attr

Answer = TypeVar("Answer")

#: Parts of an expression that are looked at.
_MOST = 400
#: What is made of other values, each of which may be shared.
_ASKED_ONCE = kinds(Expr, Sequence, Mapping_, Alternatives, External, Slice, Partial, Method)


# Rules ask with folds of their own, and are not compiled.
@mypyc_attr(allow_interpreted_subclasses=True)
class Fold(ABC, Generic[Answer]):
    """One question about expression graphs. Each node is answered once, however often it is an operand or held.

    A fold decides nothing by syntax: what a function is called decides, and the row that `knowledge` has for it.
    """

    deepest = 120
    """Nodes inside one another that are followed."""

    def __init__(self) -> None:
        self._answers: dict[int, tuple[Any, Answer]] = {}
        self._depth = 0

    def of(self, value: Any) -> Answer:
        """The answer for a value, or for the number of a parameter, which says nothing itself."""
        if isinstance(value, (Element, Computed)) and value.expr is not None:
            value = value.expr
        if type(value) not in _ASKED_ONCE:
            return self.value(None if isinstance(value, int) else value)
        if (known := self._answers.get(id(value))) is not None:
            return known[1]
        if self._depth >= self.deepest:
            return self.too_deep()
        step()
        self._depth += 1
        try:
            answer = self.expression(value) if isinstance(value, Expr) else self.value(value)
        finally:
            self._depth -= 1
        # The value is kept too: the key holds its identity.
        self._answers[id(value)] = value, answer
        return answer

    @abstractmethod
    def expression(self, expr: Expr) -> Answer:
        """The answer for an expression, by those for its operands (`self.of`)."""

    @abstractmethod
    def value(self, value: Value | None) -> Answer:
        """The answer for what is no expression: a constant, a container; of None nothing is known."""

    def too_deep(self) -> Answer:
        """The answer where expressions are nested too deeply."""
        return self.value(None)


@mypyc_attr(allow_interpreted_subclasses=True)
class Gathered(Fold[frozenset[Any]]):
    """What is found in a value and in all that it is made of."""

    def expression(self, expr: Expr) -> frozenset[Any]:
        return self.among(*expr.of, *expr.named.values())

    def value(self, value: Value | None) -> frozenset[Any]:
        match value:
            case External(receiver=receiver, given=given):
                return self.among(receiver, *given)
            case Slice(lower=lower, upper=upper, step=step):
                return self.among(lower, upper, step)
            case Method(receiver=receiver):
                return self.of(receiver)
        return self.among(*parts_of(value))

    def among(self, *values: Any) -> frozenset[Any]:
        return frozenset[Any]().union(*map(self.of, values))


def choices_of(value: Any) -> Iterable[Value]:
    """What one of several values may be."""
    return [branch.value for branch in value.branches] if isinstance(value, Alternatives) else ()


class Stems(Fold[bool]):
    """May a value depend on the element that a mapped function is given, other than by its dtype?"""

    def expression(self, expr: Expr) -> bool:
        if expr.by == "parameter" or not expr.by:
            return True
        if expr.by == "attribute" and expr.of[1] == Constant("dtype"):
            return False
        return any(map(self.of, expr.of)) or any(map(self.of, expr.named.values()))

    def value(self, value: Value | None) -> bool:
        match value:
            case Constant() | Symbol() | Unknown() | None:
                return False
            case Sequence() | Mapping_() | Alternatives():
                spread = value.spread if isinstance(value, Mapping_) else None
                return any(map(self.of, parts_of(value))) or self.of(spread)
            case External():
                return any(map(self.of, (*value.given, value.receiver)))
            case Method():
                return self.of(value.receiver)
            case Slice(lower=lower, upper=upper, step=step):
                return any(map(self.of, (lower, upper, step)))
        return True

    def too_deep(self) -> bool:
        return True


def expressions(*values: Any, most: int = _MOST) -> Iterator[Expr]:
    """The expressions that values are made of, themselves first; each once."""
    todo, seen = [*values], set[int]()
    while todo and len(seen) < most:
        part = todo.pop(0)
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, Expr):
            yield part
            todo += [*part.of, *part.named.values()]
        else:
            todo += parts_of(part)


def part_of(value: Value, key: Value) -> Value:
    """What stands under a key of a value, whatever was set under others."""
    while isinstance(value, Expr) and value.by == "set" and isinstance(value.of[1], Constant):
        if value.of[1] == key:
            return cast(Value, value.of[2])
        value = value.of[0]
    match value, key:
        case Sequence(items=items), Constant(int(number)) if -len(items) <= number < len(items):
            return items[number]
        case Mapping_(items=held), Constant(name) if name in held:
            return held[name]
    return Expr("item", (value, key))


def either(values: Items[Value], tests: Iterable[Value] = ()) -> Element:
    """One of several tensors."""
    if all(isinstance(value, Element) and value.expr is not None for value in values):
        return Element(one_of(values, tests))
    return ELEMENT


def one_of(values: Items[Value], tests: Iterable[Value] = ()) -> Expr:
    """One of several values, and by name what decides which one."""
    named = {f"test{number}": snapshot(test) for number, test in enumerate(tests)}
    return Expr("either", tuple([snapshot(value) for value in values]), named)
