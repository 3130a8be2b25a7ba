"""Two calls of one function that are given the same: the files it reads are the same, whatever they are called."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value, syntax_of
from tfdata_lint.source.trees import walk

#: What gives the same to each who gives it the same.
_STEADY = frozenset(
    {"glob", "Glob", "join", "sorted", "str", "list", "format", "matching_files", "abspath", "expanduser"}
)
#: What may take some of the files, or others each time.
_CHOOSING = (ast.IfExp, ast.Subscript, ast.BoolOp, ast.Await, ast.NamedExpr, ast.Lambda, ast.ListComp, ast.GeneratorExp)
#: Names of names.
_DEEP = 4


def read_the_same(graph: PipelineGraph, fit: Consumer, validation: Consumer, one: Stage, other: Stage) -> str:
    """The argument that both calls of the function around a source are given, as written; empty where it may differ."""
    if one.span != other.span or one.span.file != graph.file or one.node is None:
        return ""
    syntax = syntax_of(graph.source)
    function = syntax.scopes.scope_of(one.node)
    given = next((one.arguments[name].node for name in ("filenames", "file_pattern") if name in one.arguments), None)
    if not isinstance(function, ast.FunctionDef) or not isinstance(given, ast.expr):
        return ""
    first_call = _call(syntax, fit, "x", function.name)
    second_call = _call(syntax, validation, "validation_data", function.name)
    parameters = _parameters(syntax, function, given)
    if not parameters or first_call is None or second_call is None:
        return ""
    names = sorted(parameters)
    pairs = [(_passed(function, first_call, name), _passed(function, second_call, name)) for name in names]
    for first, second in pairs:
        if first is None or second is None or ast.dump(first) != ast.dump(second):
            return ""
        if not _is_steady(syntax, first) or not _is_steady(syntax, second):
            return ""
    return ", ".join(ast.unparse(first) for first, _ in pairs if first is not None)


def _call(syntax: Syntax, consumer: Consumer, name: str, function: str) -> ast.Call | None:
    """The call of a function that an argument begins with: `make(files)` where it is `make(files).batch(8)`."""
    argument = consumer.arguments.get(name)
    node = argument.node if argument is not None else None
    for _ in range(_DEEP):
        if isinstance(node, ast.Name):
            found = syntax.scopes.binds(node.id, node)
            node = bound_value(syntax.way(found[1][0])) if found is not None and len(found[1]) == 1 else None
        while isinstance(node, ast.Call) and last_name(node) != function and isinstance(node.func, ast.Attribute):
            node = node.func.value
        if isinstance(node, ast.Call):
            return node if last_name(node) == function else None
    return None


def _parameters(syntax: Syntax, function: ast.FunctionDef, node: ast.expr, depth: int = 0) -> set[str] | None:
    """The parameters that an expression in a function is made of; None where it is made of what may change."""
    if not _is_plain(node) or depth > _DEEP:
        return None
    found: set[str] = set()
    for part in walk(node):
        if not isinstance(part, ast.Name):
            continue
        bound = syntax.scopes.binds(part.id, part)
        if bound is None or bound[0] is syntax.tree:
            continue
        if bound[0] is not function or len(bound[1]) != 1:
            return None
        if isinstance(bound[1][0], ast.arg):
            found.add(part.id)
            continue
        value = bound_value(syntax.way(bound[1][0]))
        inner = _parameters(syntax, function, value, depth + 1) if value is not None else None
        if inner is None:
            return None
        found |= inner
    return found


def _passed(function: ast.FunctionDef, call: ast.Call, name: str) -> ast.expr | None:
    """What a call gives a parameter."""
    positional = [part.arg for part in (*function.args.posonlyargs, *function.args.args)]
    if positional[:1] in (["self"], ["cls"]) and isinstance(call.func, ast.Attribute):
        positional = positional[1:]
    if any(isinstance(part, ast.Starred) for part in call.args) or any(word.arg is None for word in call.keywords):
        return None
    given = dict(zip(positional, call.args, strict=False))
    given.update((word.arg, word.value) for word in call.keywords if word.arg is not None)
    return given.get(name)


def _is_steady(syntax: Syntax, node: ast.expr) -> bool:
    """Does an expression have one value, wherever it stands: of names, and attributes, that are set once at most?"""
    if not _is_plain(node):
        return False
    for part in walk(node):
        match part:
            case ast.Name(id=name):
                found = syntax.scopes.binds(name, part)
                if found is not None and (len(found[1]) != 1 or _is_in_loop(syntax, found[1][0])):
                    return False
            case ast.Attribute(attr=name):
                if len(syntax.stores(name)) > 1:
                    return False
    return True


def _is_in_loop(syntax: Syntax, binding: ast.AST) -> bool:
    return any(isinstance(step, (ast.For, ast.While, ast.AsyncFor)) for step in syntax.way(binding)[:-1])


def _is_plain(node: ast.expr) -> bool:
    """Is it made of names, texts and what puts those together?"""
    for part in walk(node):
        match part:
            case ast.Call() if last_name(part) not in _STEADY:
                return False
            case _ if isinstance(part, _CHOOSING):
                return False
    return True
