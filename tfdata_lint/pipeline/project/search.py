"""The byte search: which files cannot hold anything of interest. It runs over every file and imports only words."""

from __future__ import annotations

import re

from tfdata_lint.pipeline.knowledge import words

#: Plain beginnings let `re` skip ahead; one pattern with all of them is ten times slower.
_DATA_MODULES = tuple(re.compile(pattern) for pattern in words.DATA_MODULES)
_DATASETS = tuple(word.encode() for word in words.DATASETS)


def may_hold_pipeline(data: bytes) -> bool:
    """False only for files that cannot hold anything of interest."""
    # Written out: a generator would cost more than the search.
    tensorflow, keras, tfds, tf_data = words.ORIGINS
    if tensorflow not in data and keras not in data and tfds not in data and tf_data not in data:
        return False
    for word in words.PIPELINES:
        if word in data:
            return True
    if any(name in data for name in words.TFDS) and any(load in data for load in words.TFDS_LOADS):
        return True
    return any(pattern.search(data) for pattern in _DATA_MODULES)


def may_consume(data: bytes) -> bool:
    """False only for files that hand no dataset of another module to a model or strategy."""
    return any(origin in data for origin in words.ORIGINS) and any(consumer in data for consumer in words.CONSUMERS)


def mentions_datasets(data: bytes) -> bool:
    """False only for modules that make no datasets by themselves."""
    return may_hold_pipeline(data) or any(word in data for word in _DATASETS)


def may_transform(data: bytes) -> bool:
    """False only for modules that do nothing to the datasets of others."""
    return any(mark in data for mark in words.TRANSFORMATIONS)
