"""TFD432 interpolated-labels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import canonical, displayed, last
from tfdata_lint.pipeline.mapped.uses import Made
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.purposes import words
from tfdata_lint.pipeline.nouns.results import dtype_said
from tfdata_lint.pipeline.nouns.stages import Call, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import Constant, Symbol, Value
from tfdata_lint.rules.base import Finding, Rule

#: Where the method stands.
_RESIZING = {"tensorflow.image.resize": 2, "tensorflow.image.resize_with_pad": 3}
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
_OPERATORS = frozenset({"Div", "Eq", "FloorDiv", "Gt", "GtE", "Lt", "LtE", "NotEq"})


class InterpolatedLabels(Rule):
    """A class mask is resized with interpolation, which creates wrong classes."""

    code = "TFD432"
    name = "interpolated-labels"
    group = "correctness"
    summary = "A class mask is resized with interpolation: its edges get wrong classes"
    triggers = ("call:resize call:resize_with_pad",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.context.in_test or _settles(graph, stage):
                continue
            for call in function.calls:
                if call.span in found or not _interpolates(call):
                    continue
                name = _name_of(call.node)
                why = _classes(graph, function, call, name)
                if why:
                    found.add(call.span)
                    yield self._finding(call, name, why)

    def _finding(self, call: Call, name: str, why: str) -> Finding:
        return self.finding(
            call.span,
            f"`{displayed(call.name)}` interpolates `{name}`, {why}",
            cost="Between class 1 and class 3 it creates pixels of class 2, and numbers that are no class",
            advice='Pass `method="nearest"`',
            severity="warning",
            confidence="likely",
        )


def _interpolates(call: Call) -> bool:
    place = _RESIZING.get(canonical(call.name))
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


def _name_of(call: ast.Call) -> str:
    """What is resized, as written, where that is a name, or a name under functions."""
    node = call.args[0] if call.args else next((word.value for word in call.keywords if word.arg == "images"), None)
    while True:
        match node:
            case ast.Call(args=[inner, *_]) | ast.Subscript(value=inner, slice=ast.Tuple()):
                node = inner
            case ast.Name() | ast.Attribute() | ast.Subscript(slice=ast.Constant(value=str())):
                return ast.unparse(node)
            case _:
                return ""


def _classes(graph: PipelineGraph, function: MappedFunction, call: Call, name: str) -> str:
    """By what one sees that it has classes; empty where that is not seen."""
    said = words(name)
    if not said & (_MASKS | _LABELS) or said & _SMOOTH or words(ast.unparse(call.node)) & _SMOOTH:
        return ""
    is_it = Made(call).of
    users = [other for other in function.calls if other is not call and any(map(is_it, other.arguments))]
    operators = [operator for operator in function.operators if is_it(operator.expr)]
    if any(last(canonical(other.name)) in _SETTLING for other in users):
        return ""
    if any(operator.expr.by in _OPERATORS for operator in operators):
        return ""
    for other in users:
        dtype = dtype_said(other.argument(1, "dtype")) if canonical(other.name) == "tensorflow.cast" else ""
        if dtype in ("int32", "int64") or (dtype == "uint8" and said & _MASKS):
            return f"which is cast to {dtype}"
    is_sparse = re.search(_SPARSE, graph.source.text) is not None
    return "which a sparse loss or metric reads as classes" if is_sparse else ""


def _settles(graph: PipelineGraph, stage: Stage) -> bool:
    """Is something done to the masks later on that makes classes of numbers?"""
    later = [other.function for other in graph.downstream(stage) if other.function is not None]
    codes = [call.node for function in later for call in function.calls if last(canonical(call.name)) in _SETTLING]
    made = [operator.expr for function in later for operator in function.operators if operator.expr.by in _OPERATORS]
    nodes = [*codes, *(expr.node for expr in made if expr.node is not None)]
    return any(words(ast.unparse(node)) & (_MASKS | _LABELS) for node in nodes)
