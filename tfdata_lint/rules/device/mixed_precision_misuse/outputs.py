"""The last layers of models, by what is written where the models are made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import calls_of, last_name, nodes_on, own_nodes, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.pipeline.python.values import value_at

_LAYERS = ("Dense", "Activation", "Softmax")
#: Activations whose small values 16 bits do not hold.
_PROBABILITIES = ("softmax", "sigmoid")


def last_layers(graph: PipelineGraph) -> Iterator[ast.Call]:
    """The layers that make the probabilities of models, without a type of their own."""
    for node in nodes_on(graph.tree, rows_with(graph.source.text, "Sequential", "Model")):
        ends = _ends(graph, graph.tree, node) if isinstance(node, ast.Call) else _ends_of_class(graph, node)
        for layer in ends:
            if isinstance(layer.node, ast.Call) and layer.source is graph.source and _gives(graph, layer.node):
                yield layer.node


def _ends(graph: PipelineGraph, tree: ast.Module, model: ast.Call) -> list[Place]:
    """The last layers of a model, as `Sequential` or by the call that makes its outputs."""
    if _is(graph, model.func, "Sequential"):
        name = f"{_name_of(graph, model)}.add"
        added = [one for one in calls_of(tree, "add") if ast.unparse(one.func) == name]
        given = argument(graph, model, 0, "layers", graph.source)
        lists = origins(graph, given.node) if given is not None else []
        ends = [part for place in lists for part in getattr(place.node, "elts", [])[-1:]]
        ends = [call.args[0] for call in added[-1:] if call.args] or ends
        return [place for end in ends for place in origins(graph, end)]
    outputs = argument(graph, model, 1, "outputs", graph.source) if _is(graph, model.func, "Model") else None
    made = origins(graph, outputs.node) if outputs is not None else []
    return [
        place for one in made if isinstance(one.node, ast.Call) for place in origins(graph, one.node.func, one.source)
    ]


def _ends_of_class(graph: PipelineGraph, cls: ast.AST) -> list[Place]:
    """The last layers of a model that is a class, by what its method `call` returns."""
    if not isinstance(cls, ast.ClassDef) or not any(_is(graph, base, "Model") for base in cls.bases):
        return []
    methods = [step for step in cls.body if isinstance(step, ast.FunctionDef) and step.name == "call"]
    returns = [node.value for step in methods for node in own_nodes(step.body) if isinstance(node, ast.Return)]
    made = [place for value in returns if value is not None for place in origins(graph, value)]
    return [
        place for one in made if isinstance(one.node, ast.Call) for place in origins(graph, one.node.func, one.source)
    ]


def _gives(graph: PipelineGraph, layer: ast.Call) -> bool:
    name = plain(syntax_of(graph.source).scopes.full_name(layer.func))
    if not name.startswith("tensorflow.keras.layers.") or last(name) not in _LAYERS:
        return False
    if any(keyword.arg in ("dtype", None) for keyword in layer.keywords):
        return False
    given = argument(graph, layer, 1 if last(name) == "Dense" else 0, "activation", graph.source)
    said = value_at(graph, *given) if given is not None else None
    said = last_name(given.node) if given is not None and said is ... else said
    return last(name) == "Softmax" or said in _PROBABILITIES


def _is(graph: PipelineGraph, func: ast.expr, name: str) -> bool:
    full = plain(syntax_of(graph.source).scopes.full_name(func))
    return full in (f"tensorflow.keras.{name}", f"tensorflow.keras.models.{name}")


def _name_of(graph: PipelineGraph, call: ast.Call) -> str:
    """What a model is called."""
    match syntax_of(graph.source).way(call)[-2:]:
        case [ast.Assign(targets=[target]), _]:
            return ast.unparse(target)
    return "?"
