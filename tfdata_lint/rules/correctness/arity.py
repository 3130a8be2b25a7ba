"""How many arguments a mapped function takes, and how many it is given."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.questions import HANDING_ON
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, Given, Join, Stage
from tfdata_lint.pipeline.nouns.structure import Structure, Unknown, arguments_of
from tfdata_lint.pipeline.nouns.values import Expr, Partial, Sequence, Value

#: Operations whose function is given the parts of an element one by one.
UNPACKING = (
    "map", "filter", "flat_map", "interleave", "take_while", "map_and_batch", "parallel_interleave", "group_by_window",
    "bucket_by_sequence_length",
)  # fmt: skip
#: These leave an element a dict, or a pair.
_REGULAR = HANDING_ON | {"batch", "padded_batch", "unbatch", "rebatch", "window"}
_TFDS = ("tfds.load", "tfds.as_dataset")
#: Sources of dicts, which give pairs where this argument names the labels.
_LABELLED = {"make_csv_dataset": "label_name", "make_batched_features_dataset": "label_key"}


class Misfit(NamedTuple):
    """A mapped function that cannot be called with the elements that it is given."""

    takes: int
    or_more: bool
    given: int
    element: Structure
    source: Stage | None
    """Where the elements are dicts because of its arguments, or the lack of one."""


def misfit(stage: Stage) -> Misfit | None:
    """Does the function of a stage take more or fewer arguments than it is given, for sure?"""
    if stage.op not in UNPACKING or not stage.inputs or stage.function is None or stage.function.is_wrapped:
        return None
    argument, node = stage.arguments.get(stage.operation.functions[0]), stage.function.node
    match stage.result:
        case Expr(by="mapped", of=(Given(count=takes, exact=exact), _)) if node and not _is_for_others(node):
            pass
        case _:
            return None
    element, source = structure_of(stage.inputs[0]), None
    if isinstance(element, Unknown):
        source = source_of_dicts(stage.inputs[0])
    arguments = arguments_of(element)
    is_one = source is not None or (isinstance(element, Unknown) and _starts_from_list(stage.inputs[0]))
    given = 1 if is_one else len(arguments) if arguments is not None else takes
    if given == takes or (given > takes and not exact):
        return None
    if given < takes and argument is not None and _may_be_filled(argument.value):
        return None
    return Misfit(takes, not exact, given, element, source)


def _may_be_filled(function: Value) -> bool:
    """Is it a `partial` of which not all arguments are seen?"""
    while isinstance(function, Partial) and not function.is_open:
        function = function.function
    return isinstance(function, Partial)


@recursive
def source_of_dicts(dataset: Dataset) -> Stage | None:
    """The source whose elements are dicts, because no argument asks for pairs."""
    if isinstance(dataset, Join):
        return None
    if dataset.op in _REGULAR and len(dataset.inputs) == 1:
        return source_of_dicts(dataset.inputs[0])
    if dataset.open_arguments:
        return None
    if dataset.op in _TFDS and not dataset.has("read_config") and not dataset.has("as_dataset_kwargs"):
        return dataset if dataset.literal("as_supervised", False) is False else None
    label = _LABELLED.get(dataset.op)
    return dataset if label is not None and dataset.literal(label) is None else None


@recursive
def _starts_from_list(dataset: Dataset) -> bool:
    """Does it start from a list, of which each element is one thing, whatever the list holds?"""
    if isinstance(dataset, Stage) and dataset.op in _REGULAR and len(dataset.inputs) == 1:
        return _starts_from_list(dataset.inputs[0])
    tensors = dataset.arguments.get("tensors") if isinstance(dataset, Stage) and not dataset.inputs else None
    return tensors is not None and isinstance(tensors.value, Sequence) and tensors.value.kind == "list"


def _is_for_others(function: ast.AST | None) -> bool:
    """Does a function nothing itself, so that another one is meant to take its place?"""
    return isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and all(
        isinstance(part, (ast.Pass, ast.Raise)) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in function.body
    )
