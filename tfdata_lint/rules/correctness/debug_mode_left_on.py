"""TFD410."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, names, way
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.source.trees import walk

_DEBUGS = "tensorflow.data.experimental.enable_debug_mode"
_CONDITIONAL = (ast.If, ast.IfExp, ast.BoolOp, ast.For, ast.While, ast.ExceptHandler, ast.Match)


class DebugModeLeftOn(Rule):
    code = "TFD410"
    name = "debug-mode-left-on"
    group = "performance"
    summary = "The debug mode of tf.data runs all functions in Python, one after the other"
    triggers = ("use:enable_debug_mode",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or graph.tree is None:
            return
        for use in graph.uses:
            if use.name != _DEBUGS or use.call is None or _is_guarded(graph.tree, use.call):
                continue
            if any(map(_is_for_debugging, _names_around(graph.tree, use.call))):
                continue
            yield self.finding(
                use.span,
                "The debug mode of tf.data is switched on",
                cost="All mapped functions run in Python, step by step and without parallelism (measured: 18 times"
                " slower), and all randomness is that of eager mode",
                advice="Remove the call, or make it depend on a flag",
            )


def _is_for_debugging(name: str) -> bool:
    """Does the name of a function or class say that it is for tests or for debugging?"""
    name = name.lower()
    return name.startswith(("test", "setup")) or name.endswith("test") or "debug" in name


def _is_guarded(tree: ast.Module, node: ast.AST) -> bool:
    """Does it depend on a condition whether some code of a function, or of the module, is reached?"""
    steps = way(tree, node)
    function = next((step for step in steps if isinstance(step, FUNCTIONS)), tree)
    row = getattr(node, "lineno", 0)
    around = steps[: steps.index(function)] if function in steps else []
    if any(isinstance(step, _CONDITIONAL) and not _asks_for_main(step) for step in around):
        return True
    # What comes before may return: `if not debug: return`.
    leaving = (part for part in walk(function) if isinstance(part, (ast.Return, ast.Raise)))
    return isinstance(function, FUNCTIONS) and any(part.lineno < row for part in leaving)


def _names_around(tree: ast.Module, node: ast.AST) -> list[str]:
    """The names of the functions and classes that some code stands in."""
    return [step.name for step in way(tree, node) if isinstance(step, (*FUNCTIONS[:2], ast.ClassDef))]


def _asks_for_main(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__name__" in names(node.test)
