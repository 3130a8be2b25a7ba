"""What functions and operations give: how dtype and shape of a result follow from the arguments.

A row names a rule, which `nouns/results.py` (functions) or `nouns/elements.py` (operations of tf.data) knows, the
parameters in their order, and a dtype where that is always the same. What has no row gives what nobody knows. Names are
canonical, see `names.py`. Measured on TensorFlow 2.21; `tests/pipeline/test_structure.py` compares it all.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Gives(NamedTuple):
    """What a function gives."""

    rule: str
    parameters: tuple[str, ...] = ()
    dtype: str = ""


def _gives(names: str, rule: str, parameters: str, dtype: str = "", under: str = "tensorflow.") -> dict[str, Gives]:
    row = Gives(rule, tuple(parameters.split()), dtype)
    return {under + name: row for name in names.split()}


# fmt: off
_TENSORS = [
    # The first argument, changed value by value
    _gives("ceil floor identity negative nn.relu nn.relu6 nn.elu nn.selu nn.gelu nn.softplus nn.leaky_relu nn.swish "
           "nn.silu rint round sign square stop_gradient exp log log1p nn.sigmoid nn.tanh reciprocal rsqrt sigmoid "
           "sqrt tanh sin cos tan asin acos atan sinh cosh expm1 erf softplus nn.softmax nn.log_softmax softmax "
           "log_softmax l2_normalize nn.l2_normalize linalg.l2_normalize cumsum cumprod reverse sort "
           "debugging.check_numerics grad_pass_through roll random.shuffle "
           "random_shuffle bitwise.invert logical_not clip_by_norm", "same", "x"),
    _gives("clip_by_value", "same", "t clip_value_min clip_value_max"),
    _gives("ones_like zeros_like", "typed", "input dtype"),
    _gives("cast saturate_cast", "typed", "x dtype"),
    _gives("to_float", "same", "x", dtype="float32"),
    _gives("to_double", "same", "x", dtype="float64"),
    _gives("to_int32", "same", "x", dtype="int32"),
    _gives("to_int64", "same", "x", dtype="int64"),
    _gives("abs", "absolute", "x"),
    _gives("is_finite is_inf is_nan", "same", "x", dtype="bool"),
    # Two tensors, broadcast
    _gives("add subtract multiply maximum minimum pow mod floormod floordiv floor_div multiply_no_nan "
           "squared_difference bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor atan2", "broadcast", "x y"),
    _gives("divide truediv div", "divided", "x y"),
    _gives("divide_no_nan realdiv", "broadcast", "x y"),
    _gives("equal greater greater_equal less less_equal not_equal logical_and logical_or logical_xor", "broadcast",
           "x y", dtype="bool"),
    _gives("where", "where", "condition x y"),
    # Shapes
    _gives("reshape", "reshaped", "tensor shape"),
    _gives("ensure_shape", "ensured", "x shape"),
    _gives("expand_dims", "expanded", "input axis"),
    _gives("squeeze", "squeezed", "input axis"),
    _gives("transpose", "transposed", "a perm"),
    _gives("broadcast_to", "reshaped", "input shape"),
    _gives("tile", "tiled", "input multiples"),
    _gives("pad", "padded", "tensor paddings"),
    _gives("slice", "sliced", "input_ begin size"),
    _gives("stack", "stacked", "values axis"),
    _gives("concat", "concatenated", "values axis"),
    _gives("split", "split", "value num_or_size_splits axis"),
    _gives("unstack", "unstacked", "value num axis"),
    _gives("gather", "gathered", "params indices validate_indices axis batch_dims"),
    _gives("boolean_mask", "masked", "tensor mask axis"),
    _gives("one_hot", "one_hot", "indices depth on_value off_value axis dtype"),
    _gives("reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_std reduce_variance reduce_logsumexp",
           "reduced", "input_tensor axis keepdims"),
    _gives("reduce_all reduce_any", "reduced", "input_tensor axis keepdims", dtype="bool"),
    _gives("argmax argmin", "arg_of", "input axis output_type"),
    _gives("shape", "shape_of", "input out_type"),
    _gives("size rank", "counted", "input out_type"),
    # Made of nothing
    _gives("zeros ones", "filled", "shape dtype", dtype="float32"),
    _gives("fill", "filled_with", "dims value"),
    _gives("constant convert_to_tensor", "constant", "value dtype shape"),
    _gives("range", "range", "start limit delta dtype"),
    _gives("eye", "eye", "num_rows num_columns batch_shape dtype"),
    _gives("random.normal random.truncated_normal random_normal truncated_normal", "filled",
           "shape mean stddev dtype", dtype="float32"),
    _gives("random.uniform random_uniform", "filled", "shape minval maxval dtype", dtype="float32"),
    _gives("random.stateless_normal random.stateless_truncated_normal", "filled", "shape seed mean stddev dtype",
           dtype="float32"),
    _gives("random.stateless_uniform", "filled", "shape seed minval maxval dtype", dtype="float32"),
    # Images
    _gives("image.decode_jpeg io.decode_jpeg image.decode_and_crop_jpeg io.decode_and_crop_jpeg", "decoded",
           "contents channels", dtype="uint8"),
    _gives("image.decode_bmp io.decode_bmp", "decoded", "contents channels", dtype="uint8"),
    _gives("image.decode_png io.decode_png", "decoded", "contents channels dtype", dtype="uint8"),
    _gives("image.decode_image io.decode_image", "decoded_any", "contents channels dtype name expand_animations",
           dtype="uint8"),
    _gives("image.decode_gif io.decode_gif", "decoded_frames", "contents", dtype="uint8"),
    _gives("image.flip_left_right image.flip_up_down image.random_flip_left_right image.random_flip_up_down "
           "image.adjust_brightness image.adjust_contrast image.adjust_hue image.adjust_saturation "
           "image.random_brightness image.random_contrast image.random_hue image.random_saturation "
           "image.random_jpeg_quality image.adjust_jpeg_quality image.stateless_random_flip_left_right "
           "image.stateless_random_flip_up_down image.stateless_random_brightness image.stateless_random_contrast "
           "image.stateless_random_hue image.stateless_random_saturation image.stateless_random_jpeg_quality "
           "image.adjust_gamma image.rgb_to_hsv image.hsv_to_rgb", "same", "image"),
    _gives("image.per_image_standardization", "same", "image", dtype="float32"),
    _gives("image.convert_image_dtype", "typed", "image dtype"),
    _gives("image.resize image.resize_images", "resized", "images size method", dtype="float32"),
    _gives("image.resize_with_pad image.resize_image_with_pad", "resized_to", "image target_height target_width method",
           dtype="float32"),
    _gives("image.resize_with_crop_or_pad image.resize_image_with_crop_or_pad", "resized_to",
           "image target_height target_width"),
    _gives("image.crop_to_bounding_box image.pad_to_bounding_box", "resized_to",
           "image offset_height offset_width target_height target_width"),
    _gives("image.resize_bilinear image.resize_bicubic image.resize_area", "resized", "images size", dtype="float32"),
    _gives("image.resize_nearest_neighbor", "resized", "images size"),
    _gives("image.central_crop image.rot90", "resized_somehow", "image"),
    _gives("image.transpose image.transpose_image", "image_transposed", "image"),
    _gives("image.rgb_to_grayscale", "channels_1", "image"),
    _gives("image.grayscale_to_rgb", "channels_3", "image"),
    _gives("image.random_crop random_crop image.stateless_random_crop", "cropped", "value size"),
    _gives("image.crop_and_resize", "cropped_boxes", "image boxes box_indices crop_size", dtype="float32"),
    # Sound
    _gives("audio.decode_wav", "decoded_sound", "contents desired_channels desired_samples"),
    # Files and records
    _gives("io.read_file read_file", "same", "filename", dtype="string"),
    _gives("io.decode_raw decode_raw", "decoded_raw", "input_bytes out_type"),
    _gives("io.parse_single_example parse_single_example", "parsed", "serialized features"),
    _gives("io.parse_example parse_example", "parsed", "serialized features"),
    _gives("io.parse_single_sequence_example parse_single_sequence_example", "parsed_sequence",
           "serialized context_features sequence_features"),
    _gives("io.parse_tensor parse_tensor", "parsed_tensor", "serialized out_type"),
    _gives("io.decode_csv decode_csv", "parsed_csv", "records record_defaults"),
    _gives("sparse.to_dense sparse_tensor_to_dense", "dense", "sp_input"),
    # Strings
    _gives("strings.lower strings.upper strings.strip strings.regex_replace strings.substr string_strip substr "
           "regex_replace io.encode_base64 io.decode_base64", "same", "input", dtype="string"),
    _gives("strings.as_string as_string", "same", "input", dtype="string"),
    _gives("strings.length", "same", "input", dtype="int32"),
    _gives("strings.to_hash_bucket strings.to_hash_bucket_fast strings.to_hash_bucket_strong string_to_hash_bucket "
           "string_to_hash_bucket_fast string_to_hash_bucket_strong", "same", "input", dtype="int64"),
    _gives("strings.regex_full_match", "same", "input", dtype="bool"),
    _gives("strings.to_number string_to_number", "typed", "input out_type", dtype="float32"),
    _gives("strings.split", "split_text", "input"),
    _gives("strings.unicode_decode", "split_text", "input", dtype="int32"),
    _gives("strings.unicode_split strings.bytes_split", "split_text", "input"),
    _gives("string_split", "split_words", "source"),
    _gives("strings.join string_join", "joined_text", "inputs"),
    # Functions of Python, functions of functions
    _gives("io.gfile.glob io.gfile.listdir gfile.Glob gfile.ListDirectory", "file_names", "pattern"),
    _gives("glob.glob os.listdir", "file_names", "pattern", under=""),
    _gives("numpy_function py_function py_func", "python", "func inp Tout"),
]

_NUMPY = [
    _gives("zeros ones empty", "array_filled", "shape dtype", dtype="float64", under="numpy."),
    _gives("full", "array_full", "shape fill_value dtype", under="numpy."),
    _gives("array asarray", "array", "object dtype", under="numpy."),
    _gives("arange", "array_range", "start stop step dtype", under="numpy."),
    _gives("linspace", "array_linspace", "start stop num", under="numpy."),
    _gives("random.rand random.randn", "array_of_sizes", "", dtype="float64", under="numpy."),
    _gives("random.random random.random_sample", "array_filled", "size", dtype="float64", under="numpy."),
    _gives("random.normal random.uniform", "array_drawn", "low high size", dtype="float64", under="numpy."),
    _gives("random.randint", "array_drawn", "low high size dtype", dtype="int64", under="numpy."),
    _gives("expand_dims", "expanded", "a axis", under="numpy."),
    _gives("reshape", "reshaped", "a newshape", under="numpy."),
]

FUNCTIONS: Mapping[str, Gives] = MappingProxyType({n: row for rows in (*_TENSORS, *_NUMPY) for n, row in rows.items()})
"""By canonical name."""

#: What raises a ValueError where not even the rank of an argument is known, and that argument.
NEEDS_RANK: Mapping[str, str] = MappingProxyType({
    "tensorflow.image.resize": "images", "tensorflow.image.resize_images": "images",
    "tensorflow.image.central_crop": "image", "tensorflow.image.total_variation": "images",
    "tensorflow.image.random_jpeg_quality": "image", "tensorflow.unstack": "value",
})

#: What `load_data` of the data sets of Keras gives: dtype of the examples, their shape, dtype and shape of the labels,
#: the number of examples for training and for test.
KERAS_DATASETS: Mapping[str, tuple[str, tuple[int, ...], str, tuple[int, ...], int, int]] = MappingProxyType({
    "mnist": ("uint8", (28, 28), "uint8", (), 60_000, 10_000),
    "fashion_mnist": ("uint8", (28, 28), "uint8", (), 60_000, 10_000),
    "cifar10": ("uint8", (32, 32, 3), "uint8", (1,), 50_000, 10_000),
    "cifar100": ("uint8", (32, 32, 3), "int64", (1,), 50_000, 10_000),
})


def _operations(**names: str) -> Mapping[str, str]:
    return MappingProxyType({name: rule for rule, listed in names.items() for name in listed.split()})


#: By the name of the operation: what elements it gives.
OPERATIONS: Mapping[str, str] = _operations(
    same="take take_while skip shard repeat shuffle unique cache snapshot prefetch with_options ignore_errors filter "
         "filter_with_legacy_function assert_cardinality shuffle_and_repeat copy_to_device prefetch_to_device "
         "latency_stats bytes_produced_stats set_stats_aggregator distribute split_dataset",
    mapped="map map_with_legacy_function",
    flattened="flat_map interleave parallel_interleave sloppy_interleave",
    batch="batch batch_and_drop_remainder",
    mapped_batch="map_and_batch map_and_batch_with_legacy_function",
    padded="padded_batch padded_batch_and_drop_remainder",
    ragged="ragged_batch dense_to_ragged_batch",
    rebatch="rebatch",
    unbatch="unbatch",
    window="window",
    enumerated="enumerate enumerate_dataset",
    zip="zip",
    one_of="concatenate sample_from_datasets choose_from_datasets",
    scan="scan",
    rejection="rejection_resample",
    buckets="bucket_by_sequence_length",
    parse="parse_example_dataset",
    # Sources
    tensors="from_tensors",
    slices="from_tensor_slices",
    rows="from_list",
    generator="from_generator",
    numbers="range",
    counter="counter",
    random="random",
    texts="TFRecordDataset TextLineDataset FixedLengthRecordDataset list_files",
    csv="CsvDataset",
    images="image_dataset_from_directory",
    labelled_texts="text_dataset_from_directory",
    parameter="parameter",
    tfds="tfds.load tfds.as_dataset",
    loaded="load from_dataset_id",
)
# fmt: on
