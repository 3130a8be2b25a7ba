"""Images, records, texts, arrays: what functions give that read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tfdata_lint.pipeline.knowledge.functions import KERAS_DATASETS
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.knowledge.rows import Known
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.operators import broadcast
from tfdata_lint.pipeline.nouns.results import (
    OF_ARRAYS,
    Call,
    Reading,
    Rule,
    dtype_said,
    literal_of,
    of_literal,
    shape_said,
    size_of,
    size_said,
)
from tfdata_lint.pipeline.nouns.structure import (
    UNKNOWN,
    VARIES,
    Shape,
    Structure,
    Tensor,
    Tuple_,
    Unknown,
    dict_of,
    scalar,
)
from tfdata_lint.pipeline.nouns.tensors import dtype_alone, is_number, length_of, usual
from tfdata_lint.pipeline.nouns.values import Constant, External, Mapping_, Sequence, Symbol, Value

# ---- images and sound ------------------------------------------------------------------------------------------------


def _channels(call: Call) -> int | None:
    channels = call.literal("channels", 0)
    return channels if isinstance(channels, int) and channels > 0 else None


def _decoded(call: Call) -> Structure:
    """An image: every one has its own size."""
    channels = _channels(call)
    dtype = call.dtype("dtype", call.row.dtype) if "dtype" in call.row.parameters else call.row.dtype
    return Tensor(dtype, (VARIES, VARIES, channels))


def _decoded_any(call: Call) -> Structure:
    animations = call.literal("expand_animations", True)
    dtype = call.dtype("dtype", call.row.dtype)
    if animations is False:
        return Tensor(dtype, (VARIES, VARIES, _channels(call)))
    return Tensor(dtype, None, unranked=animations is True)


def _decoded_frames(call: Call) -> Structure:
    return Tensor(call.row.dtype, (VARIES, VARIES, VARIES, 3))


def image_shape(shape: Shape, height: int | None, width: int | None) -> Shape:
    """An image, or a batch of them, in another size."""
    if shape is None or len(shape) not in (3, 4):
        return None
    return (*shape[:-3], height, width, shape[-1])


def _resized(call: Call) -> Structure:
    tensor, sizes = usual(call), call.shape("size")
    dtype = call.row.dtype
    method = call.value("method") if "method" in call.row.parameters else None
    if method is not None or not dtype:
        name = last(method.name) if isinstance(method, Symbol) else literal_of(method)
        is_nearest = method is None or str(name).lower() in ("nearest", "nearest_neighbor")
        dtype = "" if name is ... else (tensor.dtype if tensor else "") if is_nearest or name == 1 else dtype
    keeps = call.named.get("preserve_aspect_ratio", Constant(False))
    is_exact = keeps in (Constant(False), Constant(None)) and "align_corners" not in call.named
    if sizes is None or len(sizes) != 2 or not is_exact:
        sizes = (None, None)
    if tensor is not None and tensor.varies and keeps_proportions(call.named, call.value("size")):
        sizes = (VARIES, VARIES)
    return Tensor(dtype, image_shape(tensor.shape if tensor else None, *sizes))


def keeps_proportions(named: Mapping[str, Any], size: Any) -> bool:
    """Is an image resized to a size that depends on its own?"""
    is_own = any(last(expr.by) == "shape" for expr in expressions(size))
    return named.get("preserve_aspect_ratio") == Constant(True) or is_own


def _resized_to(call: Call) -> Structure:
    tensor = usual(call)
    height, width = size_of(call.literal("target_height")), size_of(call.literal("target_width"))
    dtype = call.row.dtype or (tensor.dtype if tensor else "")
    if "method" in call.row.parameters and call.value("method") is not None:
        dtype = ""
    return Tensor(dtype, image_shape(tensor.shape if tensor else None, height, width))


def _resized_somehow(call: Call) -> Structure:
    tensor = usual(call)
    return Tensor(tensor.dtype, image_shape(tensor.shape, None, None)) if tensor else UNKNOWN


def _channels_now(count: int) -> Callable[[Call], Structure]:
    def rule(call: Call) -> Structure:
        tensor = usual(call)
        if tensor is None or not tensor.shape:
            return dtype_alone(call)
        return tensor.shaped((*tensor.shape[:-1], count))

    return rule


def _cropped(call: Call) -> Structure:
    return dtype_alone(call).shaped(call.shape("size"))


def _cropped_boxes(call: Call) -> Structure:
    tensor, sizes = usual(call), call.shape("crop_size")
    height, width = sizes if sizes is not None and len(sizes) == 2 else (None, None)
    channels = tensor.shape[-1] if tensor and tensor.shape else None
    return Tensor("float32", (None, height, width, channels))


def _decoded_sound(call: Call) -> Structure:
    channels, samples = size_of(call.literal("desired_channels", -1)), size_of(call.literal("desired_samples", -1))
    samples = VARIES if call.value("desired_samples") is None else samples
    return Tuple_((Tensor("float32", (samples, channels)), scalar("int32")), ("audio", "sample_rate"))


# ---- records and text ------------------------------------------------------------------------------------------------


def _decoded_raw(call: Call) -> Structure:
    tensor = call.first
    shape = (*tensor.shape, None) if isinstance(tensor, Tensor) and tensor.shape is not None else None
    return Tensor(call.dtype("out_type"), shape)


def _parsed(call: Call) -> Structure:
    serialized = call.first
    if _is_no_scalar(call):
        return UNKNOWN
    if isinstance(serialized, Unknown) or serialized.shape is None:
        is_single = "single" in call.name
        return features_of(call.value("features"), call.reading, () if is_single else None)
    return features_of(call.value("features"), call.reading, serialized.shape)


def _is_no_scalar(call: Call) -> bool:
    """Is what one record is parsed from several? TensorFlow raises an error."""
    return "single" in call.name and isinstance(call.first, Tensor) and bool(call.first.shape)


def _parsed_sequence(call: Call) -> Structure:
    if _is_no_scalar(call):
        return UNKNOWN
    context = call.value("context_features") or Mapping_({})
    sequence = call.value("sequence_features") or Mapping_({})
    parts = [features_of(context, call.reading, ()), features_of(sequence, call.reading, (), in_sequence=True)]
    return Tuple_(tuple(parts))


def features_of(value: Value | None, reading: Reading, batch: Shape, in_sequence: bool = False) -> Structure:
    """What parsing gives for a dict of features; `batch` is the shape of what is parsed."""
    if not isinstance(value, Mapping_) or value.rest is not None or not value.exact or value.spread is not None:
        return UNKNOWN
    return dict_of((key, _feature(item, reading, batch, in_sequence)) for key, item in value.held)


def _feature(value: Value, reading: Reading, batch: Shape, in_sequence: bool) -> Structure:
    if not isinstance(value, External):
        return UNKNOWN
    call = Call(reading, value.symbol, value.arguments, value.keywords)
    kind = last(value.symbol)
    call.row = Known(parameters=_FEATURES.get(kind, ()))
    if not call.row.parameters:
        return UNKNOWN
    dtype = call.dtype("dtype")
    if batch is None or len(batch) > 1:
        # Is it one or many?
        is_tensor = kind in ("FixedLenFeature", "FixedLenSequenceFeature")
        return Tensor(dtype, None, "sparse" if kind == "VarLenFeature" else "dense") if is_tensor else UNKNOWN
    front: tuple[int | None, ...] = batch
    if kind == "FixedLenFeature":
        shape = call.shape("shape")
        return Tensor(dtype, None if shape is None else (*front, *shape))
    if kind == "FixedLenSequenceFeature":
        shape = call.shape("shape")
        return Tensor(dtype, None if shape is None else (*front, VARIES if not front else None, *shape))
    if kind == "VarLenFeature":
        return Tensor(dtype, (None,) * (len(front) + 1 + in_sequence), "sparse")
    if set(value.keywords) <= {"dtype"} and len(value.arguments) <= 1 and kind == "RaggedFeature":
        if in_sequence:
            return Tensor(dtype, (*front, None, None), "ragged")
        return Tensor(dtype, (*front, None), "ragged") if front else Tensor(dtype, (VARIES,))
    return UNKNOWN


_FEATURES = {
    "FixedLenFeature": ("shape", "dtype", "default_value"),
    "FixedLenSequenceFeature": ("shape", "dtype", "allow_missing", "default_value"),
    "VarLenFeature": ("dtype",),
    "RaggedFeature": ("dtype",),
}


def _parsed_tensor(call: Call) -> Structure:
    return Tensor(call.dtype("out_type"), None, unranked=True)


def _parsed_csv(call: Call) -> Structure:
    records, defaults = call.first, call.value("record_defaults")
    if not isinstance(defaults, Sequence) or defaults.rest is not None or not defaults.exact:
        return UNKNOWN
    shape = records.shape if isinstance(records, Tensor) else None
    return Tuple_(tuple([Tensor(dtype_of_default(item, call.reading), shape) for item in defaults.items]))


def dtype_of_default(value: Value, reading: Reading) -> str:
    if isinstance(value, Symbol):
        return dtype_said(value)
    tensor = reading.tensor(value)
    return tensor.dtype if isinstance(tensor, Tensor) and tensor.shape != (0,) else ""


def _split_text(call: Call) -> Structure:
    text = call.first
    dtype = call.row.dtype or "string"
    if ".compat.v1." in call.name or not isinstance(text, Tensor) or text.shape is None or len(text.shape) > 1:
        return UNKNOWN
    return Tensor(dtype, (VARIES,)) if not text.shape else Tensor(dtype, (*text.shape, None), "ragged")


def _joined_text(call: Call) -> Structure:
    value = call.value("inputs")
    if not isinstance(value, Sequence) or value.rest is not None or not value.exact:
        return Tensor("string")
    parts = [call.reading.tensor(item) for item in value.items]
    shape: Shape = ()
    for part in parts:
        if not isinstance(part, Tensor) or part.kind in ("sparse", "ragged"):
            return Tensor("string") if isinstance(part, Unknown) else UNKNOWN
        shape = broadcast(shape, part.shape)
    return Tensor("string", shape)


def _python(call: Call) -> Structure:
    """A function of Python: TensorFlow knows the dtypes that are said, and no rank."""
    value = call.value("Tout")
    if isinstance(value, Sequence):
        if value.rest is not None or not value.exact:
            return UNKNOWN
        return Tuple_(tuple([Tensor(_python_dtype(item), None, unranked=True) for item in value.items]))
    dtype = _python_dtype(value)
    return Tensor(dtype, None, unranked=True) if dtype else UNKNOWN


def _python_dtype(value: Value | None) -> str:
    return dtype_said(value)


# ---- arrays ----------------------------------------------------------------------------------------------------------


def _array_filled(call: Call) -> Structure:
    dtype = _array_dtype(call, call.row.dtype)
    return Tensor(dtype, call.shape(call.row.parameters[0]), "array")


def _array_dtype(call: Call, default: str) -> str:
    value = call.value("dtype") if "dtype" in call.row.parameters else None
    return default if value is None or value == Constant(None) else dtype_said(value, OF_ARRAYS)


def _array_full(call: Call) -> Structure:
    literal = call.literal("fill_value", ...)
    of_value = of_literal(literal, is_array=True) if literal is not ... else UNKNOWN
    default = of_value.dtype if isinstance(of_value, Tensor) and of_value.shape == () else ""
    return Tensor(_array_dtype(call, default), call.shape("shape"), "array")


def _array(call: Call) -> Structure:
    value = call.value("object")
    literal = literal_of(value)
    found = of_literal(literal, is_array=True) if literal is not ... else call.reading.tensor(value)
    if not isinstance(found, Tensor):
        dtype = _array_dtype(call, "")
        return Tensor(dtype, None, "array") if dtype else UNKNOWN
    return Tensor(_array_dtype(call, found.dtype), found.shape, "array") if found.kind != "ragged" else UNKNOWN


def _array_range(call: Call) -> Structure:
    literals = [literal_of(value) for value in call.positional[:3]]
    is_known = all(map(is_number, literals)) and literals and not set(call.named) - {"dtype"}
    kinds = {type(literal) for literal in literals}
    default = ("int64" if kinds == {int} else "float64") if is_known else ""
    return Tensor(_array_dtype(call, default), (length_of(literals) if is_known else None,), "array")


def _array_linspace(call: Call) -> Structure:
    if set(call.named) - {"num"} or len(call.positional) > 3:
        return UNKNOWN
    return Tensor("float64", (size_of(call.literal("num", 50)),), "array")


def _array_of_sizes(call: Call) -> Structure:
    return Tensor(call.row.dtype, tuple([size_said(value, call.reading) for value in call.positional]), "array")


def _array_read(call: Call) -> Structure:
    return Tensor(_array_dtype(call, call.row.dtype), call.shape(call.row.parameters[-1]), "array")


def _array_drawn(call: Call) -> Structure:
    if call.value("size") in (None, Constant(None)):
        return UNKNOWN
    return Tensor(_array_dtype(call, call.row.dtype), call.shape("size"), "array")


#: Methods of the generators of NumPy, and where they are given a shape.
_DRAWS = {"random": 1, "standard_normal": 1, "normal": 3, "uniform": 3, "integers": 3, "randint": 3}


def other(call: Call, name: str) -> Structure:
    """What has no row: what is told by the beginning or the end of its name."""
    parts = name.split(".")
    if parts[-1] == "load_data" and parts[:3] == ["tensorflow", "keras", "datasets"]:
        return _keras_data(parts[3])
    if parts[:3] == ["tensorflow", "keras", "layers"] and parts[-1].endswith("()"):
        return _layer(call, parts[-1])
    if parts[0] == "numpy" and parts[-1] in ("astype", "reshape"):
        if parts[-1] == "reshape" and isinstance(call.first, Unknown) and not call.named:
            # An array all the same.
            sizes = call.at(1) if len(call.positional) == 2 else Sequence("tuple", tuple(call.positional[1:]))
            return Tensor("", shape_said(sizes, call.reading), "array")
        return call.reading.rules.operators[f"array.{parts[-1]}"](call)
    if parts[:2] == ["numpy", "random"] and parts[-1] in _DRAWS:
        # The generator counts as the first.
        return Tensor("", shape_said(call.named.get("size", call.at(_DRAWS[parts[-1]])), call.reading), "array")
    if parts[:2] == ["tensorflow", "lookup"] and parts[-1] == "lookup":
        keys = call.reading.tensor(call.at(1))
        return keys.typed("") if isinstance(keys, Tensor) else UNKNOWN
    if name == "sklearn.model_selection.train_test_split":
        return _halves(call)
    return UNKNOWN


def _halves(call: Call) -> Structure:
    """Two of each array, of as many rows as they may have."""
    found: list[Structure] = []
    for value in call.positional:
        array = call.reading.tensor(value)
        half: Structure = UNKNOWN
        if isinstance(array, Tensor) and array.kind in ("array", "dense") and array.shape:
            half = Tensor(array.dtype, (None, *array.shape[1:]), "array")
        found += [half, half]
    return Tuple_(tuple(found))


def _file_names(call: Call) -> Structure:
    return Tensor("string", (None,), "array")


def _split_words(call: Call) -> Structure:
    """`tf.string_split`, of TensorFlow 1: a sparse tensor."""
    return Tensor("string", (None, None), "sparse")


def _keras_data(name: str) -> Structure:
    if name not in KERAS_DATASETS:
        return UNKNOWN
    dtype, shape, label, label_shape, *counts = KERAS_DATASETS[name]
    splits = [
        Tuple_((Tensor(dtype, (count, *shape), "array"), Tensor(label, (count, *label_shape), "array")))
        for count in counts
    ]
    return Tuple_(tuple(splits))


def _layer(call: Call, name: str) -> Structure:
    """A layer that works on elements; its dtype is up to the policy."""
    made, tensor = call.at(0), call.reading.tensor(call.at(1))
    if not isinstance(made, External) or not isinstance(tensor, Tensor) or tensor.kind != "dense":
        return UNKNOWN
    if name == "Rescaling()":
        return Tensor("", tensor.shape)
    if name == "Resizing()" and set(made.keywords) <= {"height", "width", "interpolation"}:
        inner = Call(call.reading, made.symbol, made.arguments, made.keywords)
        inner.row = Known(parameters=("height", "width", "interpolation"))
        return Tensor("", image_shape(tensor.shape, size_of(inner.literal("height")), size_of(inner.literal("width"))))
    return UNKNOWN


RULES: Mapping[str, Rule] = {
    "decoded": _decoded,
    "decoded_any": _decoded_any,
    "decoded_frames": _decoded_frames,
    "resized": _resized,
    "resized_to": _resized_to,
    "resized_somehow": _resized_somehow,
    "channels_1": _channels_now(1),
    "channels_3": _channels_now(3),
    "cropped": _cropped,
    "cropped_boxes": _cropped_boxes,
    "decoded_sound": _decoded_sound,
    "decoded_raw": _decoded_raw,
    "parsed": _parsed,
    "parsed_sequence": _parsed_sequence,
    "parsed_tensor": _parsed_tensor,
    "parsed_csv": _parsed_csv,
    "split_text": _split_text,
    "joined_text": _joined_text,
    "file_names": _file_names,
    "split_words": _split_words,
    "python": _python,
    "array_filled": _array_filled,
    "array_full": _array_full,
    "array": _array,
    "array_range": _array_range,
    "array_linspace": _array_linspace,
    "array_of_sizes": _array_of_sizes,
    "array_drawn": _array_drawn,
    "array_read": _array_read,
}
