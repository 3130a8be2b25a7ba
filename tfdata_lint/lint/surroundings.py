"""What stays the same about a finding while rows move: the function that it is in, and the statement.

Comments, layout and quotes do not count, nor does what stands in the body of a loop, a condition or a function. The
digests do not depend on the version of Python, so that they can be kept in files.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from copy import copy
from typing import NamedTuple, TypeAlias

from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.source.module import Source

#: How much of a statement is shown.
SHOWN = 80
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
#: What only some versions of Python have, or what follows from the rest.
_IGNORED = ("ctx", "kind", "type_comment")

_Position: TypeAlias = tuple[int, int]


class Surroundings(NamedTuple):
    """The surroundings of a place."""

    function: str
    """The function or class, such as `Trainer.read`; empty at the top of a module."""
    statement: str
    """The beginning of the statement."""
    digest: str
    """Equal for equal statements."""


def surroundings(source: Source, span: Span) -> Surroundings:
    """What a place is in; a comment is its own statement."""
    row = source.lines[span.row - 1]
    comment = row.encode("utf-8", "replace")[span.column : span.end_column].decode("utf-8", "replace")
    if not comment.startswith("#"):
        names, statement = _around(source, (span.row, span.column))
        if statement is not None:
            return Surroundings(".".join(names), _text(statement, row), _digest(_words(statement)))
        comment = row
    # A comment behind a statement is in the function that the statement is in.
    names, statement = _around(source, (span.row, len(row) - len(row.lstrip())))
    if isinstance(statement, _DEFINITIONS):
        names.append(statement.name)
    text = " ".join(comment.split())
    return Surroundings(".".join(names), text[:SHOWN], _digest([text]))


def digests(source: Source) -> frozenset[str]:
    """Of every statement."""
    todo = list(source.tree.body) if source.tree else []
    found = set()
    while todo:
        statement = todo.pop()
        found.add(_digest(_words(statement)))
        todo += _inside(statement)
    return frozenset(found)


def _around(source: Source, position: _Position) -> tuple[list[str], ast.stmt | None]:
    """The innermost statement at a place, and the names of the definitions that it is in."""
    names: list[str] = []
    innermost: ast.stmt | None = None
    block: Iterable[ast.stmt] = source.tree.body if source.tree else ()
    while found := next((statement for statement in block if _is_at(statement, position)), None):
        if isinstance(innermost, _DEFINITIONS):
            names.append(innermost.name)
        innermost, block = found, _inside(found)
    return names, innermost


def _is_at(statement: ast.stmt, position: _Position) -> bool:
    start = statement.lineno, statement.col_offset
    if isinstance(statement, _DEFINITIONS) and statement.decorator_list:
        start = statement.decorator_list[0].lineno, 0
    return start <= position < (statement.end_lineno or 0, statement.end_col_offset or 0)


def _inside(statement: ast.stmt) -> Iterator[ast.stmt]:
    for name in _BODIES:
        for part in getattr(statement, name, ()):
            if isinstance(part, ast.stmt):
                yield part
            else:
                # An `except` or a `case`.
                yield from part.body


def _text(statement: ast.stmt, row: str) -> str:
    header = copy(statement)
    for name in _BODIES:
        if hasattr(header, name):
            setattr(header, name, [])
    try:
        text = ast.unparse(header)
    except (RecursionError, ValueError):
        # A chain too long, or a number too large.
        text = row
    return " ".join(text.split())[:SHOWN]


def _words(statement: ast.stmt) -> Iterator[str]:
    """A statement without its body, as words that tell it from all others. Needs no recursion: chains can be long."""
    todo: list[object] = [statement]
    while todo:
        match todo.pop():
            case ast.Constant(value=value):
                yield type(value).__name__
                yield hex(value) if isinstance(value, int) else ascii(value)
            case ast.AST() as node:
                yield type(node).__name__
                ignored = (*_IGNORED, *_BODIES) if isinstance(node, ast.stmt) else _IGNORED
                for name in node._fields:
                    value = getattr(node, name, None)
                    if name not in ignored and value is not None and value != []:
                        todo += [value, name]
            case list() as items:
                yield f"list {len(items)}"
                todo += items
            case value:
                yield str(value)


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "backslashreplace")).hexdigest()[:16]
