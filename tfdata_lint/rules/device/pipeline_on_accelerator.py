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
    triggers = (_TO_DEVICE,)
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for stages in by_place(graph.stages, *{stage.op for stage in graph.stages if _device_stage(stage)}):
            copies = list(map(_device_stage, stages))
            stage, copy = stages[0], copies[0]
            if copy is None or not all(copies) or is_only_looked_at(graph, stages) or stage.context.in_test:
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
    """The `prefetch_to_device` that a stage directly follows, on every path."""
    if stage.op in _HANDING_ON or takes_few(stage) or len(stage.inputs) != 1:
        return None
    before = list(tips(stage.inputs[0]))
    return before[0] if before and all(other.op == _TO_DEVICE for other in before) else None
