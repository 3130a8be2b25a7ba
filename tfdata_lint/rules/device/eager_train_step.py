"""TFD604."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import is_few, is_only_looked_at, is_toy, readers_by_place
from tfdata_lint.pipeline.nouns.stages import Consumer, tips
from tfdata_lint.pipeline.nouns.steps import Step, eager_step
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule


class EagerTrainStep(Rule):
    code = "TFD604"
    name = "eager-train-step"
    group = "performance"
    summary = "A training loop runs its step operation by operation, without tf.function"
    triggers = ("to:for to:next", "text:GradientTape")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 0) or is_tensorflow_1(graph) or graph.tree is None:
            return
        reported: set[int] = set()
        for consumers in readers_by_place(graph, "for", "next"):
            consumer, loop = consumers[0], consumers[0].loop
            if loop is None or any(map(_is_of_no_matter, consumers)):
                continue
            if any(is_only_looked_at(graph, tips(reader.dataset)) for reader in consumers):
                continue
            step = eager_step(graph.tree, graph.source.text, loop)
            if step is None or id(step.tape) in reported:
                continue
            reported.add(id(step.tape))
            what = f"`{step.function.name}`" if step.function is not None else "the training step in this loop"
            can_be_a_graph = step.is_plain and all(map(_has_one_shape, consumers))
            yield self.finding(
                span_of(step.tape.items[0].context_expr, graph.file),
                f"{what[0].upper()}{what[1:]} runs eagerly: no `tf.function` is around it",
                cost="Python starts every operation of every step by itself (measured: 10 to 35 times as long as a"
                " graph for small models, 1.2 times for large convolutions), so that an accelerator waits"
                " however fast the input is",
                advice="Put the step into a function under `@tf.function`, and what is of Python (logging, `.numpy()`)"
                " outside of it",
                severity="warning" if can_be_a_graph else "advice",
                confidence="likely",
                related=(Related(consumer.span, "calls it for every batch"),),
                fix=_fix(graph, step),
            )


def _is_of_no_matter(consumer: Consumer) -> bool:
    if consumer.context.in_test or consumer.context.in_tf_function:
        return True
    return not paths(consumer.dataset, consumer.context.conditions).always(lambda path: not _is_small(path))


def _is_small(path: Path) -> bool:
    return is_toy(path) or is_few(path)


def _has_one_shape(consumer: Consumer) -> bool:
    """A function is traced again for each shape that its arguments have."""
    found = [leaf for tip in tips(consumer.dataset) for leaf in leaves(structure_of(tip))]
    return not any(isinstance(leaf, Tensor) and leaf.shape is not None and None in leaf.shape[1:] for leaf in found)


def _fix(graph: PipelineGraph, step: Step) -> Fix | None:
    if step.function is None or not step.is_plain:
        return None
    draft = Draft(graph)
    draft.decorate(step.function, f"{draft.tensorflow(step.function)}.function")
    return draft.fix(
        "unsafe",
        "Make it a `tf.function`",
        "what Python does in it happens once then, when it is traced, and a graph may round differently",
    )
