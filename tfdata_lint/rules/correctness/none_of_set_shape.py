"""TFD437 none-of-set-shape."""

from __future__ import annotations

import ast
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
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.uses import Use, is_read, use_of, uses
from tfdata_lint.rules.base import Finding, Related, Rule

#: What None does not take.
_FAILING = ("item", "item set", "attribute", "method", "iterated", "called")
#: What rows call a parameter that must be a tensor.
_TENSORS = frozenset({"image", "images", "input", "input_tensor", "tensor", "x"})
_ARITHMETIC = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Pow": "**"}


class NoneOfSetShape(Rule):
    code = "TFD437"
    name = "none-of-set-shape"
    group = "correctness"
    status = "preview"
    summary = "Code uses the result of `set_shape`, which is None"
    triggers = ("call:set_shape",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or not any(call.name == "Element.set_shape" for call in function.calls):
                continue
            calls = {id(call.node): call for call in function.calls}
            written = (made for call in function.calls for made in _used_as_written(graph, call))
            for node, use, place in (*_used(function), *written):
                call = calls.get(id(node))
                if call is None or may_fail(graph.tree, node):
                    continue
                yield self._finding(call, use, place, stage.span)

    def _finding(self, call: Call, use: str, place: Span | None, user: Span) -> Finding:
        return self.finding(
            call.span,
            f"`set_shape` returns None, which {use}",
            cost="Tracing the function raises an error, unless the None is inside a tuple or a dict",
            advice="Call `set_shape` on its own line and use the tensor, or use the result of `tf.ensure_shape`",
            related=(Related(place or user, "gets the None"),),
        )


def _used_as_written(graph: PipelineGraph, call: Call) -> Iterator[tuple[ast.AST, str, Span | None]]:
    """The None of a `set_shape` that has an item or an attribute taken of it, at once or under the name it is given."""
    syntax = syntax_of(graph.source)
    if call.name != "Element.set_shape" or not syntax.way(call.node):
        return
    use: Use | None = use_of(syntax, call.node)
    match use.by if use is not None else None:
        case ast.Assign(targets=[ast.Name() as target]) as statement:
            if not is_read(syntax, target):
                return
            behind = [one for one in uses(syntax, target.id, target) if one.node.lineno > target.lineno]
            use = min(behind, key=lambda one: (one.node.lineno, one.kind == "set"), default=None)
            here, there = syntax.block(statement), syntax.block(use.node) if use is not None else None
            # In a branch it may be something else.
            if here is None or there is None or here.statements is not there.statements:
                return
    if use is not None and use.kind in _FAILING:
        code = use.by if isinstance(use.by, ast.expr) else use.node
        yield call.node, f"`{ast.unparse(code)}` uses", span_of(code, graph.file)


def _used(function: MappedFunction) -> Iterator[tuple[ast.AST, str, Span | None]]:
    """The None of each `set_shape` that something takes for a tensor: what takes it, and where."""
    for call in function.calls:
        given = _tensor_of(call)
        if isinstance(given, NoResult):
            yield given.node, f"`{displayed(call.name)}` gets", call.span
    for operator in function.operators:
        sign = _ARITHMETIC.get(operator.expr.by)
        # What else is added to it may be an object that takes anything.
        if sign is not None and all(isinstance(part, (Constant, Expr)) for part in operator.expr.of):
            for part in operator.expr.of:
                if isinstance(part, NoResult):
                    yield part.node, f"`{sign}` gets", operator.span
    for part in () if function.is_wrapped else _returned(function.result):
        yield part.node, f"`{function.name}` returns", None


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
