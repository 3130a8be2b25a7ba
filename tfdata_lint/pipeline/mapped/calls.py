"""What operators and calls of library functions make of an element, row by row (`batches.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from tfdata_lint.pipeline.knowledge.functions import CAST_ALIKE, known
from tfdata_lint.pipeline.knowledge.kinds import OnBatches
from tfdata_lint.pipeline.knowledge.names import displayed, last
from tfdata_lint.pipeline.mapped.answers import (
    Answer,
    Columns,
    Component,
    Group,
    Scalar,
    Static,
    Tensor,
    refuse,
    unknown,
    unsafe,
)
from tfdata_lint.pipeline.mapped.record import Body
from tfdata_lint.pipeline.nouns.fold import Fold, Stems
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Mapping_, Sequence, Symbol, Value

#: What TensorFlow may fold with a further operation of the kind.
FOLDING = {"sum": "+", "product": "*", "power": "*", "Add": "+", "Mult": "*"}
#: Features whose values are the same from `parse_example`.
_PARSED_ALIKE = {"FixedLenFeature", "VarLenFeature"}
#: Arguments that change nothing about the rows of a result.
_INDIFFERENT = frozenset({"name", "Tout"})
#: The shape of all that is a number for each element.
_NUMBER = ("a number",)


class Kept(NamedTuple):
    """The shape of what was reduced along axes that it keeps, with one entry each."""

    of: Any


#: Along an axis, and what comes out is as large.
#: Axes of an element that are written as numbers; in a batch each is the next one.
_COUNTED = (0, 1, 2)
_OF_ONE_SHAPE = ("cumsum", "reverse")


class Calls(Fold[Answer]):
    """What is made of answers, and what that means for the verdict."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body
        self.stems = Stems().of
        self.rounds = ""
        self.folded = False
        self.differs = ""
        """Why what comes out may differ in more than rounding."""
        self.fits = ""
        """Why operands may find each other otherwise in batches, where their ranks are not as they mostly are."""
        self.needs_shape = False
        self.parsed = 0
        self.rewritten = False
        """Numbers are stacked along the first axis, which on a batch is the last, or a shape lacks the batch."""
        self.lines: set[Any] = set()
        """The shapes of lines that were taken apart into columns, and of numbers that were parsed."""
        self.used: set[tuple[str, ...]] = set()
        """The components that the result is made of."""
        self.tensors: set[tuple[str, ...]] = set()
        """The components that are used as tensors."""

    # ---- operators

    def binary(self, expr: Expr) -> Answer:
        return self.combine([self.of(operand) for operand in expr.of], FOLDING.get(expr.by, ""))

    def raised(self, expr: Expr) -> Answer:
        return self.power(*[self.of(operand) for operand in expr.of])

    def power(self, left: Answer, right: Answer) -> Answer:
        result = self.combine((left, right), "*")
        if isinstance(result, Tensor) and (not isinstance(right, Scalar) or right.value not in (1, 2)):
            self.rounds = self.rounds or "**"
        return result

    def signed(self, expr: Expr) -> Answer:
        value = self.of(expr.of[0])
        return Scalar() if isinstance(value, Scalar) else self.tensor(value)

    def combine(self, operands: Iterable[Answer], kind: str) -> Answer:
        """Broadcast operands against one another: scalars and tensors of one shape only."""
        tensors: list[Tensor] = []
        is_text, fits = False, ""
        for operand in operands:
            match operand:
                case Scalar(value) if value is not None:
                    is_text |= isinstance(value, (str, bytes))
                case Tensor() | Component():
                    tensors.append(self.tensor(operand))
                case Static(text, known):
                    fits = fits or (f"`{text}` is not a scalar" if known else f"{text} is not known to be a scalar")
                case Group(items=items) if all(isinstance(item, Scalar) for item in items):
                    fits = "a list of values is no scalar"
                case _:
                    unsafe("a list of values is no scalar")
        if not tensors:
            return Scalar() if not fits else Static(fits, known=False)
        # An axis that is kept finds the one that it was made of.
        shapes = {tensor.shape.of if isinstance(tensor.shape, Kept) else tensor.shape for tensor in tensors}
        if len(shapes) > 1:
            fits = "two components are combined, whose shapes may differ"
        if fits:
            self.fits = fits
            return Tensor(object())
        shape = next((tensor.shape for tensor in tensors if not isinstance(tensor.shape, Kept)), tensors[0].shape)
        if not kind or is_text:
            return Tensor(shape)
        products = sum("*" in tensor.folds for tensor in tensors)
        if any(kind in tensor.folds for tensor in tensors) or (kind == "+" and products > 1):
            self.folded = True
        return Tensor(shape, frozenset(kind))

    def tensor(self, value: Answer) -> Tensor:
        """A value used as a tensor made from the element."""
        match value:
            case Tensor():
                return value
            case Component(path=path, changed=changed, removed=removed) if not changed and not removed:
                self.used.add(path)
                self.tensors.add(path)
                return Tensor(_NUMBER if path in self.lines else path)
        return unknown("an argument is not understood")

    # ---- calls

    def first(self, call: Call) -> Answer:
        """The argument that is the tensor: the first, or by keyword; the others must not depend on the element."""
        values = call.values if call.positional else sorted(call.values, key=self.stems, reverse=True)
        if not values:
            unknown(f"`{displayed(call.name)}` has no argument")
        if any(map(self.stems, values[1:])):
            unsafe(f"`{displayed(call.name)}` is set by the element")
        return self.of(values[0])

    def unary(self, call: Call) -> Answer:
        value = self.first(call)
        return Scalar() if isinstance(value, Scalar) else self.tensor(value)

    def cast(self, call: Call) -> Answer:
        value, dtype = self.unary(call), call.argument(1, "dtype")
        kind = last(dtype.name) if isinstance(dtype, Symbol) else dtype.value if isinstance(dtype, Constant) else ""
        if isinstance(value, Tensor) and kind not in CAST_ALIKE and not self._is_own_dtype(dtype, call):
            self.differs = self.differs or "a float that does not fit is cast to another integer in a batch"
        return value

    def _is_own_dtype(self, dtype: Value | None, call: Call) -> bool:
        """`tf.cast(x, x.dtype)`"""
        return isinstance(dtype, Expr) and dtype.by == "attribute" and dtype.of[0] is call.values[0]

    def with_scalars(self, call: Call) -> Answer:
        """`tf.strings.substr(x, 0, 3)`: the further arguments would broadcast, so they must be scalars."""
        for other in call.values[1:]:
            if not isinstance(self.of(other), Scalar):
                unsafe(f"an argument of `{displayed(call.name)}` is not known to be a scalar")
        return self.unary(call)

    def reshaping(self, call: Call) -> Answer:
        # Keras has no values for on and off in front of it.
        if last(call.name) == "one_hot" and call.argument(2 if ".ops." in call.name else 4, "axis") is not None:
            unsafe("`tf.one_hot` with an axis depends on the element's rank")
        self.tensor(self.first(call))
        return Tensor(object())

    def approximate(self, call: Call) -> Answer:
        value = self.unary(call)
        if isinstance(value, Tensor):
            self.rounds = self.rounds or displayed(call.name)
            return Tensor(value.shape)
        return value

    def several(self, call: Call) -> Answer:
        values = [self.of(value) for value in call.values]
        if call.kind == "choice" and len(values) != 3:
            unsafe("`tf.where` with one argument gives positions in the batch")
        if call.kind == "choice" and ".v1." in call.name and any(isinstance(value, Scalar) for value in values):
            unsafe("`tf.compat.v1.where` broadcasts nothing")
        if call.kind == "power" and len(values) == 2:
            return self.power(*values)
        return self.combine(values, FOLDING.get(call.kind, ""))

    def image(self, call: Call) -> Answer:
        self.tensor(self.first(call))
        self.needs_shape = True
        return Tensor(object())

    def convert_image_dtype(self, call: Call) -> Answer:
        value, dtype = self.tensor(self.first(call)), call.argument(1, "dtype")
        if not (isinstance(dtype, Symbol) and "float" in dtype.name):
            self.rounds = self.rounds or displayed(call.name)
        self.folded = self.folded or "*" in value.folds
        return Tensor(value.shape, frozenset("*"))

    def rescaling(self, call: Call) -> Answer:
        """`tf.keras.layers.Rescaling(scale, offset)(x)` where both are scalars."""
        given = call.receiver.given if isinstance(call.receiver, External) else ()
        if not given or not all(isinstance(value, Constant) for value in given):
            unknown("the scale of `tf.keras.layers.Rescaling` is not known")
        value = self.tensor(self.first(call))
        self.folded = self.folded or bool(value.folds)
        return Tensor(value.shape, frozenset("*+"))

    def codes(self, call: Call) -> Answer:
        """A Keras layer that makes numbers of what it is given, which is made for batches (measured)."""
        value = self.tensor(self.first(call))
        made = call.receiver if isinstance(call.receiver, External) and not call.receiver.further else None
        mode = made.keywords.get("output_mode", Constant("int")) if made is not None else None
        if call.kind == "tokens" and isinstance(value.shape, tuple):
            if self.stems(call.receiver):
                self.differs = self.differs or "the function that standardizes or splits texts gets whole batches"
            return Tensor(object())
        if call.kind != "codes" or mode != Constant("int"):
            unsafe(f"`{displayed(call.name)}` takes one axis for that of the batch")
        return Tensor(value.shape)

    def along_axis(self, call: Call) -> Answer:
        axis = call.argument(1, "axis")
        values = [self.first(call)]
        if (axis is None and last(call.name) == "stack" and self._are_columns(values[0])) or (
            call.kind == "axis_of_list" and isinstance(axis, Constant) and axis.value in _COUNTED
        ):
            self.rewritten = True
        elif not (call.kind.startswith("last_axis") if axis is None else self._is_negative(axis)):
            refuse(call.name)
        if call.kind == "axis_of_list":
            if not isinstance(values[0], (Group, Columns)):
                refuse(call.name)
            values = list(values[0].items) if isinstance(values[0], Group) else [Tensor(values[0].shape)]
            # `[[width, height], sizes]`: numbers that become a vector before they are joined with one.
            lists = [value for value in values if isinstance(value, Group) and value.kind == "list"]
            if lists and all(map(self._are_columns, lists)):
                self.rewritten = True
                values = [part for part in values if part not in lists] + [part for one in lists for part in one.items]
        if call.kind.endswith("_rounded"):
            self.rounds = self.rounds or displayed(call.name)
        if last(call.name) in _OF_ONE_SHAPE:
            return Tensor(self.tensor(values[0]).shape)
        if call.argument(2, "keepdims") == Constant(True):
            value = self.tensor(values[0])
            return Tensor(Kept(value.shape), value.folds)
        return Tensor(object(), frozenset().union(*(self.tensor(value).folds for value in values)))

    def shaped(self, call: Call) -> Answer:
        """`tf.reshape(x, [28, 28, 1])`, `tf.reshape(x, [-1])`"""
        shape = call.argument(1, "shape")
        value = self.tensor(self.first(call))
        if not is_whole_shape(shape, rest=last(call.name) == "reshape"):
            refuse(call.name)
        self.rewritten = True
        return Tensor(object(), value.folds)

    def transposed(self, call: Call) -> Answer:
        """`tf.transpose(x, [1, 2, 0])`"""
        axes = call.argument(1, "perm")
        value = self.tensor(self.first(call))
        if not (isinstance(axes, Sequence) and axes.exact and axes.rest is None and all(map(_is_number, axes.items))):
            refuse(call.name)
        self.rewritten = True
        return Tensor(object(), value.folds)

    def _are_columns(self, value: Answer) -> bool:
        parts = value.items if isinstance(value, Group) else (value,)
        shapes = [part.shape if isinstance(part, Columns) else self.tensor(part).shape for part in parts]
        return all(shape in self.lines for shape in shapes)

    def _is_negative(self, axis: Value | None) -> bool:
        """A negative integer, or several."""
        axes = axis.items if isinstance(axis, Sequence) and axis.exact and axis.rest is None else (axis,)
        return bool(axes) and all(isinstance(a, Constant) and isinstance(a.value, int) and a.value < 0 for a in axes)

    def gather(self, call: Call) -> Answer:
        """`tf.gather(table, x)`: a table from outside, indexed by the element."""
        is_gather = last(call.name) == "gather"
        table, indices = call.argument(0, "params"), call.argument(1, "indices" if is_gather else "ids")
        if table is not None and self._is_negative(call.argument(3, "axis")) and not self.stems(indices):
            self.tensor(self.of(table))
            return Tensor(object())
        if table is None or indices is None or len(call.values) != 2 or self.stems(table):
            unsafe(f"`{displayed(call.name)}` takes from the element")
        self.tensor(self.of(indices))
        if is_gather and not _is_dense(table):
            self.differs = self.differs or "the table may be ragged, and so the batches"
        return Tensor(object())

    def join_strings(self, call: Call) -> Answer:
        parts = self.of(call.positional[0]) if call.positional else None
        if not isinstance(parts, Group):
            unknown("what `tf.strings.join` joins is not known")
        return self.combine(parts.items, "")

    def parse(self, call: Call) -> Answer:
        """`tf.io.parse_single_example(x, features)`, which is `parse_example` on a batch."""
        self.parsed += 1
        if self.parsed > 1:
            unsafe("it parses twice")
        record = self.first(call)
        if not isinstance(record, Component) or len(record.path) != 1 or record.changed or record.removed:
            unsafe(f"`{displayed(call.name)}` parses something else than the element")
        kinds = _feature_kinds(call.argument(1, "features"))
        if kinds is None:
            unknown("the features to parse are not known")
        if odd := sorted(kinds - _PARSED_ALIKE):
            unsafe(f"`tf.io.{odd[0]}` is parsed differently in batches")
        self.used.add(record.path)
        self.tensors.add(record.path)
        self.lines |= {_NUMBER, *_numbers(call.argument(1, "features"))}
        return Component(("parsed",), {})

    def csv(self, call: Call) -> Answer:
        shape = self.tensor(self.first(call)).shape
        self.lines.add(shape)
        return Columns(shape)

    def make_tuple(self, call: Call) -> Answer:
        match self.of(call.positional[0]) if len(call.positional) == 1 else None:
            case Columns(shape):
                return Group("tuple", (Tensor(shape),))
            case Group(kind="tuple" | "list", items=items):
                return Group("tuple", items)
        return unknown("a tuple is made of something that is not known")


class Call:
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


def is_whole_shape(value: Value | None, rest: int = 0) -> bool:
    """A shape of which every size is a number, but for `rest` of them, which is what is left."""
    sizes = value.items if isinstance(value, Sequence) and value.exact and value.rest is None else ()
    left = [s for s in sizes if not (_is_number(s) and s.value > 0)]
    return bool(sizes) and len(left) <= rest and all(s == Constant(-1) for s in left)


def _is_number(value: Value | None) -> TypeGuard[Constant]:
    return isinstance(value, Constant) and type(value.value) is int


def _is_dense(value: Value | None) -> bool:
    """Is it an array or a tensor for sure, rather than one that is ragged?"""
    match value:
        case Sequence():
            return True
        case External(symbol=symbol):
            return symbol.startswith(("numpy.", "tensorflow.random.")) or bool(known(symbol).made)
    return False


def _numbers(features: Value | None) -> Iterator[tuple[str, ...]]:
    """The components of a parsed example that are a number each: `FixedLenFeature([], …)`."""
    for name, made in features.items.items() if isinstance(features, Mapping_) else ():
        match made:
            case External(symbol=symbol, given=(Sequence(items=(), rest=None), *_)) if (
                last(symbol) == "FixedLenFeature"
            ):
                yield "parsed", name


def _feature_kinds(value: Value | None) -> set[str] | None:
    """The classes of the features in a specification, if all of it is known."""
    if not isinstance(value, Mapping_) or value.rest is not None or not value.items:
        return None
    made = [last(item.symbol) for item in value.items.values() if isinstance(item, External)]
    return set(made) if len(made) == len(value.items) else None


HANDLERS: Mapping[OnBatches, Callable[[Calls, Call], Answer]] = {
    "same": Calls.unary,
    "scalars": Calls.with_scalars,
    "cast": Calls.cast,
    "reshaped": Calls.reshaping,
    "shaped": Calls.shaped,
    "transposed": Calls.transposed,
    "rounded": Calls.approximate,
    **dict.fromkeys(("operands", "sum", "product", "power", "choice"), Calls.several),
    "image": Calls.image,
    "image_dtype": Calls.convert_image_dtype,
    **dict.fromkeys(("axis", "axis_rounded", "last_axis", "last_axis_rounded", "axis_of_list"), Calls.along_axis),
    "table": Calls.gather,
    "strings": Calls.join_strings,
    "rescaling": Calls.rescaling,
    "parse": Calls.parse,
    **dict.fromkeys(("codes", "tokens"), Calls.codes),
    "csv": Calls.csv,
    "tuple": Calls.make_tuple,
}
