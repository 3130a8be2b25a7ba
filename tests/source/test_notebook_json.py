"""Positions in cells are found in the JSON, however a notebook is written."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tfdata_lint.source import notebook
from tfdata_lint.source.notebook_json import CodePositions

CODE = 'import tensorflow as tf\nx = "a\\tä𝕏"\n\nds = ds.map(f)  # ✓'


def code_cell(source: Any, key: str = "source") -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {"tags": [{}, "]"]}, "outputs": [], key: source}


def document(*sources: Any) -> dict[str, Any]:
    text = {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", '"cells": ["source"]']}
    return {"metadata": {}, "nbformat": 4, "nbformat_minor": 5, "cells": [text, *map(code_cell, sources)]}


def written_at(text: str, row: int, column: int) -> str:
    """The character of the code that the JSON has there, or a quote where the code ends."""
    rest = text.split("\n")[row - 1][column - 1 :]
    if rest.startswith('"'):
        return ""
    length = 12 if re.match(r"\\u[dD][89abAB]", rest) else 6 if rest.startswith("\\u") else 2 if rest[0] == "\\" else 1
    found: str = json.loads(f'"{rest[:length]}"')
    return found


def check(text: str) -> int:
    """Each character of each code cell, and the end of each row, where the JSON has it; how many there are."""
    positions = CodePositions(text)
    count = 0
    for cell in notebook.read(text).cells:
        # An empty list of rows has no quotes.
        ends = ("\n", "\r", "") if cell.text else ("", "[")
        for number, line in enumerate(cell.text.split("\n"), 1):
            assert positions.row(cell.number, number) == line
            for column, character in enumerate(line, 1):
                assert written_at(text, *positions.position(cell.number, number, column)) == character
                count += 1
            assert written_at(text, *positions.position(cell.number, number, len(line) + 1)) in ends
    return count


@pytest.mark.parametrize("escaped", [False, True], ids=["characters", "escapes"])
@pytest.mark.parametrize("indent", [None, 1, 2], ids=str)
@pytest.mark.parametrize(
    "source", [CODE, CODE.splitlines(keepends=True), [*CODE], [CODE.replace("\n", "\r\n")], ["", CODE, "", ""]]
)
def test_every_character_is_found(source: Any, indent: int | None, escaped: bool) -> None:
    text = json.dumps(document(source, [], "", source), indent=indent, ensure_ascii=escaped)
    assert check(text) == 2 * len(CODE.replace("\n", ""))


def test_rows_are_those_that_an_editor_shows() -> None:
    text = json.dumps(document(CODE.splitlines(keepends=True)), indent=1, ensure_ascii=False)
    row, column = CodePositions(text).position(2, 4, 6)
    assert text.split("\n")[row - 1] == '    "ds = ds.map(f)  # ✓"'
    assert text.split("\n")[row - 1][column - 1 :].startswith("ds.map")


def test_one_string_is_one_row() -> None:
    text = json.dumps(document(CODE), indent=1)
    found = CodePositions(text)
    assert {found.position(2, row, 1)[0] for row in (1, 2, 4)} == {text[: text.index("import")].count("\n") + 1}


def test_sheets_of_version_3() -> None:
    sheets = [{"cells": [code_cell("a = 1", "input")]}, {"cells": [code_cell(["b = 2\n", "c"], "input")]}]
    assert check(json.dumps({"worksheets": sheets}, indent=1)) == 11


@given(st.lists(st.text(max_size=20), max_size=5), st.sampled_from([None, 1]), st.booleans())
def test_whatever_cells_hold(source: list[str], indent: int | None, escaped: bool) -> None:
    check(json.dumps(document(source), indent=indent, ensure_ascii=escaped))
