"""What training does with each part of the elements: the inputs, the targets, the weights."""

from __future__ import annotations

from collections.abc import Sequence as Several
from typing import Any

from tfdata_lint.pipeline.nouns.code import has_own_steps
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import HANDING_ON
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence

_KEEPING = HANDING_ON | {"batch", "padded_batch", "ragged_batch", "unbatch", "rebatch"}
_TRAINING = ("fit", "evaluate", "validation")


def roles(graph: PipelineGraph, stage: Stage, parts: int) -> list[frozenset[int]]:
    """Which parts of a stage's tuples Keras takes as x, as y, and as weights; empty where it does not, or not seen."""
    if has_own_steps(graph.tree, graph.source.text):
        return []
    for consumer in graph.reached(stage):
        for path in paths(consumer.dataset, consumer.context.conditions) if consumer.kind in _TRAINING else ():
            if stage in path.stages and (found := _through(path.after(stage), parts)):
                return found
    return []


def _through(stages: Several[Stage], parts: int) -> list[frozenset[int]]:
    """Of which parts of an element the parts of what stages make of it are made."""
    held = [frozenset({number}) for number in range(parts)]
    for stage in stages:
        if stage.op in _KEEPING:
            continue
        result = stage.function.result if stage.op == "map" and stage.function is not None else None
        made = result.of[1] if isinstance(result, Expr) and result.by == "mapped" else None
        if not isinstance(made, Sequence) or made.kind != "tuple" or made.rest is not None:
            return []
        held = [frozenset[int]().union(*(held[n] for n in _read(item) if n < len(held))) for item in made.items]
    return held if 1 < len(held) < 4 else []


def _read(value: Any) -> set[int]:
    """The parameters that a value is made of."""
    found = (expr.of[1] for expr in expressions(value) if expr.by == "parameter" and len(expr.of) > 1)
    return {number.value if isinstance(number, Constant) else number for number in found}
