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
    summary = "A dataset is empty: it has fewer elements than a batch needs or than `skip` skips"
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
                advice = "After `batch`, `skip` counts batches: skip fewer, or skip before `batch`"
            else:
                size = stage.literal("batch_size")
                message = f"{number} elements cannot fill a batch of {size}, so `drop_remainder` drops them all"
                advice = "Use a smaller batch, or remove `drop_remainder=True`"
            yield self.finding(
                stage.span,
                message,
                severity="warning",
                cost="The dataset is empty: `fit` and `evaluate` run no step, without an error",
                advice=advice,
                confidence=stage.confidence,
                related=(Related(source.span, "the elements come from here"),),
            )


def _is_emptied(stage: Stage) -> bool:
    """Is nothing left of a number of elements that is known?"""
    return not stage.context.in_test and length(stage) == 0 and length(stage.inputs[0]) not in (0, None)
