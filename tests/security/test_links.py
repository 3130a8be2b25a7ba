"""Links of a checkout that lead out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfdata_lint import lint_paths
from tfdata_lint.output.text import render

SECRET = "import tensorflow as tf\nds = tf.data.Dataset TOKEN=hunter2\n"


@pytest.mark.parametrize("is_inside", [True, False])
def test_what_is_no_python_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_inside: bool) -> None:
    checkout = tmp_path / "checkout"
    (checkout / ".git").mkdir(parents=True)
    secret = (checkout if is_inside else tmp_path) / "secret.txt"
    secret.write_text(SECRET)
    (checkout / "a.py").symlink_to(secret)
    monkeypatch.chdir(checkout)
    (report,) = lint_paths(["a.py"])
    (diagnostic,) = report.diagnostics
    assert diagnostic.code == "TFD000"
    assert ("hunter2" in render(diagnostic)) == is_inside
