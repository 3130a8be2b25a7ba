"""TFD406."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import counts_elements, is_timed
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import CACHES, has_length, is_toy, readers_by_place
from tfdata_lint.pipeline.nouns.stages import Consumer, tips, upstream
from tfdata_lint.rules.base import Finding, Rule


class EagerCount(Rule):
    code = "TFD406"
    name = "eager-count"
    group = "performance"
    summary = "A whole pass over the data only to count it, where TensorFlow knows the number"
    triggers = ("to:for to:list to:comprehension to:reduce",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumers in readers_by_place(graph, "for", "list", "comprehension", "reduce"):
            consumer = consumers[0]
            counting = _counting(graph, consumer) if all(map(_is_known, consumers)) else ""
            if not counting:
                continue
            reads = any(stage.operation.reads or stage.op == "map" for stage in upstream(consumer.dataset))
            yield self.finding(
                consumer.span,
                f"`{counting}` makes every element only to count them",
                cost="All files are read and all functions run, though TensorFlow knows the number (measured with 400"
                " images: 412 ms instead of 7 ms)"
                if reads
                else "All elements are copied, though TensorFlow knows the number",
                advice="Ask for `cardinality()`, or for `len` of the dataset",
                confidence=next(tips(consumer.dataset)).confidence,
            )


def _counting(graph: PipelineGraph, consumer: Consumer) -> str:
    """The code that counts, where it does nothing else with the elements."""
    if graph.tree is None or consumer.context.in_test or consumer.context.in_tf_function:
        return ""
    counting = counts_elements(graph.tree, consumer.node)
    # A benchmark wants the pass, not the number.
    return counting if counting and not is_timed(graph.tree, consumer.node) else ""


def _is_known(consumer: Consumer) -> bool:
    """Does TensorFlow know the number on every way? A pass that fills a cache has another use."""
    ways = paths(consumer.dataset, consumer.context.conditions)
    return has_length(consumer.dataset) and ways.always(
        lambda path: not is_toy(path) and path.find(*CACHES, "snapshot") is None
    )
