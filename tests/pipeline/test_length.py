"""How many elements a dataset has, where the code says so."""

from __future__ import annotations

import pytest

from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.nouns.lengths import has_length
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load

SLICES = "Dataset.from_tensor_slices"


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("Dataset.range(7)", 7),
        ("Dataset.range(2, 9)", 7),
        ("Dataset.from_tensors([1, 2])", 1),
        (f"{SLICES}([1, 2, 3])", 3),
        (f"{SLICES}(([1, 2, 3], [4, 5, 6]))", 3),
        (f"{SLICES}({{'x': np.zeros([8, 2]), 'y': np.ones(8)}})", 8),
        (f"{SLICES}(np.array([[1, 2], [3, 4]]))", 2),
        (f"{SLICES}(np.random.rand(5, 2))", 5),
        (f"{SLICES}(np.random.normal(5.0, 2.0, [9]))", 9),
        (f"{SLICES}(tf.random.uniform([5, 2]))", 5),
        (f"{SLICES}(rows)", None),
        (f"{SLICES}(np.arange(6))", 6),
        (f"{SLICES}(np.arange(2, 6))", 4),
        (f"{SLICES}(np.arange(-5))", 0),
        (f"{SLICES}(tf.range(-1e999))", None),
        (f"{SLICES}(np.linspace(0, 1, -3))", None),
        (f"{SLICES}(tf.range(9.5)[:, None])", None),
        (f"{SLICES}(tf.range(9)[None, :])", 1),
        (f"{SLICES}(tf.range(9)[2:])", 7),
        (f"{SLICES}(np.linspace(0, 1, 20))", 20),
        (f"{SLICES}(np.random.rand(5, 2).astype('float32'))", 5),
        (f"{SLICES}(2 * np.zeros(8) + np.ones(8))", 8),
        (f"{SLICES}(np.zeros([8, 1]) * np.ones([1, 3]))", 8),
        (f"{SLICES}(np.zeros([8, 3]) * np.ones(3))", 8),
        (f"{SLICES}(np.zeros(8) * rows)", None),
        ("Dataset.range(7).map(f).shuffle(3).cache().prefetch(1).enumerate()", 7),
        ("Dataset.range(7).batch(3)", 3),
        ("Dataset.range(7).batch(3, drop_remainder=True)", 2),
        ("Dataset.range(7).batch(3, drop_remainder=rows)", None),
        ("Dataset.range(7).take(9).skip(2).repeat(3)", 15),
        ("Dataset.range(7).skip(9)", 0),
        ("Dataset.range(7).take(-1)", 7),
        ("Dataset.range(7).repeat()", None),
        ("Dataset.range(7).filter(f)", None),
        ("Dataset.range(7).concatenate(Dataset.range(2))", 9),
    ],
)
def test_length(code: str, wanted: int | None) -> None:
    imports = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow.data import Dataset\n"
    text = f"{imports}def g(rows, f):\n    for x in {code}:\n        f(x)\n"
    graph = recover(load(text.encode(), "a.py"))
    end = graph.consumers[-1].dataset
    assert length(end) == wanted
    # What is counted here TensorFlow knows, too.
    assert wanted is None or has_length(end)
