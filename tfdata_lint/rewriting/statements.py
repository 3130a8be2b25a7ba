"""Statements that a fix moves, with the rows that go along, and the names that it brings."""

from __future__ import annotations

import ast
import re
from typing import TypeAlias

from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.source.trees import walk

Taken: TypeAlias = set[tuple[int, str]]
"""Those that fixes of this reading bring: the function that they are local to, by its `id`, and the name."""


def indented(code: str, indent: str) -> str:
    """Whole rows at another indent."""
    # Few fixes need it, and it takes a while to import.
    import textwrap

    return textwrap.indent(textwrap.dedent(code), indent)


def rows_of(draft: Draft, statement: ast.stmt) -> tuple[int, int] | None:
    """The rows that a statement has for itself, with its comments and the last newline; noted where they are shared."""
    code, end_of_row = draft.syntax.text, draft.end_of_rows(statement)
    if end_of_row is None:
        draft.refuse("other code is on the line of the statement that would move")
        return None
    if any(isinstance(part, (ast.Constant, ast.JoinedStr)) and part.lineno != part.end_lineno
           for part in walk(statement)):  # fmt: skip
        draft.refuse("the statement that would move contains a multi-line string")
        return None
    rows = draft.start_of_rows(statement), min(end_of_row + 1, len(code))
    indent = draft.syntax.indent(rows[0])
    if any(row.strip() and not row.startswith(indent) for row in code[rows[0] : rows[1]].split("\n")):
        draft.refuse("the statement that would move has lines with less indentation than itself")
        return None
    return rows


def end_of_gap(draft: Draft, rows: tuple[int, int]) -> int:
    """Where the code goes on below rows that move away: they leave no blank row at a block's beginning, nor two."""
    code, (start, end) = draft.syntax.text, rows
    above = code[: max(start - 1, 0)].rpartition("\n")[2]
    if not above.strip() or above.rstrip().endswith(":"):
        while (following := code.find("\n", end) + 1) and not code[end:following].strip():
            end = following
    return end


def iterator_name(draft: Draft, dataset: ast.expr, taken: Taken) -> str:
    """A new name for an iterator of a dataset: `iterator`, or one made from the dataset's name."""
    return free_name(draft, dataset, taken, "iterator", f"{_stem(dataset)}_iterator")


def free_name(draft: Draft, node: ast.AST, taken: Taken, *wanted: str) -> str:
    """The first of these names that nothing has in the function around a node."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    function = next((step for step in draft.syntax.way(node) if isinstance(step, functions)), None)
    code = draft.syntax.written(function) if function is not None else draft.syntax.text
    for name in wanted:
        if (id(function), name) not in taken and re.search(rf"\b{name}\b", code) is None:
            taken.add((id(function), name))
            return name
    draft.refuse(f"there is no good name for the {wanted[0]}")
    return wanted[0]


def _stem(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lstrip("_")
        case ast.Subscript(value=value):
            return _stem(value)
    return "data"
