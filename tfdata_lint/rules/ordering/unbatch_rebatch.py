"""TFD312."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import by_place, follows, is_batched, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.pipeline.nouns.values import Element, Sequence, parts_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded

#: What `rebatch` takes as well.
_ARGUMENTS = {"batch_size", "drop_remainder", "name"}
#: What has no place any more where batches are cut.
_PARALLEL = {"num_parallel_calls", "deterministic"}
#: These hand on rows as they come.
_KEEPING = ("prefetch", "repeat", "with_options")
_SPLITTING = ("flat_map", "interleave")


class UnbatchRebatch(Rule):
    code = "TFD312"
    name = "unbatch-rebatch"
    group = "performance"
    summary = "Batches are split only to be rebuilt in another size"
    triggers = ("batch", "unbatch flat_map interleave")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.lacks(2, 11):
            return
        for stages in by_place(graph.stages, "batch"):
            batch = stages[0]
            if not all(_rebatches(graph, stage) for stage in stages) or is_only_looked_at(graph, stages):
                continue
            unbatch = _splitter(batch)
            assert unbatch is not None
            is_direct = unbatch.op == "unbatch" and follows(batch, unbatch)
            yield self.finding(
                batch.span,
                "`batch` comes directly after `unbatch`"
                if is_direct
                else f"`batch` only puts together again what `{unbatch.op}` has split",
                cost=(
                    "Every row is copied out of one batch and into another: `rebatch` does the same up to 1.8 times"
                    " faster (measured)"
                ),
                advice="Use `rebatch`, which changes the batch size directly",
                confidence=batch.confidence,
                related=(Related(unbatch.span, "splits the batches"),),
                fix=_fix(graph, unbatch, batch) if is_direct and batch.arguments.keys() <= _ARGUMENTS else None,
            )

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        return stage.op == "batch" and not _rebatches(graph, stage)


def _rebatches(graph: PipelineGraph, batch: Stage) -> bool:
    """Does it collect what was split for nothing else?"""
    if batch.context.in_test or batch.open_arguments or not batch.arguments.keys() <= _ARGUMENTS | _PARALLEL:
        return False
    size = batch.literal("batch_size")
    if isinstance(size, int) and size <= 1:
        # Who takes one row after the other does more with each than to copy it; fewer are a mistake of another kind.
        return False
    return _splitter(batch) is not None and all(
        len({user.span for user in graph.users(stage)}) == 1 and not graph.consumers_of(stage)
        for stage in _between(batch)
    )


def _between(batch: Stage) -> list[Stage]:
    """What stands before it, up to the first stage that does something to the rows."""
    found = [next(tips(batch.inputs[0]))]
    while found[-1].op in _KEEPING and found[-1].inputs:
        found.append(next(tips(found[-1].inputs[0])))
    return found


def _splitter(batch: Stage) -> Stage | None:
    """The stage that takes the batches apart, on all ways to this `batch`."""
    *_, stage = between = _between(batch)
    is_one_way = all(
        isinstance(later.inputs[0], Stage) and set(origin.context.conditions) <= set(batch.context.conditions)
        for later, origin in zip((batch, *between), between, strict=False)
    )
    return stage if is_one_way and (stage.op == "unbatch" or _slices_batches(stage)) else None


def _slices_batches(stage: Stage) -> bool:
    """Does it make datasets of the rows of each batch: `flat_map(tf.data.Dataset.from_tensor_slices)`?"""
    inner = stage.nested if stage.op in _SPLITTING and stage.literal("cycle_length", 1) == 1 else None
    if not isinstance(inner, Stage) or inner.op != "from_tensor_slices":
        return False
    given = inner.arguments["tensors"].value if "tensors" in inner.arguments else None
    parts = parts_of(given) if isinstance(given, Sequence) else (given,)
    is_batch = all(
        isinstance(part, Element) and part.expr is not None and part.expr.by == "parameter" for part in parts
    )
    return is_batch and paths(stage.inputs[0]).always(is_batched)


@guarded
def _fix(graph: PipelineGraph, unbatch: Stage, batch: Stage) -> Fix | None:
    draft = Draft(graph)
    draft.rename(batch, "rebatch")
    draft.remove(unbatch)
    return draft.fix(
        "unsafe",
        "Use `rebatch`",
        "TensorFlow may then know less about the number of elements, and rows of different shapes raise a different"
        " error",
    )
