"""The JSON of a notebook: where its cells and the characters of their code lie in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

# How JSON writes one character in a string.
UNIT = r"(?:\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[^\\])"
CHARACTER = re.compile(UNIT)
_SPACE = re.compile(r"[ \t\n\r]*")
_ENDING = re.compile(r"\r\n|\r|\n")


class Part(NamedTuple):
    """A member of a JSON object or an item of an array, and where its text lies."""

    key: str
    first: int
    """Where the key begins, or in an array the value."""
    start: int
    end: int
    value: Any


def cells_of(text: str) -> list[Part]:
    """All cells in order, as `notebook.read` counts them."""
    top = {part.key: part for part in parts(text, _after_space(text, 0))}
    if "cells" in top and top["cells"].value is not None:
        return list(parts(text, top["cells"].start))
    cells: list[Part] = []
    for sheet in parts(text, top["worksheets"].start):
        if isinstance(sheet.value, dict) and isinstance(sheet.value.get("cells"), list):
            members = {part.key: part for part in parts(text, sheet.start)}
            cells += parts(text, members["cells"].start)
    return cells


def parts(text: str, start: int) -> Iterator[Part]:
    """The members of the object, or the items of the array, that begins here."""
    from json import JSONDecoder

    decode = JSONDecoder().raw_decode
    is_object = text[start] == "{"
    position = _after_space(text, start + 1)
    while text[position] not in "]}":
        key, first = "", position
        if is_object:
            key, position = decode(text, position)
            position = _after_space(text, _after_space(text, position) + 1)
        value, end = decode(text, position)
        yield Part(key, first, position, end, value)
        position = _after_space(text, end)
        if text[position] == ",":
            position = _after_space(text, position + 1)


def _after_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


class CodePositions:
    """Positions in the cells of a notebook as positions in its file.

    Raises ValueError, KeyError, IndexError, TypeError or RecursionError for a text that is no notebook.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._cells = cells_of(text)
        self._starts = [0, *(ending.end() for ending in re.finditer("\n", text))]
        self._known: dict[int, _Code] = {}

    def row(self, cell: int, row: int) -> str:
        """Return a row of a cell's code, both counted from 1, without the line break."""
        code = self._code(cell)
        return code.text[code.starts[row - 1] : code.ends[row - 1]]

    def position(self, cell: int, row: int, column: int) -> tuple[int, int]:
        """Return the row and the column in the file of a position in a cell, all in characters from 1."""
        code = self._code(cell)
        start, end = code.starts[row - 1], code.ends[row - 1]
        offset = code.offsets[min(start + column - 1, end)]
        number = bisect_right(self._starts, offset)
        return number, offset - self._starts[number - 1] + 1

    def _code(self, cell: int) -> _Code:
        if cell not in self._known:
            self._known[cell] = _code_of(self._text, self._cells[cell - 1])
        return self._known[cell]


class _Code(NamedTuple):
    """The code of one cell, and where it lies."""

    text: str
    offsets: list[int]
    """Where the file has each character, and at last the quote behind them."""
    starts: list[int]
    """The first character of each row."""
    ends: list[int]
    """The character after the last one of each row."""


def _code_of(text: str, cell: Part) -> _Code:
    members = {member.key: member for member in parts(text, cell.start)}
    value = members["source"] if "source" in members else members["input"]
    items = [value] if isinstance(value.value, str) else list(parts(text, value.start))
    code = "".join(item.value for item in items)
    offsets: list[int] = []
    for item in items:
        units = CHARACTER.findall(text, item.start + 1, item.end - 1)
        offsets += list(accumulate(map(len, units), initial=item.start + 1))[:-1]
    offsets.append(items[-1].end - 1 if items else value.start)
    endings = list(_ENDING.finditer(code))
    starts = [0, *(ending.end() for ending in endings)]
    ends = [*(ending.start() for ending in endings), len(code)]
    return _Code(code, offsets, starts, ends)
