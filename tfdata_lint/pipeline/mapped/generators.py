"""The Python generators of a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.mapped.record import FunctionNode
from tfdata_lint.pipeline.nouns import code
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.source.trees import walk


def generators_of(graph: PipelineGraph) -> list[ast.FunctionDef]:
    """The functions of a module that yield."""
    nodes = walk(graph.tree) if graph.tree else ()
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
    return [node for node in functions if any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own_nodes(node))]


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a function, those of functions inside it left out."""
    return code.own_nodes([function.body] if isinstance(function, ast.Lambda) else function.body)
