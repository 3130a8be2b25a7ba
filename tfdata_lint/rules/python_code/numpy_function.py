"""`numpy_function` in the place of `py_function`, which is slower and does no more for code of NumPy."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.mapped.generators import own_nodes
from tfdata_lint.pipeline.mapped.record import FunctionNode
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.pipeline.project.syntax import assigned_value
from tfdata_lint.pipeline.python.uses import mentions, uses
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import rows_of
from tfdata_lint.rules.base import Fix, guarded

_PARAMETERS = ("func", "inp", "Tout", "name")
#: Results that `py_function` converts, and `numpy_function` does not, or in another way.
_CONVERTED = (ast.Constant, ast.List, ast.ListComp, ast.Dict, ast.Compare, ast.BoolOp)
_OF_PYTHON = frozenset({"float", "int", "bool", "len", "list", "sum", "tolist", "item", "sorted", "tuple"})
#: A name that is set to such a result.
_SET = rf"^ *{{}} = (?:\[|(?:{'|'.join(sorted(_OF_PYTHON))})\()"
#: What makes something new of a value at once.
_NEW = frozenset({"bool", "decode", "float", "int", "len", "str"})
#: What may change an array in place, of which `numpy_function` passes no copy (measured: a cached tensor changes).
_CHANGING = r"^ *[\w.]+(\[.*\] \S*=| \S+=) |^ *[\w.]+\(|out=|\.(sort|fill|resize|put|partition)\("


@guarded
def to_numpy(graph: PipelineGraph, effect: Effect) -> Fix | None:
    """Where the function takes only the values of what it is given, by `.numpy()`, and is passed here alone."""
    call, function, draft = effect.node, effect.wrapped, Draft(graph)
    if effect.what != "tf.py_function" or not isinstance(call, ast.Call) or effect.python is None:
        return None
    given = {word.arg or "": word.value for word in call.keywords} | dict(zip(_PARAMETERS, call.args, strict=False))
    if not isinstance(function, (ast.FunctionDef, ast.Lambda)) or not {"func", "inp", "Tout"} <= given.keys():
        return None
    name, results, code = given["func"], _results(function), "\n".join(map(ast.unparse, effect.python.nodes))
    is_alone = name is function or (
        isinstance(name, ast.Name)
        and bool(draft.syntax.way(function))
        and len(mentions(draft.syntax, name.id, name)) == 1
        and not graph.is_used_elsewhere(name.id)
    )
    if (
        not is_alone
        or function.args.vararg
        or not function.args.args
        or re.search(r"\b(tf|tensorflow|keras|tape)\b", code)
        or not results
        or None in results
        or any(isinstance(result, _CONVERTED) or last_name(result) in _OF_PYTHON for result in results)
        or any(re.search(_SET.format(last_name(result) or "-"), code, re.MULTILINE) for result in results)
        or any(isinstance(result, ast.BinOp) and ast.unparse(result).startswith("[") for result in results)
    ):
        return None
    are_new = [_take_values(draft, argument.arg, function) for argument in function.args.args]
    if not all(are_new) and (None in are_new or not effect.python.is_known or re.search(_CHANGING, code, re.MULTILINE)):
        return None
    draft.rename_attribute(call.func, "py_function", "numpy_function")
    tout, called = f"np.{last_name(given['Tout'])}", draft.syntax.called
    is_typed = all(
        isinstance(result, ast.Call)
        and called(result.args[0] if last_name(result) == "astype" and result.args else result.func) == tout
        for result in results
    )
    return draft.fix(
        "safe" if is_typed else "unsafe",
        "Use `tf.numpy_function`, without `.numpy()`",
        "`numpy_function` does not convert the result: another type than `Tout` raises an error" * (not is_typed),
    )


@guarded
def with_shape(graph: PipelineGraph, effect: Effect) -> Fix | None:
    """Restore the shape of a result that has one shape, by what is written."""
    call, function, draft = effect.node, effect.wrapped, Draft(graph)
    shapes = {_shape(result) for result in _results(function)} if isinstance(function, FUNCTIONS) else {""}
    if not isinstance(call, ast.Call) or len(shapes) != 1 or "" in shapes or not draft.can_edit(call):
        return None
    text = f"ensure_shape({draft.syntax.written(call)}, {max(shapes)})"
    draft.replace(call, f"{draft.tensorflow(call)}.{text}")
    return draft.fix("safe", "Restore the shape with `tf.ensure_shape`")


def _results(function: FunctionNode) -> list[ast.expr | None]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]


def _shape(node: ast.expr | None) -> str:
    """The shape of `np.float32([x, y])` and `x.reshape([2, 3])`, also behind `.astype(…)` and `/ 255`."""
    match node:
        case ast.BinOp(left=value, right=ast.Constant()) | ast.Call(func=ast.Attribute(value=value, attr="astype")):
            return _shape(value)
        case ast.Call(func=ast.Attribute(attr="reshape"), args=[ast.List(elts=sizes) | ast.Tuple(elts=sizes)]):
            return (
                f"[{', '.join(map(ast.unparse, sizes))}]"
                if all(isinstance(size, ast.Constant) for size in sizes)
                else ""
            )
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr=name), args=[ast.List(elts=parts), *_]) if (
            re.fullmatch(r"(as)?array|float\d+|u?int\d+", name)
        ):
            return f"[{len(parts)}]" if all(isinstance(part, (ast.Name, ast.Constant)) for part in parts) else ""
    return ""


def _take_values(draft: Draft, name: str, function: ast.FunctionDef | ast.Lambda) -> bool | None:
    """Remove `.numpy()` behind a parameter; are only new values made of it? None where the tensor itself is used."""
    body = function.body if isinstance(function, ast.FunctionDef) else []
    used = uses(draft.syntax, name, body[-1] if isinstance(function, ast.FunctionDef) else function.body)
    taken = [use for use in used if (use.kind, use.what) == ("method", "numpy")]
    made = next((step for step in body if any(assigned_value(step, name) is use.by for use in taken)), None)
    others = [use.node.lineno for use in used if use not in taken]
    if not taken or (others and (made is None or len(taken) > 1 or min(others) < made.lineno)):
        return None
    calls = [(use.node, use.by) for use in taken if isinstance(use.by, ast.Call)]
    rows = rows_of(draft, made) if made is not None else None
    for node, call in calls:
        draft.put(*(rows or (draft.syntax.end(node), draft.syntax.end(call))), "")
    return all(last_name(draft.syntax.way(call)[-2]) in _NEW for _, call in calls)
