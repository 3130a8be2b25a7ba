"""TFD604: which training steps may become a `tf.function` as they stand: the blocks of `steps.md`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rows import each
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint import Settings, lint_paths, lint_source
from tfdata_lint.testing.blocks import Block, blocks

HEADER = """\
import tensorflow as tf


def dense():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


samples = tf.random.normal([32, 4]), tf.random.normal([32, 1])
ds = tf.data.Dataset.from_tensor_slices(samples).shuffle(32).batch(8, drop_remainder=True).prefetch(2)
"""
BLOCKS = [*blocks(Path(__file__).parent / "steps.md")]


def why(block: Block) -> str:
    """Why its step gets no fix; empty where it gets one."""
    found = re.match(r"# why: (.+)\n", block.text)
    return found[1] if found else ""


@each("block", BLOCKS)
def test_what_may_raise_has_a_reason_and_no_fix(block: Block) -> None:
    (finding,) = lint_source(HEADER + block.text, settings=Settings(select=("TFD604",))).diagnostics
    assert why(block) in finding.advice
    assert ("may raise" in finding.advice) is bool(why(block))
    assert (finding.fix is None) is bool(why(block))


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_tensorflow_agrees(block: Block, run_on_tensorflow: RunOnTensorFlow) -> None:
    program = HEADER + block.text
    graph = re.sub(r"(?m)^( *)(?=def step\()", r"\1@tf.function\n\1", program)
    assert not run_on_tensorflow(program, "eager.py")["error"]
    assert bool(run_on_tensorflow(graph, "graph.py")["error"]) is bool(why(block))


def test_the_step_of_another_module_is_read_there(tmp_path: Path) -> None:
    text = HEADER + next(block.text for block in BLOCKS if "class Scores" in block.text)
    before, scores, after = re.split(r"(?s)(class Scores.*?\n\n\n)", text)
    (tmp_path / "metrics.py").write_text(scores)
    (tmp_path / "train.py").write_text(f"from metrics import Scores\n{before}{after}")
    found = [d for report in lint_paths([str(tmp_path)], Settings(select=("TFD604",))) for d in report.diagnostics]
    assert [(one.fix, "`self.values.append`" in one.advice) for one in found] == [(None, True)]
