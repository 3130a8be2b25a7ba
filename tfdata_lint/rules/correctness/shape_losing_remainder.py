"""TFD411."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import amount_of, bounds_of, said
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.lengths import KEEPING, Amount, root_of
from tfdata_lint.pipeline.nouns.questions import by_place
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Mapping_, Sequence, Value
from tfdata_lint.rules.base import Finding, Related, Rule

_BATCHES = ("batch", "padded_batch", "ragged_batch")
_SIZES = {"skip": "count", "window": "size"}
#: As often as there are batches a part of all elements is more than all batches, of however many elements.
_TIMES = 2


class ShapeLosingRemainder(Rule):
    code = "TFD411"
    name = "shape-losing-remainder"
    group = "correctness"
    summary = "A dataset is empty: it has fewer elements than a batch needs or than `skip` skips"
    triggers = ("skip given:drop_remainder",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, *_BATCHES, "skip", "window"):
            stage = stages[0]
            is_certain = all(map(_is_emptied, stages))
            if stage.context.in_test or not (is_certain or all(map(_skips_elements, stages))):
                continue
            *_, source = upstream(stage)
            number, size = said(stage.inputs[0]), stage.arguments.get(_SIZES.get(stage.op, "batch_size"))
            written = "" if size is None else size.written if size.literal is ... else size.literal
            if stage.op == "skip":
                message = f"`skip({written})` leaves nothing of {number or 'the'} {'elements' if number else 'batches'}"
                advice = "After `batch`, `skip` counts batches: skip fewer, or skip before `batch`"
            elif stage.op == "window":
                message = f"{number} elements cannot fill a window of {written}, so `drop_remainder` drops them all"
                advice = "Use smaller windows, or remove `drop_remainder=True`"
            else:
                message = f"{number} elements cannot fill a batch of {written}, so `drop_remainder` drops them all"
                advice = "Use a smaller batch, or remove `drop_remainder=True`"
            yield self.finding(
                stage.span,
                message[0].upper() + message[1:],
                severity="warning",
                cost="The dataset is empty: `fit` and `evaluate` run no step, without an error",
                advice=advice,
                confidence=stage.confidence if is_certain else "likely",
                related=(Related(source.span, "the elements come from here"),),
            )


def _is_emptied(stage: Stage) -> bool:
    """Is nothing left of a number of elements that is known, or known to be no larger?"""
    return bounds_of(stage).most == 0 and bounds_of(stage.inputs[0]).most not in (0, None)


def _skips_elements(stage: Stage) -> bool:
    """Does it skip a part of all elements where they are batches: `batch(32).skip(int(0.8 * len(x)))`?"""
    count = amount_of(stage.arguments["count"].value) if stage.op == "skip" and "count" in stage.arguments else None
    given = _share(stage.inputs[0])
    return count is not None and given is not None and count.of is given.of and count.times >= _TIMES * given.times


@recursive
def _share(dataset: Dataset) -> Amount | None:
    """What part of the rows of an array of unknown length the elements are: 1/32 of `x`, in batches of 32."""
    if not isinstance(dataset, Stage):
        return None
    if dataset.op == "from_tensor_slices":
        return Amount(1.0, root_of(_first(dataset.result)))
    if (dataset.op not in KEEPING and dataset.op not in _BATCHES) or not dataset.inputs:
        return None
    given = _share(dataset.inputs[0])
    if given is None or dataset.op in KEEPING:
        return given
    size = amount_of(dataset.arguments["batch_size"].value) if "batch_size" in dataset.arguments else None
    if size is None or size.of is not None or size.times < 1:
        return None
    return given._replace(times=given.times / size.times)


@recursive
def _first(value: Value | None) -> Value | None:
    """The first of the arrays in a structure: all of them are of one length."""
    match value:
        case Sequence(kind="tuple", items=(first, *_)):
            return _first(first)
        case Mapping_(items=columns) if columns:
            return _first(next(iter(columns.values())))
    return value
