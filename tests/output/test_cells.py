"""A cell of a notebook has one name wherever it is told: by where it stands among all cells."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tfdata_lint.cli import main
from tfdata_lint.config.formats import FORMATS

_CODE = "import tensorflow as tf\nds = tf.data.Dataset.range(9)\nds = ds.batch(3)\nds.shuffle(9)\nx = 1\n"
_DEPRECATED = "ds = ds.apply(tf.data.experimental.ignore_errors())\n"


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def cell(kind: str, text: str, count: int | None = None) -> dict[str, object]:
        own = {"execution_count": count, "outputs": []} if kind == "code" else {}
        return {"cell_type": kind, "metadata": {}, "source": text, **own}

    cells = [cell("markdown", "# Input"), cell("code", _CODE, 23), cell("markdown", ""), cell("code", _DEPRECATED, 24)]
    text = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    Path("a.ipynb").write_text(json.dumps(text, indent=1))

    def call(*arguments: str) -> str:
        main(arguments)
        return capfdbinary.readouterr().out.decode()

    return call


@pytest.mark.parametrize("form", FORMATS)
def test_findings(form: str, printed: Callable[..., str]) -> None:
    text = printed("check", "--output-format", form, "--select", "TFD401,TFD7")
    assert (
        '"cell": 2' in text if form.startswith("json") else "cell 2" in text or form in ("gitlab", "pylint", "rdjson")
    )
    assert "In [" not in text


def test_diffs(printed: Callable[..., str]) -> None:
    diff = printed("check", "--diff", "--unsafe-fixes", "--select", "TFD7")
    assert "--- a.ipynb:cell 4\n+++ a.ipynb:cell 4\n" in diff


@pytest.mark.parametrize("form", ["text", "svg", "dot", "mermaid"])
def test_graphs(form: str, printed: Callable[..., str]) -> None:
    text = printed("graph", "--format", form)
    between = ":" if form == "text" else ", line "
    assert f"cell 2{between}2" in text
    assert f"cell 4{between}1" in text
    assert "In [" not in text


def test_coverage(printed: Callable[..., str]) -> None:
    assert "In [" not in printed("graph", "--coverage")
