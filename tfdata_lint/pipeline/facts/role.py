"""What training does with each part of the elements: the inputs, the targets, the weights."""

from __future__ import annotations

import ast
from collections.abc import Sequence as Several
from typing import Any

from tfdata_lint.pipeline.nouns.code import has_own_steps, last_name, names
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import HANDING_ON
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence
from tfdata_lint.source.trees import walk

_KEEPING = HANDING_ON | {"batch", "padded_batch", "ragged_batch", "unbatch", "rebatch"}
_TRAINING = ("fit", "evaluate", "validation")


def roles(graph: PipelineGraph, stage: Stage, parts: Several[Any]) -> list[frozenset[Any]]:
    """Which parts of a stage's tuples, or dicts, Keras takes as x, as y, and as weights; empty where it is not seen."""
    if has_own_steps(graph.tree, graph.source.text):
        return []
    for consumer in graph.reached(stage):
        is_loop = isinstance(consumer.node, ast.For)
        for path in paths(consumer.dataset, consumer.context.conditions):
            if stage not in path.stages or (consumer.kind not in _TRAINING and not is_loop):
                continue
            found = _through(path.after(stage), parts)
            if isinstance(consumer.node, ast.For):
                found = _trained_on(consumer.node, found)
            if found:
                return found
    return []


def _trained_on(loop: ast.For, held: list[frozenset[Any]]) -> list[frozenset[Any]]:
    """What a loop gives `train_on_batch(x, y)` of the parts that it walks."""
    targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
    called = {ast.unparse(target): part for target, part in zip(targets, held, strict=False)}
    calls = [call for call in walk(loop) if isinstance(call, ast.Call) and last_name(call) == "train_on_batch"]
    if len(calls) != 1 or len(targets) != len(held):
        return []
    taken = [[called[name] for name in names(argument) if name in called] for argument in calls[0].args]
    return [parts[0] if len(parts) == 1 else frozenset() for parts in taken]


def _through(stages: Several[Stage], parts: Several[Any]) -> list[frozenset[Any]]:
    """Of which parts of an element the parts of what stages make of it are made."""
    held = [frozenset({part}) for part in parts]
    # A dict is one argument, whose items are the parts.
    keys = {part: number for number, part in enumerate(parts) if isinstance(part, str)}
    for stage in stages:
        if stage.op in _KEEPING:
            continue
        result = stage.function.result if stage.op == "map" and stage.function is not None else None
        made = result.of[1] if isinstance(result, Expr) and result.by == "mapped" else None
        if not isinstance(made, Sequence) or made.kind != "tuple" or made.rest is not None:
            return []
        held = [frozenset[Any]().union(*(held[n] for n in _read(item, keys) if n < len(held))) for item in made.items]
        keys = {}
    return held if 1 < len(held) < 4 and not keys else []


def _read(value: Any, keys: dict[Any, int]) -> set[int]:
    """The parameters that a value is made of, or the items by these keys."""
    found: set[int] = set()
    for expr in expressions(value):
        match expr:
            case Expr(by="item", of=(Expr(by="parameter"), Constant(key))) if keys:
                found.add(keys.get(key, 0))
            case Expr(by="parameter", of=(_, number)) if not keys:
                found.add(number.value if isinstance(number, Constant) else number)
    return found
