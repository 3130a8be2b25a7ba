"""What TensorFlow is called decides nothing: pages find the same under each way of importing it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.testing.blocks import Block, blocks
from tfdata_lint.testing.pages import target_of

pytestmark = pytest.mark.slow

PAGES = sorted((Path(__file__).parents[2] / "rules").glob("*.md"))
#: How it is imported, and what it is called then.
WAYS = (("import tensorflow as tf2", "tf2"), ("import tensorflow", "tensorflow"))


def renamed(text: str, way: tuple[str, str]) -> str | None:
    """A module that imports TensorFlow as `tf`, where it is imported in another way; None where it is not."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    lines = [line.encode() for line in text.split("\n")]
    edits: list[tuple[int, int, int, str]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=[ast.alias(name="tensorflow", asname="tf")]):
                assert node.end_col_offset is not None
                edits.append((node.lineno, node.col_offset, node.end_col_offset, way[0]))
            case ast.alias(asname="tf") if node.name != "tensorflow" and node.end_col_offset is not None:
                edits.append((node.lineno, node.end_col_offset - 2, node.end_col_offset, way[1]))
            case ast.Name(id="tf") | ast.arg(arg="tf"):
                edits.append((node.lineno, node.col_offset, node.col_offset + 2, way[1]))
    if not any(new == way[0] for _, _, _, new in edits):
        return None
    for row, first, last, new in sorted(edits, reverse=True):
        lines[row - 1] = lines[row - 1][:first] + new.encode() + lines[row - 1][last:]
    return b"\n".join(lines).decode()


def found(block: Block, text: str, name: str) -> list[tuple[object, ...]]:
    """What all rules find in a module that calls TensorFlow so."""
    settings = Settings(extend_select=("ALL",), target_tensorflow=target_of(block))
    report = lint_source(text, f"{block.file.stem}.py", settings)
    return [
        (d.code, d.place.row, d.severity, _plain(d.message, name), d.fix is not None and d.fix.applicability)
        for d in report.diagnostics
    ]


def _plain(message: str, name: str) -> str:
    return re.sub(rf"\b{name}\.", "tf.", message)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_finds_the_same_however_tensorflow_is_imported(page: Path) -> None:
    for block in blocks(page):
        ways = {way: text for way in WAYS if (text := renamed(block.text, way)) is not None}
        known = found(block, block.text, "tf") if ways else []
        for (_, name), text in ways.items():
            assert found(block, text, name) == known, f"{block}:\n{text}"
