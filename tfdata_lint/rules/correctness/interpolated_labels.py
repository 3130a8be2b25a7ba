"""TFD432 interpolated-labels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import canonical, displayed, last
from tfdata_lint.pipeline.mapped.uses import Made
from tfdata_lint.pipeline.nouns.code import targets
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.purposes import words
from tfdata_lint.pipeline.nouns.results import dtype_said
from tfdata_lint.pipeline.nouns.stages import Call, Given, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import (
    UNKNOWN,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Sequence,
    Symbol,
    Value,
    snapshot,
)
from tfdata_lint.rules.base import Finding, Rule

#: Where the method stands.
_RESIZING = {"tensorflow.image.resize": 2, "tensorflow.image.resize_with_pad": 3}
_LAYER = "tensorflow.keras.layers.Resizing()"
_INTERPOLATING = frozenset({"area", "bicubic", "bilinear", "gaussian", "lanczos3", "lanczos5", "mitchellcubic"})
_MASKS = frozenset({"annotation", "annotations", "mask", "masks", "segmentation", "segmentations", "trimap"})
_LABELS = frozenset({"label", "labels", "seg", "semantic"})
#: These have no classes, or all values between two.
_SMOOTH = frozenset({"alpha", "attention", "density", "depth", "distance", "flow", "heat", "heatmap", "hot", "matte",
                     "onehot", "prob", "probs", "soft", "weight", "weights"})  # fmt: skip
_SPARSE = r"\b(Sparse|sparse_)(C|c)ategorical|\bMeanIoU\b|\bmean_iou\b"
#: What makes numbers of classes again, or shows that there are no classes.
_SETTLING = frozenset({
    "argmax", "ceil", "clip_by_value", "convert_image_dtype", "divide", "equal", "floor", "greater", "greater_equal",
    "less", "less_equal", "not_equal", "rint", "round", "sigmoid", "softmax", "sign", "truediv", "unique", "where",
})  # fmt: skip
_JOINING = ("concat", "stack")
_OPERATORS = frozenset({"Div", "Eq", "FloorDiv", "Gt", "GtE", "Lt", "LtE", "NotEq"})


class _Made(Made):
    """Is what a call makes of its images part of an expression? A helper may resize photos as well."""

    def __init__(self, call: Call) -> None:
        super().__init__(call)
        given = call.argument(0, "images")
        self.given = snapshot(given) if given is not None else None

    def is_it(self, value: Any) -> bool:
        made = value.expr if isinstance(value, (Element, Computed)) else value
        return super().is_it(value) and (not isinstance(made, Expr) or any(part is self.given for part in made.of))


class InterpolatedLabels(Rule):
    code = "TFD432"
    name = "interpolated-labels"
    group = "correctness"
    summary = "A class mask is resized with interpolation: its edges get wrong classes"
    triggers = ("call:resize call:resize_with_pad call:Resizing()",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.context.in_test or _settles(graph, stage):
                continue
            for call in function.calls:
                if not _interpolates(call):
                    continue
                name = _mask_in(function, call)
                why = _classes(graph, stage, function, call, name) if name else ""
                if why:
                    yield self._finding(call, name, why)

    def _finding(self, call: Call, name: str, why: str) -> Finding:
        return self.finding(
            call.span,
            f"`{displayed(call.name)}` interpolates `{name}`, {why}",
            cost="Between class 1 and class 3 it creates pixels of class 2, and numbers that are no class",
            advice=f'Pass `{"interpolation" if canonical(call.name) == _LAYER else "method"}="nearest"`',
            is_guess=True,
        )


def _interpolates(call: Call) -> bool:
    name = canonical(call.name)
    if name == _LAYER and isinstance(call.receiver, External):
        made = call.receiver
        method = made.keywords.get("interpolation", made.arguments[2] if len(made.arguments) > 2 else None)
        return not made.further and (method is None or _method(method) in _INTERPOLATING)
    place = _RESIZING.get(name)
    if place is None:
        return False
    method = call.argument(place, "method")
    return method is None or _method(method) in _INTERPOLATING


def _method(value: Value) -> str:
    match value:
        case Constant(str(name)):
            return name
        case Symbol(name):
            return last(name).lower()
    return ""


def _mask_in(function: MappedFunction, call: Call) -> str:
    """The name that says that classes are resized: of the variable, of a part of the element, of a file."""
    written = [ast.unparse(name) for name in targets(function.node, call.node)] if function.node is not None else []
    names = [*map(ast.unparse, call.node.args[:1]), *_names_of(call.argument(0, "images")), *written]
    if any(words(name) & _SMOOTH for name in (*names, ast.unparse(call.node))):
        return ""
    return next((name for name in names if words(name) & (_MASKS | _LABELS)), "")


def _names_of(value: Value | None) -> Iterator[str]:
    """By which names a value goes, as it is given on: the parameter, the keys of the element."""
    todo: list[Any] = [snapshot(value)] if value is not None else []
    while todo:
        at = todo.pop(0)
        match at:
            case Expr(by=by, of=(Sequence(items=items), *_)) if last(canonical(by)) in _JOINING:
                # What is joined with a photo is resized as that is.
                todo += items
                continue
            case Expr(by="parameter", of=(Given(names=names), int(number))) if number < len(names):
                yield names[number]
            case Expr(by="item", of=(_, Constant(str(key)))):
                yield key
        if isinstance(at, Expr) and at.of and not _is_settled(at):
            todo.append(at.of[1] if at.by.endswith("()") and len(at.of) > 1 else at.of[0])


def _is_settled(expr: Expr) -> bool:
    return (expr.by[:1].isupper() and "." not in expr.by) or last(canonical(expr.by)) in _SETTLING


def _classes(graph: PipelineGraph, stage: Stage, function: MappedFunction, call: Call, name: str) -> str:
    """By what one sees that it has classes; empty where that is not seen."""
    said = words(name)
    is_it = _Made(call).of
    users = [other for other in function.calls if other is not call and any(map(is_it, other.arguments))]
    operators = [operator for operator in function.operators if is_it(operator.expr)]
    if any(last(canonical(other.name)) in _SETTLING for other in users):
        return ""
    given = snapshot(call.argument(0, "images") or UNKNOWN)
    is_joined = any(last(canonical(part.by)) in _JOINING for part in expressions(given))
    # Of what is joined, the photo is divided.
    settling = _OPERATORS - {"Div"} if is_joined else _OPERATORS
    if any(operator.expr.by in settling for operator in operators):
        return ""
    later = [each.function for each in graph.downstream(stage) if each.function is not None]
    for other in (*users, *(each for one in later for each in one.calls if _is_of_masks(each))):
        is_cast = last(canonical(other.name)) == "cast"
        dtype = dtype_said(other.argument(1, "dtype")) if is_cast else ""
        if dtype in ("int32", "int64") or (dtype == "uint8" and said & _MASKS):
            return f"which is cast to {dtype}"
    is_sparse = re.search(_SPARSE, graph.source.text) is not None
    return "which a sparse loss or metric reads as classes" if is_sparse else ""


def _is_of_masks(call: Call) -> bool:
    return any(words(name) & _MASKS for name in _names_of(call.argument(0, "x")))


def _settles(graph: PipelineGraph, stage: Stage) -> bool:
    """Is something done to the masks later on that makes classes of numbers?"""
    later = [other.function for other in graph.downstream(stage) if other.function is not None]
    codes = [call.node for function in later for call in function.calls if last(canonical(call.name)) in _SETTLING]
    made = [operator.expr for function in later for operator in function.operators if operator.expr.by in _OPERATORS]
    nodes = [*codes, *(expr.node for expr in made if expr.node is not None)]
    return any(words(ast.unparse(node)) & (_MASKS | _LABELS) for node in nodes)
