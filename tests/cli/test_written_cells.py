"""`%%writefile model.py`: modules that cells of a notebook write are linted with it, and other cells import them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cli.conftest import Run

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[..., Run]

MODULE = """\
%%writefile {}
import tensorflow as tf


def make(files):
    ds = tf.data.TFRecordDataset(files)
    ds.batch(2)
    return ds.cache().shuffle(9)
"""
USE = "from data import make\nds = make(['a'])\nds.take(3)\nfor batch in ds:\n    step(batch)"


def notebook(*cells: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4})


def found(run: Check, *words: str) -> list[tuple[str, int | None, int, str]]:
    """File, cell, row and rule of each finding."""
    findings = json.loads(run("check", "--output-format", "json", *words, ".").out)
    return [(f["filename"], f["cell"], f["location"]["row"], f["code"]) for f in findings]


def test_findings_are_in_the_cell(run: Check, project: Project) -> None:
    project({"a.ipynb": notebook("x = 1", MODULE.format("data.py"))})
    assert found(run, "--select", "TFD4") == [("a.ipynb", 2, 7, "TFD401")]


def test_later_cells_import_them(run: Check, project: Project) -> None:
    project({"a.ipynb": notebook(MODULE.format("data.py"), USE)})
    assert found(run, "--select", "TFD401") == [("a.ipynb", 1, 7, "TFD401"), ("a.ipynb", 2, 3, "TFD401")]


def test_what_a_consumer_tells_of_them_is_in_their_cell(run: Check, project: Project) -> None:
    use = "from data import make\nmodel = tf.keras.Sequential()\nmodel.fit(make(['a']), epochs=3)"
    project({"a.ipynb": notebook(MODULE.format("data.py"), use)})
    assert found(run, "--select", "TFD101", "--target-tensorflow", "2.4") == [("a.ipynb", 1, 8, "TFD101")]
    # What goes on behind it is prefetched.
    project({"a.ipynb": notebook(MODULE.format("data.py"), use.replace("(['a'])", "(['a']).prefetch(2)"))})
    assert found(run, "--select", "TFD101", "--target-tensorflow", "2.4") == []


def test_a_pipeline_that_goes_on_in_another_cell_has_no_end_there(run: Check, project: Project) -> None:
    use = "from data import make\nmodel = tf.keras.Sequential()\nmodel.fit(make(['a']), epochs=3)"
    main = f"%%writefile main.py\nimport tensorflow as tf\n{use}"
    select = ("--select", "TFD101", "--target-tensorflow", "2.4")
    project({"sub/a.ipynb": notebook(MODULE.format("data.py"), main)})
    assert found(run, *select) == [("sub/a.ipynb", 1, 8, "TFD101")]
    goes_on = use.replace("(['a'])", "(['a']).prefetch(2)")
    project({"sub/a.ipynb": notebook(MODULE.format("data.py"), main, goes_on)})
    assert found(run, *select) == []


@pytest.mark.parametrize(
    ("path", "use"),
    [
        (
            "trainer/data.py",
            "from trainer.data import make\nds = make(['a'])\nds.take(3)\nfor batch in ds:\n    step(batch)",
        ),
        (
            "./trainer/data.py",
            "import trainer.data as data\nds = data.make(['a'])\nds.take(3)\nfor batch in ds:\n    step(batch)",
        ),
        ("'data.py'", "import data\nds = data.make(['a'])\nds.take(3)\nfor batch in ds:\n    step(batch)"),
    ],
)
def test_packages_and_quotes(path: str, use: str, run: Check, project: Project) -> None:
    project({"a.ipynb": notebook(MODULE.format(path), use)})
    assert found(run, "--select", "TFD401") == [("a.ipynb", 1, 7, "TFD401"), ("a.ipynb", 2, 3, "TFD401")]


@pytest.mark.parametrize("path", ["-a data.py", "$name.py", "{folder}/data.py", "/tmp/data.py", "data.txt"])
def test_other_files_are_no_modules(path: str, run: Check, project: Project) -> None:
    project({"a.ipynb": notebook(MODULE.format(path), USE)})
    assert found(run, "--select", "TFD4") == []


def test_one_that_lies_beside_it_is_linted_there(run: Check, project: Project) -> None:
    code = MODULE.format("data.py")
    project({"a.ipynb": notebook(code, USE), "data.py": code.partition("\n")[2]})
    assert found(run, "--select", "TFD401") == [("a.ipynb", 2, 3, "TFD401"), ("data.py", None, 6, "TFD401")]


def test_one_that_comes_to_lie_there(run: Check, project: Project) -> None:
    """What was kept of the notebook does not hold any more."""
    code = MODULE.format("data.py")
    project({"a.ipynb": notebook(code, USE)})
    for _ in range(2):
        assert found(run, "--select", "TFD401") == [("a.ipynb", 1, 7, "TFD401"), ("a.ipynb", 2, 3, "TFD401")]
    project({"data.py": "def make(files):\n    return files\n"})
    assert found(run, "--select", "TFD401") == []


def test_one_that_is_written_again(run: Check, project: Project) -> None:
    code = MODULE.format("data.py")
    project({"a.ipynb": notebook(code, "x = 1", code)})
    assert found(run, "--select", "TFD401") == [("a.ipynb", 3, 7, "TFD401")]
    project({"a.ipynb": notebook(code, code.replace("%%writefile", "%%writefile -a"))})
    assert found(run, "--select", "TFD401") == []


def test_nothing_of_it_is_known_to_other_files(run: Check, project: Project) -> None:
    project({"a.ipynb": notebook(MODULE.format("data.py")), "b.ipynb": notebook(USE), "c.py": USE + "\n"})
    assert found(run, "--select", "TFD401", "--jobs", "1") == [("a.ipynb", 1, 7, "TFD401")]


def test_suppressions_and_fixes(run: Check, project: Project) -> None:
    code = MODULE.format("data.py")
    project({"a.ipynb": notebook(code.replace("batch(2)", "batch(2)  # noqa: TFD401"))})
    assert found(run, "--select", "TFD401") == []
    project({"a.ipynb": (text := notebook(code))})
    run("check", "--select", "TFD401", "--fix", "--unsafe-fixes", ".")
    assert Path("a.ipynb").read_text() == text


def test_broken_ones(run: Check, project: Project) -> None:
    project({"a.ipynb": notebook(MODULE.format("data.py") + "x = = 3\n", "import tensorflow as tf\ntf.data.Dataset")})
    assert found(run) == [("a.ipynb", 1, 9, "TFD000")]
    project({"a.ipynb": notebook("%%writefile a.py\nx = = 3\n", "import tensorflow as tf\ntf.data.Dataset")})
    assert found(run) == []
