"""TFD109."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Stage
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded


class ParallelismExceedsCycle(Rule):
    code = "TFD109"
    name = "parallelism-exceeds-cycle"
    group = "correctness"
    summary = "`interleave` asks for more parallel calls than it has inputs open"
    triggers = ("interleave", "given:num_parallel_calls")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.op != "interleave":
                continue
            calls, cycle = _count(stage, "num_parallel_calls"), _count(stage, "cycle_length")
            if calls is None or calls < 2 or stage.literal("cycle_length") is ...:
                continue
            if cycle is not None and calls <= cycle:
                continue
            yield self._finding(graph, stage, target, calls, cycle)

    def _finding(self, graph: PipelineGraph, stage: Stage, target: Target, calls: int, cycle: int | None) -> Finding:
        if cycle is None:
            message = f"`interleave` has `num_parallel_calls={calls}` but no `cycle_length`"
            cost = (
                f"Iterating raises an InvalidArgumentError on machines with fewer than {calls} cores, because the"
                " default `cycle_length` is at most the number of cores"
            )
        else:
            message = f"`num_parallel_calls={calls}` exceeds the `cycle_length` of {cycle} in `interleave`"
            cost = "Iterating over the dataset raises an InvalidArgumentError"
        return self.finding(
            stage.span,
            message,
            cost=cost,
            advice=f"Use `cycle_length={calls}` and `num_parallel_calls=tf.data.AUTOTUNE`",
            confidence=stage.confidence,
            fix=_fix(graph, stage, target, calls),
        )


@guarded
def _fix(graph: PipelineGraph, stage: Stage, target: Target, calls: int) -> Fix:
    draft = Draft(graph)
    draft.set_arguments(stage, cycle_length=str(calls), num_parallel_calls=draft.autotune(stage.node, target))
    title = f"Use `cycle_length={calls}` and `num_parallel_calls=tf.data.AUTOTUNE`"
    return draft.fix("unsafe", title, "another `cycle_length` changes the order of the elements")


def _count(stage: Stage, parameter: str) -> int | None:
    """A number that is known; None when it is absent, chosen by the runtime, or not known."""
    value = stage.literal(parameter)
    return value if isinstance(value, int) and not isinstance(value, bool) and value != AUTOTUNE else None
