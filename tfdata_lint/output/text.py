"""Findings as text: `full` with the code and the way of the pipeline, or `concise`, one line each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tfdata_lint.config.settings.model import NOTES
from tfdata_lint.output.escapes import shown
from tfdata_lint.source.visible import code_line, inert

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic, PlacedFix
    from tfdata_lint.source.places import Place

_CODE = r"`[^`]+`"
#: Not that in `a.ipynb:cell 3:1:1`.
_SPACE = re.compile(r"(?<!:cell)(?<!:In)\s+")
_PAINT = r"\x1b\[[0-9;]*m"
#: Rows between findings that are told as one.
_CLOSE = 12
#: Longer lines of code are cut around what is marked.
WIDTH = 160

_STYLES = {"error": "1;31", "warning": "1;33", "advice": "1;36", "code": "1", "frame": "34", "note": "1;34", "-": "31",
           "+": "32", "…": "2"}  # fmt: skip


class Text:
    """Writes findings one after the other; the cost that was told of a rule in a file is told by where that was."""

    def __init__(self, *, concise: bool = False, color: bool = False, width: int = 0, is_complete: bool = True) -> None:
        """`width`: columns of the terminal, 0 where lines may be of any length."""
        self._concise = concise
        self._paint = painter(color)
        self._width = width
        self._is_complete = is_complete
        self._said: dict[tuple[str, str, str], Place] = {}

    def render(self, diagnostic: Diagnostic, others: Sequence[Place] = ()) -> str:
        """One finding, without a newline at its end. `others`: the same was found at these places too."""
        diagnostic = shown(diagnostic)
        painted = self._painted("\n".join(self._header(diagnostic)), diagnostic)
        if self._concise or diagnostic.code in NOTES:
            return inert(painted)
        return inert("\n".join([painted, *self._body(diagnostic, others)]))

    def _header(self, diagnostic: Diagnostic) -> Iterator[str]:
        """One line where it fits into the terminal; else the message stands below."""
        message = diagnostic.message
        if not self._concise and diagnostic.code in NOTES:
            message += f" ({diagnostic.advice[0].lower()}{diagnostic.advice[1:]})"
        where = f"{diagnostic.place}: {diagnostic.severity} {diagnostic.code}"
        title = f"{where} {diagnostic.name}"
        width = 0 if self._concise else self._width
        if not width or _width(f"{title}: {message}") <= width:
            yield f"{title}: {message}"
        elif _width(title) <= width:
            yield title
            yield from wrapped(f"  {message}", width, "  ")
        elif _width(where) <= width:
            yield where
            yield from wrapped(f"  {diagnostic.name}: {message}", width, "  ")
        else:
            yield f"{diagnostic.place}:"
            yield from wrapped(f"  {diagnostic.severity} {diagnostic.code} {diagnostic.name}: {message}", width, "  ")

    def _painted(self, header: str, diagnostic: Diagnostic) -> str:
        begin = len(str(diagnostic.place))
        rest = header[begin:].replace(diagnostic.severity, self._paint(diagnostic.severity, diagnostic.severity), 1)
        return header[:begin] + rest.replace(diagnostic.code, self._paint(diagnostic.code, "code"), 1)

    def _body(self, diagnostic: Diagnostic, others: Sequence[Place]) -> Iterator[str]:
        paint, related = self._paint, diagnostic.related
        rows = [row for place in (diagnostic.place, *(r.place for r in related)) for row, _ in place.lines]
        gutter = len(str(max(rows, default=0)))
        blank = " " * gutter
        yield from self._frame(diagnostic.place, gutter, "^", diagnostic.severity)
        for before, item in zip((diagnostic.place, *(r.place for r in related)), related, strict=False):
            text = f"{blank}{paint(':::', 'frame')} {_seen_from(before, item.place)}: {item.message}"
            yield from wrapped(text, self._width, f"{blank}    ")
            yield from self._frame(item.place, gutter, "-", "note")
        also = [("also at", ", ".join(place.within for place in others))] if others else []
        cell = [("cell", named(diagnostic.place))] if diagnostic.place.marimo_cell else []
        for name, text in (*cell, *also, *self._notes(diagnostic)):
            text = f"{blank} {paint('=', 'frame')} {paint(name, 'code')}: {text}"
            yield from wrapped(text, self._width, f"{blank}   ")
        if (fix := diagnostic.fix) is not None and fix.edits and fix.can_be_applied and not fix.is_needless:
            from tfdata_lint.output.change import change

            # Ruff's colours: what goes, and what comes.
            yield from (f"{blank}   {paint(code_line(row), row[0])}" for row in change(fix.edits))

    def _notes(self, diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
        """A cost that was told above, in the same file, is not told again. What to do is."""
        place = diagnostic.place
        for name, text in _notes(diagnostic):
            known = self._said.setdefault((diagnostic.code, place.path, text), place) if name == "cost" else place
            yield name, text if known == place or self._is_complete else f"as at {_seen_from(place, known)}"

    def _frame(self, place: Place, gutter: int, mark: str, style: str) -> Iterator[str]:
        """The lines of a place, those in its range underlined."""
        previous = None
        longest = min(WIDTH, self._width - gutter - 5) if self._width else WIDTH
        for row, text in place.lines:
            if previous is not None and row > previous + 1:
                yield self._paint("." * max(gutter, 3), "frame")
            previous = row
            first, last = _marked(place, row, text)
            text, first, last = _cut(text, first, last, longest)
            bar = self._paint(f"{row:>{gutter}} |", "frame")
            before, marked = code_line(text[:first]), code_line(text[first:last])
            yield f"{bar} {before}{marked}{code_line(text[last:])}".rstrip()
            if first < last:
                empty = self._paint(" " * gutter + " |", "frame")
                marks = mark * max(_width(marked), 1)
                yield f"{empty} {' ' * _width(before)}{self._paint(marks, style)}"


def render(diagnostic: Diagnostic, *, concise: bool = False, color: bool = False) -> str:
    """One finding alone."""
    return Text(concise=concise, color=color).render(diagnostic)


def joined(diagnostics: Iterable[Diagnostic]) -> list[tuple[Diagnostic, list[Place]]]:
    """The findings of a file; those with one cause on neighboring rows are one, with the other places."""
    groups: list[tuple[Diagnostic, list[Place]]] = []
    old: dict[tuple[str, str], list[tuple[Diagnostic, list[Place]]]] = defaultdict(list)
    for diagnostic in diagnostics:
        known = old[diagnostic.code, diagnostic.message] if _is_old_name(diagnostic) else groups[-1:]
        for first, others in known:
            if _is_alike(first, others, diagnostic):
                others.append(diagnostic.place)
                break
        else:
            groups.append((diagnostic, []))
            known.append(groups[-1])
    return groups


def _is_old_name(diagnostic: Diagnostic) -> bool:
    """It has one cause, however often a file uses it."""
    return diagnostic.code.startswith("TFD7")


def _is_alike(first: Diagnostic, others: Sequence[Place], diagnostic: Diagnostic) -> bool:
    """Does a finding say the same as `first`, close behind the last of the `others`?"""
    where, last = diagnostic.place, (first.place, *others)[-1]
    is_near = where.cell == last.cell and where.row - last.row <= _CLOSE
    if where.path != last.path or not (is_near or _is_old_name(diagnostic)):
        return False
    same = first._replace(
        place=where, spot=diagnostic.spot, fix=diagnostic.fix, span=diagnostic.span, standing=diagnostic.standing
    )
    return same == diagnostic and _fix(first) == _fix(diagnostic)


def _seen_from(place: Place, other: Place) -> str:
    """Where it is, for who has just read of another place: without the file that both are in."""
    where = other.within if other.path == place.path else str(other)
    return f"{where} in cell {named(other)}" if other.marimo_cell not in ("", place.marimo_cell) else where


def named(place: Place) -> str:
    """The marimo cell of a place: its name as code, or its number."""
    return place.marimo_cell if place.marimo_cell.isdigit() else f"`{place.marimo_cell}`"


def _fix(diagnostic: Diagnostic) -> str:
    return said(diagnostic.fix) if diagnostic.fix else ""


def said(fix: PlacedFix) -> str:
    """What a fix does, how far it can be trusted, and why not further."""
    return f"{fix.title} ({fix.applicability}: {fix.reason})" if fix.reason else f"{fix.title} ({fix.applicability})"


def wrapped(text: str, width: int, indent: str) -> list[str]:
    """Lines of at most so many columns, if words and places are not longer; a width of 0 is none."""
    if not width or _shown(text) <= width:
        return [text]
    lines = [text[: len(text) - len(text.lstrip())]]
    for word in _SPACE.split(text.strip()):
        if lines[-1].strip() and _shown(lines[-1]) + 1 + _shown(word) > width:
            lines.append(indent)
        lines[-1] += f" {word}" if lines[-1].strip() else word
    return list(map(inert, lines))


def _shown(text: str) -> int:
    return _width(re.sub(_PAINT, "", text))


class painter:
    def __init__(self, color: bool):
        self.color = color

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color else text


def _notes(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    """What is said of a finding, by its kind."""
    if diagnostic.evidence:
        yield "measured", diagnostic.evidence.text
    if diagnostic.confidence == "likely":
        yield "confidence", "likely, not proven"
    if diagnostic.cost:
        yield "cost", diagnostic.cost
    advice, fix = diagnostic.advice, diagnostic.fix
    if fix is not None and fix.applicability == "display-only":
        # Nothing is offered.
        fix = None
    # In other words it may say the same.
    is_advice = fix is not None and bool(advice) and re.findall(_CODE, advice) == re.findall(_CODE, fix.title) != []
    if fix and is_advice and not fix.reason:
        advice += f" (fix: {fix.applicability})"
    if advice:
        yield "advice", advice
    if fix and is_advice and fix.reason:
        yield "fix", f"{fix.applicability}: {fix.reason}"
    if fix and not is_advice:
        yield "fix", said(fix)
    offered = (other for other in diagnostic.alternatives if other.applicability != "display-only")
    yield from (("or", said(other)) for other in offered)


def _marked(place: Place, row: int, text: str) -> tuple[int, int]:
    """The marked columns of a row, from 0; equal when there are none."""
    if not place.row <= row <= place.end_row or (row > place.row and not text.strip()):
        return 0, 0
    indent = len(text) - len(text.lstrip())
    first = place.column - 1 if row == place.row else indent
    last = place.end_column - 1 if row == place.end_row else len(text.rstrip())
    return first, max(last, first + 1)


def _cut(text: str, first: int, last: int, width: int) -> tuple[str, int, int]:
    """A long line, cut so that the marked part is seen."""
    if len(text) <= width:
        return text, first, last
    start = 0 if last < width else max(0, first - width // 4)
    end = start + width
    before, after = "…" if start else "", "…" if end < len(text) else ""
    shift = start - len(before)
    return before + text[start:end] + after, first - shift, min(last - shift, width + len(before))


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
