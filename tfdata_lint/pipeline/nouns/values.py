"""The abstract values an expression can have. The interpreter makes them, everybody reads them.

Values are immutable after construction, except fields documented as filled in later. They are made often: classes with
slots, written out, cost nothing at the start that dataclasses do, and mypyc makes their objects without asking Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.recursion import LEAVES, recursive, within


def same(one: object, other: object) -> bool:
    """Are two of what is known the same? Asked of objects: mypyc takes two of a class without `__eq__` to be the same
    only if they are one, also where classes below it have one."""
    return one is other or one == other


class Value:
    """What the interpreter knows about the result of an expression."""

    __slots__ = ()


def kinds(*classes: type[Value]) -> frozenset[type]:
    """Classes and those below them, for those who ask often: `type(value) in` is one step, however many they are."""
    return frozenset(classes).union(*[kinds(*one.__subclasses__()) for one in classes])


class Unknown(Value):
    """Anything at all."""

    __slots__ = ()

    def anew(self) -> Unknown:
        """The same under another name, of which nothing was asked yet."""
        return Unknown()

    def __repr__(self) -> str:
        return "Unknown"


class Expr(Value):
    """A node of an expression graph: a tensor or array, `by` which function or operator it is made, and of what.

    Its operands are further nodes, and other values as they were when it was made. No function's name is `by` of what a
    mapped function was given ("parameter"), of an item of its operand ("item") or one of its keys ("key"), of what a
    function applied to elements gives ("mapped") and of one of several ("either").
    """

    __slots__ = ("by", "named", "node", "of")

    def __init__(
        self, by: str, of: tuple[Any, ...], named: Mapping[str, Any] | None = None, node: ast.AST | None = None
    ) -> None:
        self.by = by
        self.of = of
        self.named: Mapping[str, Any] = {} if named is None else named
        self.node = node
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


class Parameter(Unknown):
    """A parameter to which nobody is seen to give anything, and what it is by default."""

    __slots__ = ("default",)

    def __init__(self, default: Value) -> None:
        self.default = default

    def anew(self) -> Unknown:
        return Parameter(self.default)


class Constant(Value):
    """A Python literal, or the result of folding literals: None, bool, int, float, str or bytes."""

    __slots__ = ("value",)
    __match_args__: ClassVar = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return other.__class__ is self.__class__ and same(self.value, other.value)

    def __hash__(self) -> int:
        return hash((self.value,))

    def __repr__(self) -> str:
        return f"Constant({self.value!r})"


#: To compare with: what is None somewhere has an object of its own.
NOTHING = Constant(None)


class NoResult(Constant):
    """The None of a method that changes what it is called on, and where that is called."""

    __slots__ = ("node",)

    def __init__(self, value: None, node: ast.Call) -> None:
        self.value = value
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoResult) and other.node is self.node

    def __hash__(self) -> int:
        return hash((self.value, self.node))


class Symbol(Value):
    """A name of another module by its full path: `tensorflow.data.AUTOTUNE`, `builtins.print`, `numpy.random`.

    `compat.v1`/`compat.v2` prefixes are kept; `operations.lookup` knows them.
    """

    __slots__ = ("name",)
    __match_args__: ClassVar = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return other.__class__ is self.__class__ and other.name == self.name

    def __hash__(self) -> int:
        return hash((self.name,))

    def __repr__(self) -> str:
        return f"Symbol({self.name!r})"


class Flag(Symbol):
    """An option of the command line, and what it is by default."""

    __slots__ = ("default",)

    def __init__(self, name: str, default: Value) -> None:
        self.name = name
        self.default = default

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flag) and other.name == self.name and same(other.default, self.default)

    def __hash__(self) -> int:
        return hash((self.name, self.default))


class External(Value):
    """An object made by calling a symbol that is not a dataset: `tf.Variable(0)`, `tf.keras.Sequential([...])`."""

    __slots__ = ("arguments", "call", "compiled", "further", "keywords", "receiver", "symbol")

    def __init__(
        self,
        symbol: str,
        call: ast.Call,
        arguments: tuple[Value, ...] = (),
        keywords: dict[str, Value] | None = None,
        receiver: Value | None = None,
    ) -> None:
        self.symbol = symbol
        self.call = call
        self.arguments = arguments
        self.keywords = {} if keywords is None else keywords
        self.receiver = receiver
        """Of a method: what it is one of."""
        self.further: tuple[Value, ...] = ()
        """What else may decide what it does: arguments that are not seen (`**options`), what was set later."""
        self.compiled: tuple[External, ...] = ()
        """The calls of its method `compile`."""

    @property
    def given(self) -> tuple[Value, ...]:
        return (*self.arguments, *self.keywords.values(), *self.further)


class Function(Value):
    """A function of the project: def, lambda or method. `receiver` is the bound `self` or `cls`, if any."""

    __slots__ = (
        "in_tf_function", "is_classmethod", "is_property", "is_static", "is_wrapped", "name", "node", "owner",
        "receiver", "scope",
    )  # fmt: skip

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        scope: Any,
        name: str,
        owner: Class | None = None,
    ) -> None:
        self.node = node
        self.scope = scope
        self.name = name
        self.receiver: Value | None = None
        self.owner = owner
        self.in_tf_function = False
        self.is_property = False
        self.is_static = False
        self.is_classmethod = False
        self.is_wrapped = False
        """What is around it may do more than to call it, or take less: a decorator that is not seen, an input
        signature."""

    def copy(self) -> Function:
        """Another one that is the same so far."""
        made = Function(self.node, self.scope, self.name, self.owner)
        made.receiver = self.receiver
        made.in_tf_function = self.in_tf_function
        made.is_property = self.is_property
        made.is_static = self.is_static
        made.is_classmethod = self.is_classmethod
        made.is_wrapped = self.is_wrapped
        return made

    def bound(self, receiver: Value) -> Function:
        """The method of an object or class."""
        made = self.copy()
        made.receiver = receiver
        return made

    def marked(self, what: str) -> Function:
        """One of which something more is so: `is_static`."""
        made = self.copy()
        setattr(made, what, True)
        return made


class Partial(Value):
    """`functools.partial(function, *arguments, **keywords)`."""

    __slots__ = ("arguments", "function", "is_open", "keywords")

    def __init__(
        self, function: Value, arguments: tuple[Value, ...], keywords: Mapping[str, Value], is_open: bool = False
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.keywords = keywords
        self.is_open = is_open  # There are arguments that are not seen.


#: Ancestors of one class that are known.
_ANCESTORS = 100


class Class(Value):
    """A class of the project. `attributes` holds its methods and class attributes; `bases` what it inherits from."""

    __slots__ = ("ancestors", "attributes", "bases", "name", "node", "scope")

    def __init__(self, node: ast.ClassDef, scope: Any, name: str, bases: tuple[Value, ...] = ()) -> None:
        self.node = node
        self.scope = scope
        self.name = name
        self.bases = bases
        self.attributes: dict[str, Value] = {}
        found: dict[int, Value] = {}
        for base in bases:
            for one in (base, *base.ancestors) if isinstance(base, Class) else (base,):
                found.setdefault(id(one), one)
        self.ancestors: tuple[Value, ...] = tuple(found.values())[:_ANCESTORS]
        """What it inherits from, near and far, each once, in the order in which it is looked through."""

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


class Instance(Value):
    """An object of a class of the project."""

    __slots__ = ("attributes", "cls", "compiled", "filling")

    def __init__(self, cls: Class) -> None:
        self.cls = cls
        self.attributes: dict[str, Value] = {}
        self.compiled: tuple[External, ...] = ()
        self.filling = False
        """Its methods are being read for the attributes they set."""


class Super(Value):
    """`super()`: the methods of an object from the bases of a class on."""

    __slots__ = ("owner", "receiver")

    def __init__(self, receiver: Value, owner: Class) -> None:
        self.receiver = receiver
        self.owner = owner


class Method(Value):
    """An attribute of a value that is not an object of the project: a dataset's method, a list's, a tensor's."""

    __slots__ = ("name", "node", "receiver")

    def __init__(self, receiver: Value, name: str, node: ast.AST | None = None) -> None:
        self.receiver = receiver
        self.name = name
        self.node = node
        """Where it is looked up."""


class Slice(Value):
    """`lower:upper:step` in brackets."""

    __slots__ = ("lower", "step", "upper")

    def __init__(self, lower: Value | None, upper: Value | None, step: Value | None) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step


class Sequence(Value):
    """A tuple, list or set (`kind`): the items that are known, and in `rest` what stands for any further ones."""

    __slots__ = ("exact", "items", "kind", "rest", "since")

    def __init__(
        self, kind: str, items: tuple[Value, ...], rest: Value | None = None, since: Any = None, exact: bool = True
    ) -> None:
        self.kind = kind
        self.items = items
        self.rest = rest
        self.since = since
        """Where the run stood when it was made; what is changed there, is changed for sure."""
        self.exact = exact
        """It holds just what is said; else it may have been changed otherwise."""

    def copy(self, since: Any = None) -> Sequence:
        """Another one that holds the same so far."""
        return Sequence(self.kind, self.items, self.rest, since, self.exact)


class Mapping_(Value):
    """A dict with constant keys; `rest` stands for items under keys that are not known."""

    __slots__ = ("exact", "gone", "items", "rest", "since", "spread")

    def __init__(
        self,
        items: dict[Any, Value],
        rest: Value | None = None,
        since: Any = None,
        exact: bool = True,
        spread: Value | None = None,
    ) -> None:
        self.items = items
        self.rest = rest
        self.since = since  # As those of a `Sequence`.
        self.exact = exact
        self.spread = spread
        """What it started with, `**` or `dict(…)`, where its keys are not known."""
        self.gone: tuple[Any, ...] = ()
        """Keys that were taken out again."""

    def copy(self, since: Any = None) -> Mapping_:
        """As `Sequence.copy`."""
        return Mapping_(dict(self.held), self.rest, since, self.exact, self.spread)

    @property
    def held(self) -> list[tuple[Any, Value]]:
        """Its items, but for those that were taken out again."""
        return [item for item in self.items.items() if item[0] not in self.gone]


class Branch:
    """One alternative and the conditions under which it is the one."""

    __slots__ = ("conditions", "value")

    def __init__(self, conditions: tuple[Condition, ...], value: Value) -> None:
        self.conditions = conditions
        self.value = value


class Alternatives(Value):
    """One of several values, at least two."""

    __slots__ = ("branches", "loop", "size")

    def __init__(self, branches: tuple[Branch, ...], loop: bool = False, size: int = 2) -> None:
        self.branches = branches
        self.loop = loop
        self.size = size
        """Values in it, nested alternatives counted through."""


def parts_of(value: Any) -> Iterable[Value]:
    """What a container may hold; what one of several values may be."""
    if isinstance(value, Sequence):
        return value.items if value.rest is None else (*value.items, value.rest)
    if isinstance(value, Mapping_):
        return value.items.values() if value.rest is None else (*value.items.values(), value.rest)
    if isinstance(value, Alternatives):
        return [branch.value for branch in value.branches]
    return ()


def holds_element(value: Value) -> bool:
    """Is or contains a value something that depends on the element?"""
    if type(value) not in CONTAINERS:
        return isinstance(value, Element)
    return any(isinstance(part, Element) for part in within(value, parts_of))


#: What has parts.
CONTAINERS = frozenset({Sequence, Mapping_, Alternatives})
#: What may be another one later on.
_CHANGING = CONTAINERS | {Element, Computed}
#: Containers inside one another that are copied.
_DEPTH = 4
LEAVES.update({Constant, Symbol, Unknown})  # They hold nothing.


def snapshot(value: Value) -> Value:
    """A value as it is now, whatever becomes of the containers in it: something to make a expr of."""
    if type(value) not in _CHANGING:
        return value
    if isinstance(value, (Element, Computed)):
        return value.expr or UNKNOWN
    return _copied(value, 0)


@recursive
def _copied(value: Value, depth: int) -> Value:
    if type(value) not in CONTAINERS:
        return snapshot(value)
    if depth > _DEPTH:
        return UNKNOWN
    if isinstance(value, Alternatives):
        return Alternatives(tuple([Branch((), _copied(branch.value, depth + 1)) for branch in value.branches]))
    if isinstance(value, Sequence) and value.exact:
        return Sequence(value.kind, tuple([_copied(item, depth + 1) for item in value.items]), value.rest)
    if isinstance(value, Mapping_) and value.exact:
        spread = None if value.spread is None else _copied(value.spread, depth + 1)
        held = {key: _copied(item, depth + 1) for key, item in value.held}
        return Mapping_(held, None if value.rest is None else snapshot(value.rest), spread=spread)
    return UNKNOWN


def expr_of(by: str, *of: Value, node: ast.AST | None = None) -> Expr:
    """The expression of what a function or operator makes of these values."""
    return Expr(by, tuple([snapshot(value) for value in of]), node=node)
