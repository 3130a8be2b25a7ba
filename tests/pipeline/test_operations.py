"""The table of operations against an installed TensorFlow, in both directions, and its look-ups."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.knowledge.operations import (
    ATTRIBUTES,
    ESTIMATOR_METHODS,
    METHODS,
    MODEL_METHODS,
    Operation,
    applicable,
    lookup,
)
from tfdata_lint.pipeline.knowledge.telling import EVIDENCE_KEYWORDS, EVIDENCE_METHODS

# What the table describes; an older one may lack some parameters, a newer one must not have more.
TENSORFLOW, KERAS = (2, 21), (3, 15)

# Public names of tf.data.experimental that neither make a dataset nor take one.
NOT_OPERATIONS = {
    "AutoShardPolicy", "AutotuneAlgorithm", "AutotuneOptions", "DistributeOptions", "ExternalStatePolicy",
    "OptimizationOptions", "ServiceOptions", "ThreadingOptions", "enable_debug_mode",  # options
    "DatasetInitializer", "Optional", "Reducer", "TFRecordWriter",  # classes of other things
    "get_model_proto", "get_next_as_optional", "make_saveable_from_iterator",  # of iterators
    "DatasetStructure", "OptionalStructure", "RaggedTensorStructure", "SparseTensorStructure", "Structure",
    "TensorArrayStructure", "TensorStructure",  # specs of TensorFlow 1
    "CrossTrainerCache", "DispatchServer", "DispatcherConfig", "ShardingPolicy", "WorkerConfig", "WorkerServer",
}  # fmt: skip

# Names of parameters, beside those in `_func`, that take a function.
TAKING_FUNCTIONS = {"func", "reducer", "predicate", "generator", "reader"}

KERAS_2 = ("max_queue_size", "workers", "use_multiprocessing")


def version_of(module: Any) -> tuple[int, ...]:
    return tuple(int(part) for part in module.__version__.split(".")[:2])


def public(owner: Any) -> set[str]:
    """Names of functions, methods and classes."""
    return {name for name in dir(owner) if name[0] != "_" and callable(getattr(owner, name))}


def agrees(operation: Operation, function: Callable[..., Any], *, exact: bool = True) -> None:
    """Compare parameters and their order; when not `exact`, ours may have some that theirs has not yet."""
    parameters = inspect.signature(function).parameters.values()
    open_ended = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    theirs = [p.name for p in parameters if p.name != "self" and p.kind not in open_ended]
    ours = [p for p in operation.parameters if exact or p in theirs]
    assert ours == theirs, operation.name


# ---- tf.data.Dataset ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["data.Dataset", "compat.v1.data.Dataset"])
def test_every_attribute_of_a_dataset_is_described(tf: Any, path: str) -> None:
    dataset = attribute(tf, path)
    for name in (name for name in dir(dataset) if name[0] != "_"):
        places = [name in METHODS, name in ATTRIBUTES, lookup(f"tensorflow.{path}.{name}") is not None]
        assert places.count(True) == 1, name


def attribute(root: Any, path: str) -> Any:
    for part in path.split("."):
        root = getattr(root, part)
    return root


def test_methods_have_the_parameters_of_tensorflow(tf: Any) -> None:
    exact = version_of(tf) >= TENSORFLOW
    for name, operation in METHODS.items():
        assert name == operation.name
        assert hasattr(tf.data.Dataset, name) is not bool(operation.gone) or not exact, name
        if hasattr(tf.compat.v1.data.Dataset, name):
            agrees(operation, getattr(tf.compat.v1.data.Dataset, name), exact=exact)


def test_what_must_be_given_is_what_has_no_default(tf: Any) -> None:
    owners = (tf.data.Dataset, tf.compat.v1.data.Dataset, tf.data)
    for operation in operations._CHECKED:
        function = next((getattr(owner, operation.name) for owner in owners if hasattr(owner, operation.name)), None)
        assert function is not None, operation.name
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
        plain_ones = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        required = [p.name for p in plain_ones if p.default is p.empty]
        assert list(operation.parameters[: operation.required]) == required, operation.name
        assert operation.variadic or len(plain_ones) == len(parameters), operation.name


def test_what_came_late_is_a_parameter() -> None:
    for name, parameter in operations.LACKING:
        operation = METHODS.get(name) or lookup(f"tensorflow.data.Dataset.{name}")
        assert operation is not None
        assert parameter in operation.parameters or operation.variadic


def test_what_takes_a_function_is_described(tf: Any) -> None:
    """By the names of parameters, in every operation of the installed TensorFlow."""
    unknown: set[tuple[str, str]] = set()
    for path in ("data.Dataset", "compat.v1.data.Dataset", "data.experimental", "compat.v1.data.experimental"):
        for name in public(attribute(tf, path)) - NOT_OPERATIONS:
            full = f"tensorflow.{path}.{name}"
            operation = lookup(full) or applicable(full) or METHODS[name]
            parameters = inspect.signature(attribute(tf, f"{path}.{name}")).parameters
            functions = {p for p in parameters if p.endswith("_func") or p in TAKING_FUNCTIONS}
            unknown |= {(name, p) for p in functions.difference(operation.functions)}
    # The one is called with the dataset, the other one runs as Python.
    assert unknown == {("apply", "transformation_func"), ("from_generator", "generator")}


def test_attributes_exist(tf: Any) -> None:
    assert all(hasattr(tf.compat.v1.data.Dataset, name) for name in ATTRIBUTES)


def test_functions_have_the_parameters_of_tensorflow(tf: Any) -> None:
    """Every name that `lookup` and `applicable` know under tf.data, with its signature."""
    exact = version_of(tf) >= TENSORFLOW
    compared = 0
    for name, operation in [*operations._SYMBOLS.items(), *operations._APPLICABLES.items()]:
        if not name.startswith("tensorflow.data.") or name == "tensorflow.data.Dataset.range":
            continue
        path = name.removeprefix("tensorflow.")
        found = [owner for owner in (tf, tf.compat.v1) if resolves(owner, path)]
        if not found:
            assert operation.gone or not exact, f"{name} is not in TensorFlow"
            continue
        assert bool(operation.gone) is (tf not in found), name
        for owner in found:
            agrees(operation, attribute(owner, path), exact=exact)
            compared += 1
    assert compared > 100


def resolves(root: Any, path: str) -> bool:
    try:
        attribute(root, path)
    except AttributeError:
        return False
    return True


def test_every_function_of_tf_data_is_described(tf: Any) -> None:
    classes = {"Dataset", "DatasetSpec", "Iterator", "IteratorSpec", "NumpyIterator", "Options", "ThreadingOptions"}
    of_types = {"get_output_classes", "get_output_shapes", "get_output_types"}
    for owner, path, others in [
        (tf.data, "data", classes),
        (tf.compat.v1.data, "compat.v1.data", classes | of_types),
        (tf.data.experimental, "data.experimental", NOT_OPERATIONS),
        (tf.compat.v1.data.experimental, "compat.v1.data.experimental", NOT_OPERATIONS),
        (tf.data.experimental.service, "data.experimental.service", NOT_OPERATIONS),
    ]:
        for name in public(owner) - others:
            full = f"tensorflow.{path}.{name}"
            assert (lookup(full) is None) is not (applicable(full) is None), full


def test_what_is_applicable_gives_a_function_of_a_dataset(tf: Any) -> None:
    for name in ("unbatch", "unique", "ignore_errors", "enumerate_dataset"):
        assert applicable(f"tensorflow.data.experimental.{name}") is not None
        dataset = tf.data.Dataset.range(4).batch(2).apply(getattr(tf.data.experimental, name)())
        assert isinstance(dataset, tf.data.Dataset)


# ---- what the operations do -----------------------------------------------------------------------------------------

ARGUMENTS: dict[str, Callable[[Path], tuple[Any, ...]]] = {
    "map": lambda _: (lambda x: x,),
    "filter": lambda _: (lambda x: x[0] > 0,),
    "flat_map": lambda _: (dataset_of,),
    "interleave": lambda _: (dataset_of,),
    "scan": lambda _: (0, lambda state, x: (state, x)),
    "enumerate": lambda _: (),
    "ignore_errors": lambda _: (),
    "take": lambda _: (2,),
    "take_while": lambda _: (lambda x: x[0] > 0,),
    "skip": lambda _: (1,),
    "shard": lambda _: (2, 0),
    "repeat": lambda _: (2,),
    "shuffle": lambda _: (4,),
    "unique": lambda _: (),
    "rejection_resample": lambda _: (lambda x: 0, [1.0]),
    "batch": lambda _: (2,),
    "padded_batch": lambda _: (2,),
    "ragged_batch": lambda _: (2,),
    "sparse_batch": lambda _: (2, [4]),
    "bucket_by_sequence_length": lambda _: (lambda x: 1, [2], [2, 2]),
    "group_by_window": lambda _: (lambda x: x[0], lambda key, window: window, 2),
    "cache": lambda _: (),
    "snapshot": lambda folder: (str(folder),),
    "prefetch": lambda _: (1,),
    "apply": lambda _: (lambda dataset: dataset,),
}
# Tested apart, below.
APART = {"with_options", "concatenate", "window", "unbatch", "rebatch"}


def dataset_of(element: Any) -> Any:
    import tensorflow

    return tensorflow.data.Dataset.from_tensors(element)


def test_every_transformation_is_tried() -> None:
    tried = {name for name, operation in METHODS.items() if operation.kind == "transformation" and not operation.gone}
    assert tried == ARGUMENTS.keys() | APART


@pytest.mark.parametrize("name", ARGUMENTS)
def test_what_batches(tf: Any, name: str, tmp_path: Path) -> None:
    vectors = tf.data.Dataset.from_tensor_slices(tf.ones((6, 4), tf.int64))
    result = getattr(vectors, name)(*ARGUMENTS[name](tmp_path))
    ranks = {spec.shape.rank for spec in tf.nest.flatten(result.element_spec)}
    assert METHODS[name].batches is (max(ranks) == 2), ranks


def test_unbatch_rebatch_window(tf: Any) -> None:
    batches = tf.data.Dataset.range(4).batch(2)
    assert batches.unbatch().element_spec.shape.rank == 0
    assert batches.rebatch(4).element_spec.shape.rank == 1
    assert METHODS["rebatch"].batches
    assert not METHODS["unbatch"].batches
    assert isinstance(tf.data.Dataset.range(4).window(2).element_spec, tf.data.DatasetSpec)
    assert not METHODS["window"].batches


def test_variadic(tf: Any) -> None:
    found = {
        name
        for name, operation in operations._SYMBOLS.items()
        if operation.variadic and name.startswith("tensorflow.data.")
    }
    assert found == {"tensorflow.data.Dataset.zip", "tensorflow.data.Dataset.range"}
    assert list(tf.data.Dataset.range(1, 9, 4, output_type=tf.int32, name="r").as_numpy_iterator()) == [1, 5]
    one = tf.data.Dataset.range(1)
    assert tf.data.Dataset.zip(one, one, one).element_spec == tf.data.Dataset.zip((one, one, one)).element_spec


def test_endless(tf: Any, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b\n1,2\n")
    made = {
        "repeat": tf.data.Dataset.range(2).repeat(),
        "random": tf.data.Dataset.random(),
        "counter": tf.data.Dataset.counter(),
        "shuffle_and_repeat": tf.data.Dataset.range(2).apply(tf.data.experimental.shuffle_and_repeat(2)),
        "make_csv_dataset": tf.data.experimental.make_csv_dataset(str(rows), 1),
        "make_batched_features_dataset": tf.data.experimental.make_batched_features_dataset(str(rows), 1, features(tf)),
    }
    assert {dataset.cardinality().numpy() for dataset in made.values()} == {tf.data.INFINITE_CARDINALITY}
    present = [*METHODS.values(), *operations._SYMBOLS.values(), *operations._APPLICABLES.values()]
    assert made.keys() == {operation.name for operation in present if operation.endless and not operation.gone}


def features(tf: Any) -> dict[str, Any]:
    return {"a": tf.io.FixedLenFeature([], tf.int64)}


def test_what_ends_in_a_prefetch(tf: Any, tmp_path: Path) -> None:
    """Keras utilities, and the readers that do everything; both ways round."""
    utils, wave = tf.keras.utils, tf.audio.encode_wav(tf.zeros((8, 1)), 8).numpy()
    for number in range(2):
        for suffix, data in [
            ("png", tf.io.encode_png(tf.zeros((2, 2, 3), tf.uint8)).numpy()),
            ("txt", b"a"),
            ("wav", wave),
        ]:
            file = tmp_path / suffix / str(number) / f"a.{suffix}"
            file.parent.mkdir(parents=True)
            file.write_bytes(data)
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b\n1,2\n")
    quiet = {"verbose": False}
    made = {
        "keras.utils.image_dataset_from_directory": utils.image_dataset_from_directory(tmp_path / "png", **quiet),
        "keras.utils.text_dataset_from_directory": utils.text_dataset_from_directory(tmp_path / "txt", **quiet),
        "keras.utils.audio_dataset_from_directory": utils.audio_dataset_from_directory(tmp_path / "wav", **quiet),
        "keras.utils.timeseries_dataset_from_array": utils.timeseries_dataset_from_array(range(4), None, 2),
        "keras.utils.split_dataset": utils.split_dataset(tf.data.Dataset.range(4), 0.5)[0],
        "data.experimental.make_csv_dataset": tf.data.experimental.make_csv_dataset(str(rows), 1),
        "data.experimental.make_batched_features_dataset": tf.data.experimental.make_batched_features_dataset(
            str(rows), 1, features(tf)
        ),
        "data.experimental.CsvDataset": tf.data.experimental.CsvDataset(str(rows), [0, 0]),
        "data.TFRecordDataset": tf.data.TFRecordDataset([str(rows)]),
        "data.TextLineDataset": tf.data.TextLineDataset([str(rows)]),
        "data.Dataset.list_files": tf.data.Dataset.list_files(str(rows)),
    }
    for name, dataset in made.items():
        operation = lookup(f"tensorflow.{name}")
        assert operation is not None
        while type(dataset).__name__ == "_OptionsDataset":
            dataset = dataset._input_dataset
        assert operation.ends_prefetched is ("Prefetch" in type(dataset).__name__), f"{name}: {type(dataset)}"


# ---- Keras, strategies, estimators ----------------------------------------------------------------------------------


def test_keras(tf: Any) -> None:
    keras = pytest.importorskip("keras", reason="TensorFlow without Keras")
    exact = version_of(keras) >= KERAS
    for name in public(tf.keras.utils):
        operation = lookup(f"tensorflow.keras.utils.{name}")
        assert (operation is not None) is (name.endswith(("dataset_from_directory", "split_dataset", "_from_array"))), (
            name
        )
        if operation is not None:
            agrees(operation, getattr(tf.keras.utils, name), exact=exact)
    assert resolves(tf.keras.preprocessing, "image_dataset_from_directory")
    for name, operation in MODEL_METHODS.items():
        assert name == operation.name
        shortened = operation._replace(parameters=tuple(p for p in operation.parameters if p not in KERAS_2))
        if hasattr(tf.distribute.Strategy, name):
            agrees(operation, getattr(tf.distribute.Strategy, name))
        elif name == "search":
            # Of a Keras Tuner.
            assert not hasattr(tf.keras.Model, name)
        elif name == "adapt":
            agrees(operation, tf.keras.layers.TextVectorization.adapt)
        else:
            assert hasattr(tf.keras.Model, name) is not bool(operation.gone), name
            if not operation.gone:
                agrees(shortened, getattr(tf.keras.Model, name))


def test_strategy_methods_that_take_datasets_are_described(tf: Any) -> None:
    for name in public(tf.distribute.Strategy):
        takes = {"dataset", "dataset_fn", "input_fn"} & set(
            inspect.signature(getattr(tf.distribute.Strategy, name)).parameters
        )
        assert bool(takes) is (name in MODEL_METHODS), name


def test_estimators_are_gone(tf: Any) -> None:
    assert all(operation.parameters[0] == "input_fn" and operation.gone for operation in ESTIMATOR_METHODS.values())
    assert version_of(tf) < (2, 16) or not resolves(tf, "estimator.Estimator")


# ---- look-ups, which need no TensorFlow -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("tensorflow.data.Dataset.range", "range"),
        ("tensorflow.compat.v1.data.Dataset.range", "range"),
        ("tensorflow.compat.v2.data.Dataset.from_tensor_slices", "from_tensor_slices"),
        ("tensorflow.python.data.ops.dataset_ops.DatasetV2.range", "range"),
        ("tensorflow.python.data.ops.dataset_ops.Dataset.list_files", "list_files"),
        ("tensorflow.python.data.Dataset.zip", "zip"),
        ("tensorflow.python.data.ops.readers.TFRecordDatasetV2", "TFRecordDataset"),
        ("tensorflow.python.data.experimental.ops.readers.make_csv_dataset", "make_csv_dataset"),
        ("tensorflow.compat.v1.data.TFRecordDataset", "TFRecordDataset"),
        ("tensorflow.compat.v1.data.make_one_shot_iterator", "make_one_shot_iterator"),
        ("tensorflow.data.make_initializable_iterator", "make_initializable_iterator"),
        ("tensorflow.data.experimental.Counter", "counter"),
        ("tensorflow.compat.v1.data.experimental.RandomDataset", "random"),
        ("tensorflow.data.experimental.service.from_dataset_id", "from_dataset_id"),
        ("tensorflow.contrib.data.TextLineDataset", "TextLineDataset"),
        ("tensorflow.contrib.data.Dataset.from_tensors", "from_tensors"),
        ("tensorflow.contrib.data.read_batch_features", "read_batch_features"),
        ("tensorflow.contrib.data.python.ops.readers.make_csv_dataset", "make_csv_dataset"),
        ("tensorflow_datasets.load", "tfds.load"),
        ("tensorflow_datasets.public_api.load", "tfds.load"),
        ("tensorflow_datasets.as_numpy", "as_numpy"),
        ("tensorflow_io.IODataset.from_parquet", "tfio.from_parquet"),
        ("tensorflow.keras.utils.image_dataset_from_directory", "image_dataset_from_directory"),
        ("tensorflow.keras.preprocessing.image_dataset_from_directory", "image_dataset_from_directory"),
        ("tensorflow.compat.v2.keras.utils.split_dataset", "split_dataset"),
        ("keras.utils.text_dataset_from_directory", "text_dataset_from_directory"),
        ("tf_keras.preprocessing.timeseries_dataset_from_array", "timeseries_dataset_from_array"),
        ("tensorflow.python.keras.preprocessing.text_dataset_from_directory", "text_dataset_from_directory"),
        ("tensorflow.estimator.TrainSpec", "TrainSpec"),
        ("tensorflow.compat.v1.estimator.EvalSpec", "EvalSpec"),
    ],
)  # fmt: skip
def test_lookup(name: str, operation: str) -> None:
    found = lookup(name)
    assert found is not None
    assert found.name == operation
    assert applicable(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "tensorflow", "tensorflow.data", "tensorflow.data.Dataset", "tensorflow.data.Dataset.map",
        "tensorflow.data.Options",
        "tensorflow.data.experimental.map_and_batch", "tensorflow.python.data.", "tensorflow.python.data.experimental",
        "tensorflow.compat.v1.", "tensorflow.compat.v1.placeholder", "numpy.load", "datasets.load_dataset", "range", "",
        "mine.utils.image_dataset_from_directory", "torch.utils.data.Dataset.zip", "tensorflow_datasets.data_source",
        "tensorflow.io.TFRecordWriter", "grain.MapDataset.range", "polars.DataFrame.map", "zip",
    ],
)  # fmt: skip
def test_lookup_of_other_things(name: str) -> None:
    assert lookup(name) is None


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("tensorflow.data.experimental.map_and_batch", "map_and_batch"),
        ("tensorflow.compat.v1.data.experimental.shuffle_and_repeat", "shuffle_and_repeat"),
        ("tensorflow.contrib.data.parallel_interleave", "parallel_interleave"),
        ("tensorflow.contrib.data.batch_and_drop_remainder", "batch_and_drop_remainder"),
        ("tensorflow.contrib.data.python.ops.batching.map_and_batch", "map_and_batch"),
        ("tensorflow.python.data.experimental.ops.interleave_ops.parallel_interleave", "parallel_interleave"),
        ("tensorflow.data.experimental.service.distribute", "distribute"),
    ],
)  # fmt: skip
def test_applicable(name: str, operation: str) -> None:
    found = applicable(name)
    assert found is not None
    assert found.name == operation
    assert found.kind == "transformation"
    assert lookup(name) is None


@pytest.mark.parametrize(
    ("name", "public_name"),
    [
        ("tensorflow.compat.v1.data.experimental.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
        ("tensorflow.compat.v2.data.Dataset", "tensorflow.data.Dataset"),
        ("tensorflow.python.data.ops.dataset_ops.DatasetV1", "tensorflow.data.Dataset"),
        ("tensorflow.python.data.ops.options.Options", "tensorflow.data.Options"),
        ("tensorflow.contrib.data.python.ops.batching.unbatch", "tensorflow.contrib.data.unbatch"),
        ("tensorflow.python.data.util.nest.flatten", "tensorflow.python.data.util.nest.flatten"),
        ("tensorflow.compat.v1.py_func", "tensorflow.py_func"),
        ("tensorflow.compat.v1.io.data.x", "tensorflow.io.data.x"),
        ("torch.utils.data.Dataset", "torch.utils.data.Dataset"),
    ],
)
def test_plain(name: str, public_name: str) -> None:
    assert plain(name) == public_name


def test_readers_say_what_they_read() -> None:
    reads = {
        name.rpartition(".")[2]: operation.reads for name, operation in operations._SYMBOLS.items() if operation.reads
    }
    assert reads == {
        "TFRecordDataset": "records", "TextLineDataset": "text", "FixedLengthRecordDataset": "bytes",
        "list_files": "files", "CsvDataset": "csv", "make_csv_dataset": "csv",
        "make_batched_features_dataset": "records", "read_batch_features": "records",
    }  # fmt: skip


def test_rows_are_consistent() -> None:
    tables = [
        METHODS,
        operations._SYMBOLS,
        operations._APPLICABLES,
        operations._KERAS,
        MODEL_METHODS,
        ESTIMATOR_METHODS,
    ]
    for operation in [o for table in tables for o in table.values()]:
        parameters = set(operation.parameters)
        assert len(parameters) == len(operation.parameters)
        assert all(parameter.isidentifier() for parameter in parameters)
        assert {*operation.functions, *operation.datasets} <= parameters
        assert operation.endless in {"", "always", *parameters}
        assert operation.kind == "source" or not operation.reads


def test_evidence_is_about_methods_of_datasets() -> None:
    assert METHODS.keys() >= EVIDENCE_METHODS
    assert all(keyword in METHODS[method].parameters for method, keyword in EVIDENCE_KEYWORDS)
    common = {
        "map",
        "batch",
        "filter",
        "shuffle",
        "repeat",
        "take",
        "skip",
        "cache",
        "prefetch",
        "apply",
        "with_options",
    }
    assert not common & EVIDENCE_METHODS


def test_the_tables_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        METHODS["map"] = METHODS["batch"]  # type: ignore[index]
    with pytest.raises(AttributeError):
        METHODS["map"].name = "x"  # type: ignore[misc]
