"""TFD306."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.graph import Path, PipelineGraph, Span, Stage, paths
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.shared import follows, swap
from tfdata_lint.rules.wording import when

_BATCHES = ("batch", "padded_batch", "ragged_batch", "sparse_batch", "map_and_batch")
_SHUFFLES = ("shuffle", "shuffle_and_repeat")
#: After these the elements are not the batches any more.
_SPLITS = ("unbatch", "rebatch", "flat_map", "interleave", "window", "group_by_window", "bucket_by_sequence_length")


class ShuffleAfterBatch(Rule):
    code = "TFD306"
    name = "shuffle-after-batch"
    group = "correctness"
    summary = "Whole batches are shuffled instead of elements"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        for shuffle in graph.stages:
            if shuffle.op != "shuffle" or shuffle.span in reported or _goes_on(shuffle, graph):
                continue
            known = tuple(paths(shuffle, shuffle.context.conditions))
            for path in known:
                batch = _fixed_before(shuffle, path)
                if batch is None:
                    continue
                reported.add(shuffle.span)
                fixed = [other for other in known if _fixed_before(shuffle, other) is batch]
                yield self.finding(
                    shuffle.span,
                    f"`shuffle` comes after `{batch.op}`, and nothing shuffles the elements before"
                    + when(fixed, known, batch, shuffle),
                    cost="The same elements meet in the same batch in every epoch; only the order of batches changes",
                    advice=f"Put `shuffle` before `{batch.op}`, with a buffer counted in elements",
                    confidence="likely",
                    related=(Related(batch.span, "makes the batches that are shuffled as a whole"),),
                    fix=swap(
                        graph,
                        batch,
                        shuffle,
                        f"Swap `{batch.op}` and `shuffle`",
                        "batches get other elements, as meant, and the buffer then counts elements",
                    )
                    if follows(shuffle, batch)
                    else None,
                )
                break


def _goes_on(shuffle: Stage, graph: PipelineGraph) -> bool:
    """Batched again or taken apart later: what is shuffled here are sequences or blocks, not training batches."""
    inner: Stage | None = shuffle
    while inner is not None:
        if any(stage.op in (*_BATCHES, *_SHUFFLES, *_SPLITS) for stage in graph.downstream(inner)):
            return True
        inner = inner.nested_in
    return False


def _fixed_before(shuffle: Stage, path: Path) -> Stage | None:
    """What fixes, before this shuffle, which elements meet in a batch."""
    batch = _batch_before(shuffle, path)
    return None if batch is None or _is_shuffled(path, batch) else batch


def _batch_before(shuffle: Stage, path: Path) -> Stage | None:
    for stage in reversed(path.before(shuffle)):
        if stage.op in _SPLITS:
            return None
        if stage.op in _BATCHES:
            return stage
    return None


def _is_shuffled(path: Path, batch: Stage) -> bool:
    """Are the elements shuffled before they are batched, or might they be?"""
    source = path.stages[0]
    if path.is_open or source.op in ("from_generator", "random"):
        return True
    if any(stage.op in _SHUFFLES or stage.op in _BATCHES for stage in path.before(batch)):
        return True
    # Keras utilities, tfds and CSV readers shuffle by themselves; `list_files` shuffles only the names.
    if source.operation.shuffles and source.op != "list_files":
        return source.literal("shuffle", default=True) is not False
    return source.has("shuffle_files") and source.literal("shuffle_files") is not False
