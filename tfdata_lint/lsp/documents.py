"""What the editor has open: texts with rows and positions as the protocol counts them, and documents for the engine."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path, urlparse
from pygls.workspace import TextDocument, Workspace

from tfdata_lint.source.module import load
from tfdata_lint.source.places import Place

# Unlike `str.splitlines`: form feeds and U+2028 end no row.
_ROW_END = re.compile(r"\r\n|\n|\r")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True, slots=True)
class Units:
    """What the columns of a client count: `utf-8`, `utf-16` or `utf-32` code units."""

    encoding: str = "utf-16"

    def count(self, text: str) -> int:
        """How many units a text has."""
        if text.isascii():
            return len(text)
        codec, size = _CODECS[self.encoding]
        return len(text.encode(codec, "surrogatepass")) // size

    def index(self, row: str, units: int) -> int:
        """The character of a row that a column stands for; behind the row its end."""
        if row.isascii():
            return min(units, len(row))
        codec, size = _CODECS[self.encoding]
        return len(row.encode(codec, "surrogatepass")[: units * size].decode(codec, "ignore"))


@dataclass(frozen=True)
class Text:
    """The text of a file or a cell at one moment."""

    uri: str
    version: int | None
    content: str
    units: Units
    language: str = "python"

    @cached_property
    def starts(self) -> list[int]:
        """Where each row starts."""
        return [0, *(end.end() for end in _ROW_END.finditer(self.content))]

    @cached_property
    def newline(self) -> str:
        """How its first row ends."""
        end = _ROW_END.search(self.content)
        return end[0] if end else "\n"

    @property
    def rows(self) -> list[str]:
        """Its rows with their ends."""
        return [self.content[start:end] for start, end in zip(self.starts, [*self.starts[1:], None], strict=True)]

    def row(self, number: int) -> str:
        """A row, from 0, without its end; empty behind the last."""
        if number >= len(self.starts):
            return ""
        following = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.content)
        return self.content[self.starts[number] : following].rstrip("\r\n")

    def column(self, position: types.Position) -> int:
        """The character of its row that a position stands for."""
        return self.units.index(self.row(position.line), position.character)

    def offset(self, position: types.Position) -> int:
        """The character of the text that a position stands for."""
        if position.line >= len(self.starts):
            return len(self.content)
        return self.starts[position.line] + self.column(position)

    def position(self, offset: int) -> types.Position:
        """The inverse of `offset`."""
        row = bisect_right(self.starts, offset) - 1
        return types.Position(row, self.units.count(self.content[self.starts[row] : offset]))

    def changed(self, change: types.TextDocumentContentChangeEvent) -> Text:
        """The text after an edit of the user."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            return replace(self, content=change.text)
        start, end = self.offset(change.range.start), self.offset(change.range.end)
        return replace(self, content=self.content[:start] + change.text + self.content[max(start, end) :])


class Buffer(TextDocument):
    """A document of pygls whose rows are right."""

    text: Text

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        self.text = self.text.changed(change)

    @property
    def source(self) -> str:
        return self.text.content


@dataclass(frozen=True, slots=True)
class Document:
    """A module or notebook as the engine takes it, at one moment."""

    uri: str
    path: str
    texts: tuple[Text, ...]
    """A module has one, a notebook one for each cell."""
    content: bytes
    encoding: str = "utf-8"
    is_notebook: bool = False
    is_open: bool = True

    def text(self, cell: int | None) -> Text:
        """The text of a cell, which are numbered from 1, or of a module."""
        return self.texts[(cell or 1) - 1]

    def cell(self, uri: str) -> int | None:
        """The number of a cell; None in a module."""
        if not self.is_notebook:
            return None
        return next((number for number, text in enumerate(self.texts, 1) if text.uri == uri), None)

    def holds(self, place: Place) -> bool:
        """Does the text of a place still stand there?"""
        text = self.text(place.cell)
        return all(text.row(row - 1) == code for row, code in place.lines if place.row <= row <= place.end_row)

    @property
    def is_exact(self) -> bool:
        """Can the text be written in the encoding that it names?"""
        return self.is_notebook or self.content.decode(self.encoding, "replace") == self.texts[0].content


class Documents(Workspace):
    """All open documents. Changes of unknown ones are passed over."""

    def units(self) -> Units:
        return Units(str(getattr(self.position_encoding, "value", self.position_encoding)))

    def document(self, uri: str) -> Document | None:
        """An open module or notebook, by its own URI or by that of one of its cells."""
        notebook = self.get_notebook_document(notebook_uri=uri) or self.get_notebook_document(cell_uri=uri)
        if notebook is not None:
            return self._notebook(notebook)
        buffer = self.text_documents.get(unquote(uri))
        if not isinstance(buffer, Buffer):
            return None
        text, path = buffer.text, path_of(uri)
        if path.endswith(".toml"):
            # Editors that open settings get links in them.
            return None
        if path.endswith(".ipynb"):
            # The JSON of one has no place for a finding. JupyterLab sends the code of all cells as one text.
            if text.language != "python":
                return None
            return Document(uri, path, (text,), _joined([text]), is_notebook=True)
        content, encoding = _encoded(text.content, path)
        return Document(buffer.uri, path, (text,), content, encoding)

    def closed(self, uri: str, path: str) -> Document:
        """A file that is not open, without its content."""
        return Document(uri, path, (Text(uri, None, "", self.units()),), b"", is_open=False)

    def text(self, uri: str) -> Text | None:
        """The text of an open file or cell."""
        buffer = self.text_documents.get(unquote(uri))
        return buffer.text if isinstance(buffer, Buffer) else None

    def owner(self, uri: str) -> str:
        """The URI of the module or notebook that a text is of."""
        notebook = self.get_notebook_document(cell_uri=uri)
        return notebook.uri if notebook else uri

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        buffer = self.text_documents.get(unquote(text_doc.uri))
        if isinstance(buffer, Buffer):
            buffer.apply_change(change)
            buffer.version = text_doc.version
            buffer.text = replace(buffer.text, version=text_doc.version)

    def update_notebook_document(self, params: types.DidChangeNotebookDocumentParams) -> None:
        if self.get_notebook_document(notebook_uri=params.notebook_document.uri):
            super().update_notebook_document(params)

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        buffer = Buffer(doc_uri, source, version, language_id)
        buffer.text = Text(doc_uri, version, source or "", self.units(), language_id or "python")
        return buffer

    def _notebook(self, notebook: types.NotebookDocument) -> Document:
        texts = []
        for cell in notebook.cells:
            text = self.text(cell.document) or Text(cell.document, None, "", self.units())
            texts.append(text if cell.kind == types.NotebookCellKind.Code else replace(text, language="markdown"))
        path = path_of(notebook.uri)
        path = path if path.endswith(".ipynb") else f"{path}.ipynb"
        return Document(notebook.uri, path, tuple(texts), _joined(texts), is_notebook=True)


def _joined(texts: Iterable[Text]) -> bytes:
    """A notebook with these cells."""
    cells = [
        {
            "cell_type": "markdown" if text.language == "markdown" else "code",
            "metadata": {"vscode": {"languageId": text.language}},
            "source": text.content,
        }
        for text in texts
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def path_of(uri: str) -> str:
    """The path of a file; of what is no file, a name for it."""
    if path := to_fs_path(uri):
        return os.path.normpath(path)
    return os.path.basename(urlparse(uri)[2]) or "untitled.py"


def range_of(place: Place, units: Units) -> types.Range:
    """A place as a client counts. It brings the text of its first and its last row along."""
    rows = dict(place.lines)

    def position(row: int, column: int) -> types.Position:
        text = rows.get(row)
        before = column - 1 if text is None else units.count(text[: column - 1])
        return types.Position(row - 1, before)

    return types.Range(position(place.row, place.column), position(place.end_row, place.end_column))


def _encoded(text: str, path: str) -> tuple[bytes, str]:
    """The text as bytes in the encoding that its first rows name."""
    data = text.encode("utf-8", "surrogatepass")
    if "coding" not in text[:1000]:
        return data, "utf-8"
    encoding = load(data, path).encoding
    return (data if encoding == "utf-8" else text.encode(encoding, "replace")), encoding
