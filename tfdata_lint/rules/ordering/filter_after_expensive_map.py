"""TFD314."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import repeats
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.mapped.uses import Made
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, names
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
                cost=f"`{mapped.function.heavy}` also runs for the elements that `filter` drops",
                advice="Put the `filter` before the `map`, and compute there what it reads",
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
    if not repeats(graph, mapped) or _makes_what_is_read(mapped.function, stage.function):
        return None
    return mapped


def _makes_what_is_read(mapped: MappedFunction, predicate: MappedFunction) -> bool:
    """Does the expensive work give what the predicate reads, or may it? There is nothing to read before that."""
    unread = _unread_parameters(predicate.node)
    heavy = [Made(call) for call in mapped.calls if displayed(call.name) == mapped.heavy]
    match mapped.result, predicate.node:
        case Expr(by="mapped", of=(_, Sequence(items=parts, rest=None))), ast.FunctionDef() | ast.Lambda() as node:
            named = [parameter.arg for parameter in node.args.args if parameter.arg != "self"]
            read = [part for part, name in zip(parts, named, strict=False) if name not in unread]
            return any(made.of(part) for part in read for made in heavy)
    return True


def _unread_parameters(function: ast.AST | None) -> list[str]:
    """The parameters that a function never reads."""
    if not isinstance(function, FUNCTIONS):
        return []
    body = function.body if isinstance(function.body, list) else [function.body]
    read = names(*body)
    return [parameter.arg for parameter in function.args.args if parameter.arg != "self" and parameter.arg not in read]
