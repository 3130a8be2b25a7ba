"""TFD415 remainder-dropped-in-evaluation."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import bounds_of, number
from tfdata_lint.pipeline.knowledge.functions import KERAS_DATASETS
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths, when
from tfdata_lint.pipeline.nouns.purposes import Purpose, purpose_of
from tfdata_lint.pipeline.nouns.questions import is_few, is_only_looked_at, is_toy, mentions
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import walk

_STEPS = {"validation": "validation_steps", "evaluate": "steps", "predict": "steps"}
#: Who may want batches of one size: a TPU, XLA, a strategy, a model with a fixed batch.
_FULL_BATCHES = ("tpu", "xla", "jit_compile", "strategy", "stateful", "batch_shape", "batch_input_shape")
_TEST_SIZES: Mapping[str, int] = MappingProxyType(
    {**{name: row[5] for name, row in KERAS_DATASETS.items()}, "imdb": 25_000, "boston_housing": 102}
)
"""How many examples the test parts of `tf.keras.datasets` have, by the last words of their names."""


class RemainderDroppedInEvaluation(Rule):
    code = "TFD415"
    name = "remainder-dropped-in-evaluation"
    group = "advice"
    summary = "`drop_remainder=True` in an evaluation: the last examples are never scored"
    unmeasured = "It is about which rows are scored, not about speed"
    triggers = (
        "batches",
        "given:drop_remainder",
        "to:validation to:evaluate to:predict to:input_fn to:for to:walk to:comprehension",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if mentions(graph, _FULL_BATCHES):
            return
        for consumer in graph.consumers:
            purpose = purpose_of(graph, consumer)
            if purpose is None or purpose.kind != "evaluation" or not _reads_all(consumer):
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            dropping = {path: stage for path in known if (stage := _dropping(graph, path)) is not None}
            for stage in dict.fromkeys(dropping.values()):
                if is_only_looked_at(graph, [stage]) or _is_needed(graph, stage):
                    continue
                bad = [path for path, other in dropping.items() if other is stage]
                yield self._report(stage, consumer, purpose, when(bad, known.paths, stage))

    def _report(self, stage: Stage, consumer: Consumer, purpose: Purpose, case: str) -> Finding:
        size = stage.literal("batch_size")
        most = f"up to {size - 1}" if isinstance(size, int) else "almost a batch of"
        lost = "predictions are missing" if consumer.kind == "predict" else "examples are never scored"
        return self.finding(
            stage.span,
            f"`drop_remainder=True` reaches {purpose.why}{case}: {most} {lost}",
            cost="The score covers only part of the data, and it changes with the batch size",
            advice="Drop the remainder only in training",
            confidence=stage.confidence,
            related=(Related(consumer.span, "read to its end here"),),
        )


def _reads_all(consumer: Consumer) -> bool:
    """To the end, where the remainder is: not so many steps, and not in a test."""
    context = consumer.context
    if context.in_test or context.in_strategy_scope:
        return False
    steps = _STEPS.get(consumer.kind)
    return steps is None or not consumer.has(steps) or consumer.literal(steps) is None


def _dropping(graph: PipelineGraph, path: Path) -> Stage | None:
    """The stage that drops a remainder that there may be."""
    if is_toy(path) or is_few(path):
        return None
    for stage in path.stages:
        if stage.context.in_strategy_scope or stage.is_endless is not False:
            # Behind an endless repetition there is no remainder.
            return None
        if stage.operation.batches and stage.literal("drop_remainder") is True and stage.literal("batch_size") != 1:
            return None if _divides(graph, stage) else stage
    return None


def _is_needed(graph: PipelineGraph, stage: Stage) -> bool:
    """Does something else have the size of the batches?"""
    size = stage.arguments.get("batch_size")
    return size is not None and _shapes_something(graph.tree, size.node)


def _divides(graph: PipelineGraph, stage: Stage) -> bool:
    """Is it known that nothing remains: `take(800).batch(8)`, batches of 100 in a file about MNIST?"""
    size, counted = number(stage, "batch_size"), bounds_of(stage.inputs[0]).most if stage.inputs else None
    if size is None or size < 1:
        return False
    return counted % size == 0 if counted else any(known % size == 0 for known in graph.once(_named_sizes))


def _shapes_something(top: ast.AST | None, node: ast.AST) -> bool:
    """Is a variable part of a shape, or given to an object that is made: `tf.zeros([batch, 8])`, `Encoder(batch)`?"""
    if top is None or not isinstance(node, (ast.Name, ast.Attribute)):
        return False
    written = ast.unparse(node)
    for call in (part for part in walk(top) if isinstance(part, ast.Call)):
        for given in (*call.args, *(keyword.value for keyword in call.keywords)):
            parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given] if _makes(call) else []
            if any(ast.unparse(part) == written for part in parts):
                return True
    return False


def _makes(call: ast.Call) -> bool:
    return last_name(call)[:1].isupper()


def _named_sizes(graph: PipelineGraph) -> list[int]:
    """The sizes of the test parts of the datasets of Keras that a file names."""
    return [size for name, size in _TEST_SIZES.items() if f"{name}.load_data" in graph.source.text]
