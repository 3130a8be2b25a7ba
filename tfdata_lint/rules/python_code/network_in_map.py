"""TFD211 network-in-map."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.layers import network_in
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.purposes import purpose_of
from tfdata_lint.pipeline.nouns.questions import CACHES
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.made_up import is_no_data


class NetworkInMap(Rule):
    code = "TFD211"
    name = "network-in-map"
    group = "advice"
    summary = "A pretrained network in a mapped function runs on the CPU, in every epoch"
    triggers = ("effect:stateful_layer effect:random_layer call:load() call:predict", "to:fit to:for to:walk")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            network = network_in(stage.function) if stage.op == "map" else None
            if network is None:
                continue
            call, what = network
            trained = next((consumer for consumer in graph.reached(stage) if _trains(graph, consumer)), None)
            if trained is None or any(later.op in CACHES for later in graph.downstream(stage)):
                continue
            if stage.context.in_test or paths(trained.dataset, trained.context.conditions).always(is_no_data):
                continue
            yield self.finding(
                call.span,
                f"`map` runs the network `{what}` again in every epoch",
                cost="tf.data runs mapped functions on the CPU, so an accelerator waits for the network, and every"
                " epoch repeats the work",
                advice="Make the network part of the model, or compute its features once and `cache` or `save` them",
                related=(Related(trained.span, "trained on here"),),
            )


def _trains(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it trained on, more than once?"""
    purpose = purpose_of(graph, consumer)
    if purpose is None or purpose.kind != "training" or not purpose.is_certain:
        return False
    return consumer.presumed("epochs", 1) not in (1, None) if consumer.kind == "fit" else bool(consumer.context.loops)
