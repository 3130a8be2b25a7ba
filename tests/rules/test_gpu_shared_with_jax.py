"""TFD617: whoever starts the program says who has the GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfdata_lint import lint_paths

TRAINER = """\
import jax
import tensorflow as tf


@jax.jit
def step(params, x):
    return params - 0.1 * jax.grad(lambda p: ((x @ p) ** 2).mean())(params)


def train(params):
    for x in tf.data.Dataset.range(64).shuffle(64).batch(8).prefetch(2).as_numpy_iterator():
        params = step(params, x)
    return params
"""


START = "from trainer import train\ntrain(1.0)\n"


@pytest.mark.parametrize(
    ("main", "rows"),
    [
        (START, [2]),
        ("import tensorflow as tf\ntf.config.set_visible_devices([], 'GPU')\n" + START, []),
        ("import os\nos.environ['XLA_PYTHON_CLIENT_MEM_FRACTION'] = '.5'\n" + START, []),
        ("", []),
    ],
)
def test_the_program_says_it(tmp_path: Path, main: str, rows: list[int]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "trainer.py").write_text(TRAINER)
    (tmp_path / "main.py").write_text(main)
    reports = lint_paths([str(tmp_path)])
    assert [d.place.row for report in reports for d in report.diagnostics if d.code == "TFD617"] == rows
