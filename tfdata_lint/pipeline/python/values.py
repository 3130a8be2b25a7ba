"""The literal that an expression is, wherever that is written; of texts also the parts that are known."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import syntax_there
from tfdata_lint.pipeline.python.origins import Place, given_for, origins
from tfdata_lint.source.module import Source

#: Stands around the number of what is not known in a text.
HOLE = "\0"
_DEEPEST = 12
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
_CONVERTING = {"int": int, "float": float, "bool": bool}
#: They give a path, or the files of a pattern, for the path that they are given or called on.
_KEEPING = frozenset({
    "Path", "PosixPath", "PurePath", "PurePosixPath", "abspath", "absolute", "as_posix", "constant", "expanduser",
    "fspath", "glob", "Glob", "iglob", "iterdir", "list", "listdir", "natsorted", "normpath", "realpath", "resolve",
    "rglob", "scandir", "sorted", "str",
})  # fmt: skip
_JOINING = frozenset({"glob", "join", "joinpath", "rglob"})
#: What a text is filled in at: `%d`, `{:03d}`.
_FIELDS = re.compile(r"%[-+#0 \d.]*[a-z]|\{[^{}]*\}")


def value_at(graph: PipelineGraph, node: ast.AST, source: Source | None = None) -> Any:
    """The literal that an expression is; `...` where it is not known, or one of several."""
    found = values_at(graph, node, source)
    return found[0] if len(found) == 1 else ...


def values_at(graph: PipelineGraph, node: ast.AST, source: Source | None = None) -> list[Any]:
    """All literals that an expression may be, at least one, each once; `...` for what is not known."""
    places = origins(graph, node, source) or [Place(node, source or graph.source)]
    found = [_known(_folded(graph, place, _DEEPEST)) for place in places]
    return list({repr(one): one for one in found}.values())


def names_in_brackets(graph: PipelineGraph, node: ast.AST | None) -> list[str]:
    """The names of columns that `table[columns]` takes, where `columns` is a list that nothing takes from."""
    if not isinstance(node, ast.Subscript) or f"{last_name(node.slice)}.remove(" in graph.source.text:
        return []
    value = value_at(graph, node.slice)
    return value if isinstance(value, list) and all(isinstance(name, str) for name in value) else []


def texts_at(graph: PipelineGraph, node: ast.AST, source: Source | None = None) -> list[str]:
    """All texts that an expression may be, also those in lists, with a hole for each part that is not known.

    Two holes are the same only for the value of one name that is bound once.
    """
    places = origins(graph, node, source) or [Place(node, source or graph.source)]
    folded = [_folded(graph, place, _DEEPEST) for place in places]
    found = [text for one in folded for text in (one if isinstance(one, list) else [one])]
    return [str(text) for text in found if text is not None and not isinstance(text, bool)]


def _known(value: Any) -> Any:
    parts = value if isinstance(value, (list, tuple)) else [value]
    return ... if any(isinstance(part, str) and HOLE in part for part in parts) else value


def _hole(graph: PipelineGraph, place: Place, left: int = _DEEPEST) -> str:
    """What stands for a part that is not known, by where it comes from: also through functions that are called once."""
    node, source = place
    syntax = syntax_there(source, graph.source)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and left:
        # An option, which nothing sets: `args.folder`.
        if not any(last_name(store.value) == node.value.id for store in syntax.stores(node.attr)):
            return f"{_hole(graph, Place(node.value, source), left - 1)[:-1]}.{node.attr}{HOLE}"
    _, bindings = (syntax.scopes.binds(node.id, node) if isinstance(node, ast.Name) else None) or (None, [])
    if len(bindings) == 1:
        node = bindings[0]
    given = graph.once(given_for, node, source) if isinstance(node, ast.arg) and left else None
    if given is not None and len(given) == 1 and given[0] is not None:
        return _hole(graph, given[0], left - 1)
    return f"{HOLE}{id(node)}{HOLE}"


def _fold(graph: PipelineGraph, node: ast.AST, source: Source, left: int) -> Any:
    """The value of a part; a hole where it is not known or one of several."""
    places = origins(graph, node, source)
    values = [graph.once(_folded, place, left - 1) for place in places] if left > 0 else []
    return values[0] if values and all(one == values[0] for one in values) else _hole(graph, Place(node, source))


def _folded(graph: PipelineGraph, place: Place, left: int) -> Any:
    node, source = place
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts):
            return tuple(_parts(graph, parts, source, left))
        case ast.List(elts=parts):
            return _parts(graph, parts, source, left)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.JoinedStr(values=parts):
            return "".join(map(str, _parts(graph, parts, source, left)))
        case ast.FormattedValue(value=part, conversion=-1, format_spec=None):
            return _given(graph, part, source, left)
        case ast.Subscript(value=whole, slice=ast.Slice()):
            return _fold(graph, whole, source, left)
        case ast.ListComp(elt=one, generators=[first, *_]) | ast.GeneratorExp(elt=one, generators=[first, *_]):
            item = _fold(graph, one, source, left)
            return _fold(graph, first.iter, source, left) if str(item).startswith(HOLE) else item
        case ast.BinOp(left=one, op=op, right=other):
            found = _operated(op, _given(graph, one, source, left), _given(graph, other, source, left))
            return _hole(graph, place) if found is None else found
        case ast.Call():
            found = _called(graph, node, source, left)
            return _hole(graph, place) if found is None else found
    return _hole(graph, place)


def _parts(graph: PipelineGraph, nodes: Iterable[ast.AST], source: Source, left: int) -> list[Any]:
    return [_fold(graph, node, source, left) for node in nodes]


def _given(graph: PipelineGraph, node: ast.AST, source: Source, left: int) -> Any:
    """The same of a part that cannot be None: an option without a default is not known."""
    found = _fold(graph, node, source, left)
    return _hole(graph, Place(node, source)) if found is None else found


def _operated(op: ast.operator, one: Any, other: Any) -> Any:
    if isinstance(one, str) or isinstance(other, str):
        if isinstance(op, ast.Mod):
            return _filled(str(one))
        texts = isinstance(one, str) and isinstance(other, str)
        # `folder / "name"`; of two texts that are known it is none.
        return _joined([one, other]) if isinstance(op, ast.Div) else one + other if texts else None
    if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return None
    try:
        return _OPERATORS[type(op)](one, other)
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return None


def _called(graph: PipelineGraph, call: ast.Call, source: Source, left: int) -> Any:
    name, func = last_name(call), call.func
    full = syntax_there(source, graph.source).scopes.full_name(func)
    # A method of a path; of a function of a module the arguments alone count.
    holder = [func.value] if isinstance(func, ast.Attribute) and not full else []
    given = [*holder, *call.args]
    if name == "format" and holder:
        return _filled(str(_fold(graph, holder[0], source, left)))
    if name in _CONVERTING and len(given) == 1:
        value = _known(_fold(graph, given[0], source, left))
        return _CONVERTING[name](value) if isinstance(value, (int, float)) else None
    if given and name in _JOINING and (full or name != "join") and "glob.glob" not in full:
        return _joined([_given(graph, part, source, left) for part in given])
    return _given(graph, given[0], source, left) if given and name in _KEEPING else None


def _joined(parts: list[Any]) -> str:
    text = ""
    for part in map(str, parts):
        text = part if part.startswith("/") or not text else f"{text.rstrip('/')}/{part}"
    return text


def _filled(text: str) -> str:
    return _FIELDS.sub(f"{HOLE}?{HOLE}", text)
