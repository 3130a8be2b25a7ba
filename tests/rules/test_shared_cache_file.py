"""Which calls TFD316 names where they share the cache file of one function."""

from __future__ import annotations

import pytest

from tfdata_lint.lint.linting import lint_source

LOAD = """\
import tensorflow as tf


def load(pattern):
    return tf.data.TFRecordDataset(tf.io.gfile.glob(pattern)).cache("/tmp/records").batch(32)
"""
TRAIN = """

def train(model):
    model.fit(load("train-*"), validation_data=load("test-*"))
"""
MORE = """    model.evaluate(load("other-*"))
"""
#: One call makes both caches.
WRAPPED = """

def make(pattern):
    return load(pattern)
""" + TRAIN.replace("load(", "make(")


@pytest.mark.parametrize(("text", "rows"), [(TRAIN, [9, 9]), (TRAIN + MORE, [9, 9, 10]), (WRAPPED, [])])
def test_the_calls_are_named(text: str, rows: list[int]) -> None:
    (found,) = (diagnostic for diagnostic in lint_source(LOAD + text).diagnostics if diagnostic.code == "TFD316")
    assert [(related.place.row, related.message) for related in found.related] == [(row, "called here") for row in rows]
