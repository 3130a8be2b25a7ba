"""The JSON schema of the settings accepts what the linter accepts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from validate_pyproject import api, errors, plugins

from tfdata_lint.config.files import parse_toml
from tfdata_lint.config.schema import schema
from tfdata_lint.config.settings.model import keys
from tfdata_lint.config.settings.reading import Configuration

Run = Callable[..., Any]

GOOD = [
    "",
    'select = ["ALL"]',
    'select = ["TFD1", "missing-prefetch", "advice", "ACME12"]',
    'per-file-ignores = {"tests/**" = ["TFD101"]}',
    'exclude = []\nrespect-gitignore = false\ntarget-tensorflow = "2.15.1"',
    'fail-level = "advice"\noutput-format = "sarif"',
    'verify = {batch_size = 8, "input.py::make" = {sizes = [1, 2]}}',
]
BAD = [
    'selct = ["ALL"]',
    'select = "ALL"',
    'select = ["tfd101 "]',
    "select = [1]",
    'per-file-ignores = ["TFD101"]',
    "force-exclude = 1",
    'target-tensorflow = "two"',
    "target-tensorflow = 2.15",
    'baseline = ""',
    'fail-level = "note"',
    'output-format = "html"',
    "verify = true",
    "verify = {batch-size = 8}",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_is_right(text: str) -> None:
    assert Draft7Validator(schema()).is_valid(parse_toml(text))


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_wrong_for_the_linter_too(text: str, tmp_path: Path) -> None:
    assert not Draft7Validator(schema()).is_valid(parse_toml(text))
    file = tmp_path / "tfdata-lint.toml"
    file.write_text(text)
    assert Configuration(str(file)).problems


def test_it_is_a_schema_and_has_all_keys() -> None:
    Draft7Validator.check_schema(schema())
    assert list(schema()["properties"]) == list(keys())


def test_defaults_are_valid() -> None:
    defaults = {name: key["default"] for name, key in schema()["properties"].items() if "default" in key}
    assert Draft7Validator(schema()).is_valid(defaults)


def test_the_command_prints_it(run: Run) -> None:
    assert json.loads(run("schema").out) == schema()


def test_validate_pyproject() -> None:
    """As its plugin, which an installed tfdata-lint brings."""
    validate = api.Validator(plugins=[plugins.PluginWrapper("tfdata-lint", schema)])
    assert validate({"tool": {"tfdata-lint": {"select": ["ALL"]}, "other": {}}})
    with pytest.raises(errors.ValidationError, match=r"tool\.tfdata-lint"):
        validate({"tool": {"tfdata-lint": {"selct": ["ALL"]}}})
