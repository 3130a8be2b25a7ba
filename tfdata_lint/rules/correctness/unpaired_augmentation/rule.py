"""TFD424 unpaired-augmentation."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.unpaired_augmentation.pairs import Apart, drawn_apart

_ADVICE = (
    "Draw once for both: augment `tf.concat([…], axis=-1)` and split it again, or use the `tf.image.stateless_*` form"
    " with one seed that comes with each element"
)


class UnpairedAugmentation(Rule):
    """An image and its mask are flipped or cropped by a random call each, or only the image is."""

    code = "TFD424"
    name = "unpaired-augmentation"
    group = "correctness"
    summary = "An image is flipped or cropped by a random call of its own, and its mask no longer fits"
    experiment = "draws"
    triggers = ("effect:random effect:random_layer",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.function is None or stage.operation.kind != "transformation" or stage.context.in_test:
                continue
            if graph.tree is not None:
                for apart in drawn_apart(graph.tree, stage.function):
                    yield self._finding(stage, apart)

    def _finding(self, stage: Stage, apart: Apart) -> Finding:
        image, mask = apart.given
        file = stage.function.span.file if stage.function and stage.function.span else stage.span.file
        if apart.mask is None:
            return self.finding(
                span_of(apart.image, file),
                f"`{apart.what}` moves `{image}`, and `{mask}` stays as it is",
                cost="Where the draw flips or moves the image, the mask does not fit it (measured: every second one)",
                advice=_ADVICE,
                severity="warning",
                confidence="likely",
            )
        return self.finding(
            span_of(apart.mask, file),
            f"`{apart.what}` draws once for `{image}` and once more for `{mask}`",
            cost="The two draws have nothing to do with each other: one is flipped or moved, the other is not, and the "
            "mask does not fit the image (measured: the flips of 95 of 200 agree, the crops of 11)",
            advice=_ADVICE,
            severity="warning",
            confidence="likely",
            related=(Related(span_of(apart.image, file), f"the draw for `{image}`"),),
        )
