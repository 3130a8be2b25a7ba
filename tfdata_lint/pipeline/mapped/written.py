"""What is written in a mapped function: the questions of rules that the record of its run does not answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.code import calls_of, holds, last_name, names, way
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction, Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.source.trees import walk

_BUILDERS = {"dict", "tuple", "list"}
_SHAPES = frozenset({"set_shape", "ensure_shape", "reshape"})


def computes(function: MappedFunction) -> bool:
    """Not if it only picks and arranges: what it leaves out need not even fit into a batch."""
    if function.node is None:
        return True
    for node in walk(function.node):
        match node:
            case ast.BinOp() | ast.UnaryOp() | ast.Compare():
                return True
            case ast.Call(func=func) if not (isinstance(func, ast.Name) and func.id in _BUILDERS):
                return True
    return False


def computes_with(function: MappedFunction) -> bool:
    """Are there operators on numbers in it? Not known of one that is not seen."""
    return function.node is None or any(
        isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, (*_MIXING, ast.FloorDiv))
        for node in walk(function.node)
    )


def calls_helpers(function: MappedFunction) -> bool:
    """Does it call what is not of TensorFlow, of which more than the operations would have to be seen?"""
    nodes = walk(function.node) if function.node is not None else ()
    return any(isinstance(node, ast.Call) and not ast.unparse(node.func).startswith("tf.") for node in nodes)


def may_drop(function: MappedFunction) -> bool:
    """May it leave out a part of the element? It reads a key of it, or does not read a parameter."""
    if not isinstance(function.node, (ast.FunctionDef, ast.Lambda)):
        return False
    given = function.node.args
    parameters = {argument.arg for argument in (*given.posonlyargs, *given.args)}
    read: set[str] = set()
    for node in walk(function.node):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())) if name in parameters:
                return True
            case ast.Name(id=name, ctx=ast.Load()):
                read.add(name)
    return not parameters <= read


def place_of(stage: Stage, name: str) -> Span | None:
    """Where the function of a stage calls something of this name, if it does so once and in the function itself."""
    function = stage.function
    if function is None or function.node is None or function.span is None:
        return None
    calls = list(calls_of(function.node, name))
    return span_of(calls[0], function.span.file) if len(calls) == 1 else None


# ── Python that runs for every element ──────────────────────────────────────────────────────────────────────────────


def calls_under(effect: Effect) -> list[str] | None:
    """What the Python function under `py_function` calls, as written; None where that function is not seen."""
    if effect.wrapped is None:
        return None
    return [ast.unparse(node.func) for node in walk(effect.wrapped) if isinstance(node, ast.Call)]


def given_to(effect: Effect) -> list[str]:
    """The function that is given to `py_function`, as written."""
    if not isinstance(effect.node, ast.Call):
        return []
    keywords = (keyword.value for keyword in effect.node.keywords if keyword.arg == "func")
    return [ast.unparse(node) for node in (*effect.node.args[:1], *keywords)]


def hands_on(function: MappedFunction, effect: Effect) -> bool:
    """Does the function return what this call returned as it is, and nowhere speak of shapes?"""
    node = function.node
    if not isinstance(node, (ast.FunctionDef, ast.Lambda)) or effect.node is None:
        return False
    parts = list(walk(node))
    if any(isinstance(part, ast.Attribute) and part.attr in _SHAPES for part in parts):
        return False
    if isinstance(node, ast.Lambda):
        return any(part is effect.node for part in _items(node.body))
    assignments = [part for part in parts if isinstance(part, ast.Assign)]
    raw = {name for part in assignments if part.value is effect.node for name in names(*part.targets)}
    if any(part.value is not effect.node and not raw.isdisjoint(names(*part.targets)) for part in assignments):
        return False
    returned = (item for part in parts if isinstance(part, ast.Return) and part.value for item in _items(part.value))
    return any(item is effect.node or (isinstance(item, ast.Name) and item.id in raw) for item in returned)


def _items(node: ast.expr) -> Iterator[ast.expr]:
    """The items of a tuple, list or dict; or the expression itself."""
    match node:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Dict(values=items):
            for item in items:
                yield from _items(item)
        case _:
            yield node


# ── Python that runs once ───────────────────────────────────────────────────────────────────────────────────────────


def is_seed(function: MappedFunction, effect: Effect) -> bool:
    """A seed for an operation that draws anew for each element: once is right."""
    nodes = walk(function.node) if function.node is not None else ()
    calls = (node for node in nodes if isinstance(node, ast.Call) and "stateless" not in ast.unparse(node.func))
    seeds = (keyword.value for call in calls for keyword in call.keywords if keyword.arg == "seed")
    return effect.node is not None and any(holds(seed, effect.node) for seed in seeds)


_MIXING = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_MIXING_CALLS = frozenset({"add", "subtract", "multiply", "less", "less_equal", "greater", "greater_equal"})


def is_mixed_in(tree: ast.AST, effect: Effect) -> bool:
    """Is a drawn number added to something, multiplied with it, compared, or given to an operation on images?

    What a matrix product takes is a projection, which is to be the same for all.
    """
    steps = way(tree, effect.node) if effect.node is not None else []
    scope = next((step for step in steps if isinstance(step, (ast.FunctionDef, ast.Lambda))), None)
    if scope is None:
        return False
    drawn = {
        name
        for part in walk(scope)
        if isinstance(part, ast.Assign) and part.value is effect.node
        for name in names(*part.targets)
    }
    users = [part for part in walk(scope) if any(_is_of(node, effect, drawn) for node in _operands(part))]
    return bool(users) and all(map(_mixes, users))


def _is_of(node: ast.expr, effect: Effect, drawn: set[str]) -> bool:
    return node is effect.node or (isinstance(node, ast.Name) and node.id in drawn)


def _operands(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Call(args=args, keywords=keywords):
            return [*args, *(keyword.value for keyword in keywords)]
    return []


def _mixes(user: ast.AST) -> bool:
    match user:
        case ast.BinOp(op=operator):
            return isinstance(operator, _MIXING)
        case ast.Call(func=func):
            return last_name(user) in _MIXING_CALLS or ".image." in ast.unparse(func)
    return isinstance(user, ast.Compare)


def is_separator(function: MappedFunction, effect: Effect) -> bool:
    """A text that occurs nowhere else, to split at: one is as good as many."""
    if function.node is None or effect.node is None or not effect.what.startswith("uuid."):
        return False
    assignments = (node for node in walk(function.node) if isinstance(node, ast.Assign))
    assigned = {name for node in assignments if holds(node.value, effect.node) for name in names(*node.targets)}
    return any(
        isinstance(argument, ast.Name) and argument.id in assigned
        for call in calls_of(function.node, "split")
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
    )


# ── Python that is given tensors ────────────────────────────────────────────────────────────────────────────────────

#: What asks whether there is a tensor, or makes a value of Python of one.
_ASKING = r"isinstance|is_tensor|hasattr|eager|static_value|constant_value|is_symbolic|inside_function"
#: Decorators that leave a function what it is.
_PLAIN = frozenset({"function", "staticmethod", "classmethod", "wraps", "autograph", "do_not_convert", "curry"})
#: Of TensorFlow, but no operation on tensors.
_NO_OPERATION = r"(^|\.)(keras|data|gfile|estimator|contrib|config|TensorShape|TensorSpec|as_dtype)\b"


def is_given_tensor(tree: ast.AST, effect: Effect) -> bool:
    """Is a call certainly given a tensor: a parameter of its function, or what operations of TensorFlow made of one?

    Not where the function asks what it is given, or stands behind a decorator that may do anything.
    """
    call = effect.node
    steps = way(tree, call) if call is not None else []
    scopes = [step for step in steps if isinstance(step, (ast.FunctionDef, ast.Lambda))]
    if not scopes or not isinstance(call, ast.Call):
        return False
    if any(re.search(_ASKING, ast.unparse(scope)) or not _is_plain(scope) for scope in scopes):
        return False
    if any(isinstance(step, ast.Try) for step in steps):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(call.func, ast.Attribute) and effect.fails == "AttributeError" and not given:
        given = [call.func.value]
    return any(_is_tensor(part, scopes[0]) for part in given)


def _is_plain(scope: ast.FunctionDef | ast.Lambda) -> bool:
    return isinstance(scope, ast.Lambda) or all(last_name(part) in _PLAIN for part in scope.decorator_list)


def _is_tensor(node: ast.expr, scope: ast.FunctionDef | ast.Lambda) -> bool:
    match node:
        case ast.Name(id=name):
            return _holds_tensor(name, node, scope)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return _is_tensor(value, scope)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return any(_is_tensor(item, scope) for item in items)
        case ast.BinOp(left=left, right=right):
            return _is_tensor(left, scope) or _is_tensor(right, scope)
        case ast.Call(func=func, args=given):
            name = ast.unparse(func)
            is_operation = name.startswith("tf.") and not re.search(_NO_OPERATION, name)
            return is_operation and any(_is_tensor(part, scope) for part in given)
    return False


def _holds_tensor(name: str, node: ast.expr, scope: ast.FunctionDef | ast.Lambda) -> bool:
    """Is it a parameter, and given tensors only on the rows above?"""
    positional = [*scope.args.posonlyargs, *scope.args.args]
    required = positional[: len(positional) - len(scope.args.defaults)]
    parts = list(walk(scope))
    stores = [part for part in parts if isinstance(part, ast.Name) and part.id == name and part.lineno < node.lineno]
    bound = [part for part in stores if not isinstance(part.ctx, ast.Load)]
    assigned = [
        part.value
        for part in parts
        if isinstance(part, ast.Assign) and name in names(*part.targets) and _ends(part) < node.lineno
    ]
    if len(bound) != len(assigned):
        return False
    is_known = name in {argument.arg for argument in required} or bool(assigned)
    return is_known and all(_is_tensor(value, scope) for value in assigned)


def _ends(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
