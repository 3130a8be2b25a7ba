"""What functions do: one row for each of TensorFlow, Keras, NumPy and Python that matters to a mapped function.

A row says only what its shorter rows do not say: `tensorflow.image.random_hue` has its seed and its cost, and is random
because `tensorflow.image.random_*` is. A name under no row is not known, whoever asks. Names are canonical, see
`names.py`; besides full names there are methods of tensors (`Element.numpy`), of literals and of containers from
outside of the function (`str.format`, `list.append`), of what is not known (`?.append`) and of what is not known but
local to the function (`local.append`). A test finds each row in an installed TensorFlow, Keras, NumPy and Python.

Measured on TensorFlow 2.12 to 2.21 and Keras 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tfdata_lint.pipeline.knowledge.kinds import Doing, Made, OnBatches, Role, Work
from tfdata_lint.pipeline.knowledge.names import canonical

#: The heavy kinds; the smaller, the more expensive.
RANKS: Mapping[Work, int] = {
    "python": 0, "layer": 0, "decode": 1, "read": 2, "spectrum": 3, "image": 4, "colour": 5, "parse": 6, "text": 7,
    "algebra": 8, "tokens": 9,
}  # fmt: skip


#: Types that floats are cast to alike, alone and in a batch, whatever their value (measured for each).
CAST_ALIKE = frozenset(
    {"int32", "int64", "uint64", "bool", "half", "bfloat16", "float16", "float32", "float64", "double", "complex64",
     "complex128", "int", "float", "float_", "bool_", "complex"}
)  # fmt: skip


class Known(NamedTuple):
    """What is known of a function."""

    effect: Doing = "unknown"
    seed: int = -1
    """Position of `seed`; -1 where it is given by name only, or there is none."""
    cost: Work = "light"
    batches: OnBatches = ""
    why_not: str = ""
    """Why it is not the same on batches, apart from what `batches` says."""
    made: Made = ""
    calls: tuple[int | str, ...] = ()
    """Where it takes the functions that it calls with elements."""
    role: Role = ""
    gone: str = ""
    """Why the TensorFlow of today lacks it."""
    fails: str = ""
    """What it raises when it is given a tensor while a function is traced (measured on 2.21)."""
    gives: str = ""
    """The rule by which dtype and shape of its result follow from its arguments (`operators.py`, `tensors.py`,
    `contents.py`); in rows with the parameters that it looks at: `resized images size method`. `test_structure.py`
    compares it all."""
    parameters: tuple[str, ...] = ()
    """Those, in their order."""
    dtype: str = ""
    """Of its result, where that is always the same."""
    needs_rank: str = ""
    """The argument of which it must know the rank, or raises a ValueError."""
    number: str = ""
    """What number a tensor may stand for, and where, by position and name: `float 1 delta` (measured)."""
    draws: str = ""
    """Of Python and NumPy: the operation of `tf.random` that draws for every element what this draws once, and what its
    parameters are called there, in their order; `last` is a largest number that is drawn itself."""
    proven: bool = False
    """It computes from its arguments alone: called again, in parallel, in another order it gives the same."""

    @property
    def is_pure(self) -> bool:
        """Is it known to be? What is said to be pure only shows no state that is known of."""
        return self.proven and self.effect == "pure"


@lru_cache(maxsize=8192)
def known(name: str) -> Known:
    """What is known of a function by its full name, under any of its names; all of it unknown where nothing is."""
    name = canonical(name)
    said: dict[str, Any] = {}
    for length in range(1, len(name) + 1):
        if (row := _BEGINNINGS.get(name[:length])) is not None:
            said.update(row)
    for first, middle, end, row in _PATTERNS:
        if name.startswith(first) and name.endswith(end) and _matches(first, middle, end, name):
            said.update(row)
    said.update(ROWS.get(name, {}))
    if "gives" in said:
        said["gives"], *parameters = said["gives"].split()
        said["parameters"] = tuple(parameters)
    return Known(**said)


def _matches(first: str, middle: list[str], end: str, name: str) -> bool:
    """Do these parts make up a name that begins and ends so, with anything between them?"""
    at = len(first)
    for part in middle:
        at = name.find(part, at) + len(part)
        if at < len(part):
            return False
    return at <= len(name) - len(end)


# ---- rows ---------------------------------------------------------------------------------------------------------


_Rows: TypeAlias = "list[tuple[str, Mapping[str, Any]]]"


def _row(names: str, *, under: str = "", **said: Any) -> _Rows:
    """A row for each name, with fields of `Known`. `*` stands for anything."""
    row = MappingProxyType(said)
    return [(under + name, row) for name in names.split()]


def _tf(names: str, **said: Any) -> _Rows:
    return _row(names, under="tensorflow.", **said)


def _keras(names: str, **said: Any) -> _Rows:
    return _row(names, under="tensorflow.keras.", **said)


def _layers(names: str, **said: Any) -> _Rows:
    """Calls of Keras layers, by class."""
    return _row("() ".join(names.split()) + "()", under="tensorflow.keras.layers.", **said)


_V1 = "only under tf.compat.v1 since TensorFlow 2.0"
_CONTRIB = "went with tf.contrib, which TensorFlow 2 does not have"
_KERAS_2 = "removed by Keras 3"

_SHAPE = "sees the batch dimension"
_RANK = "depends on the element's rank"
_REDUCES = "without a negative axis reduces over the batch"
_AXIS = "without a negative axis runs along the batch"
_NORM = "runs over the batch"
_ALONG = "runs along the batch"
_BRANCHES = "branches on one element"
_SINGLE = "takes one element at a time"
_RAGGED = "gives lists of other lengths"

# fmt: off
_TENSORFLOW = [
    # A plain operation is stateless unless another row says something else.
    _tf("*", effect="pure", why_not="is not known to treat each element of a batch alone"),
    # What an operation made is a tensor; what else is called may do anything.
    _tf("*() CriticalSection().* Module().*", effect="unknown"),

    # Arithmetic
    _tf("abs", cost="trivial", batches="same", proven=True, gives="absolute x"),
    _tf("ceil floor identity negative rint round sign square stop_gradient", cost="trivial", batches="same",
        proven=True, gives="same x"),
    _tf("is_finite is_inf is_nan", cost="trivial", batches="same", gives="same x", dtype="bool"),
    _tf("logical_not nn.relu nn.relu6", cost="trivial", batches="same", gives="same x"),
    _tf("ones_like zeros_like", cost="trivial", batches="same", proven=True, gives="typed input dtype"),
    _tf("to_bfloat16", cost="trivial", batches="same", gone=_V1, proven=True),
    _tf("to_double", cost="trivial", batches="same", gone=_V1, proven=True, gives="same x", dtype="float64"),
    _tf("to_float", cost="trivial", batches="same", gone=_V1, proven=True, gives="same x", dtype="float32"),
    _tf("to_int32", cost="trivial", batches="same", gone=_V1, proven=True, gives="same x", dtype="int32"),
    _tf("to_int64", cost="trivial", batches="same", gone=_V1, proven=True, gives="same x", dtype="int64"),
    _tf("saturate_cast", cost="trivial", batches="cast", proven=True, gives="typed x dtype"),
    _tf("cast", cost="trivial", batches="cast", made="scalar", proven=True, gives="typed x dtype", number="any 0 x"),
    _tf("convert_to_tensor", cost="trivial", batches="same", made="scalar", proven=True,
        gives="constant value dtype shape"),
    _tf("bitwise.invert", batches="same", gives="same x"),
    _tf("clip_by_value", cost="trivial", batches="operands", gives="same t clip_value_min clip_value_max"),
    _tf("divide truediv", cost="trivial", batches="operands", proven=True, gives="divided x y"),
    _tf("divide_no_nan floordiv floormod maximum minimum mod multiply_no_nan squared_difference subtract realdiv",
        cost="trivial", batches="operands", proven=True, gives="broadcast x y"),
    _tf("equal greater greater_equal less less_equal not_equal", cost="trivial", batches="operands", proven=True,
        gives="broadcast x y", dtype="bool"),
    _tf("logical_and logical_or logical_xor", cost="trivial", batches="operands", gives="broadcast x y", dtype="bool"),
    _tf("floor_div", cost="trivial", batches="operands", gone=_V1, proven=True, gives="broadcast x y"),
    _tf("bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor", batches="operands", gives="broadcast x y"),
    _tf("truncatediv", batches="operands", proven=True),
    _tf("where", cost="trivial", batches="choice", proven=True, gives="where condition x y"),
    _tf("where_v2", cost="trivial", batches="choice", gone=_V1, proven=True),
    _tf("add", cost="trivial", batches="sum", proven=True, gives="broadcast x y"),
    _tf("multiply", cost="trivial", batches="product", proven=True, gives="broadcast x y"),
    _tf("scalar_mul", cost="trivial", batches="product", proven=True),
    _tf("div", cost="trivial", batches="product", gone=_V1, proven=True, gives="divided x y"),
    _tf("pow", cost="trivial", batches="power", proven=True, gives="broadcast x y"),
    _tf("exp log log1p reciprocal rsqrt sigmoid sqrt tanh", cost="trivial", batches="rounded", proven=True,
        gives="same x"),
    _tf("nn.sigmoid nn.tanh", cost="trivial", batches="rounded", gives="same x"),
    _tf("nn.softsign", batches="rounded"),
    _tf("acos asin atan cos cosh erf expm1 sin sinh softplus tan", batches="rounded", proven=True, gives="same x"),
    _tf("acosh asinh atanh digamma erfc lgamma log_sigmoid softsign", batches="rounded", proven=True),
    _tf("nn.elu nn.gelu nn.selu nn.silu nn.softplus nn.swish", batches="rounded", gives="same x"),
    _tf("nn.leaky_relu", batches="scalars"),
    _tf("cumsum", why_not=_ALONG, proven=True, gives="same x"),
    _tf("clip_by_norm", why_not=_NORM, gives="same x"),
    _tf("norm", why_not=_NORM, proven=True),
    _tf("linalg.norm", cost="light", why_not=_NORM),
    _tf("linalg.*", cost="algebra", why_not=_RANK, proven=True),
    _tf("linalg.band_part linalg.cross linalg.diag linalg.diag_part linalg.eye linalg.matrix_transpose "
        "linalg.normalize linalg.set_diag linalg.trace", cost="light"),
    _tf("einsum matmul tensordot", cost="algebra", why_not=_RANK, proven=True),
    _tf("softmax log_softmax cumprod debugging.check_numerics", proven=True, gives="same x"),
    _tf("atan2", proven=True, gives="broadcast x y"),

    # Shapes
    _tf("shape", cost="trivial", why_not=_SHAPE, proven=True, gives="shape_of input out_type"),
    _tf("rank", cost="trivial", why_not=_SHAPE, proven=True, gives="counted input out_type"),
    _tf("size", cost="trivial", why_not="counts the whole batch", proven=True, gives="counted input out_type"),
    _tf("broadcast_to", cost="trivial", why_not=_RANK, gives="reshaped input shape"),
    _tf("ensure_shape", cost="trivial", why_not=_RANK, proven=True, gives="ensured x shape"),
    _tf("reshape", cost="trivial", why_not=_RANK, proven=True, gives="reshaped tensor shape"),
    _tf("slice", cost="trivial", why_not=_RANK, proven=True, gives="sliced input_ begin size"),
    _tf("strided_slice", cost="trivial", why_not=_RANK, proven=True),
    _tf("transpose", cost="trivial", why_not=_RANK, proven=True, gives="transposed a perm"),
    _tf("unstack", cost="trivial", why_not=_RANK, proven=True, gives="unstacked value num axis", needs_rank="value"),
    _tf("boolean_mask", why_not=_RANK, proven=True, gives="masked tensor mask axis"),
    _tf("gather_nd meshgrid repeat unique unique_with_counts", why_not=_RANK, proven=True),
    _tf("pad", why_not=_RANK, proven=True, gives="padded tensor paddings"),
    _tf("roll", why_not=_RANK, proven=True, gives="same x", number="int 1 shift"),
    _tf("split", why_not=_RANK, proven=True, gives="split value num_or_size_splits axis"),
    _tf("tile", why_not=_RANK, proven=True, gives="tiled input multiples"),
    _tf("expand_dims", cost="trivial", batches="axis", why_not=_RANK, proven=True, gives="expanded input axis"),
    _tf("reverse", cost="trivial", batches="axis", why_not=_RANK, proven=True, gives="same x"),
    _tf("squeeze", cost="trivial", batches="axis", why_not=_RANK, proven=True, gives="squeezed input axis"),
    _tf("concat", cost="trivial", batches="axis_of_list", why_not=_RANK, proven=True, gives="concatenated values axis"),
    _tf("stack", cost="trivial", batches="axis_of_list", why_not=_RANK, proven=True, gives="stacked values axis"),
    _tf("argmax argmin", batches="axis", why_not=_AXIS, proven=True, gives="arg_of input axis output_type"),
    _tf("sort", batches="last_axis", proven=True, gives="same x"),
    _tf("reduce_*", why_not=_REDUCES, proven=True),
    _tf("reduce_all reduce_any", batches="axis", gives="reduced input_tensor axis keepdims", dtype="bool"),
    _tf("reduce_max reduce_min", batches="axis", gives="reduced input_tensor axis keepdims"),
    _tf("reduce_mean reduce_prod reduce_sum", batches="axis_rounded", gives="reduced input_tensor axis keepdims"),
    _tf("l2_normalize", batches="axis_rounded", why_not="without a negative axis runs over the batch", proven=True,
        gives="same x"),
    _tf("nn.l2_normalize", batches="axis_rounded", why_not="without a negative axis runs over the batch",
        gives="same x"),
    _tf("linalg.l2_normalize", cost="light", batches="axis_rounded", gives="same x"),
    _tf("nn.log_softmax nn.softmax", batches="last_axis_rounded", gives="same x"),
    _tf("one_hot", cost="trivial", batches="reshaped", proven=True,
        gives="one_hot indices depth on_value off_value axis dtype", number="int 0 indices"),
    _tf("gather", cost="trivial", batches="table", proven=True,
        gives="gathered params indices validate_indices axis batch_dims", number="int 1 indices"),
    _tf("nn.embedding_lookup", batches="table"),
    _tf("range", cost="trivial", why_not=_SINGLE, proven=True, gives="range start limit delta dtype"),
    _tf("constant", cost="trivial", made="scalar_or_array", proven=True, gives="constant value dtype shape"),
    _tf("ones zeros", cost="trivial", made="filled", proven=True, gives="filled shape dtype", dtype="float32"),
    _tf("dtypes.*.max dtypes.*.min", made="number"),
    _tf("bfloat16.* double.* float16.* float32.* float64.* half.* int8.* int16.* int32.* int64.* uint8.* uint16.* "
        "uint32.* uint64.*", made="number", proven=True),
    _tf("is_tensor nest.flatten nest.pack_sequence_as debugging.*", cost="trivial"),
    _tf("eye", cost="trivial", proven=True, gives="eye num_rows num_columns batch_shape dtype"),
    _tf("fill", cost="trivial", proven=True, gives="filled_with dims value"),
    _tf("complex compat.dimension_value no_op tuple group get_static_value TensorShape TensorSpec as_dtype name_scope "
        "control_dependencies device executing_eagerly Assert", cost="trivial", proven=True),
    # They put tensors together and compute nothing.
    _tf("RaggedTensor.from_nested_row_lengths RaggedTensor.from_nested_row_splits RaggedTensor.from_row_lengths "
        "RaggedTensor.from_row_splits sparse.SparseTensor nest.assert_same_structure nest.is_nested", cost="trivial"),
    _tf("SparseTensor", cost="trivial", proven=True),
    _tf("dimension_value", cost="trivial", gone=_V1, proven=True),
    _tf("assert_equal assert_greater assert_less assert_rank", cost="trivial"),
    _tf("function", cost="trivial", role="compiles"),
    _tf("reduce_std reduce_variance reduce_logsumexp", gives="reduced input_tensor axis keepdims"),
    _tf("sparse.to_dense", gives="dense sp_input"),
    _tf("sparse_tensor_to_dense", gone=_V1, gives="dense sp_input"),

    # What calls the functions it is given
    _tf("foldl foldr scan vectorized_map", calls=(0, "fn"), proven=True),
    _tf("map_fn", calls=(0, "fn"), why_not="would walk the batch", proven=True),
    _tf("autograph.experimental.do_not_convert autograph.to_graph custom_gradient grad_pass_through recompute_grad",
        role="copies"),
    _tf("ragged.map_flat_values", calls=(0, "op")),
    _tf("nest.map_structure", calls=(0, "func"), cost="trivial"),
    _tf("while_loop", calls=(0, 1, "cond", "body"), why_not=_BRANCHES, proven=True),
    _tf("cond", role="chooses", calls=(1, 2, "true_fn", "false_fn", "fn1", "fn2"), why_not=_BRANCHES, proven=True),
    _tf("case", calls=(0, 1, "pred_fn_pairs", "default"), why_not=_BRANCHES, proven=True),
    _tf("switch_case", calls=(1, 2, "branch_fns", "default"), why_not=_BRANCHES, proven=True),

    # Images and sound
    _tf("image.* signal.* nn.*", why_not=_RANK, proven=True),
    _tf("image.adjust_*", cost="colour"),
    _tf("image.adjust_brightness image.adjust_hue", batches="image", gives="same image", number="float 1 delta"),
    _tf("image.adjust_contrast", batches="image", gives="same image", number="float 1 contrast_factor"),
    _tf("image.adjust_saturation", batches="image", gives="same image", number="float 1 saturation_factor"),
    _tf("image.central_crop", batches="image", gives="resized_somehow image", needs_rank="image"),
    _tf("image.crop_to_bounding_box image.pad_to_bounding_box", batches="image",
        gives="resized_to image offset_height offset_width target_height target_width"),
    _tf("image.flip_left_right image.flip_up_down", batches="image", gives="same image"),
    _tf("image.per_image_standardization", batches="image", gives="same image", dtype="float32"),
    _tf("image.resize", batches="image", gives="resized images size method", dtype="float32", needs_rank="images"),
    _tf("image.resize_with_crop_or_pad", batches="image", gives="resized_to image target_height target_width"),
    _tf("image.resize_with_pad", batches="image", gives="resized_to image target_height target_width method",
        dtype="float32"),
    _tf("image.rgb_to_grayscale", batches="image", gives="channels_1 image"),
    _tf("image.rot90", batches="image", gives="resized_somehow image", number="int 1 k"),
    _tf("image.total_variation", batches="image", needs_rank="images"),
    _tf("image.transpose", batches="image", gives="image_transposed image"),
    _tf("image.resize_image_with_crop_or_pad", batches="image", gone=_V1,
        gives="resized_to image target_height target_width"),
    _tf("image.resize_image_with_pad", batches="image", gone=_V1,
        gives="resized_to image target_height target_width method", dtype="float32"),
    _tf("image.rgb_to_hsv", cost="colour", batches="image", gives="same image"),
    _tf("image.hsv_to_rgb", cost="colour", gives="same image"),
    _tf("image.convert_image_dtype", batches="image_dtype", gives="typed image dtype"),
    _tf("image.decode_* audio.decode_*", cost="decode", why_not=_SINGLE),
    _tf("image.encode_* io.encode_jpeg io.encode_png", cost="decode"),
    _tf("image.adjust_jpeg_quality", cost="decode", gives="same image", number="int 1 jpeg_quality"),
    _tf("image.resize* image.non_max_suppression* image.ssim* image.combined_non_max_suppression image.extract_glimpse "
        "image.extract_patches image.sobel_edges", cost="image"),
    _tf("image.crop_and_resize", cost="image", gives="cropped_boxes image boxes box_indices crop_size",
        dtype="float32"),
    _tf("signal.fft* signal.ifft* signal.rfft* signal.irfft* signal.dct signal.stft signal.inverse_stft "
        "signal.mfccs_from_log_mel_spectrograms", cost="spectrum"),
    _tf("fft*", cost="spectrum", proven=True),
    _tf("spectral.*", cost="spectrum", gone=_V1, proven=True),
    _tf("signal.fftshift signal.ifftshift", cost="light"),
    _tf("nn.conv* nn.depthwise_conv2d nn.separable_conv2d", cost="algebra"),
    _tf("image.decode_jpeg image.decode_and_crop_jpeg image.decode_bmp", gives="decoded contents channels",
        dtype="uint8"),
    _tf("image.decode_png", gives="decoded contents channels dtype", dtype="uint8"),
    _tf("image.decode_image", gives="decoded_any contents channels dtype name expand_animations", dtype="uint8"),
    _tf("image.decode_gif", gives="decoded_frames contents", dtype="uint8"),
    _tf("image.stateless_random_flip_left_right image.stateless_random_flip_up_down", gives="same image"),
    _tf("image.adjust_gamma", gives="same image", number="float 1 gamma 2 gain"),
    _tf("image.resize_images", gone=_V1, gives="resized images size method", dtype="float32", needs_rank="images"),
    _tf("image.resize_bilinear image.resize_bicubic image.resize_area", gone=_V1, gives="resized images size",
        dtype="float32"),
    _tf("image.resize_nearest_neighbor", gone=_V1, gives="resized images size"),
    _tf("image.transpose_image", gone=_V1, gives="image_transposed image"),
    _tf("image.grayscale_to_rgb", gives="channels_3 image"),
    _tf("audio.decode_wav", gives="decoded_sound contents desired_channels desired_samples"),

    # Files, records, text
    _tf("io.read_file", cost="read", why_not=_SINGLE, proven=True, gives="same filename", dtype="string"),
    _tf("read_file", cost="read", why_not=_SINGLE, gone=_V1, proven=True, gives="same filename", dtype="string"),
    _tf("io.parse_*", cost="parse", why_not=_SINGLE, proven=True),
    _tf("parse_example", cost="parse", why_not=_SINGLE, gone=_V1, gives="parsed serialized features"),
    _tf("parse_single_sequence_example", cost="parse", why_not=_SINGLE, gone=_V1,
        gives="parsed_sequence serialized context_features sequence_features"),
    _tf("parse_tensor", cost="parse", why_not=_SINGLE, gone=_V1, gives="parsed_tensor serialized out_type"),
    _tf("io.parse_single_example", batches="parse", gives="parsed serialized features"),
    _tf("parse_single_example", cost="parse", batches="parse", why_not=_SINGLE, gone=_V1,
        gives="parsed serialized features"),
    _tf("io.decode_*", why_not=_SINGLE, proven=True),
    _tf("io.decode_compressed io.decode_json_example io.decode_jxl io.decode_proto io.decode_webp", cost="decode"),
    _tf("io.decode_and_crop_jpeg io.decode_bmp io.decode_jpeg", cost="decode", gives="decoded contents channels",
        dtype="uint8"),
    _tf("io.decode_gif", cost="decode", gives="decoded_frames contents", dtype="uint8"),
    _tf("io.decode_image", cost="decode", gives="decoded_any contents channels dtype name expand_animations",
        dtype="uint8"),
    _tf("io.decode_png", cost="decode", gives="decoded contents channels dtype", dtype="uint8"),
    _tf("decode_compressed", cost="decode", gone=_V1),
    _tf("io.decode_csv", cost="parse", batches="csv", gives="parsed_csv records record_defaults"),
    _tf("decode_csv", cost="parse", batches="csv", gone=_V1, gives="parsed_csv records record_defaults"),
    _tf("io.decode_raw", batches="reshaped", gives="decoded_raw input_bytes out_type"),
    _tf("decode_raw", batches="reshaped", gone=_V1, gives="decoded_raw input_bytes out_type"),
    _tf("io.FixedLenFeature io.FixedLenSequenceFeature io.RaggedFeature io.VarLenFeature", cost="trivial", proven=True),
    _tf("FixedLenFeature FixedLenSequenceFeature VarLenFeature", cost="trivial", gone=_V1, proven=True),
    _tf("as_string", batches="same", proven=True, gives="same input", dtype="string"),
    _tf("io.decode_base64 io.encode_base64 strings.as_string strings.lower strings.strip strings.upper", batches="same",
        gives="same input", dtype="string"),
    _tf("strings.length", batches="same", gives="same input", dtype="int32"),
    _tf("strings.to_hash_bucket strings.to_hash_bucket_fast strings.to_hash_bucket_strong", batches="same",
        gives="same input", dtype="int64"),
    _tf("strings.to_number", batches="same", gives="typed input out_type", dtype="float32"),
    _tf("decode_base64", batches="same", gone=_V1),
    _tf("encode_base64", batches="same", gone=_V1, proven=True),
    _tf("string_strip", batches="same", gone=_V1, gives="same input", dtype="string"),
    _tf("string_to_hash_bucket string_to_hash_bucket_fast string_to_hash_bucket_strong", batches="same", gone=_V1,
        gives="same input", dtype="int64"),
    _tf("string_to_number", batches="same", gone=_V1, gives="typed input out_type", dtype="float32"),
    _tf("strings.regex_* strings.ngrams", cost="text"),
    _tf("strings.bytes_split", cost="text", gives="split_text input"),
    _tf("strings.regex_full_match", batches="same", gives="same input", dtype="bool"),
    _tf("strings.regex_replace", batches="same", gives="same input", dtype="string"),
    _tf("regex_replace", cost="text", batches="same", gone=_V1, proven=True, gives="same input", dtype="string"),
    _tf("strings.unicode_*", cost="text", why_not=_RAGGED),
    _tf("strings.split", cost="text", why_not=_RAGGED, gives="split_text input"),
    _tf("string_split", cost="text", why_not=_RAGGED, gone=_V1, gives="split_words source"),
    _tf("strings.substr", batches="scalars", gives="same input", dtype="string"),
    _tf("substr", batches="scalars", gone=_V1, proven=True, gives="same input", dtype="string"),
    _tf("strings.join", batches="strings", gives="joined_text inputs"),
    _tf("string_join", batches="strings", gone=_V1, gives="joined_text inputs"),
    _tf("strings.format", why_not="formats the whole batch"),
    _tf("strings.reduce_join", why_not="joins along the batch"),
    _tf("data.*", why_not=_SINGLE, proven=True),
    _tf("data.Options", role="options"),
    _tf("data.experimental.Options", role="options", gone="`tf.data.Options` since TensorFlow 2.4"),
    _tf("io.parse_example", gives="parsed serialized features"),
    _tf("io.parse_single_sequence_example", gives="parsed_sequence serialized context_features sequence_features"),
    _tf("io.parse_tensor", gives="parsed_tensor serialized out_type"),
    _tf("strings.unicode_decode", gives="split_text input", dtype="int32"),
    _tf("strings.unicode_split", gives="split_text input"),

    # Random
    _tf("random.*", effect="unknown"),
    _tf("random.get_global_generator random.experimental.get_global_generator", effect="pure"),
    _tf("random.fold_in random.split random.experimental.index_shuffle random.experimental.stateless_fold_in "
        "random.experimental.stateless_split", effect="pure", proven=True),
    _tf("random.gamma", effect="random", seed=4),
    _tf("random.normal random.truncated_normal", effect="random", seed=4, gives="filled shape mean stddev dtype",
        dtype="float32"),
    _tf("random.uniform", effect="random", seed=4, gives="filled shape minval maxval dtype", dtype="float32"),
    _tf("random.all_candidate_sampler", effect="random", seed=4),
    _tf("random.categorical random.poisson", effect="random", seed=3),
    _tf("random.shuffle", effect="random", seed=1, gives="same x"),
    _tf("random.fixed_unigram_candidate_sampler", effect="random"),
    _tf("random.learned_unigram_candidate_sampler random.log_uniform_candidate_sampler "
        "random.uniform_candidate_sampler", effect="random", seed=5),
    _tf("random_gamma", effect="random", seed=4, gone=_V1),
    _tf("random_normal truncated_normal", effect="random", seed=4, gone=_V1, gives="filled shape mean stddev dtype",
        dtype="float32"),
    _tf("random_uniform", effect="random", seed=4, gone=_V1, gives="filled shape minval maxval dtype", dtype="float32"),
    _tf("random_poisson", effect="random", seed=3, gone=_V1),
    _tf("multinomial random.multinomial", effect="random", seed=2, gone=_V1),
    _tf("random_crop", effect="random", seed=2, gone=_V1, gives="cropped value size"),
    _tf("random_shuffle", effect="random", seed=1, gone=_V1, gives="same x"),
    _tf("random.Generator*().* random.experimental.Generator*().* random.get_global_generator().* "
        "random.experimental.get_global_generator().*", effect="generator"),
    _tf("random.stateless_* random.experimental.stateless_shuffle", effect="stateless_random", seed=1),
    _tf("random.stateless_categorical", seed=2),
    _tf("nn.experimental.stateless_dropout", effect="stateless_random", seed=2),
    _tf("random.set_seed", role="seeds"),
    _tf("set_random_seed random.set_random_seed", effect="unknown", role="seeds", gone=_V1),
    _tf("image.random_*", effect="random"),
    _tf("image.random_brightness image.random_hue", seed=2, cost="colour", gives="same image"),
    _tf("image.random_contrast image.random_saturation", seed=3, cost="colour", gives="same image"),
    _tf("image.random_crop", seed=2, gives="cropped value size"),
    _tf("image.random_flip_left_right image.random_flip_up_down", seed=1, gives="same image"),
    _tf("image.random_jpeg_quality", seed=3, cost="decode", gives="same image", needs_rank="image"),
    _tf("image.sample_distorted_bounding_box", effect="random", seed=2, role="zero_is_no_seed"),
    _tf("image.stateless_*", effect="stateless_random", seed=1),
    _tf("image.stateless_random_brightness image.stateless_random_hue", seed=2, cost="colour", gives="same image"),
    _tf("image.stateless_random_contrast image.stateless_random_saturation", seed=3, cost="colour", gives="same image"),
    _tf("image.stateless_random_jpeg_quality", seed=3, cost="decode", gives="same image"),
    _tf("image.stateless_sample_distorted_bounding_box", seed=2),
    _tf("image.stateless_random_crop", seed=2, gives="cropped value size"),
    _tf("nn.dropout", effect="random", seed=3),
    _tf("nn.all_candidate_sampler nn.fixed_unigram_candidate_sampler nn.learned_unigram_candidate_sampler",
        effect="random"),
    _tf("nn.log_uniform_candidate_sampler nn.uniform_candidate_sampler", effect="random", gone=_V1),
    _tf("nn.experimental.general_dropout nn.fractional_* nn.nce_loss nn.sampled_softmax_loss", effect="unknown"),
    _tf("experimental.numpy.random.*", effect="random"),
    _tf("experimental.numpy.random.seed", effect="unknown"),
    _tf("random.stateless_normal random.stateless_truncated_normal", gives="filled shape seed mean stddev dtype",
        dtype="float32"),
    _tf("random.stateless_uniform", gives="filled shape seed minval maxval dtype", dtype="float32"),

    # Python, variables, tables
    _tf("numpy_function py_function", effect="py_function", cost="python", gives="python func inp Tout"),
    _tf("py_func", effect="py_function", cost="python", gone=_V1, gives="python func inp Tout"),
    _tf("print", effect="tf_print"),
    _tf("Print", effect="tf_print", gone=_V1),
    _tf("io.gfile.*", effect="python", fails="TypeError"),
    _tf("gfile.*", effect="python", gone=_V1),
    _tf("logging.*", effect="logging", gone=_V1),
    _tf("get_logger().*", effect="logging"),
    _tf("Variable Variable()", effect="unknown", role="variable"),
    _tf("get_variable get_variable()", effect="unknown", role="variable", gone=_V1),
    _tf("get_variable_scope", effect="unknown", gone=_V1),
    _tf("Variable().*", effect="variable_read"),
    _tf("Variable().assign* Variable().scatter_* Variable().batch_scatter_update", effect="variable_assign"),
    _tf("get_variable().*", effect="variable_read", gone=_V1),
    _tf("get_variable().assign*", effect="variable_assign", gone=_V1),
    _tf("assign* count_up_to scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd_add scatter_nd_sub "
        "scatter_nd_update scatter_sub scatter_update", effect="variable_assign", gone=_V1),
    _tf("lookup.*().* contrib.lookup.*().*", effect="unknown"),
    _tf("lookup.*().lookup contrib.lookup.*().lookup", effect="lookup", batches="same"),
    _tf("lookup.*().__getitem__ lookup.*().size lookup.*().export", effect="lookup"),
    _tf("lookup.experimental.*().lookup lookup.experimental.*().__getitem__ lookup.experimental.*().size "
        "lookup.experimental.*().export", effect="variable_read"),
    _tf("lookup.*().insert lookup.*().insert_or_assign lookup.*().remove lookup.*().erase", effect="variable_assign"),
    _tf("io.gfile.glob io.gfile.listdir gfile.Glob gfile.ListDirectory", gives="file_names pattern"),

    # Stateful, or Python with effects of its own: not judged.
    _tf("config.* distribute.* import_graph_def io.TFRecordWriter* io.match_filenames_once io.write_* load_* metrics.* "
        "nondifferentiable_batch_function profiler.* python.* queue.* raw_ops.* saved_model.* summary.* test.* "
        "timestamp tpu.* train.*", effect="unknown"),
    _tf("InteractiveSession InteractiveSession()* Session Session()* batch_scatter_update FIFOQueue* global_variables* "
        "placeholder* python_io.* write_file", effect="unknown", gone=_V1),
    _tf("layers.*", effect="unknown", gone=_V1),
    _tf("estimator.*", effect="unknown", gone="removed in TensorFlow 2.16"),

    # What TensorFlow 2 does not have
    _tf("contrib.*", effect="unknown", gone=_CONTRIB),
    _tf("contrib.data.* contrib.lookup.*", effect="pure"),
    _tf("contrib.framework.nest.* contrib.image.*", effect="pure", proven=True),
    _tf("contrib.framework.nest.map_structure", calls=(0, "func")),
    _tf("contrib.framework.nest.map_structure_up_to", calls=(1, "func")),
    _tf("contrib.eager.py_func", effect="py_function", cost="python"),
    _tf("contrib.eager.defun", role="compiles"),
    _tf("contrib.ffmpeg.*", cost="decode"),
    _tf("contrib.signal.stft", cost="spectrum"),
    _tf("contrib.image.rotate contrib.image.transform", cost="image"),
    _tf("ConfigProto GraphKeys add_to_collection app.* enable_eager_execution flags.* get_collection "
        "get_default_graph global_variables_initializer reset_default_graph tables_initializer variable_scope",
        gone=_V1),
]

_KERAS_ROWS = [
    _keras("*", effect="unknown"),
    _keras("activations.* losses.* ops.* utils.to_categorical", effect="pure", proven=True),
    _keras("ops.image.affine_transform ops.image.resize", cost="image"),
    _keras("applications.*.preprocess_input", effect="pure", proven=True),
    _keras("utils.set_random_seed", role="seeds"),
    _keras("backend.*", effect="pure"),
    _keras("backend.learning_phase*", effect="unknown", gone=_KERAS_2),
    _keras("backend.variable*", effect="unknown"),
    _keras("Variable Variable()", effect="unknown", role="variable"),
    _keras("Variable().*", effect="variable_read"),
    _keras("Variable().assign*", effect="variable_assign"),
    _keras("backend.update*", effect="variable_assign"),
    _keras("backend.random_normal backend.random_uniform backend.truncated_normal", effect="random", seed=4),
    _keras("backend.dropout backend.random_bernoulli", effect="random", seed=3),
    _keras("backend.random_binomial", effect="random", seed=3, gone=_KERAS_2),
    _keras("random.beta random.binomial random.normal random.randint random.truncated_normal random.uniform",
           effect="random", seed=4),
    _keras("random.categorical random.dropout random.gamma", effect="random", seed=3),
    _keras("random.shuffle", effect="random", seed=2),
    _keras("preprocessing.* utils.array_to_img* utils.img_to_array* utils.load_img* utils.normalize* "
           "utils.pad_sequences*", effect="python"),
    _keras("preprocessing.image.array_to_img preprocessing.image.img_to_array utils.array_to_img utils.img_to_array",
           fails="NotImplementedError"),
    _keras("preprocessing.image.load_img utils.load_img", fails="TypeError"),
    _keras("preprocessing.image.random_*", effect="python_random", role="arrays"),

    # Models, and layers: of class and call, nothing is known of their other methods.
    _keras("*()", effect="stateful_layer", cost="layer"),
    _row("tensorflow_hub.KerasLayer", effect="pure", proven=True),
    _row("tensorflow_hub.KerasLayer()*", effect="stateful_layer", cost="layer"),
    _keras("layers.*", effect="pure", cost="trivial", proven=True),
    _row("keras_cv.layers.*", effect="pure", proven=True),
    _row("tensorflow.keras.layers.*().* keras_cv.layers.*().*", effect="unknown", cost="light"),
    _layers("*", effect="stateful_layer", cost="layer"),
    _keras("layers.Lambda", role="applies"),
    _layers("RandAugment Random* AugMix ChannelShuffle CutMix FourierMix GridMask JitteredResize MixUp Mosaic "
            "RepeatedAugmentation", effect="random_layer"),
    # Measured on Keras 3: no variable, no table.
    _layers("Rescaling", effect="pure", cost="trivial", batches="rescaling"),
    _layers("Activation Add CategoryEncoding CenterCrop Concatenate Cropping1D Cropping2D Cropping3D Flatten LeakyReLU "
            "Maximum Minimum Multiply Permute ReLU Reshape Subtract", effect="pure", cost="light"),
    _layers("Average AveragePooling1D AveragePooling2D Dot ELU GlobalAveragePooling1D GlobalAveragePooling2D "
            "GlobalMaxPooling1D GlobalMaxPooling2D MaxPooling1D MaxPooling2D RepeatVector Resizing Softmax "
            "UpSampling1D UpSampling2D UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D", effect="pure"),
    _layers("Discretization HashedCrossing Hashing IntegerLookup Normalization StringLookup", cost="light"),
]

# Libraries near TensorFlow, and of arrays.
_LIBRARIES = [
    _row("tensorflow_addons.*", effect="pure"),
    _row("tensorflow_addons.image.*", cost="image", proven=True),
    _row("tensorflow_addons.image.random_*", effect="random"),
    _row("tensorflow_addons.layers.*", effect="unknown"),
    _row("tensorflow_io.image.* tensorflow_io.experimental.color.* tensorflow_io.experimental.filter.* "
         "tensorflow_io.experimental.image.*", effect="pure"),
    _row("tensorflow_io.image.decode_* tensorflow_io.experimental.image.decode_*", cost="decode"),
    _row("tensorflow_io.audio.*", effect="pure", cost="tokens"),
    _row("tensorflow_io.audio.decode_*", cost="decode"),
    _row("tensorflow_io.audio.resample tensorflow_io.audio.spectrogram", cost="spectrum"),
    _row("tensorflow_probability.*.sample", effect="random"),
    # Their operations hold no state, but for what looks tokens up in a table, holds a model or draws.
    _row("tensorflow_text.*", effect="pure", why_not=_RAGGED, proven=True),
    _row("tensorflow_text.BertTokenizer()* tensorflow_text.WordpieceTokenizer()*", effect="lookup"),
    _row("tensorflow_text.HubModule* tensorflow_text.Sentencepiece*()* tensorflow_text.keras.* "
         "tensorflow_text.SplitMergeFromLogitsTokenizer()*", effect="unknown"),
    _row("tensorflow_text.MaskValuesChooser()* tensorflow_text.RandomItemSelector()* "
         "tensorflow_text.mask_language_model", effect="random"),
    _row("tensorflow_text.*.split tensorflow_text.*.tokenize tensorflow_text.*.tokenize_with_offsets", cost="tokens"),
    _row("PIL.* h5py.* imageio.* librosa.* pandas.* scipy.* skimage.* soundfile.*", effect="python"),
    _row("cv2.*", effect="python", fails="cv2.error"),
    _row("PIL.Image.*", fails="AttributeError"),
    _row("scipy.ndimage.*", fails="NotImplementedError"),
    _row("scipy.stats.*.rvs", effect="python_random"),
    _row("absl.logging.* loguru.logger.*", effect="logging"),
    _row("six.* tree.*", effect="pure", proven=True),
    _row("six.iteritems", role="items"),
    _row("six.iterkeys", role="keys"),
    _row("six.itervalues", role="values"),
    _row("tqdm.tqdm tqdm.tqdm_notebook tqdm.trange tqdm.auto.tqdm tqdm.notebook.tqdm rich.progress.track "
         "progressbar.progressbar", role="walks"),
]

_NUMPY = [
    _row("numpy.*", effect="python", cost="trivial", fails="NotImplementedError"),
    _row("numpy.*.*", cost="light"),
    _row("numpy.shape numpy.ndim", effect="pure", fails="", proven=True),
    _row("numpy.array_equal numpy.dtype numpy.finfo numpy.flip numpy.iinfo numpy.iterable numpy.isscalar "
         "numpy.result_type numpy.str_", fails=""),
    _row("numpy.array", made="array", gives="array object dtype"),
    _row("numpy.exp numpy.log numpy.sqrt numpy.float16 numpy.float32 numpy.float64 numpy.int32 numpy.int64 "
         "numpy.uint8", made="scalar"),
    _row("numpy.ones numpy.zeros", made="filled", gives="array_filled shape dtype", dtype="float64"),
    _row("numpy.e numpy.inf numpy.nan numpy.pi", made="number"),
    # One value for all elements, drawn at tracing time.
    _row("numpy.random.*", effect="python_random"),
    _row("numpy.random.seed numpy.random.get_state numpy.random.set_state numpy.random.default_rng "
         "numpy.random.Generator numpy.random.RandomState numpy.random.PCG64* numpy.random.SeedSequence*",
         effect="pure"),
    _row("numpy.empty", gives="array_filled shape dtype", dtype="float64"),
    _row("numpy.full", gives="array_full shape fill_value dtype"),
    _row("numpy.asarray", gives="array object dtype"),
    _row("numpy.arange", gives="array_range start stop step dtype"),
    _row("numpy.linspace", gives="array_linspace start stop num"),
    _row("numpy.random.rand", gives="array_of_sizes", dtype="float64", draws="uniform"),
    _row("numpy.random.randn", gives="array_of_sizes", dtype="float64", draws="normal"),
    _row("numpy.random.random numpy.random.random_sample", gives="array_filled size", dtype="float64",
         draws="uniform size=shape"),
    _row("numpy.random.normal", gives="array_drawn low high size", dtype="float64",
         draws="normal loc=mean scale=stddev size=shape"),
    _row("numpy.random.uniform", gives="array_drawn low high size", dtype="float64",
         draws="uniform low=minval high=maxval size=shape"),
    _row("numpy.random.randint", gives="array_drawn low high size dtype", dtype="int64",
         draws="uniform low=minval high=maxval"),
    _row("numpy.expand_dims", gives="expanded a axis"),
    _row("numpy.reshape", gives="reshaped a newshape"),
    _row("numpy.random.*.random numpy.random.*.random_sample", draws="uniform size=shape"),
    _row("numpy.random.*.rand", draws="uniform"),
    _row("numpy.random.*.randn", draws="normal"),
    _row("numpy.random.*.uniform", draws="uniform low=minval high=maxval size=shape"),
    _row("numpy.random.*.randint", draws="uniform low=minval high=maxval"),
    _row("numpy.random.*.normal", draws="normal loc=mean scale=stddev size=shape"),
    _row("numpy.random.standard_normal numpy.random.*.standard_normal", draws="normal size=shape"),
]

_PYTHON = [
    # One value for all elements, drawn at tracing time.
    _row("random.* secrets.* os.urandom uuid.uuid1* uuid.uuid4* time.clock* time.ctime* time.gmtime* time.localtime* "
         "time.monotonic* time.perf_counter* time.process_time* time.thread_time* time.time* datetime.date.today* "
         "datetime.datetime.now* datetime.datetime.today* datetime.datetime.utcnow*", effect="python_random"),
    _row("random.Random random.getstate random.seed random.setstate secrets.compare_digest", effect="pure"),
    # Takes Python values: not tensors.
    _row("builtins.open* json.* math.* os.fspath* os.listdir* os.path.* pathlib.* pickle.* re.*", effect="python",
         fails="TypeError"),
    _row("math.prod pathlib.*.* re.purge", fails=""),
    # Indifferent to what it is given.
    _row("builtins.* functools.*", effect="pure", cost="trivial"),
    _row("collections.* contextlib.* dataclasses.* datetime.* os.getenv* time.* uuid.*", effect="pure"),
    _row("copy.* inspect.* itertools.* operator.* os.environ.* string.* types.* typing.* warnings.*", effect="pure",
         proven=True),
    _row("builtins.__import__ builtins.compile builtins.delattr builtins.eval builtins.exec builtins.globals "
         "builtins.input builtins.locals builtins.setattr builtins.vars time.sleep", effect="unknown"),
    _row("builtins.print logging.*", effect="logging"),
    _row("copy.copy copy.deepcopy", role="copies", cost="trivial"),
    # What they made may call what they were given.
    _row("collections.*() contextlib.*()* copy.*() dataclasses.*()* functools.*()* inspect.*()* itertools.*()* "
         "operator.*()* types.*()* typing.*()* warnings.*()*", effect="unknown"),
    _row("typing.NamedTuple()", effect="pure", cost="trivial"),
    _row("collections.namedtuple()", effect="pure", cost="trivial", proven=True),
    _row("collections.OrderedDict collections.defaultdict", cost="trivial", proven=True),
    _row("operator.itemgetter()", effect="pure"),
    _row("builtins.next", effect="unknown"),
    _row("functools.partial", role="partial", proven=True),
    _row("importlib.import_module", role="module"),
    _row("builtins.filter builtins.map functools.reduce", calls=(0,), proven=True),
    _row("builtins.max builtins.min builtins.sorted", calls=("key",), proven=True),
    _row("itertools.chain", role="walks"),
    _row("builtins.enumerate builtins.reversed builtins.zip", role="walks", proven=True),
    _row("builtins.abs", batches="same", made="scalar", proven=True),
    _row("math.exp math.log math.log10 math.log2 math.sqrt", made="scalar"),
    _row("builtins.float builtins.int builtins.round", made="scalar", proven=True),
    _row("math.e math.inf math.nan math.pi", made="number"),
    _row("builtins.dict", batches="dict", proven=True),
    _row("builtins.tuple", batches="tuple", proven=True),
    _row("glob.glob os.listdir", gives="file_names pattern"),
    _row("random.random random.*.random", draws="uniform"),
    _row("random.uniform random.*.uniform", draws="uniform a=minval b=maxval"),
    _row("random.randint random.*.randint", draws="uniform a=minval b=last"),
    _row("random.randrange random.*.randrange", draws="uniform start=minval stop=maxval"),
    _row("random.gauss random.normalvariate random.*.gauss random.*.normalvariate",
         draws="normal mu=mean sigma=stddev"),
]

_METHODS = [
    _row("Element.* bytes.* dict.* float.* int.* list.* set.* str.* tuple.*", effect="pure", cost="trivial",
         proven=True),
    _row("Element.item Element.numpy Element.tolist", effect="eager_only", fails="AttributeError"),
    _row("Element.get_shape", why_not=_SHAPE),
    _row("Element.set_shape", why_not="fixes the shape of one element"),
    _row("list.append list.clear list.extend list.insert list.pop list.remove list.reverse list.sort set.add set.clear "
         "set.discard set.pop set.remove set.update dict.clear dict.pop dict.popitem dict.setdefault dict.update",
         effect="changes"),
    _row("append appendleft clear extend extendleft insert pop popitem popleft remove reverse setdefault subtract "
         "update", under="collections.*.", effect="changes"),
    _row("?.*", effect="unknown", cost="trivial"),
    _row("local.*", effect="unknown", cost="trivial", proven=True),
    # Of lists, dicts, strings or tensors for sure enough.
    *(_row("_asdict _replace as_list assert_has_rank assert_is_compatible_with assert_is_fully_defined "
           "assert_same_rank copy count endswith format get get_shape index is_compatible_with "
           "is_fully_defined items join keys lower merge_with num_elements replace row_lengths set_shape "
           "startswith strip to_sparse to_tensor upper values with_rank",
           under=under, effect="pure") for under in ("?.", "local.")),
    _row("?.assign_add ?.assign_sub local.assign_add local.assign_sub", effect="variable_assign"),
    _row("?.lookup local.lookup", effect="lookup", batches="same", cost="light"),
    _row("?.append ?.extend", effect="side_effect"),
    _row("add append appendleft clear discard extend extendleft insert pop popitem popleft remove reverse setdefault "
         "sort subtract update", under="local.", effect="pure"),
]

# What computes from its arguments alone, and of which nothing else is said.
_PURE = [
    _tf("RaggedTensor.* TensorArray accumulate_n add_n angle argsort assert_* audio.* batch_to_space bessel_* betainc "
        "bincount bitcast bitwise.* broadcast_* clip_by_* confusion_matrix conj count_nonzero cumulative_logsumexp "
        "debugging.Assert debugging.assert_* debugging.is_numeric_tensor dtypes.* dynamic_partition dynamic_stitch "
        "edit_distance eig eigvals erfcinv erfinv feature_column.* fingerprint histogram_fixed_width "
        "histogram_fixed_width_bins identity_n ifft* igamma igammac imag in_top_k invert_permutation io.encode_* "
        "io.extract_jpeg_shape io.SparseFeature io.deserialize_many_sparse io.is_jpeg io.serialize_* irfft* is_* lbeta "
        "linspace logical_* lookup.StaticHashTable lookup.StaticVocabularyTable lookup.KeyValueTensorInitializer "
        "lookup.TextFileInitializer lookup.TextFileIndex.* ndtri nest.* nextafter parallel_stack polygamma polyval "
        "ragged.* real reciprocal_no_nan required_space_to_batch_paddings reverse_sequence rfft* scatter_nd "
        "searchsorted segment_* sequence_mask sets.* shape_n sobol_sample space_to_batch space_to_batch_nd sparse.* "
        "special.* strings.* tensor_scatter_nd_* top_k truncatemod unravel_index unsorted_segment_* xdivy xlog1py "
        "xlogy zero_fraction zeta", proven=True),
    _tf("decode_* parse_* serialize_* sparse_* string_*", gone=_V1, proven=True),
    _tf("contrib.signal.*", proven=True),
    _tf("data.experimental.distributed_save data.experimental.enable_debug_mode data.experimental.get_next_as_optional "
        "data.experimental.index_table_from_dataset data.experimental.make_saveable_from_iterator "
        "data.experimental.save data.experimental.service.* data.experimental.table_from_dataset "
        "image.generate_bounding_box_proposals nn.RNNCell*", proven=False),
    _row("tensorflow_io.*", proven=True),
    # Python, while a function is traced
    _row("all any bool bytes callable dir divmod format frozenset hasattr hash id isinstance issubclass len list "
         "object ord chr pow range repr set slice str sum super type *Error *Exception StopIteration",
         under="builtins.", proven=True),
    _row("contextlib.nullcontext contextlib.suppress datetime.timedelta os.getenv uuid.UUID", proven=True),
]
# fmt: on


ROWS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        name: row
        for group in (_TENSORFLOW, _KERAS_ROWS, _LIBRARIES, _NUMPY, _PYTHON, _METHODS, _PURE)
        for rows in group
        for name, row in rows
    }
)
"""All rows: by name what is said of it."""

_BEGINNINGS = {name[:-1]: row for name, row in ROWS.items() if name.find("*") == len(name) - 1}
_PATTERNS = [
    (parts[0], parts[1:-1], parts[-1], row)
    for parts, row in [(name.split("*"), row) for name, row in ROWS.items() if "*" in name[:-1]]
]

TF1_NAMES = frozenset(
    name.split(".")[1].rstrip("*")
    for name, row in ROWS.items()
    if row.get("gone") in (_V1, _CONTRIB) and name.removesuffix(".*").count(".") == 1 and "()" not in name
)
"""Names that TensorFlow 2 no longer has at its top level."""

#: What `load_data` of the data sets of Keras gives: dtype of the examples, their shape, dtype and shape of the labels,
#: the number of examples for training and for test.
KERAS_DATASETS: Mapping[str, tuple[str, tuple[int, ...], str, tuple[int, ...], int, int]] = MappingProxyType(
    {
        "mnist": ("uint8", (28, 28), "uint8", (), 60_000, 10_000),
        "fashion_mnist": ("uint8", (28, 28), "uint8", (), 60_000, 10_000),
        "cifar10": ("uint8", (32, 32, 3), "uint8", (1,), 50_000, 10_000),
        "cifar100": ("uint8", (32, 32, 3), "int64", (1,), 50_000, 10_000),
    }
)

LOGGING_METHODS = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log", "vlog", "log_first_n",
     "log_every_n", "log_if", "print", "success", "trace"}
)  # fmt: skip
"""What of a module or object for logging logs."""
