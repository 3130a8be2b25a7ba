"""Items, arithmetic, shapes: what functions of tensors give.

A rule that is not sure of a dimension says None, of a rank or a dtype nothing, and of anything else `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tfdata_lint.pipeline.knowledge.functions import Known
from tfdata_lint.pipeline.nouns.results import (
    OF_ARRAYS,
    Call,
    Reading,
    Rule,
    agreed,
    dtype_said,
    is_weak,
    literal_of,
    shape_said,
    size_of,
    size_said,
    stacked,
)
from tfdata_lint.pipeline.nouns.structure import (
    UNKNOWN,
    Dict_,
    Nested,
    Shape,
    Structure,
    Tensor,
    Tuple_,
    Unknown,
    batched,
    dict_of,
    is_open,
    one_of,
    refined,
    scalar,
)
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


def _updated(call: Call) -> Structure:
    base = call.reading.of(call.at(0))
    further = call.reading.of(call.at(1)) if len(call.positional) > 1 else Dict_(())
    if not isinstance(base, Dict_) or not isinstance(further, Dict_):
        return UNKNOWN
    named = [(key, call.reading.of(value)) for key, value in call.named.items()]
    return dict_of((*base.entries, *further.entries, *named))


def _got(call: Call) -> Structure:
    """`x.get(key)`."""
    base, key = call.reading.of(call.at(0)), call.at(1)
    return (base.get(key.value) if isinstance(base, Dict_) and isinstance(key, Constant) else None) or UNKNOWN


def _set_shape(call: Call) -> Structure:
    base, shape = call.first, shape_said(call.at(1), call.reading)
    return base.shaped(refined(base.shape, shape)) if isinstance(base, Tensor) else UNKNOWN


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
    return base.shaped(_completed(base.shape, value, call.reading))


def to_dense(call: Call) -> Structure:
    """`x.to_tensor()`, of a ragged one; a sparse one as a dense one."""
    base = call.first
    if isinstance(base, Tensor) and base.kind in ("sparse", "ragged"):
        shape = base.shape if base.kind == "sparse" or base.shape is None else (None,) * len(base.shape)
        return Tensor(base.dtype, shape)
    return UNKNOWN


def _of_dataset(change: Callable[[Structure, Call], Structure]) -> Callable[[Call], Structure]:
    """A method of a dataset that is (part of) an element."""

    def rule(call: Call) -> Structure:
        base = call.reading.of(call.at(0))
        return Nested(change(base.element, call)) if isinstance(base, Nested) else UNKNOWN

    return rule


def _single(call: Call) -> Structure:
    base = call.reading.of(call.at(0))
    return base.element if isinstance(base, Nested) else UNKNOWN


def _batched_inside(element: Structure, call: Call) -> Structure:
    size = call.named.get("batch_size", call.at(1))
    drop = call.named.get("drop_remainder", call.at(2))
    return batched(element, size_said(size), drop == Constant(True))


# ---- arithmetic ------------------------------------------------------------------------------------------------------


def _operator(call: Call) -> Structure:
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
    is_complex = isinstance(result, Tensor) and result.dtype.startswith("complex")
    return result.typed("") if is_complex and isinstance(result, Tensor) else result


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


# ---- shapes ----------------------------------------------------------------------------------------------------------


def usual(call: Call) -> Tensor | None:
    """The first argument, where it is a tensor as usual."""
    tensor = call.first
    if isinstance(tensor, Tensor) and tensor.kind in ("dense", "array"):
        return Tensor(tensor.dtype, tensor.shape, "dense", tensor.unranked)
    return None


def dtype_alone(call: Call) -> Tensor:
    """A tensor of the dtype of the first argument, of which no more is known."""
    tensor = usual(call)
    return Tensor(call.row.dtype or (tensor.dtype if tensor else ""))


def _completed(shape: Shape, value: Value | None, reading: Reading) -> Shape:
    """The shape that `reshape` gives: a -1 in it stands for what is left."""
    said = shape_said(value, reading)
    if said is None or not isinstance(value, Sequence):
        return said
    open_places = [place for place, size in enumerate(said) if size is None]
    is_rest = len(open_places) == 1 and value.items[open_places[0]] == Constant(-1)
    if is_rest and shape is not None and all(size is not None and not is_open(size) for size in shape):
        size, others = _product(shape), _product(said)
        if others and size % others == 0:
            return tuple([size // others if one is None else one for one in said])
    return said


def _product(shape: tuple[int | None, ...]) -> int:
    result = 1
    for size in shape:
        result *= 1 if size is None else size
    return result


def _reshaped(call: Call) -> Structure:
    result = dtype_alone(call)
    tensor = usual(call)
    value = call.value(call.row.parameters[1])
    return result.shaped(_completed(tensor.shape if tensor else None, value, call.reading))


def _ensured(call: Call) -> Structure:
    tensor, shape = usual(call), call.shape("shape")
    return Tensor(tensor.dtype if tensor else "", refined(tensor.shape if tensor else None, shape))


def _expanded(call: Call) -> Structure:
    tensor, axis = usual(call), call.literal("axis", call.literal_named("dim"))
    if tensor is None or tensor.shape is None or not isinstance(axis, int):
        return dtype_alone(call)
    place = axis + len(tensor.shape) + 1 if axis < 0 else axis
    if not 0 <= place <= len(tensor.shape):
        return UNKNOWN
    return tensor.shaped((*tensor.shape[:place], 1, *tensor.shape[place:]))


def _squeezed(call: Call) -> Structure:
    tensor, axis = usual(call), call.literal("axis", call.literal_named("squeeze_dims"))
    if tensor is None or tensor.shape is None:
        return dtype_alone(call)
    shape = tensor.shape
    if axis is None:
        return tensor.shaped(None if any(map(is_open, shape)) else tuple([size for size in shape if size != 1]))
    axes = _axes(axis, len(shape))
    if axes is None:
        return dtype_alone(call)
    return tensor.shaped(tuple([size for place, size in enumerate(shape) if place not in axes]))


def _axes(axis: Any, rank: int) -> set[int] | None:
    """The axes that are meant, counted from the front."""
    given = axis if isinstance(axis, list) else [axis]
    if not all(isinstance(place, int) and -rank <= place < rank for place in given):
        return None
    return {place % rank for place in given}


def _transposed(call: Call) -> Structure:
    tensor, perm = usual(call), call.literal("perm")
    if tensor is None or tensor.shape is None:
        return dtype_alone(call)
    shape = tensor.shape
    if perm is None:
        return tensor.shaped(shape[::-1])
    if isinstance(perm, list) and (places := _axes(perm, len(shape))) is not None and len(places) == len(shape):
        return tensor.shaped(tuple([shape[place] for place in perm]))
    return tensor.shaped((None,) * len(shape))


def _tiled(call: Call) -> Structure:
    tensor, multiples = usual(call), call.literal("multiples")
    if tensor is None or tensor.shape is None:
        return dtype_alone(call)
    if isinstance(multiples, list) and len(multiples) == len(tensor.shape):
        pairs = zip(tensor.shape, multiples, strict=True)
        return tensor.shaped(tuple([None if size is None or is_open(size) else size * by for size, by in pairs]))
    return tensor.shaped((None,) * len(tensor.shape))


def _padded(call: Call) -> Structure:
    tensor, paddings = usual(call), call.literal("paddings")
    if tensor is None or tensor.shape is None:
        return dtype_alone(call)
    if isinstance(paddings, list) and len(paddings) == len(tensor.shape):
        found: list[int | None] = []
        for size, pair in zip(tensor.shape, paddings, strict=True):
            is_pair = isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, int) for part in pair)
            if is_pair and sum(pair) == 0:
                found.append(size)
            else:
                found.append(size + sum(pair) if is_pair and size is not None and not is_open(size) else None)
        return tensor.shaped(tuple(found))
    return tensor.shaped((None,) * len(tensor.shape))


def _sliced(call: Call) -> Structure:
    tensor, begin, size = usual(call), call.literal("begin"), call.value("size")
    sizes = shape_said(size, call.reading)
    if tensor is None or sizes is None:
        return dtype_alone(call)
    if tensor.shape is not None and len(tensor.shape) == len(sizes) and isinstance(begin, list):
        found = [
            whole if size is None and start == 0 and value == Constant(-1) else size
            for size, whole, start, value in zip(sizes, tensor.shape, begin, _items(size), strict=False)
        ]
        return tensor.shaped(tuple(found) if len(found) == len(sizes) else (None,) * len(sizes))
    return tensor.shaped(sizes)


def _items(value: Value | None) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence) else ()


def _parts(call: Call) -> tuple[list[Tensor | Unknown], list[Value]] | None:
    """The tensors of a list of them."""
    value = call.value("values")
    if isinstance(value, Sequence) and value.rest is None and value.exact:
        return [call.reading.tensor(item) for item in value.items], list(value.items)
    if isinstance(value, Expr) and isinstance(found := call.reading.of(value), Tuple_):
        return [item if isinstance(item, Tensor) else UNKNOWN for item in found.items], [value] * len(found.items)
    return None


def _stack(call: Call) -> Structure:
    found, axis = _parts(call), call.literal("axis", 0)
    if found is None or not isinstance(axis, int):
        return UNKNOWN
    result = stacked(*found, axis)
    return Tensor(result.dtype, result.shape) if isinstance(result, Tensor) else UNKNOWN


def _concatenated(call: Call) -> Structure:
    found, axis = _parts(call), call.literal("axis")
    if found is None or not found[0]:
        return UNKNOWN
    base = stacked(*found)
    tensors = [part for part in found[0] if isinstance(part, Tensor)]
    if not isinstance(base, Tensor):
        return UNKNOWN
    shapes = [tensor.shape for tensor in tensors if tensor.shape is not None]
    if not isinstance(axis, int) or len({len(shape) for shape in shapes}) != 1:
        return Tensor(base.dtype)
    rank = len(shapes[0])
    if not -rank <= axis < rank:
        return UNKNOWN
    axis %= rank
    sizes = [shape[axis] for shape in shapes]
    is_known = len(shapes) == len(found[0]) and all(size is not None and not is_open(size) for size in sizes)
    whole = sum(size for size in sizes if size is not None) if is_known else None
    rest = agreed([(*shape[:axis], None, *shape[axis + 1 :]) for shape in shapes])
    return Tensor(base.dtype, None if rest is None else (*rest[:axis], whole, *rest[axis + 1 :]))


def _split(call: Call) -> Structure:
    tensor, parts, axis = usual(call), call.literal("num_or_size_splits"), call.literal("axis", 0)
    if tensor is None or not isinstance(axis, int):
        return UNKNOWN
    shape = tensor.shape
    if shape is not None and not -len(shape) <= axis < len(shape):
        return UNKNOWN
    sizes: list[int | None]
    if isinstance(parts, int) and 0 < parts < 100:
        whole = None if shape is None else shape[axis]
        each = whole // parts if whole is not None and not is_open(whole) and whole % parts == 0 else None
        sizes = [each] * parts
    elif isinstance(parts, list):
        sizes = [size_of(part) for part in parts]
    else:
        return UNKNOWN
    if shape is None:
        return Tuple_(tuple([Tensor(tensor.dtype)] * len(sizes)))
    place = axis % len(shape)
    shapes = [(*shape[:place], size, *shape[place + 1 :]) for size in sizes]
    return Tuple_(tuple([Tensor(tensor.dtype, found) for found in shapes]))


def _unstacked(call: Call) -> Structure:
    tensor, number, axis = usual(call), call.literal("num"), call.literal("axis", 0)
    if tensor is None or tensor.shape is None or not isinstance(axis, int):
        return UNKNOWN
    rank = len(tensor.shape)
    if not -rank <= axis < rank:
        return UNKNOWN
    place = axis % rank
    count = tensor.shape[place] if number is None else number
    if not isinstance(count, int) or not 0 < count < 100:
        return UNKNOWN
    return Tuple_((Tensor(tensor.dtype, (*tensor.shape[:place], *tensor.shape[place + 1 :])),) * count)


def _gathered(call: Call) -> Structure:
    tensor, indices = usual(call), call.reading.tensor(call.value("indices"))
    axis, batch_dims = call.literal("axis", 0), call.literal("batch_dims", 0)
    if tensor is None or tensor.shape is None or not isinstance(indices, Tensor) or indices.shape is None:
        return dtype_alone(call)
    if axis in (0, None) and batch_dims == 0 and indices.kind in ("dense", "array"):
        return tensor.shaped((*indices.shape, *tensor.shape[1:]))
    return dtype_alone(call)


def _masked(call: Call) -> Structure:
    tensor, mask = usual(call), call.reading.tensor(call.value("mask"))
    axis = call.literal("axis")
    if tensor is None or tensor.shape is None or not isinstance(mask, Tensor) or mask.shape is None or axis is not None:
        return dtype_alone(call)
    return tensor.shaped((None, *tensor.shape[len(mask.shape) :]))


def _one_hot(call: Call) -> Structure:
    indices, depth, axis = call.first, call.literal("depth"), call.literal("axis", -1)
    values = [value for name in ("on_value", "off_value") if (value := call.value(name)) not in (None, Constant(None))]
    dtype = call.dtype("dtype", "float32" if not values else "")
    if call.value("dtype") not in (None, Constant(None)):
        dtype = call.dtype("dtype")
    if not isinstance(indices, Tensor) or indices.shape is None or axis not in (-1, None):
        return Tensor(dtype)
    return Tensor(dtype, (*indices.shape, size_of(depth)))


def _reduced(call: Call) -> Structure:
    tensor = usual(call)
    axis = call.literal("axis", call.literal_named("reduction_indices"))
    keeps = call.literal("keepdims", call.literal_named("keep_dims", False))
    if axis is None:
        result = dtype_alone(call)
        return result.shaped(() if keeps in (False, None) else None)
    if tensor is None or tensor.shape is None:
        return dtype_alone(call)
    axes = _axes(axis, len(tensor.shape))
    if axes is None or keeps is ...:
        return dtype_alone(call)
    if keeps:
        shape = tuple([1 if place in axes else size for place, size in enumerate(tensor.shape)])
    else:
        shape = tuple([size for place, size in enumerate(tensor.shape) if place not in axes])
    return dtype_alone(call).shaped(shape)


def _arg_of(call: Call) -> Structure:
    tensor, axis, dtype = usual(call), call.literal("axis", 0), call.dtype("output_type", "int64")
    axis = 0 if axis is None else axis
    if tensor is None or tensor.shape is None or (axes := _axes(axis, len(tensor.shape))) is None:
        return Tensor(dtype)
    return Tensor(dtype, tuple([size for place, size in enumerate(tensor.shape) if place not in axes]))


def _shape_of(call: Call) -> Structure:
    tensor = usual(call)
    return Tensor(call.dtype("out_type", "int32"), (tensor.rank if tensor else None,))


def _counted(call: Call) -> Structure:
    return scalar(call.dtype("out_type", "int32"))


# ---- made of nothing -------------------------------------------------------------------------------------------------


def _filled(call: Call) -> Structure:
    return Tensor(call.dtype("dtype", call.row.dtype), call.shape("shape"))


def _filled_with(call: Call) -> Structure:
    value = call.reading.tensor(call.value("value"))
    return Tensor(value.dtype if isinstance(value, Tensor) else "", call.shape("dims"))


def _constant_tensor(call: Call) -> Structure:
    tensor = call.first
    dtype = call.dtype("dtype", tensor.dtype if isinstance(tensor, Tensor) else "")
    if "shape" in call.named or len(call.positional) > 2:
        return Tensor(dtype, call.shape("shape"))
    if isinstance(tensor, Unknown):
        return Tensor(dtype) if dtype else UNKNOWN
    return tensor.typed(dtype) if tensor.kind != "array" else Tensor(dtype, tensor.shape)


def _range(call: Call) -> Structure:
    given = [call.at(place) for place in range(len(call.positional))]
    literals = [literal_of(value) for value in given[:3]]
    dtype = call.dtype("dtype")
    if len(literals) == len(given) and not set(call.named) - {"dtype"} and all(map(is_number, literals)) and literals:
        size = length_of(literals)
        kinds = {type(literal) for literal in literals}
        return Tensor(dtype or ("int32" if kinds == {int} else "float32"), (size,))
    tensors = [call.reading.tensor(value) for value in given if not is_weak(value)]
    dtypes = {tensor.dtype for tensor in tensors if isinstance(tensor, Tensor)}
    same = len(dtypes) == 1 and all(isinstance(tensor, Tensor) for tensor in tensors)
    weak_floats = any(isinstance(literal_of(value), float) for value in given)
    return Tensor(dtype or (dtypes.pop() if same and not weak_floats else ""), (None,))


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def length_of(bounds: list[Any]) -> int | None:
    """How many numbers are in a range, where that needs no rounding."""
    if any(isinstance(bound, float) and not bound.is_integer() for bound in bounds):
        return None
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    return len(range(int(start), int(stop), int(step))) if step else None


def _eye(call: Call) -> Structure:
    rows, columns = call.literal("num_rows"), call.literal("num_columns")
    if call.value("batch_shape") not in (None, Constant(None)):
        return Tensor(call.dtype("dtype", "float32"))
    return Tensor(call.dtype("dtype", "float32"), (size_of(rows), size_of(rows if columns is None else columns)))


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
    "Element.update": _updated,
    "Element.get": _got,
    "Element.copy": lambda call: call.reading.of(call.at(0)),
    "builtins.dict": _updated,
    "builtins.len": lambda call: scalar("int32"),
    "builtins.abs": _absolute,
    "Element.set_shape": _set_shape,
    "Element.to_tensor": to_dense,
    "Element.batch": _of_dataset(_batched_inside),
    "Element.get_single_element": _single,
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
    "reshaped": _reshaped,
    "ensured": _ensured,
    "expanded": _expanded,
    "squeezed": _squeezed,
    "transposed": _transposed,
    "tiled": _tiled,
    "padded": _padded,
    "sliced": _sliced,
    "stacked": _stack,
    "concatenated": _concatenated,
    "split": _split,
    "unstacked": _unstacked,
    "gathered": _gathered,
    "masked": _masked,
    "one_hot": _one_hot,
    "reduced": _reduced,
    "arg_of": _arg_of,
    "shape_of": _shape_of,
    "counted": _counted,
    "filled": _filled,
    "filled_with": _filled_with,
    "constant": _constant_tensor,
    "range": _range,
    "eye": _eye,
    "dense": to_dense,
}
