"""Questions that several rules of this group ask."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.stages import Stage


def outermost(stage: Stage) -> Stage:
    """The stage of the pipeline proper: itself, or the `interleave` in whose function it stands."""
    while stage.nested_in is not None:
        stage = stage.nested_in
    return stage
