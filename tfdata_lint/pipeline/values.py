"""The abstract values an expression can have. No logic: the interpreter makes them, everybody reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tfdata_lint.pipeline.graph import Dataset, Span


class Value:
    """What the interpreter knows about the result of an expression."""

    __slots__ = ()


class Unknown(Value):
    """Anything at all."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Unknown"


class Element(Value):
    """A tensor that depends on the element a mapped function was given (or on the loop variable of a dataset)."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Element"


UNKNOWN = Unknown()
ELEMENT = Element()


@dataclass(frozen=True, slots=True)
class Constant(Value):
    """A Python literal, or the result of folding literals: None, bool, int, float, str or bytes."""

    value: Any


@dataclass(frozen=True, slots=True)
class Symbol(Value):
    """A name of another module by its full path: `tensorflow.data.AUTOTUNE`, `builtins.print`, `numpy.random`.

    `compat.v1`/`compat.v2` prefixes are kept; `operations.lookup` knows them.
    """

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class External(Value):
    """An object made by calling a symbol that is not a dataset: `tf.Variable(0)`, `tf.keras.Sequential([...])`."""

    symbol: str
    call: ast.Call
    arguments: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Partial(Value):
    """`functools.partial(function, *arguments, **keywords)`."""

    function: Value
    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value]


@dataclass(slots=True, eq=False)
class Class(Value):
    """A class of the project. `attributes` holds its methods and class attributes; `bases` what it inherits from."""

    node: ast.ClassDef
    scope: Any
    name: str
    bases: tuple[Value, ...] = ()
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Instance(Value):
    """An object of a class of the project."""

    cls: Class
    attributes: dict[str, Value] = field(default_factory=dict)
    filling: bool = False
    """Its methods are being read for the attributes they set."""


@dataclass(slots=True, eq=False)
class Options(Value):
    """A `tf.data.Options()` object.

    `settings` maps dotted attribute paths (`experimental_optimization.map_parallelization`) to their values;
    `later` are the paths set after the object was given to `with_options` with the place where, `applied` the number
    of times that happened. `of_dataset` marks `dataset.options()`, which nobody may mutate. `escapes`: it was
    returned, stored or handed to code that we do not see.
    """

    span: Span
    settings: dict[str, Value] = field(default_factory=dict)
    later: list[tuple[str, Span]] = field(default_factory=list)
    applied: int = 0
    of_dataset: bool = False
    escapes: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class OptionsGroup(Value):
    """A nested group of options while an attribute path is being walked: `options.experimental_optimization`."""

    options: Options
    path: str


@dataclass(slots=True, eq=False)
class Iterator(Value):
    """An iterator made from a dataset, `span` being where."""

    dataset: Dataset
    span: Span


@dataclass(slots=True, eq=False)
class Sequence(Value):
    """A tuple, list or set (`kind`): the items that are known, and in `rest` what stands for any further ones."""

    kind: str
    items: tuple[Value, ...]
    rest: Value | None = None


@dataclass(slots=True, eq=False)
class Mapping_(Value):
    """A dict with constant keys; `rest` stands for items under keys that are not known."""

    items: dict[Any, Value]
    rest: Value | None = None


_NEGATIONS = ((" is not ", " is "), (" is ", " is not "), (" == ", " != "), (" not in ", " in "), (" in ", " not in "))


class Condition(NamedTuple):
    """A test of the source and its outcome. Equal `key`s have equal outcomes: it names the versions of what is read."""

    text: str
    holds: bool
    key: str
    subject: str = ""
    """Of `x == constant`: what `x` is. At most one such test of one subject holds."""

    def __str__(self) -> str:
        if self.holds:
            return self.text
        for written, negation in _NEGATIONS:
            if self.text.count(written) == 1 and " and " not in self.text and " or " not in self.text:
                return self.text.replace(written, negation)
        return f"not ({self.text})" if " " in self.text else f"not {self.text}"

    @property
    def negated(self) -> Condition:
        return Condition(self.text, not self.holds, self.key, self.subject)


class Facts:
    """Outcomes of tests that are known on one way through the code."""

    __slots__ = ("chosen", "known")

    def __init__(self, conditions: Iterable[Condition] = (), base: Facts | None = None) -> None:
        self.known: dict[str, bool] = dict(base.known) if base is not None else {}
        self.chosen: dict[str, str] = dict(base.chosen) if base is not None else {}
        for condition in conditions:
            self.known[condition.key] = condition.holds
            if condition.holds and condition.subject:
                self.chosen[condition.subject] = condition.key

    def outcome(self, condition: Condition) -> bool | None:
        """Does the test of a condition come out true? None when that is open."""
        known = self.known.get(condition.key)
        if known is None and condition.subject and self.chosen.get(condition.subject, condition.key) != condition.key:
            return False
        return known

    def allow(self, conditions: Iterable[Condition]) -> bool:
        """None of these conditions contradicts what is known."""
        return all(self.outcome(condition) in (None, condition.holds) for condition in conditions)

    def given(self, conditions: Iterable[Condition]) -> Facts:
        """What is known when these hold as well."""
        return Facts(conditions, self)


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """One alternative and the conditions under which it is the one."""

    conditions: tuple[Condition, ...]
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives(Value):
    """One of several values, at least two."""

    branches: tuple[Branch, ...]
    loop: bool = False
    size: int = 2
    """Values in it, nested alternatives counted through."""
