"""TFD604: the loop is in one module, and the step that it runs operation by operation in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfdata_lint import Settings, lint_paths, lint_source

STEP = """\
import tensorflow as tf


def update(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


def train_step(model, optimizer, x, y):
    return update(model, optimizer, x, y)
"""
LOOP = """\
import tensorflow as tf
import steps
from steps import train_step


def main(model, optimizer, x, y):
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(8, drop_remainder=True).prefetch(2)
    for epoch in range(10):
        for x, y in dataset:
            train_step(model, optimizer, x, y)
"""


def told(folder: Path, steps: str, loop: str) -> list[tuple[str, int, str]]:
    """The findings of TFD604: file, row and severity."""
    (folder / "steps.py").write_text(steps)
    (folder / "loop.py").write_text(loop)
    return [
        (Path(report.path).name, diagnostic.place.row, diagnostic.severity)
        for report in lint_paths([str(folder)])
        for diagnostic in report.diagnostics
        if diagnostic.code == "TFD604"
    ]


@pytest.mark.parametrize("call", ["train_step(", "steps.update(", "steps.train_step("])
def test_it_is_told_where_the_loop_calls_the_step(tmp_path: Path, call: str) -> None:
    assert told(tmp_path, STEP, LOOP.replace("train_step(", call)) == [("loop.py", 10, "warning")]


def test_what_a_graph_cannot_do_is_advice(tmp_path: Path) -> None:
    assert told(tmp_path, STEP.replace("return loss", "print(loss)"), LOOP) == [("loop.py", 10, "advice")]


@pytest.mark.parametrize(
    ("steps", "loop"),
    [
        (STEP.replace("def update", "@tf.function\ndef update"), LOOP),
        (STEP.replace("def train_step", "@tf.function\ndef train_step"), LOOP),
        (STEP + "\n\ntrain_step = tf.function(train_step)\n", LOOP),
        (STEP, LOOP.replace("def main", "train_step = tf.function(train_step)\n\n\ndef main")),
        (STEP, LOOP.replace("def main", "tf.compat.v1.disable_eager_execution()\n\n\ndef main")),
        (STEP, LOOP.replace("def main", "@tf.function\ndef main")),
        (STEP, LOOP.replace("train_step(model", "train_step.get(model")),
        (STEP.replace("GradientTape", "Gradients"), LOOP),
    ],
)  # fmt: skip
def test_a_function_of_tensorflow_is_around_it(tmp_path: Path, steps: str, loop: str) -> None:
    assert told(tmp_path, steps, loop) == []


def test_a_loop_that_another_file_calls_is_told_in_its_own(tmp_path: Path) -> None:
    loop = """

def main(model, optimizer, rows):
    print(len(list(rows.as_numpy_iterator())))
    for x, y in rows:
        train_step(model, optimizer, x, y)
"""
    caller = """\
import tensorflow as tf
from steps import main, train_step

rows = tf.data.Dataset.load("rows").shuffle(100).batch(8, drop_remainder=True).prefetch(2)
for epoch in range(10):
    main(model, optimizer, rows)
"""
    assert [file for file, _, _ in told(tmp_path, STEP + loop, caller)] == ["steps.py"]


@pytest.mark.parametrize(
    ("kept", "is_fixed"), [("self.loss = loss", False), ("self.losses[0] = loss", False), ("", True)]
)
def test_tensors_that_a_graph_would_leave_in_attributes(kept: str, is_fixed: bool) -> None:
    code = f"""
import tensorflow as tf


class Trainer:
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(x))
        {kept or "pass"}
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.model.variables), self.model.variables))

    def train(self, files):
        rows = tf.data.Dataset.load(files).shuffle(100).batch(8, drop_remainder=True).prefetch(2)
        for epoch in range(10):
            for x in rows:
                self.step(x)
"""
    (finding,) = lint_source(code, settings=Settings(select=("TFD604",))).diagnostics
    assert (finding.fix is not None) is is_fixed
