"""Names and words that are looked for in the text of a module before, or without, interpreting it."""

from __future__ import annotations

from collections.abc import Mapping

from tfdata_lint.pipeline.knowledge import renames

LIBRARIES = frozenset({"tensorflow", "tensorflow_datasets", "keras", "tf_keras"})
"""The libraries whose datasets these are."""
DATA_HOMES = ("tensorflow.data", "tensorflow.contrib.data", "tensorflow.python.data")
SUBCLASS = "dlimp.DLataset"
"""A `tf.data.Dataset` of another library, with methods of its own beside those."""
TFDS_FUNCTIONS = ("load", "as_numpy")

PROFILER = "tensorflow.profiler.experimental."
JAX_PROFILER = "jax.profiler."
TRACES: Mapping[str, tuple[str, ...]] = {
    f"{PROFILER}Trace": ("step_num", "_r"),
    "jax.profiler.StepTraceAnnotation": ("step_num",),
}
"""What tells the profiler of a step, and what it must be given for that."""
STARTS = (f"{PROFILER}start", "jax.profiler.start_trace")
STOPS = (f"{PROFILER}stop", "jax.profiler.stop_trace")
PROFILES = (f"{PROFILER}Profile", "jax.profiler.trace")
"""What begins a profile, ends it, and is one for a `with` block."""
TENSORBOARD = "tensorflow.keras.callbacks.TensorBoard"
SET_LAYOUT = "set_image_data_format"
"""Of Keras, in `backend` or `config`."""
ITERATOR_METHODS = frozenset({"make_one_shot_iterator", "make_initializable_iterator"})
CHANNELS_FIRST = frozenset({"channels_first", "NCHW", "NCDHW", "NCW"})

WATCHED = ("tensorflow.data.experimental.", "tensorflow.contrib.data.", "tensorflow.data.make_", PROFILER, JAX_PROFILER)
"""The beginnings of the names whose every use is recorded, called or not."""
WATCHED_WORDS = (
    "data.experimental", "contrib.data", "one_shot_iterator", "initializable_iterator", "profiler", "Trace",
    "profile_batch", "data_format", SET_LAYOUT,
    *dict.fromkeys(name.partition(".")[0] for name in renames.OPTIONS), *renames.ARGUMENTS,
)  # fmt: skip
"""Where a watched name may be in a text."""
