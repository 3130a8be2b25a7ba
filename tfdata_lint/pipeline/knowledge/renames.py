"""Names that are called otherwise today, or gone; observed on TensorFlow 1.15, 2.4 to 2.12 and 2.21.

Names that TensorFlow 2 has removed are in `rules/upgrades/removed_symbol/table.txt`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal[
    "constant", "class", "attribute", "argument", "symbol", "function", "method", "transformation", "by hand"
]
"""How the new name takes the place: of a constant or class that left `experimental`, of an attribute, an argument or
another name, of a function that is called, as a method of the first argument, as a method of what `.apply(…)` is called
on; or by hand."""


class Renamed(NamedTuple):
    """What an old name is today."""

    new: str
    """As one writes it now; empty where there is nothing like it."""
    since: tuple[int, int]
    """The first TensorFlow that has the new name; of what is gone without one, the first without the old one."""
    kind: Kind = "symbol"
    note: str = ""
    """What to mind."""
    differs: str = ""
    """Why something else may come out."""
    is_gone: bool = False

    @property
    def version(self) -> str:
        return "TensorFlow {}.{}".format(*self.since)


def _by_hand(new: str, since: tuple[int, int], note: str, is_gone: bool = False) -> Renamed:
    return Renamed(new, since, "by hand", note, is_gone=is_gone)


def _each(rows: Mapping[str, Renamed]) -> dict[str, Renamed]:
    """A row for each of the names, which `{}` stands for."""
    return {name: row._replace(new=row.new.format(name)) for names, row in rows.items() for name in names.split()}


_STATISTICS = "StatsAggregator StatsOptions latency_stats bytes_produced_stats set_stats_aggregator"

EXPERIMENTAL: Mapping[str, Renamed] = MappingProxyType(_each({
    "map_and_batch": Renamed(
        "map(f, num_parallel_calls=tf.data.AUTOTUNE).batch(n)", (2, 4), "transformation", "keep `drop_remainder`"),
    "map_and_batch_with_legacy_function": _by_hand("map(f).batch(n)", (2, 0), "it is traced anew", True),
    "shuffle_and_repeat": Renamed(
        "shuffle(n).repeat()", (2, 0), "transformation",
        differs="with a seed, a second iteration gets another order than before"),
    "parallel_interleave": Renamed(
        "interleave(f, cycle_length=n, num_parallel_calls=n)", (2, 2), "transformation"),
    "unbatch": Renamed("unbatch()", (2, 0), "transformation"),
    "enumerate_dataset": Renamed("enumerate()", (2, 0), "transformation"),
    "bucket_by_sequence_length group_by_window scan snapshot take_while":
        Renamed("{}(…)", (2, 6), "transformation"),
    "unique": Renamed("unique()", (2, 6), "transformation"),
    "rejection_resample": Renamed("rejection_resample(…)", (2, 7), "transformation"),
    "ignore_errors": Renamed("ignore_errors()", (2, 11), "transformation"),
    "dense_to_ragged_batch": Renamed("ragged_batch(…)", (2, 12), "transformation"),
    "dense_to_sparse_batch": Renamed("sparse_batch(…)", (2, 12), "transformation"),
    "parse_example_dataset": Renamed(
        "map(lambda batch: tf.io.parse_example(batch, features))", (2, 0), "transformation",
        differs="the static shape of sparse features can lose the batch size"),
    "choose_from_datasets": Renamed(
        "tf.data.Dataset.choose_from_datasets(…)", (2, 7), "function",
        "pass `stop_on_empty_dataset=False`, whose default changed"),
    "sample_from_datasets": Renamed("tf.data.Dataset.sample_from_datasets(…)", (2, 7), "function"),
    "RandomDataset": Renamed("tf.data.Dataset.random(…)", (2, 6), "function"),
    "Counter": Renamed("tf.data.Dataset.counter(…)", (2, 11), "function"),
    "load": Renamed("tf.data.Dataset.load(…)", (2, 11), "function"),
    "get_single_element": Renamed("dataset.get_single_element()", (2, 6), "method"),
    "save": Renamed("dataset.save(…)", (2, 11), "method"),
    "get_next_as_optional": Renamed("iterator.get_next_as_optional()", (2, 3), "method"),
    "make_saveable_from_iterator": _by_hand("tf.train.Checkpoint(iterator=iterator)", (2, 0), "it is used differently"),
    "CheckpointInputPipelineHook":
        _by_hand("tf.train.Checkpoint(iterator=iterator)", (2, 0), "it is used differently", True),
    "TFRecordWriter": _by_hand(
        "tf.io.TFRecordWriter(path)", (2, 0), "it writes records one by one, in a loop over the elements"),
    "MapVectorizationOptions": _by_hand("batch(n).map(f)", (2, 0), "the runtime no longer does it", True),
    "TensorStructure": _by_hand("tf.TensorSpec(shape, dtype)", (2, 0), "the arguments changed places", True),
    "SparseTensorStructure": _by_hand("tf.SparseTensorSpec", (2, 0), "the arguments changed places", True),
    "RaggedTensorStructure": _by_hand("tf.RaggedTensorSpec", (2, 0), "the arguments changed places", True),
    "TensorArrayStructure": _by_hand("tf.TensorArraySpec", (2, 0), "the arguments changed places", True),
    "NestedStructure": _by_hand("a structure of `tf.TensorSpec`", (2, 0), "it is plain Python", True),
    _STATISTICS: _by_hand(
        "the TensorFlow profiler (`tf.profiler.experimental`)", (2, 2), "there is no drop-in replacement", True),
}))  # fmt: skip
"""Names of `tf.data.experimental`; all were in `tf.contrib.data` before."""

MOVED = EXPERIMENTAL.keys() - {"set_stats_aggregator"} | {"AUTOTUNE"}
"""Those that went from `tf.contrib.data` to `tf.data.experimental`, as they were, with TensorFlow 1.13."""

OLD_IN_1 = frozenset({"map_and_batch", "parallel_interleave", "unbatch"})
"""Those that TensorFlow 1 has deprecated already."""

CONTRIB: Mapping[str, Renamed] = MappingProxyType(_each({
    **EXPERIMENTAL,
    "batch_and_drop_remainder": Renamed("batch(n, drop_remainder=True)", (1, 10), "transformation"),
    "padded_batch_and_drop_remainder":
        Renamed("padded_batch(n, shapes, drop_remainder=True)", (1, 10), "transformation"),
    "sliding_window_batch": _by_hand("window(size, shift=n)", (1, 12), "windows are datasets, not tensors"),
    "assert_element_shape": _by_hand("map(tf.ensure_shape)", (1, 12), "the shapes are given differently"),
    "read_batch_features":
        _by_hand("tf.data.experimental.make_batched_features_dataset(…)", (1, 12), "defaults vary"),
    "reduce_dataset": _by_hand("dataset.reduce(state, f)", (1, 11), "the function is given differently"),
    "LMDBDataset": _by_hand("a reader of `tensorflow_io`", (1, 15), "TensorFlow itself has none any more"),
    "Dataset Iterator TFRecordDataset TextLineDataset FixedLengthRecordDataset": Renamed("tf.data.{}", (1, 4)),
    "AUTOTUNE": Renamed("tf.data.AUTOTUNE", (2, 4)),
    "CsvDataset Optional Reducer SqlDataset copy_to_device group_by_reducer make_batched_features_dataset "
    "make_csv_dataset prefetch_to_device": Renamed("tf.data.experimental.{}", (1, 13)),
}))  # fmt: skip
"""Names of `tf.contrib.data`."""

_GROUP = "experimental_optimization"

OPTIONS: Mapping[str, Renamed] = MappingProxyType({
    "experimental_deterministic": Renamed("deterministic", (2, 7), "attribute"),
    "experimental_threading": Renamed("threading", (2, 6), "attribute"),
    "experimental_autotune": Renamed("autotune.enabled", (2, 7), "attribute", is_gone=True),
    "experimental_numa_aware": Renamed("", (2, 4), "attribute", is_gone=True),
    "experimental_stats": Renamed("", (2, 6), "attribute", is_gone=True),
    f"{_GROUP}.autotune": Renamed("autotune.enabled", (2, 7), "attribute", is_gone=True),
    f"{_GROUP}.autotune_buffers": Renamed("", (2, 7), "attribute", is_gone=True),
    f"{_GROUP}.autotune_cpu_budget": Renamed("autotune.cpu_budget", (2, 7), "attribute", is_gone=True),
    f"{_GROUP}.autotune_ram_budget": Renamed("autotune.ram_budget", (2, 7), "attribute", is_gone=True),
    f"{_GROUP}.filter_with_random_uniform_fusion": Renamed("", (2, 6), "attribute", is_gone=True),
    f"{_GROUP}.hoist_random_uniform": Renamed("", (2, 6), "attribute", is_gone=True),
    f"{_GROUP}.map_vectorization": Renamed("", (2, 6), "attribute", is_gone=True),
    f"{_GROUP}.reorder_data_discarding_ops": Renamed("", (2, 6), "attribute", is_gone=True),
})  # fmt: skip
"""Attributes of `tf.data.Options`."""

ARGUMENTS: Mapping[str, Renamed] = MappingProxyType({
    "experimental_compile": Renamed("jit_compile", (2, 5), "argument"),
    "experimental_relax_shapes": Renamed("reduce_retracing", (2, 9), "argument"),
})  # fmt: skip
"""Arguments of `tf.function`."""

ROWS: Mapping[str, Renamed] = MappingProxyType({
    "tensorflow.data.experimental.AUTOTUNE": Renamed("tf.data.AUTOTUNE", (2, 4), "constant"),
    "tensorflow.data.experimental.ThreadingOptions": Renamed("tf.data.ThreadingOptions", (2, 6), "class"),
    **{f"tensorflow.data.experimental.{name}": row for name, row in EXPERIMENTAL.items()},
    **{f"tensorflow.contrib.data.{name}": row for name, row in CONTRIB.items()},
    **{f".{name}": row for name, row in OPTIONS.items()},
    **{f"tensorflow.function({name}=)": row for name, row in ARGUMENTS.items()},
})  # fmt: skip
"""All of them, by the names under which their uses are recorded."""
