"""TFD304."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from math import prod

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import amount_of, bounds_of, length, number
from tfdata_lint.pipeline.mapped.footprint import ONCE, conflict
from tfdata_lint.pipeline.mapped.paths_written import meets_written
from tfdata_lint.pipeline.nouns.code import last_name, way
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.errors import may_go_on
from tfdata_lint.pipeline.nouns.fold import choices_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import counter
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.purposes import LOOKS
from tfdata_lint.pipeline.nouns.questions import is_only_reader, may_ignore_errors
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Flag
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Made, Related, Rule, guarded
from tfdata_lint.rules.ordering.swapping import swap

#: Between the cache and `take` these read no more elements than `take` asks for.
_PASSED = {"map", "batch", "prefetch", "enumerate", "with_options"}


class PartialCache(Rule):
    code = "TFD304"
    name = "partial-cache"
    group = "performance"
    summary = "Only part of a cached dataset is read, so the cache is never completed"
    triggers = ("cache", "take given:validation_steps to:for to:walk to:as_numpy_iterator")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        def found(take: Stage, path: Path) -> Stage | None:
            cache = path.find("cache")
            if cache is None or not _is_only_reader(cache, take, path, graph) or _is_shorter(take):
                return None
            return cache

        for take, cache, case in cases(filter(_takes_some, graph.stages), found):
            count, is_certain = take.arguments["count"], _is_alone(cache, take, graph)
            yield self.finding(
                cache.span,
                f"`take({count.written if count.literal is ... else count.literal})` reads only part of the cached"
                f" dataset{case}",
                cost="A cache is only used once it is complete. This one never is, so everything before it runs"
                " again in every epoch (measured: 15 elements made in 3 epochs instead of 5)",
                advice="Put `take` before `cache`",
                confidence=take.confidence if is_certain and count.literal is not ... else "likely",
                related=(Related(take.span, "reads no more than this"),),
                fix=_fix(graph, cache, take) if is_certain else None,
            )
        yield from self._loops(graph)
        for consumer in graph.consumers:
            steps = consumer.literal("validation_steps")
            if consumer.kind != "validation" or not isinstance(steps, int) or steps < 1:
                continue
            validated, batches = _validated(graph, consumer), length(consumer.dataset)
            if validated is None or (batches is not None and batches <= steps):
                continue
            yield self.finding(
                consumer.span,
                f"`validation_steps={steps}` reads only part of the cached dataset",
                cost="A cache is only used once it is complete. This one never is, so everything before it runs"
                " again in every validation (measured: 62 elements made in 5 epochs instead of 16)",
                advice=f"Remove `validation_steps`, or put `take({steps})` before `cache`",
                # There may be no more than these.
                severity=None if batches is not None else "advice",
                confidence="proven" if batches is not None else "likely",
                related=(Related(validated.span, "never completed"),),
            )

    def _loops(self, graph: PipelineGraph) -> Iterator[Finding]:
        """Loops that leave the cached dataset after so many steps, again and again."""
        for consumer in graph.consumers:
            is_loop = consumer.kind in ("for", "walk", "as_numpy_iterator") and consumer.context.loops
            steps = _limit(graph, _reading(graph, consumer)) if is_loop else None
            if steps is None:
                continue
            count, most = value_at(graph, steps), bounds_of(consumer.dataset).most
            cache = _validated(graph, consumer, count if type(count) is int else 0)
            if cache is None or cache.context.loops:
                continue
            if type(count) is int and (count < 2 or (most is not None and most <= count)):
                continue
            yield self.finding(
                cache.span,
                f"A loop leaves the cached dataset after `{ast.unparse(steps)}` steps",
                cost="A cache is only used once it is complete. This one never is, so everything before it runs"
                " again in every pass of the loop around it",
                advice=f"Put `take({ast.unparse(steps)})` before `cache`, counted in elements",
                confidence="likely",
                related=(Related(consumer.span, "reads no more than this"),),
            )


@guarded
def _fix(graph: PipelineGraph, cache: Stage, take: Stage) -> Made:
    return swap(graph, cache, take, "Swap `cache` and `take`", _why_unsafe(graph, cache, take))


def _validated(graph: PipelineGraph, consumer: Consumer, steps: int = 0) -> Stage | None:
    """The cache of the data of which so many steps are read, if nobody else reads it."""
    ways = paths(consumer.dataset, consumer.context.conditions).paths
    cache = ways[0].find("cache") if len(ways) == 1 else None
    if cache is None or consumer.context.in_test:
        return None
    later = ways[0].after(cache)
    read = steps * prod(number(stage, "batch_size") or 0 for stage in later if stage.op == "batch")
    if not all(stage.op in _PASSED or _reads_little(stage, read) for stage in later):
        return None
    # `fit` itself is noted twice: for its data, and for those of its validation.
    readers = (other for other in graph.reached(cache) if other.kind not in ("cardinality", "len", "inspection"))
    return cache if {other.span for other in readers if _may_read(graph, other)} == {consumer.span} else None


def _reads_little(stage: Stage, read: int) -> bool:
    """Is it a shuffle whose buffer adds little to the elements that are read?"""
    size = number(stage, "buffer_size") if stage.op == "shuffle" else None
    return size is not None and size * 2 <= read


def _reading(graph: PipelineGraph, consumer: Consumer) -> ast.AST:
    """The loop that reads a dataset, or what takes from the iterator made of it."""
    above = way(graph.tree, consumer.node)[1:2] if consumer.kind == "as_numpy_iterator" else ()
    return next(iter(above), consumer.node)


def _limit(graph: PipelineGraph, loop: ast.AST) -> ast.expr | None:
    """The number of steps after which each pass of a loop is over."""
    walked = getattr(loop, "iter", loop)
    for place in origins(graph, walked) or [Place(walked, graph.source)]:
        match place.node:
            case ast.Call(args=[_, stop]) as call if last_name(call) == "islice":
                return stop
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="zip"), args=[ast.Call(args=[stop]) as first, *_])) if (
            last_name(first) == "range"
        ):
            return stop
        case ast.For(body=body):
            for test in (part.test for part in body if isinstance(part, ast.If) and _leaves(part.body)):
                match test:
                    case ast.Compare(
                        left=ast.Name(id=name) | ast.BinOp(left=ast.Name(id=name), right=ast.Constant(value=1)),
                        ops=[ast.Eq() | ast.GtE() | ast.Gt()],
                        comparators=[stop],
                    ) if name == counter(loop):
                        return stop
    return None


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], (ast.Break, ast.Return))


def _takes_some(stage: Stage) -> bool:
    """Is it a `take` of a known number? Those of tests, and of a single element, only look."""
    if stage.op != "take" or stage.context.in_test or "count" not in stage.arguments:
        return False
    return min(_counts(stage), default=0) >= 2


def _counts(stage: Stage) -> list[float]:
    """How many a `take` takes, where that is known: also one of several numbers, or an option's default."""
    value = stage.arguments["count"].value
    if isinstance(value, Flag):
        value = value.default
    known = [amount_of(one) for one in within(value, choices_of)]
    return [one.times for one in known if one is not None and one.of is None]


def _is_only_reader(cache: Stage, take: Stage, path: Path, graph: PipelineGraph) -> bool:
    """Nobody else reads the cache (and completes it), and what lies between does not read ahead to its end."""
    between = path.until(take).after(cache)
    if not all(stage.op in _PASSED for stage in between):
        return False
    for stage in (cache, *between):
        users = {user.span for user in graph.users(stage) if not all(map(partial(_is_choice, take), user.inputs))}
        if len(users) > 1 or any(
            _may_read(graph, consumer) and not _is_choice(take, consumer.dataset)
            for consumer in graph.consumers_of(stage)
        ):
            return False
    return True


def _is_choice(take: Stage, read: Dataset) -> bool:
    """Is what is read a choice between the whole and what is taken, so that whoever takes does not read the whole?"""
    return isinstance(read, Join) and not read.loop and any(stage is take for stage in upstream(read))


def _may_read(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does a consumer read, or may somebody read what it keeps?"""
    match consumer.node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]) if consumer.kind == "stored":
            return graph.is_used_elsewhere(name)
    return consumer.kind not in LOOKS


def _is_alone(cache: Stage, take: Stage, graph: PipelineGraph) -> bool:
    return all(is_only_reader(cache, take, path, graph) for path in paths(take) if cache in path.stages)


def _is_shorter(take: Stage) -> bool:
    """Does it read all that there is anyway?"""
    most = bounds_of(take.inputs[0]).most
    return most is not None and most <= min(_counts(take))


def _why_unsafe(graph: PipelineGraph, cache: Stage, take: Stage) -> str:
    """Why the epochs may differ so far, in one of the calls that lead here; empty when they do not."""
    if cache.has("filename"):
        return "a cache file that an earlier run completed holds other elements"
    for stage in graph.stages:
        if stage.span != take.span:
            continue
        if may_ignore_errors(graph, stage) or may_go_on(graph, graph.reached(stage)):
            return (
                "a consumer continues after an error, and the cache would then be complete without the failed elements"
            )
        for path in (ways := paths(stage, stage.context.conditions)):
            before = [s for s in path.before(stage) if s.span != cache.span]
            if path.is_open or not ways.complete or len(before) < len(path.stages) - 2:
                return "the stages before the cache are unknown and may be random"
            if reason := next((reason for s in before if (reason := conflict(graph, s, ONCE))), ""):
                return reason
            if any(meets_written(graph, s, graph.reached(stage), epochs=True) for s in before):
                return "files are written between the epochs, and so far every epoch read them again"
    return ""
