"""TFD433 labels-against-loss."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.maker import loss_of, units_of
from tfdata_lint.pipeline.facts.scale import COLUMN, INDICES, ONE_HOT, meaning_of, part
from tfdata_lint.pipeline.nouns.code import has_own_steps
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.structure import Structure, Tensor, Tuple_
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.correctness.labels_against_loss.table import REFUSED
from tfdata_lint.rules.correctness.models import related_here

_FORMS = {
    INDICES: "Each label is one number",
    COLUMN: "The labels are a column of 0 and 1",
    ONE_HOT: "The labels are one-hot vectors",
}
_ADVICE = {
    INDICES: "Compile with `sparse_categorical_crossentropy`, or make them one-hot: `label_mode='categorical'`, "
    "`tf.one_hot`",
    COLUMN: "Compile with `binary_crossentropy` and one output, or load them with `label_mode='categorical'`",
    ONE_HOT: "Compile with `categorical_crossentropy`, or keep the numbers: `label_mode='int'`, no `tf.one_hot`",
}
_SPARSE = ("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy")
_CATEGORICAL = ("CategoricalCrossentropy", "categorical_crossentropy")
_BINARY = ("BinaryCrossentropy", "binary_crossentropy")
_KINDS = ("fit", "evaluate", "validation")


class LabelsAgainstLoss(Rule):
    code = "TFD433"
    name = "labels-against-loss"
    group = "correctness"
    summary = "Labels in a form that the loss does not take: one-hot for a sparse loss, numbers for a categorical one"
    triggers = (
        "image_dataset_from_directory text_dataset_from_directory tfds.load text:load_data "
        "call:one_hot call:to_categorical text:one_hot "
        "text:to_categorical",
        "to:fit to:evaluate to:validation",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            form = part(meaning_of(consumer.dataset), 1) if consumer.kind in _KINDS else ""
            if not isinstance(form, str) or form not in _FORMS:
                continue
            if consumer.context.in_test or consumer.span.file != graph.file:
                continue
            loss = loss_of(consumer.model)
            if loss is None or has_own_steps(graph.tree, graph.source.text):
                continue
            compiled, name = loss
            problem, advice = _problem(consumer, form, name)
            if problem:
                yield self.finding(
                    consumer.span,
                    f"{_FORMS[form]}, but {problem}",
                    cost="Keras raises an error, or computes a loss that is always 0",
                    advice=advice,
                    related=related_here(graph, compiled.call, "the loss of the model"),
                )


def _problem(consumer: Consumer, form: str, loss: str) -> tuple[str, str]:
    """What does not fit the labels, and what to do; empty where all does, as far as one sees."""
    if form in REFUSED.get(loss, ()):
        return f"the loss is `{loss}`", _ADVICE[form]
    units = units_of(consumer.model)
    if units is None:
        return "", ""
    problem = f"the model has {units} {'output' if units == 1 else 'outputs'} for `{loss}`"
    if loss in _SPARSE and form == INDICES and units == 1:
        return problem, "Give the last layer an output for each class, or compile with `binary_crossentropy`"
    if loss in _BINARY and (form == ONE_HOT) == (units == 1):
        return (
            problem,
            "Compile with a loss for so many classes, or give the last layer one output and keep the numbers",
        )
    width = _width(structure_of(consumer.dataset)) if form == ONE_HOT else None
    if width is not None and width != units and loss in (*_CATEGORICAL, *_BINARY):
        return f"the model has {units} outputs for {width} classes", f"Give the last layer {width} outputs"
    return "", ""


def _width(element: Structure) -> int | None:
    """The classes of one-hot labels, where their number is known."""
    match element:
        case Tuple_((_, Tensor(shape=(_, int(width)), kind="dense"), *_)) if width > 0:
            return width
    return None
