"""What is profiled: batches given to a callback of Keras, and what happens between `start` and `stop`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.knowledge.words import PROFILES, STARTS, STOPS, TENSORBOARD
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, holds, last_name, nodes_on, parameters_of, rows_with
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import is_few, is_toy, readers_by_place
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.origins import Place, argument
from tfdata_lint.pipeline.python.runs import code_in
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.source.trees import walk

#: As many steps as the guides advise.
MOST = 10
#: Of the TensorBoard callback.
_ARGUMENTS = {
    "log_dir", "histogram_freq", "write_graph", "write_images", "write_steps_per_second", "update_freq",
    "profile_batch", "embeddings_freq", "embeddings_metadata",
}  # fmt: skip
_PASSES = ("fit", "evaluate", "predict", "for", "walk")
_RANGES = ("range", "trange")


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
    for use, given in profiled_batches(graph):
        first, last = _batches(value_at(graph, given.node, given.source))
        if 0 < first <= last:
            yield Profiled(use, first, last, first == 1)
    for start in starts if len(starts) == 1 else ():
        first_at, ends = _steps_at(graph, start), [_steps_at(graph, stop) for stop in stops]
        known = {
            (first_at[name], end[name]) for end in ends for name in end if first_at.get(name, end[name]) < end[name]
        }
        if len(known) == 1:
            first, behind = known.pop()
            yield Profiled(start, first, behind - 1, first == 0)


def profiled_batches(graph: PipelineGraph) -> Iterator[tuple[SymbolUse, Place]]:
    """What the TensorBoard callbacks are given as `profile_batch`."""
    known: set[int] = set()
    for _, call in calls_named(graph, TENSORBOARD):
        if (given := argument(graph, call, -1, "profile_batch", graph.source)) is not None:
            known.add(id(given.node))
            place = next((word for word in call.keywords if word.value is given.node), call)
            yield SymbolUse("profile_batch=", given.node, span_of(place, graph.file), call), given
    for value in _settings(graph):
        if id(value) not in known:
            yield SymbolUse("profile_batch=", value, span_of(value, graph.file), None), Place(value, graph.source)


def _settings(graph: PipelineGraph) -> Iterator[ast.expr]:
    """The `profile_batch` of dicts of nothing but arguments of the callback, for `CALLBACKS[name](**options)`."""
    text = graph.source.text
    for node in nodes_on(graph.tree, rows_with(text, r"['\"]profile_batch['\"]") if "TensorBoard" in text else []):
        if isinstance(node, ast.Dict):
            values = {getattr(key, "value", None): value for key, value in zip(node.keys, node.values, strict=True)}
            if {"log_dir", "profile_batch"} <= values.keys() <= _ARGUMENTS:
                yield values["profile_batch"]


class Epoch(NamedTuple):
    """A profile of a pass through a whole dataset."""

    use: SymbolUse
    consumer: Consumer
    steps: int
    """Of a loop that counts them; else 0."""


def profiled_epochs(graph: PipelineGraph) -> Iterator[Epoch]:
    """The profiles around a loop over a dataset, or a method of Keras that goes through it, which are not short."""
    syntax = syntax_of(graph.source)
    for use, statements in _profiled_code(graph):
        run = [code for one in statements for there, code in code_in(graph, syntax, one) if there is syntax]
        for consumers in readers_by_place(graph, *_PASSES, "next"):
            consumer = consumers[0]
            if any(_runs(syntax, code, consumer.node) for code in run):
                turns = _turns(graph, consumer, run)
                if turns > MOST if turns else consumer.kind in _PASSES and not any(map(is_short, consumers)):
                    yield Epoch(use, consumer, turns)
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


def _runs(syntax: Syntax, code: ast.AST, node: ast.AST) -> bool:
    """Is a node part of some code, and of a function that is called not under a condition?"""
    way = syntax.way(node)
    is_called = isinstance(code, FUNCTIONS)
    return code in way and not (
        is_called and any(isinstance(step, (ast.If, ast.Match)) for step in way[way.index(code) :])
    )


def _turns(graph: PipelineGraph, consumer: Consumer, code: list[ast.AST]) -> int:
    """How often a loop in some code goes round that counts with `range`; 0 where that is not known."""
    loops = [loop.node for loop in consumer.context.loops] + [consumer.node]
    for loop in (loop for loop in loops if isinstance(loop, ast.For) and any(holds(one, loop) for one in code)):
        ranges = [part for part in walk(loop.iter) if isinstance(part, ast.Call) and last_name(part) in _RANGES]
        bounds = ranges[0].args[:2] if ranges else []
        match bounds:
            # `range(base, base + steps)`
            case [start, ast.BinOp(left=base, op=ast.Add(), right=steps)] if ast.unparse(base) == ast.unparse(start):
                bounds = [steps]
        match [_given(graph, bound, loop, code) for bound in bounds]:
            case [int(count)]:
                return count
            case [int(first), int(end)]:
                return end - first
    return 0


def _given(graph: PipelineGraph, bound: ast.expr, loop: ast.For, code: list[ast.AST]) -> Any:
    """The number that a bound is: of a parameter, what the calls in some code give, whatever others do."""
    known, scopes = value_at(graph, bound), syntax_of(graph.source).scopes
    function, found = scopes.scope_of(loop), scopes.binds(bound.id, bound) if isinstance(bound, ast.Name) else None
    match found:
        case (_, [ast.arg(arg=name)]) if known is ... and isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = parameters_of(function)
            place = names.index(name) if name in names else -1
            calls = (part for one in code for part in walk(one) if isinstance(part, ast.Call))
            given = [
                argument(graph, call, place, name, graph.source) for call in calls if last_name(call) == function.name
            ]
            values = [value_at(graph, *one) if one is not None else ... for one in given]
            return values[0] if values and all(value == values[0] for value in values) else ...
    return known


def is_short(consumer: Consumer) -> bool:
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


def _steps_at(graph: PipelineGraph, use: SymbolUse) -> dict[str, int]:
    """`{"step": 200}` of what happens under `if step == 200`."""
    tests = [step.test for step in syntax_of(graph.source).way(use.node) if isinstance(step, ast.If)]
    parts = tests[-1].values if tests and isinstance(tests[-1], ast.BoolOp) else tests[-1:]
    found: dict[str, int] = {}
    for part in parts:
        match part:
            case ast.Compare(left=counter, ops=[ast.Eq()], comparators=[number]):
                step = value_at(graph, number)
                if type(step) is int and value_at(graph, counter) is ...:
                    found[ast.unparse(counter)] = step
    return found


def _batches(given: Any) -> tuple[int, int]:
    """The first and the last batch of `profile_batch`; zeros where they are not known."""
    if isinstance(given, str) and re.fullmatch(r"\d+(, *\d+)?", given):
        given = [int(part) for part in given.split(",")]
        given = given[0] if len(given) == 1 else given
    match given:
        case int():
            return given, given
        case (int(first), int(last)) | [int(first), int(last)]:
            return first, last
    return 0, 0
