"""TFD436."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.files import RECORDS, is_given_files, reader_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, inside
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Stage
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence, Slice
from tfdata_lint.rules.base import Finding, Related, Rule

#: What leaves records in their places, one by one.
_KEEPING = frozenset(
    {"map", "filter", "cache", "prefetch", "with_options", "enumerate", "repeat", "assert_cardinality"}
)


_MADE = {"window": "windows", "batch": "batches", "zip": "pairs", "scan": "steps"}


class NeighboursAcrossFiles(Rule):
    code = "TFD436"
    name = "neighbours-across-files"
    group = "correctness"
    summary = "Windows or pairs of neighbors mix records of several files that are read in turns"
    triggers = ("window batch zip scan", "given:num_parallel_reads interleave")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        joining = [stage for stage in graph.stages if _joins(graph, stage)]
        for stage, reader, when in cases(joining, lambda stage, path: _reads_in_turns(stage, path)):
            if stage.context.in_test:
                continue
            several = [part for part in (reader, *inside(reader)) if is_given_files(part)] or _lists(reader)
            yield self.finding(
                stage.span,
                f"This `{stage.op}` groups neighbors, but `{reader.op}` alternates between files{when}",
                cost=(
                    "Adjacent elements come from different files (measured with two files: no pair has two neighbors)"
                ),
                advice=(
                    f"Make the {_MADE[stage.op]} inside `interleave`, separately for"
                    " each file, or read the files one after the other"
                ),
                severity=None if several else "warning",
                confidence="likely",
                related=(Related(reader.span, "the files are read in turns here"),),
            )


def _joins(graph: PipelineGraph, stage: Stage) -> bool:
    """Do windows overlap, or does a function compare or shift the rows of a batch?"""
    if stage.op == "window":
        return _length(stage) != 1
    if stage.op == "zip":
        return _is_shifted(stage)
    if stage.op == "scan":
        # What is kept of the element before meets the next one.
        return stage.function is not None and any(_meets_state(operator.expr) for operator in stage.function.operators)
    users = graph.users(stage) if stage.op == "batch" and isinstance(structure_of(stage), Tensor) else []
    return any(user.op == "map" and user.function is not None and _compares(user.function) for user in users)


def _length(stage: Stage) -> int | None:
    size = stage.literal("size" if stage.op == "window" else "batch_size")
    return size if isinstance(size, int) else None


def _is_shifted(stage: Stage) -> bool:
    """`zip((ds, ds.skip(1)))`"""
    first, *others = stage.inputs
    return any(isinstance(other, Stage) and other.op == "skip" and other.inputs[0] is first for other in others)


def _meets_state(expr: Expr) -> bool:
    """The difference of what was kept and of the element that follows."""
    given = {part.of[1] for part in expr.of if isinstance(part, Expr) and part.by == "parameter"}
    return expr.by == "Sub" and len(given) > 1


def _compares(function: MappedFunction) -> bool:
    """`pair[1] - pair[0]`, or `rows[:-1]` beside `rows[1:]`."""
    exprs = [operator.expr for operator in function.operators]
    if any(expr.by == "Sub" and {_index(part) for part in expr.of} == {0, 1} for expr in exprs):
        return True
    keys = [expr.of[1] for expr in exprs if expr.by == "item" and _is_given(expr.of[0])]
    heads = [key for key in keys if isinstance(key, Slice) and key.lower is None and _is_negative(key.upper)]
    tails = [key for key in keys if isinstance(key, Slice) and key.upper is None and isinstance(key.lower, Constant)]
    return bool(heads and tails)


def _index(part: object) -> object:
    match part:
        case Expr(by="item", of=(taken, Constant(value=int(number)))) if _is_given(taken):
            return number
    return None


def _is_given(value: object) -> bool:
    return isinstance(value, Expr) and value.by == "parameter"


def _is_negative(value: object) -> bool:
    return isinstance(value, Constant) and isinstance(value.value, int) and value.value < 0


def _reads_in_turns(stage: Stage, path: Path) -> Stage | None:
    """The stage that takes records of several files in turns, of which a later one makes neighbors."""
    for origin in reversed(path.before(stage)):
        if origin.op == "interleave":
            reader = reader_in(origin)
            many, blocks = origin.literal("cycle_length"), origin.literal("block_length", 1)
            # `cycle_length=len(files)`
            if reader is not None and many is ... and origin.arguments["cycle_length"].written.startswith("len("):
                many = None
            # By default there are as many as cores.
            if reader is None or many in (0, 1) or not isinstance(many, int | None):
                return None
            if not isinstance(blocks, int) or (blocks > 1 and (_length(stage) or 0) <= blocks):
                return None
            return None if any(part.operation.batches or part.op == "window" for part in inside(origin)) else origin
        if origin.operation.reads in RECORDS:
            reads = origin.literal("num_parallel_reads")
            are_several = is_given_files(origin) or bool(origin.inputs)
            return origin if are_several and isinstance(reads, int) and reads not in (0, 1) else None
        if origin.op not in _KEEPING:
            return None
    return None


def _lists(stage: Stage) -> bool:
    """Are its inputs a list of several names?"""
    given = [origin.arguments.get("tensors") for origin in stage.inputs if isinstance(origin, Stage)]
    return any(
        names is not None and isinstance(names.value, Sequence) and len(names.value.items) > 1 for names in given
    )
