"""TFD314."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import repeats
from tfdata_lint.pipeline.facts.parts import UNSEEN, Parts, Place
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.mapped.uses import Made
from tfdata_lint.pipeline.nouns.fold import part_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import Given, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Value
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.expensive import is_expensive

#: These hand on elements as they are.
_PASSED = ("prefetch", "with_options", "shuffle", "filter", "repeat")


class FilterAfterExpensiveMap(Rule):
    code = "TFD314"
    name = "filter-after-expensive-map"
    group = "pedantic"
    summary = "An expensive map runs for elements that a later filter drops without reading its result"
    triggers = ("filter", "map", "cost:heavy")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        filters = (stage for stage in graph.stages if stage.op == "filter" and not stage.context.in_test)
        for stage, mapped, case in cases(filters, lambda stage, path: _expensive(graph, stage, path)):
            if mapped.function is None or stage.function is None or is_only_looked_at(graph, [stage]):
                continue
            yield self.finding(
                stage.span,
                f"`filter` comes after `map({mapped.function.name})` but does not read what `{mapped.function.heavy}`"
                f" gives{case}",
                cost=f"`{mapped.function.heavy}` also runs for the elements that `filter` drops",
                advice="Put the `filter` before the `map`, and compute there what it reads",
                confidence="likely",
                related=(Related(mapped.span, "also runs for dropped elements"),),
            )


def _expensive(graph: PipelineGraph, stage: Stage, path: Path) -> Stage | None:
    """The expensive map before a filter that reads nothing of what the expensive work gives."""
    if stage.function is None or is_toy(path) or not stage.function.resolved:
        return None
    read: frozenset[Place] | None = _read_by(stage.function, [()])
    for before in reversed(path.stages[:-1]):
        if read is None:
            return None
        if before.op == "enumerate":
            read = frozenset([place[1:] for place in read if place[:1] == (1,)])
        elif before.op == "map" and before.function is not None and repeats(graph, before):
            function, heavy = before.function, before.function.heavy
            if is_expensive(function) and not _is_needed(function, read, heavy):
                return before
            read = _read_by(function, read)
        elif before.op not in _PASSED:
            return None
    return None


def _read_by(function: MappedFunction, places: Iterable[Place]) -> frozenset[Place] | None:
    """Which parts of an element these parts of what a function gives are made of; None where that is not known."""
    match function.result:
        case Expr(by="mapped", of=(Given(), result)):
            parts = Parts()
            read = frozenset[Place]().union(*[parts.of(_part(result, place)) for place in places])
            return None if UNSEEN in read else read
    return None


def _is_needed(function: MappedFunction, places: Iterable[Place], heavy: str) -> bool:
    """Does the expensive work give one of these parts of the result, or may it?"""
    match function.result:
        case Expr(by="mapped", of=(Given(), result)):
            made = [Made(call) for call in function.calls if displayed(call.name) == heavy]
            return any(one.of(_part(result, place)) for place in places for one in made)
    return True


def _part(value: Value, place: Place) -> Value:
    for key in place:
        value = part_of(value, Constant(key))
    return value
