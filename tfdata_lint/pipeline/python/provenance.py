"""All that a value is made of: the parts of its expression, and what each of them comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.code import given_to, holds, last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.bindings import FUNCTIONS
from tfdata_lint.pipeline.project.syntax import Syntax, assigned_value, syntax_there
from tfdata_lint.pipeline.python.runs import code_of, mentions_of
from tfdata_lint.pipeline.python.uses import mentions, use_of
from tfdata_lint.source.trees import children, walk

#: Expressions of one value that are looked at.
_MOST_PARTS = 100
_NUMBERS, _SIZES = frozenset({"len", "range", "arange"}), frozenset({"shape", "ndim", "size", "dtype"})
_FILLING = ("append", "extend", "insert", "add")


def provenance(
    graph: PipelineGraph, syntax: Syntax, node: ast.expr, *, is_content: bool = False
) -> Iterator[tuple[Syntax, ast.expr]]:
    """An expression, its parts, and all that it comes from, near ones first; each in its module.

    As content it does not come from what is only counted for it: `len`, `shape`.
    """
    todo: list[tuple[Syntax, ast.expr]] = [(syntax, node)]
    seen = {id(node)}
    for there, value in todo:
        for part in _parts(value, is_content):
            yield there, part
            for origin in _behind(graph, there, part):
                if id(origin[1]) not in seen and len(seen) < _MOST_PARTS:
                    seen.add(id(origin[1]))
                    todo.append(origin)


def _parts(value: ast.expr, is_content: bool) -> Iterator[ast.expr]:
    """An expression and its parts, outer ones first."""
    todo: list[ast.AST] = [value]
    for part in todo:
        if isinstance(part, ast.expr):
            yield part
        is_number = (isinstance(part, ast.Call) and last_name(part) in _NUMBERS) or (
            isinstance(part, ast.Attribute) and part.attr in _SIZES
        )
        if not (is_content and is_number):
            todo.extend(children(part))


def _behind(graph: PipelineGraph, syntax: Syntax, part: ast.expr) -> Iterator[tuple[Syntax, ast.expr]]:
    if isinstance(part, ast.Call) and (code := code_of(graph, syntax, part.func)) is not None:
        returns = (step.value for step in walk(code.function) if isinstance(step, ast.Return))
        yield from ((code.syntax, value) for value in returns if value is not None)
    elif isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load):
        for target in _named_like(syntax, part):
            statement = syntax.block(target)
            if not isinstance(target.ctx, ast.Load) and statement is not None:
                value = getattr(statement.statement, "value", None)
                # What a comprehension in it calls its items stands for none of the result.
                is_inside = isinstance(value, ast.expr) and holds(value, target)
                yield from [(syntax, value)] if value is not None and not is_inside else []
        yield from _constants(graph, syntax, part)
        if isinstance(part, ast.Name) and (found := syntax.scopes.binds(part.id, part)) is not None:
            function = found[0]
            if isinstance(function, FUNCTIONS) and any(isinstance(binding, ast.arg) for binding in found[1]):
                yield from _given(syntax, function, part.id)


def _constants(
    graph: PipelineGraph, syntax: Syntax, part: ast.Name | ast.Attribute
) -> Iterator[tuple[Syntax, ast.expr]]:
    """What a module of the project, or a class of this one, has under a name."""
    full = syntax.scopes.full_name(part)
    source, name = graph.locate(full) if "." in full else (None, "")
    if source is not None and source.tree is not None:
        there = syntax_there(source, graph.source)
        yield from ((there, value) for step in there.tree.body if (value := assigned_value(step, name)) is not None)
    elif isinstance(part, ast.Attribute):
        fields = (step for cls in syntax.tree.body if isinstance(cls, ast.ClassDef) for step in cls.body)
        yield from ((syntax, value) for step in fields if (value := assigned_value(step, part.attr)) is not None)


def _given(
    syntax: Syntax, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str
) -> Iterator[tuple[Syntax, ast.expr]]:
    """What the calls in a module give to a parameter."""
    for mention in mentions_of(syntax, function):
        call = syntax.way(mention)[-2]
        if isinstance(call, ast.Call) and call.func is mention:
            yield from [(syntax, value) for one, value in given_to(function, call).items() if one == name]


def filled_with(syntax: Syntax, node: ast.Name | ast.Attribute) -> Iterator[ast.expr]:
    """What is put, item by item, into what a name or attribute stands for."""
    for use in (use_of(syntax, part) for part in _named_like(syntax, node)):
        statement = syntax.block(use.node)
        if use.kind == "method" and use.what in _FILLING and isinstance(use.by, ast.Call) and use.by.args:
            yield use.by.args[-1]
        elif use.kind == "item set" and statement is not None and isinstance(statement.statement, ast.Assign):
            yield statement.statement.value
        elif isinstance(use.by, ast.AugAssign) and use.by.target is use.node:
            yield use.by.value


def _named_like(syntax: Syntax, node: ast.Name | ast.Attribute) -> list[ast.Name] | list[ast.Attribute]:
    if isinstance(node, ast.Name):
        return mentions(syntax, node.id, node)
    return [part for part in syntax.named(node.attr) if last_name(part.value) == last_name(node.value)]
