"""Text that NumPy hands to a generator or to `numpy_function` as bytes, and that Python takes for `str`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.mapped.generators import own_nodes
from tfdata_lint.pipeline.nouns.code import holds, last_name, may_fail, parameters_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Function, Value
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.source.trees import walk

#: They give functions what NumPy makes of tensors; `py_function` gives tensors.
_GIVING = ("numpy_function", "py_func")
#: Methods of bytes that want bytes, too, and those that bytes do not have.
_WANTING = frozenset({
    "count", "endswith", "find", "lstrip", "partition", "replace", "rpartition", "rsplit", "rstrip", "split",
    "startswith", "strip",
})  # fmt: skip
_MISSING = frozenset({"encode", "format", "isdecimal", "isnumeric"})
#: Whoever writes one of these reckons with bytes.
_ASKING = frozenset({"as_str", "as_str_any", "as_text", "bytes", "decode", "hasattr", "isinstance", "type"})
_SAME_ITEMS = frozenset({"iter", "list", "reversed", "sorted", "tuple"})


class Mistaken(NamedTuple):
    """Where it is taken for text."""

    node: ast.expr
    span: Span
    taken: ast.expr
    """What is taken: a parameter, or an item of one."""
    how: str
    """What passes it: `from_generator(args=…)`, `numpy_function`."""
    fails: str
    """What it raises; empty where it is silently something else."""


def mistaken(graph: PipelineGraph, stage: Stage) -> Iterator[Mistaken]:
    """Where the generator of a stage, or the Python in its mapped function, takes bytes for text."""
    if stage.span.file != graph.file:
        return
    if stage.op == "from_generator" and "args" in stage.arguments:
        of = stage.arguments["generator"].value
        yield from _in_function(graph, of, stage.arguments["args"].node, "from_generator(args=…)")
    for call in stage.function.calls if stage.function is not None else ():
        if call.python is not None and (name := last_name(call.node)) in _GIVING and len(call.node.args) > 1:
            yield from _in_function(graph, call.positional[0], call.node.args[1], name)


def _in_function(graph: PipelineGraph, of: Value, given: ast.expr, how: str) -> Iterator[Mistaken]:
    if not isinstance(of, Function) or of.is_wrapped or not isinstance(given, (ast.Tuple, ast.List)):
        return
    function = of.node
    if any(isinstance(part, ast.Starred) for part in given.elts):
        return
    if not holds(graph.tree, function) or _reckons(function):
        return
    own = list(own_nodes(function))
    stored = {node.id for node in own if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    texts = set(parameters_of(function)[: len(given.elts)]) - stored
    for node in own:
        if (found := _taken(node, texts)) and not may_fail(graph.tree, node):
            yield Mistaken(found[0], span_of(found[0], graph.file), found[1], how, found[2])


def _reckons(function: ast.AST) -> bool:
    """Does it ask what it is given, or know that this is bytes?"""
    return any(
        (isinstance(node, ast.Name) and node.id in _ASKING)
        or (isinstance(node, ast.Attribute) and node.attr in _ASKING)
        or (isinstance(node, ast.Constant) and isinstance(node.value, bytes))
        for node in walk(function)
    )


def _is_one(node: ast.expr, texts: set[str]) -> bool:
    """Is it what is given, or a part of that?"""
    match node:
        case ast.Name(id=name):
            return name in texts
        case ast.Subscript(value=value, slice=place):
            return _is_one(value, texts) and not _is_text(place, texts)
        case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if name in _SAME_ITEMS:
            return _is_one(value, texts)
    return False


def _is_text(node: ast.expr, texts: set[str]) -> bool:
    """Is it `str` for sure, if it is anything?"""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return (_is_text(left, texts) or _is_text(right, texts)) and not (
                _is_one(left, texts) or _is_one(right, texts)
            )
    return False


def _taken(node: ast.AST, texts: set[str]) -> tuple[ast.expr, ast.expr, str] | None:
    """What takes bytes for text, the bytes, and what is raised."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=arguments) if _is_one(value, texts):
            if method in _MISSING:
                return node, value, "AttributeError"
            if method in _WANTING and arguments and _is_text(arguments[0], texts):
                return node, value, "TypeError"
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="path"), attr="join"), args=parts):
            given = next((part for part in parts if _is_one(part, texts)), None)
            if given is not None and any(_is_text(part, texts) for part in parts):
                return node, given, "TypeError"
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for one, other in ((left, right), (right, left)):
                if _is_one(one, texts) and _is_text(other, texts):
                    return node, one, "TypeError"
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            for one, other in ((left, right), (right, left)):
                if _is_one(one, texts) and _is_text(other, texts):
                    return node, one, ""
        case ast.Compare(
            left=left, ops=[ast.In() | ast.NotIn()], comparators=[ast.Tuple() | ast.List() | ast.Set() as right]
        ):
            if _is_one(left, texts) and right.elts and all(_is_text(part, texts) for part in right.elts):
                return node, left, ""
    return None
