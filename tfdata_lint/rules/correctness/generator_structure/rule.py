"""TFD423 generator-structure."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.generator_structure.tout import (
    WrongCount,
    WrongDtype,
    name_of,
    wrong_counts,
    wrong_dtypes,
)
from tfdata_lint.rules.correctness.generator_structure.yields import is_running, mismatch, told_a_list
from tfdata_lint.rules.correctness.ranks import Traced, traced_by_keras_3


class GeneratorStructure(Rule):
    code = "TFD423"
    name = "generator-structure"
    group = "correctness"
    summary = "A generator or a function returns other elements than `output_signature` or `Tout` declares"
    triggers = ("from_generator call:numpy_function call:py_func call:py_function",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.context.in_test:
                continue
            for count in wrong_counts(stage):
                yield self._miscounted(count, stage)
            for wrong in wrong_dtypes(stage):
                yield self._wrong(wrong, stage)
            if stage.op == "from_generator" and (finding := self._judged(stage, graph)) is not None:
                yield finding
        for traced in graph.once(traced_by_keras_3) if target.at_least(2, 16) else ():
            if traced.maker == "from_generator":
                yield self._without_shapes(traced, target)

    def _without_shapes(self, traced: Traced, target: Target) -> Finding:
        consumer, stage, _ = traced
        is_certain = target.is_declared and stage.confidence == "proven"
        return self.finding(
            stage.span,
            f"The generator declares no shapes, but `{consumer.target}` needs the number of dimensions",
            cost=f"`{consumer.target}` raises a ValueError when Keras 3 traces the model: the rank is unknown",
            advice="Declare dtypes and shapes in `output_signature`; use `None` for dimensions that vary",
            confidence=stage.confidence,
            severity="error" if is_certain else "warning",
            related=(Related(consumer.span, "traces the model with unknown shapes"),),
        )

    def _miscounted(self, wrong: WrongCount, stage: Stage) -> Finding:
        is_dropped = wrong.returned > wrong.told and last_name(wrong.call.node) == "py_function"
        name = name_of(wrong.call)
        return self.finding(
            wrong.call.span,
            f"{name[0].upper()}{name[1:]} returns {wrong.returned} values, but `Tout` declares {wrong.told}",
            cost="The further values are dropped without an error (measured)"
            if is_dropped
            else "The first element raises an InvalidArgumentError: the function returns another number of values",
            advice="Declare one dtype for each value, in a list",
            severity="warning" if is_dropped else None,
            confidence=stage.confidence,
        )

    def _wrong(self, wrong: WrongDtype, stage: Stage) -> Finding:
        value = f"{wrong.place} of {name_of(wrong.call)}" if wrong.place else f"the result of {name_of(wrong.call)}"
        as_told = f", or return it as {wrong.told}: `.astype(np.{wrong.told})`"
        return self.finding(
            wrong.call.span,
            f"{value[0].upper()}{value[1:]} has dtype {wrong.returned}, but `Tout` declares {wrong.told}",
            cost=f"The first element raises an InvalidArgumentError: `{last_name(wrong.call.node)}` does not cast",
            advice=f"Declare `tf.{wrong.returned}` in `Tout`{'' if wrong.told == 'string' else as_told}",
            confidence=stage.confidence,
        )

    def _judged(self, stage: Stage, graph: PipelineGraph) -> Finding | None:
        if is_running(stage, graph):
            return self.finding(
                stage.span,
                "`from_generator` gets a generator, not a function that returns one",
                cost="This raises a TypeError: `generator` must be a Python callable",
                advice="Pass the function itself and its arguments as `args`, or a `lambda` around the call",
                confidence=stage.confidence,
            )
        if parameter := told_a_list(stage):
            return self.finding(
                stage.span,
                f"`{parameter}` is a list",
                cost="This raises a TypeError: only tuples and dicts can describe nested elements",
                advice=f"Make `{parameter}` a tuple, and yield tuples",
                confidence=stage.confidence,
            )
        wrong = mismatch(stage, graph)
        if wrong is None:
            return None
        return self.finding(
            stage.span,
            f"The generator yields {wrong.yielded}, but `{wrong.parameter}` declares {wrong.told}",
            cost="The first element raises a TypeError: the yielded element does not match what is expected",
            advice=f"Yield what `{wrong.parameter}` declares, tuples as tuples, or change `{wrong.parameter}`",
            confidence=stage.confidence,
            related=(Related(wrong.span, "yielded here"),) if wrong.span is not None else (),
        )
