"""TFD315 unnormalised-resize."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.scale import RAW, begins, image_in, meaning_of
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import consumed
from tfdata_lint.pipeline.nouns.stages import upstream
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.source.trees import walk

_RESIZING = tuple(f"tensorflow.image.{name}" for name in ("resize", "resize_with_pad"))
#: They say in which precision layers compute.
_POLICIES = tuple(
    f"tensorflow.keras.mixed_precision.{name}" for name in ("set_global_policy", "experimental.set_policy")
)
_TRAINING = ("fit", "for", "distribute")


class UnnormalisedResize(Rule):
    code = "TFD315"
    name = "unnormalised-resize"
    group = "pedantic"
    summary = "`tf.image.resize` returns floats from 0 to 255, and nothing in the pipeline scales them"
    unmeasured = "It is about the values of elements, not about speed"
    triggers = ("call:resize call:resize_with_pad", "to:fit to:for to:distribute")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # A model that scales its input is right, also where another module makes it.
        if graph.says("scales"):
            return
        for consumer in consumed(graph, *_TRAINING):
            if image_in(meaning_of(consumer.dataset)) != RAW:
                continue
            places = (begins(stage, RAW, *_RESIZING) for stage in upstream(consumer.dataset))
            place = next(filter(None, places), None)
            if place is not None:
                yield self._finding(graph, place, consumer)

    def _finding(self, graph: PipelineGraph, place: Span, consumer: Consumer) -> Finding:
        is_half = any(_is_half(call) for _, call in calls_named(graph, *_POLICIES))
        return self.finding(
            place,
            f"`{consumer.target or consumer.kind}` gets floats from 0 to 255 from `tf.image.resize`",
            cost=(
                "`tf.image.resize` returns floats without scaling them, unlike `convert_image_dtype`: code that"
                " expects 0 to 1 shows white images, and a network gets larger values than it is made for"
            )
            + (": under `mixed_float16` a sum of 257 of them may be infinite (measured)" if is_half else ""),
            advice="Divide by 255, or make sure that the model scales its input (`tf.keras.layers.Rescaling`)",
            severity="warning" if is_half else None,
            confidence="likely",
        )


def _is_half(call: ast.Call) -> bool:
    given = [*call.args[:1], *(word.value for word in call.keywords)]
    return any(
        isinstance(part, ast.Constant) and part.value == "mixed_float16" for each in given for part in walk(each)
    )
