"""The ways that elements take."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.stages import Stage


def ways_from(graph: PipelineGraph, stage: Stage) -> Iterator[tuple[Stage, ...]]:
    """The stages from one to each consumer, on each path."""
    for consumer in graph.reached(stage):
        for path in paths(consumer.dataset, consumer.context.conditions):
            if any(other is stage for other in path.stages):
                yield path.after(stage)
