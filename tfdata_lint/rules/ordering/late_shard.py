"""TFD309."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.graph import Path, PipelineGraph, Span, Stage, paths, upstream
from tfdata_lint.pipeline.values import External, Sequence
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.ordering.shared import follows, swap
from tfdata_lint.rules.wording import when

_WILDCARDS = "*?["
_GLOBS = ("glob", "iglob", "matching_files")


class LateShard(Rule):
    code = "TFD309"
    name = "late-shard"
    group = "performance"
    summary = "Every worker reads all the files and keeps only its share of the records"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        early = {s.context.definition for s in graph.stages if s.op == "shard" and _is_early(s)}
        for shard in graph.stages:
            if shard.op != "shard" or shard.span in reported or shard.nested_in or not _is_for_workers(shard):
                continue
            # The same function shards files in another case (more files than workers): this is the other half.
            if shard.context.definition in early:
                continue
            known = tuple(paths(shard, shard.context.conditions))
            for path in known:
                reader = _reader(path)
                if reader is None or _is_excused(shard, path):
                    continue
                reported.add(shard.span)
                late = [other for other in known if _reader(other) is reader and not _is_excused(shard, other)]
                yield self.finding(
                    shard.span,
                    f"`shard` comes after `{reader.op}` has read the files{when(late, known, reader, shard)}",
                    cost="Every worker reads all files and throws away what is not its share (measured: 100 elements"
                    " made for 10 kept)",
                    advice="Put `shard` on the dataset of file names",
                    confidence="likely",
                    related=(Related(reader.span, "reads every file in every worker"),),
                    fix=_fix(graph, shard, reader),
                )
                break


def _is_early(shard: Stage) -> bool:
    """Is it applied to something that was not read yet, on some path?"""
    return any(_reader(path) is None for path in paths(shard, shard.context.conditions))


def _is_for_workers(shard: Stage) -> bool:
    """Not a split of the data by two literals, and not of a single share."""
    shards, index = shard.literal("num_shards"), shard.literal("index")
    return shards != 1 and (shards is ... or index is ...)


def _reader(path: Path) -> Stage | None:
    """The stage that reads several files, if the pipeline starts from a list of them."""
    for stage in path.stages:
        if stage.inputs and _reads(stage):
            return stage
        if stage.op == "map" and path.stages[0].op == "list_files":
            if stage.function and stage.function.cost == "heavy":
                return stage
        if not stage.inputs and stage.operation.reads and _are_several(stage):
            return stage
    return None


def _reads(stage: Stage) -> bool:
    """Are its elements the records of the files that its input names?"""
    if stage.operation.reads or (stage.function is not None and stage.function.reads_files):
        return True
    return stage.nested is not None and any(inner.operation.reads for inner in upstream(stage.nested))


def _are_several(reader: Stage) -> bool:
    """Is a reader given a list of files for sure?"""
    argument = reader.arguments.get("filenames")
    if argument is None:
        return False
    match argument.value:
        case Sequence(items=items, rest=rest):
            return len(items) > 1 or rest is not None
        case External(symbol=symbol):
            return symbol.rpartition(".")[2] in _GLOBS
    return False


def _is_excused(shard: Stage, path: Path) -> bool:
    """Sharded before, unseen before, a single file, or chosen by the number of files."""
    source = path.stages[0]
    if path.is_open or any(stage.op == "shard" for stage in path.before(shard)):
        return True
    pattern = source.literal("file_pattern", default=...)
    if isinstance(pattern, str) and not any(character in pattern for character in _WILDCARDS):
        return True
    conditions = (*path.conditions, *shard.context.conditions)
    return any("file" in condition.text or "len(" in condition.text for condition in conditions)


def _fix(graph: PipelineGraph, shard: Stage, reader: Stage) -> Fix:
    reason = "each worker gets whole files instead of every n-th record"
    if follows(shard, reader) and reader.inputs:
        return swap(graph, reader, shard, "Move `shard` onto the file names", reason)
    return Fix("display-only", "Move `shard` onto the file names", reason)
