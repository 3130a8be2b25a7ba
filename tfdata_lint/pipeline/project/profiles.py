"""What is profiled: batches given to a callback of Keras, and what happens between `start` and `stop`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.knowledge.words import PROFILER
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import SymbolUse
from tfdata_lint.pipeline.project.eras import tests_around
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import children

_STEP = r"(\w+) == (\d+)"
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Profiled(NamedTuple):
    """The steps that a profile is made of."""

    use: SymbolUse
    first: int
    last: int
    is_first: bool
    """Is the first of all steps among them?"""

    @property
    def steps(self) -> int:
        return self.last - self.first + 1


def profiled_steps(graph: PipelineGraph) -> Iterator[Profiled]:
    """The profiles whose steps are written down."""
    starts, stops = starts_of(graph), stops_of(graph)
    for use in graph.uses:
        if use.name == "profile_batch=":
            first, last = _batches(use.node)
            if 0 < first <= last:
                yield Profiled(use, first, last, first == 1)
    for start in starts:
        known = _step_at(graph, start)
        ends = [end for stop in stops if (end := _step_at(graph, stop)) and known and end[0] == known[0]]
        if known and len(ends) == 1 and len(starts) == 1 and known[1] < ends[0][1]:
            yield Profiled(start, known[1], ends[0][1] - 1, known[1] == 0)


def starts_of(graph: PipelineGraph) -> list[SymbolUse]:
    """The calls that begin a profile."""
    return [use for use in graph.uses if use.name == f"{PROFILER}start" and use.call is not None]


def stops_of(graph: PipelineGraph) -> list[SymbolUse]:
    """What ends one, called or handed on."""
    return [use for use in graph.uses if use.name == f"{PROFILER}stop"]


def may_stop(graph: PipelineGraph) -> bool:
    """Is there anything in the module that may stop a profile?"""
    return re.search(r"\bstop\b", syntax_of(graph.source).text) is not None


def return_between(graph: PipelineGraph, start: SymbolUse) -> Span | None:
    """Where a function is left behind a `start`, before the `stop` that follows in the same block."""
    syntax = syntax_of(graph.source)
    block = syntax.block(start.node)
    if block is None or not isinstance(block.statement, ast.Expr):
        return None
    stops = {id(part) for stop in stops_of(graph) for part in syntax.way(stop.node)}
    rest = block.statements[block.index + 1 :]
    end = next((number for number, statement in enumerate(rest) if id(statement) in stops), None)
    if end is None:
        return None
    return next((span_of(found, graph.file) for statement in rest[:end] for found in _returns(statement)), None)


def _returns(statement: ast.stmt) -> Iterator[ast.Return]:
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, _SCOPES):
            todo.extend(children(node))


def _step_at(graph: PipelineGraph, use: SymbolUse) -> tuple[str, int] | None:
    """`("step", 200)` of what happens under `if step == 200`."""
    tests = tests_around(graph, use.node)
    match = re.fullmatch(_STEP, tests[-1]) if tests else None
    return (match[1], int(match[2])) if match else None


def _batches(node: ast.expr) -> tuple[int, int]:
    """The first and the last batch of `profile_batch`; zeros where they are not written down."""
    try:
        given: Any = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError):
        return 0, 0
    if isinstance(given, str) and re.fullmatch(r"\d+(, *\d+)?", given):
        given = [int(part) for part in given.split(",")]
        given = given[0] if len(given) == 1 else given
    match given:
        case int():
            return given, given
        case (int(first), int(last)) | [int(first), int(last)]:
            return first, last
    return 0, 0
