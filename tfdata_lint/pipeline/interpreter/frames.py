"""Where the interpreter stands: the names it sees and the calls, branches and loops it is inside of."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tfdata_lint.pipeline.nouns.conditions import Condition, Facts
from tfdata_lint.pipeline.nouns.stages import Context, Loop
from tfdata_lint.pipeline.nouns.values import Branch, Function, Value
from tfdata_lint.pipeline.project.evidence import NONE, Evidence
from tfdata_lint.pipeline.project.index import Index
from tfdata_lint.source.module import Source


class OutOfFuel(Exception):
    """The budget of work is used up."""


@dataclass(slots=True, eq=False)
class Scope:
    """The names of a module, function or class body. `names` is replaced as branches are tried and joined.

    A dotted key (`self.ds`) is an attribute assigned in this scope and not yet written to its object.
    """

    names: dict[str, Value] = field(default_factory=dict)
    parent: Scope | None = None
    is_class: bool = False
    global_names: frozenset[str] = frozenset()
    nonlocal_names: frozenset[str] = frozenset()
    unit: Unit | None = None
    """The module, if this is the scope of one."""

    def find(self, name: str) -> Value | None:
        """A name by Python's rules: here, in the enclosing functions, in the module. Class bodies do not enclose."""
        found = self.names.get(name)
        if found is not None and name not in self.global_names:
            return found
        scope = self if self.unit is not None else self.parent
        while scope is not None:
            found = scope.names.get(name) if not scope.is_class else None
            if found is not None:
                return found
            unit = scope.unit
            if unit is not None and unit.load is not None:
                unit.load(name)
                return scope.names.get(name)
            scope = scope.parent
        return None

    def clear(self) -> None:
        """Break the circles with the functions in it."""
        if self.unit is not None:
            self.unit.load = None
        self.names, self.parent, self.unit = {}, None, None

    @property
    def module(self) -> Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


_GLOBAL = r"(?m)^[ \t]+global[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)"


@dataclass(slots=True, eq=False)
class Unit:
    """A module that is being read: the one that is linted, or one of those that it imports."""

    path: str
    source: Source
    index: Index
    scope: Scope
    load: Callable[[str], None] | None = None
    """Of an imported module: executes the statements that bind a name."""
    folder: str = ""
    rebound: frozenset[str] = frozenset()
    """Names of the module that functions give other values."""

    def __post_init__(self) -> None:
        self.folder = os.path.dirname(self.path)
        if _GLOBAL not in self.source.notes:
            found = re.findall(_GLOBAL, self.source.text) if "global " in self.source.text else ()
            self.source.notes[_GLOBAL] = frozenset(re.findall(r"\w+", " ".join(found)))
        self.rebound = self.source.notes[_GLOBAL]


@dataclass(slots=True, eq=False)
class Frame:
    """One execution of a module body or of a function."""

    scope: Scope
    definition: str = ""
    function: Function | None = None
    conditions: tuple[Condition, ...] = ()
    """Those of this frame at this point."""
    facts: Facts = field(default_factory=Facts)
    """Outcomes of all tests that led here, the callers' included."""
    guards: tuple[Condition, ...] = ()
    """Tests around this point whose outcome is known."""
    loops: tuple[Loop, ...] = ()
    in_tf_function: bool = False
    in_strategy_scope: bool = False
    in_test: bool = False
    expects_error: bool = False
    standalone: bool = False
    """Interpreted on its own, not because something called it."""
    root: int = 0
    """`id` of the function whose own reading led here; 0 from the module's body."""
    is_generator: bool = False
    returns: list[Branch] = field(default_factory=list)
    exits: list[tuple[tuple[Condition, ...], dict[str, Value]]] = field(default_factory=list)
    """Conditions and names at each `break` and `continue` of the innermost loop."""
    saved: list[dict[str, Value]] = field(default_factory=list)
    """The names before each branch that is being tried."""
    defined: list[Function] = field(default_factory=list)
    """Functions defined in this frame."""
    dotted: bool = False
    """Some key of the scope is dotted."""
    evidence: Evidence = NONE
    """Names of this function on which something is called that only a dataset has."""

    def context(self) -> Context:
        return Context(
            self.definition, self.conditions, self.loops, self.in_tf_function, self.in_strategy_scope, self.guards,
            self.in_test, self.root,
        )  # fmt: skip


@dataclass(slots=True)
class Arguments:
    """The evaluated arguments of a call."""

    positional: tuple[tuple[ast.expr, Value], ...] = ()
    keywords: dict[str, tuple[ast.expr, Value]] = field(default_factory=dict)
    is_open: bool = False
    """It holds `*x` or `**x` whose content is not known."""

    @property
    def values(self) -> list[Value]:
        found = [value for _, value in self.positional]
        if self.keywords:
            found += [value for _, value in self.keywords.values()]
        return found

    def get(self, position: int, keyword: str) -> Value | None:
        """An argument by position or keyword."""
        if keyword in self.keywords:
            return self.keywords[keyword][1]
        return self.positional[position][1] if position < len(self.positional) else None
