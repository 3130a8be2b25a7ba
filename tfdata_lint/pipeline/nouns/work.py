"""How much may be asked of what was recovered: one budget for all questions about one module."""

from __future__ import annotations

import sys
from collections.abc import Callable


class OutOfWork(Exception):
    """What may be spent on one module is used up."""


class Work:
    """What questions have cost: each stage or way that is looked at is one step.

    Within `with work:` they may cost so much and no more, all of them together. Who asks for more than there is gets no
    answer: half of one might be wrong.
    """

    __slots__ = ("_before", "_limit", "allowed", "spent")

    def __init__(self, allowed: int = sys.maxsize) -> None:
        self.allowed = allowed
        self.spent = 0
        self._limit = sys.maxsize
        self._before: Callable[[int], None] | None = None

    def __enter__(self) -> None:
        self._limit = min(self.spent + self.allowed, sys.maxsize)
        self._before = pays(self.spend)

    def __exit__(self, *_: object) -> None:
        self._limit = sys.maxsize
        assert self._before is not None
        pays(self._before)

    def spend(self, steps: int) -> None:
        self.spent += steps
        if self.spent > self._limit:
            raise OutOfWork


#: Who pays for looking at values: the file that is read, or asked about.
_PAYING: list[Callable[[int], None]] = [Work().spend]


def pays(spend: Callable[[int], None]) -> Callable[[int], None]:
    """From here on, steps are those of this file; returns who paid before."""
    before = _PAYING[0]
    _PAYING[0] = spend
    return before


def step() -> None:
    """One more value, or part of an element, that is looked at."""
    _PAYING[0](1)
