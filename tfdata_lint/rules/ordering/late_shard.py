"""TFD309."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.files import RECORDS, is_given_files, is_one_file, reader_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.purposes import is_only_evaluated
from tfdata_lint.pipeline.nouns.questions import is_batched
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Fix, Made, Related, Rule
from tfdata_lint.rules.ordering.expensive import reads_what_is_left
from tfdata_lint.rules.ordering.shares import begin, shares
from tfdata_lint.rules.ordering.swapping import swap

Early: TypeAlias = frozenset[Condition]
_FILLING = ("pad", "concat", "pad_to_bounding_box")
#: What these give hangs on how many elements there are, or which come first: shares of the files would give others.
_COUNTING = frozenset({
    "assert_cardinality", "concatenate", "enumerate", "group_by_window", "rejection_resample", "skip", "take",
    "take_while", "unbatch", "unique", "window",
})  # fmt: skip


class LateShard(Rule):
    code = "TFD309"
    name = "late-shard"
    group = "performance"
    summary = "Every worker reads all the files and keeps only its share of the records"
    triggers = ("shard filter",)
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        shards = [shard for shard in shares(graph) if not shard.nested_in and not _is_chosen(graph, shard)]
        early = graph.once(_early)
        # Hosts that evaluate need as many batches each, which shares of the records have and files do not.
        shards = [shard for shard in shards if not is_only_evaluated(graph, shard)]
        for shard, reader, case in cases(shards, lambda shard, path: _reads_all(shard, path, early)):
            yield self.finding(
                shard.span,
                f"`{shard.op}` comes after `{reader.op}` has read the files{case}",
                cost="Every worker reads all files and discards the records of the other workers (measured: 100"
                " elements"
                " made for 10 kept)",
                advice="Apply `shard` to the dataset of file names",
                confidence="likely",
                related=(Related(reader.span, "every worker reads every file"),),
                fix=_fix(graph, shard, reader),
            )
        for shard, maker, case in cases(shards, lambda shard, path: _works_for_all(shard, path, early)):
            if reads_what_is_left(graph, maker, shard):
                continue
            yield self.finding(
                shard.span,
                f"`{shard.op}` comes after `{maker.op}` has made every element{case}",
                severity="advice",
                cost="Every worker processes all elements and discards those of the other workers",
                advice=f"Put `shard` before `{maker.op}`"
                if maker.inputs
                else ("Shard the data that the generator loops over"),
                confidence="likely",
                related=(Related(maker.span, "every worker processes all elements"),),
            )


def _reads_all(shard: Stage, path: Path, early: Early) -> Stage | None:
    """What reads files of which this worker keeps only a share."""
    return None if _is_excused(shard, path, early) else _reader(path.until(begin(shard)))


def _works_for_all(shard: Stage, path: Path, early: Early) -> Stage | None:
    """What makes elements at some cost, of which this worker keeps only a share."""
    if _is_excused(shard, path, early) or _reader(path.until(begin(shard))) is not None:
        return None
    early_ones = (stage for stage in path.before(begin(shard)) if stage.op == "from_generator" or _is_heavy(stage))
    return next(early_ones, None)


def _is_heavy(stage: Stage) -> bool:
    return stage.op == "map" and stage.function is not None and stage.function.cost == "heavy"


def _reader(path: Path) -> Stage | None:
    """The stage that reads several files, if the pipeline starts from a list of them."""
    for stage in path.stages:
        if stage.inputs and _reads(stage):
            return stage
        if path.stages[0].op == "list_files" and _is_heavy(stage):
            return stage
        if (
            not stage.inputs
            and stage.operation.reads
            and (is_given_files(stage) or _is_said_to_be_several(stage) or _has_pattern(stage))
        ):
            return stage
    return None


def _reads(stage: Stage) -> bool:
    """Are its elements the records of the files that its input names?"""
    if stage.operation.reads or (stage.function is not None and stage.function.reads_files):
        return True
    return reader_in(stage) is not None


def _early(graph: PipelineGraph) -> Early:
    """The conditions of their own under which files are shared out before they are read."""
    found: set[Condition] = set()
    for shard in shares(graph):
        for path in paths(shard, shard.context.conditions):
            before = path.until(shard)
            if _reader(before) is None and not _counts(before):
                found |= _own(shard, path)
    return frozenset(found)


def _own(shard: Stage, path: Path) -> set[Condition]:
    """The conditions that decide on a share, beside those under which there is something to share."""
    return {*path.conditions, *shard.context.conditions} - set(path.stages[0].context.conditions)


def _has_pattern(reader: Stage) -> bool:
    pattern = reader.literal("file_pattern") if reader.operation.reads in RECORDS else None
    return pattern is ... or (isinstance(pattern, str) and "*" in pattern)


def _is_said_to_be_several(reader: Stage) -> bool:
    return reader.literal("num_parallel_reads") not in (None, 0, 1, ...) and not is_one_file(Path((reader,), ()))


def _is_excused(shard: Stage, path: Path, early: Early) -> bool:
    """Sharded before, or in the opposite case; unseen before, a single file, made to come out even, or chosen by the
    number of files."""
    before = path.until(begin(shard))
    if path.is_open or is_one_file(path) or before.find("shard") or _counts(before):
        return True
    if shard.presumed("num_shards") == 1:
        # Nobody is seen to ask for a share.
        return True
    conditions = (*path.conditions, *shard.context.conditions)
    is_chosen = any("file" in condition.text or "len(" in condition.text for condition in conditions)
    return is_chosen or any(condition.negated in early for condition in _own(shard, path))


def _counts(path: Path) -> bool:
    return path.find(*_COUNTING) is not None or any(map(_pads_batches, path.stages))


def _pads_batches(stage: Stage) -> bool:
    """Does it fill up batches, so that the last one can be shared out too?"""
    fills = stage.function is not None and any(last(name) in _FILLING for name in stage.function.operations)
    return fills and stage.op == "map" and paths(stage.inputs[0]).always(is_batched)


def _is_chosen(graph: PipelineGraph, shard: Stage) -> bool:
    """Do all who read it get it where a test about sharding says so? The call that does it may be a helper's."""
    consumers = graph.reached(shard)
    ways = [way for c in consumers for way in paths(c.dataset, c.context.conditions) if shard in way.stages]
    return bool(ways) and all(
        any("shard" in condition.text and not condition.holds for condition in way.conditions) for way in ways
    )


def _fix(graph: PipelineGraph, shard: Stage, reader: Stage) -> Made:
    reason = "each worker gets whole files instead of every n-th record"
    is_plain = reader.inputs and shard.op == "shard"
    fix = swap(graph, reader, shard, "Move `shard` to the file names", reason) if is_plain else None
    return fix or Fix("display-only", "Move `shard` to the file names", reason)
