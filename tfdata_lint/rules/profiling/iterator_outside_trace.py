"""TFD501."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.nouns.purposes import purpose_of
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.python.runs import place_in
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import Taken
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.device.eager_steps import called_elsewhere
from tfdata_lint.rules.profiling.fetching import fetch_for_loop, fetch_what_is_above, inside_of
from tfdata_lint.rules.profiling.profiles import starts_of, stops_of
from tfdata_lint.rules.profiling.traces import Step, steps_entered_elsewhere, steps_of
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
                if place is None or step.covers(place):
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
        """A loop that trains, between the start and the stop of a profile or around both."""
        starts, stops = starts_of(graph), stops_of(graph)
        for consumer in graph.consumers if starts and stops else ():
            loop, use = consumer.loop, purpose_of(graph, consumer)
            if not isinstance(loop, (ast.For, ast.While)) or use is None or use.kind != "training":
                continue
            first, last = starts[0].node, stops[-1].node
            is_between = first.lineno < loop.lineno and (loop.end_lineno or 0) < last.lineno
            scope = scope_of(graph.tree, loop)
            if is_between == (holds(loop, first) and holds(loop, last)) or scope is not scope_of(graph.tree, first):
                continue
            yield self.finding(
                consumer.span,
                "The steps of this loop are profiled, but no `Trace` marks them",
                cost="TensorBoard then observes no step marker: the time of a step and its wait for input are unknown",
                advice="Make the iterator before the loop, and put each step with its `next` into"
                " `tf.profiler.experimental.Trace(…, step_num=step, _r=1)`",
                confidence="likely",
                related=(Related(starts[0].span, "the profile begins here"),),
            )
            return


def _place(graph: PipelineGraph, consumer: Consumer, step: Step) -> ast.AST | None:
    """Where the loop of a step takes its element: itself, what it walks, or a call of what pulls it."""
    # A loop over a few elements is a look at them, and what is profiled.
    if step.loop in (consumer.loop, consumer.node) and holds(step.loop, consumer.node):
        return consumer.node
    if isinstance(step.loop, ast.While) and consumer.kind == "next" and holds(step.loop.test, consumer.node):
        return consumer.node
    if consumer.kind == "next" and consumer.loop is step.loop and consumer.span.file != graph.file:
        calls = (node for node in walk(step.loop) if isinstance(node, ast.Call))
        return next((call for call in calls if _pulls(graph, call, consumer)), None)
    walks = consumer.kind in ("for", "walk") or isinstance(consumer.node, ast.YieldFrom)
    if consumer.kind == "next" and (consumer.loop is step.loop or _is_in_comprehension(consumer, step)):
        found = place_in(graph, step.loop, consumer.node)
    elif walks and isinstance(step.loop, ast.For):
        # A generator that walks it.
        found = place_in(graph, step.loop.iter, consumer.node)
    else:
        return None
    return None if found is None else found[0]


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
