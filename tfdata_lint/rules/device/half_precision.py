"""Where a program sets a policy of 16-bit floats."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.pipeline.python.values import value_at

_SETTERS = (
    "tensorflow.keras.mixed_precision.set_global_policy",
    "tensorflow.keras.mixed_precision.set_dtype_policy",
    "tensorflow.keras.config.set_dtype_policy",
    "tensorflow.keras.mixed_precision.experimental.set_policy",
)
_HALVES = ("mixed_float16", "mixed_bfloat16")


class Policy(NamedTuple):
    """A call that makes layers compute with 16 bits from there on."""

    call: ast.Call
    name: str


def policies_of(graph: PipelineGraph) -> Iterator[Policy]:
    for _, call in calls_named(graph, *_SETTERS):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        names = {_name_of(graph, place) for place in origins(graph, given[0])} if len(given) == 1 else set()
        if names and names <= set(_HALVES):
            yield Policy(call, max(names))


def _name_of(graph: PipelineGraph, place: Place) -> Any:
    """`mixed_float16`, as it is or as `Policy("mixed_float16")`."""
    if isinstance(place.node, ast.Call) and last_name(place.node) in ("Policy", "DTypePolicy"):
        name = argument(graph, place.node, 0, "name", place.source)
        return value_at(graph, *name) if name is not None else ...
    return value_at(graph, *place)
