"""May a mapped function run on whole batches instead of single elements?

A fold over the expression of what the function returns says how each value relates to the element: has it the
element's shape, is it a scalar, is it a dict of components? A verdict other than *unsafe* and *unknown* is a proof by
rows of operations measured on TensorFlow and by these rules:

- A scalar and a component, or a component with itself, may be combined; two components may not: their ranks may differ.
- On scalar elements TensorFlow folds two products (or two sums) with constants into one, which rounds differently; on
  batches it does not (measured). Such chains are equal to rounding only.
- A component that is dropped would be batched as well; that is said beside the verdict.
- A constant in the result has no batch dimension of its own; a list inside of the result is stacked (the result itself
  may be a list: it counts as a tuple).
- Nothing that the element decides is decided in Python, and no call is given something of the element that is not part
  of what is returned.

The bits of NaN and the sign of zero are not counted: `tf.nn.relu` and `tf.clip_by_value` differ in them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NoReturn

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import BatchSafety, EffectKind, OnBatches
from tfdata_lint.pipeline.knowledge.names import displayed, last
from tfdata_lint.pipeline.mapped.answers import (
    Answer,
    Columns,
    Component,
    Group,
    Refused,
    Scalar,
    Static,
    Tensor,
    refuse,
    unknown,
    unsafe,
    with_item,
)
from tfdata_lint.pipeline.mapped.calls import HANDLERS, Call, Calls, is_whole_shape
from tfdata_lint.pipeline.mapped.record import Body
from tfdata_lint.pipeline.nouns.fold import Stems
from tfdata_lint.pipeline.nouns.stages import Effect, Given
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Constant,
    Expr,
    External,
    Mapping_,
    Sequence,
    Slice,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.nouns.work import step
from tfdata_lint.source.trees import walk

#: What else than `if` decides in Python.
_DECIDING = (ast.For, ast.While, ast.Try, ast.BoolOp, ast.Match)
#: Structures inside one another that may be returned.
_DEEPEST_RESULT = 8


def batch_safety(body: Body, effects: tuple[Effect, ...], resolved: bool) -> tuple[BatchSafety, str]:
    """The verdict, and why not in a few words.

    Beside *elementwise* and *shape-bound* the words name what the function drops, if it drops anything; beside *parse*
    how the results differ.
    """
    for effect in effects:
        if effect.kind in _EFFECTS and not (effect.kind == "stateful_layer" and _is_for_batches(body, effect)):
            return "unsafe", f"`{effect.what}` {_EFFECTS[effect.kind]}"
    if not resolved:
        return "unknown", "not everything in it is known"
    fold = Batches(body)
    try:
        if body.node is None:
            fold.check_alone()
        fold.check_result(fold.of(body.result))
        fold.check_calls()
    except Refused as refusal:
        return refusal.verdict, refusal.reason
    return fold.verdict()


def _is_for_batches(body: Body, layer: Effect) -> bool:
    """Is it known what a layer makes of batches, although it holds something?"""
    return any(call.node is layer.node and known(call.name).batches for call in body.calls)


#: Why not, by what it does.
_EFFECTS: Mapping[EffectKind, str] = {
    "random": "draws once per call, not once per element",
    "stateless_random": "draws once per call, not once per element",
    "generator": "draws once per call, not once per element",
    "random_layer": "draws once per call, not once per element",
    "python_random": "runs at tracing",
    "side_effect": "runs at tracing",
    "eager_only": "does not work on tensors",
    "py_function": "would be called with batches",
    "variable_assign": "would be called once per batch",
    "tf_print": "would print whole batches",
    "stateful_layer": "is not known to treat each element of a batch alone",
    "iterator": "would be taken once per batch",
}


#: Calls on an element that is a dict, whose results need not be part of what is returned.
_OF_DICTS = frozenset({"Element.copy", "Element.items", "Element.keys", "Element.pop"})
#: Methods of shapes.
_OF_SHAPES = frozenset(
    {"as_list", "assert_has_rank", "assert_is_compatible_with", "assert_is_fully_defined", "assert_same_rank",
     "is_compatible_with", "is_fully_defined", "merge_with", "num_elements", "with_rank"}
)  # fmt: skip
#: What a library's function given as it is may be: the number of its arguments is not known.
_ALONE: frozenset[OnBatches] = frozenset({"rounded", "image", "same", "reshaped"})
#: What is written otherwise where batches are parsed.
REWRITTEN = "axes of the example are counted otherwise in batches"
#: How results differ that are equal but for rounding.
_ROUNDED = "`{}` is equal to rounding only"
_FOLDED = "a chain of constants is folded on scalars, which is equal to rounding only"


class _OfValues(Stems):
    """May a value depend on more than the keys of an element that is a dict, which batches of it have, too?"""

    def expression(self, expr: Expr) -> bool:
        return expr.by != "key" and super().expression(expr)


class Batches(Calls):
    """How what a function makes relates to the element that it is given."""

    deepest = 60

    def __init__(self, body: Body) -> None:
        super().__init__(body)
        self.removed: set[tuple[str, ...]] = set()
        """The items that were removed from dicts in the result."""
        self.dicts: set[tuple[str, ...]] = set()
        """The components that items are read of, or removed from."""
        self.parameters: tuple[str, ...] = ()
        self.seen: set[int] = set()
        """The syntax of what the result is made of, by `id`."""

    def verdict(self) -> tuple[BatchSafety, str]:
        dropped = self._dropped()
        is_near = bool(self.rounds or self.differs)
        if self.needs_shape + bool(self.parsed) + bool(is_near or self.rewritten) > 1:
            if self.parsed and not self.needs_shape and not self.fits:
                return "parse", REWRITTEN if self.rewritten else self.differs or _ROUNDED.format(self.rounds)
            return "unknown", "it needs both equal shapes and a tolerance for rounding"
        if self.needs_shape:
            return "shape-bound", dropped
        if self.fits:
            return "broadcast", REWRITTEN if self.rewritten else self.fits
        if self.rewritten:
            return "rewritten", dropped
        if self.parsed:
            return "parse", _FOLDED if self.folded else ""
        if self.differs:
            return "approximate", self.differs
        if self.rounds:
            return "approximate", _ROUNDED.format(self.rounds)
        if self.folded:
            return "approximate", _FOLDED
        return "elementwise", dropped

    def _dropped(self) -> str:
        """What the function leaves out, which would be batched too, and that fails if its shape varies."""
        wanted = {(name,) for name in self.parameters} | self.removed
        left = sorted(wanted - self.used)
        if not left:
            return ""
        is_partly_used = any(path[: len(left[0])] == left[0] for path in self.used)
        what = f"what it leaves out of `{left[0][0]}`" if is_partly_used else f"`{'.'.join(left[0])}`, which it drops,"
        return f"{what} would be batched too"

    # ---- values

    def too_deep(self) -> NoReturn:
        unknown("it is nested too deeply")

    def value(self, value: Value | None) -> Answer:
        match value:
            case Constant(inner):
                return Scalar(inner) if isinstance(inner, (bool, int, float, str, bytes)) else Static(repr(inner))
            case Symbol(name):
                return Scalar() if known(name).made == "number" else Static(displayed(name))
            case Sequence(kind=kind, items=items, rest=None, exact=True):
                return Group(kind, tuple([self.of(item) for item in items]))
            case Mapping_(exact=True, spread=spread) if spread is not None:
                return self.spread(self.of(spread), value.held)
            case Mapping_(exact=True, rest=rest) if rest is None or self.stems(rest):
                if rest is not None:
                    return Group("dict", (*[self.of(item) for _, item in value.held], self.of(rest)))
                return Group("dict", tuple([self.of(item) for _, item in value.held]), tuple(k for k, _ in value.held))
            case Alternatives(branches=branches):
                if all(isinstance(branch.value, Constant) and branch.value.value is not None for branch in branches):
                    return Scalar()
            case External(symbol=symbol, arguments=arguments, keywords=keywords):
                return self.made(symbol, arguments, keywords)
        if value is not None and self.stems(value):
            unknown("not everything that becomes of the element is seen")
        return Static("what comes from outside", known=False)

    def spread(self, base: Answer, entries: Iterable[tuple[Any, Value]]) -> Answer:
        """`{**features, "a": …}`"""
        if not isinstance(base, Component):
            unknown("it merges dicts")
        for key, item in entries:
            base = with_item(base, key, self.of(item))
        return base

    def made(self, name: str, arguments: tuple[Value, ...], keywords: Mapping[str, Value]) -> Answer:
        """What a library call makes of arguments that do not depend on the element."""
        if any(map(self.stems, (*arguments, *keywords.values()))):
            refuse(name)
        text = displayed(name)
        first = arguments[0] if arguments else None
        made = known(name).made
        if made == "filled":
            empty = isinstance(first, Sequence) and not first.items and first.rest is None
            return Scalar() if empty else Static(text)
        if "shape" in keywords or (made == "scalar_or_array" and len(arguments) > 2):
            return Static(text, known=False)
        if made in ("scalar", "scalar_or_array") and isinstance(first, Constant):
            if isinstance(first.value, (int, float, str, bytes)):
                return Scalar()
        return Static(text, known=made in ("array", "scalar_or_array") and isinstance(first, Sequence))

    # ---- expressions

    def expression(self, expr: Expr) -> Answer:
        if expr.node is not None:
            self.seen.add(id(expr.node))
        operator = _OPERATORS.get(expr.by)
        if operator is not None:
            return operator(self, expr)
        if not expr.by:
            unknown("a call with `*` is not followed")
        if not self.stems(expr):
            return self.made(expr.by, expr.of, expr.named)
        call = Call(expr)
        handler = HANDLERS.get(call.kind)
        # What standardizes texts is given whole batches wherever the layer is.
        is_of_element = call.kind != "tokens" and self.stems(call.receiver)
        return refuse(call.name) if handler is None or is_of_element else handler(self, call)

    def parameter(self, expr: Expr) -> Answer:
        given, number = expr.of
        return Component((given.names[number],) if number < len(given.names) else (f"#{number}",), {})

    def mapped(self, expr: Expr) -> Answer:
        given, result = expr.of
        assert isinstance(given, Given)
        if self.body.node is not None and len(given.names) < given.count:
            unknown("it takes any number of arguments")
        if result == Constant(None):
            unknown("it returns nothing")
        self.parameters = given.names
        return self.of(result)

    def item(self, expr: Expr) -> Answer:
        base, key = self.of(expr.of[0]), expr.of[1]
        match base, key:
            case Component(), Constant(str(name)):
                self.dicts.add(base.path)
                if name in base.removed:
                    unknown(f'"{name}" was removed')
                return base.changed[name] if name in base.changed else Component((*base.path, name), {})
            case Component(path=path, changed=changed), Expr(by="key") if not changed:
                # One of them after the other, each for itself.
                self.dicts.add(path)
                self.used.add(path)
                return Component((*path, "*"), {})
            case ((Component() | Tensor()), _):
                return self.view(base, key)
            case Group(kind="dict", items=items, keys=keys), Constant(name) if name in keys:
                return items[keys.index(name)]
            case Group(kind="tuple" | "list", items=items), Constant(int(place)) if -len(items) <= place < len(items):
                return items[place]
            case Columns(), Slice():
                return base
            case Columns(shape), Constant(int()):
                return Tensor(shape)
            case ((Static() | Scalar()), _):
                return Static("an item of what comes from outside", known=False)
        return unknown("an item is not known")

    def view(self, base: Tensor | Component, key: Value) -> Answer:
        """`x[..., 0]`, `x[..., None]`: the same from the right, whatever the rank."""
        parts = key.items if isinstance(key, Sequence) else (key,)
        if not parts or parts[0] != Constant(...):
            if isinstance(key, Unknown) and not self.stems(key):
                unknown("an item is taken by what is not known")
            # One item of a part of the element may be that of a tuple.
            is_part = isinstance(base, Component) and not any(isinstance(part, Slice) for part in parts)
            if is_part or not all(isinstance(part, (Constant, Slice)) for part in parts):
                unsafe("an item is taken from the batch dimension")
            self.rewritten = True
        if any(map(self.stems, parts)):
            unsafe("an item is taken by the element")
        return Tensor(object(), self.tensor(base).folds)

    def put(self, expr: Expr) -> Answer:
        base, key, item = self.of(expr.of[0]), expr.of[1], self.of(expr.of[2])
        if not isinstance(base, Component) or not isinstance(key, Constant) or base == item:
            unknown("an item is assigned")
        return with_item(base, key.value, item)

    def without(self, expr: Expr) -> Answer:
        base, key = self.of(expr.of[0]), expr.of[1]
        if not isinstance(base, Component) or not isinstance(key, Constant) or not isinstance(key.value, str):
            unknown("an item is removed")
        self.dicts.add(base.path)
        left = {name: item for name, item in base.changed.items() if name != key.value}
        return Component(base.path, left, base.removed | {key.value})

    def unpacked(self, expr: Expr) -> Answer:
        base, (place, count) = self.of(expr.of[0]), [part.value for part in expr.of[1:]]
        match base:
            case Columns(shape):
                return Tensor(shape)
            case Group(kind="tuple" | "list", items=items) if len(items) == count:
                found: Answer = items[place]
                return found
            case Static():
                return Static("a part of what comes from outside", known=False)
        return unknown("it unpacks something that is not known")

    def attribute(self, expr: Expr) -> Answer:
        name = expr.of[1].value
        if name == "dtype":
            return Static(".dtype")
        base = self.of(expr.of[0])
        if isinstance(base, (Tensor, Component)):
            unsafe(f"`.{name}` sees the batch dimension")
        return Static(f".{name}", known=False)

    def with_shape(self, expr: Expr) -> Answer:
        """`x.set_shape([784])`, which is written with None in front for batches."""
        value = self.tensor(self.of(expr.of[0]))
        if len(expr.of) != 2 or not is_whole_shape(expr.of[1]):
            refuse(expr.by)
        self.rewritten = True
        return value

    def copied(self, expr: Expr) -> Answer:
        base = self.of(expr.of[0])
        return base if isinstance(base, Component) and len(expr.of) == 1 else unknown("a copy is not known")

    @cached_property
    def _only_ifs(self) -> bool:
        """Is `if` all that decides in the function, and is nothing called that has code of its own?"""
        called = {id(call.node) for call in self.body.calls}
        nodes = walk(self.body.node) if self.body.node is not None else ()
        return not any(
            isinstance(node, _DECIDING)
            or bool(getattr(node, "ifs", ()))
            or (isinstance(node, ast.Call) and id(node) not in called)
            for node in nodes
        )

    def chosen(self, expr: Expr) -> Answer:
        """One of several values, as an `if` decides: not by the element, which `check_calls` makes sure of."""
        if not self._only_ifs:
            unknown("it branches")
        for call in self.body.calls:
            if known(call.name).role == "chooses":
                refuse(call.name)
        answers = [self.of(value) for value in expr.of]
        tensors = [self.tensor(answer) for answer in answers if isinstance(answer, (Component, Tensor))]
        if len(tensors) != len(answers):
            unknown("it branches")
        shapes = {tensor.shape for tensor in tensors}
        return Tensor(shapes.pop() if len(shapes) == 1 else object(), frozenset().union(*(t.folds for t in tensors)))

    # ---- the ends

    def check_alone(self) -> None:
        """A library function given as it is: `ds.map(tf.abs)`."""
        call = self.body.calls[0] if len(self.body.calls) == 1 else None
        if call is None:
            unknown("it is not known")
        if not call.positional or known(call.name).batches not in _ALONE:
            refuse(call.name)

    def check_result(self, value: Answer, depth: int = 0) -> None:
        """Everything that is returned must have a row for each element."""
        step()
        if depth > _DEEPEST_RESULT:
            unknown("its result is nested too deeply")
        match value:
            case Component(path=path, changed=changed, removed=removed):
                self.used.add(path)
                self.removed |= {(*path, key) for key in removed}
                for item in changed.values():
                    self.check_result(item, depth + 1)
            case Group(kind="list") | Columns() if depth:
                unsafe("a list in the result is stacked into one tensor")
            case Group(items=items) if items:
                for item in items:
                    self.check_result(item, depth + 1)
            case Static(text, known=False):
                unknown(f"{text} is not known")
            case Group() | Static() | Scalar():
                unsafe("a constant in the result has no batch dimension")

    def check_calls(self) -> None:
        """Whatever is given something of the element must be part of the result, and decide nothing in Python."""
        for call in self.body.calls:
            if id(call.node) in self.seen or call.name in _OF_DICTS:
                continue
            if call.name.startswith(("?.", "local.")) and last(call.name) in _OF_SHAPES:
                unsafe(f"`.{last(call.name)}` sees the batch dimension")
            if call.name.startswith("Element.") or any(map(self.stems, call.arguments)):
                unknown(f"`{displayed(call.name)}` is called for its effect")
        if any(map(_OfValues().of, self.body.tests)):
            unknown("it branches")
        if self.body.entangled:
            unknown("a part of the element is changed in place")
        if not self.dicts.isdisjoint(self.tensors):
            unknown("a dict is used as a tensor")


def _refusal(refuse: Callable[[str], NoReturn], reason: str) -> Callable[[Batches, Expr], Answer]:
    def operator(fold: Batches, expr: Expr) -> NoReturn:
        refuse(reason)

    return operator


_OPERATORS: Mapping[str, Callable[[Batches, Expr], Answer]] = {
    "parameter": Batches.parameter,
    "mapped": Batches.mapped,
    "item": Batches.item,
    "set": Batches.put,
    "without": Batches.without,
    "unpacked": Batches.unpacked,
    "attribute": Batches.attribute,
    "Element.copy": Batches.copied,
    "Element.set_shape": Batches.with_shape,
    **dict.fromkeys(("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "BitAnd", "BitOr", "BitXor"), Batches.binary),
    **dict.fromkeys(("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"), Batches.binary),
    "Pow": Batches.raised,
    **dict.fromkeys(("USub", "UAdd", "Invert"), Batches.signed),
    **dict.fromkeys(("MatMult", "LShift", "RShift"), _refusal(unsafe, "a product depends on the element's rank")),
    **dict.fromkeys(("Is", "IsNot", "In", "NotIn"), _refusal(unknown, "it tests for identity or membership")),
    **dict.fromkeys(("Not", "Compare"), _refusal(unknown, "it branches")),
    "either": Batches.chosen,
}
