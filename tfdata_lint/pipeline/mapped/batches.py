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

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

from tfdata_lint.pipeline.knowledge.functions import CAST_ALIKE, known
from tfdata_lint.pipeline.knowledge.kinds import BatchSafety, EffectKind, OnBatches
from tfdata_lint.pipeline.knowledge.names import displayed, last
from tfdata_lint.pipeline.mapped.record import Body
from tfdata_lint.pipeline.nouns.fold import Fold, Stems
from tfdata_lint.pipeline.nouns.records import Record
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

#: Structures inside one another that may be returned.
_DEEPEST_RESULT = 8


def batch_safety(body: Body, effects: tuple[Effect, ...], resolved: bool) -> tuple[BatchSafety, str]:
    """The verdict, and why not in a few words.

    Beside *elementwise* and *shape-bound* the words name what the function drops, if it drops anything.
    """
    for effect in effects:
        if effect.kind in _EFFECTS:
            return "unsafe", f"`{effect.what}` {_EFFECTS[effect.kind]}"
    if not resolved:
        return "unknown", "not everything in it is known"
    fold = Batches(body)
    try:
        if body.node is None:
            fold.check_alone()
        fold.check_result(fold.of(body.result))
        fold.check_calls()
    except _Refused as refusal:
        return refusal.verdict, refusal.reason
    return fold.verdict()


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


class _Refused(Exception):
    """The function cannot be shown to be safe."""

    def __init__(self, verdict: BatchSafety, reason: str) -> None:
        super().__init__(reason)
        self.verdict: BatchSafety = verdict
        self.reason = reason


def _unsafe(reason: str) -> NoReturn:
    raise _Refused("unsafe", reason)


def _unknown(reason: str) -> NoReturn:
    raise _Refused("unknown", reason)


def _refuse(name: str) -> NoReturn:
    """Refuse a call by what is known of it."""
    if why := known(name).why_not:
        _unsafe(f"`{displayed(name)}` {why}")
    _unknown(f"`{displayed(name)}` is not known")


# ---- answers ------------------------------------------------------------------------------------------------------


class _Tensor(Record):
    """A tensor made from the element, row by row. Equal `shape`s are equal shapes."""

    __slots__ = ("folds", "shape")
    __match_args__ = ("shape", "folds")

    def __init__(self, shape: Any, folds: frozenset[str] = frozenset()) -> None:
        self.shape = shape
        self.folds = folds
        """What the last operation was, if a further one may be folded with it: a product (`*`) or a sum (`+`)."""

    def _parts(self) -> tuple[Any, ...]:
        return (self.shape, self.folds)


class _Component(Record):
    """The element or a part of it: a tensor, or a dict of parts, which only its use tells."""

    __slots__ = ("changed", "path", "removed")

    def __init__(
        self, path: tuple[str, ...], changed: Mapping[str, _Answer], removed: frozenset[str] = frozenset()
    ) -> None:
        self.path = path
        self.changed = changed
        """Items set, in a dict."""
        self.removed = removed

    def _parts(self) -> tuple[Any, ...]:
        return (self.path, self.changed, self.removed)


class _Scalar(Record):
    """A constant without dimensions; `value` is `...` where it is not known."""

    __slots__ = ("value",)
    __match_args__ = ("value",)

    def __init__(self, value: Any = ...) -> None:
        self.value = value

    def _parts(self) -> tuple[Any, ...]:
        return (self.value,)


class _Static(Record):
    """Something that does not depend on the element and is no scalar for sure: a table, a dtype, an array."""

    __slots__ = ("known", "text")
    __match_args__ = ("text", "known")

    def __init__(self, text: str, known: bool = True) -> None:
        self.text = text
        self.known = known
        """False: it might be a scalar after all."""

    def _parts(self) -> tuple[Any, ...]:
        return (self.text, self.known)


class _Group(Record):
    """A tuple, list or dict made by the function."""

    __slots__ = ("items", "keys", "kind")

    def __init__(self, kind: str, items: tuple[_Answer, ...], keys: tuple[Any, ...] = ()) -> None:
        self.kind = kind
        self.items = items
        self.keys = keys

    def _parts(self) -> tuple[Any, ...]:
        return (self.kind, self.items, self.keys)


class _Columns(Record):
    """What `tf.io.decode_csv` returns: a list of unknown length of tensors of one shape."""

    __slots__ = ("shape",)
    __match_args__ = ("shape",)

    def __init__(self, shape: Any) -> None:
        self.shape = shape

    def _parts(self) -> tuple[Any, ...]:
        return (self.shape,)


_Answer: TypeAlias = "_Tensor | _Component | _Scalar | _Static | _Group | _Columns"


#: What TensorFlow may fold with a further operation of the kind.
_FOLDING = {"sum": "+", "product": "*", "power": "*", "Add": "+", "Mult": "*"}
#: Features whose values are the same from `parse_example`.
_PARSED_ALIKE = {"FixedLenFeature", "VarLenFeature"}
#: Arguments that change nothing about the rows of a result.
_INDIFFERENT = frozenset({"name", "Tout"})
#: Calls on an element that is a dict, whose results need not be part of what is returned.
_OF_DICTS = frozenset({"Element.pop", "Element.copy"})
#: Methods of shapes.
_OF_SHAPES = frozenset(
    {"as_list", "assert_has_rank", "assert_is_compatible_with", "assert_is_fully_defined", "assert_same_rank",
     "is_compatible_with", "is_fully_defined", "merge_with", "num_elements", "with_rank"}
)  # fmt: skip
#: What a library's function given as it is may be: the number of its arguments is not known.
_ALONE: frozenset[OnBatches] = frozenset({"rounded", "image", "same", "reshaped"})


# ---- the fold -----------------------------------------------------------------------------------------------------


class Batches(Fold[_Answer]):
    """How what a function makes relates to the element that it is given."""

    deepest = 60

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body
        self.stems = Stems().of
        self.rounds = ""
        self.folded = False
        self.differs = ""
        """Why what comes out may differ in more than rounding."""
        self.needs_shape = False
        self.parsed = 0
        self.used: set[tuple[str, ...]] = set()
        """The components that the result is made of."""
        self.removed: set[tuple[str, ...]] = set()
        """The items that were removed from dicts in the result."""
        self.dicts: set[tuple[str, ...]] = set()
        """The components that items are read of, or removed from."""
        self.tensors: set[tuple[str, ...]] = set()
        """The components that are used as tensors."""
        self.parameters: tuple[str, ...] = ()
        self.seen: set[int] = set()
        """The syntax of what the result is made of, by `id`."""

    def verdict(self) -> tuple[BatchSafety, str]:
        dropped = self._dropped()
        if self.needs_shape + bool(self.parsed) + bool(self.rounds or self.differs) > 1:
            return "unknown", "it needs both equal shapes and a tolerance for rounding"
        if self.needs_shape:
            return "shape-bound", dropped
        if self.parsed:
            return ("parse", "") if not self.folded else ("unknown", "it parses and rounds")
        if self.differs:
            return "approximate", self.differs
        if self.rounds:
            return "approximate", f"`{self.rounds}` is equal to rounding only"
        if self.folded:
            return "approximate", "a chain of constants is folded on scalars, which is equal to rounding only"
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
        _unknown("it is nested too deeply")

    def value(self, value: Value | None) -> _Answer:
        match value:
            case Constant(inner):
                return _Scalar(inner) if isinstance(inner, (bool, int, float, str, bytes)) else _Static(repr(inner))
            case Symbol(name):
                return _Scalar() if known(name).made == "number" else _Static(displayed(name))
            case Sequence(kind=kind, items=items, rest=None, exact=True):
                return _Group(kind, tuple([self.of(item) for item in items]))
            case Mapping_(exact=True, spread=spread) if spread is not None:
                return self.spread(self.of(spread), value.held)
            case Mapping_(exact=True, rest=None):
                return _Group("dict", tuple([self.of(item) for _, item in value.held]), tuple(k for k, _ in value.held))
            case Alternatives(branches=branches):
                if all(isinstance(branch.value, Constant) and branch.value.value is not None for branch in branches):
                    return _Scalar()
            case External(symbol=symbol, arguments=arguments, keywords=keywords):
                return self.made(symbol, arguments, keywords)
        if value is not None and self.stems(value):
            _unknown("not everything that becomes of the element is seen")
        return _Static("what comes from outside", known=False)

    def spread(self, base: _Answer, entries: Iterable[tuple[Any, Value]]) -> _Answer:
        """`{**features, "a": …}`"""
        if not isinstance(base, _Component):
            _unknown("it merges dicts")
        for key, item in entries:
            base = _with(base, key, self.of(item))
        return base

    def made(self, name: str, arguments: tuple[Value, ...], keywords: Mapping[str, Value]) -> _Answer:
        """What a library call makes of arguments that do not depend on the element."""
        if any(map(self.stems, (*arguments, *keywords.values()))):
            _refuse(name)
        text = displayed(name)
        first = arguments[0] if arguments else None
        made = known(name).made
        if made == "filled":
            empty = isinstance(first, Sequence) and not first.items and first.rest is None
            return _Scalar() if empty else _Static(text)
        if "shape" in keywords or (made == "scalar_or_array" and len(arguments) > 2):
            return _Static(text, known=False)
        if made in ("scalar", "scalar_or_array") and isinstance(first, Constant):
            if isinstance(first.value, (int, float, str, bytes)):
                return _Scalar()
        return _Static(text, known=made in ("array", "scalar_or_array") and isinstance(first, Sequence))

    # ---- expressions

    def expression(self, expr: Expr) -> _Answer:
        if expr.node is not None:
            self.seen.add(id(expr.node))
        operator = _OPERATORS.get(expr.by)
        if operator is not None:
            return operator(self, expr)
        if not expr.by:
            _unknown("a call with `*` is not followed")
        if not self.stems(expr):
            return self.made(expr.by, expr.of, expr.named)
        call = _Call(expr)
        handler = _HANDLERS.get(call.kind)
        return _refuse(call.name) if handler is None or self.stems(call.receiver) else handler(self, call)

    def parameter(self, expr: Expr) -> _Answer:
        given, number = expr.of
        return _Component((given.names[number],) if number < len(given.names) else (f"#{number}",), {})

    def mapped(self, expr: Expr) -> _Answer:
        given, result = expr.of
        assert isinstance(given, Given)
        if self.body.node is not None and len(given.names) < given.count:
            _unknown("it takes any number of arguments")
        if result == Constant(None):
            _unknown("it returns nothing")
        self.parameters = given.names
        return self.of(result)

    def item(self, expr: Expr) -> _Answer:
        base, key = self.of(expr.of[0]), expr.of[1]
        match base, key:
            case _Component(), Constant(str(name)):
                self.dicts.add(base.path)
                if name in base.removed:
                    _unknown(f'"{name}" was removed')
                return base.changed[name] if name in base.changed else _Component((*base.path, name), {})
            case ((_Component() | _Tensor()), _):
                return self.view(base, key)
            case _Group(kind="dict", items=items, keys=keys), Constant(name) if name in keys:
                return items[keys.index(name)]
            case _Group(kind="tuple" | "list", items=items), Constant(int(place)) if -len(items) <= place < len(items):
                return items[place]
            case _Columns(), Slice():
                return base
            case _Columns(shape), Constant(int()):
                return _Tensor(shape)
            case ((_Static() | _Scalar()), _):
                return _Static("an item of what comes from outside", known=False)
        _unknown("an item is not known")

    def view(self, base: _Tensor | _Component, key: Value) -> _Answer:
        """`x[..., 0]`, `x[..., None]`: the same from the right, whatever the rank."""
        parts = key.items if isinstance(key, Sequence) else (key,)
        if not parts or parts[0] != Constant(...):
            if isinstance(key, Unknown) and not self.stems(key):
                _unknown("an item is taken by what is not known")
            _unsafe("an item is taken from the batch dimension")
        if any(map(self.stems, parts)):
            _unsafe("an item is taken by the element")
        return _Tensor(object(), self.tensor(base).folds)

    def put(self, expr: Expr) -> _Answer:
        base, key, item = self.of(expr.of[0]), expr.of[1], self.of(expr.of[2])
        if not isinstance(base, _Component) or not isinstance(key, Constant) or base == item:
            _unknown("an item is assigned")
        return _with(base, key.value, item)

    def without(self, expr: Expr) -> _Answer:
        base, key = self.of(expr.of[0]), expr.of[1]
        if not isinstance(base, _Component) or not isinstance(key, Constant) or not isinstance(key.value, str):
            _unknown("an item is removed")
        self.dicts.add(base.path)
        left = {name: item for name, item in base.changed.items() if name != key.value}
        return _Component(base.path, left, base.removed | {key.value})

    def unpacked(self, expr: Expr) -> _Answer:
        base, (place, count) = self.of(expr.of[0]), [part.value for part in expr.of[1:]]
        match base:
            case _Columns(shape):
                return _Tensor(shape)
            case _Group(kind="tuple" | "list", items=items) if len(items) == count:
                found: _Answer = items[place]
                return found
        _unknown("it unpacks something that is not known")

    def attribute(self, expr: Expr) -> _Answer:
        name = expr.of[1].value
        if name == "dtype":
            return _Static(".dtype")
        base = self.of(expr.of[0])
        if isinstance(base, (_Tensor, _Component)):
            _unsafe(f"`.{name}` sees the batch dimension")
        return _Static(f".{name}", known=False)

    def copied(self, expr: Expr) -> _Answer:
        base = self.of(expr.of[0])
        return base if isinstance(base, _Component) and len(expr.of) == 1 else _unknown("a copy is not known")

    def chosen(self, expr: Expr) -> NoReturn:
        for call in self.body.calls:
            if known(call.name).role == "chooses":
                _refuse(call.name)
        _unknown("it branches")

    # ---- operators

    def binary(self, expr: Expr) -> _Answer:
        return self.combine([self.of(operand) for operand in expr.of], _FOLDING.get(expr.by, ""))

    def raised(self, expr: Expr) -> _Answer:
        return self.power(*[self.of(operand) for operand in expr.of])

    def power(self, left: _Answer, right: _Answer) -> _Answer:
        result = self.combine((left, right), "*")
        if isinstance(result, _Tensor) and (not isinstance(right, _Scalar) or right.value not in (1, 2)):
            self.rounds = self.rounds or "**"
        return result

    def signed(self, expr: Expr) -> _Answer:
        value = self.of(expr.of[0])
        return _Scalar() if isinstance(value, _Scalar) else self.tensor(value)

    def combine(self, operands: Iterable[_Answer], kind: str) -> _Answer:
        """Broadcast operands against one another: scalars and tensors of one shape only."""
        tensors: list[_Tensor] = []
        is_text = False
        for operand in operands:
            match operand:
                case _Scalar(value) if value is not None:
                    is_text |= isinstance(value, (str, bytes))
                case _Tensor() | _Component():
                    tensors.append(self.tensor(operand))
                case _Static(text, known):
                    _unsafe(f"`{text}` is not a scalar") if known else _unknown(f"{text} is not known to be a scalar")
                case _:
                    _unsafe("a list of values is no scalar")
        if not tensors:
            return _Scalar()
        if len({tensor.shape for tensor in tensors}) > 1:
            _unsafe("two components are combined, whose shapes may differ")
        if not kind or is_text:
            return _Tensor(tensors[0].shape)
        products = sum("*" in tensor.folds for tensor in tensors)
        if any(kind in tensor.folds for tensor in tensors) or (kind == "+" and products > 1):
            self.folded = True
        return _Tensor(tensors[0].shape, frozenset(kind))

    def tensor(self, value: _Answer) -> _Tensor:
        """A value used as a tensor made from the element."""
        match value:
            case _Tensor():
                return value
            case _Component(path=path, changed=changed, removed=removed) if not changed and not removed:
                self.used.add(path)
                self.tensors.add(path)
                return _Tensor(path)
        _unknown("an argument is not understood")

    # ---- calls

    def first(self, call: _Call) -> _Answer:
        """The argument that is the tensor: the first, or by keyword; the others must not depend on the element."""
        values = call.values if call.positional else sorted(call.values, key=self.stems, reverse=True)
        if not values:
            _unknown(f"`{displayed(call.name)}` has no argument")
        if any(map(self.stems, values[1:])):
            _unsafe(f"`{displayed(call.name)}` is set by the element")
        return self.of(values[0])

    def unary(self, call: _Call) -> _Answer:
        value = self.first(call)
        return _Scalar() if isinstance(value, _Scalar) else self.tensor(value)

    def cast(self, call: _Call) -> _Answer:
        value, dtype = self.unary(call), call.argument(1, "dtype")
        kind = last(dtype.name) if isinstance(dtype, Symbol) else dtype.value if isinstance(dtype, Constant) else ""
        if isinstance(value, _Tensor) and kind not in CAST_ALIKE and not self._is_own_dtype(dtype, call):
            self.differs = self.differs or "a float that does not fit is cast to another integer in a batch"
        return value

    def _is_own_dtype(self, dtype: Value | None, call: _Call) -> bool:
        """`tf.cast(x, x.dtype)`"""
        return isinstance(dtype, Expr) and dtype.by == "attribute" and dtype.of[0] is call.values[0]

    def with_scalars(self, call: _Call) -> _Answer:
        """`tf.strings.substr(x, 0, 3)`: the further arguments would broadcast, so they must be scalars."""
        for other in call.values[1:]:
            if not isinstance(self.of(other), _Scalar):
                _unsafe(f"an argument of `{displayed(call.name)}` is not known to be a scalar")
        return self.unary(call)

    def reshaping(self, call: _Call) -> _Answer:
        if last(call.name) == "one_hot" and call.argument(4, "axis") is not None:
            _unsafe("`tf.one_hot` with an axis depends on the element's rank")
        self.tensor(self.first(call))
        return _Tensor(object())

    def approximate(self, call: _Call) -> _Answer:
        value = self.unary(call)
        if isinstance(value, _Tensor):
            self.rounds = self.rounds or displayed(call.name)
            return _Tensor(value.shape)
        return value

    def several(self, call: _Call) -> _Answer:
        values = [self.of(value) for value in call.values]
        if call.kind == "choice" and len(values) != 3:
            _unsafe("`tf.where` with one argument gives positions in the batch")
        if call.kind == "power" and len(values) == 2:
            return self.power(*values)
        return self.combine(values, _FOLDING.get(call.kind, ""))

    def image(self, call: _Call) -> _Answer:
        self.tensor(self.first(call))
        self.needs_shape = True
        return _Tensor(object())

    def convert_image_dtype(self, call: _Call) -> _Answer:
        value, dtype = self.tensor(self.first(call)), call.argument(1, "dtype")
        if not (isinstance(dtype, Symbol) and "float" in dtype.name):
            self.rounds = self.rounds or displayed(call.name)
        self.folded = self.folded or "*" in value.folds
        return _Tensor(value.shape, frozenset("*"))

    def rescaling(self, call: _Call) -> _Answer:
        """`tf.keras.layers.Rescaling(scale, offset)(x)` where both are scalars."""
        given = call.receiver.given if isinstance(call.receiver, External) else ()
        if not given or not all(isinstance(value, Constant) for value in given):
            _unknown("the scale of `tf.keras.layers.Rescaling` is not known")
        value = self.tensor(self.first(call))
        self.folded = self.folded or bool(value.folds)
        return _Tensor(value.shape, frozenset("*+"))

    def along_axis(self, call: _Call) -> _Answer:
        axis = call.argument(1, "axis")
        if not (call.kind.startswith("last_axis") if axis is None else self._is_negative(axis)):
            _refuse(call.name)
        values = [self.first(call)]
        if call.kind == "axis_of_list":
            if not isinstance(values[0], (_Group, _Columns)):
                _refuse(call.name)
            values = list(values[0].items) if isinstance(values[0], _Group) else [_Tensor(values[0].shape)]
        if call.kind.endswith("_rounded"):
            self.rounds = self.rounds or displayed(call.name)
        return _Tensor(object(), frozenset().union(*(self.tensor(value).folds for value in values)))

    def _is_negative(self, axis: Value) -> bool:
        """A negative integer, or several."""
        axes = axis.items if isinstance(axis, Sequence) and axis.exact and axis.rest is None else (axis,)
        return bool(axes) and all(isinstance(a, Constant) and isinstance(a.value, int) and a.value < 0 for a in axes)

    def gather(self, call: _Call) -> _Answer:
        """`tf.gather(table, x)`: a table from outside, indexed by the element."""
        is_gather = last(call.name) == "gather"
        table, indices = call.argument(0, "params"), call.argument(1, "indices" if is_gather else "ids")
        if table is None or indices is None or len(call.values) != 2 or self.stems(table):
            _unsafe(f"`{displayed(call.name)}` takes from the element")
        self.tensor(self.of(indices))
        if is_gather and not _is_dense(table):
            self.differs = self.differs or "the table may be ragged, and so the batches"
        return _Tensor(object())

    def join_strings(self, call: _Call) -> _Answer:
        parts = self.of(call.positional[0]) if call.positional else None
        if not isinstance(parts, _Group):
            _unknown("what `tf.strings.join` joins is not known")
        return self.combine(parts.items, "")

    def parse(self, call: _Call) -> _Answer:
        """`tf.io.parse_single_example(x, features)`, which is `parse_example` on a batch."""
        self.parsed += 1
        if self.parsed > 1:
            _unsafe("it parses twice")
        record = self.first(call)
        if not isinstance(record, _Component) or len(record.path) != 1 or record.changed or record.removed:
            _unsafe(f"`{displayed(call.name)}` parses something else than the element")
        kinds = _feature_kinds(call.argument(1, "features"))
        if kinds is None:
            _unknown("the features to parse are not known")
        if odd := sorted(kinds - _PARSED_ALIKE):
            _unsafe(f"`tf.io.{odd[0]}` is parsed differently in batches")
        self.used.add(record.path)
        self.tensors.add(record.path)
        return _Component(("parsed",), {})

    def csv(self, call: _Call) -> _Answer:
        return _Columns(self.tensor(self.first(call)).shape)

    def make_tuple(self, call: _Call) -> _Answer:
        match self.of(call.positional[0]) if len(call.positional) == 1 else None:
            case _Columns(shape):
                return _Group("tuple", (_Tensor(shape),))
            case _Group(kind="tuple" | "list", items=items):
                return _Group("tuple", items)
        _unknown("a tuple is made of something that is not known")

    # ---- the ends

    def check_alone(self) -> None:
        """A library function given as it is: `ds.map(tf.abs)`."""
        call = self.body.calls[0] if len(self.body.calls) == 1 else None
        if call is None:
            _unknown("it is not known")
        if not call.positional or known(call.name).batches not in _ALONE:
            _refuse(call.name)

    def check_result(self, value: _Answer, depth: int = 0) -> None:
        """Everything that is returned must have a row for each element."""
        if depth > _DEEPEST_RESULT:
            _unknown("its result is nested too deeply")
        match value:
            case _Component(path=path, changed=changed, removed=removed):
                self.used.add(path)
                self.removed |= {(*path, key) for key in removed}
                for item in changed.values():
                    self.check_result(item, depth + 1)
            case _Group(kind="list") | _Columns() if depth:
                _unsafe("a list in the result is stacked into one tensor")
            case _Group(items=items) if items:
                for item in items:
                    self.check_result(item, depth + 1)
            case _Static(text, known=False):
                _unknown(f"{text} is not known")
            case _Group() | _Static() | _Scalar():
                _unsafe("a constant in the result has no batch dimension")

    def check_calls(self) -> None:
        """Whatever is given something of the element must be part of the result, and decide nothing in Python."""
        for call in self.body.calls:
            if id(call.node) in self.seen or call.name in _OF_DICTS:
                continue
            if call.name.startswith(("?.", "local.")) and last(call.name) in _OF_SHAPES:
                _unsafe(f"`.{last(call.name)}` sees the batch dimension")
            if call.name.startswith("Element.") or any(map(self.stems, call.arguments)):
                _unknown(f"`{displayed(call.name)}` is called for its effect")
        if any(map(self.stems, self.body.tests)):
            _unknown("it branches")
        if self.body.entangled:
            _unknown("a part of the element is changed in place")
        if not self.dicts.isdisjoint(self.tensors):
            _unknown("a dict is used as a tensor")


class _Call:
    """A call of a function of a library, and what it is given."""

    def __init__(self, expr: Expr) -> None:
        self.name = expr.by
        self.kind = known(expr.by).batches
        self.receiver: Value | None = None
        """What it is a method of, or what is called."""
        self.positional: tuple[Value, ...] = expr.of
        if "()" in expr.by or expr.by.startswith("Element."):
            self.receiver, *given = expr.of
            self.positional = tuple(given)
        self.named = {name: value for name, value in expr.named.items() if name not in _INDIFFERENT}

    @property
    def values(self) -> list[Value]:
        return [*self.positional, *self.named.values()]

    def argument(self, place: int, name: str) -> Value | None:
        return self.positional[place] if place < len(self.positional) else self.named.get(name)


def _with(base: _Component, key: Any, item: _Answer) -> _Component:
    """A dict with another item."""
    return _Component(base.path, {**base.changed, key: item}, base.removed - {key})


def _is_dense(value: Value | None) -> bool:
    """Is it an array or a tensor for sure, rather than one that is ragged?"""
    match value:
        case Sequence():
            return True
        case External(symbol=symbol):
            return symbol.startswith(("numpy.", "tensorflow.random.")) or bool(known(symbol).made)
    return False


def _feature_kinds(value: Value | None) -> set[str] | None:
    """The classes of the features in a specification, if all of it is known."""
    if not isinstance(value, Mapping_) or value.rest is not None or not value.items:
        return None
    made = [last(item.symbol) for item in value.items.values() if isinstance(item, External)]
    return set(made) if len(made) == len(value.items) else None


def _refusal(refuse: Callable[[str], NoReturn], reason: str) -> Callable[[Batches, Expr], _Answer]:
    def operator(fold: Batches, expr: Expr) -> NoReturn:
        refuse(reason)

    return operator


_OPERATORS: Mapping[str, Callable[[Batches, Expr], _Answer]] = {
    "parameter": Batches.parameter,
    "mapped": Batches.mapped,
    "item": Batches.item,
    "set": Batches.put,
    "without": Batches.without,
    "unpacked": Batches.unpacked,
    "attribute": Batches.attribute,
    "Element.copy": Batches.copied,
    **dict.fromkeys(("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "BitAnd", "BitOr", "BitXor"), Batches.binary),
    **dict.fromkeys(("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"), Batches.binary),
    "Pow": Batches.raised,
    **dict.fromkeys(("USub", "UAdd", "Invert"), Batches.signed),
    **dict.fromkeys(("MatMult", "LShift", "RShift"), _refusal(_unsafe, "a product depends on the element's rank")),
    **dict.fromkeys(("Is", "IsNot", "In", "NotIn"), _refusal(_unknown, "it tests for identity or membership")),
    **dict.fromkeys(("Not", "Compare"), _refusal(_unknown, "it branches")),
    "either": Batches.chosen,
}

_HANDLERS: Mapping[OnBatches, Callable[[Batches, _Call], _Answer]] = {
    "same": Batches.unary,
    "scalars": Batches.with_scalars,
    "cast": Batches.cast,
    "reshaped": Batches.reshaping,
    "rounded": Batches.approximate,
    **dict.fromkeys(("operands", "sum", "product", "power", "choice"), Batches.several),
    "image": Batches.image,
    "image_dtype": Batches.convert_image_dtype,
    **dict.fromkeys(("axis", "axis_rounded", "last_axis", "last_axis_rounded", "axis_of_list"), Batches.along_axis),
    "table": Batches.gather,
    "strings": Batches.join_strings,
    "rescaling": Batches.rescaling,
    "parse": Batches.parse,
    "csv": Batches.csv,
    "tuple": Batches.make_tuple,
}
