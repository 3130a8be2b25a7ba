"""The tests of a program and what is known of their outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

_NEGATIONS = ((" is not ", " is "), (" is ", " is not "), (" == ", " != "), (" not in ", " in "), (" in ", " not in "))

_COMPARISONS = (" == ", " != ", " < ", " <= ", " > ", " >= ", " is ", " in ", " matches ")
#: What may happen where no expression is tested, and its opposite.
_EVENTS = ((" runs", " does not run"), (" succeeds", " fails"))


class Condition(NamedTuple):
    """A test of the source and its outcome. Equal `key`s have equal outcomes: it names the versions of what is read."""

    text: str
    holds: bool
    key: str
    subject: str = ""
    """Of `x == constant`: what `x` is. At most one such test of one subject holds."""

    def __str__(self) -> str:
        if self.holds:
            return self.text
        for written, negation in _NEGATIONS:
            if self.text.count(written) == 1 and " and " not in self.text and " or " not in self.text:
                return self.text.replace(written, negation)
        return f"not ({self.text})" if " " in self.text else f"not {self.text}"

    @property
    def clause(self) -> str:
        """What holds in the code, for messages: `training` is true, the loop at line 3 does not run."""
        for holds, fails in _EVENTS:
            if self.text.startswith("the ") and self.text.endswith(holds):
                return self.text if self.holds else self.text.removesuffix(holds) + fails
        text = str(self)
        if text.startswith("not ") or not any(sign in text for sign in _COMPARISONS):
            return f"`{self.text}` is {'true' if self.holds else 'false'}"
        return f"`{text}`"

    @property
    def negated(self) -> Condition:
        return Condition(self.text, not self.holds, self.key, self.subject)


#: Tests on one way that are remembered, the latest; real code has 5 at most.
REMEMBERED = 24


def further(conditions: tuple[Condition, ...], given: Sequence[Condition]) -> tuple[Condition, ...]:
    """Conditions, and those that come to hold after them."""
    return (conditions + tuple(given))[-REMEMBERED:]


class Facts:
    """Outcomes of tests that are known on one way through the code."""

    __slots__ = ("chosen", "known")

    def __init__(self, conditions: Iterable[Condition] = (), base: Facts | None = None) -> None:
        self.known: dict[str, bool] = dict(base.known) if base is not None else {}
        self.chosen: dict[str, str] = dict(base.chosen) if base is not None else {}
        for condition in conditions:
            self.known[condition.key] = condition.holds
            if condition.holds and condition.subject:
                self.chosen[condition.subject] = condition.key

    def outcome(self, condition: Condition) -> bool | None:
        """Does the test of a condition come out true? None when that is open."""
        known = self.known.get(condition.key)
        if known is None and condition.subject and self.chosen.get(condition.subject, condition.key) != condition.key:
            return False
        return known

    def allow(self, conditions: Iterable[Condition]) -> bool:
        """None of these conditions contradicts what is known."""
        for condition in conditions:
            known = self.known.get(condition.key)
            if known is None and condition.subject:
                known = self.outcome(condition)
            if known is not None and known != condition.holds:
                return False
        return True

    def given(self, conditions: Iterable[Condition]) -> Facts:
        """What is known when these hold as well."""
        return Facts(conditions, self)
