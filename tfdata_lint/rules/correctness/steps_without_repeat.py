"""TFD422 steps-without-repeat."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import inf, prod

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import bounds_of, makes_no_step, number, passes_of, said, steps_of, whole_batches
from tfdata_lint.pipeline.nouns.consumers import STEPS, Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import consumed
from tfdata_lint.pipeline.nouns.stages import Argument
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.rules.base import Finding, Rule, Severity

#: What happens where the last batch is no step, in Keras 2 and in Keras 3.
_OF_THE_REST = (
    "Keras stops the training after one pass over the data, with a warning",
    "The last batch of each pass becomes an epoch of its own, of one step (measured: epochs of 6, 1, 6, 1 steps)",
)

_WHERE_IT_ENDS = (
    "Keras stops the training where the dataset ends, with a warning",
    "Where the dataset ends, so does the epoch: epochs have other numbers of steps, unless they divide the batches",
)

_WHERE_ALL_ENDS = (
    "Keras stops the training in the first epoch, where the dataset ends, with a warning",
    "Each epoch ends where the dataset does, with a warning",
)
_OF_SEVERAL = ("Keras stops the training after the last pass over the data, with a warning", _OF_THE_REST[1])
#: So many times the batches are more than those, however they are rounded.
_SEVERAL = 1.5

#: What happens where there are more steps than batches to validate on, in Keras 2 and in Keras 3.
_BEYOND_THE_END = (
    "Keras warns that the input ran out of data, and validates in the first epoch only (measured with 2.15: 10, 0, 0"
    " and 0 batches)",
    "The whole dataset is validated on, with a warning in each epoch that the input ran out of data (measured)",
)


class StepsWithoutRepeat(Rule):
    code = "TFD422"
    name = "steps-without-repeat"
    group = "correctness"
    summary = "`steps_per_epoch` on a dataset that ends: epochs of unequal length, or none"
    triggers = ("to:fit to:validation", "given:steps_per_epoch given:validation_steps")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        yield from (*self._trained(graph, target), *self._of_none(graph, target), *self._validated(graph, target))

    def _trained(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in consumed(graph, "fit"):
            steps, epochs = consumer.arguments.get("steps_per_epoch"), consumer.literal("epochs", 1)
            if steps is None or (isinstance(epochs, int) and epochs < 2):
                continue
            number, counted = steps_of(consumer) or 0, bounds_of(consumer.dataset)
            count = counted.exact or (counted.most if counted.most and number > counted.most else None)
            is_keras_3, written = target.at_least(2, 16), ""
            severity: Severity | None = None
            if count and number > 0 and isinstance(epochs, int):
                if number * epochs <= count:
                    continue
                cost = _in_keras_3(number, epochs, count) if is_keras_3 else _in_keras_2(number, count)
                # Keras says so itself, and goes on.
                severity = "warning" if number > count and is_keras_3 else None
                message = f"`fit` runs {number} steps per epoch on {count} batches that are not repeated"
            elif (times := passes_of(consumer) or 0) >= _SEVERAL and _ends(consumer):
                written = f"{times:g} times"
                message = f"`fit` takes {written} as many steps per epoch as the dataset has batches"
                cost = _WHERE_ALL_ENDS[is_keras_3]
                severity = "warning" if is_keras_3 else None
            elif counted.most is None and consumer.span.file == graph.file and _ends(consumer):
                if (passes := _repeated(consumer)) != 1:
                    written = whole_batches(graph, _written(graph, consumer, steps), consumer.dataset)
                    if not written or not isinstance(epochs, int) or not passes < epochs:
                        continue
                    message = f"`fit` runs {epochs} epochs of `{written}` steps on data repeated {passes} times"
                    cost, severity = _OF_SEVERAL[is_keras_3], "advice" if is_keras_3 else "warning"
                elif written := whole_batches(graph, _written(graph, consumer, steps), consumer.dataset):
                    message = f"`fit` runs `{written}` steps per epoch, without the last batch, and nothing is repeated"
                    cost, severity = _OF_THE_REST[is_keras_3], "warning"
                elif written := _literal(graph, steps):
                    message = f"`fit` runs {written} steps per epoch on a dataset that ends and is not repeated"
                    # It may have many more, or just as many.
                    cost, severity = _WHERE_IT_ENDS[is_keras_3], "advice"
                else:
                    continue
            else:
                continue
            if cost:
                yield self.finding(
                    consumer.span,
                    message,
                    cost=cost,
                    advice=(
                        "Call `repeat()` on the dataset, or remove `steps_per_epoch`, so that each epoch reads the"
                        " dataset once"
                    ),
                    severity=severity,
                    confidence="likely" if written else "proven",
                )

    def _of_none(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        """Keras 3 takes no steps for no limit."""
        for consumer in graph.consumers if target.below(2, 16) else ():
            name = STEPS.get(consumer.kind, "")
            if consumer.context.in_test or not makes_no_step(graph, consumer):
                continue
            yield self.finding(
                consumer.span,
                f"`{name}` is 0",
                cost="Keras raises a ValueError (measured with 2.15), or waits for ever before TensorFlow 2.2",
                advice=f"Remove `{name}`, or divide by fewer examples per batch than there are",
            )

    def _validated(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            if consumer.kind != "validation" or consumer.context.in_test:
                continue
            steps, count, times = steps_of(consumer), bounds_of(consumer.dataset).most, passes_of(consumer) or 0
            is_more = steps is not None and count is not None and 0 < count < steps
            if not is_more and not (times >= _SEVERAL and _ends(consumer)):
                continue
            is_keras_3 = target.at_least(2, 16)
            if not is_keras_3 and consumer.literal("epochs", 1) in (None, 1):
                continue
            yield self.finding(
                consumer.span,
                f"`validation_steps` is {steps}, but the validation data have {said(consumer.dataset)} batches"
                if is_more
                else f"`validation_steps` is {times:g} times the number of batches in the validation data",
                cost=_BEYOND_THE_END[is_keras_3],
                advice="Remove `validation_steps`: Keras then validates on the whole dataset in each epoch",
                severity="advice" if is_keras_3 else None,
            )


def _written(graph: PipelineGraph, consumer: Consumer, steps: Argument) -> ast.expr:
    """The number of steps as it is written, also in the dict that `fit` is called with."""
    call = consumer.node
    given = argument(graph, call, -1, "steps_per_epoch", graph.source) if isinstance(call, ast.Call) else None
    return steps.node if given is None else given.node


def _literal(graph: PipelineGraph, steps: Argument) -> str:
    """A number of steps that nothing says to be that of the batches: one that is written, or set from outside."""
    places = [place.node for place in origins(graph, steps.node) or [Place(steps.node, graph.source)]]
    if any(isinstance(place, (ast.BinOp, ast.UnaryOp, ast.Call)) for place in places):
        return ""
    known = {place.value for place in places if isinstance(place, ast.Constant)} or {steps.literal}
    return str(*known) if len(known) == 1 and all(type(one) is int for one in known) else ""


def _ends(consumer: Consumer) -> bool:
    """Is all seen that the dataset is made of, and does it end?"""
    ways = paths(consumer.dataset, consumer.context.conditions)
    return ways.always(
        lambda way: (
            not way.is_open
            and (way.stages[0].op != "from_generator" or way.stages[0].generator is not None)
            and all(stage.is_endless is False for stage in way.stages)
        )
    )


def _repeated(consumer: Consumer) -> float:
    """How often the data are repeated, as often as may be: 1 without a repetition."""
    ways = paths(consumer.dataset, consumer.context.conditions).paths
    counts = [prod(number(stage, "count") or inf for stage in way.stages if stage.op == "repeat") for way in ways]
    return max(counts, default=1)


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
