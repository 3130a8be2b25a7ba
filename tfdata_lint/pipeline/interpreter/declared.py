"""The fields that the bodies of classes declare."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.values import UNKNOWN, Class, Parameter, Value

#: Types of fields that are settings: numbers and texts of Python.
_PLAIN = frozenset({"bool", "float", "int", "str"})


def fields_of(cls: Class) -> dict[str, ast.AnnAssign]:
    """The fields that the bodies of a dataclass, or NamedTuple, and of its bases say, in their order."""
    lines = [line for one in reversed(cls.lineage) for line in one.node.body if isinstance(line, ast.AnnAssign)]
    return {line.target.id: line for line in lines if isinstance(line.target, ast.Name)}


def is_dataclass(cls: Class) -> bool:
    return any(last_name(decorator) == "dataclass" for decorator in cls.node.decorator_list)


def presumed(cls: Class) -> dict[str, Value]:
    """The plain fields of an object of a dataclass that is not seen to be made: nobody knows what they are given."""
    plain = {name for name, line in fields_of(cls).items() if last_name(line.annotation) in _PLAIN}
    return {name: Parameter(cls.attribute(name) or UNKNOWN) for name in plain}
