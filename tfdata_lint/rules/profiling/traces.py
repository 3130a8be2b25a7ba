"""The `with Trace(…):` blocks of loops: what the profiler takes for a step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.words import TRACE
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import children, walk


class Step(NamedTuple):
    """A block that is traced, in the own body of a loop: not in a loop or function inside of it."""

    loop: ast.For | ast.While
    block: ast.With
    use: SymbolUse
    """Where `Trace` is called."""


def steps_of(graph: PipelineGraph) -> list[Step]:
    """All of a module."""
    traces = {id(use.call): use for use in graph.uses if use.name == TRACE and use.call is not None}
    nodes = walk(syntax_of(graph.source).tree) if traces else ()
    return [step for node in nodes if isinstance(node, (ast.For, ast.While)) for step in _steps_in(node, traces)]


def _steps_in(loop: ast.For | ast.While, traces: dict[int, SymbolUse]) -> Iterator[Step]:
    todo: list[ast.AST] = list(loop.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, ast.With):
            uses = (traces.get(id(item.context_expr)) for item in node.items)
            yield from (Step(loop, node, use) for use in uses if use is not None)
        todo.extend(child for child in children(node) if isinstance(child, (ast.stmt, ast.excepthandler)))
