"""What Python calls by itself: the operators that classes of the project define. In mapped functions they count."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.recursion import recursive, within
from tfdata_lint.pipeline.nouns.values import (
    CONTAINERS,
    Class,
    Computed,
    Element,
    External,
    Function,
    Instance,
    Symbol,
    Value,
    parts_of,
)
from tfdata_lint.pipeline.project.index import span_of

#: What a class may define without anything changing for those who compute with its objects, or hand them on.
_QUIET = frozenset({"__init__", "__new__", "__post_init__", "__call__", "__init_subclass__", "__del__", "__set_name__"})
#: Bases whose operators do nothing but compute.
_PLAIN_BASES = ("abc.", "builtins.object", "enum.", "keras.", "tensorflow.Module", "tensorflow.keras.", "typing.")
#: What a class may say that two of its objects, or one and something else, are together.
_TOGETHER = {
    ast.Add: "__add__", ast.BitOr: "__or__", ast.LShift: "__lshift__", ast.MatMult: "__matmul__", ast.Mult: "__mul__",
    ast.RShift: "__rshift__",
}  # fmt: skip


def together(run: Run, node: ast.BinOp, left: Value, right: Value) -> Value | None:
    """What an operator gives that the class of the left side defines; None where it defines none."""
    return _own(run, left, _TOGETHER.get(type(node.op), ""), node, right)


@recursive
def opened(run: Run, value: Value, node: ast.expr) -> Value:
    """What a `for` over a value walks: of an object what its `__iter__` gives, also inside enumerate, zip, tqdm."""
    if isinstance(value, External) and known(value.symbol).role == "walks":
        parts = tuple([opened(run, part, node) for part in value.arguments])
        is_same = all(part is given for part, given in zip(parts, value.arguments, strict=True))
        return value if is_same else External(value.symbol, value.call, parts, value.keywords, value.receiver)
    found = _own(run, value, "__iter__", node)
    return value if found is None else found


def _own(run: Run, value: Value, name: str, node: ast.expr, *given: Value) -> Value | None:
    method = value.cls.attribute(name) if isinstance(value, Instance) and name else None
    if not isinstance(method, Function):
        return None
    call = ast.copy_location(ast.Call(node, [], []), node)
    return run.call(method.bound(value), Arguments(tuple([(node, part) for part in given])), call)


def apply(run: Run, *values: Value) -> None:
    """An operator, a builtin or a library may call what the class of an object defines. That is not followed."""
    if run.recorder.on:
        for value in values:
            if _acts(value):
                run.recorder.loses_track()
                return


def noted(run: Run, value: Value, node: ast.expr | ast.stmt) -> Value:
    """What an operator gives, which in mapped functions is recorded."""
    if run.recorder.on and isinstance(value, (Element, Computed)) and value.expr is not None:
        if value.expr.node is node:
            run.recorder.operates(
                value.expr, span_of(node, run.file), run.frame.facts, run.repeating + len(run.frame.loops)
            )
    return value


def has_metaclass(cls: Value) -> bool:
    """Is calling a class, or computing with it, up to a class of its own?"""
    if not isinstance(cls, Class):
        return False
    keywords = (keyword for one in cls.lineage for keyword in one.node.keywords)
    given = [ast.unparse(keyword.value) for keyword in keywords if keyword.arg == "metaclass"]
    return any(not name.endswith("ABCMeta") for name in given)


def _acts(value: Value) -> bool:
    for part in within(value, parts_of) if type(value) in CONTAINERS else (value,):
        if isinstance(part, Instance) and _has_operators(part.cls):
            return True
        if isinstance(part, Class) and (has_metaclass(part) or part.attribute("__class_getitem__") is not None):
            return True
    return False


@recursive
def _has_operators(cls: Value) -> bool:
    match cls:
        case Class(attributes=attributes, bases=bases):
            own = (name for name, value in attributes.items() if isinstance(value, Function) and name not in _QUIET)
            return any(name.startswith("__") and name.endswith("__") for name in own) or any(map(_has_operators, bases))
        case Symbol(name):
            return not f"{name}.".startswith(_PLAIN_BASES)
        case External(symbol="collections.namedtuple"):
            return False
    return True
