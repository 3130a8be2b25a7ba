"""TFD420 unknown-rank-image."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.uses import place_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.ranks import Need, Traced, loses_rank, need_in, traced_by_keras_3
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Related, Rule, Severity

_DECODE = "decode_image"


class UnknownRankImage(Rule):
    """An image that may be an animation reaches something that needs to know the number of dimensions."""

    code = "TFD420"
    name = "unknown-rank-image"
    group = "correctness"
    summary = "`decode_image` may give animations, so the rank is unknown where it is needed"
    triggers = (
        "call:decode_image call:py_function call:numpy_function call:py_func call:parse_tensor from_generator "
        "from_tensors from_tensor_slices",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        for finding in self._all(graph, target):
            if finding.span not in found:
                found.add(finding.span)
                yield finding

    def _all(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if need := need_in(stage):
                yield self._needed(stage, need)
            elif stage.op == "padded_batch" and not stage.has("padded_shapes"):
                yield from self._padded(stage)
        if target.at_least(2, 16):
            for traced in graph.once(traced_by_keras_3):
                if traced.maker == _DECODE:
                    yield self._traced(traced, target)

    def _needed(self, stage: Stage, need: Need) -> Finding:
        return self.finding(
            place_of(stage, need.call) or stage.span,
            f"`{need.call}` needs to know the number of dimensions, and `{need.maker}` does not tell it",
            cost="It raises a ValueError when the function is traced: the image contains no shape",
            advice=_advice(need.maker),
            confidence=stage.confidence,
            severity="error" if stage.confidence == "proven" else "warning",
        )

    def _padded(self, batch: Stage) -> Iterator[Finding]:
        for _, decoding, case in cases([batch], lambda stage, path: _decoding(path.until(stage))):
            yield self.finding(
                batch.span,
                f"`padded_batch` needs to know the number of dimensions, and `{_DECODE}` does not tell it{case}",
                cost="It raises a ValueError when the dataset is made: a component has unknown rank",
                advice=_advice(_DECODE),
                confidence=batch.confidence,
                related=(Related(place_of(decoding, _DECODE) or decoding.span, "the rank is lost here"),),
            )

    def _traced(self, traced: Traced, target: Target) -> Finding:
        consumer, decoding, _ = traced
        severity: Severity = "error" if target.is_declared and decoding.confidence == "proven" else "warning"
        return self.finding(
            place_of(decoding, _DECODE) or decoding.span,
            f"`{_DECODE}` does not tell the number of dimensions, and `{consumer.target}` needs to know it",
            cost=f"`{consumer.target}` raises a ValueError when Keras 3 traces the model: the rank is unknown",
            advice=_advice(_DECODE),
            confidence=decoding.confidence,
            severity=severity,
            related=(Related(consumer.span, "traces the model with unknown shapes"),),
        )


def _decoding(path: Path) -> Stage | None:
    """The stage whose function decodes images, where that is why the elements at the end of a path have no rank."""
    lost = loses_rank(path)
    return lost[0] if lost is not None and lost[1] == _DECODE else None


def _advice(maker: str) -> str:
    if maker == _DECODE:
        return "Pass `expand_animations=False`, or call `set_shape([None, None, 3])` on the image"
    if maker == "from_generator":
        return "Tell the shapes by `output_signature`"
    return f"Call `set_shape` on what `{maker}` gives, or put it through `tf.ensure_shape`"
