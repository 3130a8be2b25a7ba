"""TFD422 steps-without-repeat."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules.base import Finding, Rule


class StepsWithoutRepeat(Rule):
    """`fit` gets a number of steps that does not match a finite dataset."""

    code = "TFD422"
    name = "steps-without-repeat"
    group = "correctness"
    summary = "`steps_per_epoch` on a dataset that ends: epochs of unequal length, or none"
    triggers = ("to:fit", "given:steps_per_epoch")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            if consumer.kind != "fit" or consumer.context.in_test:
                continue
            steps, epochs = consumer.literal("steps_per_epoch"), consumer.literal("epochs", 1)
            if not isinstance(steps, int) or not isinstance(epochs, int) or steps < 1 or epochs < 2:
                continue
            count = length(consumer.dataset)
            if not count or steps * epochs <= count:
                continue
            cost = _in_keras_3(steps, epochs, count) if target.at_least(2, 16) else _in_keras_2(steps, count)
            if cost:
                yield self.finding(
                    consumer.span,
                    f"`fit` runs {steps} steps per epoch on {count} batches that are not repeated",
                    cost=cost,
                    advice=(
                        "Call `repeat()` on the dataset, or remove `steps_per_epoch`, so that each epoch reads the"
                        " dataset once"
                    ),
                    # Keras says so itself, and goes on.
                    severity="warning" if steps > count and target.at_least(2, 16) else None,
                )


def _in_keras_3(steps: int, epochs: int, count: int) -> str:
    """The iterator of an epoch goes on in the next one, and what is left of it is an epoch of its own."""
    if steps > count:
        return f"Each epoch ends after {count} steps, with a warning"
    if count % steps == 0:
        return ""
    whole = [*[steps] * (count // steps), count % steps]
    told = ", ".join(map(str, (whole * epochs)[: min(epochs, 6)]))
    return f"Its epochs have {told}{', …' if epochs > 6 else ''} steps: the rest of a pass becomes a short epoch"


def _in_keras_2(steps: int, count: int) -> str:
    """The iterator goes on to its end, which ends the training, unless an epoch is just one pass."""
    return f"Keras stops the training after {count} steps, with a warning" if steps != count else ""
