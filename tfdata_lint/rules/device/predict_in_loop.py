"""TFD610."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.steps import is_keras_model, loops_here, methods_in_every_pass, runs_once, takes_element


class PredictInLoop(Rule):
    code = "TFD610"
    name = "predict-in-loop"
    group = "performance"
    summary = "`predict` is called for each batch of a loop"
    experiment = "step"
    triggers = ("to:for to:next to:walk", "text:predict")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumers, consumer, loop in loops_here(graph):
            if consumer.context.in_test or any(is_only_looked_at(graph, tips(reader.dataset)) for reader in consumers):
                continue
            for call in methods_in_every_pass(loop, "predict"):
                if not takes_element(loop, call, consumer.node) or not is_keras_model(graph.tree, call):
                    continue
                yield self.finding(
                    span_of(call, graph.file),
                    "`predict` is called for every batch of this loop",
                    cost=(
                        "Each call creates a new dataset, iterator and callbacks (measured: 20 to 26 times as long as"
                        " calling a small model)"
                    ),
                    advice=(
                        "Call `predict` once with the dataset, or call the model itself in a `tf.function`:"
                        " `model(batch, training=False)`"
                    ),
                    # Once over the data takes seconds more.
                    severity="advice" if runs_once(consumer) else None,
                    confidence="likely",
                    related=(Related(consumer.span, "runs for every batch"),),
                )
