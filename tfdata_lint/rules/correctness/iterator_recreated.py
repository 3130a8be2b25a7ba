"""TFD403 iterator-recreated."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import calls_around, changes, passes, runs_in_every_pass, uses_once
from tfdata_lint.pipeline.nouns.stages import Consumer, Loop, Stage, tips, upstream
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.loops import Taken, make_before
from tfdata_lint.rules.base import Finding, Fix, Related, Rule

_SHOWING = frozenset({"print", "display", "imshow", "show", "plot", "info", "debug"})
#: Passes of a literal `range` up to which a loop looks at the data rather than trains on it.
_FEW = 4


_KINDS = ("iter", "as_numpy_iterator", "make_iterator")
_MAKING = ("iter", "as_numpy_iterator", "make_one_shot_iterator")


class IteratorRecreated(Rule):
    """A loop takes one element of a new iterator in every pass."""

    code = "TFD403"
    name = "iterator-recreated"
    group = "performance"
    summary = "A new iterator for every step: the pipeline starts again, and gives its first batch again"
    triggers = ("to:iter to:as_numpy_iterator to:make_iterator", "loop")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        taken: Taken = set()
        for consumer in graph.consumers:
            if consumer.kind not in _KINDS or consumer.target not in _MAKING or consumer.iterator is None:
                continue
            if not consumer.context.loops or consumer.context.in_test:
                continue
            loop = consumer.context.loops[-1]
            if not _pulls_only_here(graph, consumer, loop) or not _is_made_outside(consumer, loop):
                continue
            if not _trains(consumer, loop):
                continue
            stage = next(tips(consumer.dataset))
            yield self.finding(
                consumer.span,
                "Every pass of this loop makes a new iterator and takes its first element",
                cost="A new iterator starts threads, source and shuffle buffer again and returns the first batch again "
                "(measured: 20 to 50 times slower with a shuffle, 6 times without)",
                advice="Make the iterator once, before the loop, or loop over the dataset",
                confidence=stage.confidence,
                related=(Related(loop.span, "the loop"), Related(stage.span, "the dataset is made outside of it")),
                fix=_fix(graph, consumer, loop, taken),
            )


def _pulls_only_here(graph: PipelineGraph, consumer: Consumer, loop: Loop) -> bool:
    """Is one `next` all that happens to the iterator, in this loop and in none inside of it?"""
    pulls = [other for other in graph.consumers if other.kind == "next" and other.iterator is consumer.iterator]
    if any(pull.loop is not loop.node for pull in pulls):
        return False
    # Several elements of one iterator are a short epoch.
    return uses_once(loop.node, consumer.node, [pull.node for pull in pulls])


def _is_made_outside(consumer: Consumer, loop: Loop) -> bool:
    """Neither the dataset nor a name it is reached by changes in the loop."""
    if any(other.node is loop.node for tip in tips(consumer.dataset) for other in tip.context.loops):
        return False
    return not changes(loop.node, consumer.node)


def _trains(consumer: Consumer, loop: Loop) -> bool:
    """Does it take an element in each of many passes, and not to show it?"""
    number = passes(loop.node)
    if (number is not None and number <= _FEW) or _SHOWING & calls_around(loop.node, consumer.node):
        return False
    return runs_in_every_pass(loop.node, consumer.node)


def _fix(graph: PipelineGraph, consumer: Consumer, loop: Loop, taken: Taken) -> Fix | None:
    if consumer.kind == "make_iterator":
        # There are two statements to move: it, and its `get_next`.
        return None
    draft = Draft(graph)
    ends = any(map(_ends, tips(consumer.dataset)))
    make_before(draft, loop.node, consumer.node, taken, repeated=ends)
    then = "begins again at the end" if ends else "ends with StopIteration when there are no more"
    return draft.fix(
        "unsafe", "Make the iterator before the loop", f"the loop then sees one batch after the other, and {then}"
    )


def _ends(stage: Stage) -> bool:
    """Does nothing that is seen keep a dataset from running out?"""
    for part in upstream(stage):
        if part.op == "take":
            return True
        if part.is_opaque or part.is_endless is not False:
            return False
    return True
