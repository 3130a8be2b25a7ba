"""TFD434 unshifted-targets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.rows import Rows, alike, rows_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.purposes import LOOKS
from tfdata_lint.pipeline.nouns.questions import by_place
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.source.trees import walk


class UnshiftedTargets(Rule):
    code = "TFD434"
    name = "unshifted-targets"
    group = "correctness"
    summary = "`timeseries_dataset_from_array` gets the series itself as targets: each window contains its target"
    triggers = ("timeseries_dataset_from_array",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "timeseries_dataset_from_array"):
            lag = next((lag for stage in stages if (lag := _lag(graph, stage)) is not None), None)
            if lag is None or stages[0].context.in_test:
                continue
            uses = {use.kind for stage in stages for use in graph.reached(stage)}
            if "predict" in uses and uses <= {"predict", *LOOKS}:
                # Of windows that are only predicted from, nobody asks for the targets.
                continue
            series = _named(stages[0].arguments["data"].node)
            seen = (
                f"The targets are `{series}` itself, so each window's target is its own first row"
                if lag == 0
                else f"Each window of `{series}` contains its own target, {lag} row{'s' * (lag != 1)} after it begins"
            )
            yield self.finding(
                stages[0].span,
                seen,
                cost="The model learns to copy its input, and its score says nothing about forecasting",
                advice=f"Shift them by the length of the window: `{series}[:-n]` as the data and `{series}[n:]` as "
                "the targets",
            )


def _named(node: ast.expr) -> str:
    """What a series is called, without what is taken of it or made of it."""
    while isinstance(node, (ast.Subscript, ast.Call, ast.Attribute)):
        node = (
            node.args[0]
            if isinstance(node, ast.Call) and node.args
            else node.func
            if isinstance(node, ast.Call)
            else node.value
        )
    return node.id if isinstance(node, ast.Name) and node.id != "self" else "series"


def _lag(graph: PipelineGraph, stage: Stage) -> int | None:
    """How many rows after a window its target begins, where that is in the window; None where it is not, or may be."""
    data, targets = stage.arguments.get("data"), stage.arguments.get("targets")
    if data is None or targets is None:
        return None
    wanted = rows_of(targets.value, graph)
    for one, other in product(rows_of(data.value, graph), wanted if len(wanted) == 1 else ()):
        lag = _behind(graph, one, other)
        if lag == 0 or (lag is not None and _reaches(stage, lag)):
            return lag
    return None


def _behind(graph: PipelineGraph, data: Rows, targets: Rows) -> int | None:
    """How many rows of the same columns one part begins after another."""
    if not alike(data.table, targets.table) or not data.columns.hold(targets.columns):
        return None
    if data.columns.others and not graph.once(_set_columns).isdisjoint(targets.columns.names):
        # The column may have been another one, or none, when the data was taken.
        return None
    start, end = data.start, targets.start
    if start is None or end is None or (start != end and (0 < start < 1 or 0 < end < 1 or min(start, end) < 0)):
        return None
    return int(end - start)


def _reaches(stage: Stage, lag: int) -> bool:
    length, rate = stage.literal("sequence_length"), stage.literal("sampling_rate", 1)
    return (
        isinstance(length, int) and isinstance(rate, int) and 0 < lag <= (length - 1) * rate and lag % max(rate, 1) == 0
    )


def _set_columns(graph: PipelineGraph) -> set[object]:
    """The columns that are set by name: `table["target"] = …`."""
    return {
        target.slice.value
        for node in walk(graph.tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    }
