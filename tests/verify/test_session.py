"""Findings below the cells of a notebook, as its session grows."""

from __future__ import annotations

import ast
import html
import json
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tfdata_lint.observing.linting import Cell, Session, Shown

ROOT = Path(__file__).parents[2]
LOAD = "import tensorflow as tf\nds = tf.data.Dataset.list_files('*.jpg')"
MAP = "ds = ds.map(lambda f: tf.io.decode_jpeg(tf.io.read_file(f)))"
FIT = "model.fit(ds.batch(8), epochs=3)"
SPLIT = "a = ds.take(10)\nb = ds.skip(10)"
MAPPED = "ds = ds.map(lambda f: tf.io.decode_jpeg(tf.io.read_file(f)), num_parallel_calls=tf.data.AUTOTUNE)"


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Not below one that is named after tests, whose code is judged otherwise."""
    with tempfile.TemporaryDirectory(prefix="work") as folder:
        monkeypatch.chdir(folder)
        Path("tfdata-lint.toml").write_text('target-tensorflow = "2.4"\n')
        monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
        yield Path(folder)


def session(*texts: str, ids: bool = True) -> Session:
    return Session(Cell(number, text, f"id{number}" * ids) for number, text in enumerate(texts, 1))


def told(of: Session) -> list[str]:
    return [f"{one.finding.place}: {one.finding.code}" for one in of.news()]


def test_what_a_later_cell_completes_is_told_once() -> None:
    grown = session()
    seen = []
    for number, text in enumerate([LOAD, MAPPED, "ds = ds.shuffle(10)", "x = 1", SPLIT, "y = 2"], 1):
        grown.add(Cell(number, text, str(number)))
        seen.append(told(grown))
    assert seen == [[], [], [], [], ["In [3]:1:9: TFD404"], []]


def test_a_cell_that_has_changed_is_told_again() -> None:
    grown = session(LOAD, MAP, FIT)
    assert "In [2]:1:9: TFD102" in told(grown)
    grown.add(Cell(4, MAP, "id2"))
    assert told(grown) == []
    grown.add(Cell(5, f"# Read them.\n{MAP}", "id2"))
    assert "In [5]:2:9: TFD102" in told(grown)
    grown.add(Cell(6, MAPPED, "id2"))
    assert not [one for one in grown.findings() if one.finding.code == "TFD102"]


def test_a_cell_that_runs_again_is_there_once() -> None:
    grown = session(LOAD, MAP, FIT, ids=False)
    before = [one.finding.code for one in grown.findings()]
    grown.add(Cell(4, MAP))
    grown.add(Cell(5, FIT, "with an id"))
    assert [one.finding.code for one in grown.findings()] == before
    assert grown.notebook().count("decode_jpeg") == 1


def test_a_session_without_pipelines_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfdata_lint.observing.linting.lint_source", None)
    assert told(session("import os", "print(1)\nfor x in range(3):\n    print(x)")) == []


@pytest.mark.parametrize(
    ("text", "matters"),
    [
        ("print(1)", False),
        ("x = 1\nmodel.summary()", False),
        ("%matplotlib inline\nimport numpy as np", False),
        ("next(iter(ds))", True),
        ("import tensorflow as tf\nmine = tf.data.Dataset.range(3)", True),
        ("ds ds", True),
    ],
)
def test_a_cell_that_has_to_do_with_datasets(text: str, matters: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    grown = session(LOAD, MAP, FIT)
    grown.news()
    grown.add(Cell(4, text, "id4"))
    found = Mock(return_value=[])
    monkeypatch.setattr(Session, "_found", found)
    grown.news()
    assert found.call_count == matters


def test_the_fixed_cell() -> None:
    fixed = session(LOAD, f"é = 'ü'; {MAP}", FIT)
    (one,) = (one for one in fixed.news() if one.finding.code == "TFD102")
    assert ast.dump(ast.parse(one.fixed)) == ast.dump(ast.parse(f"é = 'ü'; {MAPPED}"))
    assert fixed.fixed()[2] == one.fixed


def test_how_they_are_shown() -> None:
    found = session(LOAD, MAP, FIT).news()
    page, text = Shown(found)._repr_html_(), repr(Shown(found))
    assert page.count("<details>") == len(found)
    assert "TFD102</b> sequential-map" in page
    assert f'data-cell="{html.escape(found[0].fixed)}"' in page
    assert "In [2]:1:9: " in text
    assert "`%tfdata_lint --fix`" in text
    hostile = Shown(session(LOAD, "ds = ds.map(lambda x: '<script>' and tf.io.decode_jpeg(x))", FIT).news())
    assert "<script>" not in hostile._repr_html_()


def test_the_tensorflow_that_is_running_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "TFD102" in str(told(session(LOAD, MAP, FIT)))
    monkeypatch.setitem(sys.modules, "tensorflow", type("module", (), {"__version__": "2.21.0"}))
    assert "TFD102" not in str(told(session(LOAD, MAP, FIT)))


def execute(folder: Path, *sources: str) -> list[list[Any]]:
    """The outputs of cells that a real kernel runs."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    head = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n%load_ext tfdata_lint"
    written = [nbformat.v4.new_code_cell(textwrap.dedent(source)) for source in (head, *sources)]
    notebook = nbformat.v4.new_notebook(cells=written)
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    return [cell["outputs"] for cell in notebook["cells"][1:]]


TIMED = """\
import time
from tfdata_lint.observing.magics import _LIVE
began = time.perf_counter()
_LIVE[0]._session.news()
print(time.perf_counter() - began)
"""


def test_a_real_kernel(folder: Path) -> None:
    """The kernel has a module in place of TensorFlow, which takes seconds to be imported."""
    (folder / "tensorflow.py").write_text(
        "class Dataset:\n    list_files = staticmethod(lambda *given: Dataset())\n"
        "    map = batch = shuffle = take = skip = lambda self, *given, **named: self\n"
        "    __iter__ = lambda self: iter(())\n"
        "class data:\n    AUTOTUNE = -1\n    Dataset = Dataset\n"
    )
    outputs = execute(
        folder,
        f"import sys; sys.path.insert(0, '')\n{LOAD}",
        "ds = ds.shuffle(10)",
        SPLIT,
        "1 / 1",
        "%tfdata_lint off",
        "ds = ds.shuffle(20)  # again\na, b = ds.take(1), ds.skip(1)",
        "%tfdata_lint on",
        f"%%tfdata_lint\n{MAP}",
        "%tfdata_lint",
        "%tfdata_graph",
        "%tfdata_lint --fix",
        "%tfdata_lint --fix 1",
        TIMED,
    )
    load, shuffled, split, one, off, again, on, magic, session, graph, fix, no_fix, timed = outputs
    assert load == shuffled == off == again == []
    (shown,) = split
    assert "In [3]:1:9: " in shown["data"]["text/plain"]
    assert "<details>" in shown["data"]["text/html"]
    assert len(one) == 1
    assert "In [7]:1:9: " in str(on)
    assert len(magic) == 1
    assert "In [9]:2:9" in str(magic)
    assert "In [7]:1:9: " in str(session)
    assert "<svg" in graph[0]["data"]["text/html"]
    assert "list_files" in graph[0]["data"]["text/html"]
    assert "tfdata-lint: fixed In [9]" in str(fix)
    assert "no safe fix in In [1]" in str(no_fix)
    assert float(timed[0]["text"]) < 1


def test_a_session_has_one_numbering_of_cells(folder: Path) -> None:
    """That of executions, which the notebook shows: in findings, in their words, and in drawings."""
    grown = Session(
        [Cell(1, LOAD, "a"), Cell(3, MAP, "b"), Cell(7, "try:\n    ds = ds.cache()\nexcept Exception:\n    pass", "c")]
    )
    grown.add(Cell(9, FIT, "d"))
    assert [str(one.finding.place) for one in grown.findings() if one.finding.code == "TFD102"] == ["In [3]:1:9"]
    drawn = grown.drawn("text")
    assert "module: fitted at In [9], line 1" in drawn
    assert "In [3]:1" in drawn
    assert "the try at line 1 of In [7] succeeds" in drawn
    assert "cell " not in drawn
    assert "In [3], line 1" in grown.drawn("svg")


def test_a_notebook_has_the_numbers_of_cells_that_have_run(folder: Path) -> None:
    """And cells that have not run are counted, as in the file."""
    texts = ["# Title", LOAD, MAP, FIT]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in texts]
    cells[0] |= {"cell_type": "markdown"}
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    places = {
        one.finding.code: str(one.finding.place)
        for one in Session([Cell(4, LOAD), Cell(6, MAP)]).findings_in(text, str(folder / "a.ipynb"))
    }
    assert places["TFD102"] == "In [6]:1:9"
    assert places["TFD101"].endswith("a.ipynb:cell 4:1:14")
