"""How the code of a file is laid out, and edits that keep to it: rows of its width, broken as the others are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from operator import attrgetter
from typing import NamedTuple

from tfdata_lint.source.formatters import Formatter
from tfdata_lint.source.formatting import formatted
from tfdata_lint.source.layout import LogicalLine, logical_lines
from tfdata_lint.source.module import Source
from tfdata_lint.source.replacement import changed_part
from tfdata_lint.source.wrapping import Habit, habit_of, wrapped

#: The limits in use, the usual one first.
_WIDTHS = (88, 80, 79, 100, 120)
#: Statements that are asked how a file is laid out.
_ASKED = 60
#: How many of them a formatter's rules must explain: they are not all known here.
_ENOUGH = 0.75
#: Rows from here on tell how long rows may be, if there are some; so many of them may be longer.
_TELLING, _FEW, _EXCEPTIONS = 70, 5, 0.1

#: What may hide brackets that are none.
_HIDING = re.compile(r"[\"'#]")

_START = attrgetter("start")

TextEdit = tuple[int, int, str]
"""A range of a text and what comes there."""


class Style(NamedTuple):
    """How the code of a file is laid out."""

    width: int
    step: str
    """By how much a block is indented."""
    is_formatted: bool
    """Is it as Black and Ruff would have it?"""
    by_ruff: bool
    habit: Habit

    def formatted(self, statement: str) -> str | None:
        return formatted(statement, self.width, self.step, by_ruff=self.by_ruff)


def style_of(source: Source) -> Style:
    """The style of a file, found once."""
    if Style not in source.notes:
        source.notes[Style] = _found(source, source.notes.get(Formatter, Formatter()))
    style: Style = source.notes[Style]
    return style


def fits(source: Source, length: int) -> bool:
    """May a row of a file be so long?"""
    return _fits_any(source, length) or length <= style_of(source).width


def _fits_any(source: Source, length: int) -> bool:
    """May it in any style that the file may have? Finding which takes a while."""
    return length <= (source.notes.get(Formatter, Formatter()).width or min(_WIDTHS))


def _found(source: Source, formatter: Formatter) -> Style:
    rows = source.text.split("\n")
    step = _step(rows)
    asked = list(islice(_telling(source, min(formatter.width or _WIDTHS[0], _WIDTHS[0])), _ASKED))
    widths = (formatter.width,) if formatter.width else _WIDTHS
    habit = habit_of(rows)
    best, share = Style(widths[0], step, True, formatter.name == "ruff", habit), -1.0
    foreign: dict[str, bool] = {}
    for width in widths:
        if (found := _share(asked, style := best._replace(width=width), foreign)) > share:
            best, share = style, found
        if share == 1:
            break
    is_formatted = share >= _ENOUGH if asked else formatter.is_black or len(step) > 2
    if is_formatted and (asked or formatter.width):
        return best
    return best._replace(width=formatter.width or _kept(rows, step), is_formatted=is_formatted)


def _step(rows: Sequence[str]) -> str:
    """By how much the rows below a colon are indented, mostly."""
    steps: Counter[str] = Counter()
    for above, row in pairwise(row for row in rows if row.strip()):
        if above.rstrip().endswith(":"):
            indent = row[: len(row) - len(row.lstrip())]
            outer = above[: len(above) - len(above.lstrip())]
            if indent.startswith(outer) and len(indent) > len(outer):
                steps[indent[len(outer) :]] += 1
    return max(steps, key=lambda step: steps[step]) if steps else "    "


def _telling(source: Source, width: int) -> Iterator[str]:
    """The statements that go over several rows or are too long for one."""
    for line in _lines_of(source):
        if line.end_row > line.row or line.end - line.start > width:
            statement = source.text[line.start : line.end]
            if not statement.lstrip().startswith(("#", '"', "'", "import", "from", "def", "class", "@")):
                yield statement


def _share(statements: Sequence[str], style: Style, foreign: dict[str, bool]) -> float:
    """How many of these statements stand as the formatters would write them; little is as good as nothing.

    `foreign`: those that stand so at no width, and whether the formatters' rules for them are known.
    """
    known = same = 0
    for statement in statements:
        if statement in foreign:
            known += foreign[statement]
        else:
            found = style.formatted(statement)
            known += found is not None
            same += found == statement
            if found != statement and _is_foreign(statement, style.step):
                foreign[statement] = found is not None
        if known - same > (1 - _ENOUGH) * len(statements):
            return 0.0
    return same / known if known else 1.0


def _is_foreign(statement: str, step: str) -> bool:
    """Has it a row that no formatter writes at any width: not indented by steps, or with a bracket of one above?"""
    if '"""' in statement or "'''" in statement:
        return False
    first, *rows = statement.split("\n")
    outer = first[: len(first) - len(first.lstrip())]
    for row in rows:
        text = row.lstrip()
        indent = row[: len(row) - len(text)]
        if text and indent != outer + step * ((len(indent) - len(outer)) // len(step)):
            return True
        if text and text[0] not in ")]}" and not _HIDING.search(text):
            opened = list(accumulate((character in "([{") - (character in ")]}") for character in text))
            if min(opened) < 0:
                return True
    return False


def _kept(rows: Sequence[str], step: str) -> int:
    """How long the rows are that a file keeps to."""
    usual = 80 if len(step) == 2 else _WIDTHS[0]
    lengths = [len(row) for row in rows if len(row) > _TELLING and not _is_excused(row)]
    widths = [width for width in sorted(_WIDTHS) if width >= usual or len(lengths) >= _FEW]
    for width in widths:
        if sum(length > width for length in lengths) <= _EXCEPTIONS * len(lengths):
            return max(width, usual) if len(step) == 2 else width
    return max(_WIDTHS)


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
    if "\n" not in old + new and _fits_any(source, len(new)):
        return list(edits)
    style = style_of(source)
    before = _lines(old)
    rows = set(old.split("\n"))
    is_formatted = style.is_formatted and all(_is_formatted(line, style) for line in before)
    lines = [line if line in before else _better(line, rows, is_formatted, style) for line in _lines(new)]
    better = "\n".join(lines)
    if better == new:
        return list(edits)
    head, tail = changed_part(old, better)
    return [(start + head, start + len(old) - tail, better[head : len(better) - tail])]


def _lines(text: str) -> list[str]:
    return [text[line.start : line.end] for line in logical_lines(text)]


def _is_formatted(line: str, style: Style) -> bool:
    return ("\n" not in line and len(line) <= style.width) or style.formatted(line) == line


def _better(line: str, rows: set[str], is_formatted: bool, style: Style) -> str:
    """A new statement laid out like the others; rows that were too long may stay so."""
    found = style.formatted(line) if is_formatted else None
    if found is not None and _lambdas(found) <= max(1, _lambdas(line)):
        return found
    if all(len(row) <= style.width or row in rows for row in line.split("\n")):
        return line
    return wrapped(line, rows, style.width, style.habit)


def _lambdas(line: str) -> int:
    """How many stand on one row at most: AutoGraph cannot tell them apart."""
    return max(len(re.findall(r"\blambda\b", row)) for row in line.split("\n"))
