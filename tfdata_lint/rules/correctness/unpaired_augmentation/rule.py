"""TFD424 unpaired-augmentation."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.unpaired_augmentation.pairs import Apart, drawn_apart

_ADVICE = (
    "Draw once for both: augment `tf.concat([…], axis=-1)` and split the result, or use `tf.image.stateless_*` with"
    " one seed for each element"
)


class UnpairedAugmentation(Rule):
    """An image and its mask are not flipped or cropped together."""

    code = "TFD424"
    name = "unpaired-augmentation"
    group = "correctness"
    summary = "A random call flips or crops an image but not its mask, so the two no longer match"
    experiment = "draws"
    triggers = ("effect:random effect:random_layer",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.function is None or stage.operation.kind != "transformation" or stage.context.in_test:
                continue
            if graph.tree is not None:
                for apart in drawn_apart(graph.tree, stage.function):
                    effects = (effect for effect in stage.function.effects if effect.node is apart.image)
                    # A call of a helper is only looked at in this file.
                    yield self._finding(apart, next((effect.span.file for effect in effects), graph.file))

    def _finding(self, apart: Apart, file: str) -> Finding:
        image, mask = apart.given
        if apart.mask is None:
            return self.finding(
                span_of(apart.image, file),
                f"`{apart.what}` moves `{image}`, but not `{mask}`",
                cost="The mask does not match any image that is flipped or moved (measured: every second one)",
                advice=_ADVICE,
                severity="warning",
                confidence="likely",
            )
        return self.finding(
            span_of(apart.mask, file),
            f"`{apart.what}` draws separately for `{image}` and `{mask}`",
            cost=(
                "The two draws are independent, so the mask often does not match the image (measured: of 200 pairs,"
                " 95 flips agree and 11 crops)"
            ),
            advice=_ADVICE,
            severity="warning",
            confidence="likely",
            related=(Related(span_of(apart.image, file), f"the draw for `{image}`"),),
        )
