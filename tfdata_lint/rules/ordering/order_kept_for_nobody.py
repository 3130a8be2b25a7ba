"""TFD326."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.footprint import footprint
from tfdata_lint.pipeline.nouns.files import reader_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import SHUFFLES, by_place, is_only_looked_at, is_toy, may_reorder
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.ways import ways_from
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded

#: What does the same to elements in any order.
_READERS = ("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset")
_ORDERLESS = ("map", "filter", "prefetch", "with_options", "cache", "repeat", "ignore_errors")
#: The smallest buffer of a shuffle behind which it does not matter in which order elements come.
_MIXING = 100


class OrderKeptForNobody(Rule):
    code = "TFD326"
    name = "order-kept-for-nobody"
    group = "advice"
    status = "preview"
    summary = "Files are read in parallel in a fixed order, which a later shuffle discards"
    triggers = ("interleave TFRecordDataset TextLineDataset FixedLengthRecordDataset", "shuffle shuffle_and_repeat")
    related_comes = "after"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or graph.seeds or target.lacks(2, 2):
            return
        for stages in by_place(graph.stages, "interleave", *_READERS):
            stage = stages[0]
            if not all(_keeps_order(graph, other) for other in stages) or is_only_looked_at(graph, stages):
                continue
            ways = [way for other in stages for way in ways_from(graph, other)]
            if not ways or not all(_is_shuffled_on(graph, way) for way in ways) or graph.says("seed"):
                continue
            shuffle = next(later for later in ways[0] if later.operation.shuffles)
            yield self.finding(
                stage.span,
                f"Parallel `{stage.op}` keeps the order of its files, which the unseeded `shuffle` after it undoes",
                cost=(
                    "One slow file makes the others wait (measured: 4 times as long with one slow file among eight"
                    " that never end, 1.2 times where any read may stall)"
                ),
                advice="Add `deterministic=False`" if stage.op == "interleave" else "Set the option `deterministic`",
                confidence=stage.confidence,
                related=(Related(shuffle.span, "puts them in a random order"),),
                fix=_fix(graph, stage) if stage.op == "interleave" else None,
            )


@guarded
def _fix(graph: PipelineGraph, stage: Stage) -> Fix:
    draft = Draft(graph)
    draft.set_arguments(stage, deterministic="False")
    return draft.fix("unsafe", "Add `deterministic=False`", "elements come in another order, those of slow files later")


def _keeps_order(graph: PipelineGraph, stage: Stage) -> bool:
    """Does it read several files at once, in an order that nothing leaves to the runtime?"""
    if not stage.is_parallel or stage.parallelism is ... or stage.nested_in is not None:
        return False
    if isinstance(stage.literal("filenames"), str):
        return False
    if stage.literal("deterministic") not in (None, True) or stage.context.in_test:
        return False
    if (stage.op not in _READERS and reader_in(stage) is None) or paths(stage, stage.context.conditions).always(is_toy):
        return False
    return not may_reorder(graph, stage)


def _is_shuffled_on(graph: PipelineGraph, way: tuple[Stage, ...]) -> bool:
    """Is it the same in which order a shuffle gets the elements: before it nothing counts, groups or draws?"""
    for stage in way:
        if _shuffles(stage):
            return True
        if stage.op not in _ORDERLESS or any(True for _ in footprint(graph, stage)):
            return False
    return False


def _shuffles(stage: Stage) -> bool:
    size = stage.literal("buffer_size", ...)
    mixes = not isinstance(size, int) or size >= _MIXING
    return stage.op in SHUFFLES and stage.literal("seed") is None and mixes
