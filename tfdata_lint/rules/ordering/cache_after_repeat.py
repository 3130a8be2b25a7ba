"""TFD303 cache-after-repeat."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.footprint import footprint
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths, when
from tfdata_lint.pipeline.nouns.questions import by_place, endless_stage, is_made_up, is_only_looked_at, runs_wherever
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.rules.base import Finding, Made, Related, Rule
from tfdata_lint.rules.ordering.swapping import swap

#: Between a counted repetition and the cache: one element for each, or a batch of some.
_PASSED = frozenset({"map", "batch", "padded_batch", "prefetch", "shuffle", "with_options", "enumerate"})


class CacheAfterRepeat(Rule):
    code = "TFD303"
    name = "cache-after-repeat"
    group = "correctness"
    summary = "`cache` after `repeat` stores the data several times, or without end"
    triggers = ("cache", "repeat endless")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for caches in by_place(graph.stages, "cache"):
            for cache in caches:
                if cache.context.in_test or is_only_looked_at(graph, [cache]):
                    continue
                finding = self._never_complete(graph, cache) or self._kept_several_times(graph, cache)
                if finding is not None:
                    yield finding
                    break

    def _never_complete(self, graph: PipelineGraph, cache: Stage) -> Finding | None:
        known = paths(cache, cache.context.conditions).paths
        bad = [path for path in known if endless_stage(path.until(cache)) is not None]
        repeat = endless_stage(bad[0].until(cache)) if bad else None
        if repeat is None or is_made_up(bad[0]) or _are_two_switches(cache, repeat):
            return None
        if len(bad) < len(known) and not runs_wherever(cache, repeat):
            return None
        return self.finding(
            cache.span,
            f"`cache` is never complete: `{repeat.op}` before it makes the dataset infinite{when(bad, known)}",
            cost=(
                "The cache grows as long as the program runs and is never read: all stages before it run for every"
                " element (measured: 1,000 of 1,000 times)"
            ),
            advice=_advice(repeat),
            confidence=cache.confidence,
            related=(Related(repeat.span, "infinite from here on"),),
            fix=_fix(graph, repeat, cache),
        )

    def _kept_several_times(self, graph: PipelineGraph, cache: Stage) -> Finding | None:
        ways = paths(cache, cache.context.conditions)
        repeats = {_counted(graph, cache, path) for path in ways}
        repeat = repeats.pop() if ways.complete and len(repeats) == 1 else None
        if repeat is None:
            return None
        count = repeat.presumed("count")
        return self.finding(
            cache.span,
            f"`cache` stores each element {count} times: `repeat({count})` comes before it",
            cost=(
                f"The cache takes {count} times the memory, and each element is made {count} times (measured with 3:"
                " 30 calls instead of 10)"
            ),
            advice="Put `cache` before `repeat`",
            severity="warning",
            confidence=cache.confidence if repeat.literal("count") == count else "likely",
            related=(Related(repeat.span, "the same elements again"),),
            fix=_fix(graph, repeat, cache),
        )


def _are_two_switches(cache: Stage, repeat: Stage) -> bool:
    """Each has a condition of its own, though a call may have decided one: nobody need ever ask for both."""
    one, other = ({*stage.context.conditions, *stage.context.guards} for stage in (cache, repeat))
    return bool(one - other) and bool(other - one)


def _counted(graph: PipelineGraph, cache: Stage, path: Path) -> Stage | None:
    """The repetition whose copies are kept, if they are equal."""
    repeat = path.until(cache).find("repeat")
    if repeat is None or is_made_up(path):
        return None
    count = repeat.presumed("count")
    between = path.until(cache).after(repeat)
    if not isinstance(count, int) or count < 2 or any(stage.op not in _PASSED for stage in between):
        return None
    # Each copy may be augmented in its own way.
    return None if any(next(footprint(graph, stage), None) for stage in between if stage.op == "map") else repeat


def _advice(endless: Stage) -> str:
    if _is_behind_shuffle(endless):
        # There it would keep one order of the elements for all epochs.
        return f"Put `cache` before `shuffle`, and `{endless.op}` behind it"
    if endless.inputs:
        return f"Put `cache` before `{endless.op}`"
    return f"Pass `{endless.operation.endless}=1`, and call `repeat` after the cache"


def _fix(graph: PipelineGraph, repeat: Stage, cache: Stage) -> Made:
    return (
        None
        if repeat.op != "repeat" or _is_behind_shuffle(repeat)
        else swap(
            graph,
            repeat,
            cache,
            "Swap `repeat` and `cache`",
            "the stages before the cache then run only in the first pass",
        )
    )


def _is_behind_shuffle(repeat: Stage) -> bool:
    return any(stage.op == "shuffle" for stage in upstream(repeat))
