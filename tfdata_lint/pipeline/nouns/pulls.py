"""How many elements a consumer takes in a run of the program, where written numbers say so."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from itertools import takewhile
from math import prod

from tfdata_lint.pipeline.nouns.code import last_name, way
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import passes, scope_of
from tfdata_lint.source.trees import walk

#: What says how many steps an epoch has, and which consumers have several epochs.
_STEPS = {
    "fit": ("steps_per_epoch", 1), "evaluate": ("steps", None), "predict": ("steps", None),
    "validation": ("validation_steps", 1),
}  # fmt: skip
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def pulled(graph: PipelineGraph, consumer: Consumer) -> int | None:
    """How many elements it takes at most; None where nothing tells, or where nobody is seen to call its function."""
    if consumer.context.root and consumer.kind != "make_iterator":
        return None
    if consumer.kind in _STEPS:
        own = _of_keras(consumer)
    elif consumer.kind == "make_iterator":
        own = _of_session(graph, consumer)
    else:
        return _of_iterator(graph, consumer)
    return _in_all(prod, [own, *(loop.passes for loop in consumer.context.loops)])


def _of_keras(consumer: Consumer) -> int | None:
    steps, epochs = _STEPS[consumer.kind]
    counts = (consumer.literal(steps), 1 if epochs is None else consumer.literal("epochs", epochs))
    return _in_all(prod, (count if isinstance(count, int) else None for count in counts))


def _of_iterator(graph: PipelineGraph, consumer: Consumer) -> int | None:
    """What is taken from an iterator by `next`, where it is held by a name that goes nowhere else."""
    if consumer.iterator is None:
        return None
    pulls = [
        other
        for other in graph.consumers
        if other.kind == "next"
        and (other.iterator is consumer.iterator or (other.form and other.form == consumer.form))
        and other.dataset is consumer.dataset
    ]
    taking = {id(part) for pull in pulls for part in walk(pull.node)}
    if not pulls or not _is_only_in(graph, consumer.node, taking):
        return None
    return _in_all(sum, (_in_all(prod, (loop.passes for loop in pull.loops)) for pull in pulls))


def _is_only_in(graph: PipelineGraph, made: ast.AST, taking: set[int]) -> bool:
    """Is a value used where it is made, or by a name that stands in these nodes only?"""
    if id(made) in taking:
        return True
    around = way(graph.tree, made)
    match around[1] if len(around) > 1 else None:
        case ast.Assign(targets=[ast.Name(id=name)]):
            uses = (part for part in walk(graph.tree) if isinstance(part, ast.Name) and part.id == name)
            return all(id(part) in taking for part in uses if isinstance(part.ctx, ast.Load))
    return False


def _of_session(graph: PipelineGraph, consumer: Consumer) -> int | None:
    """The runs of sessions in the function that makes an iterator of TensorFlow 1, and returns nothing."""
    scope = scope_of(graph.tree, consumer.node)
    parts = list(walk(scope))
    if scope is not graph.tree and any(isinstance(part, ast.Return) and part.value is not None for part in parts):
        return None
    runs = [part for part in parts if isinstance(part, ast.Call) and last_name(part) == "run"]
    return _in_all(sum, (_runs(graph, scope, run) for run in runs)) if runs else None


def _runs(graph: PipelineGraph, scope: ast.AST, run: ast.Call) -> int | None:
    """How often a call runs when its scope does once."""
    if scope_of(graph.tree, run) is not scope:
        return None
    inner = takewhile(lambda node: node is not scope, way(graph.tree, run))
    return _in_all(prod, (passes(node, graph.ranges) for node in inner if isinstance(node, _LOOPS)))


def _in_all(of: Callable[[Iterable[int]], int], counts: Iterable[int | None]) -> int | None:
    """The sum or the product of numbers; None where one of them is not known."""
    given = list(counts)
    known = [count for count in given if count is not None]
    return of(known) if len(known) == len(given) else None
