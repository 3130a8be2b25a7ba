"""TFD325 enlarging-before-cache."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Option, Related, Rule
from tfdata_lint.rules.ordering.enlarging import Enlarged, enlarged, of_frames

#: Times as large, from which on it is told whatever the number of elements.
_MANY = 500
#: Their functions make elements, each of one or several.
_MAPPING = ("map", "interleave", "flat_map")
#: Stages that give on elements as they are.
_KEEPING = frozenset({"filter", "prefetch", "shuffle", "with_options"})


class EnlargingBeforeCache(Rule):
    code = "TFD325"
    name = "enlarging-before-cache"
    group = "performance"
    status = "preview"
    summary = "A cache stores elements that a cheap map has made many times larger"
    unmeasured = "It is about memory, and how much of that is left for others is unknown"
    triggers = ("cache", "map")
    related_comes = "before"
    options = (Option("largest-cache", 1000, "The most memory that the elements in a cache may take, in megabytes."),)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        most = self.option("largest-cache") * 1_000_000
        caches = (stage for stage in graph.stages if stage.op == "cache" and not stage.context.in_test)
        for cache, stage, case in cases(caches, lambda cache, path: _enlarging(graph, cache, path, most)):
            found = _made_larger(stage)
            if found is None or stage.function is None or is_only_looked_at(graph, [cache]):
                continue
            count = _count(graph, cache, stage)
            sizes = f"{_written(found.after)} instead of {_written(found.before)}"
            whole = (
                "" if count is None or found.what != "An element" else f", {found.after * count / 1e9:.1f} GB in all"
            )
            if whole and length(stage) is None:
                whole += ", if there are as many elements as the `shuffle` behind it holds"
            yield self.finding(
                cache.span,
                (
                    f"`cache` stores elements that `{found.by}` in `{stage.op}({stage.function.name})` makes"
                    f" {found.after // found.before} times as large{case}"
                ),
                cost=f"{found.what} takes {sizes}{whole}: {_cost(cache)}",
                advice="Put the `map` after the `cache`, ideally after `batch` as a function of whole batches",
                confidence="likely",
                related=(Related(stage.span, "makes the elements larger"),),
            )


def _enlarging(graph: PipelineGraph, cache: Stage, path: Path, most: int) -> Stage | None:
    """The map before a cache, where it costs little and makes what is kept large."""
    before = path.before(cache)
    while before and before[-1].op in _KEEPING:
        before = before[:-1]
    stage = before[-1] if before else None
    if stage is None or stage.op not in _MAPPING or (found := _made_larger(stage)) is None:
        return None
    # Behind the cache, TFD301 would rather have it before, were there nothing more expensive.
    if _is_resized(stage) and not any(other.function and other.function.cost == "heavy" for other in before[:-1]):
        return None
    count = _count(graph, cache, stage)
    is_many = length(stage) is None and (found.after >= _MANY * found.before or of_frames(stage) is not None)
    return stage if is_many or (count is not None and found.after * count > most) else None


def _made_larger(stage: Stage) -> Enlarged | None:
    return enlarged(stage) or of_frames(stage)


def _count(graph: PipelineGraph, cache: Stage, stage: Stage) -> int | None:
    """How many elements a cache keeps, where that is not known as many as a `shuffle` behind it is to hold."""
    sizes = [user.literal("buffer_size") for user in graph.users(cache) if user.op == "shuffle"]
    known = [size for size in sizes if isinstance(size, int) and size > 0]
    return length(stage) or max(known, default=None)


def _cost(cache: Stage) -> str:
    if cache.has("filename"):
        return "all of it is written, and read again in every epoch"
    return "the cache keeps all of it in memory"


def _written(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1_000_000 else f"{size / 1e3:.1f} KB" if size >= 1000 else f"{size} bytes"


def _is_resized(stage: Stage) -> bool:
    """Does its function cost what resizing images costs?"""
    return stage.function is not None and stage.function.cost == "heavy"
