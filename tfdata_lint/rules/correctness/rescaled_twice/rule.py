"""TFD431 rescaled-twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.layers import is_application
from tfdata_lint.pipeline.mapped.meanings import NEAR_BYTE, TWICE, UNIT, Meanings, is_byte, meaning_of, part
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Dataset, Operator, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, Expr
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.models import calls_behind
from tfdata_lint.rules.correctness.rescaled_twice.table import RESCALING

_KINDS = ("fit", "evaluate", "predict", "validation")
#: What may bring pixels back to their range.
_OTHERS = ("Lambda", "Rescaling", "Normalization", "Multiply")
_MERGING = ("Add", "Average", "Concatenate", "add", "average", "concatenate")


class RescaledTwice(Rule):
    """Images are divided by 255 before a network that rescales its input."""

    code = "TFD431"
    name = "rescaled-twice"
    group = "correctness"
    summary = "Images are divided by 255 for a network that rescales its input itself"
    triggers = (
        "map to:fit to:evaluate to:predict to:validation",
        "text:EfficientNet text:MobileNetV3 text:ConvNeXt text:255",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        for stage in graph.stages:
            operator = _divided_again(stage)
            if operator is not None and operator.span not in found and not stage.context.in_test:
                found.add(operator.span)
                yield self.finding(
                    operator.span,
                    "Pixels that are already near 1 are divided by 255 again",
                    cost="All images are nearly black: every value is below 0.004",
                    advice="Divide once: `tf.image.convert_image_dtype` scales integers by itself",
                    confidence=stage.confidence,
                    related=(Related(stage.span, "maps it"),),
                )
        for consumer in graph.consumers:
            if consumer.kind not in _KINDS or consumer.context.in_test or consumer.span.file != graph.file:
                continue
            if not isinstance(consumer.node, ast.Call) or graph.tree is None:
                continue
            if "Rescaling" not in graph.source.text and not _is_divided(consumer.dataset):
                continue
            made = calls_behind(graph, graph.tree, consumer.node)
            network = graph.once(_network, made)
            where = None if network is None else graph.once(_in_model, made) or _in_pipeline(consumer, made)
            if network is None or where is None or where in found:
                continue
            found.add(where)
            yield self.finding(
                where,
                f"The images are divided here, and again in `{last_name(network)}`, which rescales its input",
                cost="The pretrained network gets nearly black images, with 1/255 of the contrast that it was"
                " trained on",
                advice="Pass pixels from 0 to 255; its `preprocess_input` leaves them unchanged",
                related=(
                    Related(span_of(network, graph.file), "rescales its input"),
                    Related(consumer.span, "runs it"),
                ),
            )


def _divided_again(stage: Stage) -> Operator | None:
    """The division in a mapped function that pixels do not need any more."""
    operators = stage.function.operators if stage.function is not None else ()
    divisions = (operator for operator in operators if _is_by_255(operator.expr))
    return next((operator for operator in divisions if Meanings().of(operator.expr) == TWICE), None)


def _is_by_255(expr: Expr) -> bool:
    if expr.by not in ("Div", "Mult"):
        return False
    numbers = [part.value for part in expr.of if isinstance(part, Constant) and isinstance(part.value, (int, float))]
    return any(number and (is_byte(number) or is_byte(1 / number)) for number in numbers)


def _network(graph: PipelineGraph, made: tuple[ast.Call, ...]) -> ast.Call | None:
    """The one pretrained network that a model is made of, if it rescales its input."""
    if not any(last_name(call) in RESCALING for call in made):
        return None
    scopes = syntax_of(graph.source).scopes
    networks = [call for call in made if is_application(scopes.full_name(call.func))]
    if len({id(call) for call in networks}) != 1 or last_name(networks[0]) not in RESCALING:
        return None
    for keyword in networks[0].keywords:
        match keyword:
            case ast.keyword(arg="weights", value=ast.Constant(value=None)) | ast.keyword(arg=None):
                return None
            case ast.keyword(arg="include_preprocessing", value=value) if ast.unparse(value) != "True":
                return None
    return networks[0]


def _in_model(graph: PipelineGraph, made: tuple[ast.Call, ...]) -> Span | None:
    """The one layer of a model without branches that divides."""
    others = {id(call): call for call in made if last_name(call) in _OTHERS}
    if len(others) != 1 or any(last_name(call) in _MERGING for call in made):
        return None
    [layer] = others.values()
    return span_of(layer, graph.file) if last_name(layer) == "Rescaling" and _divides(layer) else None


def _divides(layer: ast.Call) -> bool:
    scales = [*layer.args[:1], *(keyword.value for keyword in layer.keywords if keyword.arg == "scale")]
    match scales:
        case [ast.BinOp(left=ast.Constant(value=1), op=ast.Div(), right=ast.Constant(value=float() | int() as number))]:
            return NEAR_BYTE[0] <= number <= NEAR_BYTE[1]
        case [ast.Constant(value=float(factor))] if factor > 0:
            return NEAR_BYTE[0] <= 1 / factor <= NEAR_BYTE[1]
    return False


def _in_pipeline(consumer: Consumer, made: tuple[ast.Call, ...]) -> Span | None:
    """The stage that divides."""
    if not _is_divided(consumer.dataset) or any(last_name(call) in _OTHERS for call in made):
        return None
    for stage in upstream(consumer.dataset):
        if stage.inputs and _is_divided(stage):
            if not any(map(_is_divided, stage.inputs)):
                return stage.span
    return None


def _is_divided(dataset: Dataset) -> bool:
    """Have the inputs been brought near 1, alone or as the first of a pair?"""
    meaning = meaning_of(dataset)
    return (part(meaning, 0) if isinstance(meaning, tuple) else meaning) == UNIT
