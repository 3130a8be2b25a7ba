"""The fix of several rules about order."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import follows
from tfdata_lint.pipeline.nouns.stages import Stage
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
