"""Which names code binds, by Python's scopes, and what import statements mean. Only syntax is read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.source.trees import children, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: What binds names otherwise than by having a name in it that is set, or has a scope of its own.
_BINDING = frozenset(
    {*FUNCTIONS, *COMPREHENSIONS, ast.Import, ast.ImportFrom, ast.ClassDef, ast.ExceptHandler, ast.MatchAs,
     ast.MatchStar, ast.MatchMapping, ast.Global, ast.Nonlocal, ast.Lambda}
)  # fmt: skip


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Symbol]]:
    """The names an import statement binds, `*` apart, with what they stand for. Relative modules keep their dots."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            if alias.name != "*":
                yield alias.asname or alias.name, Symbol(member(node, alias.name))
        elif alias.asname:
            yield alias.asname, Symbol(alias.name)
        else:
            root = alias.name.partition(".")[0]
            yield root, Symbol(root)


def is_star(node: ast.stmt) -> TypeGuard[ast.ImportFrom]:
    """Is it `from module import *`?"""
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def member(node: ast.ImportFrom, name: str) -> str:
    """The full name of what is imported from a module under this name."""
    module = "." * node.level + (node.module or "")
    return f"{module}{'' if module.endswith('.') or not module or not name else '.'}{name}"


def bound_in(scope: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The names of a module, class, function or comprehension, each with a node that binds it."""
    inside: Iterable[ast.AST] = children(scope)
    if isinstance(scope, (*FUNCTIONS, ast.Lambda)):
        given = scope.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None:
                yield argument.arg, argument
        inside = scope.body if isinstance(scope.body, list) else [scope.body]
    elif isinstance(scope, ast.ClassDef):
        inside = scope.body
    for parameter in getattr(scope, "type_params", ()):
        yield parameter.name, parameter
    yield from bound_by(inside, inside_comprehension=isinstance(scope, COMPREHENSIONS))


def bound_by(nodes: Iterable[ast.AST], *, inside_comprehension: bool = False) -> Iterator[tuple[str, ast.AST]]:
    """The names that parts of a scope bind in it; inner scopes have their own."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if type(node) is ast.Name:
            if type(node.ctx) is not ast.Load:
                yield node.id, node
            continue
        if type(node) not in _BINDING:
            todo.extend(children(node))
            continue
        match node:
            case ast.Import() | ast.ImportFrom():
                for name, _ in imported(node):
                    yield name, node
                continue
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node
                todo += [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
                continue
            case ast.ClassDef(name=name):
                yield name, node
                todo += [*node.decorator_list, *node.bases, *node.keywords]
                continue
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                yield name, node
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                yield name, node
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                for name in names:
                    yield name, node
            case ast.Lambda(args=given):
                todo += [*given.defaults, *filter(None, given.kw_defaults)]
                continue
        if isinstance(node, COMPREHENSIONS) and not inside_comprehension:
            # Its own names stay inside; a walrus does not.
            todo.extend(child for child in walk(node) if isinstance(child, ast.NamedExpr))
            continue
        todo.extend(children(node))


def blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statement lists inside a compound statement; functions and classes have none."""
    match node:
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            yield node.body
            yield node.orelse
        case ast.With() | ast.AsyncWith():
            yield node.body
        case ast.Try():
            yield node.body
            yield node.orelse
            yield node.finalbody
            for handler in node.handlers:
                yield handler.body
        case ast.Match():
            for case in node.cases:
                yield case.body


def assigned(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The names and attributes of names that statements assign, those in nested functions left out."""
    for node in body:
        for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(part, ast.Name):
                    yield part.id
                elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                    yield f"{part.value.id}.{part.attr}"
        for block in blocks(node):
            yield from assigned(block)


def counted_in(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that statements assign in loops, or add to."""
    for node in body:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            yield from assigned(node.body)
        elif isinstance(node, ast.AugAssign):
            yield from assigned([node])
        else:
            for block in blocks(node):
                yield from counted_in(block)
