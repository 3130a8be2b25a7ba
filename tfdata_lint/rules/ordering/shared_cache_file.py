"""TFD316 shared-cache-file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.path import files_of
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.mapped.record import is_option
from tfdata_lint.pipeline.nouns.code import calls_of, given_to, is_variable, made_of, names, parameters_of
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Argument, Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    Computed,
    Constant,
    Expr,
    External,
    Method,
    Sequence,
    Symbol,
    Value,
    parts_of,
    same,
)
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.values import HOLE
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.unsharded_workers import worker_start
from tfdata_lint.rules.ordering.cache_in_loop import changes_in_loop
from tfdata_lint.source.trees import walk

#: They read all their inputs from the start.
_AT_ONCE = frozenset({"zip", "sample_from_datasets", "choose_from_datasets"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Tests of which worker it is.
_ALONE = r"(?i:rank|worker|index|chief|replica)"
#: Arguments that change nothing about the elements.
_IRRELEVANT = {"num_parallel_calls", "num_parallel_reads", "deterministic", "name"}
#: Pipelines with one file that another one is compared with.
_MOST = 50


class SharedCacheFile(Rule):
    code = "TFD316"
    name = "shared-cache-file"
    group = "correctness"
    summary = "Two pipelines share one cache file: the second gets the elements of the first"
    triggers = ("cache", "given:filename")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        caches = [stage for stage in graph.stages if _file(graph, stage) and not stage.context.in_test]
        told: set[Span] = set()
        for stage in graph.stages:
            if len(stage.inputs) > 1 and stage.op in _AT_ONCE and stage.span not in told:
                twice = None if stage.context.in_test else _read_twice(graph, stage)
                if twice is not None:
                    told.add(stage.span)
                    yield self._at_once(graph, stage, twice)
        for cache in caches:
            if cache.span not in told and HOLE not in _file(graph, cache) and (why := _of_all_workers(graph, cache)):
                told.add(cache.span)
                yield self._of_workers(graph, cache, why)
        named = (stage for stage in graph.stages if stage.op == "cache" and "filename" in stage.arguments)
        for cache in named:
            if cache.span not in told and not cache.context.in_test and graph.once(_changes_in_loop, cache):
                told.add(cache.span)
                yield self._in_loop(graph, cache)
        by_file: dict[str, list[Stage]] = {}
        for cache in caches:
            earlier_ones = by_file.setdefault(_file(graph, cache), [])
            for earlier in earlier_ones[:_MOST]:
                alike = [one for one in caches if one.span == cache.span]
                confidence = _difference(graph, earlier, cache, alike) if _may_both_run(graph, earlier, cache) else None
                if confidence is not None:
                    calls = _calls(graph, cache, alike)
                    yield self._finding(graph, earlier, cache, confidence, calls)
                    break
            earlier_ones.append(cache)

    def _in_loop(self, graph: PipelineGraph, cache: Stage) -> Finding:
        file = _file(graph, cache)
        shown = _shown(file) if file else f"`{cache.arguments['filename'].written}`"
        return self.finding(
            cache.span,
            f"Each pass of the loop uses the same cache file {shown} for other data",
            cost="All passes but the first silently get the elements of the first",
            advice="Add what changes in the loop to the file name",
            is_guess=True,
        )

    def _finding(
        self, graph: PipelineGraph, earlier: Stage, cache: Stage, confidence: Confidence, calls: tuple[Related, ...]
    ) -> Finding:
        is_one_place = earlier.span == cache.span
        message = "Calls with other data share" if is_one_place else "Another pipeline also uses"
        return self.finding(
            cache.span,
            f"{message} the cache file {_shown(_file(graph, cache))}",
            cost=(
                "The pipeline that is read second silently gets the elements of the first (measured: 0 to 3 instead"
                " of 100 to 107), also in later runs"
            ),
            advice="Give each pipeline a file of its own",
            severity="warning" if confidence == "likely" else None,
            confidence=confidence,
            related=calls if is_one_place else (Related(earlier.span, "the other pipeline"),),
        )

    def _at_once(self, graph: PipelineGraph, stage: Stage, cache: Stage) -> Finding:
        return self.finding(
            stage.span,
            f"Two inputs of `{stage.op}` use the cache file {_shown(_file(graph, cache))} at the same time",
            cost="Both write the file in the first epoch: the second raises an AlreadyExistsError (measured)",
            advice="Let one `map` after the cache return both: `map(lambda x: (x, f(x)))`",
            related=(Related(cache.span, "the cache of both"),),
            confidence=stage.confidence,
        )

    def _of_workers(self, graph: PipelineGraph, cache: Stage, why: str) -> Finding:
        return self.finding(
            cache.span,
            f"{why} use the same cache file {_shown(_file(graph, cache))}",
            cost=(
                "On a shared disk, all but the first raise an AlreadyExistsError while it writes, and read its"
                " elements afterwards (measured)"
            ),
            advice="Add the worker's number to the file name",
            is_guess=True,
        )


def _calls(graph: PipelineGraph, cache: Stage, alike: list[Stage]) -> tuple[Related, ...]:
    """The calls of the function that a cache stands in, if there is one for each of its stages."""
    calls = [call for call in calls_of(graph.tree, cache.context.definition) if isinstance(call.func, ast.Name)]
    spans = sorted(span_of(call, graph.file) for call in calls)
    return tuple(Related(span, "called here") for span in spans) if len(spans) == len(alike) else ()


def _read_twice(graph: PipelineGraph, stage: Stage) -> Stage | None:
    """The cache that two inputs of a stage go through, unless something else may have filled it before."""
    found: dict[str, Stage] = {}
    for one in stage.inputs:
        ways = paths(one, stage.context.conditions)
        files = [{name: part for part in way.stages if (name := _file(graph, part))} for way in ways]
        own = {name: part for held in files for name, part in held.items()}
        certain = [name for name in own if ways.complete and all(name in held for held in files)]
        for name in certain:
            if name not in found:
                found[name] = own[name]
            elif all(_feeds_only(graph, cache, stage) for cache in (found[name], own[name])):
                return own[name]
    return None


def _feeds_only(graph: PipelineGraph, cache: Stage, stage: Stage) -> bool:
    behind = {id(stage), *map(id, graph.downstream(stage))}
    return all(id(tip) in behind for consumer in graph.reached(cache) for tip in tips(consumer.dataset))


def _of_all_workers(graph: PipelineGraph, cache: Stage) -> str:
    """Whose file it is, where several workers run this code; empty where that is not seen."""
    ways = paths(cache, cache.context.conditions)
    is_alone = any(re.search(_ALONE, test.text) for test in (*cache.context.conditions, *cache.context.guards))
    if is_alone or re.search(rf"chdir\(.*{_ALONE}", graph.source.text):
        return ""
    if ways.always(lambda way: any(part.op == "shard" and part.literal("index") is ... for part in way.stages)):
        return "All shards of `shard`"
    return "All Horovod workers" if worker_start(graph) is not None else ""


def _file(graph: PipelineGraph, stage: Stage) -> str:
    """The file of a cache, if it is known."""
    return graph.once(_file_of, stage) if stage.op == "cache" and stage.has("filename") else ""


def _file_of(graph: PipelineGraph, stage: Stage) -> str:
    files = set(files_of(graph, stage))
    is_known = not any(HOLE in file for file in files) or _is_of_module(graph, stage)
    return max(files) if len(files) == 1 and is_known else ""


def _is_of_module(graph: PipelineGraph, cache: Stage) -> bool:
    """Is a file named by what the module binds once, so that it is one whatever it is called?"""
    scopes, given = syntax_of(graph.source).scopes, cache.arguments["filename"].node
    parts = [part for part in walk(given) if isinstance(part, ast.Name)] if cache.span.file == graph.file else []
    found = [scopes.binds(part.id, part) for part in parts]
    return bool(found) and all(one is None or (one[0] is graph.tree and len(one[1]) == 1) for one in found)


def _shown(file: str) -> str:
    """A file as it is written in a message."""
    return repr(re.sub(f"{HOLE}[^{HOLE}]*{HOLE}", "…", file))


def _changes_in_loop(graph: PipelineGraph, cache: Stage) -> bool:
    return changes_in_loop(graph, cache, bool(_file(graph, cache)))


def _may_both_run(graph: PipelineGraph, one: Stage, other: Stage) -> bool:
    """Alternatives exclude each other, by what is tested around them or around the calls that make them."""
    if not Facts(one.context.conditions).allow(other.context.conditions):
        return False
    reached = graph.reached(one)
    if not reached or reached != graph.reached(other):
        return True
    for consumer in reached:
        ways = paths(consumer.dataset, consumer.context.conditions)
        mates = [way for way in ways if other in way.stages]
        if any(Facts(way.conditions).allow(mate.conditions) for way in ways if one in way.stages for mate in mates):
            return True
    return False


def _difference(graph: PipelineGraph, one: Stage, other: Stage, alike: list[Stage]) -> Confidence | None:
    """Do they start from other data, or do something else to it?"""
    first, second = (paths(stage, stage.context.conditions).paths for stage in (one, other))
    if len(first) != 1 or len(second) != 1 or first[0].is_open or second[0].is_open:
        return None
    stages, others = first[0].stages, second[0].stages
    if one in others or other in stages:
        # A cache of a cache.
        return None
    if [stage.op for stage in stages] != [stage.op for stage in others]:
        return "proven"
    pairs = [pair for stage, mate in zip(stages, others, strict=True) for pair in _arguments(stage, mate)]
    if any(_are_unequal(*pair) for pair in pairs):
        return "proven"
    if any(_are_other_names(*pair) or _differs(pair[0].value, pair[1].value) for pair in pairs):
        return "likely"
    return "likely" if one.span == other.span and _are_other_calls(graph, other, stages[0], len(alike)) else None


def _are_other_calls(graph: PipelineGraph, cache: Stage, source: Stage, count: int) -> bool:
    """Does each call of the function that a cache stands in give its source something else: `make(files[:n])`?"""
    name = cache.context.definition.rpartition(".")[2]
    defined = [node for node in walk(graph.tree) if isinstance(node, _FUNCTIONS) and node.name == name]
    calls = list(calls_of(graph.tree, name)) if graph.tree is not None and len(defined) == 1 else []
    if len(calls) != count or source.context.definition != cache.context.definition:
        return False
    function, read = defined[0], names(*(argument.node for argument in source.arguments.values()))
    given = [given_to(function, call) for call in calls]
    return any(
        len({ast.unparse(one[key]) for one in given if key in one}) == count
        for key in parameters_of(function)
        if made_of(function, {key}) & read and not any(isinstance(one.get(key), ast.Attribute) for one in given)
    )


def _arguments(one: Stage, other: Stage) -> Iterator[tuple[Argument, Argument]]:
    """What both are given that decides about elements."""
    for name in one.arguments.keys() & other.arguments.keys() - _IRRELEVANT:
        yield one.arguments[name], other.arguments[name]


def _are_unequal(one: Argument, other: Argument) -> bool:
    """Two literals, lists of literals, or calls with literals, that differ."""
    first, second = _literals(one.value), _literals(other.value)
    return first is not None and second is not None and first != second


@recursive
def _literals(value: Value) -> tuple[object, ...] | None:
    match value:
        case Constant(literal):
            return (literal,)
        case Sequence(items=items, rest=None) if all(isinstance(item, Constant) for item in items):
            return tuple(map(_literals, items))
        case External(symbol=symbol, arguments=items, keywords={}) if all(isinstance(item, Constant) for item in items):
            return symbol, *map(_literals, items)
    return None


@recursive
def _differs(one: Value, other: Value) -> bool:
    """Are two values made in one way of other literals: the files below "train", and those below "val"?"""
    match one, other:
        case Constant(), Constant():
            return not same(one, other)
        case Computed(), Computed():
            return _differs(one.expr, other.expr)
        case Expr(), Expr() if one.by == other.by:
            return _any_differ(one.of, other.of)
        case External(), External() if one.symbol == other.symbol:
            held = one.receiver is not None and other.receiver is not None and _differs(one.receiver, other.receiver)
            return held or _any_differ(one.given, other.given)
        case Sequence(), Sequence():
            return _any_differ((*parts_of(one),), (*parts_of(other),))
    return False


def _any_differ(ones: tuple[Value, ...], others: tuple[Value, ...]) -> bool:
    return len(ones) == len(others) and any(map(_differs, ones, others))


@recursive
def _options(value: Value) -> tuple[str, ...]:
    """The options of the command line of which a value is made."""
    match value:
        case Symbol(name) | Method(name=name) if is_option(value):
            return (name,)
        case Computed(expr=expr):
            return _options(expr)
        case Expr(of=parts) | External(given=parts):
            return tuple([name for part in parts for name in _options(part)])
    return ()


def _are_other_names(one: Argument, other: Argument) -> bool:
    """Two variables by their names, with what nobody knows; or other options, where a function is given both."""
    options, others = _options(one.value), _options(other.value)
    if options and others and one.written == other.written:
        return options != others
    if not is_variable(one.node) or not is_variable(other.node) or one.written == other.written:
        return False
    return one.value is not other.value and one.literal is other.literal is ...
