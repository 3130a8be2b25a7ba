"""TFD408 shuffle-missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.operations import BY_SPLIT
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.files import RECORDS, reader_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, inside, paths
from tfdata_lint.pipeline.nouns.purposes import Purpose, purpose_of
from tfdata_lint.pipeline.nouns.questions import (
    batching,
    is_batched,
    is_few,
    is_shuffled,
    joins_neighbours,
    may_reorder,
)
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, Sequence
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.made_up import is_no_data

#: Their order may be the one that somebody chose, or is nobody's here.
_ARRANGED = frozenset(
    {"window", "group_by_window", "bucket_by_sequence_length", "distribute", "snapshot", "load", "unbatch"}
)
#: Sources whose elements are rows of something, in its order.
_OF_ROWS = frozenset({"from_tensor_slices", *BY_SPLIT})
#: What leaves every element in its place.
_KEEPING = frozenset({
    "map", "batch", "padded_batch", "ragged_batch", "prefetch", "with_options", "cache", "repeat", "assert_cardinality",
    "skip", "take",
})  # fmt: skip
#: Words of who mixes rows in another way, or whose rows are in the order of time.
_MIXED = (
    r"(?<!\.)shuffle|random\.shuffle|permut|train_test_split|\.sample\(|choice\(|argsort|curriculum"
    r"|time_?series|time_?step|forecast|stock|sequence_length|benchmark|tfdf|decision_forests"
)
#: What layers are that go on from one batch to the next.
_GOES_ON = "stateful"


class ShuffleMissing(Rule):
    code = "TFD408"
    name = "shuffle-missing"
    group = "advice"
    summary = "Training reads records in the order of the files"
    unmeasured = "It is about the order of elements, not about speed"
    triggers = (
        "reads from_tensor_slices tfds.load tfds.as_dataset tfds.builder.as_dataset list_files"
        " image_dataset_from_directory text_dataset_from_directory audio_dataset_from_directory",
        "to:fit to:train_on_batch to:input_fn to:for to:walk to:comprehension",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # A shuffle whose result is thrown away is the cause of what is missing: TFD401 names it.
        lost = {part.span for one in graph.discarded if one.stage.op == "shuffle" for part in upstream(one.stage)}
        if _GOES_ON in graph.source.text:
            return
        for consumer in graph.consumers:
            purpose = purpose_of(graph, consumer)
            if purpose is None or purpose.kind != "training" or not purpose.is_certain or consumer.context.in_test:
                continue
            ways = paths(consumer.dataset, consumer.context.conditions)
            if ways.always(partial(_keeps_rows, graph)) and _is_repeated(consumer, ways.paths[0]):
                source = ways.paths[0].stages[0]
                if source.span not in lost and not _may_be_mixed(graph, source):
                    yield self._same_batches(ways.paths[0], consumer, purpose)
                continue
            if not ways.always(_is_ordered):
                continue
            way = ways.paths[0]
            reader = _reader(way) or way.stages[0]
            # Who gives up the order mixes the records of several files.
            if reader is None or reader.span in lost or may_reorder(graph, reader):
                continue
            names = next((stage for stage in way.stages if stage.op == "list_files" and stage.may_shuffle), None)
            yield self.finding(
                reader.span,
                f"{purpose.why[0].upper()}{purpose.why[1:]} gets the records in file order"
                + (": only the file names are shuffled" if names is not None else ": nothing shuffles them"),
                cost=(
                    "Neighboring records land in the same batches in every epoch (measured: of 10,000 records sorted"
                    " by ten classes, 98 % of the batches of 32 have one class)"
                ),
                advice="Add `shuffle(n)` before `batch`, with n as large as memory allows",
                confidence="likely",
                related=(Related(consumer.span, "trained on here"),),
            )

    def _same_batches(self, way: Path, consumer: Consumer, purpose: Purpose) -> Finding:
        source = way.stages[0]
        rows = "rows of the arrays" if source.op == "from_tensor_slices" else "examples"
        # A batch may begin in one epoch and end in the next.
        what = "the same order" if _is_repeated_before_batch(way) else "the same batches"
        return self.finding(
            source.span,
            f"{purpose.why[0].upper()}{purpose.why[1:]} gets {what} in every epoch: nothing shuffles the {rows}",
            cost="Keras shuffles arrays before each epoch, but a dataset keeps their order: neighboring rows land in"
            " the same batches every time"
            if consumer.kind == "fit"
            else "A dataset keeps the order of its source: neighbors land in the same batches every time",
            advice="Add `shuffle(n)` before `batch`, with n the number of rows, or as large as memory allows",
            confidence="likely",
            related=(Related(consumer.span, "trained on here"),),
        )


def _keeps_rows(graph: PipelineGraph, way: Path) -> bool:
    """Do the batches at its end hold rows of arrays, or examples of tensorflow_datasets, as these stand there?"""
    source = way.stages[0]
    if source.op not in _OF_ROWS or source.open_arguments or source.literal("shuffle_files", False) is not False:
        return False
    if source.op in BY_SPLIT and not _is_for_training(graph, way):
        return False
    if not is_batched(way) or is_few(way) or is_no_data(way) or joins_neighbours(way.stages):
        return False
    return all(stage.op in _KEEPING for stage in way.stages[1:])


def _is_for_training(graph: PipelineGraph, way: Path) -> bool:
    """Is the split that a way begins with one for training: an argument, or the key of one of all that are loaded?"""
    source, *others = way.stages
    if source.has("split"):
        split = source.arguments["split"].value
        first = split.items[0] if isinstance(split, Sequence) and split.items else split
        return isinstance(first, Constant) and str(first.value).startswith("train")
    function = getattr(others[0].node, "func", None) if others and others[0].span.file == graph.file else None
    match function:
        case ast.Attribute(value=ast.Subscript(slice=ast.Constant(value=str(key)))):
            return key.startswith("train")
        case ast.Attribute(value=ast.Name(id=name)):
            return re.search(rf"\b{name} *= *[\w.]+\[['\"]train", graph.source.text) is not None
    return False


def _repeats(stage: Stage) -> bool:
    return stage.op == "repeat" and stage.literal("count", -1) not in (0, 1, ...)


def _is_repeated_before_batch(way: Path) -> bool:
    batch = batching(way)
    return batch is not None and any(map(_repeats, way.until(batch).stages))


def _is_repeated(consumer: Consumer, way: Path) -> bool:
    """Does it go over the elements in several epochs, for all that is known?"""
    source = way.stages[0]
    if consumer.kind == "fit":
        epochs = consumer.literal("epochs", 1)
        return consumer.has("epochs") and not consumer.open_arguments and epochs not in (None, 0, 1)
    made_in = [id(loop.node) for loop in source.context.loops]
    # An iterator that is made once goes on where it was.
    once = consumer.iterator if consumer.iterator is not None and not consumer.iterator.restarts else consumer
    is_in_loop = any(id(loop.node) not in made_in for loop in once.context.loops)
    return consumer.kind in ("for", "walk") and (is_in_loop or any(map(_repeats, way.stages)))


def _may_be_mixed(graph: PipelineGraph, source: Stage) -> bool:
    """Are rows put in a random order elsewhere, drawn, or is their order that of time?"""
    return source.context.in_test or re.search(_MIXED, graph.source.text.lower()) is not None


def _is_ordered(way: Path) -> bool:
    """Do records come one after the other as the files have them?"""
    if not (_reader(way) or _is_by_class(way.stages[0])) or is_shuffled(way) or is_few(way):
        return False
    if joins_neighbours(way.stages):
        return False
    parts = [part for stage in way.stages for part in (stage, *inside(stage))]
    return not any(
        part.is_opaque or part.op in _ARRANGED or (part.may_shuffle and part.op != "list_files") for part in parts
    )


def _is_by_class(source: Stage) -> bool:
    """Does it give the files of one folder after those of another, as it is told to?"""
    is_utility = source.op.endswith("_dataset_from_directory") or source.op == "list_files"
    return is_utility and not source.open_arguments and source.literal("shuffle") is False


def _reader(way: Path) -> Stage | None:
    """The stage that reads the records, on the way or in the function of one of its stages."""
    for stage in way.stages:
        if stage.operation.reads in RECORDS:
            return stage
        if (inner := reader_in(stage)) is not None:
            return inner
    return None
