"""TFD321."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import repeats
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, inside
from tfdata_lint.pipeline.nouns.questions import CACHES, is_handful, is_made_up, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.expensive import expensive, is_expensive

#: Between the repeat and the map these give each element as often as before.
_PASSED = ("map", "filter", "prefetch", "with_options", "shuffle", "interleave", "flat_map")


class RepeatBeforeExpensiveMap(Rule):
    code = "TFD321"
    name = "repeat-before-expensive-map"
    group = "performance"
    summary = "The same expensive work is done for each repetition of an element"
    triggers = ("repeat", "map", "cost:heavy")
    experiment = "again"
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        maps = (stage for stage in graph.stages if _is_worth_keeping(graph, stage))
        for stage, repeat, case in cases(maps, lambda stage, path: _repeat(graph, stage, path)):
            if stage.function is None:
                continue
            count = repeat.literal("count")
            count = repeat.arguments["count"].written if count is ... else count
            yield self.finding(
                repeat.span,
                f"`repeat({count})` comes before the expensive {expensive(stage.function)}{case}",
                severity="advice",
                cost=(
                    f"The map does the same work {count} times (measured with `decode_jpeg` and `repeat(3)`: 1,200"
                    " runs instead of 400)"
                ),
                advice="Put the `map` and a `cache` before `repeat`, if its results fit into memory",
                confidence="likely",
                related=(Related(stage.span, "runs for each repetition"),),
            )


def _is_worth_keeping(graph: PipelineGraph, stage: Stage) -> bool:
    """An expensive map that gives the same result each time, and that nothing keeps already."""
    if stage.op != "map" or stage.function is None or not is_expensive(stage.function) or stage.context.in_test:
        return False
    if not any(part.op == "repeat" for before in upstream(stage) for part in (before, *inside(before))):
        return False
    if any(later.op in CACHES for later in graph.downstream(stage)) or is_only_looked_at(graph, [stage]):
        return False
    return repeats(graph, stage)


def _count(graph: PipelineGraph, repeat: Stage) -> Any:
    count = repeat.literal("count")
    is_here = count is ... and repeat.span.file == graph.file
    return value_at(graph, repeat.arguments["count"].node) if is_here else count


def _copies(stage: Stage) -> bool:
    """Does it repeat the one element that it starts from?"""
    return stage.op == "repeat" and any(before.op == "from_tensors" for before in upstream(stage))


def _repeat(graph: PipelineGraph, stage: Stage, path: Path) -> Stage | None:
    """The repeat that gives it each element several times."""
    if is_made_up(path) or is_handful(path) or path.find(*CACHES):
        # Behind a cache the cache is what should move: TFD301.
        return None
    for before in reversed(path.before(stage)):
        copies = before if before.op == "repeat" else next((one for one in inside(before) if _copies(one)), None)
        if copies is not None:
            count = _count(graph, copies)
            # Copies of one element are meant to be several.
            is_several = isinstance(count, int) and count >= 2
            return copies if is_several or (count is ... and copies is not before) else None
        if before.op not in _PASSED or len(before.inputs) != 1:
            return None
        if before.op != "shuffle" and not repeats(graph, before):
            # It may give something else each time.
            return None
    return None
