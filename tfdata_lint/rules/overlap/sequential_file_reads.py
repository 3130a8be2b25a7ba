"""TFD105."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import calls_of, holds, last_name, way
from tfdata_lint.pipeline.nouns.consumers import DRIVING, LEAVING, PULLING, Consumer
from tfdata_lint.pipeline.nouns.files import is_given_files, is_one_file
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.purposes import LOOKS, is_only_evaluated
from tfdata_lint.pipeline.nouns.questions import SHUFFLES, by_place, is_only_looked_at, joins_neighbours
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.ways import ways_from
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded
from tfdata_lint.source.trees import walk

_TABLE = "FixedLengthRecordDataset"
#: How many files are read at a time where TensorFlow cannot choose.
_FILES = "8"
#: Readers of several files, and what says how many at a time.
_READERS = {
    **dict.fromkeys(("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset"), "num_parallel_reads"),
    "make_batched_features_dataset": "reader_num_threads", "make_csv_dataset": "num_parallel_reads",
    # It has no such setting.
    "CsvDataset": "",
}  # fmt: skip
#: What is said of the length of a list of one file, and whether it holds.
_SINGLE = ((" > 1", False), (" >= 2", False), (" != 1", False), (" == 1", True), (" < 2", True), (" <= 1", True))
#: What a loop calls that takes records apart in Python, and what keeps or writes what it got.
_GATHERING = frozenset(
    {"FromString", "ParseFromString", "MergeFromString", "append", "extend", "add", "write", "writerow", "writestr"}
)
#: What keeps each element by itself.
_COLLECTING = (ast.ListComp, ast.SetComp, ast.DictComp, ast.Yield)
_MIXED = "records of several files are mixed, so their order changes, and a later `shuffle` mixes other records"


class SequentialFileReads(Rule):
    code = "TFD105"
    name = "sequential-file-reads"
    group = "performance"
    summary = "Several files are read one after the other"
    triggers = (
        "TFRecordDataset TextLineDataset FixedLengthRecordDataset make_csv_dataset CsvDataset "
        "make_batched_features_dataset",
    )
    done_by_runtime = "parallel"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, *_READERS):
            # A place that is reached in several ways must read several files in sequence in all of them.
            if not all(_is_sequential(stage) or _is_joined(graph, stage) for stage in stages):
                continue
            if is_only_looked_at(graph, stages):
                continue
            ways = [list(ways_from(graph, stage)) for stage in stages]
            # The lines of one file belong to those of another: what is asked for would part them.
            if any(stage.op == "zip" for way in chain(*ways) for stage in way):
                continue
            # So do neighbors that one element is made of.
            if any(map(joins_neighbours, chain(*ways))):
                continue
            if stages[0].op == _TABLE and _has_another(graph, stages[0]):
                # A table in columns: what is read side by side belongs together, row by row.
                continue
            # Some are chosen by their numbers, which other reads give to others; or it is the header of one file.
            if any(map(_is_by_number, chain(*ways))):
                continue
            consumers = chain(*map(graph.reached, stages))
            if any(consumer.target == "zip" or _walks_several(consumer.node) for consumer in consumers):
                continue
            stage = stages[0]
            ordered = any(_is_read_in_order(graph, stage) for stage in stages)
            is_scored = all(is_only_evaluated(graph, stage) for stage in stages)
            gathered = all(_is_gathered(graph, stage) for stage in stages)
            yield self.finding(
                stage.span,
                f"`{stage.op}` {_setting(stage)} reads one file after the other",
                cost=(
                    "While the pipeline waits for one file, it does not read the next (measured for `interleave` with"
                    " a `cycle_length` of 8: 2.0 times slower than in parallel)"
                ),
                advice=_advice(stage, target)
                + ", unless the records must stay in their order" * ordered
                + " where storage is slower than the Python code that handles each record" * (gathered and not ordered),
                severity="advice" if ordered or gathered or is_scored else None,
                confidence=stage.confidence,
                fix=_fix(graph, stage, target),
            )

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        return stage.op in _READERS and not _is_sequential(stage)


def _is_by_number(way: Sequence[Stage]) -> bool:
    """Are elements counted or left out before they are shuffled?"""
    ops = [stage.op for stage in takewhile(lambda stage: stage.op not in SHUFFLES, way)]
    return "enumerate" in ops or "skip" in ops


def _has_another(graph: PipelineGraph, reader: Stage) -> bool:
    """Does the same function read another file of records of a fixed length?"""
    return any(
        other.op == _TABLE and other.span != reader.span and other.context.definition == reader.context.definition
        for other in graph.stages
    )


@guarded
def _fix(graph: PipelineGraph, stage: Stage, target: Target) -> Fix:
    draft = Draft(graph)
    if not _has_setting(stage, target) or not _is_sequential(stage):
        return draft.fix("display-only", _advice(stage, target), _MIXED)
    number = _FILES if _needs_number(target) else draft.autotune(stage.node, target)
    draft.set_arguments(stage, **{_READERS[stage.op]: number})
    return draft.fix("unsafe", _advice(stage, target), _MIXED)


def _needs_number(target: Target) -> bool:
    """TensorFlow 1.14 and 2.0 take AUTOTUNE for a number of files, -1 (`readers.py` of 1.15 and 2.1 asks for it)."""
    return target.lacks(1, 15) or (target.lacks(2, 1) and not target.lacks(2, 0))


def _has_setting(stage: Stage, target: Target) -> bool:
    """Has a reader an argument for it, in all versions that are meant (the wheels of 1.4 to 1.14: `readers.py`)?"""
    return bool(_READERS[stage.op]) and not target.lacks(1, 8 if stage.op == "TFRecordDataset" else 14)


def _advice(stage: Stage, target: Target) -> str:
    many = _FILES if _needs_number(target) else "tf.data.AUTOTUNE"
    if not _has_setting(stage, target):
        return "`interleave` the files with a function that reads one, and `num_parallel_calls=tf.data.AUTOTUNE`"
    if not _is_sequential(stage):
        return f"Give all files to one `{stage.op}`, with `{_READERS[stage.op]}={many}`"
    return f"{'Use' if stage.has(_READERS[stage.op]) else 'Add'} `{_READERS[stage.op]}={many}`"


def _setting(stage: Stage) -> str:
    if not (name := _READERS[stage.op]):
        return "of several files"
    return f"with `{name}={stage.literal(name)}`" if stage.has(name) else f"without `{name}`"


def _is_sequential(stage: Stage) -> bool:
    """Does it read several files, one after the other?"""
    if stage.literal(_READERS[stage.op]) not in (None, 1) or stage.nested_in:
        return False
    return _reads_several_files(stage)


def _reads_several_files(stage: Stage) -> bool:
    """Is it given more than one file for sure: a list, a glob, or a dataset of file names?"""
    if _is_said_single(stage):
        return False
    pattern = stage.literal("file_pattern")
    if isinstance(pattern, str):
        return any(sign in pattern for sign in "*?[")
    if not stage.inputs:
        return is_given_files(stage)
    return paths(stage, stage.context.conditions).always(lambda path: not (path.is_open or is_one_file(path)))


def _is_joined(graph: PipelineGraph, reader: Stage) -> bool:
    """Is it one of the readers that a loop makes, each of one file, and nothing but joins one behind the other?"""
    if reader.literal(_READERS[reader.op]) not in (None, 1) or reader.nested_in:
        return False
    loop = reader.context.loops[-1] if reader.context.loops else None
    if loop is None or loop.kind == "while" or loop.over is not None or loop.passes in (0, 1):
        return False
    users = graph.users(reader)
    is_read = any(consumer.kind not in LOOKS for consumer in graph.consumers_of(reader))
    return bool(users) and not is_read and all(user.op == "concatenate" for user in users)


def _is_said_single(reader: Stage) -> bool:
    """Does a condition say that there is one file: the `else` of `if len(files) > 1`?"""
    stages = [reader, *(stage for dataset in reader.inputs for stage in upstream(dataset))]
    given = (stage.arguments.get(name) for stage in stages for name in ("filenames", "tensors"))
    lengths = {f"len({argument.written})" for argument in given if argument is not None}
    return any(
        (condition.text, condition.holds) in {(f"{length}{test}", holds) for test, holds in _SINGLE}
        for condition in reader.context.conditions
        for length in lengths
    )


def _is_read_in_order(graph: PipelineGraph, reader: Stage) -> bool:
    """Are its files shuffled and its records not, on a way to training? Batches may go on from one to the next."""
    consumers = (consumer for consumer in graph.reached(reader) if consumer.kind in (*DRIVING, *LEAVING))
    return any(
        any(stage.may_shuffle for stage in path.before(reader))
        and not any(stage.may_shuffle for stage in path.after(reader))
        for consumer in consumers
        for path in paths(consumer.dataset, consumer.context.conditions)
        if any(stage is reader for stage in path.stages)
    )


def _is_gathered(graph: PipelineGraph, reader: Stage) -> bool:
    """Do all who read it handle each record by itself in Python, to keep or to write it? Then reading is little."""
    consumers = [consumer for consumer in graph.reached(reader) if consumer.kind not in (*PULLING, *LOOKS)]
    is_batched = any(stage.operation.batches for way in ways_from(graph, reader) for stage in way)
    return bool(consumers) and not is_batched and all(_gathers(graph, consumer) for consumer in consumers)


def _gathers(graph: PipelineGraph, consumer: Consumer) -> bool:
    if consumer.kind == "list":
        return True
    passes = [consumer.node] if consumer.kind in ("for", "comprehension") else _passes(graph, consumer)
    return bool(passes) and all(map(_keeps_elements, passes))


def _passes(graph: PipelineGraph, consumer: Consumer) -> list[ast.AST]:
    """What walks the iterator that a consumer makes."""
    walks = [found.node for found in graph.walks if found.iterator.dataset is consumer.dataset]
    pulls = (other for other in graph.consumers if other.kind == "next" and other.iterator is consumer.iterator)
    loops = walks + [pull.loop for pull in pulls if pull.loop is not None]
    if loops or consumer.kind != "as_numpy":
        return loops
    around = (node for node in way(graph.tree, consumer.node) if isinstance(node, ast.For))
    return [loop for loop in around if holds(loop.iter, consumer.node)]


def _keeps_elements(node: ast.AST) -> bool:
    """Does each pass of a loop parse, keep or write its element? A call such as `list` keeps all."""
    if isinstance(node, (ast.Call, *_COLLECTING)):
        return last_name(node) in ("", "list", "set", "dict", "sorted")
    body = node.body if isinstance(node, (ast.For, ast.While)) else []
    return any(map(_keeps, (part for statement in body for part in walk(statement))))


def _keeps(node: ast.AST) -> bool:
    match node:
        case ast.Call():
            return last_name(node) in _GATHERING
        case ast.Assign(targets=[ast.Subscript()]):
            return True
    return isinstance(node, _COLLECTING[-1:])


def _walks_several(loop: ast.AST) -> bool:
    """Does it walk several datasets at once: `for x, y in zip(one, other)`?"""
    return isinstance(loop, ast.For) and next(calls_of(loop.iter, "zip"), None) is not None
