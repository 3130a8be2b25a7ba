"""Where something else than a dataset is asked for what a fix would change: an object of the project's own class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, given_for, origins
from tfdata_lint.pipeline.python.runs import kin
from tfdata_lint.source.trees import walk


def of_another(graph: PipelineGraph, node: ast.AST) -> str:
    """The method or attribute that a node asks for, where objects of a class of the project are asked for it there too;
    empty where they are not seen to be."""
    asked = node.func if isinstance(node, ast.Call) else node
    if not isinstance(asked, ast.Attribute):
        return ""
    here = graph.once(_by_node).get(id(node), ())
    # What comes to a stage has gone through those before it in its function.
    parts = [part.node for stage in here for part in upstream(stage) if part.context == stage.context]
    before = [part.func for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)]
    is_one = any(id(one) in graph.others or graph.once(_meets, one.value, one.attr) for one in (asked, *before))
    return asked.attr if is_one else ""


def _by_node(graph: PipelineGraph) -> dict[int, list[Stage]]:
    found: dict[int, list[Stage]] = {}
    for stage in graph.stages:
        found.setdefault(id(stage.node), []).append(stage)
    return found


def _meets(graph: PipelineGraph, base: ast.expr, name: str) -> bool:
    """Does a call, in whatever file, give an object of a class that has a name for a parameter, or an attribute?"""
    return any(
        _has(graph, cls, name)
        for parameter in _parameters(graph, base)
        for given in given_for(graph, parameter, graph.source) or ()
        if given is not None
        for made in origins(graph, given.node, given.source)
        if isinstance(made.node, ast.Call)
        for cls in origins(graph, made.node.func, made.source)
    )


def _parameters(graph: PipelineGraph, base: ast.expr) -> Iterator[ast.arg]:
    """The parameters that an expression may stand for, also those that `self` keeps under its name."""
    syntax = syntax_of(graph.source)
    if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
        stores = [store for store in syntax.stores(base.attr) if ast.unparse(store) == ast.unparse(base)]
        for value in (bound_value(syntax.way(store)) for store in stores):
            if isinstance(value, ast.Name):
                yield from _parameters(graph, value)
    elif isinstance(base, ast.Name) and syntax.way(base):
        _, bindings = syntax.scopes.binds(base.id, base) or (None, [])
        yield from (binding for binding in bindings if isinstance(binding, ast.arg))


def _has(graph: PipelineGraph, cls: Place, name: str) -> bool:
    """Does a class, or one of its module that it extends, define a method or set an attribute?"""
    if not isinstance(cls.node, ast.ClassDef):
        return False
    related = syntax_there(cls.source, graph.source).once(kin, cls.node)
    return any(name in _defined(part) for one in related for part in walk(one))


def _defined(part: ast.AST) -> tuple[str, ...]:
    match part:
        case ast.FunctionDef(name=name):
            return (name,)
        case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
            return (name,)
    return ()
