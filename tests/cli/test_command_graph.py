"""`tfdata-lint graph`: what it reads and how it ends. What it prints has tests of its own."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from cli.samples import BROKEN, CLEAN, DISCARDED

Run = Callable[..., SimpleNamespace]
Project = Callable[[Mapping[str, str | bytes]], Path]


@pytest.mark.parametrize("form", ["text", "svg", "html", "json", "dot", "mermaid"])
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


def test_files_without_pipelines(run: Run, project: Project) -> None:
    project({"a.py": CLEAN, "b.py": "print('hi')\n"})
    done = run("graph")
    assert (done.code, done.out, done.err) == (0, "", "No pipelines in 2 files.\n")
    assert run("graph", "b.py").err == "No pipelines in 1 file.\n"
    Path("empty").mkdir()
    assert run("graph", "empty").err == "No pipelines in 0 files.\n"
    assert run("graph", "a.py", "--format", "json").err == ""


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(DISCARDED.encode())))
    assert "from_tensor_slices" in run("graph", "-").out


@pytest.mark.parametrize("form", ["text", "svg"])
def test_findings_in_the_files_that_a_pipeline_comes_from(form: str, run: Run, project: Project) -> None:
    """Those of the whole program, without those of files that are excluded."""
    files = (
        "import tensorflow as tf\n\n\ndef rows(n):\n    # é\n    return tf.data.Dataset.range(n).batch(2).shuffle(9)\n"
    )
    project({"files.py": files, "train.py": "from files import rows\n\nmodel.fit(rows(30))\n"})
    assert "TFD306" in run("graph", "train.py", "--format", form).out
    assert "TFD306" not in run("graph", "train.py", "--format", form, "--exclude", "files.py").out


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


class TestCoverage:
    FILES: ClassVar = {
        "good.py": "import tensorflow as tf\n\nds = tf.data.Dataset.range(3).batch(2)\n",
        "bad.py": "import tensorflow as tf\n\nfor x in (1 + two).unbatch().map(f):\n    tf.data.Dataset.range(x)\n",
        "own.py": "import tensorflow as tf\nfrom pipes import make\n\nAUTOTUNE = tf.data.AUTOTUNE\nmake().unbatch()\n",
        "other.py": "import pandas as pd\n\npd.read_csv('a').map(f)\n",
    }

    def test_the_worst_file_comes_first(self, run: Run, project: Project) -> None:
        project(self.FILES)
        done = run("graph", "--coverage")
        assert done.code == 0
        assert [" ".join(line.split()) for line in done.out.splitlines()] == [
            "bad.py: 1 of 3",
            "3:20 unbatch what it is called on is not known",
            "3:30 map what it is called on is not known",
            "own.py: 0 of 1",
            "5:8 unbatch what it is called on is not known",
            "good.py: 2 of 2",
            "",
            "3 of 6 tf.data calls were recovered in pipelines (50.0%).",
            "3 were not: what it is called on is not known (3).",
        ]

    def test_as_json(self, run: Run, project: Project) -> None:
        project(self.FILES)
        data = json.loads(run("graph", "--coverage", "--output-format", "json").out)
        assert [file["filename"] for file in data["files"]] == ["bad.py", "own.py", "good.py"]
        assert data["files"][1] == {
            "filename": "own.py",
            "calls": 1,
            "in_pipelines": 0,
            "lost": [
                {
                    "operation": "unbatch",
                    "reason": "unknown receiver",
                    "cell": None,
                    "location": {"row": 5, "column": 8},
                }
            ],
            "maybe": [],
        }
        lost = {"unknown receiver": 3}
        assert data["total"] == {"files": 3, "calls": 6, "in_pipelines": 3, "lost": lost, "maybe": {}}

    def test_nothing_to_count(self, run: Run, project: Project) -> None:
        project({"a.py": CLEAN})
        assert run("graph", "--coverage").out == "There are no tf.data calls.\n"

    def test_other_formats(self, run: Run, project: Project) -> None:
        project(self.FILES)
        done = run("graph", "--coverage", "--format", "dot")
        assert done.code == 2
        assert "--coverage does not support the format dot" in done.err

    def test_problems_are_told(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, "b.py": BROKEN})
        done = run("graph", "--coverage", "missing", ".")
        assert done.code == 2
        assert "no such file or folder: missing" in done.err
        assert "b.py:3:" in done.err
        assert "2 of 2 tf.data calls" in done.out

    def test_standard_input(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(DISCARDED.encode())))
        assert run("graph", "--coverage", "-").out.startswith("<stdin>: 2 of 2\n")
