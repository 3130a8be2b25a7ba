"""What runs each time when a loop makes a pass or a function is called, in functions of the module, too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from math import inf
from typing import TypeAlias

from tfdata_lint.pipeline.nouns.code import is_generator, last_name, own_nodes
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import ends_early
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.rules.device.steps import always_in, defined, is_made_by

Function: TypeAlias = "ast.FunctionDef | ast.Lambda"
#: Decorators that leave the code of a function as it is.
_KEEPING = frozenset({"contextmanager", "staticmethod", "classmethod"})
_LOOPS = (ast.For, ast.While)
_LEAVING = (ast.Return, ast.Raise)


def calls_each_time(graph: PipelineGraph, code: ast.AST, follow: bool = True) -> Iterator[ast.Call]:
    """The calls that each pass of a loop makes, or each call of a function; to `follow`, also those of functions of
    the module that are called."""
    yield from _calls(graph, code, set(), follow)


def functions_run(graph: PipelineGraph, call: ast.Call) -> list[Function]:
    """The functions of the module that a call may run, `__call__` for an object; none where one is not known."""
    known = defined(graph.tree, call.func)
    if known is not None:
        return [known]
    places = [one for place in origins(graph, call.func) for one in _called(graph, place)]
    found = [place.node for place in places if place.source is graph.source]
    functions = [node for node in found if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    return functions if len(functions) == len(places) or is_each(graph, call.func) else []


def is_each(graph: PipelineGraph, called: ast.expr) -> bool:
    """Does a name stand for one item of a list after the other? Of the functions of a list each is called."""
    syntax = syntax_of(graph.source)
    item = called.value if isinstance(called, ast.Attribute) else called
    bound = syntax.scopes.binds(item.id, item) if isinstance(item, ast.Name) else None
    return bound is not None and all(isinstance(syntax.way(one)[-2], ast.For) for one in bound[1])


def is_made(graph: PipelineGraph, call: ast.Call, makers: frozenset[str]) -> bool:
    """Is what a method is called on made by one of these, under this name or where it comes from?"""
    if is_made_by(graph.tree, call, makers):
        return True
    found = origins(graph, call.func.value) if isinstance(call.func, ast.Attribute) else []
    return bool(found) and all(isinstance(one.node, ast.Call) and last_name(one.node) in makers for one in found)


def _called(graph: PipelineGraph, place: Place) -> list[Place]:
    """What runs where that is called which is written at a place."""
    match place.node:
        case ast.Call(args=[inner, *_]) as made if last_name(made) == "partial":
            return origins(graph, inner, place.source)
        case ast.Call(func=func):
            classes = [one for one in origins(graph, func, place.source) if isinstance(one.node, ast.ClassDef)]
            found = [Place(step, one.source) for one in classes for step in one.node.body]
            return [one for one in found if getattr(one.node, "name", "") == "__call__"] or [place]
    return [place]


def _calls(graph: PipelineGraph, code: ast.AST, seen: set[int], follow: bool) -> Iterator[ast.Call]:
    if id(code) in seen or (isinstance(code, _LOOPS) and ends_early(code)):
        return
    seen.add(id(code))
    body, end = _body(code), _end(code) - isinstance(code, _LOOPS)
    for node in _each_time(body):
        if isinstance(node, ast.Call) and node.lineno <= end:
            yield node
            for function in functions_run(graph, node) if follow else ():
                if _is_run(function):
                    yield from _calls(graph, function, seen, follow)


def _body(code: ast.AST) -> list[ast.AST]:
    match code:
        case ast.For(body=body) | ast.While(body=body) | ast.FunctionDef(body=body):
            return [*body]
        case ast.Lambda(body=value):
            return [value]
        case ast.ListComp(elt=value, generators=[first]) | ast.GeneratorExp(elt=value, generators=[first]):
            return [] if first.ifs else [value]
        case ast.DictComp(key=key, value=value, generators=[first]):
            return [] if first.ifs else [key, value]
    return []


def _end(code: ast.AST) -> float:
    """The row behind which a pass, or a call, may be over: `if step % 100: continue`."""
    leaving = (*_LEAVING, ast.Continue) if isinstance(code, _LOOPS) else _LEAVING
    inner = _LOOPS if isinstance(code, _LOOPS) else ()
    return min((node.lineno for node in own_nodes(_body(code), *inner) if isinstance(node, leaving)), default=inf)


def _each_time(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that run each time, those of loops among them that nothing cuts short."""
    for node in always_in(body):
        yield node
        if isinstance(node, ast.For) and _end(node) == inf and not _breaks(node):
            yield from (*always_in([node.iter]), *_each_time(node.body))
        elif isinstance(node, ast.Return) and node.value is not None:
            yield from always_in([node.value])


def _breaks(loop: ast.For) -> bool:
    return any(isinstance(node, ast.Break) for node in own_nodes(loop.body, *_LOOPS))


def _is_run(function: Function) -> bool:
    """Does a call of a function run its code as it stands there?"""
    if isinstance(function, ast.Lambda):
        return True
    decorators = set(map(last_name, function.decorator_list))
    return decorators <= _KEEPING and ("contextmanager" in decorators or not is_generator(function))
