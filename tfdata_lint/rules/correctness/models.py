"""Models whose methods are called on datasets: what they are made of, as far as it is written in the same file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.code import BLOCKS, nodes_on
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Related
from tfdata_lint.rules.device.steps import is_keras_model

#: Who makes models of Keras.
KERAS = ("tensorflow.keras.", "keras_cv.", "keras_hub.", "keras_nlp.")


def is_of_keras(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it a model of Keras that gets a dataset: by what made it, else by methods that other models do not have?"""
    if consumer.made_by:
        return consumer.made_by.startswith(KERAS)
    node = consumer.node
    return isinstance(node, ast.Call) and is_keras_model(graph.tree, node)


def related_here(graph: PipelineGraph, node: ast.Call, label: str) -> tuple[Related, ...]:
    """A place to show beside a finding, if it is in the same file."""
    rows = [node.lineno]
    is_here = any(found is node for found in nodes_on(graph.tree, rows))
    return (Related(span_of(node, graph.file), label),) if is_here else ()


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
