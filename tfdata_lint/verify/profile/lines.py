"""Where in the source the datasets of a profile are: certain, one of several, or unknown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.run.engine import read_pipelines
from tfdata_lint.source.module import Source
from tfdata_lint.verify.model import ConsumerKind, Place, Run
from tfdata_lint.verify.profile.host import Host
from tfdata_lint.verify.profile.matching import CERTAIN, MARGIN, Candidate, agreement, candidates, in_words, tree
from tfdata_lint.verify.report.words import near

#: What a call of a changed source has to do of what was carried out.
_AGREEING = 0.5
_OF_KERAS: tuple[ConsumerKind, ...] = ("fit", "evaluate", "predict")
#: Candidates that are named.
_NAMED = 6


@dataclass(frozen=True, slots=True)
class Lines:
    """What is known of the places of a profile's datasets."""

    places: Mapping[int, Place] = field(default_factory=dict)
    """By their ids; only certain ones."""
    consumer: Place | None = None
    kind: ConsumerKind = "for"
    """What consumes it there."""
    candidates: tuple[Place, ...] = ()
    """Of the bottleneck, where it is not certain."""
    why: str = ""
    """Why it is not certain."""


def graphs(paths: Sequence[str], configuration: Configuration) -> list[tuple[Source, PipelineGraph]]:
    """The pipelines of files and folders."""
    return [(source, graph) for source, graph, _ in read_pipelines(paths, configuration) if source and graph]


def locate(host: Host, graphs: Sequence[tuple[Source, PipelineGraph]], source: str = "the source") -> Lines:
    """The lines of a profile's datasets in these files, which messages call `source`."""
    if not host.written:
        return Lines()
    found = candidates(host, graphs)
    if not found:
        return Lines(why=f"no pipeline of {source} matches the profile's stages: {in_words(host)}")
    best = [one for one in found if one.cost <= found[0].cost + MARGIN]
    bottleneck = _bottleneck(host.run())
    named = _places(bottleneck, best)
    if found[0].cost >= CERTAIN:
        more = [one for one in found if one.cost <= found[0].cost + CERTAIN]
        why = f"no pipeline of {source} matches all of the profile's stages: {in_words(host)}"
        return Lines(candidates=_places(bottleneck, more), why=why)
    if not all(one.is_told for one in best):
        why = f"nothing but the stages of {source} is as in the profile, which other programs have, too"
        return Lines(candidates=named, why=why)
    if len(named) > 1:
        return Lines(_agreed(best), candidates=named, why="several pipelines of the source fit the profile")
    changed = [file for file in _files(best) if _is_newer(file, host)]
    if changed and not _is_confirmed(host, best, bottleneck):
        files = ", ".join(os.path.relpath(file) for file in changed)
        return Lines(candidates=named, why=f"{files} was written after the profile")
    return Lines(_agreed(best), _consumer(best), _kind(best))


def _bottleneck(run: Run) -> tuple[int, ...]:
    """The ids of its datasets."""
    (pipeline,) = run.pipelines
    return pipeline.nodes[pipeline.bottleneck.node].stages if pipeline.bottleneck else ()


def _places(ids: Iterable[int], found: Iterable[Candidate]) -> tuple[Place, ...]:
    """Of the first of these datasets that a candidate knows, as for a fused map and batch."""
    stages = (next(((one, one.stages[i]) for i in ids if i in one.stages), None) for one in found)
    places = dict.fromkeys(place_of(*both) for both in stages if both)
    return tuple(places)[:_NAMED]


def _agreed(found: Sequence[Candidate]) -> dict[int, Place]:
    """The places on which all candidates agree."""
    first, *others = ({i: place_of(one, stage) for i, stage in one.stages.items()} for one in found)
    return {i: place for i, place in first.items() if all(other.get(i) == place for other in others)}


def place_of(candidate: Candidate, stage: Stage) -> Place:
    """In a notebook the row of its cell."""
    return _place(candidate.source, stage.span)


def _place(source: Source, span: Span) -> Place:
    if span.file == source.path:
        at, end = source.location(span.row, span.column), source.location(span.end_row, span.end_column)
        if at.cell is not None:
            return Place(f"{span.file}:cell {at.cell}", at.row, at.column, end.row, end.column)
    return Place(os.path.realpath(span.file), span.row, span.column, span.end_row, span.end_column)


def _consumer(found: Sequence[Candidate]) -> Place | None:
    places = {_place(one.source, consumer.span) for one in found for consumer in one.consumers}
    return places.pop() if len(places) == 1 else None


def _kind(found: Iterable[Candidate]) -> ConsumerKind:
    kinds = {consumer.kind for one in found for consumer in one.consumers}
    return next((kind for kind in _OF_KERAS if kinds == {kind}), "for")


def _files(found: Iterable[Candidate]) -> list[str]:
    return sorted({stage.span.file for one in found for stage in one.stages.values()})


def _is_newer(file: str, host: Host) -> bool:
    """Was it written after the profile was recorded? Copying writes, too."""
    with suppress(OSError):
        return os.path.getmtime(file) > (host.began or os.path.getmtime(host.path))
    return False


def _is_confirmed(host: Host, found: Sequence[Candidate], ids: Sequence[int]) -> bool:
    """Does the bottleneck do what it did, or is it the only one of its kind?"""
    top = tree(host)
    nodes = {node.id: node for node in top.all_below()} if top else {}
    for one in found:
        stages = [(nodes[i], one.stages[i]) for i in ids if i in one.stages]
        if not stages:
            return False
        node, stage = stages[0]
        same = {id(other) for other in one.stages.values() if other.op == stage.op}
        if (agreement(node, stage) or 0.0) < _AGREEING and len(same) > 1:
            return False
    return True


def where(lines: Lines) -> str:
    """In words; empty if it is certain."""
    named = " or ".join(near(place) for place in lines.candidates)
    return f"not certain: {named}; {lines.why}" if named else lines.why
