"""TFD616."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import by_place, is_only_looked_at, takes_few
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.rules.base import Finding, Related, Rule

_TO_DEVICE = "prefetch_to_device"
#: What makes no elements of its own.
_HANDING_ON = ("with_options", "assert_cardinality")


class PipelineOnAccelerator(Rule):
    code = "TFD616"
    name = "pipeline-on-accelerator"
    group = "performance"
    summary = "A stage comes after `prefetch_to_device`, which must be the last"
    unmeasured = "It takes an accelerator"
    triggers = (_TO_DEVICE,)
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for stages in by_place(graph.stages, *{stage.op for stage in graph.stages if _device_stage(stage)}):
            # Any way is enough: without the copy the stage is right, with it it is wrong.
            stage = stages[0]
            copy = next((copy for one in stages if (copy := _device_stage(one)) is not None), None)
            if copy is None or is_only_looked_at(graph, stages) or stage.context.in_test:
                continue
            yield self.finding(
                stage.span,
                f"`{stage.op}` comes after `{_TO_DEVICE}`",
                cost=(
                    "Stages run on the host: elements are copied back from the device for this one, and the next"
                    " transfer is not made ahead"
                ),
                advice=f"Move `{_TO_DEVICE}` to the end of the pipeline",
                confidence=stage.confidence,
                related=(Related(copy.span, "copied to the device here"),),
            )


def _device_stage(stage: Stage) -> Stage | None:
    """The `prefetch_to_device` that a stage directly follows, on some path."""
    if stage.op in _HANDING_ON or takes_few(stage) or len(stage.inputs) != 1:
        return None
    return next((other for other in tips(stage.inputs[0]) if other.op == _TO_DEVICE), None)
