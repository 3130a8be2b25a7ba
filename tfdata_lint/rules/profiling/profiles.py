"""What is profiled: batches given to a callback of Keras, and what happens between `start` and `stop`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.knowledge.words import PROFILER
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import tests_around

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


def starts_of(graph: PipelineGraph) -> list[SymbolUse]:
    """The calls that begin a profile."""
    return [use for use in graph.uses if use.name == f"{PROFILER}start" and use.call is not None]


def stops_of(graph: PipelineGraph) -> list[SymbolUse]:
    """What ends one, called or handed on."""
    return [use for use in graph.uses if use.name == f"{PROFILER}stop"]


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
