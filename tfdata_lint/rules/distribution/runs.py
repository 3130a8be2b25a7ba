"""The steps that a strategy runs on the elements of an ordinary dataset."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.code import given_to, holds, names, targets
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules.device.steps import defined, parts_of
from tfdata_lint.rules.distribution.strategies import may_be_several


def run_on(graph: PipelineGraph, consumer: Consumer) -> ast.Call | None:
    """The call by which a strategy runs a step on what a loop, or `next`, takes of a dataset."""
    tree = graph.tree
    if isinstance(consumer.node, ast.For):
        return _fed(graph, tree, consumer.node, names(consumer.node.target), 0)
    if consumer.kind != "next" or not consumer.context.loops or not isinstance(consumer.node, ast.Call):
        return None
    loop = consumer.context.loops[-1].node
    taken = {target.id for target in targets(tree, consumer.node) if isinstance(target, ast.Name)}
    for run in _runs(graph, loop):
        if any(part is consumer.node for part in _given(run)):
            return run
    return _fed(graph, tree, loop, taken, 0) if taken and holds(loop, consumer.node) else None


def _fed(graph: PipelineGraph, tree: ast.Module, code: ast.AST, elements: set[str], depth: int) -> ast.Call | None:
    """The call in some code by which a strategy runs a step on one of these names, be it in a function called there."""
    if any(name in elements for name in _assigned_in(code)):
        return None
    for call in (node for node in parts_of(code) if isinstance(node, ast.Call)):
        if _is_run(graph, call):
            if any(isinstance(part, ast.Name) and part.id in elements for part in _given(call)):
                return call
        elif depth == 0 and (function := defined(tree, call.func)) is not None:
            given = given_to(function, call).items()
            taken = {name for name, value in given if isinstance(value, ast.Name) and value.id in elements}
            if taken and (run := _fed(graph, tree, function, taken, depth + 1)) is not None:
                return run
    return None


def _assigned_in(code: ast.AST) -> Iterator[str]:
    """The names that the body of a loop or a function sets itself."""
    body: list[ast.stmt] = getattr(code, "body", [])
    for statement in body:
        for node in (statement, *parts_of(statement)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _runs(graph: PipelineGraph, code: ast.AST) -> Iterator[ast.Call]:
    return (node for node in parts_of(code) if isinstance(node, ast.Call) and _is_run(graph, node))


def _is_run(graph: PipelineGraph, call: ast.Call) -> bool:
    """Is it `strategy.run(step, args=(…,))`?"""
    match call.func:
        case ast.Attribute(value=strategy, attr="run" | "experimental_run_v2"):
            return may_be_several(graph, strategy)
    return False


def _given(call: ast.Call) -> list[ast.expr]:
    """What the step is given, as it is."""
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "args")]
    return [part for value in given if isinstance(value, (ast.Tuple, ast.List)) for part in value.elts]
