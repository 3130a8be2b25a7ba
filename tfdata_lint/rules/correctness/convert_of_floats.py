"""TFD430 convert-of-floats."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.scale import RAW, Meanings
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.results import dtype_said
from tfdata_lint.pipeline.nouns.stages import Call
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.source.trees import walk

_CONVERT = "tensorflow.image.convert_image_dtype"
#: What brings pixels near 1 after all, or wants them as they are.
_SCALING = (
    r"^(Rescaling|Normalization|preprocess_input|include_preprocessing|EfficientNet\w+|MobileNetV3\w+|ConvNeXt\w+)$"
    r"|standardiz|normalize"
)
_DIVISORS = (255, 127.5)
#: These are sizes of images, too.
_MORE = (*_DIVISORS, 256, 127, 128)


class ConvertOfFloats(Rule):
    """`convert_image_dtype` gets floats from 0 to 255, but scales only integers."""

    code = "TFD430"
    name = "convert-of-floats"
    group = "correctness"
    summary = "`convert_image_dtype` does not scale floats from 0 to 255"
    triggers = ("call:convert_image_dtype",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        for stage in graph.stages:
            for call in stage.function.calls if stage.function is not None and not stage.context.in_test else ():
                if plain(call.name) == _CONVERT and call.span not in found and _is_of_floats(call):
                    if call.span.file != graph.file or graph.once(_scales):
                        continue
                    found.add(call.span)
                    yield self.finding(
                        call.span,
                        "`convert_image_dtype` gets floats from 0 to 255 and returns them unchanged",
                        cost=(
                            "It scales only integers, so the values stay 255 times too large for code that expects 0"
                            " to 1"
                        ),
                        advice="Divide by 255, or convert before the images become floats (before `resize` or `cast`)",
                    )


def _is_of_floats(call: Call) -> bool:
    dtype = call.argument(1, "dtype")
    return "float" in dtype_said(dtype) and Meanings().of(call.argument(0, "image")) == RAW


def _scales(graph: PipelineGraph) -> bool:
    """Is there anything in a file that scales pixels, be it a model?"""
    for node in walk(graph.tree) if graph.tree is not None else ():
        match node:
            case ast.Constant(value=int() | float() as number) if _divides(number, _DIVISORS):
                return True
            case (
                ast.BinOp(op=ast.Div(), right=ast.Constant(value=int() | float() as number))
                | ast.AugAssign(op=ast.Div(), value=ast.Constant(value=int() | float() as number))
            ) if _divides(number, _MORE):
                return True
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if re.search(_SCALING, name):
                return True
    return False


def _divides(number: float, divisors: tuple[float, ...]) -> bool:
    """`255`, or `0.0039215`."""
    return number in divisors or (0 < number < 1 and round(1 / number) in divisors)
