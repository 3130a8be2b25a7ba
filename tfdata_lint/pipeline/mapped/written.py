"""Python functions under `py_function`: what they call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk


def calls_under(graph: PipelineGraph, effect: Effect) -> dict[str, str] | None:
    """What the Python function under `py_function` calls, with how that is written; None where it is not seen."""
    if effect.wrapped is None:
        return None
    called = syntax_of(graph.source).called
    return {called(function): ast.unparse(function) for function in _functions(effect.wrapped)}


def calls_below(graph: PipelineGraph, effect: Effect) -> set[str]:
    """What the Python function under `py_function` is seen to call, itself or by functions of the project."""
    if effect.kind != "py_function" or not isinstance(effect.node, ast.Call):
        return set()
    given = (*effect.node.args[:1], *(word.value for word in effect.node.keywords if word.arg == "func"))
    nodes = effect.python.nodes if effect.python is not None else ()
    called = syntax_of(graph.source).called
    return {called(function) for function in (*given, *(inner for node in nodes for inner in _functions(node)))}


def _functions(top: ast.AST) -> Iterator[ast.expr]:
    return (node.func for node in walk(top) if isinstance(node, ast.Call))
