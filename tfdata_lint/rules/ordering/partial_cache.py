"""TFD304."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.mapped.footprint import ONCE, conflict
from tfdata_lint.pipeline.mapped.paths_written import meets_written
from tfdata_lint.pipeline.nouns.code import only_literal
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.errors import may_go_on
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.questions import is_only_reader, may_ignore_errors
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Made, Related, Rule, guarded
from tfdata_lint.rules.ordering.swapping import swap

#: Between the cache and `take` these read no more elements than `take` asks for.
_PASSED = {"map", "batch", "prefetch", "enumerate", "with_options"}


class PartialCache(Rule):
    code = "TFD304"
    name = "partial-cache"
    group = "performance"
    summary = "Only part of a cached dataset is read, so the cache is never completed"
    triggers = ("cache", "take given:validation_steps")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        def partial(take: Stage, path: Path) -> Stage | None:
            cache = path.find("cache")
            if cache is None or not _is_only_reader(cache, take, path, graph) or _is_shorter(cache, take, path):
                return None
            return cache

        for take, cache, case in cases(filter(_takes_some, graph.stages), partial):
            yield self.finding(
                take.span,
                f"`take({take.literal('count')})` reads only part of the cached dataset{case}",
                cost="A cache is only used once it is complete. This one never is, so everything before it runs"
                " again in every epoch (measured: 15 elements made in 3 epochs instead of 5)",
                advice="Put `take` before `cache`",
                confidence=take.confidence,
                related=(Related(cache.span, "never completed"),),
                fix=_fix(graph, cache, take),
            )
        for consumer in graph.consumers:
            steps = consumer.literal("validation_steps")
            if consumer.kind != "validation" or not isinstance(steps, int) or steps < 1:
                continue
            validated, number = _validated(graph, consumer), length(consumer.dataset)
            if validated is None or (number is not None and number <= steps):
                continue
            yield self.finding(
                consumer.span,
                f"`validation_steps={steps}` reads only part of the cached dataset",
                cost="A cache is only used once it is complete. This one never is, so everything before it runs"
                " again in every validation (measured: 62 elements made in 5 epochs instead of 16)",
                advice=f"Remove `validation_steps`, or put `take({steps})` before `cache`",
                # There may be no more than these.
                severity=None if number is not None else "advice",
                confidence="proven" if number is not None else "likely",
                related=(Related(validated.span, "never completed"),),
            )


@guarded
def _fix(graph: PipelineGraph, cache: Stage, take: Stage) -> Made:
    return swap(graph, cache, take, "Swap `cache` and `take`", _why_unsafe(graph, cache, take))


def _validated(graph: PipelineGraph, consumer: Consumer) -> Stage | None:
    """The cache of the validation data, if nobody else reads it."""
    ways = paths(consumer.dataset, consumer.context.conditions).paths
    cache = ways[0].find("cache") if len(ways) == 1 else None
    if cache is None or consumer.context.in_test or any(stage.op not in _PASSED for stage in ways[0].after(cache)):
        return None
    # `fit` itself is noted twice: for its data, and for those of its validation.
    readers = {other.span for other in graph.reached(cache) if other.kind not in ("cardinality", "len", "inspection")}
    return cache if readers == {consumer.span} else None


def _takes_some(stage: Stage) -> bool:
    """Is it a `take` of a known number? Those of tests, and of a single element, only look."""
    count = stage.literal("count")
    return stage.op == "take" and not stage.context.in_test and isinstance(count, int) and count >= 2


def _is_only_reader(cache: Stage, take: Stage, path: Path, graph: PipelineGraph) -> bool:
    """Nobody else reads the cache (and completes it), and what lies between does not read ahead to its end."""
    between = path.until(take).after(cache)
    return all(stage.op in _PASSED for stage in between) and is_only_reader(cache, take, path, graph)


def _is_shorter(cache: Stage, take: Stage, path: Path) -> bool:
    """A source of known length that `take` reads to its end anyway."""
    source = path.stages[0]
    length = only_literal(source.node) if source.op == "range" else None
    if not isinstance(length, int) or length > take.literal("count"):
        return False
    return all(stage.op in ("map", "shuffle", "batch") for stage in path.before(cache)[1:])


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
