"""TFD430 convert-of-floats."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.scale import RAW, Meanings
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.results import dtype_said
from tfdata_lint.pipeline.nouns.stages import Call
from tfdata_lint.pipeline.project.bindings import FUNCTIONS
from tfdata_lint.pipeline.python.runs import syntax_at
from tfdata_lint.rules.base import Finding, Rule

_CONVERT = "tensorflow.image.convert_image_dtype"


class ConvertOfFloats(Rule):
    code = "TFD430"
    name = "convert-of-floats"
    group = "correctness"
    summary = "`convert_image_dtype` does not scale floats from 0 to 255"
    triggers = ("call:convert_image_dtype",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            for call in stage.function.calls if stage.function is not None and not stage.context.in_test else ():
                if plain(call.name) == _CONVERT and _is_of_floats(call):
                    if graph.says("scales", *_function_of(graph, call)):
                        continue
                    yield self.finding(
                        call.span,
                        "`convert_image_dtype` gets floats from 0 to 255 and returns them unchanged",
                        cost=(
                            "It scales only integers, so the values stay 255 times too large for code that expects 0"
                            " to 1"
                        ),
                        advice="Divide by 255, or convert before the images become floats (before `resize` or `cast`)",
                    )


def _function_of(graph: PipelineGraph, call: Call) -> tuple[str, ...]:
    """The name of the function that a call is in: it may be `normalize` for the sake of this call."""
    syntax = syntax_at(graph, call.span.file)
    function = syntax.function_of(syntax.way(call.node)) if syntax is not None else None
    return (function.name,) if isinstance(function, FUNCTIONS) else ()


def _is_of_floats(call: Call) -> bool:
    dtype = call.argument(1, "dtype")
    return "float" in dtype_said(dtype) and Meanings().of(call.argument(0, "image")) == RAW
