"""TFD804."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.purposes import purpose_of
from tfdata_lint.pipeline.nouns.questions import is_few, is_toy, may_reorder
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.horovod import tells_workers_apart, worker_start
from tfdata_lint.rules.base import Finding, Related, Rule

_SOURCES = frozenset({
    "from_tensor_slices", "list_files", "TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset",
    "image_dataset_from_directory", "make_csv_dataset",
})  # fmt: skip
#: Stages that may well give each worker its own.
_CHOOSING = frozenset({"filter", "take_while", "sample_from_datasets", "choose_from_datasets", "rejection_resample"})


class UnshardedWorkers(Rule):
    code = "TFD804"
    name = "unsharded-workers"
    group = "correctness"
    summary = "All workers of Horovod train on the same elements in the same order"
    triggers = ("text:horovod",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        start = worker_start(graph)
        if start is None or graph.is_test or graph.crosses or tells_workers_apart(graph):
            return
        found: set[Span] = set()
        for consumer in graph.consumers:
            purpose = purpose_of(graph, consumer)
            if purpose is None or purpose.kind != "training" or not purpose.is_certain or consumer.context.in_test:
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            if consumer.span in found or not known.always(lambda path: _is_same_everywhere(graph, path)):
                continue
            found.add(consumer.span)
            source = known.paths[0].stages[0]
            shuffles = any(stage.may_shuffle for path in known for stage in path.stages)
            why = "a seed gives all of them one order" if shuffles else "nothing shuffles"
            yield self.finding(
                consumer.span,
                f"Every worker trains on all elements, in the same order: {why}, and nothing shards",
                cost="The gradients of the workers are those of the same batch, so more of them train no faster",
                advice="Give each worker its share, `dataset.shard(hvd.size(), hvd.rank())`, before the shuffle",
                severity="warning",
                confidence="likely",
                related=(Related(source.span, "the data of all workers"), Related(start, "the workers begin here")),
            )


def _is_same_everywhere(graph: PipelineGraph, path: Path) -> bool:
    """Is there nothing in it that could differ from worker to worker?"""
    if path.is_open or is_toy(path) or is_few(path) or path.stages[0].op not in _SOURCES:
        return False
    return not any(stage.op == "shard" or _may_differ(graph, stage) for stage in path.stages)


def _may_differ(graph: PipelineGraph, stage: Stage) -> bool:
    """May a stage give other elements, or another order, in another process?"""
    if stage.open_arguments or stage.op in _CHOOSING or (stage.is_parallel and may_reorder(graph, stage)):
        return True
    if stage.op in ("skip", "take"):
        return stage.literal("count") is ...
    if not stage.may_shuffle:
        return False
    seed = stage.literal("seed")
    return seed is ... or (seed is None and not graph.seeds)
