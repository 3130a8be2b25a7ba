"""What every operation of tf.data is: its parameters, what it does to elements, which functions it calls.

The one place where TensorFlow is described; checked against an installed TensorFlow by a test.

In the tables `predicate()` is a parameter that takes a function, `@datasets` one that takes datasets, `buffer_size!`
one of a method or source of tf.data that must be given.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from tfdata_lint.pipeline.knowledge import words
from tfdata_lint.pipeline.knowledge.kinds import ConsumerKind, Kind, Reads
from tfdata_lint.pipeline.knowledge.names import last, plain


class Operation(NamedTuple):
    """One operation. `parameters` are in positional order, without `self`."""

    name: str
    kind: Kind
    parameters: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    """Parameters that take a function which TensorFlow runs for elements (a mapped function)."""
    datasets: tuple[str, ...] = ()
    """Parameters that take further datasets, or structures of them."""
    keeps_prefetch: bool = False
    """A prefetch before it still counts as the last effective stage (TFD101)."""
    ends_prefetched: bool = False
    """It ends in a prefetch of its own (Keras utilities, tfds, make_csv_dataset)."""
    batches: bool = False
    """Its elements are batches of its input's elements (or, for a source, batches).

    A source with a `batch_size` does what that says where it is given (None: single elements); this is its default.
    """
    reads: Reads = ""
    """A source that reads files: what its elements are."""
    shuffles: bool = False
    """It puts elements in a random order, unless `shuffle=False` is among its arguments."""
    endless: str = ""
    """It never ends while this parameter is absent, None or -1; `always`: whatever its arguments are."""
    required: int = 0
    """How many of the first parameters must be given, as far as `is_checked`."""
    variadic: bool = False
    """Any number of positional arguments, all of them the first parameter's: `zip(a, b)`, `range(1, 9, 2)`."""
    consumer: ConsumerKind | Literal[""] = ""
    """What kind of consumer it is of its dataset, where it is more than an argument."""
    gone: str = ""
    """Why the TensorFlow (or Keras) of today lacks it; empty when it is there."""
    gives: str = ""
    """The rule by which its elements follow from its arguments, see `nouns/elements.py`."""


def _op(kind: Kind, name: str, parameters: str = "", **more: Any) -> Operation:
    words = parameters.split()
    names = tuple([word.strip("@()!") for word in words])
    functions = tuple([word.strip("()!") for word in words if "(" in word])
    datasets = tuple([word.strip("@!") for word in words if word[0] == "@"])
    required = len([word for word in words if word[-1] == "!"])
    return Operation(name, kind, names, functions, datasets, required=required, **more)


_source = partial(_op, "source")
_step = partial(_op, "transformation")
_consumer = partial(_op, "consumer")


def _table(*operations: Operation) -> dict[str, Operation]:
    return {operation.name: operation for operation in operations}


PARAMETER = Operation("parameter", "source", gives="parameter")
"""A dataset that a function is given; where it comes from is not seen."""
UNRESOLVED = Operation("unresolved", "source")
"""A dataset whose making is not understood."""

_V1 = "a method of TensorFlow 1, since then only under tf.compat.v1"
_CONTRIB = "went with tf.contrib, which TensorFlow 2 does not have"
_STATS = "statistics were removed from tf.data"
_ESTIMATOR = "estimators were removed in TensorFlow 2.16"
_KERAS_2 = "removed by Keras 3: fit, evaluate and predict take generators"

_BUCKET = (
    "element_length_func()! bucket_boundaries! bucket_batch_sizes! padded_shapes padding_values pad_to_bucket_boundary "
    "no_padding drop_remainder"
)

# fmt: off
METHODS: Mapping[str, Operation] = MappingProxyType(_table(
    # Element by element
    _step("map", "map_func()! num_parallel_calls deterministic synchronous use_unbounded_threadpool name",
          gives="mapped"),
    _step("filter", "predicate()! name", gives="some"),
    _step("flat_map", "map_func()! name", gives="flattened"),
    _step("interleave", "map_func()! cycle_length block_length num_parallel_calls deterministic name",
          gives="flattened"),
    _step("scan", "initial_state! scan_func()! name", gives="scan"),
    _step("enumerate", "start name", keeps_prefetch=True, gives="enumerated"),
    _step("ignore_errors", "log_warning name", keeps_prefetch=True, gives="same"),
    _step("map_with_legacy_function", "map_func()! num_parallel_calls deterministic use_unbounded_threadpool",
          gone=_V1, gives="mapped"),
    _step("filter_with_legacy_function", "predicate()!", gone=_V1, gives="some"),
    # Which elements, in which order
    _step("take", "count! name", keeps_prefetch=True, gives="some"),
    _step("take_while", "predicate()! name", gives="some"),
    _step("skip", "count! name", keeps_prefetch=True, gives="some"),
    _step("shard", "num_shards! index! name", gives="some"),
    _step("repeat", "count name", keeps_prefetch=True, endless="count", gives="same"),
    _step("shuffle", "buffer_size! seed reshuffle_each_iteration name", shuffles=True, gives="same"),
    _step("unique", "name", gives="same"),
    _step("rejection_resample", "class_func()! target_dist! initial_dist seed name", gives="rejection"),
    _step("concatenate", "@dataset! name", keeps_prefetch=True, gives="one_of"),
    # Batches and windows
    _step("batch", "batch_size! drop_remainder num_parallel_calls deterministic name", batches=True, gives="batch"),
    _step("padded_batch", "batch_size! padded_shapes padding_values drop_remainder name", batches=True, gives="padded"),
    _step("ragged_batch", "batch_size! drop_remainder row_splits_dtype name", batches=True, gives="ragged"),
    _step("sparse_batch", "batch_size! row_shape! name", batches=True),
    _step("rebatch", "batch_size! drop_remainder name", batches=True, gives="rebatch"),
    _step("bucket_by_sequence_length", f"{_BUCKET} name", batches=True, gives="buckets"),
    _step("group_by_window", "key_func()! reduce_func()! window_size window_size_func() name"),
    _step("window", "size! shift stride drop_remainder name", gives="window"),
    _step("unbatch", "name", gives="unbatch"),
    # Storage, overlap, settings
    _step("cache", "filename name", gives="same"),
    _step("snapshot", "path! compression reader_func() shard_func() name", gives="same"),
    _step("prefetch", "buffer_size! name", gives="same"),
    _step("with_options", "options! name", keeps_prefetch=True, gives="same"),
    _step("apply", "transformation_func!"),
    # Where a dataset leaves the pipeline
    _consumer("as_numpy_iterator", consumer="as_numpy_iterator"),
    _consumer("reduce", "initial_state! reduce_func()! name", consumer="reduce"),
    _consumer("get_single_element", "name", consumer="get_single_element"),
    _consumer("save", "path! compression shard_func() checkpoint_args", consumer="save"),
    _consumer("cardinality", consumer="cardinality"),
    _consumer("options", consumer="inspection"),
    _consumer("fingerprint", consumer="inspection"),
    _consumer("make_one_shot_iterator", consumer="make_iterator", gone=_V1),
    _consumer("make_initializable_iterator", "shared_name", consumer="make_iterator", gone=_V1),
))
"""Methods of a dataset object, by name."""

_CLASSES = frozenset(
    {"tensorflow.data.Dataset", "tensorflow.data.TFRecordDataset", "tensorflow.Dataset", words.SUBCLASS}
)

ATTRIBUTES = frozenset({"element_spec", "output_types", "output_shapes", "output_classes"})
"""Properties of a dataset object; the last three are TensorFlow 1."""

#: What people ask of a dataset, and none has; Keras utilities hang some on what they return, the last are TensorFlow 1.
ABSENT = frozenset({
    "shape", "dtype", "ndim", "numpy", "columns", "to_numpy", "to_list", "tolist", "append", "class_names",
    "file_paths", "output_types", "output_shapes", "output_classes",
})  # fmt: skip

#: The attributes of `tf.data.Options` by the group they are in, of all versions.
OPTIONS: Mapping[str, str] = MappingProxyType({
    "": "autotune dataset_name deterministic experimental_autotune experimental_deterministic experimental_distribute "
        "experimental_external_state_policy experimental_numa_aware experimental_optimization experimental_service "
        "experimental_slack experimental_stateful_whitelist experimental_stats experimental_symbolic_checkpoint "
        "experimental_threading experimental_warm_start framework_type threading warm_start merge",
    "autotune": "autotune_algorithm cpu_budget enabled initial_parallelism min_parallelism ram_budget",
    "experimental_distribute": "auto_shard auto_shard_policy num_devices",
    "experimental_optimization":
        "apply_default_optimizations autotune autotune_algorithm autotune_buffers autotune_cpu_budget "
        "autotune_ram_budget filter_fusion filter_parallelization filter_with_random_uniform_fusion "
        "hoist_random_uniform inject_prefetch latency_all_edges map_and_batch_fusion map_and_filter_fusion map_fusion "
        "map_parallelization map_vectorization noop_elimination parallel_batch reorder_data_discarding_ops "
        "seq_interleave_prefetch shuffle_and_repeat_fusion",
    "experimental_service": "pinned",
    "experimental_stats": "aggregator counter_prefix latency_all_edges prefix",
    "experimental_threading": "max_intra_op_parallelism private_threadpool_size",
    "threading": "max_intra_op_parallelism private_threadpool_size",
})

# Called on the class: tf.data.Dataset.NAME.
_STATIC = _table(
    _source("from_tensor_slices", "tensors! name", gives="slices"),
    _source("from_tensors", "tensors! name", gives="tensors"),
    _source("from_sparse_tensor_slices", "sparse_tensor!", gone=_V1),
    _source("from_generator", "generator! output_types output_shapes args output_signature name", gives="generator"),
    _source("list_files", "file_pattern! shuffle seed name", reads="files", shuffles=True, gives="texts"),
    _source("range", "args output_type name", variadic=True, gives="numbers"),
    _source("random", "seed rerandomize_each_iteration name", endless="always", gives="random"),
    _source("counter", "start step dtype name", endless="always", gives="counter"),
    _source("load", "path! element_spec compression reader_func() wait", gives="loaded"),
    _step("zip", "@datasets name", keeps_prefetch=True, variadic=True, gives="zip"),
    _step("sample_from_datasets", "@datasets! weights seed stop_on_empty_dataset rerandomize_each_iteration",
          keeps_prefetch=True, gives="one_of"),
    _step("choose_from_datasets", "@datasets! @choice_dataset! stop_on_empty_dataset", keeps_prefetch=True,
          gives="one_of"),
)

# tf.data.NAME
_READERS = _table(
    _source("TFRecordDataset", "filenames! compression_type buffer_size num_parallel_reads name", reads="records",
            gives="texts"),
    _source("TextLineDataset", "filenames! compression_type buffer_size num_parallel_reads name", reads="text",
            gives="texts"),
    _source("FixedLengthRecordDataset",
            "filenames! record_bytes! header_bytes footer_bytes buffer_size compression_type num_parallel_reads name",
            reads="bytes", gives="texts"),
)
_ITERATORS = _table(
    _consumer("make_one_shot_iterator", "@dataset", consumer="make_iterator", gone=_V1),
    _consumer("make_initializable_iterator", "@dataset shared_name", consumer="make_iterator", gone=_V1),
)

_CSV = (
    "file_pattern batch_size column_names column_defaults label_name select_columns field_delim use_quote_delim "
    "na_value header num_epochs shuffle shuffle_buffer_size shuffle_seed prefetch_buffer_size num_parallel_reads "
    "sloppy num_rows_for_inference compression_type ignore_errors encoding"
)
_FEATURES = (
    "file_pattern batch_size features reader() label_key reader_args num_epochs shuffle shuffle_buffer_size "
    "shuffle_seed prefetch_buffer_size reader_num_threads parser_num_threads sloppy_ordering drop_final_batch"
)
_LOOKUP_TABLE = "@dataset num_oov_buckets vocab_size default_value hasher_spec key_dtype name"
_SERVICE = "job_name consumer_index num_consumers max_outstanding_requests data_transfer_protocol"

# tf.data.experimental.NAME: functions that give a dataset or take one.
_EXPERIMENTAL = {
    "Counter": _source("counter", "start step dtype", endless="always", gives="counter"),
    "RandomDataset": _source("random", "seed rerandomize_each_iteration name", endless="always", gives="random"),
    **_table(
        _source("CsvDataset",
                "filenames record_defaults compression_type buffer_size header field_delim use_quote_delim na_value "
                "select_cols exclude_cols", reads="csv", gives="csv"),
        _source("SqlDataset", "driver_name data_source_name query output_types"),
        _source("make_csv_dataset", _CSV,
                reads="csv", batches=True, shuffles=True, ends_prefetched=True, endless="num_epochs"),
        _source("make_batched_features_dataset", _FEATURES,
                reads="records", batches=True, shuffles=True, ends_prefetched=True, endless="num_epochs"),
        _source("from_list", "elements name", gives="rows"),
        _source("from_variant", "variant structure"),
        _source("load", "path element_spec compression reader_func()", gives="loaded"),
        _step("sample_from_datasets", "@datasets weights seed stop_on_empty_dataset", keeps_prefetch=True,
              gives="one_of"),
        _step("choose_from_datasets", "@datasets @choice_dataset stop_on_empty_dataset", keeps_prefetch=True,
              gives="one_of"),
        _consumer("get_single_element", "@dataset", consumer="get_single_element"),
        _consumer("save", "@dataset path compression shard_func() checkpoint_args", consumer="save"),
        _consumer("distributed_save", "@dataset path data_service_address compression"),
        _consumer("cardinality", "@dataset", consumer="cardinality"),
        _consumer("at", "@dataset index"),
        _consumer("to_variant", "@dataset"),
        _consumer("get_structure", "@dataset_or_iterator", consumer="inspection"),
        _consumer("table_from_dataset", _LOOKUP_TABLE),
        _consumer("index_table_from_dataset", _LOOKUP_TABLE),
    ),
    # The client of the data service asks for elements ahead: max_outstanding_requests.
    "service.from_dataset_id": _source(
        "from_dataset_id",
        f"processing_mode service dataset_id element_spec {_SERVICE} cross_trainer_cache target_workers",
        ends_prefetched=True, gives="loaded"),
    "service.register_dataset": _consumer("register_dataset", "service @dataset compression dataset_id"),
}

# tf.data.experimental.NAME(…) makes what Dataset.apply takes.
_APPLICABLE = {
    **_table(
        _step("map_and_batch", "map_func() batch_size num_parallel_batches drop_remainder num_parallel_calls",
              batches=True, gives="mapped_batch"),
        _step("map_and_batch_with_legacy_function",
              "map_func() batch_size num_parallel_batches drop_remainder num_parallel_calls", batches=True, gone=_V1,
              gives="mapped_batch"),
        _step("parallel_interleave",
              "map_func() cycle_length block_length sloppy buffer_output_elements prefetch_input_elements",
              gives="flattened"),
        _step("shuffle_and_repeat", "buffer_size count seed", shuffles=True, endless="count", gives="same"),
        _step("parse_example_dataset", "features num_parallel_calls deterministic", gives="parse"),
        _step("enumerate_dataset", "start", keeps_prefetch=True, gives="enumerated"),
        _step("ignore_errors", "log_warning", keeps_prefetch=True, gives="same"),
        _step("scan", "initial_state scan_func()", gives="scan"),
        _step("take_while", "predicate()", gives="some"),
        _step("unique", gives="same"),
        _step("rejection_resample", "class_func() target_dist initial_dist seed", gives="rejection"),
        _step("dense_to_ragged_batch", "batch_size drop_remainder row_splits_dtype", batches=True, gives="ragged"),
        _step("dense_to_sparse_batch", "batch_size row_shape", batches=True),
        _step("bucket_by_sequence_length", _BUCKET, batches=True, gives="buckets"),
        _step("group_by_window", "key_func() reduce_func() window_size window_size_func()"),
        _step("group_by_reducer", "key_func() reducer()"),
        _step("unbatch", gives="unbatch"),
        _step("snapshot", "path compression reader_func() shard_func()", gives="same"),
        _step("assert_cardinality", "expected_cardinality", keeps_prefetch=True, gives="same"),
        _step("pad_to_cardinality", "cardinality mask_key"),
        _step("copy_to_device", "target_device source_device", keeps_prefetch=True, gives="same"),
        _step("prefetch_to_device", "device buffer_size", ends_prefetched=True, gives="same"),
        _step("latency_stats", "tag", keeps_prefetch=True, gone=_STATS, gives="same"),
        _step("bytes_produced_stats", "tag", keeps_prefetch=True, gone=_STATS, gives="same"),
        _step("set_stats_aggregator", "stats_aggregator prefix counter_prefix", keeps_prefetch=True, gone=_STATS,
              gives="same"),
    ),
    "service.distribute": _step(
        "distribute", f"processing_mode service {_SERVICE} compression cross_trainer_cache target_workers",
        ends_prefetched=True, gives="same"),
}

# tf.contrib.data has most of tf.data.experimental (the same parameters, later ones missing), and these.
_CONTRIB_FUNCTIONS = _table(
    _source("read_batch_features",
            "file_pattern batch_size features reader() reader_args randomize_input num_epochs capacity",
            reads="records", batches=True, ends_prefetched=True, endless="num_epochs", gone=_CONTRIB),
    _consumer("reduce_dataset", "@dataset reducer()", gone=_CONTRIB),
)
_CONTRIB_APPLICABLE = _table(
    _step("batch_and_drop_remainder", "batch_size", batches=True, gone=_CONTRIB, gives="batch"),
    _step("padded_batch_and_drop_remainder", "batch_size padded_shapes padding_values", batches=True, gone=_CONTRIB,
          gives="padded"),
    _step("sliding_window_batch", "window_size stride window_shift window_stride", batches=True, gone=_CONTRIB),
    _step("sloppy_interleave", "map_func() cycle_length block_length", gone=_CONTRIB, gives="flattened"),
    _step("assert_element_shape", "expected_shapes", keeps_prefetch=True, gone=_CONTRIB),
)

_IMAGES = (
    "directory labels label_mode class_names color_mode batch_size image_size shuffle seed validation_split subset "
    "interpolation follow_links crop_to_aspect_ratio pad_to_aspect_ratio data_format format verbose"
)
_TEXTS = (
    "directory labels label_mode class_names batch_size max_length shuffle seed validation_split subset follow_links "
    "format verbose"
)
_AUDIO = (
    "directory labels label_mode class_names batch_size sampling_rate output_sequence_length ragged shuffle seed "
    "validation_split subset follow_links verbose"
)
_SERIES = (
    "data targets sequence_length sequence_stride sampling_rate batch_size shuffle seed start_index end_index format"
)
# Keras, whose modules move between versions while these names stay. Audio and time series prefetch before they batch.
_KERAS = _table(
    _source("image_dataset_from_directory", _IMAGES, batches=True, shuffles=True, ends_prefetched=True, gives="images"),
    _source("text_dataset_from_directory", _TEXTS, batches=True, shuffles=True, ends_prefetched=True,
            gives="labelled_texts"),
    _source("audio_dataset_from_directory", _AUDIO, batches=True, shuffles=True),
    _source("timeseries_dataset_from_array", _SERIES, batches=True),
    _source("split_dataset", "@dataset left_size right_size shuffle seed preferred_backend", ends_prefetched=True,
            gives="same"),
)

# tensorflow_datasets; it takes what follows the name and the split by keyword only.
_TFDS = {
    "load": _source(
        "tfds.load",
        "name split data_dir batch_size shuffle_files download as_supervised decoders read_config with_info "
        "builder_kwargs download_and_prepare_kwargs as_dataset_kwargs try_gcs file_format", ends_prefetched=True,
                    gives="tfds"),
    "as_numpy": _consumer("as_numpy", "@dataset", consumer="as_numpy"),
    "as_dataframe": _consumer("as_dataframe", "@ds ds_info", consumer="inspection"),
    "show_examples": _consumer("show_examples", "@ds ds_info", consumer="inspection"),
    "benchmark": _consumer("benchmark", "@ds num_iter batch_size", consumer="inspection"),
}
AS_DATASET = _source(
    "tfds.as_dataset", "split batch_size shuffle_files decoders read_config as_supervised", ends_prefetched=True,
                     gives="tfds")
"""The method `as_dataset` of a builder of tensorflow_datasets."""

# tensorflow_io: what a session of BigQuery reads.
_OF_OBJECTS = {
    "tensorflow_io.bigquery.BigQueryClient().read_session().parallel_read_rows":
        _source("tfio.parallel_read_rows", "cycle_length sloppy block_length num_parallel_calls"),
}

BY_SPLIT = frozenset({"tfds.load", "tfds.as_dataset", "tfds.builder.as_dataset"})
"""They give a dataset for each split that is asked for, in its structure."""

# dlimp: what it reads are trajectories, prepared in ways that are not seen.
_DLIMP = dict.fromkeys(("from_rlds", "from_tfrecords"), UNRESOLVED)

# tensorflow_io: class methods of IODataset.
_TFIO = {
    name: _source(f"tfio.{name}", parameters)
    for name, parameters in {
        "from_audio": "filename",
        "from_avro": "filename schema columns",
        "from_ffmpeg": "filename stream",
        "from_hdf5": "filename dataset spec",
        "from_json": "filename columns mode",
        "from_kafka": "topic partition start stop servers configuration",
        "from_lmdb": "filename",
        "from_mnist": "images labels",
        "from_orc": "filename",
        "from_parquet": "filename columns",
        "from_pcap": "filename",
    }.items()
}

_FIT = (
    "@x y batch_size epochs verbose callbacks validation_split @validation_data shuffle class_weight sample_weight "
    "initial_epoch steps_per_epoch validation_steps validation_batch_size validation_freq"
)
_FIT_GENERATOR = "@generator steps_per_epoch epochs verbose callbacks @validation_data validation_steps validation_freq"
_QUEUE = "max_queue_size workers use_multiprocessing"  # Keras 2

MODEL_METHODS: Mapping[str, Operation] = MappingProxyType(_table(
    _consumer("fit", f"{_FIT} {_QUEUE}", consumer="fit"),
    _consumer("search", _FIT, consumer="fit"),
    _consumer("evaluate", f"@x y batch_size verbose sample_weight steps callbacks return_dict {_QUEUE}",
              consumer="evaluate"),
    _consumer("predict", f"@x batch_size verbose steps callbacks {_QUEUE}", consumer="predict"),
    _consumer("adapt", "@data batch_size steps", consumer="adapt"),
    _consumer("train_on_batch", "x y sample_weight class_weight return_dict", consumer="train_on_batch"),
    _consumer("test_on_batch", "x y sample_weight return_dict"), _consumer("predict_on_batch", "x"),
    _consumer("fit_generator", f"{_FIT_GENERATOR} class_weight {_QUEUE} shuffle initial_epoch",
              consumer="fit", gone=_KERAS_2),
    _consumer("evaluate_generator", f"@generator steps callbacks {_QUEUE} verbose", consumer="evaluate", gone=_KERAS_2),
    _consumer("predict_generator", f"@generator steps callbacks {_QUEUE} verbose", consumer="predict", gone=_KERAS_2),
    # Of tf.distribute strategies
    _consumer("experimental_distribute_dataset", "@dataset options", consumer="distribute"),
    _consumer("distribute_datasets_from_function", "dataset_fn options", consumer="distribute"),
    _consumer("experimental_distribute_datasets_from_function", "dataset_fn options", consumer="distribute"),
    _consumer("make_dataset_iterator", "@dataset", consumer="distribute"),
    _consumer("make_input_fn_iterator", "input_fn replication_mode", consumer="distribute"),
))
"""Methods of models, tuners, layers and strategies that take a dataset, or a function that returns one (`…_fn`)."""

ESTIMATOR_METHODS: Mapping[str, Operation] = MappingProxyType(_table(
    _consumer("train", "input_fn hooks steps max_steps saving_listeners", gone=_ESTIMATOR),
    _consumer("evaluate", "input_fn steps hooks checkpoint_path name", gone=_ESTIMATOR),
    _consumer("predict", "input_fn predict_keys hooks checkpoint_path yield_single_examples", gone=_ESTIMATOR),
))
"""Methods of `tf.estimator.Estimator` and its kin; `input_fn` is a function that returns a dataset."""

_SPECS = _table(
    _consumer("TrainSpec", "input_fn max_steps hooks saving_listeners", gone=_ESTIMATOR),
    _consumer("EvalSpec", "input_fn steps name hooks exporters start_delay_secs throttle_secs", gone=_ESTIMATOR),
)
# fmt: on


def _under(prefix: str, *tables: Mapping[str, Operation]) -> dict[str, Operation]:
    return {f"{prefix}.{name}": operation for table in tables for name, operation in table.items()}


_SYMBOLS: Mapping[str, Operation] = MappingProxyType(
    _under("tensorflow.data", _READERS, _ITERATORS)
    | _under("tensorflow.data.Dataset", _STATIC)
    | _under("tensorflow.data.experimental", _EXPERIMENTAL)
    | _under("tensorflow.contrib.data", _EXPERIMENTAL, _READERS, _CONTRIB_FUNCTIONS)
    | _under("tensorflow.contrib.data.Dataset", _STATIC)
    | _under("tensorflow.estimator", _SPECS)
    | _under("tensorflow_datasets", _TFDS)
    | _under("tensorflow_io.IODataset", _TFIO)
    | _under(words.SUBCLASS, _STATIC, _DLIMP)
)
_APPLICABLES: Mapping[str, Operation] = MappingProxyType(
    _under("tensorflow.data.experimental", _APPLICABLE)
    | _under("tensorflow.contrib.data", _APPLICABLE, _CONTRIB_APPLICABLE)
)


def lookup(name: str) -> Operation | None:
    """The operation behind the full name of a function or class, under any of its names; None when it is none."""
    name = plain(name)
    if (operation := _SYMBOLS.get(name)) is None and name.startswith("tensorflow.keras."):
        return _KERAS.get(last(name))
    return operation


def lookup_method(symbol: str, name: str) -> Operation | None:
    """The operation behind a method of what a call of a symbol gives; None when it is none."""
    if name == "as_dataset" and symbol.startswith("tensorflow_datasets."):
        # Of `tfds.builder(…)`, also of the builder classes of tfds
        return AS_DATASET
    return _OF_OBJECTS.get(f"{symbol}().{name}")


def applicable(name: str) -> Operation | None:
    """The operation that the call of a symbol makes for `Dataset.apply`: `tf.data.experimental.map_and_batch`."""
    return _APPLICABLES.get(plain(name))


AUTOTUNES = frozenset({"tensorflow.data.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"})


_CHECKED = frozenset(o._replace(functions=()) for o in (*METHODS.values(), *_STATIC.values(), *_READERS.values()))


def is_checked(operation: Operation) -> bool:
    """Are its parameters those that tf.data itself knows in any version, and can nothing else be given to it?"""
    return operation._replace(functions=()) in _CHECKED


LACKING: Mapping[tuple[str, str], tuple[int, int]] = MappingProxyType(
    {
        ("map", "synchronous"): (2, 16),
        ("map", "use_unbounded_threadpool"): (2, 16),
        ("load", "wait"): (2, 16),
        ("zip", "args"): (2, 12),
    }
)
"""The newest version that is seen to lack a parameter of an operation. `args`: it takes several positional ones."""


def is_dataset_class(name: str) -> bool:
    """Is this what a dataset is an instance of, as people write it?"""
    return plain(name) in _CLASSES
