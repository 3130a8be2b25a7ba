"""TFD411."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.lengths import length
from tfdata_lint.pipeline.nouns.questions import by_place
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule


class ShapeLosingRemainder(Rule):
    code = "TFD411"
    name = "shape-losing-remainder"
    group = "correctness"
    summary = "A dataset is empty: fewer elements than a batch needs, or than `skip` leaves out"
    triggers = ("skip given:drop_remainder",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "batch", "padded_batch", "skip"):
            stage = stages[0]
            if not all(map(_is_emptied, stages)):
                continue
            *_, source = upstream(stage)
            number = length(stage.inputs[0])
            if stage.op == "skip":
                message = f"`skip({stage.literal('count')})` leaves nothing of {number} elements"
                advice = "Behind `batch` the elements are batches: skip as many of those, or skip before `batch`"
            else:
                size = stage.literal("batch_size")
                message = f"No batch of {size} can be filled from {number} elements, and `drop_remainder` drops them"
                advice = "Use a smaller batch, or leave out `drop_remainder=True`"
            yield self.finding(
                stage.span,
                message,
                severity="warning",
                cost="The dataset is empty: `fit` and `evaluate` run for no step and raise nothing",
                advice=advice,
                confidence=stage.confidence,
                related=(Related(source.span, "where they come from"),),
            )


def _is_emptied(stage: Stage) -> bool:
    """Is nothing left of a number of elements that is known?"""
    return not stage.context.in_test and length(stage) == 0 and length(stage.inputs[0]) not in (0, None)
