"""The `Trace` blocks of loops."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import SymbolUse

_TRACE = "tensorflow.profiler.experimental.Trace"


def traces_of(graph: PipelineGraph) -> dict[int, SymbolUse]:
    """The uses of `Trace` that are calls, by the `id` of the call."""
    return {id(use.call): use for use in graph.uses if use.name == _TRACE and use.call is not None}


def traced_blocks(loop: ast.AST, traces: dict[int, SymbolUse]) -> Iterator[tuple[ast.With, SymbolUse]]:
    """The `with Trace(…):` statements of a loop's own body, without the loops and functions inside of it."""
    if not isinstance(loop, (ast.For, ast.While)):
        return
    todo: list[ast.AST] = list(loop.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, ast.With):
            for item in node.items:
                if use := traces.get(id(item.context_expr)):
                    yield node, use
        todo.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, (ast.stmt, ast.excepthandler)))
