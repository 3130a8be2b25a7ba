"""What is profiled: batches given to a callback of Keras, and what happens between `start` and `stop`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.knowledge.words import PROFILES, STARTS, STOPS
from tfdata_lint.pipeline.nouns.code import holds
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.lengths import length
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import is_few, is_toy
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import tests_around
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

#: As many steps as the guides advise.
MOST = 10
_PASSES = ("fit", "evaluate", "predict", "for", "walk")
_STEP = r"(\w+) == (\d+)"


class Profiled(NamedTuple):
    """The steps that a profile is made of."""

    use: SymbolUse
    first: int
    last: int
    is_first: bool
    """Is the first of all steps among them?"""

    @property
    def steps(self) -> int:
        return self.last - self.first + 1


def profiled_steps(graph: PipelineGraph) -> Iterator[Profiled]:
    """The profiles whose steps are written down."""
    starts, stops = starts_of(graph), stops_of(graph)
    for use in graph.uses:
        if use.name == "profile_batch=":
            first, last = _batches(use.node)
            if 0 < first <= last:
                yield Profiled(use, first, last, first == 1)
    for start in starts:
        known = _step_at(graph, start)
        ends = [end for stop in stops if (end := _step_at(graph, stop)) and known and end[0] == known[0]]
        if known and len(ends) == 1 and len(starts) == 1 and known[1] < ends[0][1]:
            yield Profiled(start, known[1], ends[0][1] - 1, known[1] == 0)


class Epoch(NamedTuple):
    """A profile of a pass through a whole dataset."""

    use: SymbolUse
    consumer: Consumer


def profiled_epochs(graph: PipelineGraph) -> Iterator[Epoch]:
    """The profiles around a loop over a dataset, or a method of Keras that goes through it, which are not short."""
    for use, statements in _profiled_code(graph):
        for consumer in graph.consumers:
            if consumer.kind in _PASSES and any(holds(statement, consumer.node) for statement in statements):
                if not _is_short(consumer):
                    yield Epoch(use, consumer)
                    break


def _profiled_code(graph: PipelineGraph) -> Iterator[tuple[SymbolUse, list[ast.stmt]]]:
    """What stands in `with Profile(logdir):`, or between `start` and `stop` in one block."""
    syntax = syntax_of(graph.source)
    for use in graph.uses:
        if use.name in PROFILES and use.call is not None:
            way = syntax.way(use.call)
            match way[-2:]:
                case [ast.With(items=items, body=body), call] if any(item.context_expr is call for item in items):
                    yield use, body
    stops = {id(part) for stop in stops_of(graph) for part in syntax.way(stop.node)}
    for start in starts_of(graph):
        block = syntax.block(start.node)
        rest = block.statements[block.index + 1 :] if block is not None else []
        end = next((number for number, statement in enumerate(rest) if id(statement) in stops), None)
        if end is not None and not any(isinstance(part, (ast.For, ast.While)) for part in rest[end : end + 1]):
            yield start, rest[:end]


def _is_short(consumer: Consumer) -> bool:
    """Are the steps few, or may they be: what a `break` ends, or a number that is not known?"""
    if consumer.kind in ("for", "walk") and any(
        isinstance(node, (ast.Break, ast.Return)) for node in walk(consumer.node)
    ):
        return True
    steps = consumer.literal("steps_per_epoch" if consumer.kind == "fit" else "steps")
    count = steps if steps is not None else length(consumer.dataset)
    if count is not None:
        return not isinstance(count, int) or count <= MOST
    return not paths(consumer.dataset, consumer.context.conditions).always(_is_long)


def _is_long(path: Path) -> bool:
    return not is_few(path) and not is_toy(path)


def starts_of(graph: PipelineGraph) -> list[SymbolUse]:
    """The calls that begin a profile."""
    return [use for use in graph.uses if use.name in STARTS and use.call is not None]


def stops_of(graph: PipelineGraph) -> list[SymbolUse]:
    """What ends one, called or handed on."""
    return [use for use in graph.uses if use.name in STOPS]


def _step_at(graph: PipelineGraph, use: SymbolUse) -> tuple[str, int] | None:
    """`("step", 200)` of what happens under `if step == 200`."""
    tests = tests_around(graph, use.node)
    match = re.fullmatch(_STEP, tests[-1]) if tests else None
    return (match[1], int(match[2])) if match else None


def _batches(node: ast.expr) -> tuple[int, int]:
    """The first and the last batch of `profile_batch`; zeros where they are not written down."""
    try:
        given: Any = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError):
        return 0, 0
    if isinstance(given, str) and re.fullmatch(r"\d+(, *\d+)?", given):
        given = [int(part) for part in given.split(",")]
        given = given[0] if len(given) == 1 else given
    match given:
        case int():
            return given, given
        case (int(first), int(last)) | [int(first), int(last)]:
            return first, last
    return 0, 0
