"""What operators, items and attributes of tensors give, and functions that do the same."""

from __future__ import annotations

from collections.abc import Mapping

from tfdata_lint.pipeline.knowledge.rows import Known
from tfdata_lint.pipeline.nouns.results import (
    NUMBERS,
    OF_ARRAYS,
    Call,
    Reading,
    Rule,
    dtype_said,
    is_weak,
    literal_of,
    shape_said,
)
from tfdata_lint.pipeline.nouns.structure import (
    UNKNOWN,
    Dict_,
    Shape,
    Structure,
    Tensor,
    Tuple_,
    Unknown,
    dict_of,
    is_open,
    one_of,
    refined,
    scalar,
)
from tfdata_lint.pipeline.nouns.tensors import completed
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence, Slice, Symbol, Value

#: What true division makes of integers.
_QUOTIENTS = {"int8": "float32", "uint8": "float32", "int16": "float32", "uint16": "float32", "int32": "float64",
              "uint32": "float64", "int64": "float64", "uint64": "float64", "bool": ""}  # fmt: skip


# ---- items -----------------------------------------------------------------------------------------------------------


def _item(call: Call) -> Structure:
    """`x[key]`."""
    base, key = call.reading.of(call.at(0)), call.at(1)
    match base:
        case Dict_():
            return (base.get(key.value) if isinstance(key, Constant) else None) or UNKNOWN
        case Tuple_(items, names):
            if isinstance(key, Constant) and isinstance(key.value, int) and -len(items) <= key.value < len(items):
                return items[key.value]
            if isinstance(key, Slice) and not names and (bounds := _bounds(key)) is not None:
                return Tuple_(items[bounds])
            return UNKNOWN
        case Tensor(kind="dense" | "array"):
            keys = key.items if isinstance(key, Sequence) and key.kind == "tuple" and key.rest is None else (key,)
            return Tensor(base.dtype, _indexed(base.shape, keys, call.reading), base.kind)
    return UNKNOWN


def _bounds(key: Slice) -> slice | None:
    parts = [None if part is None else literal_of(part) for part in (key.lower, key.upper, key.step)]
    if all(part is None or isinstance(part, int) for part in parts) and parts[2] != 0:
        return slice(*parts)
    return None


def _indexed(shape: Shape, keys: tuple[Value, ...], reading: Reading) -> Shape:
    if shape is None:
        return None
    kinds = [_kind_of_key(key, reading) for key in keys]
    if "?" in kinds:
        return None
    taken = sum(kind in ("number", "slice") for kind in kinds)
    if taken > len(shape) or kinds.count("...") > 1:
        return None
    found: list[int | None] = []
    at = 0
    for key, kind in zip(keys, kinds, strict=True):
        if kind == "new":
            found.append(1)
        elif kind == "...":
            rest = len(shape) - taken
            found += shape[at : at + rest]
            at += rest
        else:
            if kind == "slice" and isinstance(key, Slice):
                found.append(_cut(shape[at], key))
            at += 1
    return (*found, *shape[at:])


def _kind_of_key(key: Value, reading: Reading) -> str:
    match key:
        case Slice():
            return "slice"
        case Constant(None) | Symbol("tensorflow.newaxis" | "numpy.newaxis"):
            return "new"
        case Constant(inner) if inner is ...:
            return "..."
        case Constant(bool()):
            return "?"
        case Constant(int()):
            return "number"
        case Expr():
            found = reading.tensor(key)
            if isinstance(found, Tensor) and found.shape == () and found.dtype in ("int32", "int64"):
                return "number"
    return "?"


def _cut(size: int | None, key: Slice) -> int | None:
    """What a slice leaves of a dimension."""
    bounds = _bounds(key)
    if bounds is None:
        return None
    if size is not None and not is_open(size):
        return len(range(*bounds.indices(size)))
    is_whole = bounds.start is None and bounds.stop is None and bounds.step in (None, 1, -1)
    return size if is_whole else None


def _unpacked(call: Call) -> Structure:
    """One of several names that a value is unpacked into."""
    base, number, count = call.reading.of(call.at(0)), literal_of(call.at(1)), literal_of(call.at(2))
    match base:
        case Tuple_(items):
            return items[number] if len(items) == count else UNKNOWN
        case Tensor(kind="dense" | "array", shape=shape):
            return Tensor(base.dtype, shape[1:] if shape else None, base.kind)
    return UNKNOWN


def _attribute(call: Call) -> Structure:
    base, name = call.reading.of(call.at(0)), literal_of(call.at(1))
    match base:
        case Tuple_(items, names) if name in names:
            return items[names.index(name)]
        case Tensor(kind="sparse" | "ragged") if name == "values":
            inner = (None,) if base.kind == "sparse" or base.rank == 2 else None
            return Tensor(base.dtype, inner)
    return UNKNOWN


def _set(call: Call) -> Structure:
    """A dict with one item more, or another one."""
    base, key = call.reading.of(call.at(0)), call.at(1)
    if isinstance(base, Dict_) and isinstance(key, Constant):
        return dict_of((*base.entries, (key.value, call.reading.of(call.at(2)))))
    return UNKNOWN


def _without(call: Call) -> Structure:
    base, key = call.reading.of(call.at(0)), call.at(1)
    if isinstance(base, Dict_) and isinstance(key, Constant):
        return Dict_(tuple([entry for entry in base.entries if entry[0] != key.value]))
    return UNKNOWN


def _got(call: Call) -> Structure:
    """`x.get(key)`."""
    base, key = call.reading.of(call.at(0)), call.at(1)
    return (base.get(key.value) if isinstance(base, Dict_) and isinstance(key, Constant) else None) or UNKNOWN


def _number(call: Call) -> Structure:
    """A number of Python; of a tensor AutoGraph makes one of the same shape."""
    dtype, base = NUMBERS[call.name], call.first
    is_number = call.name == "builtins.len" or is_weak(Expr(call.name, call.positional))
    return scalar(dtype) if is_number or (isinstance(base, Tensor) and base.shape == ()) else Tensor(dtype)


def _set_shape(call: Call) -> Structure:
    base, given = call.first, call.at(1)
    if not isinstance(base, Tensor):
        return UNKNOWN
    shape = refined(base.shape, shape_said(given, call.reading))
    if isinstance(given, Expr) and given.by in ("Element.get_shape", "attribute"):
        # Its own says nothing new: `x.set_shape(x.get_shape())`.
        return base.shaped(shape)
    # What is given may tell the number of dimensions, where it is not seen.
    return Tensor(base.dtype, shape, base.kind)


def _same(call: Call) -> Structure:
    tensor = call.first
    if isinstance(tensor, Unknown):
        return Tensor(call.row.dtype) if call.row.dtype else UNKNOWN
    # Of an array or a list it makes a tensor.
    tensor = Tensor(tensor.dtype, tensor.shape, "dense") if tensor.kind == "array" else tensor
    return tensor.typed(call.row.dtype) if call.row.dtype else tensor


def _typed(call: Call) -> Structure:
    tensor = call.first
    default = call.row.dtype or (tensor.dtype if isinstance(tensor, Tensor) else "")
    dtype = call.dtype(call.row.parameters[1], default)
    if isinstance(tensor, Unknown):
        return Tensor(dtype) if dtype else UNKNOWN
    return Tensor(dtype, tensor.shape, "dense" if tensor.kind == "array" else tensor.kind, tensor.unranked)


def _cast_array(call: Call) -> Structure:
    """`x.astype(dtype)`."""
    base = call.first
    return base.typed(dtype_said(call.at(1), OF_ARRAYS)) if isinstance(base, Tensor) else UNKNOWN


def _reshaped_array(call: Call) -> Structure:
    """`x.reshape(…)`, of an array."""
    base, sizes = call.first, call.positional[1:]
    if not isinstance(base, Tensor) or not sizes or call.named:
        return UNKNOWN
    value = sizes[0] if len(sizes) == 1 else Sequence("tuple", tuple(sizes))
    return base.shaped(completed(base.shape, value, call.reading))


def to_dense(call: Call) -> Structure:
    """`x.to_tensor()`, of a ragged one; a sparse one as a dense one."""
    base = call.first
    if isinstance(base, Tensor) and base.kind in ("sparse", "ragged"):
        shape = base.shape if base.kind == "sparse" or base.shape is None else (None,) * len(base.shape)
        return Tensor(base.dtype, shape)
    return UNKNOWN


# ---- arithmetic ------------------------------------------------------------------------------------------------------


def _operator(call: Call) -> Structure:
    values = call.at(0), call.at(1)
    if call.name == "Mult" and any(isinstance(value, Sequence) for value in values):
        sizes = [call.reading.tensor(value) for value in values]
        if any(isinstance(size, Tensor) and size.shape == () and "int" in size.dtype for size in sizes):
            # `[0] * len(paths)` has more rows, not larger ones.
            return UNKNOWN
    return _combined(call, call.at(0), call.at(1), call.name == "Div")


def _broadcast(call: Call) -> Structure:
    x, y = (call.value(parameter) for parameter in call.row.parameters[:2])
    return _combined(call, x, y, False)


def _divided(call: Call) -> Structure:
    return _combined(call, call.value("x"), call.value("y"), True)


def _combined(call: Call, left: Value | None, right: Value | None, divides: bool) -> Structure:
    """What an operator makes of two values."""
    one, other = call.reading.tensor(left), call.reading.tensor(right)
    operands = [(part, value) for part, value in ((one, left), (other, right)) if isinstance(part, Tensor)]
    if any(part.kind in ("sparse", "ragged") for part, _ in operands):
        return UNKNOWN
    shape = unranked = None
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        shape = broadcast(one.shape, other.shape)
        unranked = (one.unranked or other.unranked) and shape is None
    if call.row.dtype:
        return Tensor(call.row.dtype, shape, unranked=bool(unranked))
    tensors = [part for part, value in operands if part.kind == "dense" and not is_weak(value)]
    if tensors:
        dtypes = {part.dtype for part in tensors}
        # What is unknown may have operators of its own.
        dtype = dtypes.pop() if len(dtypes) == 1 and len(operands) == 2 else ""
        return Tensor(_QUOTIENTS.get(dtype, dtype) if divides else dtype, shape, unranked=bool(unranked))
    if len(operands) == 2:
        return Tensor(_dtype_of_arrays(operands, divides), shape, "array")
    return UNKNOWN


def _dtype_of_arrays(operands: list[tuple[Tensor, Value | None]], divides: bool) -> str:
    """What NumPy makes of two operands, one of which is an array: numbers of Python take its dtype, if they can."""
    arrays = [part.dtype for part, value in operands if not is_weak(value)]
    weak = [part.dtype for part, value in operands if is_weak(value)]
    if not arrays or len(set(arrays)) > 1:
        return ""
    dtype = arrays[0]
    is_float = dtype.startswith("float")
    if is_float:
        return dtype if all(part in ("int32", "int64", "float32") for part in weak) else ""
    if divides:
        return "float64" if dtype in ("uint8", "int32", "int64", "bool", "int16", "uint16") else ""
    if dtype in ("uint8", "int32", "int64", "uint16", "int16", "int8"):
        return dtype if all(part in ("int32", "int64") for part in weak) else "float64" if "float32" in weak else ""
    return ""


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an operation on two tensors."""
    if a == () or b == ():
        return b if a == () else a
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a, b = b, a
    rest = len(a) - len(b)
    return (*a[:rest], *map(_met, a[rest:], b))


def _met(one: int | None, other: int | None) -> int | None:
    if one == 1 or other == 1:
        return other if one == 1 else one
    if is_open(one):
        return other if not is_open(other) or one == other else None
    return one


def _compared(call: Call) -> Structure:
    call.row = Known(dtype="bool")
    return _combined(call, call.at(0), call.at(1), False)


def _absolute(call: Call) -> Structure:
    result = _same(call)
    if not isinstance(result, Tensor) or not result.dtype.startswith("complex"):
        return result
    return result.typed("float32" if result.dtype == "complex64" else "float64")


def _where(call: Call) -> Structure:
    if call.value("x") is None:
        condition = call.first
        rank = condition.rank if isinstance(condition, Tensor) else None
        return Tensor("int64", (None, rank))
    result = _combined(call, call.value("x"), call.value("y"), False)
    condition = call.reading.tensor(call.value("condition"))
    if not isinstance(result, Tensor) or not isinstance(condition, Tensor):
        return UNKNOWN
    return Tensor(result.dtype, broadcast(result.shape, condition.shape))


OPERATORS: Mapping[str, Rule] = {
    **dict.fromkeys(("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "BitAnd", "BitOr", "BitXor"), _operator),
    **dict.fromkeys(("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn", "Compare"), _compared),
    **dict.fromkeys(("USub", "UAdd", "Invert"), lambda call: call.first),
    "item": _item,
    "unpacked": _unpacked,
    "attribute": _attribute,
    "set": _set,
    "without": _without,
    "either": lambda call: one_of([call.reading.of(value) for value in call.positional]),
    "Element.get": _got,
    "Element.copy": lambda call: call.reading.of(call.at(0)),
    **dict.fromkeys(NUMBERS, _number),
    "builtins.abs": _absolute,
    "Element.set_shape": _set_shape,
    "Element.to_tensor": to_dense,
    "array.astype": _cast_array,
    "array.reshape": _reshaped_array,
}


RULES: Mapping[str, Rule] = {
    "same": _same,
    "typed": _typed,
    "absolute": _absolute,
    "broadcast": _broadcast,
    "divided": _divided,
    "where": _where,
    "dense": to_dense,
}
