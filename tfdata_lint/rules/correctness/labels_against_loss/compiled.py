"""What the model is compiled with that a dataset is given to."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import calls_of, last_name, receiver
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.correctness.models import assigned, maker

_LOSSES = "tensorflow.keras.losses."


def loss_of(graph: PipelineGraph, consumer: Consumer) -> tuple[ast.expr, str] | None:
    """The loss of the model that `fit` or `evaluate` is called on, and its name in Keras; None where it is not seen."""
    losses = [_loss_in(call) for call in _compiled(graph, consumer.node)]
    named = [(loss, name) for loss in losses if loss is not None and (name := _name(graph, loss))]
    is_one = len({name for _, name in named}) == 1 and len(named) == len(losses)
    return named[0] if is_one else None


def units_of(graph: PipelineGraph, consumer: Consumer) -> int | None:
    """The outputs of a `Sequential` that ends with a `Dense`, where that is written beside the call."""
    name = receiver(consumer.node)
    if graph.tree is None or not name:
        return None
    match assigned(graph, scope_of(graph.tree, consumer.node), name):
        case [
            ast.Call(args=[ast.List(elts=[*_, ast.Call(args=[ast.Constant(value=int(units)), *_]) as layer])]) as made
        ]:
            is_dense = last_name(made) == "Sequential" and last_name(layer) == "Dense"
            is_whole = all(receiver(call) != name for call in calls_of(graph.tree, "add"))
            return units if is_dense and is_whole else None
    return None


def _compiled(graph: PipelineGraph, node: ast.AST) -> list[ast.Call]:
    """The calls of `compile` for the model of a call: beside it, or in the one function that has made it."""
    tree, name = graph.tree, receiver(node)
    if tree is None or not name:
        return []
    scope = scope_of(tree, node)
    everywhere = graph.once(_compiling)
    beside = [call for call in everywhere if receiver(call) == name and scope_of(tree, call) is scope]
    made = assigned(graph, scope, name)
    if beside or len(made) != 1:
        return beside if len(made) < 2 else []
    function = maker(tree, made[0])
    return [call for call in everywhere if scope_of(tree, call) is function]


def _compiling(graph: PipelineGraph) -> list[ast.Call]:
    return list(calls_of(graph.tree, "compile")) if graph.tree is not None else []


def _loss_in(call: ast.Call) -> ast.expr | None:
    given = [word.value for word in call.keywords if word.arg == "loss"] or call.args[1:2]
    return given[0] if given else None


def _name(graph: PipelineGraph, loss: ast.expr, depth: int = 0) -> str:
    """`CategoricalCrossentropy`, however it is written."""
    if isinstance(loss, ast.Constant):
        return loss.value if isinstance(loss.value, str) else ""
    function = loss.func if isinstance(loss, ast.Call) else loss
    full = plain(syntax_of(graph.source).scopes.full_name(function))
    if full.startswith(_LOSSES):
        return last(full)
    if isinstance(loss, ast.Name) and graph.tree is not None and not depth:
        match assigned(graph, scope_of(graph.tree, loss), loss.id):
            case [value]:
                return _name(graph, value, depth + 1)
    return ""
