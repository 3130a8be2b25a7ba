"""The byte search: which files cannot hold anything of interest. It runs over every file and imports nothing."""

from __future__ import annotations

import re

#: Without one of these it has no pipeline, no deprecated name and no profiler trace in it either.
_WORDS = re.compile(
    rb"\.data\b|import data\b|\bDataset\b|[Dd]ataset\(|RecordDataset|LineDataset|dataset_from_|tensorflow_datasets"
    rb"|\btfds\b|AUTOTUNE|num_parallel|as_numpy_iterator|prefetch|_iterator\(|profiler\.experimental|channels_first"
    rb"|NCD?HW|split_dataset"
)


def may_hold_pipeline(data: bytes) -> bool:
    """The byte search: False only for files that cannot hold anything of interest."""
    return (b"tensorflow" in data or b"keras" in data or b"tfds" in data or b"tf.data" in data) and _WORDS.search(
        data
    ) is not None
