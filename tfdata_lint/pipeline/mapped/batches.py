"""May a mapped function run on whole batches instead of single elements?

The function's own text is evaluated once more, with values that say how an expression relates to the element: has it
the element's shape, is it a scalar, is it a dict of components? A verdict other than *unsafe* and *unknown* is a proof
by lists of operations measured on TensorFlow and by these rules:

- A scalar and a component, or a component with itself, may be combined; two components may not: their ranks may differ.
- On scalar elements TensorFlow folds two products (or two sums) with constants into one, which rounds differently; on
  batches it does not (measured). Such chains are equal to rounding only.
- A component that is dropped would be batched as well; that is said beside the verdict.
- A constant in the result has no batch dimension of its own; a list inside of the result is stacked (the result itself
  may be a list: it counts as a tuple).

The bits of NaN and the sign of zero are not counted: `tf.nn.relu` and `tf.clip_by_value` differ in them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeAlias

from tfdata_lint.pipeline.knowledge.functions import CAST_ALIKE, known
from tfdata_lint.pipeline.knowledge.kinds import BatchSafety, EffectKind, OnBatches
from tfdata_lint.pipeline.knowledge.names import displayed, last
from tfdata_lint.pipeline.mapped.record import Body, holds_element
from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Constant,
    Element,
    External,
    Mapping_,
    Sequence,
    Symbol,
    Value,
)
from tfdata_lint.source.trees import children

#: Expressions nested deeper than this are not looked at.
_MAX_DEPTH = 60


def batch_safety(body: Body, effects: tuple[Effect, ...], resolved: bool) -> tuple[BatchSafety, str]:
    """The verdict, and why not in a few words.

    Beside *elementwise* and *shape-bound* the words name what the function drops, if it drops anything.
    """
    for effect in effects:
        if effect.kind in _EFFECTS:
            return "unsafe", f"`{effect.what}` {_EFFECTS[effect.kind]}"
    if not resolved:
        return "unknown", "not everything in it is known"
    try:
        evaluation = _Evaluation(body)
        evaluation.check_result(evaluation.run())
        evaluation.check_dropped()
    except _Refused as refusal:
        return refusal.verdict, refusal.reason
    return evaluation.verdict()


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


# ---- values -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tensor:
    """A tensor made from the element, row by row. Equal `shape`s are equal shapes."""

    shape: Any
    folds: frozenset[str] = frozenset()
    """What the last operation was, if a further one may be folded with it: a product (`*`) or a sum (`+`)."""


@dataclass(slots=True)
class _Component:
    """The element or a part of it: a tensor, or a dict of parts, which only its use tells."""

    path: tuple[str, ...]
    changed: dict[str, _Result] = field(default_factory=dict)
    """Items set, in a dict."""
    parts: dict[str, _Component] = field(default_factory=dict)
    """Items read, in a dict."""
    removed: set[str] = field(default_factory=set)

    def copy(self) -> _Component:
        return replace(self, changed=dict(self.changed), parts=dict(self.parts), removed=set(self.removed))


@dataclass(frozen=True, slots=True)
class _Scalar:
    """A constant without dimensions; `value` is `...` where it is not known."""

    value: Any = ...


@dataclass(frozen=True, slots=True)
class _Static:
    """Something that does not depend on the element and is no scalar for sure: a table, a dtype, an array."""

    text: str
    known: bool = True
    """False: it might be a scalar after all."""


@dataclass(frozen=True, slots=True)
class _Group:
    """A tuple, list or dict made by the function."""

    kind: str
    items: tuple[_Result, ...]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Columns:
    """What `tf.io.decode_csv` returns: a list of unknown length of tensors of one shape."""

    shape: Any


_Result: TypeAlias = "_Tensor | _Component | _Scalar | _Static | _Group | _Columns"


#: What TensorFlow may fold with a further operation of the kind.
_FOLDING = {"sum": "+", "product": "*", "power": "*"}
#: Features whose values are the same from `parse_example`.
_PARSED_ALIKE = {"FixedLenFeature", "VarLenFeature"}


# ---- evaluation ---------------------------------------------------------------------------------------------------


class _Evaluation:
    """One reading of a function's text."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.calls = {id(call.node): call for call in body.calls if not call.helper}
        self.locals: dict[str, _Result] = {}
        self.parameters: dict[str, _Result] = {}
        self.required: list[str] = []
        """The parameters that are elements, whether they are read or not."""
        self.depth = 0
        self.rounds = ""
        self.folded = False
        self.differs = ""
        """Why what comes out may differ in more than rounding."""
        self.needs_shape = False
        self.dropped = ""
        self.parsed = 0
        self.used: set[tuple[str, ...]] = set()
        """The components that the result is made of."""
        self.removed: set[tuple[str, ...]] = set()
        """The items that were removed from dicts in the result."""

    def verdict(self) -> tuple[BatchSafety, str]:
        if self.needs_shape + bool(self.parsed) + bool(self.rounds or self.differs) > 1:
            return "unknown", "it needs both equal shapes and a tolerance for rounding"
        if self.needs_shape:
            return "shape-bound", self.dropped
        if self.parsed:
            return ("parse", "") if not self.folded else ("unknown", "it parses and rounds")
        if self.differs:
            return "approximate", self.differs
        if self.rounds:
            return "approximate", f"`{self.rounds}` is equal to rounding only"
        if self.folded:
            return "approximate", "a chain of constants is folded on scalars, which is equal to rounding only"
        return "elementwise", self.dropped

    # ---- statements

    def run(self) -> _Result:
        """The value that the function returns."""
        node = self.body.node
        if self.body.is_wrapped:
            _unknown("what is around it may do more, or not take batches")
        if node is None:
            return self.library_function()
        self.bind(node.args)
        if isinstance(node, ast.Lambda):
            return self.evaluate(node.body)
        if isinstance(node, ast.AsyncFunctionDef):
            _unknown("it is asynchronous")
        for statement in node.body:
            match statement:
                case ast.Return(value=None):
                    _unknown("it returns nothing")
                case ast.Return(value=ast.expr() as value):
                    if statement is not node.body[-1]:
                        _unknown("it returns early")
                    return self.evaluate(value)
            self.execute(statement)
        _unknown("it returns nothing")

    def execute(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, self.evaluate(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self.assign(target, self.operate(op, self.evaluate(target), self.evaluate(value)))
            case ast.Expr(value=ast.Call() as call):
                self.evaluate(call)
                if not (isinstance(call.func, ast.Attribute) and call.func.attr == "pop"):
                    _unknown(f"`{_short(call)}` is called for its effect")
            case ast.Delete(targets=[ast.Subscript(value=container, slice=ast.Constant(value=str(key)))]):
                base = self.evaluate(container)
                if not isinstance(base, _Component):
                    _unknown(f"`{_short(statement)}` is not understood")
                base.removed.add(key)
            case ast.If() | ast.Match():
                _unknown("it branches")
            case ast.For() | ast.While():
                _unknown("it has a loop")
            case _:
                _unknown("it has statements other than assignments")

    def assign(self, target: ast.expr, value: _Result) -> None:
        match target:
            case ast.Name(id=name):
                self.locals[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for part, item in zip(targets, self.unpack(value, len(targets)), strict=True):
                    if isinstance(part, ast.Starred):
                        _unknown("it unpacks with a star")
                    self.assign(part, item)
            case ast.Subscript(value=container, slice=ast.Constant(value=str(key))):
                base = self.evaluate(container)
                if not isinstance(base, _Component) or base is value:
                    _unknown(f"`{_short(target)}` is assigned")
                base.changed[key] = value
                base.removed.discard(key)
            case _:
                _unknown(f"`{_short(target)}` is assigned")

    def unpack(self, value: _Result, count: int) -> list[_Result]:
        match value:
            case _Group(kind=kind, items=items) if kind != "dict" and len(items) == count:
                return list(items)
            case _Columns(shape):
                return [_Tensor(shape)] * count
        _unknown("it unpacks something that is not known")

    def bind(self, spec: ast.arguments) -> None:
        for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            self.parameters[parameter.arg] = _Component((parameter.arg,))
        positional = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
        self.required = positional[: len(positional) - len(spec.defaults)]
        if self.required[:1] in (["self"], ["cls"]):
            del self.required[0]
        if spec.vararg is not None or spec.kwarg is not None:
            _unknown("it takes any number of arguments")

    # ---- expressions

    def evaluate(self, node: ast.expr) -> _Result:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            _unknown("it is nested too deeply")
        # A refusal ends it all: nobody asks for the depth then.
        value = self._evaluate(node)
        self.depth -= 1
        return value

    def _evaluate(self, node: ast.expr) -> _Result:
        match node:
            case ast.Constant(value=value):
                return _constant(value)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Attribute():
                return self.attribute(node)
            case ast.BinOp(left=left, op=op, right=right):
                return self.operate(op, self.evaluate(left), self.evaluate(right))
            case ast.UnaryOp(op=op, operand=operand):
                return self.negate(op, self.evaluate(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                operands = self.evaluate(left), self.evaluate(right)
                if isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
                    _unknown("it tests for identity or membership")
                return self.combine(operands, "")
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if any(isinstance(part, ast.Starred) for part in parts):
                    _unknown("it unpacks with a star")
                return _Group(type(node).__name__.lower(), tuple(self.evaluate(part) for part in parts))
            case ast.Dict():
                return self.dictionary(node)
            case ast.Subscript(value=container, slice=key):
                return self.subscript(node, self.evaluate(container), key)
            case ast.Call():
                return self.call(node)
            case ast.IfExp() | ast.BoolOp():
                _unknown("it branches")
        _unknown(f"`{_short(node)}` is not understood")

    def name(self, node: ast.Name, name: str) -> _Result:
        if name in self.locals:
            return self.locals[name]
        value = self.body.constants.get(id(node))
        if name in self.parameters and isinstance(value, Element):
            return self.parameters[name]
        if name in self.required:
            self.required.remove(name)
        return _outer(value, name)

    def attribute(self, node: ast.Attribute) -> _Result:
        root: ast.expr = node
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        known = self.body.constants.get(id(node))
        if known is not None and not isinstance(known, Element):
            return _outer(known, _short(node))
        if not isinstance(root, ast.Name) or (root.id not in self.locals and root.id not in self.parameters):
            if isinstance(root, ast.Call):
                self.evaluate(root)
            return _outer(known, _short(node))
        base = self.evaluate(node.value)
        if node.attr == "dtype":
            return _Static(_short(node))
        if isinstance(base, (_Tensor, _Component)):
            _unsafe(f"`.{node.attr}` sees the batch dimension")
        return _Static(_short(node), known=False)

    def dictionary(self, node: ast.Dict) -> _Result:
        """A new dict, or `{**features, "a": …}`."""
        base: _Component | None = None
        keys: list[str] = []
        items: list[_Result] = []
        for key, value in zip(node.keys, node.values, strict=True):
            item = self.evaluate(value)
            if key is None:
                if base is not None or keys or not isinstance(item, _Component):
                    _unknown("it merges dicts")
                base = item.copy()
                continue
            name = self.key(key)
            if name is None:
                _unknown("a key is not known")
            if base is not None:
                base.changed[name] = item
            else:
                keys.append(name)
                items.append(item)
        return base if base is not None else _Group("dict", tuple(items), tuple(keys))

    def key(self, node: ast.expr) -> str | None:
        """A string that is known."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)):
            value = self.evaluate(node)
            if isinstance(value, _Scalar) and isinstance(value.value, str):
                return value.value
        return None

    def subscript(self, node: ast.Subscript, container: _Result, key: ast.expr) -> _Result:
        name = self.key(key)
        match container:
            case _Component():
                return self.item(container, name) if name is not None else self.view(node, container, key)
            case _Tensor():
                return self.view(node, container, key)
            case _Group(kind="dict", items=items, keys=keys) if name in keys:
                return items[keys.index(name)]
            case _Group(kind="tuple" | "list", items=items):
                position = _index(key)
                if position is not None and -len(items) <= position < len(items):
                    return items[position]
            case _Columns(shape):
                if isinstance(key, ast.Slice):
                    return container
                if _index(key) is not None:
                    return _Tensor(shape)
            case _Static() | _Scalar():
                return _Static(_short(node), known=False)
        _unknown(f"`{_short(node)}` is not understood")

    def item(self, container: _Component, key: str) -> _Result:
        if key in container.removed:
            _unknown(f'"{key}" was removed')
        if key in container.changed:
            return container.changed[key]
        return container.parts.setdefault(key, _Component((*container.path, key)))

    def view(self, node: ast.Subscript, container: _Tensor | _Component, key: ast.expr) -> _Result:
        """`x[..., 0]`, `x[..., None]`: the same from the right, whatever the rank."""
        parts = key.elts if isinstance(key, ast.Tuple) else [key]
        first = parts[0] if parts else None
        if not isinstance(first, ast.Constant) or first.value is not ...:
            if isinstance(key, (ast.Name, ast.Attribute, ast.Call)) and self.is_static(key):
                _unknown(f"`{_short(key)}` is not known")
            _unsafe(f"`{_short(node)}` is taken from the batch dimension")
        if not all(self.is_static(part) for part in parts[1:]):
            _unsafe(f"`{_short(node)}` is taken by the element")
        tensor = self.tensor(container)
        return _Tensor(object(), tensor.folds)

    def operate(self, op: ast.operator, left: _Result, right: _Result) -> _Result:
        if isinstance(op, (ast.MatMult, ast.LShift, ast.RShift)):
            _unsafe("a matrix product depends on the element's rank")
        if isinstance(op, ast.Pow):
            return self.power(left, right)
        kind = "+" if isinstance(op, ast.Add) else "*" if isinstance(op, ast.Mult) else ""
        return self.combine((left, right), kind)

    def power(self, left: _Result, right: _Result) -> _Result:
        result = self.combine((left, right), "*")
        if isinstance(result, _Tensor) and (not isinstance(right, _Scalar) or right.value not in (1, 2)):
            self.rounds = self.rounds or "**"
        return result

    def negate(self, op: ast.unaryop, value: _Result) -> _Result:
        if isinstance(op, ast.Not):
            _unknown("`not` is applied to a tensor")
        if isinstance(value, _Scalar):
            is_number = isinstance(op, ast.USub) and isinstance(value.value, (int, float))
            return _Scalar(-value.value) if is_number else _Scalar()
        return self.tensor(value)

    def combine(self, operands: Iterable[_Result], kind: str) -> _Result:
        """Broadcast operands against one another: scalars and tensors of one shape only."""
        tensors: list[_Tensor] = []
        scalars: list[_Scalar] = []
        for operand in operands:
            match operand:
                case _Scalar(value) if value is not None:
                    scalars.append(operand)
                case _Tensor() | _Component():
                    tensors.append(self.tensor(operand))
                case _Static(text, known):
                    if known:
                        _unsafe(f"`{text}` is not a scalar")
                    _unknown(f"`{text}` is not known to be a scalar")
                case _Group() | _Columns():
                    _unsafe("a list of values is no scalar")
                case _:
                    _unknown("an operand is not understood")
        if not tensors:
            return _Scalar()
        if len({tensor.shape for tensor in tensors}) > 1:
            _unsafe("two components are combined, whose shapes may differ")
        return _Tensor(tensors[0].shape, self.fold(tensors, scalars, kind))

    def fold(self, tensors: list[_Tensor], scalars: list[_Scalar], kind: str) -> frozenset[str]:
        """Note when arithmetic may be folded with what was done before; give what may be folded with it."""
        if not kind or any(isinstance(scalar.value, (str, bytes)) for scalar in scalars):
            return frozenset()
        products = sum("*" in tensor.folds for tensor in tensors)
        if any(kind in tensor.folds for tensor in tensors) or (kind == "+" and products > 1):
            self.folded = True
        return frozenset(kind)

    def tensor(self, value: _Result) -> _Tensor:
        """A value used as a tensor made from the element."""
        match value:
            case _Tensor():
                return value
            case _Component(path=path, changed=changed, parts=parts, removed=removed):
                if changed or parts or removed:
                    _unknown("a dict is used as a tensor")
                self.used.add(path)
                return _Tensor(path)
        _unknown("an argument is not understood")

    # ---- calls

    def call(self, node: ast.Call) -> _Result:
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("pop", "copy"):
            found = self.dict_method(node, node.func)
            if found is not None:
                return found
        name = self.body.names.get(id(node), "") or self.builtin(node)
        if any(keyword.arg is None for keyword in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
            _unknown(f"`{displayed(name)}` is called with `*`")
        return _HANDLERS[known(name).batches](self, node, name)

    def builtin(self, node: ast.Call) -> str:
        """The name of a builtin that the interpreter works out without noting the call."""
        if isinstance(node.func, ast.Name) and node.func.id in ("tuple", "dict", "float", "int"):
            known = node.func.id in self.locals or node.func.id in self.parameters
            if not known and id(node.func) not in self.body.constants:
                return f"builtins.{node.func.id}"
        _unknown(f"`{_short(node.func)}` is not followed")

    def dict_method(self, node: ast.Call, method: ast.Attribute) -> _Result | None:
        """`features.pop("label")`, `features.copy()`."""
        base = self.evaluate(method.value)
        if not isinstance(base, _Component):
            return None
        if method.attr == "copy" and not node.args:
            return base.copy()
        key = self.key(node.args[0]) if len(node.args) == 1 and not node.keywords else None
        if key is None or method.attr == "copy":
            _unknown(f"`{_short(node)}` is not understood")
        value = self.item(base, key)
        base.changed.pop(key, None)
        base.removed.add(key)
        return value

    def operands(self, node: ast.Call) -> Iterator[ast.expr]:
        """The arguments in the order written, `name=` left out."""
        yield from node.args
        yield from (keyword.value for keyword in node.keywords if keyword.arg not in ("name", "Tout"))

    def argument(self, node: ast.Call, name: str) -> _Result:
        """The argument that is the tensor: the first, or by keyword; the others must not depend on the element."""
        arguments = list(self.operands(node))
        if not node.args:
            arguments.sort(key=self.is_static)
        if not arguments:
            _unknown(f"`{displayed(name)}` has no argument")
        for other in arguments[1:]:
            if not self.is_static(other):
                _unsafe(f"`{displayed(name)}` is set by the element")
        return self.evaluate(arguments[0])

    def unary(self, node: ast.Call, name: str) -> _Result:
        value = self.argument(node, name)
        return _Scalar() if isinstance(value, _Scalar) else self.tensor(value)

    def cast(self, node: ast.Call, name: str) -> _Result:
        value = self.unary(node, name)
        dtype = _argument(node, 1, "dtype")
        known = Constant(dtype.value) if isinstance(dtype, ast.Constant) else self.body.constants.get(id(dtype))
        kind = last(known.name) if isinstance(known, Symbol) else known.value if isinstance(known, Constant) else ""
        is_own = dtype is not None and bool(node.args) and _short(dtype) == f"{_short(node.args[0])}.dtype"
        if isinstance(value, _Tensor) and kind not in CAST_ALIKE and not is_own:
            self.differs = self.differs or "a float that does not fit is cast to another integer in a batch"
        return value

    def with_scalars(self, node: ast.Call, name: str) -> _Result:
        """`tf.strings.substr(x, 0, 3)`: the further arguments would broadcast, so they must be scalars."""
        for other in list(self.operands(node))[1:]:
            if not isinstance(self.evaluate(other), _Scalar):
                _unsafe(f"`{_short(other)}` is not known to be a scalar")
        return self.unary(node, name)

    def reshaping(self, node: ast.Call, name: str) -> _Result:
        if last(name) == "one_hot" and _argument(node, 4, "axis") is not None:
            _unsafe("`tf.one_hot` with an axis depends on the element's rank")
        self.tensor(self.argument(node, name))
        return _Tensor(object())

    def approximate(self, node: ast.Call, name: str) -> _Result:
        value = self.unary(node, name)
        if isinstance(value, _Tensor):
            self.rounds = self.rounds or displayed(name)
            return _Tensor(value.shape)
        return value

    def several(self, node: ast.Call, name: str) -> _Result:
        values = [self.evaluate(argument) for argument in self.operands(node)]
        kind = known(name).batches
        if kind == "choice" and len(values) != 3:
            _unsafe("`tf.where` with one argument gives positions in the batch")
        if kind == "power" and len(values) == 2:
            return self.power(values[0], values[1])
        return self.combine(values, _FOLDING.get(kind, ""))

    def image(self, node: ast.Call, name: str) -> _Result:
        self.tensor(self.argument(node, name))
        self.needs_shape = True
        return _Tensor(object())

    def convert_image_dtype(self, node: ast.Call, name: str) -> _Result:
        value = self.tensor(self.argument(node, name))
        dtype = _argument(node, 1, "dtype")
        if dtype is None or "float" not in _short(dtype):
            self.rounds = self.rounds or displayed(name)
        self.folded = self.folded or "*" in value.folds
        return _Tensor(value.shape, frozenset("*"))

    def rescaling(self, node: ast.Call, name: str) -> _Result:
        """`tf.keras.layers.Rescaling(scale, offset)(x)` where both are scalars."""
        made: tuple[Value, ...] = ()
        if isinstance(node.func, ast.Call) and (inner := self.calls.get(id(node.func))) is not None:
            made = inner.arguments
        elif isinstance(layer := self.body.constants.get(id(node.func)), External):
            made = (*layer.arguments, *layer.keywords.values())
        if not made or not all(isinstance(value, Constant) for value in made):
            _unknown("the scale of `tf.keras.layers.Rescaling` is not known")
        value = self.tensor(self.argument(node, name))
        self.folded = self.folded or bool(value.folds)
        return _Tensor(value.shape, frozenset("*+"))

    def along_axis(self, node: ast.Call, name: str) -> _Result:
        kind = known(name).batches
        axis = _argument(node, 1, "axis")
        if not (kind.startswith("last_axis") if axis is None else self.is_negative(axis)):
            _unsafe_or_unknown(name)
        values = [self.argument(node, name)]
        if kind == "axis_of_list":
            if not isinstance(values[0], (_Group, _Columns)):
                _unsafe_or_unknown(name)
            values = list(values[0].items) if isinstance(values[0], _Group) else [_Tensor(values[0].shape)]
        tensors = [self.tensor(value) for value in values]
        if kind.endswith("_rounded"):
            self.rounds = self.rounds or displayed(name)
        return _Tensor(object(), frozenset().union(*(tensor.folds for tensor in tensors)))

    def is_negative(self, node: ast.expr) -> bool:
        """A negative integer, or several."""
        value = self.evaluate(node)
        items = value.items if isinstance(value, _Group) else (value,)
        return bool(items) and all(
            isinstance(item, _Scalar) and isinstance(item.value, int) and item.value < 0 for item in items
        )

    def gather(self, node: ast.Call, name: str) -> _Result:
        """`tf.gather(table, x)`: a table from outside, indexed by the element."""
        table = _argument(node, 0, "params")
        indices = _argument(node, 1, "indices" if last(name) == "gather" else "ids")
        if table is None or indices is None or len(list(self.operands(node))) != 2 or not self.is_static(table):
            _unsafe(f"`{displayed(name)}` takes from the element")
        self.tensor(self.evaluate(indices))
        is_written = isinstance(table, (ast.List, ast.Tuple))
        if last(name) == "gather" and not is_written and not _is_dense(self.body.constants.get(id(table))):
            self.differs = self.differs or f"`{_short(table)}` may be ragged, and so the batches"
        return _Tensor(object())

    def join_strings(self, node: ast.Call, name: str) -> _Result:
        parts = self.evaluate(node.args[0]) if node.args else None
        if not isinstance(parts, _Group):
            _unknown("what `tf.strings.join` joins is not known")
        return self.combine(parts.items, "")

    def parse(self, node: ast.Call, name: str) -> _Result:
        """`tf.io.parse_single_example(x, features)`, which is `parse_example` on a batch."""
        self.parsed += 1
        if self.parsed > 1:
            _unsafe("it parses twice")
        record = self.argument(node, name)
        if not isinstance(record, _Component) or len(record.path) != 1 or record.changed or record.parts:
            _unsafe(f"`{displayed(name)}` parses something else than the element")
        call = self.calls.get(id(node))
        kinds = _feature_kinds(call.argument(1, "features") if call is not None else None)
        if kinds is None:
            _unknown("the features to parse are not known")
        if odd := sorted(kinds - _PARSED_ALIKE):
            _unsafe(f"`tf.io.{odd[0]}` is parsed differently in batches")
        self.used.add(record.path)
        return _Component(("parsed",))

    def csv(self, node: ast.Call, name: str) -> _Result:
        return _Columns(self.tensor(self.argument(node, name)).shape)

    def make_tuple(self, node: ast.Call, name: str) -> _Result:
        match self.evaluate(node.args[0]) if len(node.args) == 1 else None:
            case _Columns(shape):
                return _Group("tuple", (_Tensor(shape),))
            case _Group(kind="tuple" | "list", items=items):
                return _Group("tuple", items)
        _unknown("a tuple is made of something that is not known")

    def make_dict(self, node: ast.Call, name: str) -> _Result:
        base = self.evaluate(node.args[0]) if len(node.args) == 1 else None
        given = [(keyword.arg or "", self.evaluate(keyword.value)) for keyword in node.keywords]
        if isinstance(base, _Component):
            copy = base.copy()
            copy.changed.update(given)
            return copy
        if node.args:
            _unknown("a dict is made of something that is not known")
        return _Group("dict", tuple(value for _, value in given), tuple(key for key, _ in given))

    def constant(self, node: ast.Call, name: str) -> _Result:
        """A call on what does not depend on the element: `tf.constant(5)` is a scalar, `tf.constant([…])` is not."""
        if not self.is_static(node):
            _unsafe_or_unknown(name)
        call = self.calls.get(id(node))
        if call is not None:
            return _made(name, call.positional, call.keywords, _short(node))
        if known(name).made == "scalar" and len(node.args) == 1:
            value = self.evaluate(node.args[0])
            return _Scalar() if isinstance(value, _Scalar) else _Static(_short(node), known=False)
        return _Static(_short(node), known=False)

    def is_static(self, node: ast.expr) -> bool:
        """Nothing of the element is in an expression, dtypes aside."""
        todo: list[ast.AST] = [node]
        while todo:
            part = todo.pop()
            if isinstance(part, ast.Attribute) and part.attr == "dtype":
                continue
            if isinstance(part, ast.Name):
                if part.id in self.locals:
                    if not _is_constant(self.locals[part.id]):
                        return False
                elif isinstance(self.body.constants.get(id(part)), Element):
                    return False
            if isinstance(part, ast.Lambda):
                return False
            todo.extend(children(part))
        return True

    # ---- the ends

    def library_function(self) -> _Result:
        """A library function given as it is: `ds.map(tf.abs)`."""
        call = self.body.calls[0] if len(self.body.calls) == 1 else None
        if call is None:
            _unknown("it is not known")
        name = call.name
        given = [value for value in call.arguments if holds_element(value)]
        if len(given) != 1 or not call.positional or not isinstance(call.positional[0], Element):
            _unsafe_or_unknown(name)
        kind = known(name).batches
        if kind not in ("rounded", "image", "same", "reshaped") or (kind == "reshaped" and "axis" in call.keywords):
            _unsafe_or_unknown(name)
        self.rounds = displayed(name) if kind == "rounded" else ""
        self.needs_shape = kind == "image"
        return _Tensor(object())

    def check_result(self, value: _Result, depth: int = 0) -> None:
        """Everything that is returned must have a row for each element."""
        if depth > 8:
            _unknown("its result is nested too deeply")
        match value:
            case _Component(path=path, changed=changed, parts=parts, removed=removed):
                self.used.add(path)
                self.removed |= {(*path, key) for key in removed}
                kept = [part for key, part in parts.items() if key not in changed and key not in removed]
                for item in (*changed.values(), *kept):
                    self.check_result(item, depth + 1)
            case _Group(kind="list") | _Columns() if depth:
                _unsafe("a list in the result is stacked into one tensor")
            case _Group(items=items) if items:
                for item in items:
                    self.check_result(item, depth + 1)
            case _Static(text, known=False):
                _unknown(f"`{text}` is not known")
            case _Group() | _Static() | _Scalar():
                _unsafe("a constant in the result has no batch dimension")

    def check_dropped(self) -> None:
        """What the function leaves out would be batched too, which fails if its shape varies."""
        wanted = {(name,) for name in self.required} | self.removed
        if left := sorted(wanted - self.used):
            is_partly_used = any(path[: len(left[0])] == left[0] for path in self.used)
            what = (
                f"what it leaves out of `{left[0][0]}`" if is_partly_used else f"`{'.'.join(left[0])}`, which it drops,"
            )
            self.dropped = f"{what} would be batched too"


def _unsafe_or_unknown(name: str) -> NoReturn:
    """Refuse a call by what is known of it."""
    if why := known(name).why_not:
        _unsafe(f"`{displayed(name)}` {why}")
    _unknown(f"`{displayed(name)}` is not known")


def _is_constant(value: _Result) -> bool:
    """Does a value not depend on the element?"""
    if isinstance(value, _Group):
        return all(_is_constant(item) for item in value.items)
    return isinstance(value, (_Scalar, _Static))


def _constant(value: object) -> _Result:
    if isinstance(value, (bool, int, float, str, bytes)):
        return _Scalar(value)
    return _Static(repr(value))


def _outer(value: Value | None, text: str) -> _Result:
    """A value from outside of the function."""
    match value:
        case Constant(inner):
            return _constant(inner) if inner is not None else _Static(text)
        case Symbol(name):
            return _Scalar() if known(name).made == "number" else _Static(text)
        case Sequence() | Mapping_():
            return _Static(text)
        case Alternatives(branches=branches):
            if all(isinstance(b.value, Constant) and b.value.value is not None for b in branches):
                return _Scalar()
        case External(symbol=symbol, arguments=arguments, keywords=keywords):
            return _made(symbol, arguments, keywords, text)
    return _Static(text, known=False)


def _made(name: str, arguments: tuple[Value, ...], keywords: Mapping[str, Value], text: str) -> _Result:
    """What a library call makes of arguments that do not depend on the element."""
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


def _index(node: ast.expr) -> int | None:
    """A literal integer index."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _index(node.operand)
        return -inner if inner is not None else None
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _argument(node: ast.Call, position: int, name: str) -> ast.expr | None:
    if position < len(node.args):
        return node.args[position]
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def _short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 40 else text[:37] + "..."


_HANDLERS: Mapping[OnBatches, Callable[[_Evaluation, ast.Call, str], _Result]] = {
    "": _Evaluation.constant,
    "same": _Evaluation.unary,
    "scalars": _Evaluation.with_scalars,
    "cast": _Evaluation.cast,
    "reshaped": _Evaluation.reshaping,
    "rounded": _Evaluation.approximate,
    **dict.fromkeys(("operands", "sum", "product", "power", "choice"), _Evaluation.several),
    "image": _Evaluation.image,
    "image_dtype": _Evaluation.convert_image_dtype,
    **dict.fromkeys(("axis", "axis_rounded", "last_axis", "last_axis_rounded", "axis_of_list"), _Evaluation.along_axis),
    "table": _Evaluation.gather,
    "strings": _Evaluation.join_strings,
    "rescaling": _Evaluation.rescaling,
    "parse": _Evaluation.parse,
    "csv": _Evaluation.csv,
    "tuple": _Evaluation.make_tuple,
    "dict": _Evaluation.make_dict,
}
