"""Python state: what a function that runs as Python reads from outside, and what else in its module changes that."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from tfdata_lint.pipeline.mapped.record import FunctionNode
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import PythonFunction, Stage
from tfdata_lint.source.trees import children, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
#: Methods that change what they are called on.
_CHANGING = frozenset(
    {"add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "fill", "insert", "pop", "popitem",
     "popleft", "put", "put_nowait", "remove", "reverse", "seek", "send", "set", "setdefault", "sort", "update"}
)  # fmt: skip
#: Functions that change what they are given.
_CHANGING_GIVEN = frozenset(
    {"copyto", "delattr", "heappop", "heappush", "heapify", "place", "put", "setattr", "shuffle"}
)


class _Change(NamedTuple):
    name: str
    """Of a variable; of an attribute with a dot before it."""
    function: FunctionNode | None
    """Where it happens: the innermost function, None at the outermost level."""
    row: int


def changed_elsewhere(python: PythonFunction, stage: Stage, graph: PipelineGraph) -> str:
    """What the function of a stage reads that may change between two elements, as written; empty if nothing does.

    What happens above the stage, at the same level, has happened before it runs.
    """
    own = {id(node) for node in python.nodes}
    read = {name for node in python.nodes for name in _reads(node)}
    for change in graph.once(_changes):
        if change.name not in read or id(change.function) in own:
            continue
        if change.row >= stage.span.row or not _encloses(change.function, stage.span.row):
            return change.name.lstrip(".")
    return ""


def _reads(node: ast.AST) -> set[str]:
    """The variables from outside, and the attributes, that a function reads."""
    parts = list(walk(node))
    loaded = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    bound = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    bound |= {part.arg for part in parts if isinstance(part, ast.arg)}
    bound -= {name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names}
    return (loaded - bound) | {f".{part.attr}" for part in parts if isinstance(part, ast.Attribute)}


def _changes(graph: PipelineGraph) -> list[_Change]:
    nodes = _nodes(graph)
    libraries = {name for node in walk(graph.tree) for name in _imported(node)} if graph.tree is not None else set()
    return [
        _Change(name, function, row)
        for function, node in nodes
        for name, row in chain(_changed_by(node, function), _shared_by(node, libraries))
    ]


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def _encloses(function: FunctionNode | None, row: int) -> bool:
    return function is None or function.lineno <= row <= (function.end_lineno or 0)


def _nodes(graph: PipelineGraph) -> Iterator[tuple[FunctionNode | None, ast.AST]]:
    todo: list[tuple[FunctionNode | None, ast.AST]] = [(None, graph.tree)] if graph.tree is not None else []
    while todo:
        function, node = todo.pop()
        yield function, node
        inner = node if isinstance(node, _FUNCTIONS) else function
        todo.extend((inner, child) for child in children(node))


def _changed_by(node: ast.AST, function: FunctionNode | None) -> Iterator[tuple[str, int]]:
    """What a statement or call changes, but for the variables of a function of its own."""
    match node:
        case ast.Global(names=found) | ast.Nonlocal(names=found):
            yield from ((name, node.lineno) for name in found)
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            yield from ((name, node.lineno) for target in targets for name in _stored(target, function))
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
            yield from ((name, node.lineno) for name in _stored(target, function))
            if isinstance(node, ast.AugAssign):
                # An array is changed in place.
                yield from ((name, node.lineno) for name in _root(target))
        case ast.Call(func=ast.Attribute(value=receiver, attr=method), args=args):
            if method in _CHANGING:
                yield from ((name, node.lineno) for name in _root(receiver))
            if method in _CHANGING_GIVEN:
                yield from ((name, node.lineno) for argument in args for name in _root(argument))
        case ast.Call(func=ast.Name(id=called), args=args) if called in _CHANGING_GIVEN | {"next"}:
            yield from ((name, node.lineno) for argument in args for name in _root(argument))


def _shared_by(node: ast.AST, libraries: set[str]) -> Iterator[tuple[str, int]]:
    """The variables that get another name, or are handed to functions that may change them."""
    match node:
        case ast.Assign(value=ast.Name(id=name)):
            # Whenever that was.
            yield name, sys.maxsize
        case ast.Call(func=func, args=args, keywords=keywords):
            root: ast.expr = func
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and (root.id in libraries or root.id in dir(builtins)):
                return
            for argument in (*args, *(keyword.value for keyword in keywords)):
                if isinstance(argument, ast.Name):
                    yield argument.id, node.lineno


def _stored(target: ast.expr, function: FunctionNode | None) -> Iterator[str]:
    is_constructor = isinstance(function, ast.FunctionDef) and function.name in ("__init__", "__post_init__")
    for part in walk(target):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if function is None:
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) if not is_constructor:
                yield f".{name}"
            case ast.Subscript(value=container, ctx=ast.Store() | ast.Del()):
                yield from _root(container)


def _root(node: ast.expr) -> Iterator[str]:
    """The variable or attribute that an expression is a part of."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield f".{node.attr}"
