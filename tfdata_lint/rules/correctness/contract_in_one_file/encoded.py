"""As which numbers a module writes the bytes of arrays into records, and as which it reads them."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.results import dtype_said
from tfdata_lint.pipeline.nouns.stages import Call, Given
from tfdata_lint.pipeline.nouns.values import Computed, Constant, Element, Expr
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of
from tfdata_lint.pipeline.python.origins import argument, in_force, origins
from tfdata_lint.source.trees import walk

#: What writes an array as bytes, and what reads such bytes.
_DECODERS = {"tobytes": "decode_raw", "tostring": "decode_raw", "serialize_tensor": "parse_tensor"}
#: Where they are given a dtype.
_TYPED = {"astype": 0, "array": 1, "asarray": 1, "ascontiguousarray": 1, "cast": 1, "constant": 1, "zeros": 1}
_KEEPING = ("copy", "flatten", "numpy", "ravel", "reshape", "squeeze")
_NUMBERS = r"float(16|32|64)|u?int(8|16|32|64)"
_DEEPEST = 8


def decoded(call: Call) -> tuple[str, str, str] | None:
    """What reads which bytes as which numbers: of a feature, by its name, or of a whole record, whose name is empty."""
    by, given, dtype = last(call.name), call.argument(0, "input_bytes"), dtype_said(call.argument(1, "out_type"))
    # Bytes by themselves may be other numbers for who goes on with them.
    if by not in _DECODERS.values() or not re.fullmatch(_NUMBERS, dtype) or dtype.endswith("int8"):
        return None
    match given.expr if isinstance(given, (Computed, Element)) else given:
        case Expr(by="item", of=(Expr(by=parsing), Constant(str(key)))) if last(parsing).startswith("parse_"):
            return by, key, dtype
        case Expr(by="parameter", of=(Given(count=1), _)):
            return by, "", dtype
    return None


def encoded(graph: PipelineGraph) -> dict[tuple[str, str], set[str]]:
    """The dtypes of the arrays that are written, by what reads their bytes, and the feature; "" for what is unknown."""
    found: dict[tuple[str, str], set[str]] = {}
    for node in nodes_on(graph.tree, rows_with(graph.source.text, r"[Ff]eature", r"\.write\(")):
        written: list[tuple[str, ast.expr]] = []
        match node:
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                written = [(str(key.value), value) for key, value in pairs if isinstance(key, ast.Constant)]
                written = [pair for pair in written if re.fullmatch("Feature|.*feature.*", last_name(pair[1]))]
            case ast.Call(func=ast.Attribute(attr="write"), args=[value]):
                written = [("", value)]
        for key, value in written:
            calls = [one for one in walk(value) if isinstance(one, ast.Call) and last_name(one) in _DECODERS]
            for by in _DECODERS.values():
                # The array has the method, or is given.
                arrays = [
                    [*one.args, getattr(one.func, "value", None)][0] for one in calls if _DECODERS[last_name(one)] == by
                ]
                dtype = _dtype(graph, arrays[0], _DEEPEST) if len(arrays) == len(calls) == 1 else ""
                found.setdefault((by, key), set()).add(dtype)
    return found


def _dtype(graph: PipelineGraph, node: ast.AST | None, left: int) -> str:
    """The dtype of an array as it is written; empty where it is not certain."""
    match node:
        case ast.Call() if last_name(node) in _TYPED:
            given = argument(graph, node, _TYPED[last_name(node)], "dtype", graph.source)
            names = {_name(place.node) for place in origins(graph, *given)} if given is not None else set()
            name = names.pop() if len(names) == 1 else ""
            return name if re.fullmatch(_NUMBERS, name) else ""
        case ast.Call(func=ast.Attribute(value=base, attr=method)) if method in _KEEPING and left:
            return _dtype(graph, base, left - 1)
        case ast.Subscript(value=base) if left:
            return _dtype(graph, base, left - 1)
        case ast.Name(id=name) if left:
            syntax = syntax_of(graph.source)
            _, bindings = syntax.scopes.binds(name, node) or (None, [])
            # `x /= 2` leaves an array its dtype.
            anew = [one for one in bindings if not isinstance(syntax.way(one)[-2], ast.AugAssign)]
            found = {_bound(graph, one, left - 1) for one in in_force(syntax, node, anew)}
            return found.pop() if len(found) == 1 else ""
    return ""


def _name(node: ast.AST) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else last_name(node)


def _bound(graph: PipelineGraph, binding: ast.AST, left: int) -> str:
    """The dtype of what a name is bound to: an array, or the rows of one in a loop."""
    way = syntax_of(graph.source).way(binding)
    if (value := bound_value(way)) is not None:
        return _dtype(graph, value, left)
    loop = next((step for step in reversed(way) if isinstance(step, ast.For)), None)
    target, walked = (loop.target, loop.iter) if loop is not None else (None, None)
    while target is not binding:
        match target, walked:
            case ast.Tuple(elts=[_, other]), ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                target, walked = other, inner
            case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=given):
                pairs = zip(targets, given, strict=False)
                target, walked = next((pair for pair in pairs if pair[0] in way), (None, None))
            case _:
                return ""
    return _dtype(graph, walked, left)
