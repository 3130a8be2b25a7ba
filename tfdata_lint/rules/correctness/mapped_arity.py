"""TFD426 mapped-arity."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.pipeline.nouns.structure import Dict_
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.arity import Misfit, misfit


class MappedArity(Rule):
    code = "TFD426"
    name = "mapped-arity"
    group = "correctness"
    summary = "A mapped function takes more or fewer arguments than the elements have parts"
    triggers = (
        "map filter flat_map interleave take_while map_and_batch parallel_interleave group_by_window "
        "bucket_by_sequence_length",
    )
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            wrong = misfit(stage)
            # Datasets in windows are TFD419's.
            if wrong is None or any(tip.op == "window" for tip in tips(stage.inputs[0])):
                continue
            yield self._finding(stage, wrong)

    def _finding(self, stage: Stage, wrong: Misfit) -> Finding:
        takes = _arguments(wrong.takes) + (" or more" if wrong.or_more else "")
        what = "dicts" if _is_dict(wrong) else f"tuples of {wrong.given}" if wrong.given > 1 else "no tuples"
        origin = wrong.source or next(tips(stage.inputs[0]))
        return self.finding(
            stage.span,
            f"The function of `{stage.op}` takes {takes} but gets {wrong.given}: the elements are {what}",
            cost="Creating the dataset raises a TypeError",
            advice=_advice(wrong),
            confidence=stage.confidence,
            severity="error" if stage.confidence == "proven" else "warning",
            related=(Related(origin.span, "gives these elements"),),
        )


def _arguments(count: int) -> str:
    return f"{count} argument" + "s" * (count != 1)


def _advice(wrong: Misfit) -> str:
    if wrong.source is not None and wrong.source.op.startswith("tfds.") and wrong.takes == 2:
        source = wrong.source.op
        return f"Pass `as_supervised=True` to `{source}` to get pairs, or take the dict and read its features by name"
    if _is_dict(wrong):
        return "Take one argument, the dict, and read its features by name"
    if wrong.given == 1:
        return "Take one argument: only tuples are passed part by part"
    return f"Take {_arguments(wrong.given)}, one for each part of the tuple, or `*parts`"


def _is_dict(found: Misfit) -> bool:
    """Are the elements dicts?"""
    return found.source is not None or isinstance(found.element, Dict_)
