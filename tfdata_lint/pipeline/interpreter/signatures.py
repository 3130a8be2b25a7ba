"""The parameters of functions, and what callers in other files agree to give for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import reduce
from typing import Any, NamedTuple

from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.values import (
    UNKNOWN,
    Alternatives,
    Constant,
    Function,
    Mapping_,
    Parameter,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project import evidence
from tfdata_lint.pipeline.python.agreed import agreed


class Signature(NamedTuple):
    """The parameters of a function, made once for its module."""

    positional: tuple[ast.arg, ...]
    named: tuple[ast.arg, ...]
    """All but `*args` and `**kwargs`."""
    names: frozenset[str]
    defaults: dict[str, ast.expr]
    evidence: evidence.Evidence
    """The names in it on which something is called that only a tf.data.Dataset has."""
    is_configured: bool
    """A file of settings may give it other defaults."""


def _is_configured(function: Function) -> bool:
    """Is it, or the class that it makes an object of, behind `@gin.configurable`?"""
    owner = function.owner
    node = owner.node if owner is not None and function.name.endswith(".__init__") else function.node
    for decorator in getattr(node, "decorator_list", ()):
        match decorator.func if isinstance(decorator, ast.Call) else decorator:
            case ast.Attribute(value=ast.Name(id="gin"), attr="configurable" | "register"):
                return True
    return False


def signature_of(run: Run, function: Function) -> Signature:
    unit = function.scope.module.unit or run.unit
    node, notes = function.node, unit.source.notes
    known: dict[int, Signature] = notes[Signature] if Signature in notes else notes.setdefault(Signature, {})
    found = known.get(id(node))
    if found is None:
        spec = node.args
        positional = (*spec.posonlyargs, *spec.args)
        named = (*positional, *spec.kwonlyargs)
        last = reversed([parameter.arg for parameter in positional])
        defaults = dict(zip(last, reversed(spec.defaults), strict=False))
        defaults.update({p.arg: d for p, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None})
        names = frozenset(parameter.arg for parameter in named)
        known_names = evidence.of_function(unit.source, unit.index, node)
        found = Signature(positional, named, names, defaults, known_names, _is_configured(function))
        known[id(node)] = found
    return found


def told_of(run: Run, function: Function) -> dict[str, Value | None]:
    """What all callers in other files give a public function, or constructor: of a number what it is usually."""
    node, owner = function.node, function.owner
    if isinstance(node, ast.Lambda) or node.decorator_list or run.graph.is_test:
        return {}
    if (function if owner is None else owner).scope is not run.module:
        return {}
    if node.name.startswith("_") if owner is None else node.name != "__init__":
        return {}
    found = agreed(run.graph, node, owner.node if owner is not None else None)
    return {name: None if value is ... else _usual(value) for name, value in found.items()}


def _usual(value: Any) -> Value:
    return Constant(value) if value is None or isinstance(value, (bool, str)) else Parameter(Constant(value))


def joined(run: Run, values: Iterable[Value]) -> Value:
    """Whichever of several values it is."""
    found = list(values)
    return reduce(lambda one, other: run.join([], one, [], other), found) if found else UNKNOWN


@recursive
def in_any_case(run: Run, value: Value) -> Value:
    """Of one of several dicts what all hold that are known: settings, and a file may say others. All else as it is."""
    if not isinstance(value, Alternatives):
        return value
    parts = [in_any_case(run, branch.value) for branch in value.branches]
    known = [part for part in parts if isinstance(part, Mapping_) and part.exact]
    if not known or not all(isinstance(part, Unknown) or part in known for part in parts):
        return value
    shared = [key for key, _ in known[0].held if all(key in dict(part.held) for part in known)]
    is_closed = len(known) == len(parts) and all(len(part.held) == len(shared) and part.rest is None for part in known)
    held = {key: joined(run, [dict(part.held)[key] for part in known]) for key in shared}
    return Mapping_(held, None if is_closed else UNKNOWN)
