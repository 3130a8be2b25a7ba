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
    for end in range(1, len(name) + 1):
        if (row := _BEGINNINGS.get(name[:end])) is not None:
            said.update(row)
    for parts, row in _PATTERNS:
        if _matches(parts, name):
            said.update(row)
    said.update(ROWS.get(name, {}))
    return Known(**said)


def _matches(parts: list[str], name: str) -> bool:
    """Do these parts make up a name, with anything between them?"""
    first, *middle, end = parts
    if not name.startswith(first) or not name.endswith(end):
        return False
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
    return [(under + name, MappingProxyType(said)) for name in names.split()]


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
    _tf("abs ceil floor identity is_finite is_inf is_nan logical_not negative nn.relu nn.relu6 ones_like rint round "
        "sign square stop_gradient zeros_like", cost="trivial", batches="same"),
    _tf("to_bfloat16 to_double to_float to_int32 to_int64", cost="trivial", batches="same", gone=_V1),
    _tf("saturate_cast", cost="trivial", batches="cast"),
    _tf("cast", cost="trivial", batches="cast", made="scalar"),
    _tf("convert_to_tensor", cost="trivial", batches="same", made="scalar"),
    _tf("bitwise.invert", batches="same"),
    _tf("clip_by_value divide divide_no_nan equal floordiv floormod greater greater_equal less less_equal "
        "logical_and logical_or logical_xor maximum minimum mod multiply_no_nan not_equal squared_difference subtract "
        "realdiv truediv", cost="trivial", batches="operands"),
    _tf("floor_div", cost="trivial", batches="operands", gone=_V1),
    _tf("bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor truncatediv", batches="operands"),
    _tf("where", cost="trivial", batches="choice"),
    _tf("where_v2", cost="trivial", batches="choice", gone=_V1),
    _tf("add", cost="trivial", batches="sum"),
    _tf("multiply scalar_mul", cost="trivial", batches="product"),
    _tf("div", cost="trivial", batches="product", gone=_V1),
    _tf("pow", cost="trivial", batches="power"),
    _tf("exp log log1p nn.sigmoid nn.tanh reciprocal rsqrt sigmoid sqrt tanh", cost="trivial", batches="rounded"),
    _tf("acos acosh asin asinh atan atanh cos cosh digamma erf erfc expm1 lgamma log_sigmoid nn.elu nn.gelu "
        "nn.selu nn.silu nn.softplus nn.softsign nn.swish sin sinh softplus softsign tan",
        batches="rounded"),
    _tf("nn.leaky_relu", batches="scalars"),
    _tf("cumsum", why_not=_ALONG),
    _tf("clip_by_norm norm", why_not=_NORM),
    _tf("linalg.norm", cost="light", why_not=_NORM),
    _tf("linalg.*", cost="algebra", why_not=_RANK),
    _tf("linalg.band_part linalg.cross linalg.diag linalg.diag_part linalg.eye linalg.matrix_transpose "
        "linalg.normalize linalg.set_diag linalg.trace", cost="light"),
    _tf("einsum matmul tensordot", cost="algebra", why_not=_RANK),

    # Shapes
    _tf("shape rank", cost="trivial", why_not=_SHAPE),
    _tf("size", cost="trivial", why_not="counts the whole batch"),
    _tf("broadcast_to ensure_shape reshape slice strided_slice transpose unstack", cost="trivial", why_not=_RANK),
    _tf("boolean_mask gather_nd meshgrid pad repeat roll split tile unique unique_with_counts", why_not=_RANK),
    _tf("expand_dims reverse squeeze", cost="trivial", batches="axis", why_not=_RANK),
    _tf("concat stack", cost="trivial", batches="axis_of_list", why_not=_RANK),
    _tf("argmax argmin", batches="axis", why_not=_AXIS),
    _tf("sort", batches="last_axis"),
    _tf("reduce_*", why_not=_REDUCES),
    _tf("reduce_all reduce_any reduce_max reduce_min", batches="axis"),
    _tf("reduce_mean reduce_prod reduce_sum", batches="axis_rounded"),
    _tf("l2_normalize nn.l2_normalize", batches="axis_rounded", why_not="without a negative axis runs over the batch"),
    _tf("linalg.l2_normalize", cost="light", batches="axis_rounded"),
    _tf("nn.log_softmax nn.softmax", batches="last_axis_rounded"),
    _tf("one_hot", cost="trivial", batches="reshaped"),
    _tf("gather", cost="trivial", batches="table"),
    _tf("nn.embedding_lookup", batches="table"),
    _tf("range", cost="trivial", why_not=_SINGLE),
    _tf("constant", cost="trivial", made="scalar_or_array"),
    _tf("ones zeros", cost="trivial", made="filled"),
    _tf("bfloat16.* double.* float16.* float32.* float64.* half.* int8.* int16.* int32.* int64.* uint8.* uint16.* "
        "uint32.* uint64.* dtypes.*.max dtypes.*.min", made="number"),
    _tf("eye fill complex compat.dimension_value no_op tuple group is_tensor get_static_value nest.flatten "
        "nest.pack_sequence_as TensorShape TensorSpec as_dtype name_scope control_dependencies device "
        "executing_eagerly Assert debugging.*", cost="trivial"),
    # They put tensors together and compute nothing.
    _tf("SparseTensor RaggedTensor.from_nested_row_lengths RaggedTensor.from_nested_row_splits "
        "RaggedTensor.from_row_lengths RaggedTensor.from_row_splits sparse.SparseTensor nest.assert_same_structure "
        "nest.is_nested", cost="trivial"),
    _tf("dimension_value", cost="trivial", gone=_V1),
    _tf("assert_equal assert_greater assert_less assert_rank", cost="trivial"),
    _tf("function", cost="trivial", role="compiles"),

    # What calls the functions it is given
    _tf("foldl foldr scan vectorized_map", calls=(0, "fn")),
    _tf("map_fn", calls=(0, "fn"), why_not="would walk the batch"),
    _tf("autograph.experimental.do_not_convert autograph.to_graph custom_gradient grad_pass_through recompute_grad",
        role="copies"),
    _tf("ragged.map_flat_values", calls=(0, "op")),
    _tf("nest.map_structure", calls=(0, "func"), cost="trivial"),
    _tf("while_loop", calls=(0, 1, "cond", "body"), why_not=_BRANCHES),
    _tf("cond", role="chooses", calls=(1, 2, "true_fn", "false_fn", "fn1", "fn2"), why_not=_BRANCHES),
    _tf("case", calls=(0, 1, "pred_fn_pairs", "default"), why_not=_BRANCHES),
    _tf("switch_case", calls=(1, 2, "branch_fns", "default"), why_not=_BRANCHES),

    # Images and sound
    _tf("image.* signal.* nn.*", why_not=_RANK),
    _tf("image.adjust_*", cost="colour"),
    _tf("image.adjust_brightness image.adjust_contrast image.adjust_hue image.adjust_saturation image.central_crop "
        "image.crop_to_bounding_box image.flip_left_right image.flip_up_down image.pad_to_bounding_box "
        "image.per_image_standardization image.resize image.resize_with_crop_or_pad image.resize_with_pad "
        "image.rgb_to_grayscale image.rot90 image.total_variation image.transpose", batches="image"),
    _tf("image.resize_image_with_crop_or_pad image.resize_image_with_pad", batches="image", gone=_V1),
    _tf("image.rgb_to_hsv", cost="colour", batches="image"),
    _tf("image.hsv_to_rgb", cost="colour"),
    _tf("image.convert_image_dtype", batches="image_dtype"),
    _tf("image.decode_* audio.decode_*", cost="decode", why_not=_SINGLE),
    _tf("image.encode_* image.adjust_jpeg_quality io.encode_jpeg io.encode_png", cost="decode"),
    _tf("image.resize* image.non_max_suppression* image.ssim* image.combined_non_max_suppression "
        "image.crop_and_resize image.extract_glimpse image.extract_patches image.sobel_edges", cost="image"),
    _tf("signal.fft* signal.ifft* signal.rfft* signal.irfft* signal.dct signal.stft signal.inverse_stft "
        "signal.mfccs_from_log_mel_spectrograms", cost="spectrum"),
    _tf("fft*", cost="spectrum"),
    _tf("spectral.*", cost="spectrum", gone=_V1),
    _tf("signal.fftshift signal.ifftshift", cost="light"),
    _tf("nn.conv* nn.depthwise_conv2d nn.separable_conv2d", cost="algebra"),

    # Files, records, text
    _tf("io.read_file", cost="read", why_not=_SINGLE),
    _tf("read_file", cost="read", why_not=_SINGLE, gone=_V1),
    _tf("io.parse_*", cost="parse", why_not=_SINGLE),
    _tf("parse_example parse_single_sequence_example parse_tensor", cost="parse", why_not=_SINGLE, gone=_V1),
    _tf("io.parse_single_example", batches="parse"),
    _tf("parse_single_example", cost="parse", batches="parse", why_not=_SINGLE, gone=_V1),
    _tf("io.decode_*", why_not=_SINGLE),
    _tf("io.decode_and_crop_jpeg io.decode_bmp io.decode_compressed io.decode_gif io.decode_image io.decode_jpeg "
        "io.decode_json_example io.decode_jxl io.decode_png io.decode_proto io.decode_webp", cost="decode"),
    _tf("decode_compressed", cost="decode", gone=_V1),
    _tf("io.decode_csv", cost="parse", batches="csv"),
    _tf("decode_csv", cost="parse", batches="csv", gone=_V1),
    _tf("io.decode_raw", batches="reshaped"),
    _tf("decode_raw", batches="reshaped", gone=_V1),
    _tf("io.FixedLenFeature io.FixedLenSequenceFeature io.RaggedFeature io.VarLenFeature", cost="trivial"),
    _tf("FixedLenFeature FixedLenSequenceFeature VarLenFeature", cost="trivial", gone=_V1),
    _tf("as_string io.decode_base64 io.encode_base64 strings.as_string strings.length strings.lower strings.strip "
        "strings.to_hash_bucket strings.to_hash_bucket_fast strings.to_hash_bucket_strong strings.to_number "
        "strings.upper", batches="same"),
    _tf("decode_base64 encode_base64 string_strip string_to_hash_bucket string_to_hash_bucket_fast "
        "string_to_hash_bucket_strong string_to_number", batches="same", gone=_V1),
    _tf("strings.regex_* strings.bytes_split strings.ngrams", cost="text"),
    _tf("strings.regex_full_match strings.regex_replace", batches="same"),
    _tf("regex_replace", cost="text", batches="same", gone=_V1),
    _tf("strings.split strings.unicode_*", cost="text", why_not=_RAGGED),
    _tf("string_split", cost="text", why_not=_RAGGED, gone=_V1),
    _tf("strings.substr", batches="scalars"),
    _tf("substr", batches="scalars", gone=_V1),
    _tf("strings.join", batches="strings"),
    _tf("string_join", batches="strings", gone=_V1),
    _tf("strings.format", why_not="formats the whole batch"),
    _tf("strings.reduce_join", why_not="joins along the batch"),
    _tf("data.*", why_not=_SINGLE),
    _tf("data.Options", role="options"),
    _tf("data.experimental.Options", role="options", gone="`tf.data.Options` since TensorFlow 2.4"),

    # Random
    _tf("random.*", effect="unknown"),
    _tf("random.fold_in random.split random.get_global_generator random.experimental.get_global_generator "
        "random.experimental.index_shuffle random.experimental.stateless_fold_in random.experimental.stateless_split",
        effect="pure"),
    _tf("random.gamma random.normal random.truncated_normal random.uniform", effect="random", seed=4),
    _tf("random.all_candidate_sampler", effect="random", seed=4),
    _tf("random.categorical random.poisson", effect="random", seed=3),
    _tf("random.shuffle", effect="random", seed=1),
    _tf("random.fixed_unigram_candidate_sampler", effect="random"),
    _tf("random.learned_unigram_candidate_sampler random.log_uniform_candidate_sampler "
        "random.uniform_candidate_sampler", effect="random", seed=5),
    _tf("random_gamma random_normal random_uniform truncated_normal", effect="random", seed=4, gone=_V1),
    _tf("random_poisson", effect="random", seed=3, gone=_V1),
    _tf("multinomial random.multinomial random_crop", effect="random", seed=2, gone=_V1),
    _tf("random_shuffle", effect="random", seed=1, gone=_V1),
    _tf("random.Generator*().* random.experimental.Generator*().* random.get_global_generator().* "
        "random.experimental.get_global_generator().*", effect="generator"),
    _tf("random.stateless_* random.experimental.stateless_shuffle", effect="stateless_random", seed=1),
    _tf("random.stateless_categorical", seed=2),
    _tf("nn.experimental.stateless_dropout", effect="stateless_random", seed=2),
    _tf("random.set_seed", role="seeds"),
    _tf("set_random_seed random.set_random_seed", effect="unknown", role="seeds", gone=_V1),
    _tf("image.random_*", effect="random"),
    _tf("image.random_brightness image.random_hue", seed=2, cost="colour"),
    _tf("image.random_contrast image.random_saturation", seed=3, cost="colour"),
    _tf("image.random_crop", seed=2),
    _tf("image.random_flip_left_right image.random_flip_up_down", seed=1),
    _tf("image.random_jpeg_quality", seed=3, cost="decode"),
    _tf("image.sample_distorted_bounding_box", effect="random", seed=2, role="zero_is_no_seed"),
    _tf("image.stateless_*", effect="stateless_random", seed=1),
    _tf("image.stateless_random_brightness image.stateless_random_hue", seed=2, cost="colour"),
    _tf("image.stateless_random_contrast image.stateless_random_saturation", seed=3, cost="colour"),
    _tf("image.stateless_random_jpeg_quality", seed=3, cost="decode"),
    _tf("image.stateless_random_crop image.stateless_sample_distorted_bounding_box", seed=2),
    _tf("nn.dropout", effect="random", seed=3),
    _tf("nn.all_candidate_sampler nn.fixed_unigram_candidate_sampler nn.learned_unigram_candidate_sampler",
        effect="random"),
    _tf("nn.log_uniform_candidate_sampler nn.uniform_candidate_sampler", effect="random", gone=_V1),
    _tf("nn.experimental.general_dropout nn.fractional_* nn.nce_loss nn.sampled_softmax_loss", effect="unknown"),
    _tf("experimental.numpy.random.*", effect="random"),
    _tf("experimental.numpy.random.seed", effect="unknown"),

    # Python, variables, tables
    _tf("numpy_function py_function", effect="py_function", cost="python"),
    _tf("py_func", effect="py_function", cost="python", gone=_V1),
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
    _tf("contrib.data.* contrib.framework.nest.* contrib.image.* contrib.lookup.*", effect="pure"),
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
    _keras("activations.* losses.* ops.* utils.to_categorical", effect="pure"),
    _keras("ops.image.affine_transform ops.image.resize", cost="image"),
    _keras("applications.*.preprocess_input", effect="pure"),
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
    _row("tensorflow_hub.KerasLayer", effect="pure"),
    _row("tensorflow_hub.KerasLayer()*", effect="stateful_layer", cost="layer"),
    _keras("layers.*", effect="pure", cost="trivial"),
    _row("keras_cv.layers.*", effect="pure"),
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
    _row("tensorflow_addons.image.*", cost="image"),
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
    _row("tensorflow_text.*", effect="pure", why_not=_RAGGED),
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
    _row("six.* tree.*", effect="pure"),
    _row("six.iteritems", role="items"),
    _row("six.iterkeys", role="keys"),
    _row("six.itervalues", role="values"),
    _row("tqdm.tqdm tqdm.tqdm_notebook tqdm.trange tqdm.auto.tqdm tqdm.notebook.tqdm rich.progress.track "
         "progressbar.progressbar", role="walks"),
]

_NUMPY = [
    _row("numpy.*", effect="python", cost="trivial", fails="NotImplementedError"),
    _row("numpy.*.*", cost="light"),
    _row("numpy.shape numpy.ndim", effect="pure", fails=""),
    _row("numpy.array_equal numpy.dtype numpy.finfo numpy.flip numpy.iinfo numpy.iterable numpy.isscalar "
         "numpy.result_type numpy.str_", fails=""),
    _row("numpy.array", made="array"),
    _row("numpy.exp numpy.log numpy.sqrt numpy.float16 numpy.float32 numpy.float64 numpy.int32 numpy.int64 "
         "numpy.uint8", made="scalar"),
    _row("numpy.ones numpy.zeros", made="filled"),
    _row("numpy.e numpy.inf numpy.nan numpy.pi", made="number"),
    # One value for all elements, drawn at tracing time.
    _row("numpy.random.*", effect="python_random"),
    _row("numpy.random.seed numpy.random.get_state numpy.random.set_state numpy.random.default_rng "
         "numpy.random.Generator numpy.random.RandomState numpy.random.PCG64* numpy.random.SeedSequence*",
         effect="pure"),
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
    _row("collections.* contextlib.* copy.* dataclasses.* datetime.* inspect.* itertools.* operator.* os.environ.* "
         "os.getenv* string.* time.* types.* typing.* uuid.* warnings.*", effect="pure"),
    _row("builtins.__import__ builtins.compile builtins.delattr builtins.eval builtins.exec builtins.globals "
         "builtins.input builtins.locals builtins.setattr builtins.vars time.sleep", effect="unknown"),
    _row("builtins.print logging.*", effect="logging"),
    _row("copy.copy copy.deepcopy", role="copies", cost="trivial"),
    # What they made may call what they were given.
    _row("collections.*() contextlib.*()* copy.*() dataclasses.*()* functools.*()* inspect.*()* itertools.*()* "
         "operator.*()* types.*()* typing.*()* warnings.*()*", effect="unknown"),
    _row("collections.namedtuple() typing.NamedTuple()", effect="pure", cost="trivial"),
    _row("collections.OrderedDict collections.defaultdict", cost="trivial"),
    _row("operator.itemgetter()", effect="pure"),
    _row("builtins.next", effect="unknown"),
    _row("functools.partial", role="partial"),
    _row("importlib.import_module", role="module"),
    _row("builtins.filter builtins.map functools.reduce", calls=(0,)),
    _row("builtins.max builtins.min builtins.sorted", calls=("key",)),
    _row("builtins.enumerate builtins.reversed builtins.zip itertools.chain", role="walks"),
    _row("builtins.abs", batches="same", made="scalar"),
    _row("builtins.float builtins.int builtins.round math.exp math.log math.log10 math.log2 math.sqrt", made="scalar"),
    _row("math.e math.inf math.nan math.pi", made="number"),
    _row("builtins.dict", batches="dict"),
    _row("builtins.tuple", batches="tuple"),
]

_METHODS = [
    _row("Element.* bytes.* dict.* float.* int.* list.* set.* str.* tuple.*", effect="pure", cost="trivial"),
    _row("Element.item Element.numpy Element.tolist", effect="eager_only", fails="AttributeError"),
    _row("Element.get_shape", why_not=_SHAPE),
    _row("Element.set_shape", why_not="fixes the shape of one element"),
    _row("list.append list.clear list.extend list.insert list.pop list.remove list.reverse list.sort set.add set.clear "
         "set.discard set.pop set.remove set.update dict.clear dict.pop dict.popitem dict.setdefault dict.update",
         effect="changes"),
    _row("append appendleft clear extend extendleft insert pop popitem popleft remove reverse setdefault subtract "
         "update", under="collections.*.", effect="changes"),
    _row("?.* local.*", effect="unknown", cost="trivial"),
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

# What computes from its arguments alone. A test calls each of TensorFlow twice, in parallel and in another order.
_PURE = [
    _tf("Assert RaggedTensor.* SparseTensor TensorArray TensorShape TensorSpec abs accumulate_n acos acosh add "
        "add_n angle argmax argmin argsort as_dtype as_string asin asinh assert_* atan atan2 atanh audio.* "
        "batch_to_space bessel_* betainc bfloat16.* bincount bitcast bitwise.* boolean_mask broadcast_* case cast "
        "ceil clip_by_* compat.dimension_value complex concat cond confusion_matrix conj constant "
        "control_dependencies convert_to_tensor cos cosh count_nonzero cumprod cumsum cumulative_logsumexp data.* "
        "debugging.Assert debugging.assert_* debugging.check_numerics debugging.is_numeric_tensor device digamma "
        "dimension_value divide divide_no_nan double.* dtypes.* dynamic_partition dynamic_stitch edit_distance eig "
        "eigvals einsum ensure_shape equal erf erfc erfcinv erfinv executing_eagerly exp expand_dims expm1 eye "
        "feature_column.* fft* fill fingerprint float16.* float32.* float64.* floor floordiv floormod foldl foldr "
        "gather gather_nd get_static_value greater greater_equal group half.* histogram_fixed_width "
        "histogram_fixed_width_bins identity identity_n ifft* igamma igammac imag image.* in_top_k int16.* int32.* "
        "int64.* int8.* invert_permutation io.decode_* io.encode_* io.extract_jpeg_shape io.FixedLenFeature "
        "io.FixedLenSequenceFeature io.RaggedFeature io.SparseFeature io.VarLenFeature io.deserialize_many_sparse "
        "io.is_jpeg io.parse_* io.read_file io.serialize_* irfft* is_* l2_normalize lbeta less less_equal lgamma "
        "linalg.* linspace log log1p log_sigmoid log_softmax logical_* lookup.StaticHashTable "
        "lookup.StaticVocabularyTable lookup.KeyValueTensorInitializer lookup.TextFileInitializer "
        "lookup.TextFileIndex.* map_fn matmul maximum meshgrid minimum mod multiply multiply_no_nan name_scope "
        "ndtri negative nest.* nextafter nn.* no_op norm not_equal one_hot ones ones_like pad parallel_stack "
        "polygamma polyval pow ragged.* random.experimental.index_shuffle random.experimental.stateless_fold_in "
        "random.experimental.stateless_split random.fold_in random.split range rank real realdiv reciprocal "
        "reciprocal_no_nan reduce_* repeat required_space_to_batch_paddings reshape reverse reverse_sequence rfft* "
        "rint roll round rsqrt saturate_cast scalar_mul scan scatter_nd searchsorted segment_* sequence_mask "
        "sets.* shape shape_n sigmoid sign signal.* sin sinh size slice sobol_sample softmax softplus softsign "
        "sort space_to_batch space_to_batch_nd sparse.* special.* split sqrt square squared_difference squeeze "
        "stack stop_gradient strided_slice strings.* subtract switch_case tan tanh tensor_scatter_nd_* tensordot "
        "tile top_k transpose truediv truncatediv truncatemod tuple uint16.* uint32.* uint64.* uint8.* unique "
        "unique_with_counts unravel_index unsorted_segment_* unstack vectorized_map where where_v2 while_loop "
        "xdivy xlog1py xlogy zero_fraction zeros zeros_like zeta", proven=True),
    _tf("FixedLenFeature FixedLenSequenceFeature VarLenFeature decode_* div encode_base64 floor_div parse_* "
        "read_file regex_replace serialize_* sparse_* spectral.* string_* substr to_bfloat16 to_double to_float "
        "to_int32 to_int64", proven=True),
    _tf("contrib.framework.nest.* contrib.image.* contrib.signal.*", proven=True),
    _tf("data.experimental.distributed_save data.experimental.enable_debug_mode data.experimental.get_next_as_optional "
        "data.experimental.index_table_from_dataset data.experimental.make_saveable_from_iterator "
        "data.experimental.save data.experimental.service.* data.experimental.table_from_dataset "
        "image.generate_bounding_box_proposals nn.RNNCell*", proven=False),
    _keras("activations.* losses.* ops.* utils.to_categorical applications.*.preprocess_input", proven=True),
    _keras("layers.*", proven=True),
    _row("keras_cv.layers.* six.* tensorflow_addons.image.* tensorflow_hub.KerasLayer tensorflow_io.* "
         "tensorflow_text.* tree.*", proven=True),
    # Python, while a function is traced
    _row("abs all any bool bytes callable dict dir divmod enumerate filter float format frozenset hasattr hash id "
         "int isinstance issubclass len list map max min object ord chr pow range repr reversed round set slice "
         "sorted str sum super tuple type zip *Error *Exception StopIteration", under="builtins.", proven=True),
    _row("collections.OrderedDict collections.defaultdict collections.namedtuple() contextlib.nullcontext "
         "contextlib.suppress functools.partial functools.reduce itertools.* operator.* copy.* inspect.* "
         "numpy.shape numpy.ndim typing.* datetime.timedelta os.environ.* os.getenv string.* types.* uuid.UUID "
         "warnings.*", proven=True),
    _row("Element.* bytes.* dict.* float.* int.* list.* local.* set.* str.* tuple.*", proven=True),
]
# fmt: on


def _together(*groups: list[_Rows]) -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for name, row in (row for group in groups for rows in group for row in rows):
        found[name] = MappingProxyType({**found.get(name, {}), **row})
    return MappingProxyType(found)


ROWS = _together(_TENSORFLOW, _KERAS_ROWS, _LIBRARIES, _NUMPY, _PYTHON, _METHODS, _PURE)
"""All rows: by name what is said of it."""

_BEGINNINGS = {name[:-1]: row for name, row in ROWS.items() if name.find("*") == len(name) - 1}
_PATTERNS = [(name.split("*"), row) for name, row in ROWS.items() if "*" in name[:-1]]

TF1_NAMES = frozenset(
    name.split(".")[1].rstrip("*")
    for name, row in ROWS.items()
    if row.get("gone") in (_V1, _CONTRIB) and name.removesuffix(".*").count(".") == 1 and "()" not in name
)
"""Names that TensorFlow 2 no longer has at its top level."""

LOGGING_METHODS = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log", "vlog", "log_first_n",
     "log_every_n", "log_if", "print", "success", "trace"}
)  # fmt: skip
"""What of a module or object for logging logs."""
