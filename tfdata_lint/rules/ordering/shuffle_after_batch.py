"""TFD306."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.counts import length
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.purposes import is_only_evaluated
from tfdata_lint.pipeline.nouns.questions import SHUFFLES, around, batching, is_barely_read, is_batched, is_shuffled
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.repeat_before_shuffle import keeps_its_order
from tfdata_lint.rules.ordering.swapping import swap

#: These make other elements of batches.
_REGROUPS = ("unbatch", "flat_map", "interleave", "window", "group_by_window")


class ShuffleAfterBatch(Rule):
    code = "TFD306"
    name = "shuffle-after-batch"
    group = "correctness"
    summary = "Whole batches are shuffled instead of elements"
    triggers = ("shuffle", "batches")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        shuffles = (
            stage
            for stage in graph.stages
            if stage.op == "shuffle" and not _goes_on(stage, graph) and not is_only_evaluated(graph, stage)
        )
        for shuffle, batch, case in cases(shuffles, _fixed_before):
            # What is thrown away shuffles nothing.
            if (case and _is_offered(shuffle)) or is_barely_read(graph, shuffle) or shuffle.span in graph.lost:
                continue
            yield self.finding(
                shuffle.span,
                f"`shuffle` after `{batch.op}` reorders whole batches, never their elements{case}",
                severity="advice" if shuffle.context.in_test or any(map(_shuffles_files, upstream(shuffle))) else None,
                cost="Elements that lie side by side stay in one batch in every epoch; only the batches change places"
                if any(stage.op == "repeat" for stage in upstream(*batch.inputs))
                else "Every epoch has the same batches; only their order changes",
                advice=f"Put {_moved(graph, batch, shuffle)} before `{batch.op}`, with a buffer counted in elements"
                if batch.inputs
                else f"Let `{batch.op}` shuffle, or give single elements, which `shuffle` and `batch` then follow",
                confidence="likely",
                related=(Related(batch.span, "makes the batches that are shuffled whole"),),
                fix=swap(
                    graph,
                    batch,
                    shuffle,
                    f"Swap `{batch.op}` and `shuffle`",
                    "the batches get other elements, as intended, and the buffer size then counts elements",
                )
                if batch.inputs
                else None,
            )


def _goes_on(shuffle: Stage, graph: PipelineGraph) -> bool:
    """Batched again or taken apart later: what is shuffled here are sequences or blocks, not training batches."""
    return any(
        later.operation.batches or later.op in (*SHUFFLES, *_REGROUPS)
        for stage in around(shuffle)
        for later in graph.downstream(stage)
    )


def _fixed_before(shuffle: Stage, path: Path) -> Stage | None:
    """What fixes, before this shuffle, which elements meet in a batch."""
    given = path.until(shuffle)
    batch = batching(given)
    if batch is None or batch.presumed("batch_size") == 1 or length(batch) == 1:
        # A batch of one is an element, and one batch has no order.
        return None
    # What a nested pipeline batches cannot be shuffled before; a source may be told to shuffle.
    if batch.nested is not None or given.find(*_REGROUPS, batch.op) is not batch:
        return None
    # What is made of several rows, or may be, is a new element: rows that do not belong together would meet in it.
    later = given.after(batch)
    if any(stage.op == "map" and (stage.function is None or stage.function.rows != "apart") for stage in later):
        return None
    if not batch.inputs:
        return None if batch.may_shuffle or batch.open_arguments else batch
    elements = path.until(batch)
    if is_batched(elements) or (is_shuffled(elements) and not keeps_its_order(elements)):
        return None
    return batch


def _is_offered(shuffle: Stage) -> bool:
    """Are the elements shuffled before on another way, so that who takes this one chose to leave that out?"""
    return any(path.until(shuffle).find(*SHUFFLES) for path in paths(shuffle, shuffle.context.conditions))


def _shuffles_files(source: Stage) -> bool:
    """Does the source read the files in another order each time, and several at once?"""
    return source.has("shuffle_files") and source.literal("shuffle_files") is not False


def _moved(graph: PipelineGraph, batch: Stage, shuffle: Stage) -> str:
    """A cache between them goes along: behind a `shuffle` it would keep one order for all epochs."""
    is_cached = any(stage.op == "cache" for stage in graph.between(batch, shuffle))
    return "`cache`, and then `shuffle`," if is_cached else "`shuffle`"
