"""Names of a hostile checkout: nothing of them acts on a terminal or in the log of a CI service, in any format."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tfdata_lint.config.formats import FORMATS

Run = Callable[..., Any]
Project = Callable[[Mapping[str, str | bytes]], Path]

NAME = "a\n::stop-commands::x\n\x1b[31mred\r::error::\u202e##vso[task.complete]\x07"
CODE = """\
import tensorflow as tf
ds = tf.data.TFRecordDataset("a").map(f).batch(32).shuffle(100)
for b in ds:
    step(b)
tf.data.Dataset.range(3).map(f)
"""
#: Characters that act, and lines that a service takes as a command.
_ACTING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f\u202e]|(?m:^\s*::(?!: |error |warning |notice ))|##(?:\[|vso\[(?!task\.logissue ))"
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="such names cannot be made there")


@pytest.fixture
def root(project: Project) -> Path:
    group = json.dumps(NAME.replace("/", ""))
    return project({
        f"{NAME}/train.py": CODE,
        f"{NAME}/{NAME}.py": CODE,
        f"{NAME}/broken\x1b[1m.py": "import tensorflow as tf\ntf.data = = 1\n",
        "pyproject.toml": f'[tool.poetry.group.{group}.dependencies]\ntensorflow = ">=2.16"\n',
    })  # fmt: skip


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("options", [(), ("--advice",), ("--fail-level", "error")])
def test_no_name_acts(name: str, options: tuple[str, ...], run: Run) -> None:
    done = run("check", "--no-cache", "--output-format", name, *options)
    assert "TFD" in done.out
    assert not _ACTING.findall(done.out + done.err)


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    "options",
    [
        ("check", "--statistics"), ("check", "--show-files"), ("check", "--show-settings"), ("graph",),
        ("graph", "--format", "json"), ("graph", "--format", "dot"), ("graph", "--format", "mermaid"),
        ("graph", "--format", "svg"),
        ("graph", "--coverage"), ("check", "--fix", "--show-fixes"),
    ],
)  # fmt: skip
def test_no_name_acts_elsewhere(options: tuple[str, ...], run: Run) -> None:
    done = run(*options)
    assert not _ACTING.findall(done.out + done.err)
