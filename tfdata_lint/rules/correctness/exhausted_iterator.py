"""TFD416 exhausted-iterator."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import bounds_of, whole_batches
from tfdata_lint.pipeline.nouns.code import (
    calls_of,
    caught,
    caught_around,
    holds,
    last_name,
    targets,
    way,
)
from tfdata_lint.pipeline.nouns.consumers import Consumer, Walk
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import GUARDS, passes, reached_by, reaches_the_end, walked
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import by_place, consumed, endless_stage
from tfdata_lint.pipeline.nouns.stages import Iterator as Made, Loop, Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of
from tfdata_lint.pipeline.python.runs import generators_called
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import walk

_NOTHING_LEFT = (
    "An iterator returns its elements only once, and later passes get none without an error (measured: 4, 0 and 0"
    " elements in three passes)"
)


#: What is raised where there are no more elements.
_ENDS = ("StopIteration", "OutOfRangeError")
#: What counts the passes of a loop.
_COUNTING = ("range", "trange", "arange")


class ExhaustedIterator(Rule):
    code = "TFD416"
    name = "exhausted-iterator"
    group = "correctness"
    summary = "An iterator is read again after it is exhausted"
    triggers = ("walk to:next from_generator",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        walks = [*graph.walks, *_pulled(graph)]
        for reader in walks:
            if reader.context.in_test or not _ends(reader):
                continue
            loop, earlier = _loop_around(graph, reader), _walked_before(graph, walks, reader)
            if loop is not None:
                message = "This iterator is exhausted after the first pass of the outer loop"
                where = Related(loop.span, "gets no elements from the second pass on")
                advice = "Make the iterator inside that loop, or loop over the dataset itself"
            elif earlier is not None:
                message = "This iterator is already exhausted"
                where = Related(earlier.span, "read to its end here")
                advice = "Make a new iterator, or loop over the dataset itself"
            else:
                continue
            made = Related(reader.iterator.span, "made here, once")
            yield self.finding(reader.span, message, cost=_NOTHING_LEFT, advice=advice, related=(made, where))
        yield from self._overrun(graph)
        yield from self._generators(graph)

    def _overrun(self, graph: PipelineGraph) -> Iterator[Finding]:
        """Steps inside epochs that together take more elements than there are."""
        for consumer in consumed(graph, "next"):
            if consumer.iterator is None:
                continue
            told = _taken(graph, consumer, consumer.iterator)
            if told:
                yield self.finding(
                    consumer.span,
                    f"This iterator is exhausted before the loops around it end: {told}",
                    cost="`next` raises a StopIteration after the last element, and the training ends there",
                    advice="Call `repeat()` on the dataset, or make the iterator inside the outer loop",
                    is_guess=True,
                    related=(Related(consumer.iterator.span, "made here, once"),),
                )

    def _generators(self, graph: PipelineGraph) -> Iterator[Finding]:
        for stage, *_ in by_place(graph.stages, "from_generator"):
            drained = _drained(graph, stage)
            again = _read_again(graph, stage) if drained is not None and not stage.context.in_test else None
            if drained is None or again is None:
                continue
            yield self.finding(
                stage.span,
                "All calls of this generator share one iterator that was made outside it",
                cost=(
                    "The first pass exhausts the iterator, and later passes get nothing without an error (measured:"
                    " 4, 0 and 0 elements)"
                ),
                advice="Make the iterator inside the generator",
                related=(Related(drained, "made here, once"), Related(again, "the dataset is read again")),
            )


def _taken(graph: PipelineGraph, consumer: Consumer, iterator: Made) -> str:
    """How loops inside one another take more of an iterator than there is; empty where that is not known."""
    made_in = [id(loop.node) for loop in iterator.context.loops]
    loops = [loop.node for loop in consumer.context.loops if id(loop.node) not in made_in]
    counts = [count for loop in loops if (count := _count(loop)) is not None and holds(loop, consumer.node)]
    made, ways = targets(graph.tree, iterator.node), paths(consumer.dataset, consumer.context.conditions)
    if len(counts) < 2 or len(counts) < len(loops) or _is_given_two(consumer.node):
        return ""
    if any(not _comes_again(graph, loop, consumer.node) or _renews(loop, *made) for loop in loops):
        return ""
    if caught_around(graph.tree, consumer.node) or any(endless_stage(way) or _may_be_endless(way) for way in ways):
        return ""
    # Epochs are several.
    numbers = [value if type(value := value_at(graph, count)) is int else 2 for count in counts[:-1]]
    steps, most = value_at(graph, counts[-1]), bounds_of(consumer.dataset).most
    if type(steps) is int and most is not None:
        return f"they take {steps * prod(numbers)} of {most} elements" if steps * prod(numbers) > most else ""
    is_pass = prod(numbers) > 1 and ways.always(lambda way: not way.is_open and not way.find("repeat"))
    written = whole_batches(graph, counts[-1], consumer.dataset) if is_pass else ""
    return f"each pass of the outer loop takes `{written}` elements, as many as there are" if written else ""


def _count(loop: ast.AST) -> ast.expr | None:
    """What says how often a loop runs: `n` of `for step in range(n)`."""
    match loop:
        case ast.For(iter=ast.Call(args=[ast.Call() as inner, *_]) as call) if last_name(call) == "tqdm":
            call = inner
        case ast.For(iter=ast.Call() as call):
            pass
        case _:
            return None
    return call.args[0] if last_name(call) in _COUNTING and len(call.args) == 1 else None


def _pulled(graph: PipelineGraph) -> Iterator[Walk]:
    """The loops that call `next` until there is no more."""
    for consumer in graph.consumers:
        if consumer.kind == "next" and consumer.iterator is not None and consumer.loop is not None:
            *outer, loop = consumer.context.loops
            if _takes_all(loop.node, consumer.node):
                context = consumer.context._replace(loops=tuple(outer))
                yield Walk(consumer.iterator, consumer.node, consumer.span, context)


def _drained(graph: PipelineGraph, stage: Stage) -> Span | None:
    """Where the iterator is made that every call of a generator goes on with."""
    if stage.python is not None and stage.python.drains is not None:
        return stage.python.drains.span
    made = _only_generator(stage, graph)
    return span_of(made, stage.span.file) if made is not None else None


def _read_again(graph: PipelineGraph, stage: Stage) -> Span | None:
    """What shows that the dataset is read more than once."""
    for other in graph.downstream(stage):
        if other.op == "repeat" and other.literal("count") != 1:
            return other.span
    for consumer in graph.reached(stage):
        epochs = consumer.literal("epochs", 1)
        if consumer.kind == "fit" and isinstance(epochs, int) and epochs > 1:
            return consumer.span
        made_in = [id(loop.node) for loop in stage.context.loops]
        for loop in consumer.context.loops if consumer.kind == "for" else ():
            if id(loop.node) not in made_in and _comes_again(graph, loop.node, consumer.node):
                return consumer.span
    return None


def _may_be_endless(way: Path) -> bool:
    """Is there a number of repetitions that is not known?"""
    return any(stage.is_endless is None for stage in way.stages)


def _ends(walk: Walk) -> bool:
    """Does the loop or call itself go on to the end, if there is one?"""
    ways = paths(walk.iterator.dataset, walk.iterator.context.conditions)
    if any(endless_stage(way) is not None for way in ways):
        return False
    return not isinstance(walk.node, (ast.For, ast.AsyncFor)) or reaches_the_end(walk.node)


def _loop_around(graph: PipelineGraph, walk: Walk) -> Loop | None:
    """A loop that comes to the same iterator in several passes."""
    made_in = [id(loop.node) for loop in walk.iterator.context.loops]
    loops = [loop for loop in walk.context.loops if id(loop.node) not in made_in]
    if not loops or _may_be_renewed(graph, walk):
        return None
    made = targets(graph.tree, walk.iterator.node)
    for loop in loops:
        for site in _sites(loop.node, walk.node, walk.context.definition):
            if _comes_again(graph, loop.node, site) and not _renews(loop.node, walked(site), *made):
                return loop
    return None


def _may_be_renewed(graph: PipelineGraph, walk: Walk) -> bool:
    """Is it an attribute that something else sets as well?"""
    attribute = _attribute_of(walked(walk.node))
    return bool(attribute) and len(syntax_of(graph.source).stores(attribute)) != 1


def _walked_before(graph: PipelineGraph, walks: list[Walk], walk: Walk) -> Walk | None:
    """What has taken everything just before, in the same passes of the same loops."""
    for other in walks:
        if other.iterator is not walk.iterator or other.span == walk.span or not _ends(other):
            continue
        here, there = walk.context, other.context
        is_same_time = (here.root, here.loops) == (there.root, there.loops)
        is_same_place = here.definition == there.definition and other.span < walk.span
        if is_same_time and (is_same_place or _is_called_before(graph, there.definition, here.definition)):
            if set(there.conditions) <= set(here.conditions):
                return other
    return None


def _is_called_before(graph: PipelineGraph, one: str, other: str) -> bool:
    """Is the only call of one function a statement before the only call of another, in the same block?"""
    syntax = syntax_of(graph.source)
    calls = [list(calls_of(graph.tree, definition.rpartition(".")[2])) for definition in (one, other)]
    if one == other or [len(found) for found in calls] != [1, 1]:
        return False
    first, second = (syntax.block(found[0]) for found in calls)
    if first is None or second is None or first.statements is not second.statements:
        return False
    is_certain = not any(isinstance(step, GUARDS) for step in way(first.statement, calls[0][0]))
    return is_certain and first.index < second.index


def _takes_all(loop: ast.AST, call: ast.AST) -> bool:
    """Is it `while True`, which nothing ends but that a call in it finds no more elements?"""
    if not isinstance(loop, ast.While) or not isinstance(loop.test, ast.Constant) or not loop.test.value:
        return False
    tries = [step for step in way(loop, call) if isinstance(step, ast.Try)]
    handlers = [handler for step in tries for handler in step.handlers if caught(handler) & set(_ENDS)]
    ways_out = [part for part in walk(loop) if isinstance(part, (ast.Break, ast.Return, ast.Raise, ast.Yield))]
    return [handler.body[-1] for handler in handlers] == ways_out


def _comes_again(graph: PipelineGraph, loop: ast.AST, node: ast.AST) -> bool:
    """Does it run a piece of its body in several passes, be it in each or in every third?"""
    if not isinstance(loop, (ast.For, ast.While)) or passes(loop, graph.ranges) in (0, 1):
        return False
    steps = way(loop, node)[1:-1]
    now_and_then = [step for step in steps if isinstance(step, ast.If) and _counts_off(step.test)]
    if any(isinstance(step, GUARDS) and step not in now_and_then for step in steps):
        return False
    blocks = [loop.body, *(step.body for step in steps if isinstance(step, (ast.With, ast.Try, ast.If)))]
    return not any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for block in blocks for part in block)


def _counts_off(test: ast.expr) -> bool:
    """`step % 10 == 0`"""
    return any(isinstance(part, ast.Mod) for part in walk(test))


def _sites(loop: ast.AST, node: ast.AST, definition: str) -> list[ast.AST]:
    """Where in its body it comes to a piece of code: there itself, or where the function is called that it is in."""
    if holds(loop, node):
        return [node]
    name = definition.rpartition(".")[2]
    return list(calls_of(loop, name)) if name else []


def _renews(loop: ast.AST, *parts: ast.AST) -> bool:
    """Does it assign one of the names and attributes by which something is reached in these pieces of code?"""
    stored = reached_by(loop, ast.Store)
    return any(reached_by(part, ast.expr_context) & stored for part in parts)


def _only_generator(stage: Stage, graph: PipelineGraph) -> ast.expr | None:
    """What makes the one generator that each call gives anew: `read()` of `lambda: rows`, after `rows = read()`."""
    given = _given_by(stage.generator)
    binding = _binding(graph, given) if given is not None else None
    way_down = syntax_of(graph.source).way(binding) if binding is not None else []
    loops = {id(loop.node) for loop in stage.context.loops}
    if any(isinstance(step, (ast.For, ast.While)) and id(step) not in loops for step in way_down):
        # A pass of that loop makes a new one.
        return None
    made = bound_value(way_down)
    match made:
        case ast.GeneratorExp() | ast.Call(func=ast.Name(id="iter" | "map" | "zip" | "filter" | "enumerate")):
            return made
        case ast.Call():
            return made if generators_called(graph, made, graph.source) else None
    return None


def _given_by(generator: ast.AST | None) -> ast.expr | None:
    """The name or attribute that a function does nothing with but to give what it holds, be it one by one."""
    match generator:
        case ast.Lambda(args=ast.arguments(args=[]), body=ast.Name() | ast.Attribute() as given):
            return given
        case ast.FunctionDef(args=ast.arguments(args=[] | [ast.arg(arg="self")]), decorator_list=[], body=body):
            pass
        case _:
            return None
    match [part for part in body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]:
        case [ast.Return(value=ast.Name() | ast.Attribute() as given)]:
            return given
        case [ast.Expr(value=ast.YieldFrom(value=ast.Name() | ast.Attribute() as given))]:
            return given
        case [ast.For(iter=ast.Name() | ast.Attribute() as given) as loop] if reaches_the_end(loop, may_yield=True):
            return given
    return None


def _binding(graph: PipelineGraph, given: ast.expr) -> ast.AST | None:
    """The only place that sets a name, or an attribute of `self`."""
    syntax = syntax_of(graph.source)
    match given:
        case ast.Name(id=name):
            scope, bindings = syntax.scopes.binds(name, given) or (None, [])
            return bindings[0] if len(bindings) == 1 and syntax.scopes.scope_of(bindings[0]) is scope else None
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            stored = syntax.stores(name)
            makers = {getattr(syntax.scopes.scope_of(node), "name", "") for node in stored}
            return stored[0] if len(stored) == 1 and makers == {"__init__"} else None
    return None


def _attribute_of(node: ast.AST) -> str:
    """`it` of `self.it`; empty where there is none."""
    return next((part.attr for part in walk(node) if isinstance(part, ast.Attribute)), "")


def _is_given_two(node: ast.AST) -> bool:
    """Is it a call with two arguments: `next(it, None)`?"""
    return isinstance(node, ast.Call) and len(node.args) + len(node.keywords) == 2
