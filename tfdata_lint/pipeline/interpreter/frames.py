"""Where the interpreter stands: the names it sees and the calls, branches and loops it is inside of."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable

from tfdata_lint.pipeline.nouns.conditions import Condition, Facts
from tfdata_lint.pipeline.nouns.stages import Context, Loop
from tfdata_lint.pipeline.nouns.values import Branch, Function, Sequence, Value
from tfdata_lint.pipeline.project.evidence import NONE, Evidence
from tfdata_lint.pipeline.project.index import Index
from tfdata_lint.source.module import Source


class OutOfFuel(Exception):
    """The budget of work is used up."""


class Scope:
    """The names of a module, function or class body. `names` is replaced as branches are tried and joined.

    A dotted key (`self.ds`) is an attribute assigned in this scope and not yet written to its object.
    """

    __slots__ = ("global_names", "is_class", "names", "nonlocal_names", "parent", "unit")

    def __init__(
        self,
        names: dict[str, Value] | None = None,
        parent: Scope | None = None,
        is_class: bool = False,
        global_names: frozenset[str] = frozenset(),
        nonlocal_names: frozenset[str] = frozenset(),
        unit: Unit | None = None,
    ) -> None:
        self.names: dict[str, Value] = {} if names is None else names
        self.parent = parent
        self.is_class = is_class
        self.global_names = global_names
        self.nonlocal_names = nonlocal_names
        self.unit = unit
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


class Unit:
    """A module that is being read: the one that is linted, or one of those that it imports."""

    __slots__ = ("folder", "index", "load", "path", "rebound", "scope", "source")

    def __init__(self, path: str, source: Source, index: Index, scope: Scope) -> None:
        self.path = path
        self.source = source
        self.index = index
        self.scope = scope
        self.load: Callable[[str], None] | None = None
        """Of an imported module: executes the statements that bind a name."""
        self.folder = os.path.dirname(path)
        if _GLOBAL not in source.notes:
            found = re.findall(_GLOBAL, source.text) if "global " in source.text else ()
            source.notes[_GLOBAL] = frozenset(re.findall(r"\w+", " ".join(found)))
        self.rebound: frozenset[str] = source.notes[_GLOBAL]
        """Names of the module that functions give other values."""


class Frame:
    """One execution of a module body or of a function."""

    __slots__ = (
        "begun", "conditions", "defined", "definition", "dotted", "evidence", "exits", "expects_error", "facts",
        "function", "guards", "in_strategy_scope", "in_test", "in_tf_function", "loops", "returns", "root", "saved",
        "scope", "standalone", "yields",
    )  # fmt: skip

    def __init__(
        self,
        scope: Scope,
        definition: str = "",
        function: Function | None = None,
        conditions: tuple[Condition, ...] = (),
        facts: Facts | None = None,
        guards: tuple[Condition, ...] = (),
        loops: tuple[Loop, ...] = (),
        in_tf_function: bool = False,
        in_strategy_scope: bool = False,
        in_test: bool = False,
        expects_error: bool = False,
        standalone: bool = False,
        root: int = 0,
        begun: tuple[object, int] | None = None,
        returns: list[Branch] | None = None,
        exits: list[tuple[tuple[Condition, ...], dict[str, Value]]] | None = None,
        saved: list[dict[str, Value]] | None = None,
        defined: list[Function] | None = None,
        dotted: bool = False,
        evidence: Evidence = NONE,
    ) -> None:
        self.scope = scope
        self.definition = definition
        self.function = function
        self.conditions = conditions
        """Those of this frame at this point."""
        self.facts: Facts = Facts() if facts is None else facts
        """Outcomes of all tests that led here, the callers' included."""
        self.guards = guards
        """Tests around this point whose outcome is known."""
        self.loops = loops
        self.in_tf_function = in_tf_function
        self.in_strategy_scope = in_strategy_scope
        self.in_test = in_test
        self.expects_error = expects_error
        self.standalone = standalone
        """Interpreted on its own, not because something called it."""
        self.root = root
        """`id` of the function whose own reading led here; 0 from the module's body."""
        self.begun = begun
        """Where the run stood before it; None where what it gives is not what its caller gets."""
        self.yields: Sequence | None = None
        """What a generator gives."""
        self.returns: list[Branch] = [] if returns is None else returns
        self.exits: list[tuple[tuple[Condition, ...], dict[str, Value]]] = [] if exits is None else exits
        """Conditions and names at each `break` and `continue` of the innermost loop."""
        self.saved: list[dict[str, Value]] = [] if saved is None else saved
        """The names before each branch that is being tried."""
        self.defined: list[Function] = [] if defined is None else defined
        """Functions defined in this frame."""
        self.dotted = dotted
        """Some key of the scope is dotted."""
        self.evidence = evidence
        """Names of this function on which something is called that only a dataset has."""

    def context(self) -> Context:
        return Context(
            self.definition, self.conditions, self.loops, self.in_tf_function, self.in_strategy_scope, self.guards,
            self.in_test, self.root,
        )  # fmt: skip


class Arguments:
    """The evaluated arguments of a call."""

    __slots__ = ("is_open", "keywords", "positional")

    def __init__(
        self,
        positional: tuple[tuple[ast.expr, Value], ...] = (),
        keywords: dict[str, tuple[ast.expr, Value]] | None = None,
        is_open: bool = False,
    ) -> None:
        self.positional = positional
        self.keywords: dict[str, tuple[ast.expr, Value]] = {} if keywords is None else keywords
        self.is_open = is_open
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
