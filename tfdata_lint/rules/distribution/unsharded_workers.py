"""TFD804."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import targets
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.purposes import purpose_of
from tfdata_lint.pipeline.nouns.questions import is_few, is_toy, may_reorder
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.index import definitions_of, span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.strategies import unsharded
from tfdata_lint.source.trees import walk

_SOURCES = frozenset({
    "from_tensor_slices", "list_files", "TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset",
    "image_dataset_from_directory", "make_csv_dataset",
})  # fmt: skip
#: Stages that may well give each worker its own.
_CHOOSING = frozenset({"filter", "take_while", "sample_from_datasets", "choose_from_datasets", "rejection_resample"})
#: What one worker does alone, or which device it takes: `if hvd.rank() == 0`, `gpus[hvd.local_rank()]`. Compiled where
#: it is asked for.
_ALONE = (
    r"(?<!\w)\w*\.?local_rank\(\)|(?<!\w)\w*\.?\brank\(\)\s*(?:==|!=|>)\s*0\b|\b0\s*==\s*\w*\.?rank\(\)"
    r"|(?:\bif|\bnot|\band|\bor)\s+\w*\.?rank\(\)(?=\s*(?::|\)|else\b|and\b|or\b))"
)
#: What each worker has of its own: its number, its variables of the environment, its machine.
_OWN = r"(?i:rank)|getenv|environ\.get|environ\[[^\]]{0,200}\](?!\s*=)|gethostname|getpid|getnode|platform\.node"
#: Words of who numbers the workers of a cluster.
_NUMBERS = ("task_id", "task_index", "task_type", "input_pipeline_id", "num_input_pipelines", "TF_CONFIG", "is_chief")
_SAME_BATCH = "All workers compute the gradients of the same batch, so more workers do not train faster"
_AVERAGES = r"\bDistributed(?:Optimizer|GradientTape)\b"


class UnshardedWorkers(Rule):
    code = "TFD804"
    name = "unsharded-workers"
    group = "correctness"
    summary = "All workers train on the same elements in the same order"
    triggers = ("text:horovod text:MultiWorkerMirroredStrategy text:ParameterServerStrategy",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        yield from self._of_horovod(graph)
        if graph.is_test or _asks_for_worker(graph):
            return
        for consumer in graph.consumers:
            why = "" if consumer.context.in_test else unsharded(graph, consumer)
            if not why or _is_evaluation(graph, consumer):
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            if not known.always(lambda path: _is_same_everywhere(graph, path)):
                continue
            yield self.finding(
                consumer.span,
                f"All workers get the same batches: {why}, and nothing shards or reshuffles",
                cost=_SAME_BATCH,
                advice=(
                    "Shard with the context, `dataset.shard(context.num_input_pipelines, context.input_pipeline_id)`,"
                    " or leave the sharding to TensorFlow (`AutoShardPolicy.AUTO`)"
                ),
                severity="warning",
                confidence="likely",
                related=(Related(known.paths[0].stages[0].span, "the data of all workers"),),
            )

    def _of_horovod(self, graph: PipelineGraph) -> Iterator[Finding]:
        start = worker_start(graph)
        if start is None or graph.is_test or graph.crosses or tells_workers_apart(graph):
            return
        for consumer in graph.consumers:
            purpose = purpose_of(graph, consumer)
            if purpose is None or purpose.kind != "training" or not purpose.is_certain or consumer.context.in_test:
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            if not known.always(lambda path: _is_same_everywhere(graph, path)):
                continue
            source = known.paths[0].stages[0]
            shuffles = any(stage.may_shuffle for path in known for stage in path.stages)
            why = "they share a seed" if shuffles else "nothing shuffles"
            yield self.finding(
                consumer.span,
                f"All workers train on the same batches: {why}, and nothing shards",
                cost=_SAME_BATCH,
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


def _is_evaluation(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is what is distributed called data to evaluate on? All workers may score all of them."""
    names = " ".join(map(ast.unparse, targets(graph.tree, consumer.node)))
    return re.search(r"(?i)val|test|dev|predict|infer", names) is not None


def _asks_for_worker(graph: PipelineGraph) -> bool:
    """May each worker know which one it is, so that it may take a share of its own?"""
    return any(word in graph.source.text for word in _NUMBERS) or tells_workers_apart(graph)


def worker_start(graph: PipelineGraph) -> Span | None:
    """Where a program calls `hvd.init()` that averages the gradients of its workers."""
    if "horovod" not in graph.source.text or re.search(_AVERAGES, graph.source.text) is None:
        return None
    imports = definitions_of(graph.source).imports
    names = {alias for alias, symbol in imports.items() if symbol.name.startswith("horovod.")}
    for node in walk(syntax_of(graph.source).tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="init")) if name in names:
                return span_of(node, graph.file)
    return None


def tells_workers_apart(graph: PipelineGraph) -> bool:
    """Is the number of the worker, or what else each has of its own, asked for more than what one does alone?"""
    return re.search(_OWN, re.sub(_ALONE, "", graph.source.text)) is not None
