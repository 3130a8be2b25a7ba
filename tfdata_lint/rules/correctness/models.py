"""Models whose methods are called on datasets: what they are made of, as far as it is written in the same file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.code import BLOCKS, receiver, statements_in
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.rules.device.steps import is_keras_model
from tfdata_lint.source.trees import walk

#: Who makes models of Keras.
KERAS = ("tensorflow.keras.", "keras_cv.", "keras_hub.", "keras_nlp.")
#: Names that are followed for one model.
_MOST = 100


def is_of_keras(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it a model of Keras that gets a dataset: by what made it, else by methods that other models do not have?"""
    if consumer.made_by:
        return consumer.made_by.startswith(KERAS)
    node = consumer.node
    return graph.tree is not None and isinstance(node, ast.Call) and is_keras_model(graph.tree, node)


def assigned(graph: PipelineGraph, scope: ast.AST, name: str) -> list[ast.expr]:
    """What is assigned to a name, or an attribute as written, in a function or at the top of a module."""
    tables = graph.once(_tables)
    if id(scope) not in tables:
        table = tables[id(scope)] = {}
        for statement in (part for part in _own_statements(scope) if isinstance(part, ast.Assign)):
            for target in statement.targets:
                if isinstance(target, (ast.Name, ast.Attribute)):
                    written = target.id if isinstance(target, ast.Name) else ast.unparse(target)
                    table.setdefault(written, []).append(statement.value)
    return tables[id(scope)].get(name, [])


def _tables(graph: PipelineGraph) -> dict[int, dict[str, list[ast.expr]]]:
    """The assignments of scopes that were asked for, by `id`."""
    return {}


def _own_statements(scope: ast.AST) -> Iterator[ast.stmt]:
    """Those of a function or module itself, without those of functions in it."""
    todo = list(scope.body) if isinstance(scope, (ast.Module, ast.FunctionDef)) else []
    while todo:
        statement = todo.pop()
        yield statement
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.Expr)):
            todo += [part for block in BLOCKS for part in getattr(statement, block, ())]
            todo += [part for handler in getattr(statement, "handlers", ()) for part in handler.body]


def maker(tree: ast.Module, made: ast.expr) -> ast.FunctionDef | None:
    """The one function of a module that a call is one of."""
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
        return None
    name = made.func.id
    match [part for part in statements_in(tree.body) if isinstance(part, ast.FunctionDef) and part.name == name]:
        case [function]:
            return function
    return None


def calls_behind(graph: PipelineGraph, tree: ast.Module, call: ast.Call) -> tuple[ast.Call, ...]:
    """The calls that the model of a call is made by: of layers, of other models, of the function that has made it."""
    return graph.once(_calls_behind, tree, receiver(call), scope_of(tree, call))


def _calls_behind(graph: PipelineGraph, tree: ast.Module, model: str, scope: ast.AST) -> tuple[ast.Call, ...]:
    found: list[ast.Call] = []
    todo = [(model, scope)]
    seen: set[tuple[str, int]] = set()
    while todo and len(seen) < _MOST:
        name, scope = todo.pop(0)
        if (name, id(scope)) in seen or not name:
            continue
        seen.add((name, id(scope)))
        values = assigned(graph, scope, name)
        if not values and scope is not tree:
            todo.append((name, tree))
        for value in values:
            made_in = maker(tree, value)
            results = list(_returned(made_in)) if made_in is not None else [value]
            where = made_in or scope
            found += [part for result in results for part in walk(result) if isinstance(part, ast.Call)]
            todo += [(ast.unparse(part), where) for result in results for part in walk(result) if _is_name(part)]
    return tuple(found)


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for statement in statements_in(function.body):
        if isinstance(statement, ast.Return) and statement.value is not None:
            yield statement.value
