"""Where a module sets variables of the environment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.code import nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import origins


class Variable(NamedTuple):
    """A variable of the environment that is set."""

    name: str
    value: ast.expr
    written: ast.expr
    """Where its name is written in this module."""
    by: ast.expr
    """What sets it: `os.environ["TF_GPU_THREAD_MODE"]`, or a call of `setdefault` or `update`."""


def variables_set(graph: PipelineGraph, *wanted: str) -> Iterator[Variable]:
    """The variables of these names that a module sets."""
    rows = rows_with(graph.source.text, whole("environ")) if any(name in graph.source.text for name in wanted) else []
    for node in nodes_on(graph.tree, rows):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=of, slice=key) as by], value=value):
                pairs: list[tuple[ast.expr | None, ast.expr]] = [(key, value)]
            case ast.Call(func=ast.Attribute(value=of, attr="setdefault"), args=[key, value]) as by:
                pairs = [(key, value)]
            case ast.Call(func=ast.Attribute(value=of, attr="update"), args=given, keywords=words) as by:
                dicts = [one.node for part in given for one in origins(graph, part) if one.source is graph.source]
                found = [zip(one.keys, one.values, strict=True) for one in dicts if isinstance(one, ast.Dict)]
                pairs = [pair for one in found for pair in one]
                named = ((ast.copy_location(ast.Constant(word.arg), word.value), word.value) for word in words)
                pairs += named
            case _:
                continue
        if syntax_of(graph.source).scopes.full_name(of) != "os.environ":
            continue
        for name, value in pairs:
            if isinstance(name, ast.Constant) and name.value in wanted:
                yield Variable(name.value, value, name, by)
