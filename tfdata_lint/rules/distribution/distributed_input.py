"""TFD805."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import calls_of, last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import batching, consumed
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, given_for, origins
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.runs import run_on
from tfdata_lint.rules.distribution.strategies import DIVIDING, FROM_FUNCTION, SEVERAL, bindings, running
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

#: A size that is called the share of one replica.
_OF_ONE = r"(?i)per_?(?:replica|gpu|device|core|chip)(?![a-z])|^_?(?:replica|gpu|device|core)_batch"
#: One that is called that of all of them.
_OF_ALL = r"(?i)global_?batch|^_?total_?batch_?size$"
_KINDS = ("distribute", "fit", "for", "next")
#: Names of names.
_DEEP = 4
_REPLICAS = "num_replicas_in_sync"
_Question: TypeAlias = Callable[[PipelineGraph, ast.AST, Source], bool]


class DistributedInput(Rule):
    code = "TFD805"
    name = "distributed-input"
    group = "correctness"
    summary = "A strategy divides batches that already have the size for one replica, or does not divide them at all"
    triggers = ("to:distribute to:fit to:for to:next", "text:trategy")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in consumed(graph, *_KINDS):
            if consumer.span.file != graph.file:
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            asks = _asked_of(graph, consumer)
            batches = (_batch_that(asks, graph, path) for path in known.paths if known.complete and asks is not None)
            if (batch := next(batches, None)) is not None and all(batches):
                yield self._divided_again(batch, consumer) if asks is _is_share else self._not_divided(batch, consumer)
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
            is_guess=True,
            related=(Related(consumer.span, "divided here"),),
        )

    def _not_divided(self, batch: Stage, consumer: Consumer) -> Finding:
        size = batch.arguments["batch_size"].written
        return self.finding(
            batch.span,
            f"`{size}` is for all replicas, but `{consumer.target}` gives each of them such a batch",
            cost=(
                "A step takes as many times the elements that are meant as there are replicas: more memory, fewer"
                " steps, and a loss averaged over the global batch is too large"
            ),
            advice="Batch by `context.get_per_replica_batch_size(global_batch_size)`",
            severity="warning",
            confidence="likely",
            related=(Related(consumer.span, "does not divide batches"),),
        )

    def _undivided(self, place: Span, consumer: Consumer) -> Finding:
        return self.finding(
            place,
            "Every replica runs this step on the same whole batch: the dataset was not distributed",
            cost="All devices repeat the same work, so more devices do not make training faster",
            advice="Loop over `strategy.experimental_distribute_dataset(dataset)`",
            is_guess=True,
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


def _asked_of(graph: PipelineGraph, consumer: Consumer) -> _Question | None:
    """What must not be true of the size of batches that a strategy of several replicas is given."""
    if consumer.kind == "distribute" and running(graph, consumer) != {"OneDeviceStrategy"}:
        return _is_share if consumer.target in DIVIDING else _is_whole if consumer.target in FROM_FUNCTION else None
    return _is_share if consumer.kind == "fit" and running(graph, consumer) & SEVERAL else None


def _batch_that(asks: _Question, graph: PipelineGraph, path: Path) -> Stage | None:
    """The stage that makes batches, where its size is such a one."""
    stage = batching(path)
    size = stage.arguments.get("batch_size") if stage is not None else None
    source = graph.source_of(stage.span.file) if stage is not None else None
    return (
        stage
        if asks is not None and size is not None and source is not None and graph.once(asks, size.node, source)
        else None
    )


def _is_whole(graph: PipelineGraph, size: ast.AST, source: Source) -> bool:
    """Is it a size times the number of replicas, or one that is called that of all of them?"""
    made = origins(graph, size, source)
    if made and all(_multiplies(graph, *place) for place in made):
        return True
    # What computes it may divide by the number of replicas.
    return not any(isinstance(place.node, (ast.Call, ast.BinOp)) for place in made) and _is_called(graph, size, source)


def _is_called(graph: PipelineGraph, size: ast.AST | None, source: Source, left: int = _DEEP) -> bool:
    """Is a size called that of all replicas, here, where it is bound, or where a function is given it?"""
    if not isinstance(size, (ast.Name, ast.Attribute)) or left < 1:
        return False
    if re.search(_OF_ALL, last_name(size)):
        return True
    syntax = syntax_there(source, graph.source)
    found: list[Place | None] = []
    for one in bindings(syntax, size) if syntax.way(size) else ():
        value = Place(bound_value(syntax.way(one)), source)
        found += (given_for(graph, one, source) or [None]) if isinstance(one, ast.arg) else [value]
    return bool(found) and all(one is not None and _is_called(graph, *one, left - 1) for one in found)


def _multiplies(graph: PipelineGraph, value: ast.AST, source: Source) -> bool:
    match value:
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return any(_counts(graph, side, source) for side in (left, right))
        case ast.Call(func=ast.Name(id="int"), args=[inner]):
            return _multiplies(graph, inner, source)
    return False


def _counts(graph: PipelineGraph, value: ast.expr, source: Source) -> bool:
    """Is it the number of replicas, under whatever name?"""
    syntax = syntax_there(source, graph.source)
    bound = [bound_value(syntax.way(one)) for one in bindings(syntax, value)]
    return all(last_name(one) == _REPLICAS for one in bound or [value])


def _is_share(graph: PipelineGraph, size: ast.AST, source: Source, may_follow: bool = True) -> bool:
    """Is it a size divided by the number of replicas, or one that is called so, here or where a function is called?"""
    made = origins(graph, size, source)
    if made and all(_divides(place.node) for place in made):
        return True
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
