"""TFD441 repeated-in-epochs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.stages import Argument, Stage
from tfdata_lint.rules.base import Finding, Related, Rule

#: The same number may be there by chance if it is less than this.
_LEAST = 3


class RepeatedInEpochs(Rule):
    code = "TFD441"
    name = "repeated-in-epochs"
    group = "correctness"
    summary = "`repeat(epochs)` and `fit(epochs=epochs)`: each epoch reads the data that many times"
    triggers = ("repeat", "to:fit", "given:epochs")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            epochs = consumer.arguments.get("epochs") if consumer.kind == "fit" else None
            # Who says how many steps an epoch has needs as many elements.
            if epochs is None or consumer.context.in_test or consumer.has("steps_per_epoch"):
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            repeats = [_repeated(path, epochs) for path in known]
            repeat = repeats[0] if known.complete and all(repeats) else None
            if repeat is not None:
                yield self._finding(consumer, repeat, epochs)

    def _finding(self, consumer: Consumer, repeat: Stage, epochs: Argument) -> Finding:
        times = epochs.literal if isinstance(epochs.literal, int) else f"`{epochs.written}`"
        return self.finding(
            consumer.span,
            f"`fit` runs {times} epochs of a dataset that `repeat` repeats as often",
            cost=f"Each epoch reads the data {times} times: the training has {times} times as many steps as it should"
            " have, and validation and callbacks run that much less often (measured: 800 steps in place of 40)",
            advice="Remove the `repeat`: `fit` starts the dataset again in each epoch",
            is_guess=True,
            related=(Related(repeat.span, "repeats the data"),),
        )


def _repeated(path: Path, epochs: Argument) -> Stage | None:
    """The stage that repeats the elements as often as there are epochs, where nothing behind it cuts them off."""
    repeat = path.find("repeat")
    count = repeat.arguments.get("count") if repeat is not None else None
    if repeat is None or count is None or path.is_open or any(stage.op == "take" for stage in path.after(repeat)):
        return None
    number = count.literal
    is_same = isinstance(number, int) and number >= _LEAST and number == epochs.literal
    is_variable = not isinstance(epochs.node, ast.Constant) and count.is_same_variable(epochs)
    return repeat if is_same or (is_variable and number in (..., 2)) else None
