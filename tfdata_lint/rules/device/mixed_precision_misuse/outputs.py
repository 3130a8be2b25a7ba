"""The last layers of models, by what is written where the models are made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

_LAYERS = ("Dense", "Activation", "Softmax")
#: Activations whose small values 16 bits do not hold.
_PROBABILITIES = ("softmax", "sigmoid")


def last_layers(graph: PipelineGraph) -> Iterator[ast.Call]:
    """The layers that make the probabilities of models, without a type of their own."""
    if graph.tree is None:
        return
    for node in nodes_on(graph.tree, rows_with(graph.source.text, "Sequential", "Model")):
        layer: ast.Call | None = None
        match node:
            case ast.Call(func=func, args=[ast.List(elts=[*_, ast.Call() as end])]) if _is(graph, func, "Sequential"):
                layer = end if f"{_name_of(graph, node)}.add(" not in graph.source.text else None
            case ast.Call(func=func) if _is(graph, func, "Model"):
                layer = _functional(graph, node)
        if layer is not None and _gives_probabilities(graph, layer):
            yield layer


def _functional(graph: PipelineGraph, model: ast.Call) -> ast.Call | None:
    """Of `Model(inputs, outputs)` the layer that gives the outputs."""
    given = [word.value for word in model.keywords if word.arg == "outputs"] + model.args[1:2]
    output = given[0] if len(given) == 1 else None
    block = syntax_of(graph.source).block(model)
    if isinstance(output, ast.Name) and block is not None:
        # The assignment that is nearest before it.
        values = (_assigned(statement, output.id) for statement in reversed(block.statements[: block.index]))
        output = next((value for value in values if value is not None), None)
    match output:
        case ast.Call(func=ast.Call() as layer):
            return layer
    return None


def _assigned(statement: ast.stmt, name: str) -> ast.expr | None:
    """What a statement makes of a name; None where it does nothing to it."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
            return value
    stores = (node for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return ast.Constant(None) if any(node.id == name for node in stores) else None


def _gives_probabilities(graph: PipelineGraph, layer: ast.Call) -> bool:
    name = plain(syntax_of(graph.source).scopes.full_name(layer.func))
    if not name.startswith("tensorflow.keras.layers.") or last(name) not in _LAYERS:
        return False
    words = {keyword.arg: keyword.value for keyword in layer.keywords}
    if "dtype" in words or None in words:
        return False
    given = layer.args[0] if last(name) == "Activation" and layer.args else words.get("activation")
    is_probable = isinstance(given, ast.Constant) and given.value in _PROBABILITIES
    return last(name) == "Softmax" or is_probable


def _is(graph: PipelineGraph, func: ast.expr, name: str) -> bool:
    full = plain(syntax_of(graph.source).scopes.full_name(func))
    return full in (f"tensorflow.keras.{name}", f"tensorflow.keras.models.{name}")


def _name_of(graph: PipelineGraph, call: ast.Call) -> str:
    """What a model is called."""
    match syntax_of(graph.source).way(call)[-2:]:
        case [ast.Assign(targets=[target]), _]:
            return ast.unparse(target)
    return "?"
