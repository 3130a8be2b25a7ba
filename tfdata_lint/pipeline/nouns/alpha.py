"""The code of a function as words that stay the same when what it calls its own is renamed, commented or moved."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

#: Nodes that are read; what is longer is told apart by what stands there.
_MOST = 20_000
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
#: What only some versions of Python have, what follows from the rest, and what does nothing.
_IGNORED = frozenset({"ctx", "kind", "type_comment", "type_params", "returns", "annotation"})


def words(*nodes: ast.AST) -> Iterator[str]:
    """Functions as words: names that they bind, and their own, are numbered as they come; those of others count."""
    own: dict[str, int] = {name: -1 for node in nodes for name in _bound(node)}
    numbers: dict[str, str] = {}
    todo: list[object] = list(reversed(nodes))
    left = _MOST
    while todo and left:
        left -= 1
        match todo.pop():
            case ast.Constant(value=value):
                yield type(value).__name__
                yield hex(value) if isinstance(value, int) else ascii(value)
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.AST() as node:
                yield type(node).__name__
                for name in node._fields:
                    value = getattr(node, name, None)
                    if name in _IGNORED or value is None or value == []:
                        continue
                    if isinstance(value, str) and value in own and name in ("id", "arg", "name"):
                        value = numbers.setdefault(value, f"={len(numbers)}")
                    todo += [value, name]
            case list() as items:
                yield f"list {len(items)}"
                todo += reversed(items)
            case value:
                yield str(value)


def _bound(function: ast.AST) -> Iterable[str]:
    """The names that a function binds, with those of the functions in it."""
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield name
