"""TFD411."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import by_place, length
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule


class ShapeLosingRemainder(Rule):
    code = "TFD411"
    name = "shape-losing-remainder"
    group = "pedantic"
    summary = "`drop_remainder=True` drops everything: there are fewer elements than a batch needs"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "batch", "padded_batch"):
            stage = stages[0]
            if not all(map(_is_empty, stages)):
                continue
            *_, source = upstream(stage)
            number, size = length(stage.inputs[0]), stage.literal("batch_size")
            yield self.finding(
                stage.span,
                f"No batch of {size} can be filled from {number} elements, and `drop_remainder` drops them",
                severity="warning",
                cost="The dataset is empty: `fit` and `evaluate` run for no step and raise nothing",
                advice="Use a smaller batch, or leave out `drop_remainder=True`",
                confidence=stage.confidence,
                related=(Related(source.span, f"{number} elements"),),
            )


def _is_empty(stage: Stage) -> bool:
    """Is the number of elements known, and too small for a single batch?"""
    if stage.context.in_test or stage.literal("drop_remainder", False) is not True:
        return False
    size, number = stage.literal("batch_size"), length(stage.inputs[0])
    return isinstance(size, int) and number is not None and 0 < number < size
