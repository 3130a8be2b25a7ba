"""TFD410."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.switches import is_for_debugging, is_guarded
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.provenance import provenance
from tfdata_lint.rules.base import Finding, Rule

_DEBUGS = "tensorflow.data.experimental.enable_debug_mode"


class DebugModeLeftOn(Rule):
    code = "TFD410"
    name = "debug-mode-left-on"
    group = "performance"
    summary = "The debug mode of tf.data runs all functions in Python, one after the other"
    unmeasured = "It holds for the whole program, so that there is no pipeline without it to compare with"
    triggers = ("use:enable_debug_mode",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for use in graph.uses:
            if use.name != _DEBUGS or use.call is None:
                continue
            if is_guarded(graph.tree, use.call, lambda test: _is_on(graph, test)):
                continue
            if is_for_debugging(graph.tree, use.call):
                continue
            yield self.finding(
                use.span,
                "The debug mode of tf.data is switched on",
                cost=(
                    "All mapped functions run in Python, step by step and without parallelism (measured: 18 times"
                    " slower), and random operations behave as in eager mode"
                ),
                advice="Remove the call, or make it depend on a flag",
            )


def _is_on(graph: PipelineGraph, test: ast.expr) -> bool:
    """Is a test true wherever its value is seen, and seen to be set once: a constant, a field of a class by default?"""
    found = [part for _, part in provenance(graph, syntax_of(graph.source), test)]
    known = [part.value for part in found if isinstance(part, ast.Constant)]
    is_plain = all(isinstance(part, (ast.Constant, ast.Name, ast.Attribute)) for part in found)
    return is_plain and len(known) == 1 and known[0] is True
