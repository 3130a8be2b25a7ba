"""TFD316 shared-cache-file."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.nouns.code import is_variable
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.stages import Argument, Stage
from tfdata_lint.pipeline.nouns.values import Constant, External, Sequence, Value
from tfdata_lint.rules.base import Finding, Related, Rule

#: Arguments that change nothing about the elements.
_IRRELEVANT = {"num_parallel_calls", "num_parallel_reads", "deterministic", "name"}


class SharedCacheFile(Rule):
    """Two pipelines keep their elements in one file."""

    code = "TFD316"
    name = "shared-cache-file"
    group = "correctness"
    summary = "Two pipelines with one cache file: the second gets the elements of the first"
    triggers = ("cache", "given:filename")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        caches = [stage for stage in graph.stages if _file(stage) and not stage.context.in_test]
        for number, cache in enumerate(caches):
            for earlier in caches[:number]:
                if _file(earlier) != _file(cache) or not _may_both_run(earlier, cache):
                    continue
                confidence = _difference(earlier, cache)
                if confidence is not None:
                    yield self._finding(earlier, cache, confidence)
                    break

    def _finding(self, earlier: Stage, cache: Stage, confidence: Confidence) -> Finding:
        is_one_place = earlier.span == cache.span
        message = "Calls with other data share" if is_one_place else "Another pipeline has"
        return self.finding(
            cache.span,
            f"{message} the cache file {_file(cache)!r}",
            cost="Whoever is read second gets the elements of the first, and nothing says so (measured: 0 to 3 instead"
            " of 100 to 107); the file stays for the next run, too",
            advice="Give each pipeline a file of its own",
            severity="warning" if confidence == "likely" else None,
            confidence=confidence,
            related=() if is_one_place else (Related(earlier.span, "the other pipeline"),),
        )


def _file(stage: Stage) -> str:
    """The file of a cache, if it is known."""
    name = stage.literal("filename") if stage.op == "cache" else ""
    return name if isinstance(name, str) else ""


def _may_both_run(one: Stage, other: Stage) -> bool:
    """Alternatives exclude each other."""
    return Facts(one.context.conditions).allow(other.context.conditions)


def _difference(one: Stage, other: Stage) -> Confidence | None:
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
    return "likely" if any(_are_other_names(*pair) for pair in pairs) else None


def _arguments(one: Stage, other: Stage) -> Iterator[tuple[Argument, Argument]]:
    """What both are given that decides about elements."""
    for name in one.arguments.keys() & other.arguments.keys() - _IRRELEVANT:
        yield one.arguments[name], other.arguments[name]


def _are_unequal(one: Argument, other: Argument) -> bool:
    """Two literals, lists of literals, or calls with literals, that differ."""
    first, second = _literals(one.value), _literals(other.value)
    return first is not None and second is not None and first != second


def _literals(value: Value) -> tuple[object, ...] | None:
    match value:
        case Constant(literal):
            return (literal,)
        case Sequence(items=items, rest=None) if all(isinstance(item, Constant) for item in items):
            return tuple(map(_literals, items))
        case External(symbol=symbol, arguments=items, keywords={}) if all(isinstance(item, Constant) for item in items):
            return symbol, *map(_literals, items)
    return None


def _are_other_names(one: Argument, other: Argument) -> bool:
    """Two variables by their names, with what nobody knows."""
    if not is_variable(one.node) or not is_variable(other.node) or one.written == other.written:
        return False
    return one.value is not other.value and one.literal is other.literal is ...
