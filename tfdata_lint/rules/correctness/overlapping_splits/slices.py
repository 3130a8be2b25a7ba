"""What a slice of a split means."""

from __future__ import annotations

import re
from math import inf
from typing import NamedTuple

_SLICE = r"(?P<name>[\w-]+)(\[(?P<start>-?\d+%?)?:(?P<end>-?\d+%?)?\])?"


class Slice(NamedTuple):
    """A part of a split: of its percents, or of its examples where `unit` is empty."""

    name: str
    unit: str = ""
    start: float = 0
    end: float = inf

    @property
    def is_whole(self) -> bool:
        return self.start == 0 and self.end == inf

    def overlaps(self, other: Slice) -> bool:
        """Do both have examples in common for sure?"""
        if self.name != other.name:
            return False
        if self.is_whole or other.is_whole:
            return True
        return self.unit == other.unit and max(self.start, other.start) < min(self.end, other.end)

    def holds(self, other: Slice) -> bool:
        """Is the other one a part of it?"""
        if self.name != other.name:
            return False
        return self.is_whole or (self.unit == other.unit and self.start <= other.start and other.end <= self.end)


def parse(text: str) -> tuple[Slice, ...]:
    """The slices that a split is made of; none where it is not understood, as where it counts from the end."""
    found = [_slice(part.strip()) for part in text.split("+")]
    known = tuple([part for part in found if part is not None])
    return known if len(known) == len(found) else ()


def _slice(text: str) -> Slice | None:
    match = re.fullmatch(_SLICE, text)
    if match is None or match["name"] == "all":
        return None
    bounds = [match["start"], match["end"]]
    units = {bound[-1] == "%" for bound in bounds if bound}
    if not units:
        return Slice(match["name"])
    if len(units) > 1:
        return None
    if units == {True}:
        start, end = (_percent(bound) if bound else None for bound in bounds)
        whole_end = 100.0 if end is None else end
        return Slice(match["name"], "%", start or 0.0, inf if whole_end >= 100 else whole_end)
    if any(bound and bound[0] == "-" for bound in bounds):
        return None
    return Slice(match["name"], "", float(bounds[0] or 0), float(bounds[1] or inf))


def _percent(bound: str) -> float:
    number = float(bound[:-1])
    return number + 100 if number < 0 or bound[0] == "-" else number
