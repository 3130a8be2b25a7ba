"""The way of a pipeline through several files, as related places of a finding."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Related

#: Stages and consumers shown at most.
_SHOWN = 8


def with_way(finding: Finding, graph: PipelineGraph) -> Finding:
    """A finding with the stages of its pipeline that stand in other files, and with who consumes it there."""
    known = {finding.span, *(related.span for related in finding.related)}
    way: dict[object, Related] = {}
    for stage in graph.once(_stages_by_span).get(finding.span, ()):
        for related in (*_origins(stage), *_users(stage, graph)):
            if related.span.file != finding.span.file and related.span not in known:
                way.setdefault(related.span, related)
    if not way:
        return finding
    return finding._replace(related=(*list(way.values())[:_SHOWN], *finding.related))


def _stages_by_span(graph: PipelineGraph) -> dict[Span, list[Stage]]:
    """The stages that a finding may be about: those at its place, or that map a function with it."""
    found: dict[Span, list[Stage]] = {}
    for stage in graph.stages:
        effects = stage.function.effects if stage.function else ()
        for span in {stage.span, *(effect.span for effect in effects)}:
            found.setdefault(span, []).append(stage)
    return found


def _origins(stage: Stage) -> Iterator[Related]:
    """The stages before, each way through the conditions from its source on."""
    for path in paths(stage, stage.context.conditions):
        for origin in path.stages[:-1]:
            what = "then comes" if origin.inputs else "the pipeline starts with"
            yield Related(origin.span, f"{what} `{origin.op}`")


def _users(stage: Stage, graph: PipelineGraph) -> Iterator[Related]:
    for user in graph.users(stage):
        yield Related(user.span, f"`{user.op}` follows here")
    for consumer in graph.reached(stage):
        if consumer.kind not in ("return", "argument", "stored"):
            yield Related(consumer.span, "consumed here")
