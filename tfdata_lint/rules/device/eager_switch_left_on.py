"""TFD612."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named, is_for_debugging, is_guarded, remark_at
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import argument
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.device.steps import defined
from tfdata_lint.source.trees import walk

_OF_FUNCTIONS = (
    "tensorflow.config.run_functions_eagerly",
    "tensorflow.config.experimental_run_functions_eagerly",
)
#: What a comment says of a search for a mistake, and of what does not work otherwise.
_DEBUGGING = re.compile(
    r"(?i)debug|breakpoint|\bpdb\b|\binspect|\bprint|\bstep(?:ping)? (?:in|through)|\bw(?:as|ere) wrong"
)
_REASON = re.compile(
    r"(?i)\bgraph|numpy|\bneed|requir|because|otherwise|without|must|cannot|can't|n't|\bnot?\b|support|fail|error|\bbug\b"
)
#: What needs the values of tensors.
_IN_PYTHON = re.compile(r"\.(?:numpy|item|tolist)\(\)|\b(?:np|numpy)\.\w+\(")


class EagerSwitchLeftOn(Rule):
    code = "TFD612"
    name = "eager-switch-left-on"
    group = "performance"
    summary = "A switch for debugging makes functions, or a Keras model, run operation by operation"
    unmeasured = "Without the switch the code may fail"
    triggers = ("text:run_functions_eagerly text:run_eagerly",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for switch in (*_of_functions(graph), *_of_models(graph)):
            if is_guarded(graph.tree, switch.node) or is_for_debugging(graph.tree, switch.node):
                continue
            if any(_gives_a_reason(graph, row) for row in {switch.node.lineno, switch.place.lineno}):
                continue
            yield self.finding(
                span_of(switch.place, graph.file),
                f"{switch.what} runs eagerly, operation by operation",
                cost="Python starts every operation of every step, as if there were no graph (measured on a small"
                " model: 42 ms a step instead of 1 ms)",
                advice="Remove the switch, or set it only under a debugging flag",
            )


def _gives_a_reason(graph: PipelineGraph, row: int) -> bool:
    """Does a comment say why, other than that somebody looked for a mistake? That is what is left on."""
    remark = remark_at(graph.source.lines, row)
    return bool(remark) and (not _DEBUGGING.search(remark) or _REASON.search(remark) is not None)


class Switch(NamedTuple):
    """Where a program makes something run eagerly, for sure."""

    node: ast.expr | ast.stmt
    place: ast.expr | ast.stmt | ast.keyword
    what: str


def _of_functions(graph: PipelineGraph) -> list[Switch]:
    calls = [call for _, call in calls_named(graph, *_OF_FUNCTIONS)]
    given = [argument(graph, call, 0, "run_eagerly", graph.source) for call in calls]
    # Otherwise it is switched off again, or a flag decides.
    is_always = all(place is not None and value_at(graph, *place) is True for place in given)
    return [Switch(call, call, "Every `tf.function`") for call in calls] if is_always else []


def _of_models(graph: PipelineGraph) -> Iterator[Switch]:
    """`compile(run_eagerly=True)` and `model.run_eagerly = True`."""
    what = "Every step of the model"
    rows = rows_with(graph.source.text, whole("run_eagerly"), whole("compile"))
    for node in nodes_on(graph.tree, rows) if "run_eagerly" in graph.source.text else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="compile")):
                given = argument(graph, node, -1, "run_eagerly", graph.source)
                if given is not None and value_at(graph, *given) is True and not _scores_in_python(graph, node):
                    yield Switch(node, next((word for word in node.keywords if word.value is given.node), node), what)
            case ast.Assign(targets=[ast.Attribute(attr="run_eagerly")], value=value):
                if value_at(graph, value) is True:
                    yield Switch(node, node, what)


def _scores_in_python(graph: PipelineGraph, call: ast.Call) -> bool:
    """Is a loss or a metric a function of the project that may work with values of Python, which a graph has not?"""
    scored = (word.value for word in call.keywords if word.arg in ("loss", "metrics", "weighted_metrics"))
    names = [part for value in scored for part in walk(value) if isinstance(part, ast.Name)]
    for name in names:
        full = syntax_of(graph.source).scopes.full_name(name)
        there = graph.locate(full)[0] if full else None
        function = defined(graph.tree, name)
        text = there.text if there is not None else ast.unparse(function) if function is not None else ""
        if _IN_PYTHON.search(text):
            return True
    return False
