"""TFD324."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import counter, makes_the_same, passes
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import readers_by_place
from tfdata_lint.pipeline.nouns.stages import Consumer, Loop, Stage
from tfdata_lint.rules.base import Finding, Related, Rule

#: Who reads a dataset once in each pass.
_READING = ("for", "fit", "iter", "as_numpy_iterator")
#: Names of loops over epochs. Others may count trials, each with a pipeline of its own.
_EPOCHS = r"(?i)_|e|i|.*(epoch|iter|step).*"
#: These may be told to give something else each time that they are made.
_RANDOM = ("from_generator", "random", "sample_from_datasets", "rejection_resample")


class PipelineRebuilt(Rule):
    code = "TFD324"
    name = "pipeline-rebuilt"
    group = "performance"
    summary = "The same pipeline is built again for every epoch"
    triggers = ("to:for to:fit to:iter to:as_numpy_iterator", "loop")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        for consumers in readers_by_place(graph, *_READING):
            consumer, loop = consumers[0], _loop_over_epochs(consumers[0])
            path = _only_path(consumers) if loop is not None else None
            if loop is None or path is None or not _is_made_in(graph, path, loop):
                continue
            source, cache = path.stages[0], path.find("cache")
            if source.span in reported:
                continue
            reported.add(source.span)
            cost = (
                "Data in memory is copied each time, and threads and buffers start anew (measured for 50 MB: 1.8 to 3.7"
                " times as long as with one pipeline)"
            )
            if cache is not None and not cache.has("filename"):
                cost = "The `cache` is filled in every pass and thrown away, so it never serves anybody"
            yield self.finding(
                source.span,
                "Every pass of this loop builds the same pipeline again",
                cost=cost,
                advice="Build the dataset once, before the loop",
                confidence=source.confidence,
                related=(Related(loop.span, "the loop"), Related(consumer.span, "read once, then built anew")),
            )


def _loop_over_epochs(consumer: Consumer) -> Loop | None:
    """The loop in each pass of which it reads the dataset once."""
    if consumer.context.in_test or not consumer.context.loops:
        return None
    loop = consumer.context.loops[-1]
    if loop.over is not None or loop.kind != "for" or not re.fullmatch(_EPOCHS, counter(loop.node)):
        return None
    # Several epochs in one call are a training of their own.
    if consumer.kind == "fit" and consumer.literal("epochs", 1) != 1:
        return None
    number = passes(loop.node)
    return None if number is not None and number < 2 else loop


def _only_path(consumers: list[Consumer]) -> Path | None:
    """The way through the pipeline, where there is one in all passes."""
    ways = [paths(consumer.dataset, consumer.context.conditions) for consumer in consumers]
    places = {tuple(stage.span for stage in path.stages) for known in ways for path in known}
    return ways[0].paths[0] if len(places) == 1 and all(known.complete for known in ways) else None


def _is_made_in(graph: PipelineGraph, path: Path, loop: Loop) -> bool:
    """Is all of it made in the loop, from what does not change there?"""
    if graph.tree is None or not any(stage.operation.batches or stage.op == "cache" for stage in path.stages):
        return False
    if any(map(_varies, path.stages)):
        return False
    calls = [stage.node for stage in path.stages if stage.node is not None]
    functions = [stage.function.node for stage in path.stages if stage.function and stage.function.node]
    return len(calls) == len(path.stages) and makes_the_same(graph.tree, loop.node, calls, functions)


def _varies(stage: Stage) -> bool:
    """May it be made anew in order to give something else, or is that not seen?"""
    if stage.is_opaque or stage.op in _RANDOM or stage.open_arguments:
        return True
    if stage.operation.functions and (stage.function is None or not stage.function.resolved):
        return True
    # One order for all epochs, but another one for each pipeline.
    return stage.op == "shuffle" and stage.literal("reshuffle_each_iteration") not in (None, True)
