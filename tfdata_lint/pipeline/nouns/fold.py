"""The one way to ask something of an expression graph: a fold, which answers for each expression by its operands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from tfdata_lint.pipeline.nouns.values import Computed, Element, Expr, Value, parts_of

Answer = TypeVar("Answer")

#: Parts of an expression that are looked at.
_MOST = 400


class Fold(ABC, Generic[Answer]):
    """One question about expression graphs. Each expression is answered once, however often it is an operand.

    A fold never looks at syntax: what a function is called decides, and the row that the catalog has for it.
    """

    deepest = 120
    """Expressions inside one another that are followed."""

    def __init__(self) -> None:
        self._answers: dict[int, tuple[Expr, Answer]] = {}
        self._depth = 0

    def of(self, value: Value | None) -> Answer:
        """The answer for a value."""
        if isinstance(value, (Element, Computed)):
            value = value.expr
        if not isinstance(value, Expr):
            return self.value(value)
        if (known := self._answers.get(id(value))) is not None:
            return known[1]
        if self._depth >= self.deepest:
            return self.too_deep()
        self._depth += 1
        try:
            answer = self.expression(value)
        finally:
            self._depth -= 1
        # The expression is kept too: the key holds its identity.
        self._answers[id(value)] = value, answer
        return answer

    @abstractmethod
    def expression(self, expr: Expr) -> Answer:
        """The answer for an expression, by those for its operands (`self.of`)."""

    @abstractmethod
    def value(self, value: Value | None) -> Answer:
        """The answer for what is no expression: a constant, a container, a library's object; None is unknown."""

    @abstractmethod
    def too_deep(self) -> Answer:
        """The answer where expressions are nested too deeply."""


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
