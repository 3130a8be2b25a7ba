"""Functions of windows: a window is a dataset, and no tensor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.names import plain
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


def window_as_tensor(function: MappedFunction | None, is_dict: bool) -> str:
    """What a function does to its arguments that no dataset allows, as written; of dicts, to what they hold."""
    if function is None:
        return ""
    called = {id(call.node) for call in function.calls if re.match(_OF_TENSORS, plain(call.name))}
    if function.node is None and called:
        # `map(tf.reduce_mean)`
        return function.name
    uses = (_used(part, name, is_dict, called) for part, name in _parts(function.node))
    return next(filter(None, uses), "")


def asked_of_dict(function: MappedFunction | None) -> str:
    """What a function asks of its argument, a dict, that only a dataset has."""
    for part, name in _parts(function.node if function is not None else None):
        if isinstance(part, ast.Attribute) and _is(part.value, name) and not hasattr(dict, part.attr):
            return part.attr
    return ""


def loop_as_tensor(loop: ast.AST) -> str:
    """What the body of a loop does to the windows that it walks that no dataset allows, as written."""
    match loop:
        case ast.For(target=ast.Name(id=name), body=body):
            parts = [part for node in body for part in walk(node)]
            if not any(_is_something_else(part, name) for part in parts):
                return next((written for part in parts if (written := _used(part, name, False, set()))), "")
    return ""


def _used(part: ast.AST, name: str, is_dict: bool, called: set[int]) -> str:
    """What needs a tensor and gets a window, as written."""
    match part:
        case ast.Subscript(value=value, slice=index) if _is(value, name, is_dict) and _is_place(index):
            return ast.unparse(part)
        case ast.BinOp(left=left, right=right) if _is(left, name, is_dict) or _is(right, name, is_dict):
            return ast.unparse(part)
        case ast.Attribute(value=value, attr=attribute) if _is(value, name, is_dict) and attribute in _OF_TENSOR:
            return ast.unparse(part)
        case ast.Call(args=[first, *_]) if id(part) in called:
            several = first.elts if isinstance(first, (ast.List, ast.Tuple)) else [first]
            return ast.unparse(part) if any(_is(one, name, is_dict) for one in several) else ""
    return ""


def _parts(function: ast.AST | None) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a function, and the name of each argument that means the same everywhere."""
    match function:
        case ast.FunctionDef(args=taken, body=body) | ast.Lambda(args=taken, body=body):
            nodes = body if isinstance(body, list) else [body]
            parts = [part for node in nodes for part in walk(node)]
            for name in [part.arg for part in (*taken.posonlyargs, *taken.args) if part.arg not in ("self", "cls")]:
                if not any(_is_something_else(part, name) for part in parts):
                    yield from ((part, name) for part in parts)


def _is(node: ast.expr, name: str, is_dict: bool = False) -> bool:
    """Is it the argument, or one of the items by name of a dict?"""
    if is_dict:
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, (ast.Constant, ast.Name)):
            return False
        return _is(node.value, name)
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
