"""The tables that are found out from Keras, against the one that is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.target import NEWEST
from tfdata_lint.rules import entry_of
from tfdata_lint.rules.correctness.rescaled_twice.table import RESCALING

HERE = Path(__file__).parent


@pytest.mark.nightly  # Another Keras changes them, no commit.
@pytest.mark.parametrize("script", ["losses.py", "rescaling.py"])
def test_it_is_up_to_date(script: str, run_on_tensorflow: RunOnTensorFlow) -> None:
    """On the newest TensorFlow the script makes the table as it is."""
    code = f"""
import runpy
import tensorflow as tf
made = runpy.run_path({str(HERE / script)!r})
__answer__ = [tf.__version__, made["document"](), made["FILE"].read_text()]
"""
    ended = run_on_tensorflow(code, "document.py")
    assert not ended["error"], ended["detail"]
    version, made, there = ended["answer"]
    if version.split(".")[:2] == [str(part) for part in NEWEST]:
        assert made == there, f"run `python tests/project/{script}`"


def test_every_row_calls_for_its_rule() -> None:
    """Not those of TFD433: a loss may stand in another file than the labels."""
    entry = entry_of("TFD431")
    assert entry is not None
    words = [word.removeprefix("text:") for word in entry.triggers[-1].split()]
    assert [name for name in RESCALING if not any(word in name for word in words)] == []
