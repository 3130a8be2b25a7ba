"""Going through trees of `ast`, faster than its own functions do."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from itertools import chain


class Cells(ast.Module):
    """The statements of the cells of a marimo notebook, in the order in which they run."""

    def __init__(self, body: list[ast.stmt], by_row: list[ast.stmt]) -> None:
        super().__init__(body=body, type_ignores=[])
        self.by_row = by_row
        """The same statements in the order of the file."""


#: Fields that hold no node, and `ctx`: the name or attribute that has it says as much.
_PLAIN = frozenset({
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "lineno", "module",
    "rest", "simple", "str", "tag", "type_comment",
})  # fmt: skip
#: Nodes that hold none, and lists that may have holes.
_LEAVES, _HOLED = (ast.Constant, ast.Global, ast.Nonlocal, ast.MatchSingleton), ("keys", "kw_defaults")


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of node that may hold nodes."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        return self.setdefault(kind, tuple(n for n in kind._fields if kind not in _LEAVES and n not in _PLAIN))


_FIELDS = _Fields()


class _Blocks(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of node that hold statements, handlers or cases."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        has_some = issubclass(kind, (ast.stmt, ast.excepthandler, ast.match_case, ast.mod))
        return self.setdefault(kind, tuple(name for name in kind._fields if has_some and name in _STATEMENTS))


_STATEMENTS = frozenset({"body", "cases", "finalbody", "handlers", "orelse"})
_BLOCKS = _Blocks()


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below one, in their order. As `ast.iter_child_nodes`, without `ctx`."""
    found: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name, None)
        if type(value) is list:
            found += value if name not in _HOLED else filter(None, value)
        elif value is not None and type(value) is not str:
            found.append(value)
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, level by level. As `ast.walk`, without `ctx`. Trees do not change once they are read."""
    if not isinstance(node, ast.Module):
        return _walk(node)
    # Rules ask the whole module for each of their findings.
    below: tuple[ast.AST, ...] | None = node.__dict__.get("below")
    if below is None:
        # Without the module itself, which would hold itself then.
        below = node.__dict__["below"] = tuple(_walk(node))[1:]
    return chain((node,), below)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    # As `children`, written out: most of the time goes here.
    todo = deque([node])
    take, add = todo.popleft, todo.append
    while todo:
        node = take()
        for name in _FIELDS[type(node)]:
            value = getattr(node, name, None)
            if type(value) is list:
                todo += value if name not in _HOLED else filter(None, value)
            elif value is not None and type(value) is not str:
                add(value)
        yield node


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """As `walk`, of a module or statement, without expressions: these are most of a tree."""
    todo = deque([node])
    while todo:
        node = todo.popleft()
        for name in _BLOCKS[type(node)]:
            todo.extend(getattr(node, name))
        yield node
