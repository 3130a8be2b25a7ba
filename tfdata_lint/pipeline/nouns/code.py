"""Questions about a piece of code that a node stands for. Who asks need not know what a tree looks like."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any


def way(top: ast.AST, node: ast.AST) -> list[ast.AST]:
    """The nodes from one inside a tree up to its top; none when it is not in it."""
    parents = {id(child): parent for parent in ast.walk(top) for child in ast.iter_child_nodes(parent)}
    found = [node]
    while found[-1] is not top:
        parent = parents.get(id(found[-1]))
        if parent is None:
            return []
        found.append(parent)
    return found


def holds(top: ast.AST, node: ast.AST) -> bool:
    """Is a node part of a tree?"""
    return any(part is node for part in ast.walk(top))


def names(*nodes: ast.AST) -> set[str]:
    """The plain names that are read or assigned."""
    return {node.id for tree in nodes for node in ast.walk(tree) if isinstance(node, ast.Name)}


def first_row(node: ast.stmt) -> int:
    """Decorators stand above."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def last_name(node: ast.AST | None) -> str:
    """`map` of `ds.map` and of `map`, and of their calls."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def calls_of(top: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of what has this name, be it a function or a method."""
    return (node for node in ast.walk(top) if isinstance(node, ast.Call) and last_name(node) == name)


def defines(top: ast.AST | None, *wanted: str) -> bool:
    """Is a function of one of these names defined in it?"""
    nodes = ast.walk(top) if top is not None else ()
    return any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in wanted for node in nodes)


def is_for_others(function: ast.AST | None) -> bool:
    """Does a function nothing itself, so that another one is meant to take its place?"""
    return isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and all(
        isinstance(part, (ast.Pass, ast.Raise)) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in function.body
    )


def only_literal(node: ast.AST | None) -> Any:
    """`3` of `range(3)`: all that a call is given; None where it is more than one literal."""
    match node:
        case ast.Call(args=[ast.Constant(value=value)], keywords=[]):
            return value
    return None


def literals(call: ast.Call, position: int, keyword: str) -> list[Any]:
    """What a call is given for a list of literals, positionally or by keyword; empty when it is no such list."""
    given = [*call.args[position : position + 1], *(other.value for other in call.keywords if other.arg == keyword)]
    match given:
        case [ast.List(elts=elements) | ast.Tuple(elts=elements)]:
            return [element.value if isinstance(element, ast.Constant) else ... for element in elements]
    return []


def is_written_number(top: ast.AST | None, node: ast.AST) -> bool:
    """Is it a number, or the name of one that a module writes once, at its top, and that nobody passes in?"""
    if _is_number(node):
        return True
    if not isinstance(node, ast.Name) or not isinstance(top, ast.Module) or not holds(top, node):
        return False
    return sum(_binds(other, node.id) for other in ast.walk(top)) == 1 and any(
        _writes_number(statement, node.id) for statement in top.body
    )


def is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant)


def is_passed_in(top: ast.AST | None, node: ast.AST) -> bool:
    """Is it a parameter of a function around it?"""
    if top is None or not isinstance(node, ast.Name):
        return False
    functions = [
        part for part in way(top, node) if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    ]
    return any(
        isinstance(part, ast.arg) and part.arg == node.id for function in functions for part in ast.walk(function.args)
    )


def _is_number(node: ast.AST | None) -> bool:
    """Literals alone: `8`, `4 * 16`."""
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Store() | ast.Del()) | ast.arg(arg=found):
            return found == name
        case ast.alias(name=full, asname=found):
            return (found or full) in (name, "*")
    return False


def _writes_number(statement: ast.stmt, name: str) -> bool:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=found)], value=value)
            | ast.AnnAssign(target=ast.Name(id=found), value=value)
        ):
            return found == name and _is_number(value)
    return False


def writes_files(node: ast.AST) -> bool:
    """Does some code write or append to files, by the calls in it?"""
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        name = last_name(call)
        modes = [argument.value for argument in call.args[1:2] if isinstance(argument, ast.Constant)]
        modes += [k.value.value for k in call.keywords if k.arg == "mode" and isinstance(k.value, ast.Constant)]
        if name in ("open", "GFile") and any(set("wax+") & set(str(mode)) for mode in modes):
            return True
        if name in ("TFRecordWriter", "write_file", "write_text", "write_bytes"):
            return True
    return False
