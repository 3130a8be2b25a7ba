"""The blocks of the pages as programs of two files: their helpers move into a second one, which is longer."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tfdata_lint.testing import pages
from tfdata_lint.testing.blocks import Block, blocks

PAGES = Path(__file__).parents[1] / "rules"
#: So long that no row of a helper is one of the other file.
_ABOVE = '"""Helpers."""\n' + "# Nothing.\n" * 200
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Program(NamedTuple):
    block: Block
    files: Mapping[str, str]
    """The texts of the two files, by name."""

    def __str__(self) -> str:
        return str(self.block)


def programs() -> Iterator[Program]:
    """Each block with definitions that can move."""
    for page in sorted(PAGES.glob("*.md")):
        for block in blocks(page):
            if block.option("invalid") is None and (files := _split(pages.unannounced(block.text))):
                yield Program(block, files)


def _split(text: str) -> dict[str, str]:
    body = ast.parse(text).body
    # What both files may have.
    shared = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom)) or _is_plain(node)]
    moved = [node for node in body if isinstance(node, _DEFINITIONS)]
    left = [node for node in body if node not in moved]
    while stuck := [node for node in moved if _read([node]) & _bound(n for n in left if n not in shared)]:
        left += stuck
        moved = [node for node in moved if node not in stuck]
    names = sorted(_bound(moved) & _read(left))
    if not names:
        return {}
    rows = text.splitlines(keepends=True)
    gone = {number for node in moved for number in _rows(node)}
    rest = "".join(row for number, row in enumerate(rows, 1) if number not in gone)
    copied = "".join(rows[number - 1] for node in (*shared, *moved) for number in _rows(node))
    return {"main.py": f"from helpers import {', '.join(names)}\n{rest}", "helpers.py": _ABOVE + copied}


def _rows(node: ast.stmt) -> range:
    first = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
    return range(first, (node.end_lineno or first) + 1)


def _is_plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and not any(isinstance(part, ast.Call) for part in ast.walk(node))


def _read(nodes: Iterable[ast.stmt]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def _bound(nodes: Iterable[ast.stmt]) -> set[str]:
    """The names that statements bind at the outermost level."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, _DEFINITIONS):
            found.add(node.name)
        else:
            names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
            found |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return found
