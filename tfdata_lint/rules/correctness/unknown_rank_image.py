"""TFD420 unknown-rank-image."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.elements import inside
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.rules.base import Finding, Related, Rule, Severity
from tfdata_lint.rules.correctness.ranks import OTHER_KERAS, Traced, loses_rank, maker_of, traced_by_keras_3

_DECODE = "decode_image"
#: Calls of layers of Keras 3 that need the rank, whatever they were called with before (measured on 2.21).
_LAYERS = re.compile(r"tensorflow\.keras\.(layers\.(Resizing|CenterCrop|Random\w+)|(models\.)?Sequential)\(\)$")


class UnknownRankImage(Rule):
    code = "TFD420"
    name = "unknown-rank-image"
    group = "correctness"
    summary = "`decode_image` may return an animation, so the rank is unknown where it is needed"
    triggers = (
        "call:decode_image call:py_function call:numpy_function call:py_func call:parse_tensor from_generator "
        "from_tensors from_tensor_slices",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        is_keras_3 = target.at_least(2, 16) and not any(map(graph.source.text.count, OTHER_KERAS))
        for stage in graph.stages:
            if need := _need_in(stage, is_keras_3):
                yield self._needed(stage, need, target)
            elif stage.op == "padded_batch" and not stage.has("padded_shapes"):
                yield from self._padded(stage)
        if target.at_least(2, 16):
            for traced in graph.once(traced_by_keras_3):
                if traced.maker == _DECODE:
                    yield self._traced(traced, target)

    def _needed(self, stage: Stage, need: _Need, target: Target) -> Finding:
        called, is_layer = need.call.removesuffix("()"), need.call.endswith("()")
        is_certain = stage.confidence == "proven" and (target.is_declared or not is_layer)
        return self.finding(
            _place_of(stage, need.call) or stage.span,
            f"`{called}` needs the number of dimensions, which `{need.maker}` leaves unknown",
            cost="Keras 3 raises a ValueError when the function is traced: the rank is unknown"
            if is_layer
            else "Tracing the function raises a ValueError: the image contains no shape",
            advice=_advice(need.maker),
            confidence=stage.confidence,
            severity="error" if is_certain else "warning",
        )

    def _padded(self, batch: Stage) -> Iterator[Finding]:
        for _, decoding, case in cases([batch], lambda stage, path: _decoding(path.until(stage))):
            yield self.finding(
                batch.span,
                f"`padded_batch` needs the number of dimensions, which `{_DECODE}` leaves unknown{case}",
                cost="Creating the dataset raises a ValueError: a component has unknown rank",
                advice=_advice(_DECODE),
                confidence=batch.confidence,
                related=(Related(_place_of(decoding, _DECODE) or decoding.span, "the rank is lost here"),),
            )

    def _traced(self, traced: Traced, target: Target) -> Finding:
        consumer, decoding, _ = traced
        severity: Severity = "error" if target.is_declared and decoding.confidence == "proven" else "warning"
        return self.finding(
            _place_of(decoding, _DECODE) or decoding.span,
            f"`{consumer.target}` needs the number of dimensions, which `{_DECODE}` leaves unknown",
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
        return "Declare the shapes in `output_signature`"
    return f"Call `set_shape` or `tf.ensure_shape` on the result of `{maker}`"


def _place_of(stage: Stage, name: str) -> Span | None:
    """Where the function of a stage calls something of this name, if it does so in one place."""
    spans = {
        call.span for call in (stage.function.calls if stage.function is not None else ()) if last(call.name) == name
    }
    return spans.pop() if len(spans) == 1 else None


class _Need(NamedTuple):
    """A call that raises, because TensorFlow does not know the rank of what it is given."""

    call: str
    """Its last name: `resize`, or of a layer `Resizing()`."""
    maker: str
    """The last name of the function that made the tensor."""


def _need_in(stage: Stage, is_keras_3: bool) -> _Need | None:
    """The call in the mapped function of a stage that needs a rank and is given none."""
    made = expressions(stage.result)
    calls = [expr for expr in made if known(expr.by).needs_rank or (is_keras_3 and _LAYERS.match(plain(expr.by)))]
    reading = inside(stage) if calls else None
    for expr in calls:
        assert reading is not None
        # Of a layer, the layer itself comes first.
        operands = expr.of[1:] if expr.by.endswith("()") else expr.of
        given = operands[0] if operands else expr.named.get(known(expr.by).needs_rank)
        tensor = reading.tensor(given)
        if isinstance(tensor, Tensor) and tensor.unranked and (maker := maker_of(given) or _maker_before(stage)):
            return _Need(last(expr.by), maker)
    return None


def _maker_before(stage: Stage) -> str:
    """The one that made what a stage is given."""
    makers = {lost[1] for origin in stage.inputs for path in paths(origin) if (lost := loses_rank(path)) is not None}
    return makers.pop() if len(makers) == 1 else ""
