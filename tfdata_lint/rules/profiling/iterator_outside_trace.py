"""TFD501."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.words import PROFILES, STARTS
from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.purposes import purpose_of, purpose_of_loop
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.pipeline.python.runs import code_in, passes_of, place_in
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import Taken
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.device.eager_steps import called_elsewhere
from tfdata_lint.rules.profiling.fetching import fetch_for_loop, fetch_what_is_above, inside_of
from tfdata_lint.rules.profiling.profiles import is_short, starts_of, stops_of
from tfdata_lint.rules.profiling.traces import Step, profiled, steps_entered_elsewhere, steps_of
from tfdata_lint.source.trees import walk

_COST = (
    "The profiler shows steps without the wait for data (measured: 5.6 ms instead of 20.7 ms), so an input-bound"
    " program looks fine"
)
#: What marks steps, here or in what is called.
_MARKS = re.compile(r"Trace\b|StepTrace|TraceAnnotation|step_num")
_ADVICE = "Make the iterator before the loop and call `next` inside `{}`"


class IteratorOutsideTrace(Rule):
    code = "TFD501"
    name = "iterator-outside-trace"
    group = "performance"
    experiment = "profile"
    summary = "A profiled training step does not include the wait for its input"
    triggers = ("use:Trace use:StepTraceAnnotation to:for to:next",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        steps = [*steps_of(graph), *steps_entered_elsewhere(graph)]
        if not steps and not _MARKS.search(graph.source.text):
            yield from self._unmarked(graph)
        yield from self._of_epochs(graph, steps)
        reported: set[int] = set()
        taken: Taken = set()
        for consumer in graph.consumers if steps else ():
            what = "the `for` loop fetches each element before the step"
            if consumer.kind == "next":
                what = "`next` is called outside of it"
            for step in steps:
                if id(step.use) in reported:
                    continue
                place = _place(graph, consumer, step)
                if place is None or (step.covers(place) and not _is_before(graph, consumer, step)):
                    continue
                reported.add(id(step.use))
                yield self.finding(
                    step.use.span if step.place is step.use.node else span_of(step.place, graph.file),
                    f"`{last_name(step.use.node)}` does not cover the input: {what}",
                    cost=_COST,
                    advice=_ADVICE.format(last_name(step.use.node)),
                    confidence=consumer.dataset.confidence,
                    related=(Related(consumer.span, "the next element is fetched here"),),
                    fix=_fix(graph, consumer, step, taken),
                )

    def _unmarked(self, graph: PipelineGraph) -> Iterator[Finding]:
        """A loop that trains, while a profile runs or around its start and its stop."""
        for consumer in graph.consumers if any(use.name in (*STARTS, *PROFILES) for use in graph.uses) else ():
            loop = consumer.loop if consumer.kind in ("for", "walk", "next") else None
            is_here = consumer.span.file == graph.file and not consumer.context.in_tf_function
            if not isinstance(loop, (ast.For, ast.While)) or not is_here:
                continue
            use = purpose_of_loop(graph, loop)
            profile = _profile_of(graph, loop) if use is not None and use.kind == "training" else None
            if profile is None:
                continue
            yield self.finding(
                consumer.span,
                "The steps of this loop are profiled, but no `Trace` marks them",
                cost="TensorBoard then observes no step marker: the time of a step and its wait for input are unknown",
                advice="Make the iterator before the loop, and put each step with its `next` into"
                " `tf.profiler.experimental.Trace(…, step_num=step, _r=1)`",
                confidence="likely",
                related=(Related(profile.span, "the profile begins here"),),
            )
            return

    def _of_epochs(self, graph: PipelineGraph, steps: list[Step]) -> Iterator[Finding]:
        """A `Trace` in each pass of a loop around a whole pass through the data, whose steps nothing marks."""
        syntax = syntax_of(graph.source)
        for step in steps:
            inside = [part for _, part in code_in(graph, syntax, step.block)]
            for consumer in graph.consumers:
                loop, use = consumer.node, purpose_of(graph, consumer)
                if consumer.kind != "for" or use is None or use.kind != "training" or is_short(consumer):
                    continue
                is_marked = any(other.loop is loop or holds(loop, other.block) for other in steps)
                if is_marked or consumer.context.in_tf_function or not any(holds(part, loop) for part in inside):
                    continue
                yield self.finding(
                    step.use.span,
                    f"`{last_name(step.use.node)}` marks a whole pass through the data as one step",
                    cost="The profiler then shows neither the time of a training step nor its wait for input",
                    advice="Put each step with its `next` into a `Trace` of its own, in the loop over the batches",
                    confidence="likely",
                    related=(Related(consumer.span, "the steps of this loop are not marked"),),
                )
                break


def _profile_of(graph: PipelineGraph, loop: ast.For | ast.While) -> SymbolUse | None:
    """What begins the profile that a loop runs in, or that begins and ends in its passes; none where steps are marked
    in what it calls."""
    syntax, stops = syntax_of(graph.source), stops_of(graph)
    if any(_MARKS.search(there.text) for there, _ in code_in(graph, syntax, loop)):
        return None
    for use, parts in profiled(graph):
        code = (part for whole in parts for _, part in code_in(graph, syntax, whole))
        if any(holds(part, loop) for part in code) and not any(holds(loop, stop.node) for stop in stops):
            return use
    for start in starts_of(graph):
        if _runs_in(syntax, loop, start) and any(_runs_in(syntax, loop, stop) for stop in stops):
            return start
    return None


def _runs_in(syntax: Syntax, loop: ast.AST, use: SymbolUse) -> bool:
    """Does a loop make a call, also by a method of each of its hooks?"""
    return any(holds(loop, place.loop) for place in passes_of(syntax, use.node))


def _place(graph: PipelineGraph, consumer: Consumer, step: Step) -> ast.AST | None:
    """Where the loop of a step takes its element: itself, what it walks, or a call of what pulls it."""
    # A loop over a few elements is a look at them, and what is profiled.
    if step.loop in (consumer.loop, consumer.node) and holds(step.loop, consumer.node):
        return consumer.node
    if isinstance(step.loop, ast.While) and consumer.kind == "next":
        if found := place_in(graph, step.loop.test, consumer.node):
            return found[0]
    if consumer.kind == "next" and consumer.loop is step.loop and consumer.span.file != graph.file:
        calls = (node for node in walk(step.loop) if isinstance(node, ast.Call))
        return next((call for call in calls if _pulls(graph, call, consumer)), None)
    way = syntax_of(graph.source).way(consumer.node)
    walks = consumer.kind in ("for", "walk") or any(isinstance(part, ast.YieldFrom) for part in way[-2:])
    walks |= consumer.kind == "next" and consumer.loop is not step.loop and _is_in_generator(way)
    if consumer.kind == "next" and (consumer.loop is step.loop or _is_in_comprehension(consumer, step)):
        found = place_in(graph, step.loop, consumer.node)
    elif walks and isinstance(step.loop, ast.For):
        # A generator that walks it, made in the loop or before.
        walked = [step.loop.iter, *_behind_names(graph, step.loop.iter)]
        found = next(filter(None, (place_in(graph, one, consumer.node) for one in walked)), None)
    else:
        return None
    return None if found is None else found[0]


def _is_before(graph: PipelineGraph, consumer: Consumer, step: Step) -> bool:
    """Does the function that has the `Trace` take its element above it: `x = next(it)`, `with Trace(…): step(x)`?"""
    way = syntax_of(graph.source).way(step.use.node)
    block = next((part for part in reversed(way) if isinstance(part, ast.With)), None)
    function = next((part for part in reversed(way) if isinstance(part, ast.FunctionDef)), None)
    if block is None or function is None or not isinstance(step.block, ast.Call) or consumer.kind != "next":
        return False
    return holds(function, consumer.node) and not holds(block, consumer.node)


def _is_in_generator(way: list[ast.AST]) -> bool:
    """Is it in a function that hands its elements on one by one?"""
    function = next((part for part in reversed(way) if isinstance(part, (ast.FunctionDef, ast.Lambda))), None)
    return function is not None and any(isinstance(part, ast.Yield) for part in walk(function))


def _behind_names(graph: PipelineGraph, walked: ast.expr) -> list[ast.AST]:
    """What the names in an expression stand for: `stream = batches(ds)` of `enumerate(stream)`."""
    found = (origins(graph, part) for part in walk(walked) if isinstance(part, ast.Name))
    return [places[0].node for places in found if len(places) == 1 and places[0].source is graph.source]


def _is_in_comprehension(consumer: Consumer, step: Step) -> bool:
    """Does each pass take an element of several iterators: `{name: next(it) for name, it in iterators.items()}`?"""
    loops = [loop.node for loop in consumer.context.loops]
    inner = loops[loops.index(step.loop) + 1 :] if step.loop in loops else [None]
    return all(isinstance(node, COMPREHENSIONS) for node in inner)


def _pulls(graph: PipelineGraph, call: ast.Call, consumer: Consumer) -> bool:
    """Does it call what pulls an element in another module?"""
    source, function = called_elsewhere(graph, call.func)
    if function is None or source is not graph.source_of(consumer.span.file):
        return False
    return function.lineno <= consumer.span.row <= (function.end_lineno or 0)


@guarded
def _fix(graph: PipelineGraph, consumer: Consumer, step: Step, taken: Taken) -> Fix:
    draft = Draft(graph)
    if not holds(step.loop, consumer.node):
        draft.refuse("the element is fetched in another function")
        return draft.fix("unsafe", "Fetch the element inside `Trace`", "")
    inside, reason = inside_of(draft, step), ""
    if inside is not None and consumer.kind == "next":
        fetch_what_is_above(draft, consumer.node, inside)
    elif inside is not None:
        same = [other for other in graph.consumers if other.node is step.loop]
        reason = fetch_for_loop(draft, step.loop, inside, same, taken)
    reason = inside.reason or reason if inside is not None else ""
    return draft.fix("unsafe" if reason else "safe", "Fetch the element inside `Trace`", reason)
