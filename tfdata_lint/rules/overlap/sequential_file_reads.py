"""TFD105."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.stages import Consumer, Stage, upstream
from tfdata_lint.pipeline.nouns.values import External, Sequence
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.rules.overlap.common import by_place, is_one_file, is_only_looked_at

_READERS = ("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset")
#: Library functions that return a list of file names.
_LISTING = ("glob", "iglob", "rglob", "matching_files", "listdir", "list_directory")
#: What is said of the length of a list of one file, and whether it holds.
_SINGLE = ((" > 1", False), (" >= 2", False), (" != 1", False), (" == 1", True), (" < 2", True), (" <= 1", True))
_MIXED = "records of several files are mixed, so their order changes"
_SHUFFLES = ("shuffle", "shuffle_and_repeat")


class SequentialFileReads(Rule):
    code = "TFD105"
    name = "sequential-file-reads"
    group = "performance"
    summary = "Several files are read one after the other"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, *_READERS):
            # A place that is reached in several ways must read several files in sequence in all of them.
            if not all(stage.literal("num_parallel_reads") is None for stage in stages):
                continue
            if any(stage.nested_in for stage in stages) or not all(map(_reads_several_files, stages)):
                continue
            if is_only_looked_at(graph, stages):
                continue
            ways = [list(_ways(graph, stage)) for stage in stages]
            # The lines of one file belong to those of another: what is asked for would part them.
            if any(stage.op == "zip" for way in chain(*ways) for stage in way):
                continue
            if any(map(_zips, chain(*map(graph.reached, stages)))):
                continue
            stage = stages[0]
            shuffled = not graph.seeds and all(ways) and all(any(map(_shuffles, way)) for way in chain(*ways))
            yield self.finding(
                stage.span,
                f"`{stage.op}` without `num_parallel_reads` reads several files one after the other",
                cost="Nothing overlaps the waiting for storage (measured for `interleave` with a `cycle_length` of 8:"
                " 2.0 times slower than in parallel)",
                advice="Add `num_parallel_reads=tf.data.AUTOTUNE`",
                confidence=stage.confidence,
                fix=_fix(graph, stage, target, "" if shuffled else _MIXED),
            )


def _fix(graph: PipelineGraph, stage: Stage, target: Target, reason: str) -> Fix:
    draft = Draft(graph)
    draft.set_arguments(stage, num_parallel_reads=draft.autotune(stage.node, target))
    return draft.fix("unsafe" if reason else "safe", "Add `num_parallel_reads=tf.data.AUTOTUNE`", reason)


def _reads_several_files(stage: Stage) -> bool:
    """Is it given more than one file for sure: a list, a glob, or a dataset of file names?"""
    argument = stage.arguments.get("filenames")
    if _is_said_single(stage):
        return False
    match argument.value if argument else None:
        case Sequence(items=items, rest=rest):
            return len(items) > 1 or rest is not None
        case External(symbol=symbol):
            return symbol.rpartition(".")[2].lower() in _LISTING
    if not stage.inputs:
        return False
    names = paths(stage, stage.context.conditions)
    return names.complete and not any(path.is_open or is_one_file(path) for path in names)


def _is_said_single(reader: Stage) -> bool:
    """Does a condition say that there is one file: the `else` of `if len(files) > 1`?"""
    stages = [reader, *(stage for dataset in reader.inputs for stage in upstream(dataset))]
    given = (stage.arguments.get(name) for stage in stages for name in ("filenames", "tensors"))
    lengths = {f"len({ast.unparse(argument.node)})" for argument in given if argument is not None}
    return any(
        (condition.text, condition.holds) in {(f"{length}{test}", holds) for test, holds in _SINGLE}
        for condition in reader.context.conditions
        for length in lengths
    )


def _zips(consumer: Consumer) -> bool:
    """Does it walk several datasets at once: `for x, y in zip(one, other)`?"""
    walked = consumer.node.iter if isinstance(consumer.node, ast.For) else ast.Constant(None)
    calls = (node.func for node in ast.walk(walked) if isinstance(node, ast.Call))
    return consumer.target == "zip" or any(isinstance(call, ast.Name) and call.id == "zip" for call in calls)


def _ways(graph: PipelineGraph, reader: Stage) -> Iterator[tuple[Stage, ...]]:
    """The stages from a reader to each consumer, on each path."""
    for consumer in graph.reached(reader):
        for path in paths(consumer.dataset, consumer.context.conditions):
            if any(stage is reader for stage in path.stages):
                yield path.after(reader)


def _shuffles(stage: Stage) -> bool:
    return stage.op in _SHUFFLES and stage.literal("seed") is None and stage.literal("buffer_size", ...) != 1
