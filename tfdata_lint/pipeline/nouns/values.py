"""The abstract values an expression can have. the interpreter makes them, everybody reads them.

What is not said to be filled in later is not changed once it is made; frozen dataclasses would take twice the time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tfdata_lint.pipeline.nouns.conditions import Condition


def same(one: object, other: object) -> bool:
    """Are two of what is known the same? Asked of objects: mypyc takes two of a class without `__eq__` to be the same
    only if they are one, also where classes below it are dataclasses that have one."""
    return one is other or one == other


class Value:
    """What the interpreter knows about the result of an expression."""

    __slots__ = ()


class Unknown(Value):
    """Anything at all."""

    __slots__ = ()

    def anew(self) -> Unknown:
        """The same under another name, of which nothing was asked yet."""
        return Unknown()

    def __repr__(self) -> str:
        return "Unknown"


@dataclass(slots=True, eq=False)
class Expr(Value):
    """A node of an expression graph: a tensor or array, `by` which function or operator it is made, and of what.

    Its operands are further nodes, and other values as they were when it was made.
    """

    by: str
    of: tuple[Any, ...]
    named: Mapping[str, Any] = field(default_factory=dict)
    node: ast.AST | None = None
    """The syntax that makes it; none of parameters and of what joins several."""


class Element(Value):
    """A tensor that depends on the element a mapped function was given (or on the loop variable of a dataset).

    `expr` changes where it is changed in place: an item is set, or the shape.
    """

    __slots__ = ("expr", "since")

    def __init__(self, expr: Expr | None = None, since: Any = None) -> None:
        self.expr = expr
        self.since = since

    def __repr__(self) -> str:
        return "Element"


class Computed(Unknown):
    """An array or a tensor of which nothing is known but how it came about."""

    __slots__ = ("expr",)

    def __init__(self, expr: Expr) -> None:
        self.expr = expr

    def anew(self) -> Unknown:
        return Computed(self.expr)


UNKNOWN = Unknown()
ELEMENT = Element()


@dataclass(slots=True, eq=False)
class Parameter(Unknown):
    """A parameter to which nobody is seen to give anything, and what it is by default."""

    default: Value

    def anew(self) -> Unknown:
        return Parameter(self.default)


@dataclass(slots=True, unsafe_hash=True)
class Constant(Value):
    """A Python literal, or the result of folding literals: None, bool, int, float, str or bytes."""

    value: Any


@dataclass(slots=True, unsafe_hash=True)
class NoResult(Constant):
    """The None of a method that changes what it is called on, and where that is called."""

    node: ast.Call


@dataclass(slots=True, unsafe_hash=True)
class Symbol(Value):
    """A name of another module by its full path: `tensorflow.data.AUTOTUNE`, `builtins.print`, `numpy.random`.

    `compat.v1`/`compat.v2` prefixes are kept; `operations.lookup` knows them.
    """

    name: str


@dataclass(slots=True, unsafe_hash=True)
class Flag(Symbol):
    """An option of the command line, and what it is by default."""

    default: Value


@dataclass(slots=True, eq=False)
class External(Value):
    """An object made by calling a symbol that is not a dataset: `tf.Variable(0)`, `tf.keras.Sequential([...])`."""

    symbol: str
    call: ast.Call
    arguments: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)
    receiver: Value | None = None
    """Of a method: what it is one of."""
    gives: Value | None = None
    """What the functions give that it is given, where it gives one of that: `tf.cond`."""

    @property
    def given(self) -> tuple[Value, ...]:
        return (*self.arguments, *self.keywords.values())


@dataclass(slots=True, eq=False)
class Function(Value):
    """A function of the project: def, lambda or method. `receiver` is the bound `self` or `cls`, if any."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Any
    name: str
    receiver: Value | None = None
    owner: Class | None = None
    in_tf_function: bool = False
    is_property: bool = False
    is_static: bool = False
    is_classmethod: bool = False
    is_wrapped: bool = False
    """What is around it may do more than to call it, or take less: a decorator that is not seen, an input signature."""

    def bound(self, receiver: Value) -> Function:
        """The method of an object or class."""
        return Function(
            self.node, self.scope, self.name, receiver, self.owner, self.in_tf_function, self.is_property,
            self.is_static, self.is_classmethod, self.is_wrapped,
        )  # fmt: skip


@dataclass(slots=True, eq=False)
class Partial(Value):
    """`functools.partial(function, *arguments, **keywords)`."""

    function: Value
    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value]


#: Ancestors of one class that are known.
_ANCESTORS = 100


@dataclass(slots=True, eq=False)
class Class(Value):
    """A class of the project. `attributes` holds its methods and class attributes; `bases` what it inherits from."""

    node: ast.ClassDef
    scope: Any
    name: str
    bases: tuple[Value, ...] = ()
    attributes: dict[str, Value] = field(default_factory=dict)
    ancestors: tuple[Value, ...] = ()
    """What it inherits from, near and far, each once, in the order in which it is looked through."""

    def __post_init__(self) -> None:
        found: dict[int, Value] = {}
        for base in self.bases:
            for one in (base, *base.ancestors) if isinstance(base, Class) else (base,):
                found.setdefault(id(one), one)
        self.ancestors = tuple(found.values())[:_ANCESTORS]

    def clear(self) -> None:
        """Break the circles with its methods."""
        self.attributes = {}

    @property
    def lineage(self) -> tuple[Class, ...]:
        """Itself and the classes of the project among its ancestors."""
        return (self, *[base for base in self.ancestors if isinstance(base, Class)])

    def attribute(self, name: str) -> Value | None:
        """An attribute of its own, or along the bases that belong to the project."""
        if name in self.attributes:
            return self.attributes[name]
        for base in self.ancestors:
            if isinstance(base, Class) and name in base.attributes:
                return base.attributes[name]
        return None


@dataclass(slots=True, eq=False)
class Instance(Value):
    """An object of a class of the project."""

    cls: Class
    attributes: dict[str, Value] = field(default_factory=dict)
    filling: bool = False
    """Its methods are being read for the attributes they set."""


@dataclass(slots=True, eq=False)
class Super(Value):
    """`super()`: the methods of an object from the bases of a class on."""

    receiver: Value
    owner: Class


@dataclass(slots=True, eq=False)
class Method(Value):
    """An attribute of a value that is not an object of the project: a dataset's method, a list's, a tensor's."""

    receiver: Value
    name: str
    node: ast.AST | None = None
    """Where it is looked up."""


@dataclass(slots=True, eq=False)
class Slice(Value):
    """`lower:upper:step` in brackets."""

    lower: Value | None
    upper: Value | None
    step: Value | None


@dataclass(slots=True, eq=False)
class Sequence(Value):
    """A tuple, list or set (`kind`): the items that are known, and in `rest` what stands for any further ones."""

    kind: str
    items: tuple[Value, ...]
    rest: Value | None = None
    since: Any = None
    """Where the run stood when it was made; what is changed there, is changed for sure."""
    exact: bool = True
    """It holds just what is said; else it may have been changed otherwise."""


@dataclass(slots=True, eq=False)
class Mapping_(Value):
    """A dict with constant keys; `rest` stands for items under keys that are not known."""

    items: dict[Any, Value]
    rest: Value | None = None
    since: Any = None
    """As `Sequence.since`."""
    exact: bool = True
    """As `Sequence.exact`."""
    spread: Value | None = None
    """What it started with, `**` or `dict(…)`, where its keys are not known."""
    gone: tuple[Any, ...] = ()
    """Keys that were taken out again."""

    @property
    def held(self) -> list[tuple[Any, Value]]:
        """Its items, but for those that were taken out again."""
        return [item for item in self.items.items() if item[0] not in self.gone]


@dataclass(slots=True, eq=False)
class Branch:
    """One alternative and the conditions under which it is the one."""

    conditions: tuple[Condition, ...]
    value: Value


@dataclass(slots=True, eq=False)
class Alternatives(Value):
    """One of several values, at least two."""

    branches: tuple[Branch, ...]
    loop: bool = False
    size: int = 2
    """Values in it, nested alternatives counted through."""


def parts_of(value: Any) -> Iterable[Value]:
    """What a container may hold; what one of several values may be."""
    match value:
        case Sequence(items=items, rest=rest):
            return items if rest is None else (*items, rest)
        case Mapping_(items=entries, rest=rest):
            return entries.values() if rest is None else (*entries.values(), rest)
        case Alternatives(branches=branches):
            return (branch.value for branch in branches)
    return ()


def holds_element(value: Value, depth: int = 0) -> bool:
    """Is or contains a value something that depends on the element?"""
    if isinstance(value, Element):
        return True
    return depth < 4 and any(holds_element(part, depth + 1) for part in parts_of(value))


#: Containers inside one another that are looked into for what they hold.
_DEPTH = 4


def snapshot(value: Value, depth: int = 0) -> Value:
    """A value as it is now, whatever becomes of the containers in it: something to make a expr of."""
    match value:
        case Element(expr=expr) | Computed(expr=expr):
            return expr or UNKNOWN
        case Sequence(kind=kind, items=items, rest=rest):
            if not value.exact or depth > _DEPTH:
                return UNKNOWN
            return Sequence(kind, tuple([snapshot(item, depth + 1) for item in items]), rest)
        case Mapping_(rest=rest):
            if not value.exact or depth > _DEPTH:
                return UNKNOWN
            spread = None if value.spread is None else snapshot(value.spread, depth + 1)
            held = {key: snapshot(item, depth + 1) for key, item in value.held}
            return Mapping_(held, rest, spread=spread)
        case Alternatives(branches=branches):
            if depth > _DEPTH:
                return UNKNOWN
            return Alternatives(tuple([Branch((), snapshot(branch.value, depth + 1)) for branch in branches]))
    return value


def expr_of(by: str, *of: Value, node: ast.AST | None = None) -> Expr:
    """The expression of what a function or operator makes of these values."""
    return Expr(by, tuple([snapshot(value) for value in of]), node=node)


def either(*values: Value) -> Element:
    """One of several tensors."""
    if all(isinstance(value, Element) and value.expr is not None for value in values):
        return Element(expr_of("either", *values))
    return ELEMENT
