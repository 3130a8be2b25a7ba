"""TFD437 none-of-set-shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.nouns.code import may_fail
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Call, MappedFunction
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Constant,
    Expr,
    Mapping_,
    NoResult,
    Sequence,
    Value,
    parts_of,
)
from tfdata_lint.rules.base import Finding, Related, Rule

#: What rows call a parameter that must be a tensor.
_TENSORS = frozenset({"image", "images", "input", "input_tensor", "tensor", "x"})
_ARITHMETIC = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Pow": "**"}


class NoneOfSetShape(Rule):
    """What `set_shape` returns, which is None, is used as if it were the tensor."""

    code = "TFD437"
    name = "none-of-set-shape"
    group = "correctness"
    status = "preview"
    summary = "Code uses the result of `set_shape`, which is None"
    triggers = ("call:set_shape",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        for stage in graph.stages:
            function = stage.function
            if function is None or not any(call.name == "Element.set_shape" for call in function.calls):
                continue
            calls = {id(call.node): call for call in function.calls}
            for value, use, place in _used(function):
                call = calls.get(id(value.node))
                if call is None or call.span in found or _may_fail(graph, value):
                    continue
                found.add(call.span)
                yield self._finding(call, use, place, stage.span)

    def _finding(self, call: Call, use: str, place: Span | None, user: Span) -> Finding:
        return self.finding(
            call.span,
            f"`set_shape` returns None, which {use}",
            cost="Tracing the function raises an error, unless the None is inside a tuple or a dict",
            advice="Call `set_shape` on its own line and use the tensor, or use the result of `tf.ensure_shape`",
            related=(Related(place or user, "gets the None"),),
        )


def _may_fail(graph: PipelineGraph, value: NoResult) -> bool:
    return graph.tree is not None and may_fail(graph.tree, value.node)


def _used(function: MappedFunction) -> Iterator[tuple[NoResult, str, Span | None]]:
    """The None of each `set_shape` that something takes for a tensor: what takes it, and where."""
    for call in function.calls:
        given = _tensor_of(call)
        if isinstance(given, NoResult):
            yield given, f"`{displayed(call.name)}` gets", call.span
    for operator in function.operators:
        sign = _ARITHMETIC.get(operator.expr.by)
        # What else is added to it may be an object that takes anything.
        if sign is not None and all(isinstance(part, (Constant, Expr)) for part in operator.expr.of):
            for part in operator.expr.of:
                if isinstance(part, NoResult):
                    yield part, f"`{sign}` gets", operator.span
    for part in () if function.is_wrapped else _returned(function.result):
        yield part, f"`{function.name}` returns", None


def _tensor_of(call: Call) -> Value | None:
    """What a function of TensorFlow is given that must be a tensor."""
    first = next(iter(known(call.name).parameters), "")
    return call.argument(0, first) if first in _TENSORS else None


def _returned(result: Value | None) -> Iterator[NoResult]:
    todo: list[tuple[Any, frozenset[Any]]] = [(result, frozenset())]
    while todo:
        # With the keys that are set anew later.
        part, later = todo.pop()
        match part:
            case NoResult():
                yield part
            case Expr(by="mapped", of=(_, inner)):
                todo.append((inner, later))
            case Expr(by="either", of=values):
                todo += [(value, later) for value in values]
            case Expr(by="set" | "without", of=(base, Constant(key), *given)):
                todo.append((base, later | {key}))
                todo += [(value, frozenset()) for value in given if key not in later]
            case Mapping_():
                todo += [(value, frozenset()) for key, value in part.held if key not in later]
            case Sequence() | Alternatives():
                todo += [(value, frozenset()) for value in parts_of(part)]
