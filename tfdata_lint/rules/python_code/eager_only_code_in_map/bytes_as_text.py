"""Text that NumPy hands to a generator or to `numpy_function` as bytes, and that Python takes for `str`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.mapped.generators import own_nodes
from tfdata_lint.pipeline.nouns.code import holds, last_name, may_fail
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Function, Value
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.python.origins import Place, origins
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
    """What is taken: a parameter, or a variable that holds a part of one."""
    how: str
    """What passes it: `from_generator(args=…)`, `numpy_function`."""
    fails: str
    """What it raises; empty where it is silently something else."""


def mistaken(graph: PipelineGraph, stage: Stage) -> Iterator[Mistaken]:
    """Where the generator of a stage, or the Python in its mapped function, takes bytes for text."""
    if stage.span.file != graph.file:
        return
    if stage.op == "from_generator" and stage.generator is not None and stage.python is not None:
        given = stage.arguments.get("args")
        written = Place(stage.arguments["generator"].node, graph.source)
        of = stage.arguments["generator"].value
        yield from _in_function(
            graph, of, written, given.node if given else None, stage.python.nodes, "from_generator(args=…)"
        )
    function = stage.function
    for call in function.calls if function is not None else ():
        if call.python is not None and (name := last_name(call.node)) in _GIVING and len(call.node.args) > 1:
            there = graph.source_of(call.span.file) or graph.source
            written, of = Place(call.node.args[0], there), call.positional[0]
            yield from _in_function(graph, of, written, call.node.args[1], call.python.nodes, name)


def _in_function(
    graph: PipelineGraph, of: Value, written: Place, given: ast.expr | None, nodes: tuple[ast.AST, ...], how: str
) -> Iterator[Mistaken]:
    if not isinstance(of, Function) or not isinstance(given, (ast.Tuple, ast.List)):
        return
    if of.is_wrapped or any(isinstance(part, ast.Starred) for part in given.elts):
        return
    homes = (place.source for place in origins(graph, *written) if place.node is of.node)
    home = graph.source if holds(graph.tree, of.node) else next(homes, None)
    if home is None or home.tree is None:
        return
    named: dict[str, Any] = {}
    for node in nodes:
        name = getattr(node, "name", "")
        named[name] = node if named.get(name, node) is node else None
    todo: list[tuple[Any, frozenset[str]]] = [(of.node, _parameters(of.node, len(given.elts)))]
    seen: set[int] = set()
    while todo:
        function, parameters = todo.pop()
        if id(function) in seen or not holds(home.tree, function) or _reckons(function):
            continue
        seen.add(id(function))
        own = list(own_nodes(function))
        texts = _texts(own, parameters)
        for node in own:
            if (found := _taken(node, texts)) and not may_fail(home.tree, node):
                yield Mistaken(found[0], span_of(found[0], graph.file_of(home)), found[1], how, found[2])
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (helper := named.get(node.func.id)):
                # Where a helper is given the same, it may be taken for text there.
                places = _parameters(helper, len(node.args), ordered=True)
                handed = frozenset(name for name, part in zip(places, node.args, strict=False) if _is_one(part, texts))
                todo.append((helper, handed))


def _parameters(function: Any, count: int, ordered: bool = False) -> Any:
    """The names of the parameters that are given so many arguments."""
    arguments: ast.arguments = function.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    return names[:count] if ordered else frozenset(names[:count])


def _reckons(function: ast.AST) -> bool:
    """Does it ask what it is given, or know that this is bytes?"""
    return any(
        (isinstance(node, ast.Name) and node.id in _ASKING)
        or (isinstance(node, ast.Attribute) and node.attr in _ASKING)
        or (isinstance(node, ast.Constant) and isinstance(node.value, bytes))
        for node in walk(function)
    )


def _texts(own: list[ast.AST], parameters: frozenset[str]) -> set[str]:
    """The names that hold what is given, or a part of it, wherever they are assigned."""
    stored = {id(node): node.id for node in own if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    texts = set(parameters - set(stored.values()))
    while True:
        known = {id(name) for node in own for name in _assigned(node, texts)}
        unknown = {name for place, name in stored.items() if place not in known}
        more = set(stored.values()) - unknown - parameters - texts
        if not more:
            return texts
        texts |= more


def _assigned(node: ast.AST, texts: set[str]) -> Iterator[ast.Name]:
    """The names that a statement gives a part of what is given."""
    match node:
        case ast.Assign(targets=[ast.Name() as name], value=value) if _is_one(value, texts):
            yield name
        case ast.For(target=target, iter=walked) | ast.comprehension(target=target, iter=walked):
            yield from _walked(target, walked, texts)


def _walked(target: ast.expr, walked: ast.expr, texts: set[str]) -> Iterator[ast.Name]:
    match target, walked:
        case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[one, *_]):
            yield from _walked(inner, one, texts)
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=each) if len(parts) == len(each):
            for part, one in zip(parts, each, strict=True):
                yield from _walked(part, one, texts)
        case ast.Name(), _ if _is_one(walked, texts):
            yield target


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
