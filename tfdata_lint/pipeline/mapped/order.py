"""Whether the order of elements reaches anybody."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.mapped.stage_effects import effects_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import SHUFFLES
from tfdata_lint.pipeline.nouns.stages import Stage

#: What does the same to elements in any order.
_ORDERLESS = ("map", "filter", "prefetch", "with_options", "cache", "repeat", "ignore_errors")
#: The smallest buffer of a shuffle behind which it does not matter in which order elements come.
_MIXING = 100


def ways_from(graph: PipelineGraph, stage: Stage) -> Iterator[tuple[Stage, ...]]:
    """The stages from one to each consumer, on each path."""
    for consumer in graph.reached(stage):
        for path in paths(consumer.dataset, consumer.context.conditions):
            if any(other is stage for other in path.stages):
                yield path.after(stage)


def is_shuffled_on(graph: PipelineGraph, way: tuple[Stage, ...]) -> bool:
    """Is it the same in which order a shuffle gets the elements: before it nothing counts, groups or draws?"""
    for stage in way:
        if _shuffles(stage):
            return True
        if stage.op not in _ORDERLESS or any(True for _ in effects_of(graph, stage)):
            return False
    return False


def _shuffles(stage: Stage) -> bool:
    size = stage.literal("buffer_size", ...)
    mixes = not isinstance(size, int) or size >= _MIXING
    return stage.op in SHUFFLES and stage.literal("seed") is None and mixes
