"""What Python calls by itself: the operators that classes of the project define. In mapped functions they count."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter.run import Run
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
