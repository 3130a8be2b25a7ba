"""The way of a pipeline through several files."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage


def way_through(graph: PipelineGraph, place: Span) -> dict[Span, str]:
    """The stages in other files of the pipelines through a place, and who consumes them there: what is seen where."""
    way: dict[Span, str] = {}
    for stage in graph.once(stages_by_span).get(place, ()) if graph.crosses else ():
        for span, what in (*_origins(stage), *_users(stage, graph)):
            if span.file != place.file:
                way.setdefault(span, what)
    return way


def stages_by_span(graph: PipelineGraph) -> dict[Span, list[Stage]]:
    """The stages that a finding may be about: those at its place, or that map a function with it."""
    found: dict[Span, list[Stage]] = {}
    for stage in graph.stages:
        effects = stage.function.effects if stage.function else ()
        for span in {stage.span, *(effect.span for effect in effects)}:
            found.setdefault(span, []).append(stage)
    return found


def _origins(stage: Stage) -> Iterator[tuple[Span, str]]:
    """The stages before, each way through the conditions from its source on."""
    for path in paths(stage, stage.context.conditions):
        for origin in path.stages[:-1]:
            yield origin.span, f"{'then comes' if origin.inputs else 'the pipeline starts with'} `{origin.op}`"


def _users(stage: Stage, graph: PipelineGraph) -> Iterator[tuple[Span, str]]:
    for user in graph.users(stage):
        yield user.span, f"`{user.op}` follows here"
    for consumer in graph.reached(stage):
        if consumer.kind not in ("return", "argument", "stored"):
            yield consumer.span, "consumed here"
