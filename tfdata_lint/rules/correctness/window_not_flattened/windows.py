"""Functions of windows: a window is a dataset, and no tensor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import last_name, parameters_of
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import LAZY
from tfdata_lint.pipeline.nouns.questions import HANDING_ON
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, MappedFunction, Stage, tips
from tfdata_lint.pipeline.nouns.structure import Nested, Tuple_, Unknown
from tfdata_lint.pipeline.project.syntax import Syntax
from tfdata_lint.pipeline.python.runs import code_of, syntax_at
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


def loop_as_tensor(graph: PipelineGraph, consumer: Consumer) -> str:
    """What a loop, or a function that it calls, does to the windows it walks that no dataset allows, as written."""
    loop, syntax = consumer.node, syntax_at(graph, consumer.span.file)
    if not isinstance(loop, ast.For) or syntax is None:
        return ""
    parts = [part for node in loop.body for part in walk(node)]
    for name, is_one in _windows_of(loop, consumer):
        if not any(_is_something_else(part, name) for part in parts):
            for there, code, called in ((syntax, parts, name), *_called_with(graph, syntax, parts, name)):
                needs = _of_tensors(there, code)
                if written := next(filter(None, (_used(part, called, False, needs, is_one) for part in code)), ""):
                    return written
    return ""


def _windows_of(loop: ast.For, consumer: Consumer) -> Iterator[tuple[str, bool]]:
    """The names of the windows that a loop walks, one for each part of a tuple; is each one, and no nest of several?"""
    target, walked = loop.target, loop.iter
    match target, walked:
        case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[first, *_]):
            target, walked = inner, first
    if isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name) and walked.func.id in LAZY:
        return
    for tip in tips(consumer.dataset):
        given = structure_of(tip)
        items = given.items if isinstance(given, Tuple_) and isinstance(target, ast.Tuple) else (given,)
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        for part, item in zip(names, items, strict=False) if len(names) == len(items) else ():
            is_window = isinstance(item, Nested) or (isinstance(item, Unknown) and _gives_windows_only(tip))
            if isinstance(part, ast.Name) and is_window:
                yield part.id, isinstance(item, Nested)


@recursive
def _gives_windows_only(dataset: Dataset) -> bool:
    """Is all of an element made by `window`, with nothing beside it?"""
    if isinstance(dataset, Stage) and dataset.op in HANDING_ON and len(dataset.inputs) == 1:
        return _gives_windows_only(dataset.inputs[0])
    return isinstance(dataset, Stage) and dataset.op == "window"


def _called_with(
    graph: PipelineGraph, syntax: Syntax, parts: list[ast.AST], name: str
) -> Iterator[tuple[Syntax, list[ast.AST], str]]:
    """The functions of the project that are called with a window, and its name there."""
    for call in (part for part in parts if isinstance(part, ast.Call)):
        code = code_of(graph, syntax, call.func) if any(_is(part, name) for part in call.args) else None
        if code is None or any(last_name(one) != "function" for one in code.function.decorator_list):
            continue
        for given, taken in zip(call.args, parameters_of(code.function), strict=False):
            if _is(given, name):
                yield code.syntax, [part for part, one in _parts(code.function) if one == taken], taken


def _of_tensors(syntax: Syntax, parts: list[ast.AST]) -> set[int]:
    calls = (part for part in parts if isinstance(part, ast.Call))
    return {id(call) for call in calls if re.match(_OF_TENSORS, plain(syntax.scopes.full_name(call.func)))}


def _used(part: ast.AST, name: str, is_dict: bool, called: set[int], is_one: bool = True) -> str:
    """What needs a tensor and gets a window, or a nest of windows that is not `is_one`, as written."""
    match part:
        case ast.Subscript(value=value, slice=index) if is_one and _is(value, name, is_dict) and _is_place(index):
            return ast.unparse(part)
        case ast.BinOp(left=left, right=right) if is_one and (_is(left, name, is_dict) or _is(right, name, is_dict)):
            return ast.unparse(part)
        case ast.Attribute(value=value, attr=attribute) if _is(value, name, is_dict) and attribute in _OF_TENSOR:
            return ast.unparse(part)
        case ast.Call(args=[first, *_]) if id(part) in called:
            several = first.elts if isinstance(first, (ast.List, ast.Tuple)) else [first]
            return ast.unparse(part) if any(_is(one, name, is_dict) for one in several) else ""
    return ""


def _parts(function: ast.AST | None) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a function, and the name of each argument that means the same there."""
    match function:
        case ast.FunctionDef(body=body) | ast.Lambda(body=body):
            nodes = body if isinstance(body, list) else [body]
            for name in parameters_of(function):
                for part in _before_another(nodes, name):
                    yield part, name


def _before_another(nodes: list[ast.stmt] | list[ast.expr], name: str) -> list[ast.AST]:
    """The parts of all statements, or of the first up to that which sets the name: `x = tf.cast(x, tf.float32)`."""
    parts = [list(walk(node)) for node in nodes]
    other = [any(_is_something_else(part, name) for part in some) for some in parts]
    if True not in other:
        return [part for some in parts for part in some]
    first = other.index(True)
    match nodes[first]:
        case ast.Assign(targets=[ast.Name()], value=value):
            parts[first] = list(walk(value))
    if any(_is_something_else(part, name) for part in parts[first]):
        return []
    known = [part for some in parts[: first + 1] for part in some]
    # What is defined here may run when the name means something else.
    return [] if any(isinstance(part, (ast.FunctionDef, ast.Lambda)) for part in known) else known


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
