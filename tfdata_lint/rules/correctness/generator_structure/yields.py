"""What a generator yields, as far as its code says it literally, against what `from_generator` is told."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from tfdata_lint.pipeline.mapped.generators import own_nodes
from tfdata_lint.pipeline.mapped.record import FunctionNode
from tfdata_lint.pipeline.nouns.code import holds, result_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Constant, External, Mapping_, Sequence, Symbol, Value
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.pipeline.python.runs import generators_called
from tfdata_lint.source.module import Source

_TOLD = ("output_signature", "output_types")
#: Decorators that leave a generator what it is.
_INDIFFERENT = frozenset({"staticmethod", "classmethod"})


class Mismatch(NamedTuple):
    yielded: str
    """`a list`, `2 parts`."""
    told: str
    parameter: str
    span: Span | None
    """Where it is yielded, if that is in the same file."""


def told_a_list(stage: Stage) -> str:
    """The parameter in which a list stands where the nesting of elements is told."""
    for name in _TOLD:
        argument = stage.arguments.get(name)
        if argument is not None and isinstance(argument.value, Sequence) and argument.value.kind == "list":
            return name
    return ""


def is_running(stage: Stage, graph: PipelineGraph) -> bool:
    """Is it given a generator that runs, instead of a function that makes one?"""
    argument = stage.arguments.get("generator")
    match argument.node if argument is not None else None:
        case ast.GeneratorExp():
            return True
        case ast.Call() as call:
            return bool(generators_called(graph, call, graph.source_of(stage.span.file)))
    return False


def mismatch(stage: Stage, graph: PipelineGraph) -> Mismatch | None:
    """How everything that the generator of a stage yields differs from what is told; None where something may fit."""
    parameter = next((name for name in _TOLD if name in stage.arguments), None)
    function, source, maker = stage.generator, graph.source_of(stage.span.file), stage.arguments.get("generator")
    if isinstance(call := result_of(function), ast.Call):
        called = generators_called(graph, call, source)
        function = called[0].node if len(called) == 1 else None
    else:
        called = origins(graph, maker.node, source) if maker is not None else []
    source = next((place.source for place in called if place.node is function), source)
    is_here = function is not None and stage.span.file == graph.file and holds(graph.tree, function)
    values = [_returned(value, graph, source) for value in _yielded(function)]
    if parameter is None or not values:
        return None
    shapes = stage.arguments.get("output_shapes")
    given = stage.arguments[parameter].value
    found = [_difference(value, given, shapes.value if shapes else None) for value in values]
    if not found or None in found or found[0] is None:
        return None
    is_here = is_here and holds(graph.tree, values[0])
    return Mismatch(*found[0], parameter, span_of(values[0], graph.file) if is_here else None)


def _is_plain(function: ast.FunctionDef) -> bool:
    return all(ast.unparse(decorator) in _INDIFFERENT for decorator in function.decorator_list)


def _yielded(function: FunctionNode | None) -> list[ast.expr]:
    """All that it yields; nothing where not all of it is seen."""
    if isinstance(given := result_of(function), ast.GeneratorExp):
        return [given.elt]
    match function:
        case ast.FunctionDef():
            if not _is_plain(function):
                return []
            own = list(own_nodes(function))
            if any(isinstance(node, ast.YieldFrom) for node in own):
                return []
            values = [node.value or ast.Constant(None) for node in own if isinstance(node, ast.Yield)]
            return [_assigned(value, own) for value in values]
    return []


def _assigned(value: ast.expr, own: list[ast.AST]) -> ast.expr:
    """What stands in a name that is assigned once."""
    if not isinstance(value, ast.Name):
        return value
    stores = [node for node in own if isinstance(node, ast.Name) and node.id == value.id]
    if sum(isinstance(node.ctx, ast.Store) for node in stores) != 1 or _is_changed(value.id, own):
        return value
    for node in own:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=given) if name == value.id:
                return given
    return value


def _returned(value: ast.expr, graph: PipelineGraph, source: Source | None) -> ast.expr:
    """What the function of the project returns that is called, where it has one `return`, at its end."""
    match [place.node for place in origins(graph, value.func, source)] if isinstance(value, ast.Call) else []:
        case [ast.FunctionDef(body=[*_, ast.Return(value=ast.expr() as given)]) as function] if _is_plain(function):
            own = list(own_nodes(function))
            exits = [node for node in own if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom))]
            return _assigned(given, own) if len(exits) == 1 else value
    return value


def _is_changed(name: str, own: list[ast.AST]) -> bool:
    """Is something done to it: `rows.append(x)`, `row["x"] = 1`?"""
    changed = (node.value for node in own if isinstance(node, (ast.Attribute, ast.Subscript)))
    return any(isinstance(value, ast.Name) and value.id == name for value in changed)


def _difference(value: ast.expr, told: Value, shapes: Value | None) -> tuple[str, str] | None:
    """What is yielded, and what is told; None where they may go together."""
    match told:
        case Sequence(kind="tuple", items=items, rest=None, exact=True):
            return _from_tuple(value, items, shapes)
        case Mapping_(rest=None, exact=True) if not told.gone and told.spread is None:
            return _from_dict(value, told.items, shapes)
        case External() | Symbol():
            return _from_tensor(value, told, shapes)
    return None


def _from_tuple(value: ast.expr, items: tuple[Value, ...], shapes: Value | None) -> tuple[str, str] | None:
    told = f"a tuple of {len(items)}"
    if not isinstance(value, ast.Tuple):
        return (kind, told) if (kind := _kind(value)) else None
    if any(isinstance(part, ast.Starred) for part in value.elts):
        return None
    if len(value.elts) != len(items):
        return f"a tuple of {len(value.elts)}", told
    each = shapes.items if isinstance(shapes, Sequence) and len(shapes.items) == len(items) else (None,) * len(items)
    parts = (_difference(part, item, shape) for part, item, shape in zip(value.elts, items, each, strict=True))
    return next(filter(None, parts), None)


def _from_dict(value: ast.expr, items: dict[Any, Value], shapes: Value | None) -> tuple[str, str] | None:
    told = "a dict of " + ", ".join(f"`{key}`" for key in items)
    if not isinstance(value, ast.Dict):
        return (kind, told) if (kind := _kind(value)) else None
    keys: list[Any] = [key.value if isinstance(key, ast.Constant) else ... for key in value.keys]
    if ... in keys:
        return None
    if set(keys) != set(items):
        return "a dict of " + ", ".join(f"`{key}`" for key in keys), told.removeprefix("a dict of ")
    each = shapes.items if isinstance(shapes, Mapping_) else {}
    parts = (_difference(part, items[key], each.get(key)) for key, part in zip(keys, value.values, strict=True))
    return next(filter(None, parts), None)


def _from_tensor(value: ast.expr, told: External | Symbol, shapes: Value | None) -> tuple[str, str] | None:
    """Tuples and lists become tensors, if their length is what the shape says."""
    if isinstance(told, External):
        if not told.symbol.endswith(".TensorSpec"):
            return None
        shapes = told.keywords.get("shape", told.arguments[0] if told.arguments else Sequence("tuple", ()))
    if isinstance(value, ast.Dict):
        return "a dict", "one tensor"
    if isinstance(value, ast.Constant) and value.value is None:
        return "`None`", "a tensor"
    if not isinstance(value, (ast.Tuple, ast.List)) or any(isinstance(part, ast.Starred) for part in value.elts):
        return None
    match shapes:
        case Sequence(items=(), rest=None):
            return f"{len(value.elts)} values", "a scalar"
        case Sequence(items=[Constant(int(size)), *_]) if size != len(value.elts):
            return f"{len(value.elts)} values", f"{size} of them"
    return None


def _kind(value: ast.expr) -> str:
    """What it is for sure, if it is no tuple and no dict of that nesting."""
    match value:
        case ast.List() | ast.ListComp():
            return "a list"
        case ast.Dict() | ast.DictComp():
            return "a dict"
        case ast.Tuple():
            return f"a tuple of {len(value.elts)}"
        case ast.Constant(value=None):
            return "`None`"
        case ast.Constant() | ast.JoinedStr() | ast.BinOp(op=ast.Div()):
            return "one value"
        case ast.Call(func=ast.Name(id="list")):
            return "a list"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="array" | "asarray" | "zeros")):
            return "an array"
    return ""
