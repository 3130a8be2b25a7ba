"""Lists that were put in a random order, without a seed, before they are used."""

from __future__ import annotations

import ast
from typing import Any

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import calls_of, own_nodes, way
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.nouns.values import Computed, Expr, External, Value
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.pipeline.python.runs import code_of

#: What puts in order what it is given, and what gives that in another order.
_IN_PLACE = ("random.shuffle", "numpy.random.shuffle")
_GENERATORS = ("random.Random", "numpy.random.default_rng", "numpy.random.RandomState")
_GIVING = ("random.sample", "numpy.random.permutation", "tensorflow.random.shuffle", "numpy.random.choice")


def is_order(value: Value) -> bool:
    """Is it another order of something that is not drawn itself?"""
    return isinstance(value, External) and value.symbol in _GIVING


def drawn_order(graph: PipelineGraph, value: Any, node: ast.AST) -> ast.Call | None:
    """The call that puts a list in a random order: what has made it, or a call on its name further up."""
    while isinstance(value, (Computed, Expr)):
        value = value.expr if isinstance(value, Computed) else _ordered(value)
    if isinstance(value, External):
        if is_order(value) and "seed" not in value.keywords:
            return value.call
        if last(value.symbol) in ("array_split", "split", "list") and isinstance(node, ast.Call) and node.args:
            value, node = value.arguments[0], node.args[0]
            if is_order(value) and isinstance(value, External) and "seed" not in value.keywords:
                return value.call
    syntax = syntax_of(graph.source)
    if isinstance(node, ast.Call) and is_here(graph, node) and (code := code_of(graph, syntax, node.func)) is not None:
        # What a function gives has a name there.
        given = [part.value for part in own_nodes(code.function.body) if isinstance(part, ast.Return)]
        node = given[0] if len(given) == 1 and given[0] is not None else node
    if not isinstance(node, (ast.Name, ast.Attribute)) or not is_here(graph, node):
        return None
    written = ast.unparse(node)
    for call in calls_of(scope_of(graph.tree, node), "shuffle"):
        is_it = call.args and ast.unparse(call.args[0]) == written and _is_unseeded(graph, call.func)
        if is_it and call.lineno < node.lineno:
            return call
    return None


def _is_unseeded(graph: PipelineGraph, shuffle: ast.expr) -> bool:
    """Is it that of a module, or of a generator without a seed?"""
    scopes = syntax_of(graph.source).scopes
    made = origins(graph, shuffle.value) if isinstance(shuffle, ast.Attribute) else []
    is_made = len(made) == 1 and isinstance(made[0].node, ast.Call) and not (made[0].node.args or made[0].node.keywords)
    return scopes.full_name(shuffle) in _IN_PLACE or (is_made and scopes.full_name(made[0].node.func) in _GENERATORS)


def _ordered(expr: Expr) -> Any:
    """What brackets take from, or the numbers in a random order that they take."""
    if expr.by != "item":
        return None
    return expr.of[1] if isinstance(expr.of[1], External) and is_order(expr.of[1]) else expr.of[0]


def is_here(graph: PipelineGraph, node: ast.AST) -> bool:
    return bool(way(graph.tree, node))
