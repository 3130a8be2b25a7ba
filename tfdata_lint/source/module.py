"""A module or notebook as text, with what is needed to find one's way in it."""

from __future__ import annotations

import ast
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tfdata_lint.source import layout
from tfdata_lint.source.parsing import Problem, parse, parse_cell
from tfdata_lint.source.places import Place, cell_name

if TYPE_CHECKING:
    from tfdata_lint.source.marimo import MarimoCell
    from tfdata_lint.source.suppression import Suppressions

__all__ = ["CellRows", "Kind", "Location", "Problem", "Source", "load"]

Kind = Literal["module", "stub", "notebook"]

_KINDS: dict[str, Kind] = {".pyi": "stub", ".ipynb": "notebook"}
#: Documents with code in them, and how to get that.
_DOCUMENTS = {
    ".qmd": ("Quarto", "quarto convert"),
    ".rmd": ("R Markdown", "jupytext --to ipynb"),
    ".md": ("Markdown", "jupytext --to ipynb"),
    ".myst": ("MyST", "jupytext --to ipynb"),
}
#: Of what is meant to be Python; an empty one may be.
_ENDINGS = ("", ".py", ".pyi", ".pyw", ".ipy", ".ipynb")
_OTHER = "Name files that end in `.py`, `.pyi` or `.ipynb`"
_SCRIPT = re.compile(r"^#[ \t]*%%", re.MULTILINE)
_MAGIC = re.compile(r"^[ \t]*(?:%|!|\?|[\w.]+\?)|= *[%!]", re.MULTILINE)
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# PEP 263: a comment in one of the first two rows; in the second only below a blank or a comment.
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"[ \t\f]*(?:#|$)")
#: What an encoding leaves as it is that Python code can be written in. Others decode at any cost, to anything.
_ASCII = bytes(range(32, 92)) + bytes(range(93, 127)) + b"\t\n\f\r\\x41\\u0041.xn--bcher-kva."
#: Characters of a text that are parsed.
LONGEST = 800_000
#: Characters that a word or a sign of it has at least, all in all.
_PER_WORD = 4
_WORD = r"[\w.]+|[^\w\s.,]"


class Location(NamedTuple):
    """A place as its reader counts: from 1, columns in characters, in a notebook by cell and row within the cell."""

    row: int
    column: int
    cell: int | None


#: Cell magics whose cell is Python, besides the usual ones: the setting of the file that is being read.
CELL_MAGICS: ContextVar[tuple[str, ...]] = ContextVar("cell_magics", default=())


class CellRows(NamedTuple):
    """Where a code cell lies in the text of its notebook: its number among all cells, and its rows."""

    number: int
    first: int
    last: int
    execution: int = 0
    """The number of its execution, in a notebook that is made of a session."""


class Source:
    """A module or notebook. Rows count from 1 and columns from 0 in UTF-8 bytes, as `ast` has them, unless said."""

    __slots__ = (
        "_limit", "_parsed", "_suppressions", "_tree", "bom", "cells", "encoding", "kind", "lines", "marimo", "newline",
        "notes", "outputs", "path", "problems", "python", "shown", "text", "unparsed",
    )  # fmt: skip

    def __init__(
        self,
        path: str,
        kind: Kind,
        text: str,
        *,
        lines: list[str] | None = None,
        cells: Sequence[CellRows] = (),
        problems: Sequence[Problem] = (),
        encoding: str = "utf-8",
        newline: str = "\n",
        bom: bool = False,
        shown: str = "",
    ) -> None:
        self.path = path
        self.shown = shown or path
        """The file that its places are in: of a module that a cell writes, the notebook."""
        self.kind = kind
        self.text = text
        """Its rows end in `\\n`. In a notebook the code cells in order, blanked where they are not Python."""
        self.lines = text.split("\n") if lines is None else lines
        """The rows as they were written, to be shown: in a notebook with magics."""
        self.cells = cells
        self.marimo: Sequence[MarimoCell] = ()
        """The cells of a marimo notebook, once `tree` has been asked for."""
        self.outputs: dict[int, str] = {}
        """What the cells of a notebook have printed, by their numbers."""
        self.python = ""
        """The Python that a notebook was run with, as it says."""
        self.problems: list[Problem] = list(problems)
        """What is wrong with the text; complete once `tree` has been asked for."""
        self.encoding = encoding
        self.newline = newline
        """How its first row ends."""
        self.bom = bom
        self.notes: dict[object, Any] = {}
        """What others remember of it; copies share it."""
        self.unparsed = 0
        """The row from which on it was too long to be parsed; 0 when all of it was."""
        self._limit = LONGEST
        # What could not be loaded is not parsed either.
        self._parsed = bool(problems)
        self._tree: ast.Module | None = None
        self._suppressions: Suppressions | None = None

    def copy(self, path: str) -> Source:
        """The same under another path, with nothing suppressed yet."""
        copy = object.__new__(Source)
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        copy.path, copy.shown, copy.problems, copy._suppressions = path, path, list(self.problems), None
        return copy

    @property
    def tree(self) -> ast.Module | None:
        """What could be parsed; None when nothing could."""
        if not self._parsed:
            self._parsed = True
            self._tree = self._parse()
        return self._tree

    def allow(self, characters: int) -> None:
        """Let more of it be parsed than usual."""
        if len(self.text) > self._limit < characters and not self.problems:
            self._limit, self._parsed, self.notes = characters, False, {}

    @property
    def suppressions(self) -> Suppressions:
        """The comments that suppress findings."""
        if self._suppressions is None:
            from tfdata_lint.source.suppression import Suppressions

            rows = self.text.split("\n")
            cells = [(cell.first, "\n".join(rows[cell.first - 1 : cell.last])) for cell in self.cells]
            parts = cells or [(1, self.text)]
            self._suppressions = Suppressions(parts)
        return self._suppressions

    def location(self, row: int, column: int) -> Location:
        """The place that `ast` calls by this row and column."""
        row = min(max(row, 1), len(self.lines))
        line = self.lines[row - 1]
        if not line.isascii():
            column = len(line.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))
        if not self.cells:
            return Location(row, column + 1, None)
        cell = self.cells[max(0, bisect_right(self.cells, row, key=lambda cell: cell.first) - 1)]
        return Location(row - cell.first + 1, column + 1, cell.number)

    def place(self, row: int, column: int, end_row: int, end_column: int) -> Place:
        """The range that `ast` calls by these, with its code."""
        start, end = self.location(row, column), self.location(end_row, end_column)
        shown: Iterable[int] = range(max(1, row), min(len(self.lines), end_row) + 1)
        if end_row - row > 2:
            shown = [number for number in shown if number <= row or number >= end_row]
        lines = []
        for number in shown:
            location = self.location(number, 0)
            if location.cell == start.cell:
                lines.append((location.row, self.lines[number - 1]))
        name = self.marimo_cell(row)
        return Place(self.shown, start.cell, start.row, start.column, end.row, end.column, tuple(lines), name)

    def cell_name(self, location: Location) -> str:
        """What the cell of a place is called; empty outside of notebooks."""
        execution = next((cell.execution for cell in self.cells if cell.number == location.cell), 0)
        return cell_name(location.cell, execution)

    def row_in_words(self, row: int, *, is_elsewhere: bool = False) -> str:
        """As a reader counts: line 3, line 3 of cell 2; line 3 of data.py where another file speaks of it."""
        location = self.location(row, 0)
        within = self.cell_name(location) or os.path.basename(self.path) * is_elsewhere
        return " of ".join(filter(None, (f"line {location.row}", within)))

    def marimo_cell(self, row: int) -> str:
        """The name of the marimo cell that a row is in, or its number; empty outside of cells."""
        position = bisect_right(self.marimo, row, key=lambda cell: cell.first) - 1
        return self.marimo[position].name if position >= 0 and row <= self.marimo[position].last else ""

    def _parse(self) -> ast.Module | None:
        # Every byte of code becomes some 250 bytes of tree, and a word of one letter 2,000.
        limit = self._limit
        if len(self.text) > limit // _PER_WORD and (word := _word(self.text, limit // _PER_WORD)):
            limit = min(limit, word.start())
        is_long = len(self.text) > limit
        if self.kind == "notebook":
            parsed = parse(self.text) if not is_long else None
            if isinstance(parsed, ast.Module) and not self._crosses_cells(parsed):
                return parsed
            return self._parse_cells(limit)
        text, self.unparsed = layout.beginning(self.text, limit) if is_long else (self.text, 0)
        tree = self._accept(parse_cell(text) if self.cells else parse(text))
        if tree is not None and "marimo" in text and self.kind == "module":
            from tfdata_lint.source import marimo

            if found := marimo.read(tree):
                tree, self.marimo = found
        return tree

    def _accept(self, parsed: ast.Module | Problem) -> ast.Module | None:
        if isinstance(parsed, Problem):
            if (ending := _ending(self.path)) not in _ENDINGS:
                parsed = parsed._replace(message=f"this is not Python, as its ending `{ending}` says", advice=_OTHER)
            self.problems.append(parsed)
            return None
        return parsed

    def _crosses_cells(self, tree: ast.Module) -> bool:
        """Does a statement begin in one cell and end in another? Then each of them is broken on its own."""
        ends = iter(self.cells)
        last = 0
        for statement in tree.body:
            while statement.lineno > last:
                last = next(ends).last
            if (statement.end_lineno or 0) > last:
                return True
        return False

    def _parse_cells(self, limit: int) -> ast.Module | None:
        """Each cell alone, as far as so many characters go."""
        body: list[ast.stmt] = []
        rows = self.text.split("\n")
        for cell in self.cells:
            text = "\n".join(rows[cell.first - 1 : cell.last])
            limit -= len(text) + 1
            if limit < -1:
                self.unparsed = cell.first
                break
            parsed = parse_cell(text)
            # Rows count as in the whole text.
            before = cell.first - 1
            if isinstance(parsed, Problem):
                parsed = parsed._replace(row=parsed.row + before)
            if tree := self._accept(parsed):
                body += ast.increment_lineno(tree, before).body
        return ast.Module(body=body, type_ignores=[])


def _word(text: str, number: int) -> re.Match[str] | None:
    return next(islice(re.finditer(_WORD, text), number, None), None)


def load(data: bytes, path: str, *, kind: Kind | None = None) -> Source:
    """The text of a file. Whatever is wrong with it becomes a problem of the source."""
    kind = kind or _KINDS.get(_ending(path), "module")
    bom = data.startswith(_BOM)
    if bom:
        data = data[len(_BOM) :]
    encoding, problem = ("utf-8", None) if kind == "notebook" else _encoding(data, bom)
    text = ""
    if problem is None:
        text, problem = _decode(data, encoding)
    if problem is not None:
        text = data.decode("utf-8", "replace")
    elif (document := _DOCUMENTS.get(_ending(path))) and kind == "module":
        what, tool = document
        message = f"{what} documents are not read, only Python files and notebooks"
        problem = Problem(message, 1, 0, advice=f"Check what `{tool} {os.path.basename(path)}` makes of it")
    newline = _first_newline(text)
    text = _unix(text)
    if kind == "notebook" and problem is None:
        return _load_notebook(text, path, newline, bom)
    lines = None
    if kind == "module" and problem is None and _has_magics(text, path):
        from tfdata_lint.source.notebook import without_magics_of_script

        starts = (found.start() for found in _SCRIPT.finditer(text))
        lines, text = text.split("\n"), without_magics_of_script(text, starts)
    problems = [problem] if problem else ()
    return Source(path, kind, text, lines=lines, problems=problems, encoding=encoding, newline=newline, bom=bom)


def _has_magics(text: str, path: str) -> bool:
    """Is it a script for IPython, which has magics?"""
    is_script = "%%" in text and _SCRIPT.search(text) is not None
    return (is_script or _ending(path) == ".ipy") and _MAGIC.search(text) is not None


def _ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _load_notebook(text: str, path: str, newline: str, bom: bool) -> Source:
    from tfdata_lint.source import notebook

    try:
        cells, python = notebook.read(text, CELL_MAGICS.get())
    except notebook.NotANotebook as error:
        problem = Problem(error.message, error.row, error.column)
        return Source(path, "notebook", text, problems=[problem], newline=newline, bom=bom)
    rows: list[CellRows] = []
    lines: list[str] = []
    for cell in cells:
        first = len(lines) + 1
        lines += cell.text.split("\n")
        rows.append(CellRows(cell.number, first, len(lines), cell.execution))
    text = "\n".join(cell.python for cell in cells)
    source = Source(path, "notebook", text, lines=lines or [""], cells=rows, newline=newline, bom=bom)
    source.outputs, source.python = {cell.number: cell.output for cell in cells if cell.output}, python
    return source


def _unix(text: str) -> str:
    """The same with every row ended by `\\n`, which is how Python counts rows: not at form feeds or U+2028."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _first_newline(text: str) -> str:
    end = text.find("\n")
    carriage = text.find("\r", 0, end) if end >= 0 else text.find("\r")
    if carriage < 0:
        return "\n"
    return "\r\n" if carriage + 1 == end else "\r"


def _encoding(data: bytes, bom: bool) -> tuple[str, Problem | None]:
    """As PEP 263 has it."""
    if bom and data.startswith(_BOM):
        return "utf-8", Problem("this file begins with two marks of UTF-8, and Python reads one; remove one", 1, 0)
    if data.startswith(_UTF_16):
        return "utf-8", Problem("this file is UTF-16, which Python does not read; save it as UTF-8", 1, 0)
    for row, line in enumerate(re.split(rb"\r\n?|\n", data[:1000], maxsplit=2)[:2], 1):
        if found := _COOKIE.match(line):
            name = found[1].decode()
            if not (encoding := _codec(name)):
                message = f"there is no encoding `{name}`; name one that Python knows, such as utf-8"
            elif bom and not encoding.startswith("utf-8"):
                message = f"the encoding is said to be `{name}`, but the file begins with the mark of UTF-8; remove one"
            elif not _keeps_ascii(encoding):
                message = (
                    f"no code is read in the encoding `{name}`: not all of ASCII is itself in it; save it as UTF-8"
                )
            else:
                return encoding, None
            return "utf-8", Problem(message, row, found.start(1))
        if not _BLANK.match(line):
            break
    return "utf-8", None


def _codec(name: str) -> str | None:
    """Python's name of an encoding of text; None when it has none."""
    import codecs

    # Emacs writes `utf-8-unix`.
    name = re.sub(r"^(utf-8|latin-1|iso-8859-1|iso-latin-1)-.*", r"\1", name.lower().replace("_", "-"))
    try:
        codec = codecs.lookup(name)
    except LookupError:
        return None
    # Codecs such as rot13 and hex are none of text.
    return codec.name if getattr(codec, "_is_text_encoding", True) else None


def _keeps_ascii(encoding: str) -> bool:
    try:
        return encoding.startswith("utf-8") or _ASCII.decode(encoding) == _ASCII.decode("ascii")
    except ValueError:
        return False


def _decode(data: bytes, encoding: str) -> tuple[str, Problem | None]:
    try:
        return data.decode(encoding), None
    except UnicodeDecodeError as error:
        before = _unix(data[: error.start].decode("utf-8", "replace"))
        row = before.count("\n") + 1
        column = len(before[before.rfind("\n") + 1 :].encode())
        message = (
            f"byte 0x{data[error.start]:02x} is not valid {encoding.upper()}; "
            "save the file as UTF-8, or name its encoding in the first line: `# -*- coding: latin-1 -*-`"
        )
        return "", Problem(message, row, column)
    except (UnicodeError, LookupError, ValueError) as error:
        return "", Problem(f"this is not text in {encoding}: {error}; save the file as UTF-8", 1, 0)
