"""How the code of a file is laid out, and edits that keep to it: rows of its width, broken as the others are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from tfdata_lint.source.formatters import Formatter
from tfdata_lint.source.layout import LogicalLine, logical_lines
from tfdata_lint.source.module import Source
from tfdata_lint.source.replacement import changed_part
from tfdata_lint.source.wrapping import Habit, habit_of, wrapped

#: The limits in use.
_WIDTHS = (79, 80, 88, 100, 120)
#: Rows from here on tell how long rows may be, if there are some; so many of them may be longer.
_TELLING, _FEW, _EXCEPTIONS = 70, 5, 0.1

#: By how much the rows below an outermost colon are indented.
_STEP = re.compile(r"(?m)^\S.*:\n+([ \t]+)\S")

_START = attrgetter("start")

TextEdit = tuple[int, int, str]
"""A range of a text and what comes there."""


class Style(NamedTuple):
    """How the code of a file is laid out."""

    width: int
    habit: Habit


def style_of(source: Source) -> Style:
    """The style of a file, found once."""
    if Style not in source.notes:
        rows = source.text.split("\n")
        source.notes[Style] = Style(_told(source) or _kept(source.text, rows), habit_of(rows))
    style: Style = source.notes[Style]
    return style


def fits(source: Source, length: int) -> bool:
    """May a row of a file be so long?"""
    # Finding the style takes a while.
    return length <= (_told(source) or _WIDTHS[0]) or length <= style_of(source).width


def _told(source: Source) -> int:
    """How long rows may be by the settings of the project; 0 where they do not say."""
    formatter: Formatter = source.notes.get(Formatter, Formatter())
    return formatter.width


def _kept(text: str, rows: Sequence[str]) -> int:
    """How long the rows are that a file keeps to."""
    steps = _STEP.findall(text)
    usual = 80 if steps.count("  ") * 2 > len(steps) else 88
    lengths = [len(row) for row in rows if len(row) > _TELLING and not _is_excused(row)]
    for width in _WIDTHS:
        if width < usual and len(lengths) < _FEW:
            continue
        if sum(length > width for length in lengths) <= _EXCEPTIONS * len(lengths):
            return max(width, usual) if usual == 80 else width
    return _WIDTHS[-1]


def _is_excused(row: str) -> bool:
    """Is it long because of an address, or of a comment behind code?"""
    return "://" in row or row[: max(row.rfind("#"), 0)].replace("#", " ").strip() != ""


# ── edits ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def laid_out(source: Source, edits: Sequence[TextEdit]) -> list[TextEdit]:
    """These edits, which do not overlap, such that the statements that they touch are laid out like the others."""
    lines = _lines_of(source)

    def line_at(offset: int) -> int:
        return bisect_right(lines, offset, key=_START) - 1

    result: list[TextEdit] = []
    todo = sorted(edits)
    while todo:
        first = last = line_at(todo[0][0])
        mine = 0
        while mine < len(todo) and line_at(todo[mine][0]) <= last:
            last = max(last, line_at(max(todo[mine][:2])))
            mine += 1
        result += _of_statements(source, lines[first].start, lines[last].end, todo[:mine])
        todo = todo[mine:]
    return result


def _lines_of(source: Source) -> list[LogicalLine]:
    """The logical lines of a file, found once."""
    if LogicalLine not in source.notes:
        source.notes[LogicalLine] = list(logical_lines(source.text))
    lines: list[LogicalLine] = source.notes[LogicalLine]
    return lines


def _of_statements(source: Source, start: int, end: int, edits: Sequence[TextEdit]) -> list[TextEdit]:
    """The same, for the edits of some statements that stand together."""
    new = old = source.text[start:end]
    for first, last, text in reversed(edits):
        new = new[: first - start] + text + new[last - start :]
    if "\n" not in old + new and fits(source, len(new)):
        return list(edits)
    style = style_of(source)
    before, rows = _lines(old), set(old.split("\n"))
    lines = [line if line in before else wrapped(line, rows, style.width, style.habit) for line in _lines(new)]
    better = "\n".join(lines)
    if better == new:
        return list(edits)
    head, tail = changed_part(old, better)
    return [(start + head, start + len(old) - tail, better[head : len(better) - tail])]


def _lines(text: str) -> list[str]:
    return [text[line.start : line.end] for line in logical_lines(text)]
