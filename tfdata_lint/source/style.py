"""How the code of a file is laid out, and edits that keep to it: rows of its width, broken as the others are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

from tfdata_lint.source.formatters import Formatter
from tfdata_lint.source.lambdas import confused, may_be_confused
from tfdata_lint.source.layout import LogicalLine, logical_lines
from tfdata_lint.source.module import Source
from tfdata_lint.source.replacement import changed_part
from tfdata_lint.source.wrapping import Rules, closes_below, rewrapped

#: The limits in use.
_WIDTHS = (79, 80, 88, 100, 120)
#: Rows from here on tell how long rows may be, if there are some; so many of them may be longer.
_TELLING, _FEW, _EXCEPTIONS = 70, 5, 0.1

#: By how much the rows below an outermost colon are indented.
_STEP = re.compile(r"(?m)^\S.*:\n+([ \t]+)\S")

_START = attrgetter("start")

TextEdit = tuple[int, int, str]
"""A range of a text and what comes there."""


def rules_of(source: Source) -> Rules:
    """Return how the rows of a file are broken, which is found once."""
    if Rules not in source.notes:
        rows = source.text.split("\n")
        source.notes[Rules] = Rules(_told(source) or _kept(source.text, rows), closes_below(rows))
    rules: Rules = source.notes[Rules]
    return rules


def fits(source: Source, length: int) -> bool:
    """May a row of a file be so long?"""
    # Finding the style takes a while.
    return length <= (_told(source) or _WIDTHS[0]) or length <= rules_of(source).width


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


def laid_out(source: Source, edits: Sequence[TextEdit], *, parts: bool = True) -> list[TextEdit]:
    """Return these edits, which do not overlap, such that the statements they touch keep to the layout of the file.

    `parts`: put lambdas that AutoGraph cannot tell apart on one row on rows of their own, unless they shared one.
    """
    return [better for statements in _touched(source, edits) for better in _of_statements(source, *statements, parts)]


def gathers_lambdas(source: Source, edits: Sequence[TextEdit]) -> bool:
    """Return whether these edits put a lambda on the row of another one that AutoGraph cannot tell from it."""
    return any(
        confused(_edited(source, start, end, mine)) - confused(source.text[start:end])
        for start, end, mine in _touched(source, edits)
    )


def may_gather_lambdas(source: Source, edits: Sequence[TextEdit]) -> bool:
    """Return whether that is possible with the text that the edits bring and touch, whatever its rows."""
    return any(
        may_be_confused("".join((source.text[start:end], *(text for _, _, text in mine))))
        for start, end, mine in _touched(source, edits)
    )


def _touched(source: Source, edits: Sequence[TextEdit]) -> Iterator[tuple[int, int, Sequence[TextEdit]]]:
    """The statements that edits touch: where those that one touches begin and end, and the edits of these."""
    lines = _lines_of(source)

    def line_at(offset: int) -> int:
        return bisect_right(lines, offset, key=_START) - 1

    todo = sorted(edits)
    while todo:
        first = last = line_at(todo[0][0])
        mine = 0
        while mine < len(todo) and line_at(todo[mine][0]) <= last:
            last = max(last, line_at(max(todo[mine][:2])))
            mine += 1
        yield lines[first].start, lines[last].end, todo[:mine]
        todo = todo[mine:]


def _lines_of(source: Source) -> list[LogicalLine]:
    """The logical lines of a file, found once."""
    if LogicalLine not in source.notes:
        source.notes[LogicalLine] = list(logical_lines(source.text))
    lines: list[LogicalLine] = source.notes[LogicalLine]
    return lines


def _edited(source: Source, start: int, end: int, edits: Sequence[TextEdit]) -> str:
    """What edits make of a range of the text."""
    new = source.text[start:end]
    for first, last, text in reversed(edits):
        new = new[: first - start] + text + new[last - start :]
    return new


def _of_statements(source: Source, start: int, end: int, edits: Sequence[TextEdit], parts: bool) -> list[TextEdit]:
    """The same, for the edits of some statements that stand together."""
    old, new = source.text[start:end], _edited(source, start, end, edits)
    if "\n" not in old + new and fits(source, len(new)) and not confused(new):
        return list(edits)
    rows = set(old.split("\n"))
    rules = rules_of(source)._replace(parts_lambdas=parts and not confused(old))
    before, after = _lines(old), _lines(new)
    pairs = zip(before if len(before) == len(after) else [""] * len(after), after, strict=True)
    lines = [line if line in before else rewrapped(was, line, rows, rules) for was, line in pairs]
    better = "\n".join(lines)
    if better == new:
        return list(edits)
    # Up to the end: what is alike there may be the brackets of something else.
    head, _ = changed_part(old, better)
    return [(start + head, end, better[head:])]


def _lines(text: str) -> list[str]:
    return [text[line.start : line.end] for line in logical_lines(text)]
