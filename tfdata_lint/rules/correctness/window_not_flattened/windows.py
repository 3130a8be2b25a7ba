"""Functions of windows: a window is a dataset, and no tensor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.knowledge.operations import METHODS
from tfdata_lint.pipeline.nouns.stages import MappedFunction
from tfdata_lint.source.trees import walk

#: What makes a tensor of its argument, and raises where that is a dataset.
_OF_TENSORS = (
    r"^tensorflow\.(cast|concat|convert_to_tensor|constant|expand_dims|reduce_\w+|reshape|reverse|size|squeeze"
    r"|stack|transpose|math\.\w+|image\.\w+)$"
)
_OF_TENSOR = ("dtype", "numpy", "shape")
#: Where these are asked, what is done depends on the answer.
_QUESTIONS = ("isinstance", "hasattr", "type")


def window_as_tensor(function: MappedFunction | None) -> str:
    """What a function of one argument does to it that no dataset and no dict of datasets allows, as written."""
    if function is None:
        return ""
    called = {id(call.node) for call in function.calls if re.match(_OF_TENSORS, plain(call.name))}
    for part, name in _parts(function.node):
        match part:
            case ast.Subscript(value=ast.Name(id=found), slice=index) if found == name and _is_place(index):
                return ast.unparse(part)
            case ast.BinOp(left=left, right=right) if _is(left, name) or _is(right, name):
                return ast.unparse(part)
            case ast.Attribute(value=ast.Name(id=found), attr=attribute) if found == name and attribute in _OF_TENSOR:
                return ast.unparse(part)
            case ast.Call(args=[first, *_]) if _is(first, name) and id(part) in called:
                return ast.unparse(part)
    return ""


def dict_as_window(function: ast.AST | None) -> str:
    """The method of datasets that a function of one argument calls on it."""
    for part, name in _parts(function):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr=method)) if found == name:
                if method in METHODS:
                    return method
    return ""


def _parts(function: ast.AST | None) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a function of one argument, and its name, where it means the same everywhere."""
    match function:
        case (
            ast.FunctionDef(args=ast.arguments(posonlyargs=[], args=[ast.arg(arg=name)], vararg=None), body=body)
            | ast.Lambda(args=ast.arguments(posonlyargs=[], args=[ast.arg(arg=name)], vararg=None), body=body)
        ):
            nodes = body if isinstance(body, list) else [body]
            parts = [part for node in nodes for part in walk(node)]
            if not any(_is_something_else(part, name) for part in parts):
                yield from ((part, name) for part in parts)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_something_else(part: ast.AST, name: str) -> bool:
    """May the name mean something else than the window here, or somewhere?"""
    match part:
        case ast.Name(id=found, ctx=ast.Store()) | ast.arg(arg=found):
            return found == name
        case ast.Call(func=ast.Name(id=called)):
            return called in _QUESTIONS
    return isinstance(part, ast.Try)


def _is_place(index: ast.expr) -> bool:
    """`[:-1]`, `[0]`, `[-1]`, `[:, 0]`; a text may be the key of a dict."""
    match index:
        case ast.Slice() | ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int())) | ast.Tuple():
            return True
    return False


def returns_tuple(function: ast.AST | None) -> bool:
    """Does it return a tuple, whatever it is given?"""
    match function:
        case ast.Lambda(body=ast.Tuple()) | ast.FunctionDef(body=[*_, ast.Return(value=ast.Tuple())]):
            returns = [part for part in walk(function) if isinstance(part, ast.Return)]
            return len(returns) <= 1
    return False
