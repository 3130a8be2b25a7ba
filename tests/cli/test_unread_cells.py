"""TFD000 in notebooks: one finding for the cells that matter to pipelines, and none for others."""

from __future__ import annotations

import json

import pytest

from tfdata_lint.lint.linting import lint_source

PIPELINE = "import tensorflow as tf\nds = tf.data.Dataset.range(9).map(parse)\nprint(list(ds))"
EXERCISE = "ds = tf.data.Dataset.range( # TODO"
BROKEN = "ds = tf.data.Dataset.range(3"


def found(*cells: str) -> list[tuple[str, int | None, list[int | None]]]:
    """Severity, cell and the cells that are named beside it, of each TFD000."""
    text = json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in (PIPELINE, *cells)]})
    diagnostics = lint_source(text, "a.ipynb").diagnostics
    return [(d.severity, d.place.cell, [r.place.cell for r in d.related]) for d in diagnostics if d.code == "TFD000"]


@pytest.mark.parametrize("cell", ["x = # TODO", "print 'x'", "plt.plot(", "random.shuffle(x", "bigquery.Dataset("])
def test_cells_without_a_word_of_tf_data_are_no_concern(cell: str) -> None:
    assert found(cell) == []
    assert found(cell, cell) == []


@pytest.mark.parametrize(
    ("cell", "severity"),
    [
        (EXERCISE, "advice"),
        (BROKEN, "error"),
        ("ds = ds.shuffle(9", "error"),
        ("train = tfds.load('mnist'", "error"),
        # A pipeline uses what they define.
        ("def parse(x):\n    return x +", "advice"),
        ("import tensorflow as tf\nprint tf.__version__", "advice"),
        ("from a import (b)\nimport numpy as np, tensorflow as tf\nprint tf.__version__", "advice"),
    ],
)
def test_cells_of_pipelines(cell: str, severity: str) -> None:
    assert found(cell) == [(severity, 2, [])]


def test_one_finding_for_a_notebook() -> None:
    assert found(EXERCISE, "x = # TODO", EXERCISE) == [("advice", 2, [4])]
    assert found(EXERCISE, BROKEN, BROKEN) == [("error", 3, [2, 4])]
    assert found(*[EXERCISE] * 20) == [("advice", 2, list(range(3, 11)))]


def test_it_says_how_many_were_left_out() -> None:
    text = json.dumps({"cells": [{"cell_type": "code", "source": EXERCISE}] * 3})
    (diagnostic,) = lint_source(text, "a.ipynb").diagnostics
    assert diagnostic.cost == "This cell and 2 more were left out; the others were checked"
