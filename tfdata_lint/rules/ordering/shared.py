"""Questions that several rules about order ask."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Applicability, Fix

_LOOKS = ("inspection", "cardinality", "len")


def follows(stage: Stage, origin: Stage) -> bool:
    """Does it come directly after the other one, under the same conditions, so that the two can be swapped?"""
    same_place = (stage.context.definition, stage.context.conditions) == (
        origin.context.definition,
        origin.context.conditions,
    )
    return bool(stage.inputs) and stage.inputs[0] is origin and same_place


def swap(graph: PipelineGraph, first: Stage, second: Stage, title: str, why_unsafe: str = "") -> Fix:
    """Put the second stage before the first one, which it follows directly."""
    draft = Draft(graph)
    draft.swap(first, second)
    applicability: Applicability = "unsafe" if why_unsafe else "safe"
    return draft.fix(applicability, title, why_unsafe)


def is_only_reader(origin: Stage, stage: Stage, path: Path, graph: PipelineGraph) -> bool:
    """Does everything that a stage gives go to the other one, on this path, and nowhere else?"""
    for link in path.stages[path.stages.index(origin) : path.stages.index(stage)]:
        if len({user.span for user in graph.users(link)}) != 1:
            return False
        if any(consumer.kind not in _LOOKS for consumer in graph.consumers_of(link)):
            return False
    return True
