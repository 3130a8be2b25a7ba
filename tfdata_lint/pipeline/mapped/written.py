"""Python functions under `py_function`: what they call."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk


def calls_under(graph: PipelineGraph, effect: Effect) -> dict[str, str] | None:
    """What the Python function under `py_function` calls, with how that is written; None where it is not seen."""
    if effect.wrapped is None:
        return None
    called = syntax_of(graph.source).called
    functions = [node.func for node in walk(effect.wrapped) if isinstance(node, ast.Call)]
    return {called(function): ast.unparse(function) for function in functions}
