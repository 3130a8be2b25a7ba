"""TFD301."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import is_pure_python
from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.mapped.footprint import ONCE, conflict, is_adapted
from tfdata_lint.pipeline.mapped.layers import network_in
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.memory import element_bytes
from tfdata_lint.pipeline.nouns.paths import Path, inside, paths, when
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.purposes import TEST_WORDS, words
from tfdata_lint.pipeline.nouns.questions import (
    CACHES,
    is_only_looked_at,
    is_only_reader,
    is_read_once,
    is_toy,
    may_reorder,
    runs_wherever,
)
from tfdata_lint.pipeline.nouns.stages import Dataset, MappedFunction, Stage, upstream
from tfdata_lint.pipeline.python.runs import code_in, syntax_at
from tfdata_lint.pipeline.python.values import HOLE, texts_at
from tfdata_lint.rewriting.chains import ELSE
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, Severity, guarded
from tfdata_lint.rules.ordering.enlarging import may_enlarge
from tfdata_lint.rules.ordering.expensive import expensive, is_expensive
from tfdata_lint.rules.ordering.swapping import are_in_step
from tfdata_lint.source.trees import walk

#: What a function may do besides computing and still give the same result in every epoch.
_REPEATABLE = {"lookup", "stateful_layer"}
_BATCHES = ("batch", "padded_batch")
#: Between the cache and the map these do not keep the cache from moving behind the map.
_PASSED = {
    "map", "filter", "batch", "padded_batch", "prefetch", "repeat", "with_options", "enumerate", "take", "interleave",
    "flat_map",
}  # fmt: skip
#: Across these the map can move before the cache, where a shuffle keeps the cache from moving.
_CROSSED = {"shuffle", "map", "filter", "repeat", "prefetch", "with_options", *_BATCHES}
#: These stay behind the cache: they make no other elements, and a cache behind `repeat` would never be full.
_BEHIND = frozenset({"shuffle", "repeat", "prefetch", "with_options"})
#: What these give is about as large as what they are given, so that the cache does not grow.
_COMPACT = ("tf.io.parse_", "tf.parse_", "tf.io.decode_csv", "tf.decode_csv", "tf.strings.")

#: Tables that a function looks things up in are filled before.
_ONCE = ONCE._replace(allowed=frozenset({"lookup"}))
_DRAWS = r"^tensorflow\.(?:image\.(?:random_|stateless_random_|sample_distorted|stateless_sample)|random\.)"
#: Bytes that a cache in memory may well take.
_MOST = 1_000_000_000
#: And that nobody would speak of.
_LITTLE = 1_000_000


class CacheBeforeExpensiveMap(Rule):
    code = "TFD301"
    experiment = "again"
    name = "cache-before-expensive-map"
    group = "performance"
    summary = "A cache comes before an expensive map that returns the same result in every epoch"
    triggers = ("map", "cache", "cost:heavy")
    related_comes = "after"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        maps = [stage for stage in graph.stages if stage.op == "map"]
        # One function for training and evaluation: where one call augments, the cache stands where it must.
        changing = [stage for stage in maps if stage.function is None or not _is_repeatable(stage.function)]
        for stage in maps:
            if not _is_worth_caching(stage.function) or _draws_for_others(graph, stage):
                continue
            others = [other for other in changing if other.span == stage.span]
            # A loop that maps one function after the other is no such call.
            if others and not {*map(id, others)} <= {*map(id, (*upstream(stage), *graph.downstream(stage)))}:
                continue
            if any(user.op in CACHES for user in graph.downstream(stage)):
                continue
            ways = tuple(paths(stage, stage.context.conditions))
            for path in ways:
                cache = _movable(stage, path, graph)
                if cache is None or _only_enlarges(stage, path.before(cache)):
                    continue
                calls = [other for other in maps if other.span == stage.span and other not in graph.downstream(stage)]
                if any(part in changing for call in calls for way in paths(call) for part in _behind(way, cache)):
                    # On another way something between the two draws anew in every epoch.
                    continue
                # Of several that meet before the map one is enough.
                place = stage.span if _joined(path.after(cache)) else cache.span
                if place in reported:
                    continue
                paid = [other for other in ways if _movable(stage, other, graph) is cache]
                if _needs_several_switches(paid, ways):
                    continue
                grows = _grows_behind_shuffle(cache, path)
                if grows and (is_toy(path) or stage.context.in_test or is_only_looked_at(graph, [stage])):
                    continue
                if grows and (_whole(stage) or 0) > _MOST:
                    continue
                reported.add(place)
                is_advice = grows or _makes_batches(cache, path)
                yield self._finding(graph, cache, path, when(paid, ways, cache, stage), "advice" if is_advice else None)

    def _finding(self, graph: PipelineGraph, cache: Stage, path: Path, case: str, severity: Severity | None) -> Finding:
        stage = path.stages[-1]
        title = "Move the map before `cache`" if _is_shuffled(cache, path) else "Move `cache` after the map"
        if title.startswith("Move `cache`") and any(part.op == "repeat" for part in path.after(cache)):
            # A cache behind `repeat` would never be full.
            title += " and before `repeat`"
        title = "Map single elements before `cache`" if _makes_batches(cache, path) else title
        if _joined(path.after(cache)):
            title = "Map what `zip` gives and put one `cache` behind that"
        assert stage.function is not None
        size = _said(stage) if severity == "advice" else ""
        return self.finding(
            cache.span,
            f"`cache` comes before the expensive {expensive(stage.function)}{case}",
            cost=(
                "The map repeats the same work in every epoch; with the cache after it, it would run only once"
                " (measured: 2.2 times faster from the second epoch on)"
            ),
            advice=f"{title} if its results fit into memory{size}",
            severity=severity,
            confidence="likely",
            related=(Related(stage.span, "runs again in every epoch"),),
            fix=_fix(graph, cache, path, title),
        )


@guarded
def _fix(graph: PipelineGraph, cache: Stage, path: Path, title: str) -> Fix:
    stage, given, draft = path.stages[-1], [cache, *path.after(cache)], Draft(graph)
    late = [part for part in given if part.op in _BEHIND]
    early = [part for part in given[1:] if part not in late]
    if any(other.op != "map" for part in late if part.op in ("shuffle", "repeat") for other in given[given.index(part):]
           if other in early):  # fmt: skip
        draft.refuse("what stands between the two makes other elements")
    if _joined(given):
        draft.refuse("several datasets meet between the two")
    if _makes_batches(cache, path):
        draft.refuse("the map is given batches, and would be given single elements")
    if any(may_reorder(graph, part) for part in early):
        draft.refuse("the order is not deterministic, and the cache would keep that of the first epoch")
    whole = 0 if any(part.op == "repeat" for part in late) else _whole(stage) or 0
    reason = next((reason for part in early if (reason := conflict(graph, part, _ONCE))), "")
    if cache.has("filename") and cache.literal("filename") != "":
        _rename(draft, graph, cache, stage)
        reason = reason or "the cache then fills a new file, and the old one stays until you delete it"
    elif whole > _MOST:
        draft.refuse(f"the results of the map take {whole / 1e6:,.1f} MB")
    if are_in_step(graph, given):
        is_free = not draft.problem and not late and not cache.arguments
        draft.reorder(given, [*early, cache, *late])
        if is_free and draft.problem == ELSE:
            # Nothing that stands between tells the one dataset from the other.
            draft = Draft(graph)
            draft.remove(cache)
            draft.link(stage, "cache()")
    elif not late and {user.span for user in graph.users(cache)} == {stage.span} and runs_wherever(cache, stage):
        # It is one of the maps that a loop makes.
        draft.carry(cache, stage, [other for other in graph.stages if other.span == stage.span])
    elif early == [stage] and runs_wherever(stage, cache):
        # Whatever else stands between the two is read by nothing else, on this way.
        draft.carry(stage, cache, [other for other in graph.stages if other.span in {part.span for part in given}])
    else:
        draft.refuse("the two depend on different conditions")
    held = f"{whole / 1e6:,.1f} MB" if whole > _LITTLE else f"what `{_name(stage)}` returns"
    return draft.fix("unsafe", title, reason or f"the cache then holds {held} instead of what the map is given")


def _behind(way: Path, cache: Stage) -> Sequence[Stage]:
    """What follows a cache on another way, also where it is another call of the same place."""
    held = next((stage for stage in way.stages if stage.span == cache.span), None)
    return way.after(held)[:-1] if held is not None else ()


def _name(stage: Stage) -> str:
    return stage.function.name if stage.function is not None else "map"


def _rename(draft: Draft, graph: PipelineGraph, cache: Stage, stage: Stage) -> None:
    """Let a cache write another file: from the old one it would go on reading the old elements."""
    node = cache.arguments["filename"].node
    names = [re.sub(f"{HOLE}.*?{HOLE}", "", text) for text in texts_at(graph, node, graph.source_of(cache.span.file))]
    if not names or not all(names):
        # The empty name would stand for memory.
        draft.refuse("the name of its file is not known, and a new one is needed")
        return
    name, end = _name(stage), draft.syntax.end(node)
    added = f"-{name if name.isidentifier() and name != 'lambda' else 'mapped'}"
    if isinstance(node, (ast.Constant, ast.JoinedStr)):
        quotes = 3 if draft.syntax.text[end - 3 : end] in ('"""', "'''") else 1
        draft.put(end - quotes, end - quotes, added)
    elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
    ):
        draft.put(end, end, f' + "{added}"')
    else:
        draft.refuse("the name of its file is not known, and a new one is needed")


def _grows_behind_shuffle(cache: Stage, path: Path) -> bool:
    """Does it stand behind a shuffle, and make what the memory is to keep larger, as decoding does?

    Names of files are no data: a cache of those keeps nothing that costs anything.
    """
    function = path.stages[-1].function
    if function is None or cache.has("filename") or any(known(call.name).cost == "read" for call in function.calls):
        return False
    return _is_shuffled(cache, path) and not function.heavy.startswith(_COMPACT)


def _whole(stage: Stage) -> int | None:
    count, element = length(stage), element_bytes(stage)
    return None if count is None or element is None else count * element


def _said(stage: Stage) -> str:
    """How large what a map returns is, as far as that is known."""
    element, whole = element_bytes(stage), _whole(stage)
    if whole is not None:
        return f": {whole / 1e6:,.1f} MB in all"
    return "" if element is None else f": {element / 1e6:,.2f} MB for each element"


def _is_worth_caching(function: MappedFunction | None) -> bool:
    """Expensive, and the same in every epoch for sure."""
    return function is not None and is_expensive(function) and _is_repeatable(function)


def _only_enlarges(stage: Stage, before: Sequence[Stage]) -> bool:
    """Is it the second half of what the guide splits: an expensive part before the cache, a large one behind it?"""
    return may_enlarge(stage) and any(other.function and other.function.cost == "heavy" for other in before)


def _is_repeatable(function: MappedFunction) -> bool:
    network = network_in(function)
    return function.resolved and all(
        is_pure_python(effect)
        or (effect.kind in _REPEATABLE and (effect.kind != "stateful_layer" or is_adapted(effect)))
        # What is called in a map is not trained.
        or (network is not None and effect.node is network[0].node and effect.kind == "stateful_layer")
        for effect in function.effects
    )


def _draws_for_others(graph: PipelineGraph, stage: Stage) -> bool:
    """May the function augment for other callers of what it stands in, which it asks by a parameter: `if train:`?"""
    function, syntax = stage.function, syntax_at(graph, stage.span.file)
    if function is None or function.node is None or stage.node is None or syntax is None:
        return False
    around = syntax.function_of(syntax.way(stage.node))
    given = getattr(around, "args", None)
    parameters = {part.arg for part in walk(given) if isinstance(part, ast.arg)} if given is not None else set()
    tests = [part.test for part in walk(function.node) if isinstance(part, (ast.If, ast.IfExp))]
    if not names(*tests) & parameters:
        return False
    return any(
        isinstance(call, ast.Call) and re.search(_DRAWS, there.scopes.full_name(call.func))
        for there, code in code_in(graph, syntax, function.node)
        for call in walk(code)
    )


def _movable(stage: Stage, path: Path, graph: PipelineGraph) -> Stage | None:
    """The cache that could stand behind this map: it serves nothing else, and nothing keeps it where it is."""
    cache = path.find("cache")
    # Do the names on a path say that it is only tested or predicted on, which reads it once?
    if cache is None or any(words(stage.receiver) & TEST_WORDS for stage in path.stages):
        return None
    # What a file keeps another run may read.
    if is_read_once(graph, cache) and not cache.has("filename"):
        return None
    return cache if _may_move(cache, path) and is_only_reader(cache, stage, path, graph) else None


def _may_move(cache: Stage, path: Path) -> bool:
    """Nothing random, unseen or joined from elsewhere stands between the cache and the end of the path."""
    return all(_passes(stage, cache, path) or _joins_caches(stage) for stage in path.after(cache))


def _passes(stage: Stage, cache: Stage, path: Path) -> bool:
    passed = _CROSSED if _is_shuffled(cache, path) else _PASSED
    functions = (part.function for part in (stage, *inside(stage)))
    return (
        stage.op in passed
        and len(stage.inputs) == 1
        and all(function is None or _is_repeatable(function) for function in functions)
    )


def _joined(stages: Sequence[Stage]) -> bool:
    return any(stage.op == "zip" for stage in stages)


def _joins_caches(stage: Stage) -> bool:
    """Does it zip what is all cached? Then one cache behind the map does for all."""
    return stage.op == "zip" and all(map(_ends_cached, stage.inputs))


def _ends_cached(dataset: Dataset) -> bool:
    return paths(dataset).always(
        lambda path: (
            (cache := path.find("cache")) is not None
            and all(_passes(stage, cache, path) for stage in path.after(cache))
        )
    )


def _is_shuffled(cache: Stage, path: Path) -> bool:
    return any(stage.op == "shuffle" for stage in path.after(cache))


def _makes_batches(cache: Stage, path: Path) -> bool:
    """Does the map work on batches of what a shuffle gives? Batches before the cache would always be the same ones."""
    return _is_shuffled(cache, path) and any(stage.op in _BATCHES for stage in path.after(cache))


def _needs_several_switches(paid: Sequence[Path], ways: Sequence[Path]) -> bool:
    """It takes several options at once, which nobody need ever ask for."""
    if len(paid) == len(ways):
        return False
    return len(set.intersection(*(set(path.conditions) for path in paid))) > 1
