"""TFD203 python-random-in-map."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.code import is_seed, is_separator
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.rules.python_code.drawing import rewrite

#: Functions of `random` and `numpy.random` that have one drop-in operation.
_OPERATIONS = {
    "random": "tf.random.uniform",
    "uniform": "tf.random.uniform",
    "rand": "tf.random.uniform",
    "random_sample": "tf.random.uniform",
    "randint": "tf.random.uniform",
    "randrange": "tf.random.uniform",
    "randn": "tf.random.normal",
    "normal": "tf.random.normal",
    "standard_normal": "tf.random.normal",
    "gauss": "tf.random.normal",
    "normalvariate": "tf.random.normal",
}


class PythonRandomInMap(Rule):
    """A mapped function asks Python for a random number or the time."""

    code = "TFD203"
    name = "python-random-in-map"
    group = "correctness"
    summary = "A random number or the time is taken from Python in a mapped function: one value for all elements"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.operation.kind != "transformation":
                continue
            for effect in function.effects:
                if effect.kind != "python_random" or is_seed(function, effect) or is_separator(function, effect):
                    continue
                yield self.finding(
                    effect.span,
                    f"`{effect.what}` runs once, while `{function.name}` is traced, not for every element",
                    cost="Every element of every epoch gets the same value (measured: 1 distinct value over all)",
                    advice=_advice(effect),
                    confidence=stage.confidence,
                    fix=_fix(graph, function, effect),
                )


def _advice(effect: Effect) -> str:
    module, _, name = effect.what.rpartition(".")
    if "random" in module.split("."):
        return f"Draw with `{_OPERATIONS.get(name, 'tf.random.uniform')}`, which runs for every element"
    if module.split(".")[0] == "time":
        return "Take the time with `tf.timestamp()`, which runs for every element"
    return "Compute it outside of the pipeline if one value is meant, or number the elements with `enumerate`"


def _fix(graph: PipelineGraph, function: MappedFunction, effect: Effect) -> Fix | None:
    module, _, name = effect.what.rpartition(".")
    if "random" not in module.split(".") or name not in _OPERATIONS:
        return None
    draft = Draft(graph)
    rewrite(draft, function, effect, _OPERATIONS[name])
    return draft.fix(
        "unsafe",
        f"Draw with `{_OPERATIONS[name]}`",
        "each element then has a value of its own, which is what the code means but not what it did",
    )
