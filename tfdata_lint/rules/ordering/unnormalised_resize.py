"""TFD315 unnormalised-resize."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.mapped.uses import MIXING
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Stage
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.source.trees import walk

_RESIZE = "tensorflow.image.resize"
_DECODING = r"^tensorflow\.(io|image)\.decode_(jpeg|png|image|bmp|gif|and_crop_jpeg)$"
#: What brings pixels into another range, or may.
_SCALING = (
    r"(convert_image_dtype|per_image_standardization|preprocess_input|divide|truediv|realdiv|multiply|subtract|cast"
    r"|Rescaling|Normalization|scalar_mul|adjust_\w+|saturate_cast)(\(\))?$"
)
#: They say in which precision layers compute.
_POLICIES = tuple(
    f"tensorflow.keras.mixed_precision.{name}" for name in ("set_global_policy", "experimental.set_policy")
)
_TRAINING = ("fit", "for", "distribute")


class UnnormalisedResize(Rule):
    """A resized image reaches the model as floats from 0 to 255."""

    code = "TFD315"
    name = "unnormalised-resize"
    group = "pedantic"
    summary = "`tf.image.resize` returns floats from 0 to 255, and nothing in the pipeline scales them"
    triggers = ("call:resize", "to:fit to:for to:distribute")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # A model that scales its input is right, also where another module makes it.
        if graph.says("scales"):
            return
        for consumer in graph.consumers:
            if consumer.kind not in _TRAINING or consumer.context.in_test:
                continue
            ways = paths(consumer.dataset, consumer.context.conditions)
            stages = [_resizing(path) for path in ways]
            stage = stages[0] if stages else None
            # On each way to it.
            if stage is not None and ways.complete and all(stages):
                yield self._finding(graph, stage, consumer)

    def _finding(self, graph: PipelineGraph, stage: Stage, consumer: Consumer) -> Finding:
        is_half = any(_is_half(call) for _, call in calls_named(graph, *_POLICIES))
        return self.finding(
            stage.span,
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


def _resizing(path: Path) -> Stage | None:
    """The map that resizes what was decoded before, where every function on the way is known and none scales."""
    functions = [(stage, stage.function) for stage in path.stages if stage.operation.functions]
    found: Stage | None = None
    is_decoded = False
    for stage, function in functions:
        if function is None or not function.resolved or _scales(function):
            return None
        is_decoded = is_decoded or any(re.match(_DECODING, name) for name in function.operations)
        if is_decoded and _RESIZE in function.operations:
            found = stage
    return found


def _is_half(call: ast.Call) -> bool:
    given = [*call.args[:1], *(word.value for word in call.keywords)]
    return any(
        isinstance(part, ast.Constant) and part.value == "mixed_float16" for each in given for part in walk(each)
    )


def _scales(function: MappedFunction) -> bool:
    if (
        any(re.search(_SCALING, name) for name in function.operations)
        or _computes_with(function)
        or _calls_others(function)
    ):
        return True
    resizing = (call for call in function.calls if plain(call.name) == _RESIZE)
    return any(len(call.positional) > 2 or "method" in call.keywords for call in resizing)


def _computes_with(function: MappedFunction) -> bool:
    """Are there operators on numbers in it? Not known of one that is not seen, other than by the name that it has."""
    mixing = MIXING | {"FloorDiv"}
    return (function.node is None and not function.calls) or any(
        operator.expr.by in mixing for operator in function.operators
    )


def _calls_others(function: MappedFunction) -> bool:
    """Does it call what is not of TensorFlow, or an object, of which more than the name would have to be known?"""
    return any(not plain(call.name).startswith("tensorflow.") or "()" in call.name for call in function.calls)
