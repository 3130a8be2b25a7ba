"""TFD317."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import number
from tfdata_lint.pipeline.mapped.footprint import footprint, is_adapted
from tfdata_lint.pipeline.nouns.errors import may_go_on
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import (
    by_place,
    is_for_workers,
    is_only_looked_at,
    is_toy,
    may_ignore_errors,
    may_reorder,
)
from tfdata_lint.pipeline.nouns.stages import Effect, Stage
from tfdata_lint.rules.base import Finding, Made, Related, Rule, guarded
from tfdata_lint.rules.ordering.expensive import reads_what_is_left
from tfdata_lint.rules.ordering.swapping import swap

#: Elements of which nobody minds the work.
_FEW = 16
_BATCHES = ("batch", "padded_batch")
#: These hand on what they are given, one by one.
_PASSED = ("prefetch", "repeat", "with_options")


class LateSkip(Rule):
    code = "TFD317"
    name = "late-skip"
    group = "performance"
    summary = "Elements are mapped and then discarded"
    triggers = ("skip shard", "map")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "skip", "shard"):
            stage = stages[0]
            if not all(_is_late(graph, one) for one in stages) or is_only_looked_at(graph, stages):
                continue
            mapped, count = _mapped(stage), stage.arguments.get("count")
            assert mapped is not None
            assert mapped.function is not None
            between = graph.between(mapped, stage)
            written = f"skip({count.written})" if count is not None else stage.op
            yield self.finding(
                stage.span,
                f"`{written}` discards elements that `map({mapped.function.name})` has already processed",
                cost=(
                    "The function also runs for the discarded elements (measured with `decode_jpeg`: 400 runs for 100"
                    " images that are kept, 3.6 times as long)"
                ),
                advice=f"Put `{stage.op}` before the `map`"
                + (", counted in elements" if any(other.op in _BATCHES for other in between) else ""),
                confidence=stage.confidence,
                related=(Related(mapped.span, "also runs for discarded elements"),),
                fix=None if between else _fix(graph, mapped, stage),
            )

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        return stage.op in ("skip", "shard") and not _is_late(graph, stage)


def _mapped(stage: Stage) -> Stage | None:
    """The map whose results are discarded, be it as batches of them."""
    given = stage.inputs[0]
    while isinstance(given, Stage) and given.op in (*_BATCHES, *_PASSED):
        given = given.inputs[0]
    return given if isinstance(given, Stage) and given.op == "map" and given.function is not None else None


def _is_late(graph: PipelineGraph, stage: Stage) -> bool:
    """Does it throw something away that a function has computed, which does nothing else?"""
    count = number(stage, "count")
    if stage.context.in_test or stage.open_arguments or (count is not None and count <= _FEW):
        return False
    # A share of one is no share; two literals split the data.
    if stage.op == "shard" and not is_for_workers(stage):
        return False
    mapped = _mapped(stage)
    if mapped is None or mapped.function is None:
        return False
    if mapped.function.cost not in ("light", "heavy") or not all(map(_is_fixed, footprint(graph, mapped))):
        return False
    if reads_what_is_left(graph, mapped, stage):
        return False
    return not any(is_toy(path) or _is_of_files(stage, path) for path in paths(stage, stage.context.conditions))


def _is_fixed(effect: Effect) -> bool:
    """Does it read something that stays as it is: a table, a layer that was adapted?"""
    return effect.kind == "lookup" or (effect.kind == "stateful_layer" and is_adapted(effect))


def _is_of_files(stage: Stage, path: Path) -> bool:
    """Is it a `shard` of what is read from files, which TFD309 is about?"""
    return stage.op == "shard" and any(part.operation.reads for part in path.stages)


@guarded
def _fix(graph: PipelineGraph, mapped: Stage, stage: Stage) -> Made:
    if len({user.span for user in graph.users(mapped)}) > 1 or graph.consumers_of(mapped):
        return None
    unsafe = "an element on which the function fails would be discarded without an error"
    if any(effect.kind != "lookup" for effect in footprint(graph, mapped)):
        unsafe = "a layer that is adapted in the meantime returns different values"
    elif may_reorder(graph, mapped):
        unsafe = "`deterministic` is off, so other elements may be discarded"
    elif may_ignore_errors(graph, stage) or may_go_on(graph, graph.reached(stage)):
        unsafe = "an element that raises an error would count as discarded"
    return swap(graph, mapped, stage, f"Put `{stage.op}` before the `map`", unsafe)
