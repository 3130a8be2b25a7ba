"""What `reveal_length(x)` and its like say in tests: one function from a value to a text for each fact."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tfdata_lint.pipeline.facts.length import amount_of, said
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Join, Stage
from tfdata_lint.pipeline.nouns.values import Value
from tfdata_lint.pipeline.python.values import HOLE, texts_at, values_at


def _length(value: Value) -> str:
    if isinstance(value, (Stage, Join)):
        return said(value) or "unknown"
    number = amount_of(value)
    if number is None:
        return "unknown"
    return f"{number.times:g}" + ("" if number.of is None else " of a length")


TEXTS: dict[str, Callable[[Value], str]] = {
    "length": _length,
}


def _value(graph: PipelineGraph, node: ast.expr) -> str:
    return " | ".join("unknown" if one is ... else repr(one) for one in values_at(graph, node))


def _text(graph: PipelineGraph, node: ast.expr) -> str:
    return " | ".join("…".join(text.split(HOLE)[::2]) for text in texts_at(graph, node))


#: The same of facts about what is written at a node.
OF_NODES: dict[str, Callable[[PipelineGraph, ast.expr], str]] = {
    "text": _text,
    "value": _value,
}
