"""TFD805."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import calls_of, last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import batching
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import given_for
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.runs import run_on
from tfdata_lint.rules.distribution.strategies import DIVIDING, SEVERAL, bindings, running
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

#: A size that is called the share of one replica.
_OF_ONE = r"(?i)per_?(?:replica|gpu|device|core)(?![a-z])"
_KINDS = ("distribute", "fit", "for", "next")
_REPLICAS = "num_replicas_in_sync"


class DistributedInput(Rule):
    code = "TFD805"
    name = "distributed-input"
    group = "correctness"
    summary = "A strategy divides batches that already have the size for one replica, or does not divide them at all"
    triggers = ("to:distribute to:fit to:for to:next", "text:trategy")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            if consumer.kind not in _KINDS or consumer.context.in_test or consumer.span.file != graph.file:
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            batch = _batch_of_one(graph, known.paths[0]) if _is_divided(graph, consumer) and known.paths else None
            if batch is not None and known.always(lambda path: _batch_of_one(graph, path) is not None):
                yield self._divided_again(batch, consumer)
            if (
                consumer.kind not in ("for", "next")
                or consumer.form == "distribute"
                or not known.always(lambda path: not path.is_open)
            ):
                continue
            run = run_on(graph, consumer)
            if run is None or _is_distributed_elsewhere(graph, consumer) or _is_handed_on_distributed(graph, consumer):
                continue
            yield self._undivided(span_of(run, graph.file), consumer)

    def _divided_again(self, batch: Stage, consumer: Consumer) -> Finding:
        size = batch.arguments["batch_size"].written
        return self.finding(
            batch.span,
            f"`{size}` is for one replica, but `{consumer.target}` divides it",
            cost=(
                "Each replica gets only a part of its intended batch: an epoch takes more steps, and a loss averaged"
                " over the global batch is too small"
            ),
            advice=f"Batch by the global size, the size for one replica times `strategy.{_REPLICAS}`",
            severity="warning",
            confidence="likely",
            related=(Related(consumer.span, "divided here"),),
        )

    def _undivided(self, place: Span, consumer: Consumer) -> Finding:
        return self.finding(
            place,
            "Every replica runs this step on the same whole batch: the dataset was not distributed",
            cost="All devices repeat the same work, so more devices do not make training faster",
            advice="Loop over `strategy.experimental_distribute_dataset(dataset)`",
            severity="warning",
            confidence="likely",
            related=(Related(consumer.span, "the elements of an ordinary dataset"),),
        )


def _is_distributed_elsewhere(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does other code give the name that a loop walks what a strategy distributes: `self.dataset = strategy.…`?"""
    loop = consumer.node
    if not isinstance(loop, (ast.For, ast.AsyncFor)):
        return False
    walked = {ast.unparse(node) for node in walk(loop.iter) if isinstance(node, (ast.Name, ast.Attribute))}
    distributing = (call for name in DIVIDING for call in calls_of(graph.tree, name))
    targets = (bound for call in distributing for bound in _assigned_to(graph, call))
    return any(ast.unparse(target) in walked for target in targets)


def _is_handed_on_distributed(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does another function distribute the same dataset, perhaps only `if strategy is not None`, and return it?"""
    ends = _ends(consumer)
    others = (other for other in graph.consumers if other.kind == "distribute" and other.target in DIVIDING)
    return any(other.context.definition != consumer.context.definition and ends & _ends(other) for other in others)


def _ends(consumer: Consumer) -> set[Span]:
    """The last stages of a dataset, over all ways."""
    known = paths(consumer.dataset, consumer.context.conditions)
    return {path.stages[-1].span for path in known.paths if path.stages}


def _assigned_to(graph: PipelineGraph, call: ast.Call) -> list[ast.expr]:
    above = syntax_of(graph.source).way(call)
    return next((step.targets for step in reversed(above) if isinstance(step, ast.Assign)), [])


# ---- divided once more ---------------------------------------------------------------------------------------------


def _is_divided(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does a strategy of several replicas share out the batches that a consumer is given?"""
    if consumer.kind == "distribute":
        return consumer.target in DIVIDING and running(graph, consumer) != {"OneDeviceStrategy"}
    return consumer.kind == "fit" and bool(running(graph, consumer) & SEVERAL)


def _batch_of_one(graph: PipelineGraph, path: Path) -> Stage | None:
    """The stage that makes batches of the size that one replica should get."""
    stage = batching(path)
    size = stage.arguments.get("batch_size") if stage is not None else None
    source = graph.source_of(stage.span.file) if stage is not None else None
    return stage if size is not None and source is not None and _is_share(graph, size.node, source) else None


def _is_share(graph: PipelineGraph, size: ast.AST, source: Source, may_follow: bool = True) -> bool:
    """Is it a size divided by the number of replicas, or one that is called so, here or where a function is called?"""
    syntax = syntax_there(source, graph.source)
    bound = bindings(syntax, size) if isinstance(size, (ast.Name, ast.Attribute)) and syntax.way(size) else []
    parameters = [binding for binding in bound if isinstance(binding, ast.arg)]
    given = [place for parameter in parameters for place in given_for(graph, parameter, source) or ()]
    if given and may_follow:
        return all(place is not None and _is_share(graph, *place, may_follow=False) for place in given)
    values: list[ast.AST | None] = [bound_value(syntax.way(binding)) for binding in bound] or [size]
    if all(value is not None and _divides(value) for value in values):
        return True
    if isinstance(size, (ast.Name, ast.Attribute)) and re.search(_OF_ONE, last_name(size)):
        return not any(value is not None and _REPLICAS in ast.unparse(value) for value in values)
    return False


def _divides(value: ast.AST) -> bool:
    match value:
        case ast.BinOp(op=ast.FloorDiv() | ast.Div(), right=right):
            return _REPLICAS in ast.unparse(right)
        case ast.Call(func=ast.Name(id="int"), args=[inner]):
            return _divides(inner)
    return False
