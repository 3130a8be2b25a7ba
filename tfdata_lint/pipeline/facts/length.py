"""How many elements a dataset has, how many rows an array: exactly, at most, or in writing."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import STEPS, Consumer
from tfdata_lint.pipeline.nouns.counts import amount_of, bounds_of, length, number, passes_of, row_counts, steps_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.lengths import KEEPING, numbers_in, numbers_of
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, tips, upstream
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.source.trees import walk

__all__ = [
    "amount_of",
    "bounds_of",
    "length",
    "makes_no_step",
    "number",
    "numbers_in",
    "numbers_of",
    "passes_of",
    "row_counts",
    "said",
    "steps_of",
    "whole_batches",
]

_BATCHES = ("batch", "padded_batch")
#: They cut off what is left of a division.
_ROUNDING = ("int", "floor")


def said(dataset: Dataset) -> str:
    """What is known of the number of elements, as a text: `7`, `at most 100`; empty where nothing is."""
    least, most = bounds_of(dataset)
    return "" if most is None else str(most) if least == most else f"at most {most}"


def makes_no_step(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is Keras told to read 0 batches by a division, `24 // 32`, and not by a setting that may have another value?"""
    if steps_of(consumer) != 0 or consumer.span.file != graph.file:
        return False
    node = consumer.arguments[STEPS[consumer.kind]].node
    return any(
        isinstance(part, (ast.FloorDiv, ast.Div))
        for place in origins(graph, node) or [Place(node, graph.source)]
        for part in walk(place.node)
    )


def whole_batches(graph: PipelineGraph, steps: ast.expr, dataset: Dataset) -> str:
    """How a number of steps says that it is that of the full batches of a dataset, with something left over or
    nobody knows: `n // 32`; empty where it does not."""
    sizes = {number(stage, "batch_size"): stage for tip in tips(dataset) if (stage := _batch(tip)) is not None}
    place, *_ = origins(graph, steps) or [Place(steps, graph.source)]
    match place.node:
        case ast.BinOp(left=count, op=ast.FloorDiv(), right=size):
            pass
        case ast.Call(args=[ast.BinOp(left=count, op=ast.Div(), right=size)]) if last_name(place.node) in _ROUNDING:
            pass
        case _:
            return ""
    known, whole = value_at(graph, size, place.source), value_at(graph, count, place.source)
    if len(sizes) != 1 or (isinstance(known, int) and isinstance(whole, int) and known and whole % known == 0):
        return ""
    (known_size, stage), *_ = sizes.items()
    is_same = known == known_size if isinstance(known, int) else ast.unparse(size) == _written(stage)
    return f"{ast.unparse(count)} // {ast.unparse(size)}" if is_same else ""


def _batch(stage: Stage) -> Stage | None:
    """The batch at the end of a pipeline, behind which there are as many."""
    while (stage.op in KEEPING or stage.op == "repeat") and stage.inputs and isinstance(stage.inputs[0], Stage):
        stage = stage.inputs[0]
    if stage.op not in _BATCHES:
        return None
    # Of several passes over them there is a rest, also where a batch at the end is dropped.
    repeats = any(part.op == "repeat" for part in upstream(stage))
    return stage if repeats or stage.literal("drop_remainder", False) is False else None


def _written(stage: Stage) -> str:
    return stage.arguments["batch_size"].written if "batch_size" in stage.arguments else ""
