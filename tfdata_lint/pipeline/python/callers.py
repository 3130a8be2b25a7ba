"""Which calls run a function or a constructor, in the module and in those that import it."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, own_nodes, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.bindings import FUNCTIONS
from tfdata_lint.pipeline.project.modules import LIBRARIES
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_there
from tfdata_lint.source.module import Source

#: Calls that are looked at.
_MOST = 12
#: Classes that extend one another.
_DEEPEST = 4


class Caller(NamedTuple):
    """A call, and the module that it stands in."""

    node: ast.Call
    source: Source


def calls_of(graph: PipelineGraph, name: str, function: ast.AST, source: Source) -> list[Caller] | None:
    """The calls of a function or class, and the Estimators that it is the model of; None where it is also handed on."""
    found: list[Caller] = []
    is_method = any(isinstance(step, ast.ClassDef) for step in syntax_there(source, graph.source).way(function)[:-1])
    for there in (source, *graph.importers(source)):
        syntax = syntax_there(there, graph.source)
        named = [one for one in named_in(syntax, name) if is_method or not ast.unparse(one[0]).startswith("self.")]
        calls = [call for _, call in named if call is not None]
        for node, call in named:
            if call is None and not name[:1].isupper() and not _is_another(syntax, node):
                around = next((step for step in reversed(syntax.way(node)) if isinstance(step, ast.Call)), None)
                if around is None or not last_name(around).endswith("Estimator"):
                    return None
                calls.append(around)
        found += [Caller(call, there) for call in calls if not any(step is function for step in syntax.way(call))]
    return found[:_MOST]


def named_in(syntax: Syntax, name: str) -> list[tuple[ast.Name | ast.Attribute, ast.Call | None]]:
    """Where a name is read in a module, as a variable or behind a dot, and the calls of it."""
    nodes = [one for one in nodes_on(syntax.tree, rows_with(syntax.text, whole(name))) if last_name(one) == name]
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    read = (node for node in nodes if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load))
    return [(node, calls.get(id(node))) for node in read]


def _is_another(syntax: Syntax, node: Any) -> bool:
    """Is it a variable, or a name of a library, as `tf.keras.callbacks` is beside a function `callbacks`?"""
    if syntax.scopes.full_name(node).partition(".")[0] in LIBRARIES:
        return True
    _, bindings = (syntax.scopes.binds(node.id, node) if isinstance(node, ast.Name) else None) or (None, [])
    return bool(bindings) and all(isinstance(one, (ast.arg, ast.Name)) for one in bindings)


def made_below(graph: PipelineGraph, cls: ast.ClassDef, source: Source, left: int = _DEEPEST) -> list[Caller]:
    """The calls by which the classes below run the constructor of a class: `super().__init__(…)`, or those that make
    their objects where they have none of their own."""
    found: list[Caller] = []
    for there in (source, *graph.importers(source)) if left > 0 else ():
        syntax = syntax_there(there, graph.source)
        for below in nodes_on(syntax.tree, rows_with(there.text, rf"\bclass \w+\(.*\b{cls.name}\b")):
            if not isinstance(below, ast.ClassDef) or not any(last_name(base) == cls.name for base in below.bases):
                continue
            own = [step for step in below.body if isinstance(step, FUNCTIONS) and step.name == "__init__"]
            calls = [node for one in own for node in own_nodes(one.body) if isinstance(node, ast.Call)]
            found += [Caller(call, there) for call in calls if ast.unparse(call.func) == "super().__init__"]
            if not own:
                found += calls_of(graph, below.name, below, there) or []
                found += made_below(graph, below, there, left - 1)
    return found
