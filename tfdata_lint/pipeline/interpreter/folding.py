"""What is known of Python's own operations on abstract values: truth, comparison, arithmetic; and of joins."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence as Seq
from typing import Any

from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.options import Options
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Iterator as IteratorValue, Join, JoinBranch, Stage
from tfdata_lint.pipeline.nouns.values import (
    NOTHING,
    UNKNOWN,
    Alternatives,
    Class,
    Computed,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Mapping_,
    NoResult,
    Partial,
    Sequence,
    Symbol,
    Value,
    expr_of,
    kinds,
    same,
)

#: What is computed with when the code runs, and fails then if it cannot be.
_ARRAYS = (Computed, External, Symbol, NoResult)
#: Objects that are true, and no None, whatever they hold.
_TRUE = kinds(Stage, Join, Function, Class, Partial, Options, IteratorValue)
#: What is folded at most.
MAX_ITEMS = 1000
MAX_TEXT = 10_000
MAX_NUMBER = 2**64


@recursive
def truth(value: Value) -> bool | None:
    """Is a value true, if that is known?"""
    if isinstance(value, Constant):
        return bool(value.value)
    if type(value) in _TRUE:
        return True
    if isinstance(value, (Sequence, Mapping_)):
        return bool(value.items) if value.rest is None else None
    if isinstance(value, Alternatives):
        outcomes = {truth(branch.value) for branch in value.branches}
        return outcomes.pop() if len(outcomes) == 1 else None
    return None


@recursive
def compare(op: ast.cmpop, left: Value, right: Value) -> bool | None:
    """The outcome of a comparison, if it is known."""
    left, right = _mode(left), _mode(right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        function = _COMPARISONS.get(type(op))
        try:
            return bool(function(left.value, right.value)) if function else None
        except TypeError:
            return None
    if isinstance(left, Symbol) and isinstance(right, Symbol):
        if left.name.startswith("builtins.") and right.name.startswith("builtins.") and type(op) in _SAMENESS:
            return (left.name == right.name) == _SAMENESS[type(op)]
        member, other = _member(left), _member(right)
        is_known = type(op) in _SAMENESS and member and other and member[0] == other[0]
        return (member == other) == _SAMENESS[type(op)] if is_known else None
    if isinstance(left, External) and isinstance(right, External) and type(op) in _SAMENESS:
        # Members of an enumeration of the project that have no value of their own.
        is_known = left.symbol == right.symbol == "enum.auto"
        return (left is right) == _SAMENESS[type(op)] if is_known else None
    if isinstance(op, (ast.Eq, ast.NotEq)) and isinstance(left, Sequence) and isinstance(right, Sequence):
        if not all(isinstance(item, Constant) for item in (*left.items, *right.items)) or left.rest or right.rest:
            return None
        return ((left.kind, left.items) == (right.kind, right.items)) == isinstance(op, ast.Eq)
    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(left, Constant):
        contained = _contains(left, right)
        return None if contained is None else contained == isinstance(op, ast.In)
    if isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) and isinstance(right, Constant) and right.value is None:
        if type(left) in _TRUE or isinstance(left, (Sequence, Mapping_)):
            return isinstance(op, (ast.IsNot, ast.NotEq))
        if isinstance(left, Alternatives):
            outcomes = {compare(op, branch.value, right) for branch in left.branches}
            return outcomes.pop() if len(outcomes) == 1 else None
    return None


def is_of(value: Value, cls: Value) -> bool | None:
    """The outcome of `isinstance`, if it is known."""
    given = cls.items if isinstance(cls, Sequence) and cls.rest is None else (cls,)
    if isinstance(value, Sequence):
        asked = {one.name for one in given if isinstance(one, Symbol) and one.name.startswith("builtins.")}
        # With a class of a library Python's own may be registered.
        return f"builtins.{value.kind}" in asked if len(asked) == len(given) else None
    if isinstance(value, (Stage, Join)):
        names = [one.name if isinstance(one, Symbol) else "" for one in given]
        # It is an object of no class of Python's own.
        is_other = all(name.startswith("builtins.") and name != "builtins.object" for name in names)
        return any(map(operations.is_dataset_class, names)) or (False if is_other else None)
    if isinstance(value, Instance) and isinstance(cls, Class):
        base = value.cls
        return base is cls or (isinstance(base, Class) and any(one is cls for one in base.ancestors)) or None
    return None


def _mode(value: Value) -> Value:
    """The modes of an Estimator are strings: `tf.estimator.ModeKeys.TRAIN == "train"`."""
    if isinstance(value, Symbol):
        owner, _, name = value.name.rpartition(".")
        if name in _MODES and owner.endswith("estimator.ModeKeys"):
            return Constant(_MODES[name])
    return value


def _member(symbol: Symbol) -> tuple[str, str] | None:
    """The enumeration of a library that a name is a member of, and which: `tf.estimator.ModeKeys.TRAIN`."""
    *_, owner, name = ("", *symbol.name.split("."))
    return (owner, name) if owner[:1].isupper() and not owner.isupper() and name.isupper() else None


def _contains(item: Constant, container: Value) -> bool | None:
    match container:
        case Sequence(items=items, rest=None) if all(isinstance(part, Constant) for part in items):
            return item in items
        case Mapping_(items=entries, rest=None):
            return item.value in entries
    return None


def fold_binary(node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value:
    """Fold arithmetic on constants; anything with an element is an element."""
    op = node.op
    if isinstance(left, Element) or isinstance(right, Element):
        return Element(expr_of(type(op).__name__, left, right, node=node))
    if isinstance(left, _ARRAYS) or isinstance(right, _ARRAYS):
        return Computed(expr_of(type(op).__name__, left, right, node=node))
    if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(op, ast.Add):
        if left.rest is None and right.rest is None and len(left.items) + len(right.items) <= MAX_ITEMS:
            return Sequence(left.kind, (*left.items, *right.items))
        return UNKNOWN
    if isinstance(op, ast.Mult) and isinstance(left, Sequence) and isinstance(right, Constant):
        # `[0] * 3`
        times = right.value if type(right.value) is int and left.rest is None and left.exact else -1
        return Sequence(left.kind, left.items * times) if 0 <= times * len(left.items) <= MAX_ITEMS else UNKNOWN
    if not isinstance(left, Constant) or not isinstance(right, Constant):
        return UNKNOWN
    function = _ARITHMETIC.get(type(op))
    if function is None or not all(isinstance(side.value, (int, float, str)) for side in (left, right)):
        return UNKNOWN
    if any(isinstance(side.value, str) for side in (left, right)) and not isinstance(op, ast.Add):
        return UNKNOWN
    if not isinstance(left.value, str):
        if abs(left.value) > MAX_NUMBER or (isinstance(op, ast.Pow) and abs(right.value) > 64):
            return UNKNOWN
    try:
        value = function(left.value, right.value)
        return Constant(value) if not isinstance(value, str) or len(value) <= MAX_TEXT else UNKNOWN
    except (TypeError, ValueError, ArithmeticError):
        return UNKNOWN


def zipped(name: str, values: list[Value], start: Value | None = None, is_open: bool = False) -> Value:
    """`zip`, `enumerate` from `start` on, `reversed`."""
    columns = [value.items for value in values if isinstance(value, Sequence)]
    exact = all(isinstance(value, Sequence) and value.exact for value in values)
    if name == "reversed":
        return Sequence("list", columns[0][::-1], exact=exact)
    if name == "enumerate":
        first = start.value if isinstance(start, Constant) else 0
        numbers = range(first, first + len(columns[0])) if type(first) is int else ()
        columns = [tuple(map(Constant, numbers)) or (UNKNOWN,) * len(columns[0]), columns[0]]
    rows = zip(*columns, strict=False)
    if is_open:
        # `zip(*pairs)`: what stands for all pairs is one of a row.
        return Sequence("list", tuple(Sequence("tuple", row[:-1], row[-1], exact=False) for row in rows), exact=exact)
    return Sequence("list", tuple(Sequence("tuple", row) for row in rows), exact=exact)


def of_json(text: Value, made: Callable[[Value], Value]) -> Value | None:
    """`json.loads` of a text that is written, and what is made of its dicts."""
    if not isinstance(text, Constant) or not isinstance(text.value, (str, bytes)) or len(text.value) > MAX_TEXT:
        return None
    import json  # which nothing else needs that runs for each file

    try:
        return _of_data(json.loads(text.value), made)
    except (ValueError, RecursionError):
        return None


@recursive
def _of_data(data: Any, made: Callable[[Value], Value]) -> Value:
    if isinstance(data, dict):
        return made(Mapping_({key: _of_data(part, made) for key, part in data.items()}))
    if isinstance(data, list):
        return Sequence("list", tuple([_of_data(part, made) for part in data]))
    return Constant(data)


def positive(text: str) -> str:
    """A negative comparison turned round: `x is not None` to `x is None`."""
    for negative, simple in ((" is not ", " is "), (" != ", " == "), (" not in ", " in ")):
        if negative in text:
            return text.replace(negative, simple, 1)
    return text


_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip


_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip


_MODES = {"TRAIN": "train", "EVAL": "eval", "PREDICT": "infer"}
_SAMENESS: dict[type, bool] = {ast.Eq: True, ast.Is: True, ast.NotEq: False, ast.IsNot: False}


def negated(conditions: Seq[Condition]) -> list[Condition]:
    """When these do not all hold; nothing is said when there are several."""
    return [condition.negated for condition in conditions] if len(conditions) == 1 else []


def one_library(a: Value, b: Value) -> Value | None:
    """The library that two values are: under two names, of which the longer one says more (`tf = tf.compat.v1`), or
    where it is installed (`tf = None`)."""
    if not isinstance(a, Symbol):
        a, b = b, a
    if not isinstance(a, Symbol):
        return None
    if isinstance(b, Symbol) and plain(a.name) == plain(b.name):
        return a if len(a.name) > len(b.name) else b
    return a if b == NOTHING and plain(a.name) == "tensorflow" else None


def join_of(branches: tuple[JoinBranch, ...], loop: bool = False) -> Join:
    """A join, with what its branches have in common."""
    settings = [branch.dataset.options for branch in branches]
    options: dict[str, Value] = {}
    for key in dict.fromkeys(key for each in settings for key in each):
        first, *others = (each.get(key) for each in settings)
        options[key] = first if first is not None and all(same(value, first) for value in others) else UNKNOWN
    likely = any(branch.dataset.confidence == "likely" for branch in branches)
    depth = 1 + max(branch.dataset.depth for branch in branches)
    work = branches[0].dataset.work
    return Join(branches, loop, options, "likely" if likely else "proven", depth, work=work)


def converted(kind: str, value: Value) -> Value | None:
    """`int("32")`, of a literal."""
    if not isinstance(value, Constant):
        return None
    try:
        return Constant({"bool": bool, "int": int, "float": float, "str": str}[kind](value.value))
    except (TypeError, ValueError, OverflowError):
        return UNKNOWN
