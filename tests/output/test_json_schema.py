"""What is printed as JSON is as the schema in `docs/` says, and has no key that is not there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from schemas import schema, validator

from tfdata_lint.cli import main
from tfdata_lint.testing.blocks import blocks

PAGES = sorted((Path(__file__).parents[2] / "rules").glob("*.md"))
Lint = Callable[..., list[dict[str, Any]]]


FINDINGS = schema("findings")
VALIDATOR = validator(FINDINGS)
LINE = validator({**FINDINGS["$defs"]["finding"], "$defs": FINDINGS["$defs"]})


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lint:
    """What is found in files of the working directory, in both formats."""
    monkeypatch.chdir(tmp_path)

    def call(*options: str) -> list[dict[str, Any]]:
        given = ("check", "--no-cache", "--select", "ALL", *options, "--output-format")
        main([*given, "json"])
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        VALIDATOR.validate(found)
        main([*given, "json-lines"])
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        for line in lines:
            LINE.validate(line)
        assert len(lines) == len(found)
        return found

    return call


def test_they_are_schemas() -> None:
    for name in ("findings", "run", "verify"):
        Draft202012Validator.check_schema(schema(name))


def test_the_examples_of_rule_pages(lint: Lint, tmp_path: Path) -> None:
    for page in PAGES[::6]:
        for number, block in enumerate(blocks(page)):
            (tmp_path / f"{page.stem.replace('-', '_')}_{number}.py").write_text(block.text)
    found = lint()
    assert len({one["code"] for one in found}) > 20
    assert any(one["fix"] and one["fix"]["edits"] for one in found)
    assert {one["severity"] for one in found} == {"error", "warning", "advice"}
    assert {one["confidence"] for one in found} == {"proven", "likely"}
    assert any(one["related"] for one in found)


def test_a_notebook_and_a_file_that_cannot_be_read(lint: Lint, tmp_path: Path) -> None:
    code = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds = ds.shuffle(3)\nds.batch(2)\nx = 1\n"
    cells = [{"cell_type": kind, "metadata": {}, "source": text} for kind, text in (("markdown", "#"), ("code", code))]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    (tmp_path / "b.py").write_text("tf.data.Dataset.range(3\n")
    found = lint()
    assert {("TFD000", None), ("TFD401", 2)} <= {(one["code"], one["cell"]) for one in found}


def test_what_a_comment_suppresses(lint: Lint, tmp_path: Path) -> None:
    code = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds.batch(2)  # noqa: TFD401\n"
    (tmp_path / "a.py").write_text(code)
    assert "TFD401" not in {one["code"] for one in lint()}
    assert "TFD401" in {one["code"] for one in lint("--ignore-noqa")}


@pytest.mark.parametrize(
    ("key", "value"), [("severity", "fatal"), ("cell", 0), ("evidence", {}), ("location", {"row": 1}), ("other", 1)]
)
def test_what_is_wrong(key: str, value: object, lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds.batch(2)\n")
    finding = lint()[0]
    with pytest.raises(ValidationError):
        VALIDATOR.validate([{**finding, key: value}])
