"""Which methods and keywords tell a dataset from what else has methods."""

from __future__ import annotations

# Hugging Face, torchdata, Grain, Beam, Spark, Dask, pandas and Polars were looked at. `with_options` is not here:
# clients of web services have it. MindSpore has a `padded_batch`, but not in files that import TensorFlow.
EVIDENCE_METHODS: frozenset[str] = frozenset({
    "as_numpy_iterator", "make_one_shot_iterator", "make_initializable_iterator", "padded_batch", "ragged_batch",
    "sparse_batch", "bucket_by_sequence_length", "group_by_window", "rejection_resample", "map_with_legacy_function",
    "filter_with_legacy_function", "get_single_element",
})  # fmt: skip
"""Methods that, of all the libraries with chains of dataset operations, only a `tf.data.Dataset` has."""

EVIDENCE_KEYWORDS: frozenset[tuple[str, str]] = frozenset({
    ("map", "num_parallel_calls"), ("batch", "num_parallel_calls"), ("shuffle", "reshuffle_each_iteration"),
    ("interleave", "num_parallel_calls"), ("interleave", "cycle_length"), ("interleave", "block_length"),
})  # fmt: skip
"""(method, keyword) pairs that only a `tf.data.Dataset` takes."""

LIKELY_KEYWORDS: frozenset[tuple[str, str]] = frozenset({("batch", "drop_remainder")})
"""(method, keyword) pairs that beside it only Grain, torchdata and MindSpore take."""

DISTINCTIVE: frozenset[str] = EVIDENCE_METHODS | {
    "batch", "flat_map", "interleave", "prefetch", "take_while", "unbatch", "with_options",
}  # fmt: skip
"""Methods that, where TensorFlow is imported and none of those libraries, are hardly ever of anything else.

Good for counting; a pipeline is not made from this.
"""

PLAIN: frozenset[str] = DISTINCTIVE | {
    "cache", "filter", "map", "repeat", "shard", "shuffle", "skip", "take",
}  # fmt: skip
"""And those that many other things have."""
