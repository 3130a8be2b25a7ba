"""The fix of several rules about order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.purposes import LOOKS
from tfdata_lint.pipeline.nouns.questions import follows
from tfdata_lint.pipeline.nouns.stages import Stage, tips, upstream
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Fix, guarded


@guarded
def swap(graph: PipelineGraph, first: Stage, second: Stage, title: str, why_unsafe: str = "") -> Fix | None:
    """Put the second stage before the first one; none where it does not follow that one directly."""
    if not follows(second, first):
        return None
    draft = Draft(graph)
    draft.swap(first, second)
    return draft.fix("unsafe" if why_unsafe else "safe", title, why_unsafe)


def are_in_step(graph: PipelineGraph, stages: Sequence[Stage]) -> bool:
    """Does each lead to the next one, and nothing else to it or from it, in whatever context they are made?"""
    after = {one.span: {other.span} for one, other in pairwise(stages)}
    before = {other.span: {one.span} for one, other in pairwise(stages)}
    for stage in graph.stages:
        if stage.span in after:
            if {user.span for user in graph.users(stage)} != after[stage.span]:
                return False
            if any(consumer.kind not in LOOKS for consumer in graph.consumers_of(stage)):
                return False
        if stage.span in before and {tip.span for given in stage.inputs for tip in tips(given)} != before[stage.span]:
            return False
    return all(follows(stage, origin) for origin, stage in pairwise(stages))


def is_in_loop(stage: Stage) -> bool:
    """Is it made once more of what it makes, in each pass of a loop?"""
    return any(other.span == stage.span for given in stage.inputs for other in upstream(given))
