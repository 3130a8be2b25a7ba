"""TFD314."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import RANKS, known
from tfdata_lint.pipeline.knowledge.names import displayed, plain
from tfdata_lint.pipeline.mapped.footprint import footprint
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, names
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import Expr, Sequence
from tfdata_lint.rules.base import Finding, Related, Rule


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
            unread = " and ".join(f"`{name}`" for name in _unread_parameters(stage.function.node))
            yield self.finding(
                stage.span,
                f"`filter` comes after `map({mapped.function.name})` but does not read {unread}{case}",
                cost=f"`{_wasted(stage.function, mapped.function)}` also runs for the elements that `filter` drops",
                advice="Put the `filter` before the `map` if its input is available there",
                confidence="likely",
                related=(Related(mapped.span, "also runs for dropped elements"),),
            )


def _expensive(graph: PipelineGraph, stage: Stage, path: Path) -> Stage | None:
    """The expensive map right before a filter that reads only a part of what it gives."""
    if stage.function is None or not _unread_parameters(stage.function.node) or is_toy(path):
        return None
    mapped = path.stages[-2]
    if mapped.op != "map" or mapped.function is None or mapped.function.cost != "heavy":
        return None
    is_wasted = _wasted(stage.function, mapped.function) and not any(True for _ in footprint(graph, mapped))
    return mapped if is_wasted else None


def _wasted(predicate: MappedFunction, mapped: MappedFunction) -> str:
    """The expensive call that nothing comes from which a predicate reads; empty where it needs all of them."""
    made = mapped.result.of[-1] if isinstance(mapped.result, Expr) and mapped.result.by == "mapped" else mapped.result
    parts = made.items if isinstance(made, Sequence) else ()
    given, unread = _parameters(predicate.node), _unread_parameters(predicate.node)
    if len(parts) != len(given):
        return ""
    read = [part for name, part in zip(given, parts, strict=True) if name not in unread]
    needed = {id(expr.node) for expr in expressions(*read)}
    calls = (call for call in mapped.calls if known(call.name).cost in RANKS and id(call.node) not in needed)
    return next((displayed(plain(call.name)) for call in calls), "")


def _parameters(function: ast.AST | None) -> list[str]:
    arguments = function.args.args if isinstance(function, FUNCTIONS) else ()
    return [parameter.arg for parameter in arguments if parameter.arg != "self"]


def _unread_parameters(function: ast.AST | None) -> list[str]:
    """The parameters that a function never reads."""
    if not isinstance(function, FUNCTIONS):
        return []
    body = function.body if isinstance(function.body, list) else [function.body]
    read = names(*body)
    return [name for name in _parameters(function) if name not in read]
