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
from typing import Any

from tfdata_lint.pipeline.knowledge.kinds import Work
from tfdata_lint.pipeline.knowledge.names import canonical
from tfdata_lint.pipeline.knowledge.rows import CONTRIB, RAGGED, SHAPE, V1, Known, row as _row, tf as _tf
from tfdata_lint.pipeline.knowledge.tensorflow_rows import KERAS, TENSORFLOW

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


# fmt: off
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
    _row("tensorflow_text.*", effect="pure", why_not=RAGGED, proven=True),
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
    _row("albumentations.*()* imgaug.*()* torchvision.transforms.*()*", effect="python_random", role="augments"),
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
    _row("numpy.fromfile", gives="array_read file dtype count", dtype="float64"),
    _row("numpy.memmap", gives="array_read filename dtype mode offset shape", dtype="uint8"),
    _row("numpy.full", gives="array_full shape fill_value dtype"),
    _row("numpy.asarray", gives="array object dtype"),
    _row("numpy.arange", gives="array_range start stop step dtype"),
    _row("numpy.linspace", gives="array_linspace start stop num"),
    _row("numpy.random.rand", gives="array_of_sizes", dtype="float64", draws="uniform"),
    _row("numpy.random.randn", gives="array_of_sizes", dtype="float64", draws="normal"),
    _row("numpy.random.random numpy.random.random_sample", gives="array_filled size", dtype="float64",
         draws="uniform"),
    _row("numpy.random.normal", gives="array_drawn low high size", dtype="float64",
         draws="normal"),
    _row("numpy.random.uniform", gives="array_drawn low high size", dtype="float64",
         draws="uniform"),
    _row("numpy.random.randint", gives="array_drawn low high size dtype", dtype="int64",
         draws="uniform"),
    _row("numpy.expand_dims", gives="expanded a axis"),
    _row("numpy.reshape", gives="reshaped a newshape"),
    _row("numpy.random.*.random numpy.random.*.random_sample", draws="uniform"),
    _row("numpy.random.*.rand", draws="uniform"),
    _row("numpy.random.*.randn", draws="normal"),
    _row("numpy.random.*.uniform", draws="uniform"),
    _row("numpy.random.*.randint", draws="uniform"),
    _row("numpy.random.*.normal", draws="normal"),
    _row("numpy.random.standard_normal numpy.random.*.standard_normal", draws="normal"),
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
    _row("json.loads", effect="python", fails="TypeError", role="reads"),
    # Indifferent to what it is given.
    _row("builtins.* functools.*", effect="pure", cost="trivial"),
    _row("collections.* contextlib.* dataclasses.* datetime.* os.getenv* time.* uuid.*", effect="pure"),
    _row("copy.* inspect.* itertools.* operator.* os.environ.* string.* types.* typing.* warnings.*", effect="pure",
         proven=True),
    _row("builtins.__import__ builtins.compile builtins.delattr builtins.eval builtins.exec builtins.globals "
         "builtins.input builtins.locals builtins.setattr builtins.vars time.sleep", effect="unknown"),
    _row("builtins.print logging.* pprint.*", effect="logging"),
    _row("copy.copy copy.deepcopy copy.replace dataclasses.replace attr.evolve attrs.evolve", role="copies",
         cost="trivial"),
    # What they made may call what they were given.
    _row("collections.*() contextlib.*()* copy.*() dataclasses.*()* functools.*()* inspect.*()* itertools.*()* "
         "operator.*()* types.*()* typing.*()* warnings.*()*", effect="unknown"),
    _row("typing.NamedTuple()", effect="pure", cost="trivial"),
    _row("types.SimpleNamespace", effect="pure", proven=True, role="holds"),
    _row("collections.namedtuple()", effect="pure", cost="trivial", proven=True),
    _row("collections.defaultdict", cost="trivial", proven=True),
    _row("collections.OrderedDict", cost="trivial", proven=True, role="mapping", batches="dict"),
    _row("operator.itemgetter()", effect="pure"),
    _row("builtins.next", effect="unknown"),
    _row("functools.partial", role="partial", proven=True),
    _row("importlib.import_module", role="module"),
    _row("builtins.filter builtins.map", calls=(0,), role="walks", proven=True),
    _row("functools.reduce", calls=(0,), role="reduces", proven=True),
    _row("builtins.max builtins.min builtins.sorted", calls=("key",), proven=True),
    _row("itertools.chain", role="walks"),
    _row("itertools.islice", role="part"),
    _row("builtins.enumerate builtins.reversed builtins.zip", role="walks", proven=True),
    _row("builtins.abs", batches="same", made="scalar", proven=True),
    _row("math.exp math.log math.log10 math.log2 math.sqrt", made="scalar"),
    _row("builtins.float builtins.int builtins.round", made="scalar", proven=True),
    _row("math.e math.inf math.nan math.pi", made="number"),
    _row("builtins.dict", batches="dict", proven=True),
    _row("builtins.tuple", batches="tuple", proven=True),
    _row("glob.glob os.listdir", gives="file_names pattern"),
    _row("random.random random.*.random", draws="uniform"),
    _row("random.uniform random.*.uniform", draws="uniform"),
    _row("random.randint random.*.randint", draws="uniform"),
    _row("random.randrange random.*.randrange", draws="uniform"),
    _row("random.gauss random.normalvariate random.*.gauss random.*.normalvariate",
         draws="normal"),
]

_METHODS = [
    _row("Element.* bytes.* dict.* float.* int.* list.* set.* str.* tuple.*", effect="pure", cost="trivial",
         proven=True),
    _row("Element.item Element.numpy Element.tolist", effect="eager_only", fails="AttributeError"),
    _row("Element.get_shape", why_not=SHAPE),
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
    _tf("decode_* parse_* serialize_* sparse_* string_*", gone=V1, proven=True),
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
        for group in (TENSORFLOW, KERAS, _LIBRARIES, _NUMPY, _PYTHON, _METHODS, _PURE)
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
    if row.get("gone") in (V1, CONTRIB) and name.removesuffix(".*").count(".") == 1 and "()" not in name
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
