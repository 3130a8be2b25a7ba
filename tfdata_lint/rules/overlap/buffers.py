"""Generators that yield the same array again and again, with other values.

`from_generator` does not copy what a generator yields: its element is that memory (measured on TensorFlow 2.21: behind
a parallel `map` 17 of 60 elements had the values of a later one).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfdata_lint.pipeline.mapped.footprint import footprint
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.source.trees import walk

#: These hand on what they are given.
_HANDING = frozenset(
    {"cache", "enumerate", "filter", "prefetch", "repeat", "shuffle", "skip", "take", "take_while", "with_options"}
)
#: Methods that write to an array.
_WRITING = frozenset({"fill", "partition", "put", "readinto", "resize", "sort"})


def overwritten(graph: PipelineGraph, stage: Stage) -> str:
    """What a generator yields and changes in place, where a stage gets it uncopied; empty if there is nothing."""
    for path in paths(stage):
        before = path.before(stage)
        if not before or before[0].op != "from_generator" or not all(part.op in _HANDING for part in before[1:]):
            continue
        for effect in footprint(graph, before[0]):
            nodes = effect.python.nodes if effect.python is not None else ()
            if names := _yielded(nodes) & _changed(nodes):
                return min(names)
    return ""


def _yielded(nodes: Iterable[ast.AST]) -> set[str]:
    yields = (part.value for node in nodes for part in walk(node) if isinstance(part, (ast.Yield, ast.YieldFrom)))
    return {part.id for value in yields if value is not None for part in walk(value) if isinstance(part, ast.Name)}


def _changed(nodes: Iterable[ast.AST]) -> set[str]:
    """Names whose objects are changed in place; not those of numbers and texts, which are other ones then."""
    found, plain = set(), set()
    for node in nodes:
        for part in walk(node):
            match part:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()):
                    plain.add(name)
                case ast.AugAssign(target=ast.Name(id=name)) | ast.keyword(arg="out", value=ast.Name(id=name)):
                    found.add(name)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _WRITING:
                    found.add(name)
                case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                    found.add(name)
    return found - plain
