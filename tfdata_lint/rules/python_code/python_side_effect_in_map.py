"""TFD204 python-side-effect-in-map."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.mapped import print_for_every_element
from tfdata_lint.rules.base import Finding, Fix, Rule

_REASON = (
    "it prints for every element, in another format, and to stderr; a function compiled with `jit_compile=True` raises"
    " an error"
)


class PythonSideEffectInMap(Rule):
    """A mapped function prints, logs or changes something outside of itself."""

    code = "TFD204"
    name = "python-side-effect-in-map"
    group = "correctness"
    summary = "A mapped function prints, logs, appends or counts in Python: it happens once, at tracing"
    triggers = ("effect:side_effect",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.operation.kind != "transformation":
                continue
            for effect in function.effects:
                # Where all is a graph, everybody knows that a tensor is printed, not its value.
                if effect.kind != "side_effect" or (_shows(effect) and is_tensorflow_1(graph)):
                    continue
                yield self.finding(
                    effect.span,
                    f"`{effect.what}` happens once, while `{function.name}` is traced, not for every element",
                    cost="Python in a mapped function runs at tracing only (measured: 1 time over all elements and "
                    "epochs), and sees symbolic tensors instead of values",
                    advice=_advice(effect),
                    # A log of what is traced, its shapes and types, may be what is meant.
                    severity="advice" if _is_logging(effect) else None,
                    confidence=stage.confidence,
                    fix=_fix(graph, effect),
                )


def _shows(effect: Effect) -> bool:
    return effect.what == "print" or _is_logging(effect)


def _is_logging(effect: Effect) -> bool:
    return effect.what.rpartition(".")[0].endswith(("logging", "logger", "log"))


def _advice(effect: Effect) -> str:
    if effect.what == "print":
        return "Print with `tf.print`, which runs for every element"
    if _is_logging(effect):
        return "Log with `tf.print`, or from the loop that consumes the dataset, where values are meant"
    return "Do it in the loop that consumes the dataset, or carry the state with `scan` or `enumerate`"


def _fix(graph: PipelineGraph, effect: Effect) -> Fix | None:
    if effect.what != "print":
        return None
    draft = Draft(graph)
    print_for_every_element(draft, effect)
    return draft.fix("unsafe", "Print with `tf.print`", _REASON)
