"""TFD431 rescaled-twice."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.maker import layers_in, made_of
from tfdata_lint.pipeline.facts.scale import NEAR_BYTE, TWICE, UNIT, Meanings, begins, image_in, is_byte, meaning_of
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped.layers import is_application
from tfdata_lint.pipeline.nouns.code import holds
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, Operator, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Alternatives, Constant, Expr, External, Method, Value
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.models import related_here
from tfdata_lint.rules.correctness.rescaled_twice.table import RESCALING

_KINDS = ("fit", "evaluate", "predict", "validation")
#: What may bring pixels back to their range.
_OTHERS = ("Lambda", "Rescaling", "Normalization", "Multiply")
_MERGING = ("Add", "Average", "Concatenate", "add", "average", "concatenate")


class RescaledTwice(Rule):
    code = "TFD431"
    name = "rescaled-twice"
    group = "correctness"
    summary = "Images are divided by 255 for a network that rescales its input itself"
    triggers = (
        "map to:fit to:evaluate to:predict to:validation",
        "text:EfficientNet text:MobileNetV3 text:ConvNeXt text:255",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            operator = _divided_again(stage)
            if operator is not None and not stage.context.in_test:
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
            layers = layers_in(consumer.model)
            scaling = _scaling(layers, made_of(consumer.model)) if layers is not None else []
            if layers is None or not scaling:
                continue
            again = scaling[0]
            is_network = last(again.symbol) in RESCALING
            inner = [layer for layer in layers if _divides(layer)] if is_network else []
            where = span_of(inner[0].call, graph.file) if inner else _in_pipeline(graph, consumer.dataset)
            if where is None or (inner and not related_here(graph, inner[0].call, "")):
                continue
            names = dict.fromkeys(f"`{last(one.symbol)}`" for one in scaling)
            yield self.finding(
                where,
                f"The images are divided here, and again in {' or '.join(names)}, which rescales its input",
                cost="The pretrained network gets nearly black images, with 1/255 of the contrast that it was"
                " trained on"
                if is_network
                else "The model gets nearly black images, with 1/255 of their contrast",
                advice="Pass pixels from 0 to 255; its `preprocess_input` leaves them unchanged"
                if is_network
                else "Pass pixels from 0 to 255, or remove the layer",
                severity=None if is_network else "warning",
                related=(*related_here(graph, again.call, "rescales its input"), Related(consumer.span, "runs it")),
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


def _scaling(layers: list[External], parts: Iterable[Value]) -> list[External]:
    """What divides in a model without branches: its pretrained network, or each that it may be; else the one layer."""
    names = [last(layer.symbol) for layer in layers]
    networks = [layer for layer in layers if is_application(layer.symbol)]
    others = [layer for layer in layers if last(layer.symbol) in _OTHERS]
    if any(name in _MERGING for name in names) or len(others) > 1 or not all(map(_divides, others)):
        return []
    if not networks:
        return others
    tables = [{*map(id, _choices(part))} for part in parts if isinstance(part, Alternatives)]
    is_one = len(networks) == 1 or {*map(id, networks)} in tables
    return networks if is_one and all(map(_rescales, networks)) else []


@recursive
def _choices(value: Value) -> list[Value]:
    """What a value may be, one by one; of what networks give the networks."""
    if isinstance(value, (External, Method)) and isinstance(value.receiver, External):
        return [value.receiver]
    if not isinstance(value, Alternatives):
        return [value]
    return [one for branch in value.branches for one in _choices(branch.value)]


def _rescales(network: External) -> bool:
    given = network.keywords
    is_plain = "weights" not in given or given["weights"] != Constant(None)
    is_whole = not network.further and given.get("include_preprocessing", Constant(True)) == Constant(True)
    return last(network.symbol) in RESCALING and is_plain and is_whole


def _divides(layer: External) -> bool:
    if last(layer.symbol) != "Rescaling":
        return False
    scale = layer.arguments[0] if layer.arguments else layer.keywords.get("scale")
    factor = scale.value if isinstance(scale, Constant) else None
    return isinstance(factor, float) and factor > 0 and NEAR_BYTE[0] <= 1 / factor <= NEAR_BYTE[1]


def _in_pipeline(graph: PipelineGraph, dataset: Dataset) -> Span | None:
    """What divides before the model."""
    if image_in(meaning_of(dataset)) != UNIT:
        return None
    for stage in upstream(dataset):
        if image_in(meaning_of(stage)) == UNIT and (place := begins(stage, UNIT)) is not None:
            return place
        for expr in expressions(stage.result) if stage.function is None else ():
            # In arrays of this file.
            node = expr.node
            if _is_by_255(expr) and isinstance(node, ast.expr) and holds(graph.tree, node):
                return span_of(node, graph.file)
    return None
