"""TFD611."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import passes
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at, readers_by_place
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.nouns.steps import Retraced, retraced_call
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule

#: Traces that nobody notices.
_FEW = 5


class RetracingArgument(Rule):
    code = "TFD611"
    name = "retracing-argument"
    group = "performance"
    summary = "A tf.function gets another Python number in every step, and is traced anew for each"
    triggers = ("to:for to:next", "text:function")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[int] = set()
        for consumers in readers_by_place(graph, "for", "next"):
            consumer, loop = consumers[0], consumers[0].loop
            if graph.tree is None or loop is None or consumer.context.in_test or consumer.context.in_tf_function:
                continue
            if any(is_only_looked_at(graph, tips(reader.dataset)) for reader in consumers):
                continue
            full_name = syntax_of(graph.source).scopes.full_name
            found = retraced_call(graph.tree, graph.source.text, loop, full_name)
            if found is None or id(found.call) in reported or (passes(loop) or _FEW + 1) <= _FEW:
                continue
            reported.add(id(found.call))
            yield self.finding(
                span_of(found.number, graph.file),
                f"`{found.number.id}` is another number of Python in every step, for which `{found.function}` is traced"
                " anew",
                cost="A `tf.function` keeps a graph for each value of Python that it is given: every step traces the"
                " function again (20 numbers gave 20 traces), which takes longer than without `tf.function`, and the"
                " graphs stay in memory",
                advice=f"Give it a tensor: `tf.constant({found.number.id})`, or count in a `tf.Variable`",
                related=(Related(consumer.span, "each pass counts on"),),
                fix=_fix(graph, found),
            )


def _fix(graph: PipelineGraph, found: Retraced) -> Fix:
    draft = Draft(graph)
    draft.replace(found.number, f"{draft.tensorflow(found.number)}.constant({found.number.id})")
    return draft.fix(
        "unsafe", "Give it a tensor", "what the function does with a number of Python may not work with one"
    )
