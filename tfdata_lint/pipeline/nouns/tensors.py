"""Shapes: what functions of tensors give.

A rule that is not sure of a dimension says None, of a rank or a dtype nothing, and of anything else `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfdata_lint.pipeline.nouns.results import (
    Call,
    Reading,
    Rule,
    agreed,
    is_weak,
    literal_of,
    shape_said,
    size_of,
    stacked,
)
from tfdata_lint.pipeline.nouns.structure import (
    UNKNOWN,
    VARIES,
    Shape,
    Structure,
    Tensor,
    Tuple_,
    Unknown,
    is_open,
    refined,
    scalar,
)
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence, Value

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


def completed(shape: Shape, value: Value | None, reading: Reading) -> Shape:
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
    return result.shaped(completed(tensor.shape if tensor else None, value, call.reading))


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


def _framed(call: Call) -> Structure:
    """As many frames as fit into a signal, each with half of the frequencies that it was transformed into."""
    tensor, given = usual(call), (call.literal(name) for name in ("frame_length", "frame_step", "fft_length"))
    if tensor is None or not tensor.shape:
        return UNKNOWN
    length, step, bins = map(size_of, given)
    size, count = tensor.shape[-1], None
    if not is_open(size) and size is not None and length and step and call.literal("pad_end", False) is False:
        count = max(0, 1 + (size - length) // step)
    if length and call.value("fft_length") in (None, Constant(None)):
        # It pads frames to a power of two.
        bins = 1 << (length - 1).bit_length()
    dtype = "complex64" if tensor.dtype == "float32" else ""
    sides = (VARIES if size == VARIES else count, bins // 2 + 1 if bins else None)
    return Tensor(dtype, (*tensor.shape[:-1], *sides))


def _frames(call: Call) -> Structure:
    """Windows of one length, of the last dimension."""
    tensor, length, step = usual(call), size_of(call.literal("frame_length")), size_of(call.literal("frame_step"))
    if tensor is None or not tensor.shape or call.literal("axis", -1) != -1:
        return UNKNOWN
    size, count = tensor.shape[-1], None
    if not is_open(size) and size is not None and length and step and call.literal("pad_end", False) is False:
        count = max(0, 1 + (size - length) // step)
    return tensor.shaped((*tensor.shape[:-1], VARIES if size == VARIES else count, length))


RULES: Mapping[str, Rule] = {
    "frames": _frames,
    "framed": _framed,
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
}
