"""Runs `effects.md`: which fixes are safe, and why the others are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tfdata_lint import lint_paths
from tfdata_lint.config.settings.model import Selection, Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.testing.blocks import Block, blocks

BLOCKS = list(blocks(Path(__file__).parent / "effects.md"))
_SAID = re.compile(r'# (safe|unsafe): (TFD\d+)(?: "(.*)")?$')


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_applicability(block: Block) -> None:
    settings = Settings(command_line=Selection(select=block.words), target_tensorflow=Target.parse("2.10", "test"))
    found = {d.place.row: d.fix for d in lint_source(block.text, settings=settings).diagnostics}
    said = {row: match for row, line in enumerate(block.text.splitlines(), 1) if (match := _SAID.search(line))}
    assert found.keys() == said.keys()
    for row, fix in found.items():
        applicability, _, reason = said[row].groups()
        assert fix is not None
        assert (row, fix.applicability) == (row, applicability), fix.reason
        assert (reason or "") in fix.reason


READS = """\
import tensorflow as tf


def read(files: list):
    return tf.data.TFRecordDataset(list(files)).map(tf.io.parse_tensor).shuffle(999)


def records():
    return tf.data.TFRecordDataset(["a", "b"]).shuffle(999)


def images():
    return tf.data.Dataset.from_tensor_slices(["a", "b"] * 20).map(tf.io.read_file)
"""


@pytest.mark.parametrize(
    ("other", "name", "code", "applicability"),
    [
        ("import reads\n", "main.py", "TFD102", "safe"),
        ("import reads\noptions.deterministic = False\n", "main.py", "TFD102", "unsafe"),
        ("from reads import images\nsetattr(options, 'deterministic', False)\n", "main.py", "TFD102", "unsafe"),
        ("options.deterministic = False\n", "main.py", "TFD102", "safe"),
        ("__import__(name)\noptions.deterministic = False\n", "main.py", "TFD102", "safe"),
    ],
)
def test_what_other_files_say(tmp_path: Path, other: str, name: str, code: str, applicability: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep").mkdir()
    (tmp_path / "reads.py").write_text(READS)
    (tmp_path / name).write_text(other)
    found = [
        diagnostic.fix.applicability
        for report in lint_paths([str(tmp_path / "reads.py")])
        for diagnostic in report.diagnostics
        if diagnostic.code == code and diagnostic.fix
    ]
    assert found
    assert set(found) == {applicability}
