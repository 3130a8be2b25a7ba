"""TFD505."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.knowledge.words import PROFILES, STARTS
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.profiling.profiles import starts_of, stops_of
from tfdata_lint.source.trees import children

_STOP = dict(zip(STARTS, ("stop", "stop_trace"), strict=True))
_ADVICE = {
    start: f"Use `with {displayed(profile)}(logdir):` around what is profiled"
    for start, profile in zip(STARTS, PROFILES, strict=True)
}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class UnbalancedProfiler(Rule):
    code = "TFD505"
    name = "unbalanced-profiler"
    group = "correctness"
    summary = "`tf.profiler.experimental.start` without `stop`"
    triggers = ("use:start use:start_trace",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        starts = starts_of(graph)
        if not starts or graph.is_test:
            return
        # Is there anything in the module that may stop a profile?
        stops = bool(stops_of(graph)) or re.search(r"\.stop(?:_trace)?\b", syntax_of(graph.source).text) is not None
        for start in starts:
            left = _return_between(graph, start) if stops else None
            # Who imports this may stop it.
            if not stops and not graph.is_imported:
                yield self.finding(
                    start.span,
                    "The profiler is started, and nothing in this file stops it",
                    cost=f"Only `{_STOP[start.name]}` writes the profile: without it there is none",
                    advice=_ADVICE[start.name],
                )
            elif left is not None:
                yield self.finding(
                    start.span,
                    "The function may return before it stops the profiler",
                    cost="Then no profile is written, and the next one cannot start",
                    advice=_ADVICE[start.name],
                    related=(Related(left, "returns here"),),
                )


def _return_between(graph: PipelineGraph, start: SymbolUse) -> Span | None:
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
