"""Where something else than a dataset is asked for what a fix would change: an object of the project's own class."""

from __future__ import annotations

import ast
from operator import attrgetter

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import upstream
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
    # What comes to a stage has gone through those before it in its function.
    here, where = (stage for stage in graph.stages if stage.node is node), attrgetter("context.definition")
    parts = [part.node for stage in here for part in upstream(stage) if where(part) == where(stage)]
    before = [part.func for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)]
    is_one = any(id(one) in graph.others or graph.once(_meets, one.value, one.attr) for one in (asked, *before))
    return asked.attr if is_one else ""


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


def _parameters(graph: PipelineGraph, base: ast.expr) -> list[ast.arg]:
    """The parameters that an expression may stand for, also those that `self` keeps under its name."""
    syntax = syntax_of(graph.source)
    if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
        stores = [store for store in syntax.stores(base.attr) if ast.unparse(store) == ast.unparse(base)]
        values = [bound_value(syntax.way(store)) for store in stores]
    else:
        values = [base] if syntax.way(base) else []
    bound = (syntax.scopes.binds(value.id, value) for value in values if isinstance(value, ast.Name))
    return [one for found in bound if found is not None for one in found[1] if isinstance(one, ast.arg)]


def _has(graph: PipelineGraph, cls: Place, name: str) -> bool:
    """Does a class, or one of its module that it extends, define a method or set an attribute?"""
    is_own = isinstance(cls.node, ast.ClassDef)
    related = syntax_there(cls.source, graph.source).once(kin, cls.node) if is_own else ()
    return any(_defined(part) == name for one in related for part in walk(one))


def _defined(part: ast.AST) -> str:
    is_set = isinstance(part, (ast.Attribute, ast.Name)) and isinstance(part.ctx, ast.Store)
    return part.name if isinstance(part, ast.FunctionDef) else last_name(part) if is_set else ""
