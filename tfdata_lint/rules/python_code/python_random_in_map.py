"""TFD203 python-random-in-map."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped.uses import Made
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.rules.base import Finding, Rule


class PythonRandomInMap(Rule):
    """A mapped function takes a random number or the time from Python."""

    code = "TFD203"
    name = "python-random-in-map"
    group = "correctness"
    summary = "A mapped function takes a random number or the time from Python: all elements get one value"
    triggers = ("effect:python_random",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.operation.kind != "transformation":
                continue
            for effect in function.effects:
                if effect.kind != "python_random" or _is_seed(function, effect) or _is_separator(function, effect):
                    continue
                yield self.finding(
                    effect.span,
                    f"`{effect.what}` runs once, while `{function.name}` is traced, not for every element",
                    cost="Every element of every epoch gets the same value (measured: 1 distinct value in all)",
                    advice=_advice(effect),
                    confidence=stage.confidence,
                )


def _advice(effect: Effect) -> str:
    modules = effect.what.split(".")[:-1]
    if "random" in modules:
        operation = known(effect.what.replace("np.", "numpy.", 1)).draws or "uniform"
        return f"Draw with `tf.random.{operation}`, which runs for every element"
    if modules[:1] == ["time"]:
        return "Take the time with `tf.timestamp()`, which runs for every element"
    return "Compute it outside the pipeline if one value is intended, or number the elements with `enumerate`"


def _is_seed(function: MappedFunction, effect: Effect) -> bool:
    """A seed for an operation that draws anew for each element: once is right."""
    made = Made(effect)
    return any("stateless" not in call.name and made.of(call.keywords.get("seed")) for call in function.calls)


def _is_separator(function: MappedFunction, effect: Effect) -> bool:
    """A text that occurs nowhere else, to split at: one is as good as many."""
    made = Made(effect)
    return effect.what.startswith("uuid.") and any(
        last(call.name) == "split" and any(map(made.of, call.arguments)) for call in function.calls
    )
