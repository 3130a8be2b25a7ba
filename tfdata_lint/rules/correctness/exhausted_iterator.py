"""TFD416 exhausted-iterator."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.generators import only_generator
from tfdata_lint.pipeline.nouns.code import (
    assignments_of,
    attribute_of,
    caught_around,
    is_caught,
    is_given_two,
    targets,
)
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import comes_again, is_for, reaches_the_end, renews, sites, takes_all, walked
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import by_place, endless_stage
from tfdata_lint.pipeline.nouns.stages import Consumer, Loop, Stage, Walk
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule

_NOTHING_LEFT = "An iterator gives its elements once (measured: 4, 0 and 0 elements in three passes), and nothing fails"


#: What catches a StopIteration.
_CATCHING = {"StopIteration", "Exception", "BaseException"}


class ExhaustedIterator(Rule):
    """What is left of an iterator is taken again, when nothing is left."""

    code = "TFD416"
    name = "exhausted-iterator"
    group = "correctness"
    summary = "An iterator is read again when nothing is left of it"
    triggers = ("walk to:next from_generator",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        walks = [*graph.walks, *_pulled(graph)]
        for walk in walks:
            if walk.span in found or walk.context.in_test or not _ends(walk):
                continue
            loop, earlier = _loop_around(graph, walk), _walked_before(walks, walk)
            if loop is not None:
                message = "This iterator is at its end after the first pass of the loop around"
                where = Related(loop.span, "from the second pass on nothing is left")
                advice = "Make the iterator inside of that loop, or loop over the dataset itself"
            elif earlier is not None:
                message = "This iterator is at its end already"
                where = Related(earlier.span, "read to its end here")
                advice = "Make a new iterator, or loop over the dataset itself"
            else:
                continue
            found.add(walk.span)
            made = Related(walk.iterator.span, "made here, once")
            yield self.finding(walk.span, message, cost=_NOTHING_LEFT, advice=advice, related=(made, where))
        yield from self._generators(graph)
        if target.at_least(2, 0) and graph.once(_catches_the_end):
            yield from self._handlers(graph)

    def _generators(self, graph: PipelineGraph) -> Iterator[Finding]:
        for stage, *_ in by_place(graph.stages, "from_generator"):
            drained = _drained(graph, stage)
            again = _read_again(graph, stage) if drained is not None and not stage.context.in_test else None
            if drained is None or again is None:
                continue
            yield self.finding(
                stage.span,
                "Each call of this generator goes on with one iterator that was made outside of it",
                cost="The first pass over the dataset reads it to its end, each later one gets nothing (measured: 4, 0 "
                "and 0 elements), and nothing fails",
                advice="Make the iterator inside of the generator",
                related=(Related(drained, "made here, once"), Related(again, "the dataset is read again")),
            )

    def _handlers(self, graph: PipelineGraph) -> Iterator[Finding]:
        found: set[Span] = set()
        for consumer in graph.consumers:
            if consumer.kind != "next" or consumer.span in found or not _raises_stop_iteration(consumer):
                continue
            caught = caught_around(graph.tree, consumer.node)
            if "OutOfRangeError" not in caught or caught & _CATCHING:
                continue
            ways = paths(consumer.dataset, consumer.context.conditions)
            if any(endless_stage(way) is not None for way in ways):
                continue
            found.add(consumer.span)
            is_known = ways.always(lambda way: not way.is_open)
            yield self.finding(
                consumer.span,
                "At the end of the dataset `next` raises a StopIteration, and only OutOfRangeError is caught here",
                cost="The program stops with the StopIteration after the last element: what TensorFlow 1 raised under a"
                " session comes only from `get_next()` and out of a `tf.function`",
                advice="Catch StopIteration, or loop over the dataset with `for`",
                severity=None if is_known else "warning",
                confidence="proven" if is_known else "likely",
            )


def _catches_the_end(graph: PipelineGraph) -> bool:
    """Is the end that TensorFlow 1 had caught anywhere?"""
    name = "OutOfRangeError"
    return graph.tree is not None and name in graph.source.text and is_caught(name, graph.tree)


def _pulled(graph: PipelineGraph) -> Iterator[Walk]:
    """The loops that call `next` until there is no more."""
    for consumer in graph.consumers:
        if consumer.kind == "next" and consumer.iterator is not None and consumer.loop is not None:
            *outer, loop = consumer.context.loops
            if takes_all(loop.node, consumer.node):
                context = consumer.context._replace(loops=tuple(outer))
                yield Walk(consumer.iterator, consumer.node, consumer.span, context)


def _drained(graph: PipelineGraph, stage: Stage) -> Span | None:
    """Where the iterator is made that every call of a generator goes on with."""
    if stage.python is not None and stage.python.drains is not None:
        return stage.python.drains.span
    made = only_generator(stage, graph)
    return span_of(made.value, stage.span.file) if made is not None else None


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
            if id(loop.node) not in made_in and comes_again(loop.node, consumer.node):
                return consumer.span
    return None


def _raises_stop_iteration(consumer: Consumer) -> bool:
    """Is it `next(it)` of an iterator outside of graphs, without a default?"""
    if consumer.target not in ("next", "__next__") or consumer.context.in_tf_function:
        return False
    return consumer.iterator is not None and not is_given_two(consumer.node)


def _ends(walk: Walk) -> bool:
    """Does the loop or call itself go on to the end, if there is one?"""
    ways = paths(walk.iterator.dataset, walk.iterator.context.conditions)
    if any(endless_stage(way) is not None for way in ways):
        return False
    return not is_for(walk.node) or reaches_the_end(walk.node)


def _loop_around(graph: PipelineGraph, walk: Walk) -> Loop | None:
    """A loop that comes to the same iterator in several passes."""
    made_in = [id(loop.node) for loop in walk.iterator.context.loops]
    loops = [loop for loop in walk.context.loops if id(loop.node) not in made_in]
    if not loops or _may_be_renewed(graph, walk):
        return None
    made = targets(graph.tree, walk.iterator.node)
    for loop in loops:
        for site in sites(loop.node, walk.node, walk.context.definition):
            if comes_again(loop.node, site) and not renews(loop.node, walked(site), *made):
                return loop
    return None


def _may_be_renewed(graph: PipelineGraph, walk: Walk) -> bool:
    """Is it an attribute that something else sets as well?"""
    attribute = attribute_of(walked(walk.node))
    return bool(attribute) and assignments_of(graph.tree, attribute) != 1


def _walked_before(walks: list[Walk], walk: Walk) -> Walk | None:
    """What has taken everything just before, in the same passes of the same loops."""
    for other in walks:
        if other.iterator is not walk.iterator or other.span == walk.span or not _ends(other):
            continue
        here, there = walk.context, other.context
        is_same_place = (here.definition, here.root, here.loops) == (there.definition, there.root, there.loops)
        if is_same_place and other.span < walk.span and set(there.conditions) <= set(here.conditions):
            return other
    return None
