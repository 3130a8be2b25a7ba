"""Questions about how the code is written that a graph was recovered from."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Argument, Consumer, Loop, Stage

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_same_variable(one: Argument, other: Argument) -> bool:
    """Are both the same variable with the same value?"""
    if not isinstance(one.node, (ast.Name, ast.Attribute)) or one.written != other.written:
        return False
    return one.value is other.value or one.value == other.value


def length(source: Stage) -> int | None:
    """The number of elements of `range(n)`, where that is a literal."""
    match source.node:
        case ast.Call(args=[ast.Constant(value=int() as stop)]) if source.op == "range":
            return stop
    return None


def counts(loop: Loop) -> bool:
    """`for epoch in range(n)`, also under tqdm, or `while`; a loop over several datasets does not."""
    match loop.node:
        case ast.While():
            return True
        case ast.For(iter=walked):
            calls = [node for node in ast.walk(walked) if isinstance(node, ast.Call)]
            return any(ast.unparse(call.func).rpartition(".")[2] in ("range", "trange", "count") for call in calls)
    return False


def walks_several(consumer: Consumer) -> bool:
    """Does it walk several datasets at once: `for x, y in zip(one, other)`?"""
    walked = consumer.node.iter if isinstance(consumer.node, ast.For) else ast.Constant(None)
    calls = (node.func for node in ast.walk(walked) if isinstance(node, ast.Call))
    return consumer.target == "zip" or any(isinstance(call, ast.Name) and call.id == "zip" for call in calls)


def is_private(graph: PipelineGraph, definition: str) -> bool:
    """Does a function of this module belong to it alone: by its name, or as part of another function?

    Nobody else can then be expected to call it. With a decorator, or in a class with bases, somebody may.
    """
    if graph.tree is None or graph.source is None:
        return False
    owner: ast.AST | None = None
    node: ast.AST | None = graph.tree
    known: dict[ast.AST, dict[str, ast.AST]] = graph.source.notes.setdefault(is_private, {})
    for part in definition.split("."):
        if node is not None and node not in known:
            known[node] = _defined_in(node)
        owner, node = node, known[node].get(part) if node is not None else None
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    if isinstance(owner, _FUNCTIONS):
        return True
    is_own = not isinstance(owner, ast.ClassDef) or not owner.bases
    return is_own and node.name.startswith("_") and not node.name.endswith("__")


def _defined_in(scope: ast.AST) -> dict[str, ast.AST]:
    """The functions and classes defined in a scope, its branches included; of one name the first that is found."""
    found: dict[str, ast.AST] = {}
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            found.setdefault(node.name, node)
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
            todo.extend(ast.iter_child_nodes(node))
    return found
