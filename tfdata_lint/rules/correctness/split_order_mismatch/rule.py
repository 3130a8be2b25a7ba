"""TFD409 split-order-mismatch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.rows import alike
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import SHUFFLES, consumed, is_few
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.split_order_mismatch.flows import meeting, meets
from tfdata_lint.rules.correctness.unpaired_zip import unfrozen

_READING = ("predict", "for", "comprehension", "list", "as_numpy", "as_numpy_iterator")


class SplitOrderMismatch(Rule):
    code = "TFD409"
    name = "split-order-mismatch"
    group = "correctness"
    summary = "Labels and predictions come from two passes over a shuffled dataset, so their rows do not match"
    triggers = ("shuffles", "to:predict to:for to:comprehension to:list to:as_numpy to:as_numpy_iterator")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        readers: dict[tuple[Span, int], list[Consumer]] = {}
        for consumer in consumed(graph, *_READING):
            shuffle = _always(consumer, _unfrozen)
            if shuffle is not None:
                readers.setdefault((shuffle.span, consumer.context.root), []).append(consumer)
            if consumer.kind == "predict" and (mixed := _always(consumer, _mixed)) and _meets_source(graph, consumer):
                yield self._report_source(mixed, consumer)
        for consumers in readers.values():
            for one, other in combinations(consumers, 2):
                if not (Facts(one.context.conditions).allow(other.context.conditions) and _are_the_same(one, other)):
                    continue
                if (met := meeting(graph, one, other)) is not None:
                    shuffle = _always(one, _unfrozen)
                    assert shuffle is not None
                    yield self._report(shuffle, one, other, met)
                    break

    def _report(self, shuffle: Stage, one: Consumer, other: Consumer, met: tuple[Span, Span]) -> Finding:
        said = "Labels and predictions" if "predict" in (one.kind, other.kind) else "Rows of the two reads"
        return self.finding(
            met[1],
            f"{said} do not match: `{shuffle.op}` puts each read in another order",
            cost="The score is no better than a guess, with or without a seed (measured: 1 of 100 rows matches)",
            advice=_advice(shuffle),
            confidence=shuffle.confidence,
            related=(Related(met[0], "read here, too"), Related(shuffle.span, "reshuffles")),
        )

    def _report_source(self, shuffle: Stage, consumer: Consumer) -> Finding:
        return self.finding(
            consumer.span,
            f"Predictions in the order of `{shuffle.op}` are compared with arrays in their own order",
            cost="The score is no better than a guess (measured: 1 of 100 rows matches)",
            advice="Do not shuffle the evaluation data",
            confidence=shuffle.confidence,
            related=(Related(shuffle.span, "not the order of the arrays"),),
        )


def _advice(shuffle: Stage) -> str:
    if "reshuffle_each_iteration" in shuffle.operation.parameters:
        return "Collect both in one loop, or do not shuffle the evaluated data"
    return "Collect both in one loop, or pass `shuffle=False`"


def _unfrozen(path: Path) -> Stage | None:
    return unfrozen(path.stages)


def _are_the_same(one: Consumer, other: Consumer) -> bool:
    """Do they read one dataset, or two that one function makes of the same data?"""
    first, second = (_always(read, _unfrozen) for read in (one, other))
    if first is second or first is None or second is None:
        return first is second
    here, there = (next(iter(paths(read.dataset, read.context.conditions))).stages[0] for read in (one, other))
    if any(stage.literal(name) is not None for stage in (first, second) for name in ("seed", "shuffle_seed")):
        return False
    if here.open_arguments or here.arguments.keys() != there.arguments.keys():
        return False
    return all(alike(given.value, there.arguments[name].value) for name, given in here.arguments.items())


def _always(consumer: Consumer, shuffle_of: Callable[[Path], Stage | None]) -> Stage | None:
    """The one stage that shuffles what a consumer reads, on all ways to it."""
    known = paths(consumer.dataset, consumer.context.conditions)
    found = [shuffle_of(path) for path in known]
    if not known.complete or not found or any(map(is_few, known)):
        return None
    return found[0] if all(stage is found[0] for stage in found) else None


def _mixed(path: Path) -> Stage | None:
    """What gives the rows of arrays another order, once or each time."""
    if path.stages[0].op != "from_tensor_slices":
        return None
    shuffles = [stage for stage in path.stages if stage.op in SHUFFLES and stage.literal("buffer_size") != 1]
    return shuffles[0] if shuffles else None


def _meets_source(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Are predictions compared with the arrays in their own order?"""
    source = next(iter(paths(consumer.dataset, consumer.context.conditions))).stages[0]
    argument = source.arguments.get("tensors")
    is_here = source.context.definition == consumer.context.definition
    return argument is not None and is_here and meets(graph, consumer, argument)
