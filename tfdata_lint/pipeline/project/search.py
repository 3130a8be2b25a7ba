"""The byte search: which files cannot hold anything of interest. It runs over every file and imports nothing."""

from __future__ import annotations

import re

#: Without one of these a file has nothing of TensorFlow in it.
_ORIGINS = (b"tensorflow", b"keras", b"tfds", b"tf.data")
#: Without one of these, or of the words below, it has no pipeline, deprecated name or profiler trace in it either.
_PARTS = (
    b"tf.data", b"num_parallel", b"AUTOTUNE", b"prefetch", b"as_numpy", b"_iterator(", b"dataset_from_",
    b"split_dataset", b"as_dataset", b"profiler.experimental", b"padded_batch", b"ragged_batch", b"sparse_batch",
    b"reshuffle_each_iteration", b"cycle_length", b"block_length", b"channels_first", b"NCHW", b"NCDHW",
)  # fmt: skip
#: Plain beginnings let `re` skip ahead; one pattern with all of them is ten times slower.
_WORDS = tuple(re.compile(word) for word in (rb"\.data\b", rb"import (?:\w+, *)*data\b"))
#: Of tensorflow_datasets only what gives a dataset counts; most files that import it define one.
_TFDS = (b"tfds", b"tensorflow_datasets")
_LOAD = (b".load(", b"import load", b".load,", b".load)")

#: Words of datasets under whatever name TensorFlow is imported; the evidence of `operations.py` is among them.
DATASET_WORDS = ("num_parallel_calls", "cycle_length", "block_length", "with_options", "as_numpy_iterator",
                  "padded_batch", "ragged_batch", "sparse_batch", "reshuffle_each_iteration", "dataset_from_directory",
                  "dataset_from_array", "split_dataset", "as_dataset", "_shot_iterator", "make_initializable_iterator",
                  "reveal_pipeline")  # fmt: skip
#: What helper modules do to the datasets of others.
_TRANSFORMATIONS = (b".map(", b".batch(", b".shuffle(", b".repeat(", b".filter(", b".prefetch(", b".take(")
#: Who consumes a dataset that another module makes.
_CONSUMERS = (b".fit(", b".evaluate(", b".predict(", b"distribute_dataset(", b"input_fn=")
_DATASET_WORDS = tuple(word.encode() for word in DATASET_WORDS)


def may_hold_pipeline(data: bytes) -> bool:
    """False only for files that cannot hold anything of interest."""
    # Written out: a generator would cost more than the search.
    tensorflow, keras, tfds, tf_data = _ORIGINS
    if tensorflow not in data and keras not in data and tfds not in data and tf_data not in data:
        return False
    for part in _PARTS:
        if part in data:
            return True
    if any(name in data for name in _TFDS) and any(load in data for load in _LOAD):
        return True
    return any(word.search(data) for word in _WORDS)


def may_consume(data: bytes) -> bool:
    """False only for files that hand no dataset of another module to a model or strategy."""
    return any(origin in data for origin in _ORIGINS) and any(consumer in data for consumer in _CONSUMERS)


def mentions_datasets(data: bytes) -> bool:
    """False only for modules that make no datasets by themselves."""
    return may_hold_pipeline(data) or any(word in data for word in _DATASET_WORDS)


def may_transform(data: bytes) -> bool:
    """False only for modules that do nothing to the datasets of others."""
    return any(mark in data for mark in _TRANSFORMATIONS)
