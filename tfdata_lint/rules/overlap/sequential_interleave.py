"""TFD103."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.graph import AUTOTUNE, PipelineGraph, Stage, upstream
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.rules.overlap.common import by_place, is_in_parallel, is_only_looked_at, why_unsafe
from tfdata_lint.target import Target

_TITLE = "Add `num_parallel_calls=tf.data.AUTOTUNE`"


class SequentialInterleave(Rule):
    code = "TFD103"
    name = "sequential-interleave"
    group = "performance"
    summary = "`interleave` takes from one input at a time"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "interleave"):
            # A place that is reached in several ways must be sequential in all of them.
            if all(map(_is_sequential, stages)) and not is_only_looked_at(graph, stages):
                yield self._finding(graph, stages)

    def _finding(self, graph: PipelineGraph, stages: list[Stage]) -> Finding:
        stage = stages[0]
        return self.finding(
            stage.span,
            "`interleave` without `num_parallel_calls` takes from one input at a time",
            cost="The inputs alternate but never overlap, and TensorFlow does not change that by itself"
            " (measured with a `cycle_length` of 8: 2.0 times slower on two cores)",
            advice=f"{_TITLE}, with a `cycle_length`",
            confidence=stage.confidence,
            fix=_fix(graph, stages),
        )


def _is_sequential(stage: Stage) -> bool:
    return stage.literal("num_parallel_calls") is None and not is_in_parallel(stage) and _has_work(stage)


def _has_work(stage: Stage) -> bool:
    """Is there anything in the nested pipelines that could overlap? Repeating an element in memory is not."""
    if stage.nested is None or (stage.function is not None and stage.function.reads_files):
        return True
    return any(
        inner.is_opaque
        or inner.operation.reads
        or inner.op in ("from_generator", "load")
        or (inner.function is not None and inner.function.cost != "trivial")
        for inner in upstream(stage.nested)
    )


def _fix(graph: PipelineGraph, stages: list[Stage]) -> Fix:
    lengths = [stage.literal("cycle_length") for stage in stages]
    if any(length in (None, AUTOTUNE) for length in lengths):
        return Fix(
            "unsafe",
            f"{_TITLE} and `cycle_length`",
            "the default of `cycle_length` is another one in parallel, so the order of the elements changes",
        )
    if any(length is ... for length in lengths):
        return Fix("unsafe", _TITLE, "the value of `cycle_length` is not known, and its default is another in parallel")
    reason = why_unsafe(graph, stages)
    return Fix("unsafe" if reason else "safe", _TITLE, reason)
