"""What elements are that Keras is given: single, without targets, pairs of pairs, of batches, by weights."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.files import RECORDS
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, Paths, paths
from tfdata_lint.pipeline.nouns.questions import HANDING_ON, is_batched
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, tips
from tfdata_lint.pipeline.nouns.structure import Dict_, Structure, Tensor, Tuple_, leaves
from tfdata_lint.pipeline.nouns.values import Constant, Sequence


def is_one_example(structure: Structure) -> bool:
    """Inputs, and a target without any dimension: a batch has one at least."""
    match structure:
        case Tuple_((inputs, Tensor(shape=(), kind="dense"), *_)):
            return all(isinstance(leaf, Tensor) and leaf.shape and (leaf.shape[0] or 0) > 1 for leaf in leaves(inputs))
    return False


def is_single(way: Path) -> bool:
    """Are its elements single records or rows, as far as nothing in a function makes batches of them?"""
    source, *others = way.stages
    is_of_rows = source.op in ("from_tensor_slices", "list_files") or source.operation.reads in RECORDS
    return is_of_rows and not is_batched(way) and all(stage.op == "map" or stage.op in HANDING_ON for stage in others)


def is_single_of_tfds(way: Path) -> bool:
    """Are its elements the single examples of tensorflow_datasets, as they are?"""
    source, *others = way.stages
    is_loaded = source.op == "tfds.load" and not source.has("batch_size") and source.literal("as_supervised") is True
    return is_loaded and all(stage.op in HANDING_ON for stage in others)


def has_no_targets(structure: Structure) -> bool:
    """Is an element one tensor, or a dict of inputs?"""
    match structure:
        case Tuple_((inputs,)):
            return has_no_targets(inputs)
        case Dict_():
            return all(isinstance(leaf, Tensor) for leaf in leaves(structure))
    return isinstance(structure, Tensor)


def zipped_alike(dataset: Dataset) -> Stage | None:
    """The `zip` that makes the elements, of datasets that one place makes, each with inputs and targets of its own."""
    ends = list(tips(dataset))
    stage = ends[0] if len(ends) == 1 else None
    while stage is not None and stage.op != "zip":
        is_kept = (stage.op in HANDING_ON or stage.operation.batches) and len(stage.inputs) == 1
        given = stage.inputs[0] if is_kept else None
        stage = given if isinstance(given, Stage) else None
    if stage is None or len(stage.inputs) < 2 or not all(map(_is_pair, stage.inputs)):
        return None
    return stage if len({tip.span for given in stage.inputs for tip in tips(given)}) == 1 else None


def _is_pair(dataset: Dataset) -> bool:
    match structure_of(dataset):
        case Tuple_((_, _, *_)):
            return True
    return False


def functions_on(way: Path) -> list[ast.AST | None]:
    return [stage.function.node for stage in way.stages if stage.op == "map" and stage.function is not None]


def has_batches_of_it(consumer: Consumer, ways: Paths) -> bool:
    """Does the dataset consist of batches of the size that its consumer is given?"""
    given = consumer.arguments["batch_size"]

    def batched(way: Path) -> bool:
        size = next((s.arguments.get("batch_size") for s in reversed(way.stages) if s.operation.batches), None)
        if size is None:
            return False
        return size.is_same_variable(given) or (size.literal is not ... and size.literal == given.literal)

    return ways.always(batched)


def reader_losing_weights(graph: PipelineGraph, mixture: Stage) -> Consumer | None:
    """Who trains to the end of the last dataset, where datasets that end are sampled by weights that are written."""
    weights = mixture.arguments.get("weights")
    is_whole = mixture.literal("stop_on_empty_dataset", False) is False and not mixture.open_arguments
    if not is_whole or mixture.context.in_test or weights is None or not isinstance(weights.value, Sequence):
        return None
    # Weights that are worked out may be those of the numbers of elements.
    if weights.value.rest is not None or not all(isinstance(weight, Constant) for weight in weights.value.items):
        return None
    if any(later.op in ("take", "take_while", "repeat") for later in graph.downstream(mixture)):
        return None
    if not all(paths(given, mixture.context.conditions).always(_ends) for given in mixture.inputs):
        return None
    readers = (reader for reader in graph.reached(mixture) if reader.kind == "fit")
    return next((reader for reader in readers if reader.literal("steps_per_epoch") is None), None)


def _ends(way: Path) -> bool:
    return not way.is_open and all(stage.is_endless is False for stage in way.stages)
