"""How much may be asked of what was recovered: one budget for all questions about one module."""

from __future__ import annotations

import sys


class OutOfWork(Exception):
    """What may be spent on one module is used up."""


class Work:
    """What questions have cost: each stage or way that is looked at is one step.

    Within `with work:` they may cost so much and no more, all of them together. Who asks for more than there is gets no
    answer: half of one might be wrong.
    """

    __slots__ = ("_limit", "allowed", "spent")

    def __init__(self, allowed: int = sys.maxsize) -> None:
        self.allowed = allowed
        self.spent = 0
        self._limit = sys.maxsize

    def __enter__(self) -> None:
        self._limit = min(self.spent + self.allowed, sys.maxsize)

    def __exit__(self, *_: object) -> None:
        self._limit = sys.maxsize

    def spend(self, steps: int) -> None:
        self.spent += steps
        if self.spent > self._limit:
            raise OutOfWork
