"""The fields that the bodies of classes declare, and what their methods do with them."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter import containers
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.values import (
    UNKNOWN,
    Class,
    Function,
    Instance,
    Mapping_,
    Parameter,
    Sequence,
    Value,
)
from tfdata_lint.source.trees import walk

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


def open_filled(cls: Class, instance: Instance) -> None:
    """Where a method is read on its own, nobody knows what is in that which `__init__` makes empty and others fill."""
    empty = {
        name: value
        for name, value in instance.attributes.items()
        if isinstance(value, (Sequence, Mapping_)) and value.exact and not value.items and value.rest is None
    }
    methods = (method for one in cls.lineage for method in one.attributes.values()) if empty else ()
    for method in methods:
        if isinstance(method, Function) and method.name.rpartition(".")[2] != "__init__":
            for name in _filled(method.node) & empty.keys():
                containers.blur(empty[name])


def _filled(function: ast.AST) -> set[str]:
    """The attributes of `self` into which a method puts items."""
    found: set[str] = set()
    for node in walk(function):
        match node:
            case (
                ast.Call(
                    func=ast.Attribute(
                        value=ast.Attribute(value=ast.Name("self"), attr=name),
                        attr="append" | "extend" | "insert" | "add" | "update" | "setdefault",
                    )
                )
                | ast.Subscript(value=ast.Attribute(value=ast.Name("self"), attr=name), ctx=ast.Store())
                | ast.AugAssign(target=ast.Attribute(value=ast.Name("self"), attr=name))
            ):
                found.add(name)
    return found
