"""Break the rows of a statement that are too long: in the last brackets that help, or link by link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from tfdata_lint.source import layout

_CONTINUED = " " * 4
_MOST_BREAKS = 20
#: A statement with more brackets stays as it is: each break looks at all of it.
_MOST_BRACKETS = 100
_ALIGNED = re.compile(r"\w\([^()]+,$")
#: What is blank between the parts of an expression.
_BLANK = re.compile(r"(?:\s|#.*)*")
#: A row that assigns, returns, or asks for a chain of calls; what stands in its brackets is blanked out.
_CHAIN = re.compile(
    r"(?:[^=]*[^=]=|\s*(?:return|for\b[^()]*?\bin|if|elif|while))\s+(\w+(?:\.\w+|\(_*\)|\[_*\])*)\s*:?\s*(?:#.*)?"
)
#: Commas between these words and what follows part parameters of a lambda or targets of a loop, and no items.
_MARKS = re.compile(rf"{layout.TOKEN} | \b (?: (?P<word> lambda | for ) | (?P<end> in ) ) \b | (?P<colon> : )")

Breaks: TypeAlias = list[tuple[int, str]]
"""Offsets, and the text that replaces the blanks before each."""


class Habit(NamedTuple):
    """How the code of a file breaks rows."""

    hangs: bool
    """Do arguments go to the next row, and not below the first?"""
    closes_below: bool
    """Does the closing bracket then stand on a row of its own?"""


class _Bracket(NamedTuple):
    """A pair of brackets: their offsets, and how many others they stand in."""

    start: int
    end: int
    depth: int
    items: list[int]
    """Offsets of the items behind its commas."""


def habit_of(rows: Sequence[str]) -> Habit:
    hanging = sum(row.endswith("(") for row in rows)
    # Few rows are asked at length.
    aligned = sum(row.endswith(",") and _ALIGNED.search(row) is not None for row in rows)
    closing = sum(row.lstrip().startswith(")") for row in rows)
    # Where nothing tells, as most code does it today.
    return Habit(hanging >= aligned, closing * 2 >= hanging)


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
    ways = list(_ways(statement, start, start + len(row), habit))
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


def _brackets(statement: str) -> list[_Bracket]:
    """The pairs of brackets of a statement, the outer ones first."""
    found: list[_Bracket] = []
    opened: list[tuple[int, list[int]]] = []
    inner: list[int] = []
    for mark in _MARKS.finditer(statement):
        match mark.lastgroup:
            case "open":
                opened.append((mark.start(), []))
            case "close" if opened:
                start, items = opened.pop()
                found.append(_Bracket(start, mark.start(), len(opened), items))
            case "word":
                inner.append(len(opened))
            case "end" | "colon" if inner[-1:] == [len(opened)]:
                inner.pop()
            case "comma" if opened and inner[-1:] != [len(opened)]:
                item = _after_blanks(statement, mark.end())
                if statement[item : item + 1] not in (")", "]", "}"):
                    opened[-1][1].append(item)
    return sorted(found, key=lambda bracket: (bracket.depth, -bracket.start))


def _ways(statement: str, start: int, end: int, habit: Habit) -> Iterator[Breaks]:
    """Where the row between two places may be broken, the best first: the places, and what comes before them."""
    row = statement[start:end]
    indent = row[: len(row) - len(row.lstrip())]
    brackets = _brackets(statement)
    # Behind the commas of the brackets that the row itself stands in.
    begin = start + len(indent)
    for bracket in brackets:
        if begin in (*bracket.items, _after_blanks(statement, bracket.start + 1)):
            siblings = [item for item in bracket.items if begin < item < end]
            yield from ([(item, f"\n{indent}")] for item in reversed(siblings))
    ways: list[list[Breaks]] = []
    last_resort: list[Breaks] = []
    # The calls at the end first, and what is inside of them last.
    for bracket in brackets:
        first = _after_blanks(statement, bracket.start + 1)
        if not start <= bracket.start < end or first >= min(end, bracket.end):
            continue
        hanging = [
            _hanging(bracket, (first,), end, indent, habit),
            _hanging(bracket, (first, *bracket.items), end, indent, habit),
        ]
        if statement[_after_blanks(statement, bracket.end + 1) :].startswith("."):
            last_resort += hanging
            continue
        # Behind a comma, the last one first, with the rest below the first argument.
        below = "\n" + " " * (bracket.start + 1 - start)
        aligned = [[(item, below)] for item in reversed(bracket.items) if item < end]
        ways.append(hanging + aligned if habit.hangs else aligned + hanging)
    for best in ways[:1]:
        yield from best
    if start == 0 and "\n" not in statement:
        yield from _chained(statement, brackets, habit, indent)
    for others in ways[1:]:
        yield from others
    yield from last_resort


def _after_blanks(statement: str, place: int) -> int:
    found = _BLANK.match(statement, place)
    return found.end() if found else place


def _hanging(bracket: _Bracket, items: Sequence[int], end: int, indent: str, habit: Habit) -> Breaks:
    """These items of a bracket on rows of their own."""
    breaks = [(item, f"\n{indent}{_CONTINUED}") for item in items if item < end]
    if habit.closes_below and bracket.end < end:
        breaks.append((bracket.end, f"\n{indent}"))
    return breaks


def _chained(row: str, brackets: Sequence[_Bracket], habit: Habit, indent: str) -> Iterator[Breaks]:
    """A row for each call of a chain, in parentheses."""
    plain = row
    for bracket in brackets:
        inner = bracket.start + 1
        plain = plain[:inner] + "_" * (bracket.end - inner) + plain[bracket.end :]
    chain = _CHAIN.fullmatch(plain)
    dots = [chain.start(1) + dot.start() + 1 for dot in re.finditer(r"[)\]]\.", chain[1])] if chain else []
    if chain is None or len(dots) < 2:
        return
    first, end = chain.span(1)
    below = f"\n{indent}{_CONTINUED}" if habit.closes_below else "\n" + " " * (first + 1)
    opened = f" (\n{indent}{_CONTINUED}" if habit.closes_below else " ("
    closed = f"\n{indent})" if habit.closes_below else ")"
    yield [(first, opened), *((dot, below) for dot in dots), (end, closed)]
