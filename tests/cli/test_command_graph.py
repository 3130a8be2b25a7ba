"""`tfdata-lint graph`: what it reads and how it ends. What it prints has tests of its own."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.samples import BROKEN, CLEAN, DISCARDED

Run = Callable[..., SimpleNamespace]
Project = Callable[[Mapping[str, str | bytes]], Path]


@pytest.mark.parametrize("form", ["text", "json", "dot", "mermaid"])
def test_formats(form: str, run: Run, project: Project) -> None:
    project({"a.py": DISCARDED})
    done = run("graph", "a.py", "--format", form)
    assert done.code == 0
    assert "from_tensor_slices" in done.out
    if form == "json":
        assert json.loads(done.out)


def test_folders(run: Run, project: Project) -> None:
    project({"a.py": DISCARDED, "sub/b.py": DISCARDED, "c.py": CLEAN})
    out = run("graph").out
    assert "a.py" in out
    assert "b.py" in out
    assert "c.py" not in out


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(DISCARDED.encode())))
    assert "from_tensor_slices" in run("graph", "-").out


def test_missing_path(run: Run, project: Project) -> None:
    project({"a.py": DISCARDED})
    done = run("graph", "missing.py", "a.py")
    assert done.code == 2
    assert "from_tensor_slices" in done.out
    assert done.err == "tfdata-lint: error: no such file or folder: missing.py\n"


def test_unreadable_source(run: Run, project: Project) -> None:
    project({"a.py": DISCARDED, "b.py": BROKEN})
    done = run("graph")
    assert done.code == 1
    assert "from_tensor_slices" in done.out
    assert done.err.startswith("b.py:3:")


def test_recovering_that_fails(run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise ValueError("odd")

    project({"a.py": DISCARDED})
    monkeypatch.setattr("tfdata_lint.pipeline.recover.recover", fail)
    done = run("graph")
    assert done.code == 2
    assert "recovering its pipelines failed on a.py: ValueError: odd" in done.err


def test_color(run: Run, project: Project) -> None:
    project({"a.py": DISCARDED})
    assert "\x1b" not in run("graph", "--color", "never").out
