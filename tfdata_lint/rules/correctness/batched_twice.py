"""TFD425 batched-twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.nouns.code import has_own_steps
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths, when
from tfdata_lint.pipeline.nouns.questions import HANDING_ON, SHUFFLES, batching, consumed
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Related, Rule

_KERAS = ("fit", "evaluate", "predict", "validation")
#: Batches of fewer may be pairs, bags or the examples of a task.
_SMALLEST = 8
#: Sources that batch whatever they are given; to the utilities of Keras, None as the size says not to.
_ALWAYS = ("make_csv_dataset", "make_batched_features_dataset")


class _Twice(NamedTuple):
    first: Stage
    second: Stage
    confidence: Confidence


class BatchedTwice(Rule):
    code = "TFD425"
    name = "batched-twice"
    group = "correctness"
    summary = "`batch` after `batch`: Keras gets batches of batches"
    triggers = ("batches", "to:fit to:evaluate to:predict to:validation")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in consumed(graph, *_KERAS):
            known = tuple(paths(consumer.dataset, consumer.context.conditions))
            judged = [_twice(path) for path in known]
            worst = next(filter(None, judged), None)
            if worst is None or has_own_steps(graph.tree, graph.source.text):
                continue
            bad = [path for path, twice in zip(known, judged, strict=True) if twice is not None]
            yield self._finding(worst, consumer, when(bad, known))

    def _finding(self, twice: _Twice, consumer: Consumer, case: str) -> Finding:
        first, second, confidence = twice
        return self.finding(
            second.span,
            f"`{second.op}` batches again: {_named(first, second)} already makes batches{case}",
            cost=(
                f"`{consumer.target}` gets one dimension too many and raises an error about an invalid input shape, or"
                " about batches of different sizes"
            ),
            advice=f"Remove this `{second.op}`, or put `unbatch()` before it to change the batch size",
            severity="error" if confidence == "proven" else "warning",
            confidence=confidence,
            related=(Related(first.span, "makes the batches that are batched again"),),
        )


def _named(first: Stage, second: Stage) -> str:
    """The first stage, told apart from the second one."""
    if not first.inputs:
        return f"`{first.op}`"
    here, there = second.context.definition, first.context.definition
    return f"`{first.op}` in `{there.rpartition('.')[2]}`" if there and there != here else f"an earlier `{first.op}`"


def _twice(path: Path) -> _Twice | None:
    """The two stages that batch, where the examples are whole before the first one and batches are wanted."""
    second = batching(path)
    if second is None or not second.operation.batches or not second.inputs or second.op == "rebatch":
        return None
    given = path.until(second)
    first = batching(given)
    if first is None or (not first.operation.batches and first.inputs):
        return None
    # Anything else may make other elements of the batches, before or after they are batched again.
    if not all(map(_keeps_rows, (*given.after(first), *path.after(second)))):
        return None
    is_source = not first.inputs
    confidence = _is_certain(first, second) if is_source else _is_meant_as_batch(first, second, path.until(first))
    if confidence is None:
        return None
    return _Twice(first, second, "likely" if "likely" in (first.confidence, second.confidence) else confidence)


def _keeps_rows(stage: Stage) -> bool:
    if stage.op == "map":
        return stage.function is not None and stage.function.rows == "apart"
    return stage.op in HANDING_ON


def _is_certain(source: Stage, second: Stage) -> Confidence | None:
    """A source of batches. In the order of their names, files may be frames of one video."""
    size, other = source.arguments.get("batch_size"), second.arguments.get("batch_size")
    # What the second one takes is a number, and no None.
    is_number = size is None or isinstance(size.literal, int) or (other is not None and size.is_same_variable(other))
    is_batched = is_number or source.op in _ALWAYS
    return "proven" if is_batched and (source.may_shuffle or not source.operation.shuffles) else None


def _is_meant_as_batch(first: Stage, second: Stage, before: Path) -> Confidence | None:
    """Without a shuffle, the rows may be the steps of a sequence; batches of one size may be for a device each."""
    size = first.arguments.get("batch_size")
    other = second.arguments.get("batch_size")
    if size is None or other is None or first.literal("drop_remainder", False) is not False:
        return None
    if isinstance(size.literal, int) and size.literal < _SMALLEST:
        return None
    is_same = size.is_same_variable(other) or (size.literal is not ... and size.literal == other.literal)
    if _mixes_examples(before):
        return "proven" if is_same else "likely"
    return "likely" if size.is_same_variable(other) else None


def _mixes_examples(path: Path) -> bool:
    """Are examples that follow one another strangers?"""
    for stage in reversed(path.stages):
        if stage.op in SHUFFLES:
            return True
        if stage.op != "map" and stage.op not in HANDING_ON:
            return False
    return False
