"""TFD211 network-in-map."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import displayed, last, plain
from tfdata_lint.pipeline.mapped.layers import MODELS, is_application, layers_of
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.purposes import purpose_of
from tfdata_lint.pipeline.nouns.questions import CACHES
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Call, Stage
from tfdata_lint.pipeline.nouns.values import Constant, External, Method, Value
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.made_up import is_no_data

_LOADERS = frozenset({
    "tensorflow.keras.models.load_model", "tensorflow.keras.saving.load_model", "tensorflow.saved_model.load",
    "tensorflow_hub.KerasLayer", "tensorflow_hub.load",
})  # fmt: skip
#: In what is loaded: no network, but what prepares the input of one.
_PREPARING = ("preprocess", "token", "vocab")


class NetworkInMap(Rule):
    """A mapped function runs a pretrained network on the CPU, in every epoch."""

    code = "TFD211"
    name = "network-in-map"
    group = "advice"
    summary = "A pretrained network in a mapped function runs on the CPU, in every epoch"
    triggers = ("effect:stateful_layer effect:random_layer call:load() call:predict", "to:fit to:for")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        for stage in graph.stages:
            network = _network(stage)
            if network is None or network[0].span in found:
                continue
            call, what = network
            trained = next((consumer for consumer in graph.reached(stage) if _trains(graph, consumer)), None)
            if trained is None or any(later.op in CACHES for later in graph.downstream(stage)):
                continue
            if stage.context.in_test or paths(trained.dataset, trained.context.conditions).always(is_no_data):
                continue
            found.add(call.span)
            yield self.finding(
                call.span,
                f"`map` runs the network `{what}` again in every epoch",
                cost="tf.data runs mapped functions on the CPU, so an accelerator waits for the network, and every"
                " epoch repeats the work",
                advice="Make the network part of the model, or compute its features once and `cache` or `save` them",
                related=(Related(trained.span, "trained on here"),),
            )


def _network(stage: Stage) -> tuple[Call, str] | None:
    """The call of a pretrained network on whose result that of a mapped function depends, and what has made it."""
    function = stage.function
    if stage.op != "map" or function is None or function.result is None:
        return None
    calls = {id(call.node): call for call in function.calls}
    for expr in expressions(function.result):
        call = calls.get(id(expr.node))
        made = _pretrained(expr.of[0]) if call is not None and "()" in expr.by and expr.of else None
        if call is not None and made is not None:
            return call, displayed(made.symbol)
    return None


def _trains(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it trained on, more than once?"""
    purpose = purpose_of(graph, consumer)
    if purpose is None or purpose.kind != "training" or not purpose.is_certain:
        return False
    return consumer.presumed("epochs", 1) not in (1, None) if consumer.kind == "fit" else bool(consumer.context.loops)


@recursive
def _pretrained(made: Value | None) -> External | None:
    """The network with weights that somebody else has trained, in a model: itself, or what it is made of."""
    if isinstance(made, Method):
        # `Model(base.input, base.output)`
        return _pretrained(made.receiver)
    if not isinstance(made, External):
        return None
    symbol = plain(made.symbol)
    if is_application(symbol):
        return None if made.keywords.get("weights") == Constant(None) else made
    if symbol in _LOADERS:
        text = ast.unparse(made.call).lower()
        return None if any(word in text for word in _PREPARING) else made
    if last(symbol) not in MODELS or not symbol.startswith("tensorflow.keras."):
        return None
    parts = layers_of(made) or made.given
    return next((found for part in parts if (found := _pretrained(part)) is not None), None)
