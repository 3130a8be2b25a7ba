"""The words of a text by which what matters is found before anything is parsed. Read for every run: imports nothing.

Words are looked for anywhere in a text, under whatever name TensorFlow is imported.
"""

from __future__ import annotations

LIBRARIES = frozenset({"tensorflow", "tensorflow_datasets", "keras", "tf_keras"})
"""The libraries whose datasets these are."""
DATA_HOMES = ("tensorflow.data", "tensorflow.contrib.data", "tensorflow.python.data")
TFDS_FUNCTIONS = ("load", "as_numpy")

ORIGINS = (b"tensorflow", b"keras", b"tfds", b"tf.data")
"""Without one of these a file has nothing of TensorFlow in it."""

PIPELINES = (
    b"tf.data", b"num_parallel", b"AUTOTUNE", b"prefetch", b"as_numpy", b"_iterator(", b"dataset_from_",
    b"split_dataset", b"as_dataset", b"profiler.experimental", b"padded_batch", b"ragged_batch", b"sparse_batch",
    b"reshuffle_each_iteration", b"cycle_length", b"block_length", b"channels_first", b"NCHW", b"NCDHW",
)  # fmt: skip
"""Pipelines, deprecated names, traces of the profiler, layouts of images."""
DATA_MODULES = (rb"\.data\b", rb"import (?:\w+, *)*data\b")
"""Patterns: the module tf.data by another name."""

# Of tensorflow_datasets only what gives a dataset counts; most files that import it define one.
TFDS = (b"tfds", b"tensorflow_datasets")
TFDS_LOADS = (b".load(", b"import load", b".load,", b".load)")

DATASETS = (
    "num_parallel_calls", "cycle_length", "block_length", "with_options", "as_numpy_iterator", "padded_batch",
    "ragged_batch", "sparse_batch", "reshuffle_each_iteration", "dataset_from_directory", "dataset_from_array",
    "split_dataset", "as_dataset", "_shot_iterator", "make_initializable_iterator", "reveal_pipeline",
)  # fmt: skip
"""What only datasets have; the evidence of `operations.py` is among it."""
TRANSFORMATIONS = (b".map(", b".batch(", b".shuffle(", b".repeat(", b".filter(", b".prefetch(", b".take(")
"""What helper modules do to the datasets of others."""
CONSUMERS = (b".fit(", b".evaluate(", b".predict(", b"distribute_dataset(", b"input_fn=")
"""Who consumes a dataset that another module makes."""

TRACE = "tensorflow.profiler.experimental.Trace"
SET_LAYOUT = "set_image_data_format"
"""Of Keras, in `backend` or `config`."""
ITERATOR_METHODS = frozenset({"make_one_shot_iterator", "make_initializable_iterator"})
CHANNELS_FIRST = frozenset({"channels_first", "NCHW", "NCDHW", "NCW"})

WATCHED = ("tensorflow.data.experimental.", "tensorflow.contrib.data.", "tensorflow.data.make_", TRACE)
"""The beginnings of the names whose every use is recorded, called or not."""
WATCHED_WORDS = (
    "data.experimental", "contrib.data", "one_shot_iterator", "initializable_iterator", "Trace", "channels_first",
    "NCHW", "NCDHW", SET_LAYOUT,
)  # fmt: skip
"""Where a watched name may be in a text."""
