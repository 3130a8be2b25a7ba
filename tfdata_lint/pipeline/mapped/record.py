"""The record of one run of a mapped function, which the interpreter fills and the rest of this room judges."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence as Items
from typing import Any, NamedTuple, TypeAlias

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import canonical
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.recursion import recursive, within
from tfdata_lint.pipeline.nouns.stages import Call as Call, Dataset, Operator, PythonFunction
from tfdata_lint.pipeline.nouns.values import (
    CONTAINERS,
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Method,
    Partial,
    Symbol,
    Unknown,
    Value,
    holds_element as holds_element,
    kinds,
    parts_of,
)

#: What is not called itself.
_NO_CALLABLES = kinds(Constant, Element, *CONTAINERS)
#: Of these what is made may change.
_CHANGING = ("tensorflow.nest.", "tensorflow.keras.", "tensorflow.lookup.")
#: What they give are settings: plain values.
_SETTINGS = ("absl.flags.", "argparse.", "tensorflow.app.flags.", "tensorflow.compat.v1.flags.", "tensorflow.flags.")

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


#: What is known of a tensor when a function is traced.
_OF_TENSORS = r"\.(?:shape|dtype|ndim)\b"


class Mutation(NamedTuple):
    """A statement in a mapped function that changes something outside of it."""

    target: str
    """As written: `self.count`, `seen`."""
    span: Span
    settles: bool
    """What is set depends neither on the element nor on what was there."""


class Consumption(NamedTuple):
    """A dataset that a mapped function reads while it runs: `for`, `reduce`, `get_single_element`, `next`."""

    dataset: Dataset
    node: ast.AST
    span: Span
    goes_on: bool
    """By an iterator from outside: it goes on where it was left."""


class Body:
    """What was seen in a mapped function."""

    __slots__ = (
        "asked", "bound", "calls", "captured", "complete", "constants", "consumed", "entangled", "functions",
        "helper_reads", "is_wrapped", "methods", "mutations", "name", "node", "operators", "own", "result", "span",
        "tests", "unseen",
    )  # fmt: skip

    def __init__(self, node: FunctionNode | None, name: str, span: Span | None) -> None:
        self.node = node
        """None when the function is not of this project (`tf.io.decode_jpeg` given as it is)."""
        self.name = name
        self.span = span
        self.calls: list[Call] = []
        self.operators: list[Operator] = []
        self.mutations: list[Mutation] = []
        self.consumed: list[Consumption] = []
        self.result: Value | None = None
        """What it returns, as `snapshot` leaves it."""
        self.tests: list[Value] = []
        """What tests in it ask."""
        self.asked: dict[str, Value] = {}
        """By the key of the condition what a test asks."""
        self.entangled = False
        """A part of an element is changed in place, and with it what it is a part of."""
        self.unseen = ""
        """Something of outside that it reads, of which nothing is known, as written."""
        self.complete = True
        """False when something was not followed: recursion, too much work, a function that is not seen."""
        self.constants: dict[int, Value] = {}
        """`id` of each `ast.Name`/`ast.Attribute` read in the function itself to its value, where it is known."""
        self.helper_reads: list[tuple[ast.expr, Value]] = []
        """What may hold objects of libraries, and project functions it calls read by name."""
        self.functions: list[FunctionNode] = []
        """The functions of the project that were run."""
        self.methods: set[tuple[str, str, str]] = set()
        """Those of them that a class may have otherwise: file, class and name."""
        self.own: set[int] = set()
        """`id` of what came into being while it ran, stages of windows included."""
        self.is_wrapped = False
        """As `Function.is_wrapped`."""
        self.bound: tuple[Value, ...] = ()
        """What a partial gives it of outside."""
        self.captured: list[tuple[Any, str, Value]] = []
        """Names of outside that are read, each with the scope in which it is and what it stood for then."""


class Recorder:
    """The run of one mapped function: what is seen goes into its `body`. Without one it is not `on`."""

    __slots__ = ("body", "facts", "frame", "on", "repeating")

    def __init__(self, body: Body | None = None, facts: Facts | None = None, repeating: int = 0) -> None:
        self.on = body is not None
        self.body = body or Body(None, "", None)
        self.frame: object = None
        """The function itself; helpers that it calls have other frames."""
        self.facts = facts
        """What is known outside of the function."""
        self.repeating = repeating
        """Loops around it."""

    def made(self, thing: object) -> None:
        """What came into being here is new each time: an object, an iterator, the scope of a function, an element."""
        if self.on:
            self.body.own.add(id(thing))

    def brings(self, value: Value) -> bool:
        """Is it something of outside, by whatever name the function, or a helper that is given it, knows it?"""
        return any(value is held for *_, held in self.body.captured) or any(value is held for held in self.body.bound)

    def owns(self, thing: object) -> bool:
        return id(thing) in self.body.own

    def calls(
        self,
        frame: object,
        name: str,
        node: ast.Call,
        span: Span,
        positional: Iterable[Value],
        keywords: Mapping[str, Value],
        python: PythonFunction | None = None,
        facts: Facts | None = None,
        receiver: Value | None = None,
    ) -> None:
        """A call of something that is not of the project, with what is known where it is made."""
        sometimes = facts is not None and self._knows_less(facts)
        call = Call(name, node, span, tuple(positional), keywords, frame is not self.frame, python, sometimes, receiver)
        self.body.calls.append(call)

    def operates(self, expr: Expr, span: Span, facts: Facts, repeating: int) -> None:
        """An operator is met, or an item is taken, with what is known there."""
        self.body.operators.append(Operator(expr, span, repeating > self.repeating or self._knows_less(facts)))

    def _knows_less(self, facts: Facts) -> bool:
        return self.facts is not None and not facts.known.keys() <= self.facts.known.keys()

    def reads(self, frame: object, node: ast.expr, value: Value) -> None:
        """A name or an attribute is read."""
        if frame is self.frame and not isinstance(node, ast.Call) and id(node) not in self.body.constants:
            if not isinstance(value, Unknown):
                self.body.constants[id(node)] = value
        elif isinstance(value, (External, Method, Alternatives)):
            self.body.helper_reads.append((node, value))

    def changes(self, target: str, span: Span, *, settles: bool = False) -> None:
        """Something outside of the function is changed by a statement."""
        self.body.mutations.append(Mutation(target, span, settles))

    def consumes(self, dataset: Dataset, node: ast.AST, span: Span, iterator: object) -> None:
        """A dataset is read."""
        if self.on:
            self.body.consumed.append(
                Consumption(dataset, node, span, iterator is not None and not self.owns(iterator))
            )

    def asks(self, value: Value, key: str = "") -> None:
        """A test, the outcome of which is not known, depends on a value."""
        if self.on:
            self.body.tests.append(value)
            self.body.asked[key] = value

    def misses(self, node: ast.expr, value: Value) -> None:
        """Something of outside is read: it is noted where it may be anything."""
        if self.on and not self.body.unseen and may_be_anything(value):
            text = ast.unparse(node)
            self.body.unseen = "" if re.search(_OF_TENSORS, text) else text

    def loses_track(self) -> None:
        """Something in it is not followed."""
        self.body.complete = False


NOBODY = Recorder()
"""Where no mapped function is run."""


def makes_tensor(name: str) -> bool:
    """Does a function make a tensor or an array of its own?"""
    name = canonical(name)
    if name.startswith("numpy."):
        return known(name).effect in ("python", "python_random", "pure")
    row = known(name)
    return name.startswith("tensorflow.") and row.is_pure and not (name.startswith(_CHANGING) or row.calls)


def is_settings(value: Value) -> bool:
    """Are they the options of a command line: plain values that stay as they are?"""
    return isinstance(value, External) and value.symbol.startswith(_SETTINGS)


def is_option(value: Value) -> bool:
    """Is it an option of the command line?"""
    match value:
        case Method(receiver=receiver):
            return is_settings(receiver)
        case Symbol(name):
            return name.startswith(_SETTINGS)
    return False


@recursive
def may_be_anything(value: Value) -> bool:
    """Is it not seen, or a part of what a library has made of what it was given?"""
    match value:
        case Computed(expr=expr):
            return may_be_anything(expr)
        case Expr(by="item" | "unpacked" | "attribute", of=(one, *_)):
            return may_be_anything(one)
        case Expr(by=by):
            return "." in by and not makes_tensor(by)
        case External(symbol=symbol):
            return not (makes_tensor(symbol) or is_settings(value))
        case Method(receiver=receiver):
            return not isinstance(receiver, External) or may_be_anything(receiver)
        case Alternatives():
            return any(map(may_be_anything, parts_of(value)))
    return isinstance(value, Unknown)


def called_by(name: str, positional: Items[Value], keywords: Mapping[str, Value]) -> Iterator[Value]:
    """What a call of a library's function calls with elements: `f` in `tf.map_fn(f, x)`; unknown values too."""
    for place in known(name).calls:
        if isinstance(place, str):
            value = keywords.get(place)
        else:
            value = positional[place] if place < len(positional) else None
        if value is not None:
            yield from callables_in(value)


def callables_in(value: Value) -> Iterator[Value]:
    """What may be called in a value: itself, or the items of a list or dict of functions."""
    # Most hold nothing.
    for one in within(value, parts_of) if type(value) in CONTAINERS else (value,):
        if type(one) not in _NO_CALLABLES:
            yield one


def below(value: Value) -> Value:
    """The function of a partial, or of a partial of it."""
    while isinstance(value, Partial):
        value = value.function
    return value
