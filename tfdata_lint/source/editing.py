"""New text for a module or notebook: everything outside the edited ranges stays as it is, byte for byte."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from tfdata_lint.source.module import CellRows, Source, load
from tfdata_lint.source.notebook_json import CHARACTER, UNIT, Part, cells_of, parts
from tfdata_lint.source.replacement import Replacement

_ENDING = re.compile(r"\r\n|\r|\n")
# A row of characters in a string of JSON.
_LF, _CR = r"\\(?:n|u000[aA])", r"\\(?:r|u000[dD])"
_JSON_ROW = re.compile(rf"(?:(?!{_CR}|{_LF}){UNIT})*(?:{_CR}(?:{_LF})?|{_LF})|{UNIT}+")


class CannotEdit(Exception):
    """The text cannot be edited without harm: why, in one sentence."""


class _Span(NamedTuple):
    """A range of a text, in characters, and what comes there instead."""

    start: int
    end: int
    text: str


def edited(data: bytes, source: Source, replacements: Sequence[Replacement]) -> bytes:
    """The content of the file that `source` was loaded from, edited. Raises CannotEdit.

    The replacements do not overlap. Insertions at the same place come in the order given.
    """
    if not replacements:
        return data
    replacements = _in_order(replacements)
    mark = data[:3] if source.bom else b""
    text = _decoded(data[len(mark) :], source.encoding)
    if source.kind == "notebook":
        new = _spliced(text, _edits_of_json(text, source, replacements))
    else:
        new = replaced(text, replacements)
    result = mark + _encoded(new, source.encoding)
    # Row endings may join, the comment that names the encoding may move, a magic may be cut off from its cell.
    again = load(result, source.path, kind=source.kind)
    if again.text != replaced(source.text, replacements):
        raise CannotEdit("the edited file would be read as another text than the one meant; edit it by hand")
    if "marimo" in source.text and source.tree and source.marimo and not _is_still_marimo(again, source):
        raise CannotEdit("marimo would not run the edited notebook, as two cells would define a name; edit it by hand")
    return result


def replaced(text: str, replacements: Sequence[Replacement]) -> str:
    """A text edited, whatever file it is of."""
    return _spliced(text, _spans(text, _in_order(replacements)))


def _in_order(replacements: Sequence[Replacement]) -> list[Replacement]:
    return sorted(replacements, key=lambda r: (r.row, r.column, r.end_row, r.end_column))


def _is_still_marimo(edited: Source, source: Source) -> bool:
    return edited.tree is not None and len(edited.marimo) == len(source.marimo)


def _decoded(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
        exact = text.encode(encoding) == data
    except ValueError:
        exact = False
    if not exact:
        raise CannotEdit(f"bytes of this file would change on being written as {encoding} again; save it as UTF-8")
    return text


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise CannotEdit(f"the new text needs {error.object[error.start]!a}, which {encoding} cannot write") from None


def _spans(text: str, replacements: Sequence[Replacement], first_row: int = 1) -> list[_Span]:
    """The same in characters of the text, whose rows may end in any way; new rows end like the row that is edited."""
    endings = list(_ENDING.finditer(text))
    starts = [0, *(ending.end() for ending in endings)]
    ends = [*(ending.start() for ending in endings), len(text)]

    def offset(row: int, column: int) -> int:
        start = starts[row - first_row]
        line = text[start : ends[row - first_row]]
        return start + len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass"))

    def newline(row: int) -> str:
        if not endings:
            return "\n"
        return (endings[row - first_row] if row - first_row < len(endings) else endings[0])[0]

    return [
        _Span(offset(r.row, r.column), offset(r.end_row, r.end_column), r.text.replace("\n", newline(r.row)))
        for r in replacements
    ]


def _spliced(text: str, spans: Sequence[_Span]) -> str:
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += (text[position : span.start], span.text)
        position = span.end
    return "".join(pieces) + text[position:]


# ── notebooks ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _edits_of_json(text: str, source: Source, replacements: Sequence[Replacement]) -> list[_Span]:
    cells = cells_of(text)
    edits: list[_Span] = []
    python = source.text.split("\n")
    # Characters of a file that has only ASCII are written as the file has them.
    whole = text if text.isascii() else ""
    escapes = any(unit.startswith("\\u") for unit in CHARACTER.findall(whole)) if "\\u" in whole else False
    starts = [replacement.row for replacement in replacements]
    for rows in source.cells:
        if mine := replacements[bisect_left(starts, rows.first) : bisect_right(starts, rows.last)]:
            _check(mine, rows, source, python)
            edits.append(_edit_of_cell(text, cells[rows.number - 1], rows, mine, escapes if whole else None))
    return edits


def _check(replacements: Sequence[Replacement], cell: CellRows, source: Source, rows: list[str]) -> None:
    magics = [row for row in range(cell.first, cell.last + 1) if source.lines[row - 1] != rows[row - 1]]
    # Cell magics work in front of a cell only.
    start = max((row for row in magics if source.lines[row - 1].lstrip().startswith("%%")), default=0)
    for r in replacements:
        if r.end_row > cell.last:
            raise CannotEdit(f"the edit begins in cell {cell.number} and ends in a later one")
        # Whole rows in front of a row do not touch it.
        in_front = r.end_column == 0 and (r.row < r.end_row or r.text.endswith("\n"))
        touched = range(r.row, r.end_row if in_front else r.end_row + 1)
        if r.row <= start or any(row in touched for row in magics):
            raise CannotEdit(f"the edit is in or above a row of cell {cell.number} that is a magic and not Python")


def _edit_of_cell(
    text: str, cell: Part, rows: CellRows, replacements: Sequence[Replacement], escapes: bool | None
) -> _Span:
    """The new JSON of the cell's text. Characters that stay are written as they were.

    `escapes`: does the file write others than ASCII as escapes? None where it has such characters.
    """
    from json import dumps

    members = list(parts(text, cell.start))
    by_key = {member.key: member for member in members}
    value = by_key.get("source") or by_key.get("input")
    if value is None:
        raise CannotEdit(f"cell {rows.number} has no text")
    raw = text[value.start : value.end]
    # As the file has it, or where that has both the cell.
    units = CHARACTER.findall(raw) if escapes is None and raw.isascii() and "\\u" in raw else ()
    escape = escapes or any(unit.startswith("\\u") for unit in units)
    spans = [
        _Span(span.start, span.end, dumps(span.text, ensure_ascii=escape)[1:-1])
        for span in _spans("".join(value.value), replacements, rows.first)
    ]
    if isinstance(value.value, str):
        return _Span(value.start + 1, value.end - 1, _spliced_json(raw[1:-1], spans))
    return _edit_of_items(text, value, spans, text[members[0].end : members[1].first])


def _edit_of_items(text: str, value: Part, spans: Sequence[_Span], separator: str) -> _Span:
    """Items that stay keep their text and the separator in front of them; the others are written row by row."""
    from json import loads

    # An empty list is taken for a list with an item of no width.
    items = list(parts(text, value.start)) or [Part("", value.end - 1, value.end - 1, value.end - 1, "")]
    opening, closing = text[value.start : items[0].start], text[items[-1].end : value.end]
    separators = [text[item.end : following.start] for item, following in pairwise(items)]
    if separators:
        separator = separators[0]
    elif opening[1:]:
        separator = re.split(r"[\r\n]", separator)[0] + opening[1:]
    elif "\n" in separator:
        separator = ", "

    written: list[tuple[str, str]] = []
    begun = ""
    end = 0
    for index, item in enumerate(items):
        start, end = end, end + len(item.value)
        is_last = item is items[-1]
        before = separators[index - 1] if index else separator
        here = [
            _Span(max(s.start, start) - start, min(s.end, end) - start, s.text if s.start >= start else "")
            for s in spans
            if (start <= s.start < end) or (s.start < start < s.end) or (is_last and s.start == end)
        ]
        if not here and not begun:
            written.append((before, text[item.start : item.end]))
            continue
        new = begun + _spliced_json(text[item.start + 1 : item.end - 1], here)
        begun = ""
        if new and not is_last and _ends_row(item.value) and not _ends_row(loads(f'"{new}"')):
            # The row goes on in the next item.
            begun = new
            continue
        for row in _JSON_ROW.findall(new):
            written.append((before, f'"{row}"'))
            before = separator
    if not written:
        return _Span(value.start, value.end, "[]")
    return _Span(
        value.start, value.end, opening + "".join(b + row for b, row in written)[len(written[0][0]) :] + closing
    )


def _ends_row(text: str) -> bool:
    return text.endswith(("\n", "\r"))


def _spliced_json(raw: str, spans: Sequence[_Span]) -> str:
    """The inside of a JSON string edited; the spans count the characters that it stands for."""
    offsets = [0, *accumulate(map(len, CHARACTER.findall(raw)))]
    return _spliced(raw, [_Span(offsets[span.start], offsets[span.end], span.text) for span in spans])
