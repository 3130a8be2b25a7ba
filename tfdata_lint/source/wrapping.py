"""Rows of a statement that are too long, broken as people do it without a formatter: in the last brackets that help."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tfdata_lint.source.leaves import COMMA, DOT, Leaf, leaves_of

_CONTINUED = " " * 4
_MOST_BREAKS = 20
#: In a statement with more of them, which no formatter has laid out, no row is broken: each break looks at all of it.
_MOST_BRACKETS = 100
_ALIGNED = re.compile(r"\w\([^()]+,$")


Breaks: TypeAlias = list[tuple[int, str]]
"""Places, and what comes there instead of blanks."""


class Habit(NamedTuple):
    """How the code of a file breaks rows."""

    hangs: bool
    """Do arguments go to the next row, and not below the first?"""
    closes_below: bool
    """Does the closing bracket then stand on a row of its own?"""


def habit_of(rows: Sequence[str]) -> Habit:
    hanging = sum(row.endswith("(") for row in rows)
    # Few rows are asked at length.
    aligned = sum(row.endswith(",") and _ALIGNED.search(row) is not None for row in rows)
    closing = sum(row.lstrip().startswith(")") for row in rows)
    return Habit(hanging > aligned, closing * 2 > hanging)


def wrapped(statement: str, kept: set[str], width: int, habit: Habit) -> str:
    """A statement whose rows are within the width where that can be; those that it had before stay."""
    for _ in range(_MOST_BREAKS if statement.count("(") <= _MOST_BRACKETS else 0):
        better = _broken(statement, kept, width, habit)
        if better is None:
            break
        statement = better
    return statement


def _broken(statement: str, kept: set[str], width: int, habit: Habit) -> str | None:
    """With one break more, in the first row that is too long."""
    start = 0
    for row in statement.split("\n"):
        if len(row) > width and row not in kept:
            break
        start += len(row) + 1
    else:
        return None
    margin = len(statement) - len(statement.lstrip())
    try:
        leaves = leaves_of(statement[margin:])
    except (SyntaxError, tokenize.TokenError):
        return None
    if leaves is None:
        return None
    for leaf in leaves:
        leaf.at += margin
    ways = list(_ways(statement, leaves, start, start + len(row), habit))
    for longest in (width, len(row) - 1):
        for breaks in ways:
            better = _with(statement, breaks)
            first, *others = better[start:].split("\n")[: len(breaks) + 1]
            if len(first) <= width and all(len(other) <= longest for other in others):
                return better
    return None


def _with(statement: str, breaks: Breaks) -> str:
    """With these texts in the place of the blanks before some places."""
    for place, text in sorted(breaks, reverse=True):
        statement = statement[:place].rstrip(" ") + text + statement[place:]
    return statement


def _ways(statement: str, leaves: list[Leaf], start: int, end: int, habit: Habit) -> Iterator[Breaks]:
    """Where the row between two places may be broken, the best first: the places, and what comes before them."""
    inside = [index for index, leaf in enumerate(leaves) if start <= leaf.at < end and leaf.text]
    if not inside:
        return
    indent = " " * (leaves[inside[0]].at - start)
    pairs = {id(leaf.opening): index for index, leaf in enumerate(leaves) if leaf.kind == ")"}
    openings = [index for index in inside if leaves[index].kind == "(" and id(leaves[index]) in pairs]
    openings = [index for index in openings if leaves[index + 1].kind != ")"]
    # The calls at the end first, and what is inside of them last.
    openings.sort(key=lambda index: (leaves[index].depth, -index))
    ways: list[list[Breaks]] = []
    last_resort: list[Breaks] = []
    for index in openings:
        close = pairs[id(leaves[index])]
        if leaves[index + 1].at >= end:
            continue
        hanging = [
            _hanging(leaves, index, close, end, indent, habit),
            _hanging(leaves, index, close, end, indent, habit, one_per_row=True),
        ]
        if close + 1 < len(leaves) and leaves[close + 1].text == ".":
            last_resort += hanging
            continue
        aligned = _aligned(leaves, index, close, start, end)
        ways.append(hanging + aligned if habit.hangs else aligned + hanging)
    for best in ways[:1]:
        yield from best
    if start == 0 and "\n" not in statement:
        yield from _chained(leaves, habit, indent)
    for others in ways[1:]:
        yield from others
    yield from _among_siblings(leaves, inside, indent)
    yield from last_resort


def _aligned(leaves: list[Leaf], index: int, close: int, start: int, end: int) -> list[Breaks]:
    """Behind a comma, the last one first, with the rest below the first argument."""
    depth = leaves[index].depth + 1
    commas = [at for at in range(index + 1, close) if leaves[at].after == COMMA and leaves[at].depth == depth]
    places = [leaves[at + 1].at for at in commas if at + 1 < close and leaves[at + 1].at < end]
    column = leaves[index].at + 1 - start
    return [[(place, "\n" + " " * column)] for place in reversed(places)]


def _hanging(
    leaves: list[Leaf], index: int, close: int, end: int, indent: str, habit: Habit, one_per_row: bool = False
) -> Breaks:
    """Behind the opening bracket."""
    depth = leaves[index].depth + 1
    inner = leaves[index + 1 : close]
    starts = [b for a, b in pairwise(inner) if a.after == COMMA and a.depth == depth] if one_per_row else []
    breaks = [(leaf.at, f"\n{indent}{_CONTINUED}") for leaf in (inner[0], *starts) if leaf.at < end]
    if habit.closes_below and leaves[close].at < end:
        breaks.append((leaves[close].at, f"\n{indent}"))
    return breaks


def _chained(leaves: list[Leaf], habit: Habit, indent: str) -> Iterator[Breaks]:
    """A row for each call of a chain, in parentheses."""
    opening = next((index for index, leaf in enumerate(leaves) if leaf.kind == "(" and not leaf.text), None)
    if opening is None:
        return
    close = next(index for index, leaf in enumerate(leaves) if leaf.opening is leaves[opening])
    base = leaves[opening].depth + 1
    splits = [leaf.before for leaf in leaves[opening:close] if leaf.depth == base and leaf.before]
    if len(splits) < 2 or max(splits) > DOT:
        return
    first = leaves[opening + 1].at
    below = f"\n{indent}{_CONTINUED}" if habit.closes_below else "\n" + " " * (first + 1)
    opened = f" (\n{indent}{_CONTINUED}" if habit.closes_below else " ("
    closed = f"\n{indent})" if habit.closes_below else ")"
    dots = [leaf for leaf in leaves[opening:close] if leaf.depth == base and leaf.before == DOT]
    yield [(first, opened), *((dot.at, below) for dot in dots), (leaves[close].at, closed)]


def _among_siblings(leaves: list[Leaf], inside: list[int], indent: str) -> Iterator[Breaks]:
    """Behind a comma of the brackets that the row itself stands in."""
    depth = leaves[inside[0]].depth
    if depth and leaves[inside[0] - 1].text in ("(", "[", "{", ","):
        for index in reversed(inside[1:]):
            if leaves[index - 1].after == COMMA and leaves[index - 1].depth == depth:
                yield [(leaves[index].at, f"\n{indent}")]
