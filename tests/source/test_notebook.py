"""Notebooks: cells as one module, magics blanked row for row, broken cells reported alone."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tfdata_lint.lint.diagnostics import Placer
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.source.module import Location, Problem, Source, load
from tfdata_lint.source.notebook import unknown_magic, without_magics


def notebook(*cells: Any, **metadata: Any) -> Source:
    full = [cell if isinstance(cell, dict) else {"cell_type": "code", "source": cell} for cell in cells]
    data = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": full}
    return load(json.dumps(data).encode(), "a.ipynb")


MARKDOWN = {"cell_type": "markdown", "source": "# %%bash"}


def names(source: Source) -> dict[str, Location]:
    assert source.tree is not None
    nodes = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name)]
    return {node.id: source.location(node.lineno, node.col_offset) for node in nodes}


def the_problem(source: Source) -> Problem:
    assert source.tree is not None
    (problem,) = source.problems
    return problem


def test_cells_are_one_module() -> None:
    source = notebook("import x\na = 1", MARKDOWN, ["b = a\n", "\n", "c = b"], "")
    assert source.text == "import x\na = 1\nb = a\n\nc = b\n"
    assert source.problems == []
    assert names(source) == {"a": Location(1, 5, 3), "b": Location(3, 5, 3), "c": Location(3, 1, 3)}


def test_columns_count_characters() -> None:
    assert names(notebook(MARKDOWN, "x = 'é'; y = 1"))["y"] == Location(1, 10, 2)


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%run helpers.py\nx", "from .helpers import *\nx"),
        ("%run -i '../data/load.py'", "from ..data.load import *"),
        ("%run helpers.ipynb\n%run -m helpers\nif a:\n    %run helpers.py", "\n\nif a:\n    pass"),
        ("%matplotlib inline\nx = 1", "\nx = 1"),
        ("!pip install a \\\n  b\nx", "\n\nx"),
        ("?x\nx?\nx.map??\ny", "\n\n\ny"),
        ("a = !ls\nb, c = %sx ls\nd['k'] = 1", "\n\nd['k'] = 1"),
        ("if a:\n    !ls\n    %cd b\nelse:  # c\n    # d\n    !ls", "if a:\n    pass\n\nelse:  # c\n    # d\n    pass"),
        (
            "def f():\n    '''D\n    %s ?\n    ! x'''\n    return x",
            "def f():\n    '''D\n    %s ?\n    ! x'''\n    return x",
        ),
        ("x = ('%s'\n%\n(a,))\ny = (b\n!= c)", "x = ('%s'\n%\n(a,))\ny = (b\n!= c)"),
        ("x = a \\\n% b\nz = x %d", "x = a \\\n% b\nz = x %d"),
        ("x %= 3\nx != 4\nx = y  # really?", "x %= 3\nx != 4\nx = y  # really?"),
        ("# a\n !x\n%y", "# a\n\n"),
        ("%%time\nx = 1", "\nx = 1"),
        ("# note\n\n%%capture out\n%%time\n!ls\nx", "# note\n\n\n\n\nx"),
        ("%%bash\nls\nx = 1", "\n\n"),
        ("%%writefile a.py\nx = 1", "\n"),
        ("%%unheard_of\nx = 1", "\n"),
        ("%%html", ""),
        ("%%time", ""),
        ("%sql\nselect a from b", "\n"),
        ("%bash\nOUT=gs://bucket", "\n"),
        ("%bq query -n trips\nSELECT a FROM `b`", "\n"),
        ("%writefile a.yaml\na: 1", "\n"),
        ("%writefiles a\nx", "\nx"),
        ("ls -la ./data", ""),
        ("pip install -U a\n", "\n"),
        ("ls = 3", "ls = 3"),
        ("ls -la\nx = 1", "ls -la\nx = 1"),
        ("%time x = f(y)\n%time -n 3 x\n%time\n%timeit f(x)", "pass; x = f(y)\n\n\n"),
        ("s = 'it is'\n!echo it's\nt = 'x'", "s = 'it is'\n\nt = 'x'"),
    ],
)
def test_magics_are_blanked(cell: str, python: str) -> None:
    assert without_magics(cell) == python
    source = notebook(cell)
    assert source.text == python
    assert source.lines == cell.split("\n")
    if "%d" not in cell:
        assert source.tree is not None
        assert source.problems == []


ROWS = ["!ls", "    %cd x", "x = !ls", "if a:", "    b", "'''", "f(", ")", "%%bash", "%time x", "# c", "a \\", "x?", ""]


@settings(deadline=None)
@given(st.lists(st.sampled_from(ROWS)).map("\n".join))
def test_blanking_keeps_rows(cell: str) -> None:
    python = without_magics(cell)
    before, after = cell.split("\n"), python.split("\n")
    assert len(before) == len(after)
    assert all(new in ("", old) or new.lstrip().startswith("pass") for old, new in zip(before, after, strict=True))


def test_time_keeps_columns() -> None:
    assert names(notebook("%time x = f(y)")) == {
        "x": Location(1, 7, 1), "f": Location(1, 11, 1), "y": Location(1, 13, 1),
    }  # fmt: skip


def test_a_broken_cell_is_reported_and_the_others_stay() -> None:
    source = notebook("a = 1", MARKDOWN, "ok = 1\nb = = 2", "c = 3\nprint 'x'", "d = 4")
    assert list(names(source)) == ["a", "d"]
    places = [source.location(problem.row, problem.column) for problem in source.problems]
    assert places == [Location(2, 5, 3), Location(2, 1, 4)]
    assert "Python 2" in source.problems[1].message
    assert source.lines[source.problems[0].row - 1] == "b = = 2"
    assert names(source)["d"] == Location(1, 1, 5)


@pytest.mark.parametrize(
    ("cell", "columns"),
    [
        (" for x in y:\n   print(x)", {"x": 10, "y": 11}),
        ("\n    %%time\n    x = y\nz = 1", {"x": 5, "y": 9, "z": 1}),
        ("  # note\nx = 1", {"x": 1}),
        ("\tif a:\n\t\tb\n\tc", {"a": 5, "b": 3, "c": 2}),
        (">>> x = y\n>>> if x:\n...     z\n...\n", {"x": 8, "y": 9, "z": 9}),
        ("In [7]: x = (\n   ...: y)", {"x": 9, "y": 9}),
    ],
)
def test_indentation_and_prompts_of_a_cell_are_taken_away(cell: str, columns: dict[str, int]) -> None:
    """As IPython does; columns are those of the cell."""
    source = notebook("first = 1", cell, "last = 1")
    found = {name: place.column for name, place in names(source).items() if name not in ("print", "first", "last")}
    assert source.problems == []
    assert found == columns
    assert names(source)["last"] == Location(1, 1, 3)


@pytest.mark.parametrize("cell", ["x = 1\n  y = 2", "  x = 1\n    y = 2", "  x = (", ">>> x y"])
def test_other_indentation_is_a_mistake(cell: str) -> None:
    assert not the_problem(notebook(cell)).is_meant


@pytest.mark.parametrize(
    "cell",
    [
        "x = # TODO",
        "splits, info = tfds.load( # YOUR CODE HERE )\nx = 1",
        "model.fit(#YOUR CODE HERE)",
        "splits = [#DESCRIBE YOUR SPLITS HERE#]",
        "def f(x):\n    # TODO 2\n",
        "x = TODO: ____(client)",
        "# TODO: use your endpoint\nprediction =",
        "return tf.data. # complete this line",
        "for x in y:\n# Fill in the loop\nprint(x)",
    ],
)
def test_cells_that_are_to_be_completed(cell: str) -> None:
    assert the_problem(notebook("a = 1", cell)).is_meant


@pytest.mark.parametrize("cell", ["x = = 3", "print 'x'", "f(\n# your device\n", "# the complete text\nx y"])
def test_cells_that_are_broken(cell: str) -> None:
    assert not the_problem(notebook("a = 1", cell)).is_meant


@pytest.mark.parametrize("cells", [("x = (1,", "2)"), ("if a:", "    b"), ("x = '''", "'''"), ("a = 1 + \\", "2")])
def test_cells_do_not_run_into_each_other(cells: tuple[str, str]) -> None:
    source = notebook(*cells)
    assert source.tree is not None
    assert source.location(source.problems[0].row, 0).cell == 1


def test_await_at_the_top() -> None:
    source = notebook("await f()\nasync with g() as h:\n    pass\nasync for x in y: pass")
    assert source.tree is not None
    assert source.problems == []


def test_nul_and_half_characters() -> None:
    source = notebook("a = 1", "b = '\0'", "c = '\ud800'", "d = 1")
    assert list(names(source)) == ["a", "d"]
    assert ["NUL" in p.message or "U+D800" in p.message for p in source.problems] == [True, True]


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"language": "julia", "name": "julia-1.9"}},
        {"language_info": {"name": "R"}},
    ],
)
def test_other_languages_are_blank(metadata: dict[str, Any]) -> None:
    source = notebook("x = <- 1\ny", **metadata)
    assert source.text == "\n"
    assert source.tree is not None
    assert source.problems == []


def test_python_by_any_name() -> None:
    for metadata in (
        {},
        {"kernelspec": {"language": "python"}},
        {"language_info": {"name": "ipython"}},
        {"kernelspec": None},
    ):
        assert notebook("x", **metadata).text == "x"


def test_language_of_a_cell() -> None:
    cell = {"cell_type": "code", "metadata": {"vscode": {"languageId": "sql"}}, "source": "select 1"}
    assert notebook(cell, "x").text == "\nx"


def test_version_3() -> None:
    data = {
        "nbformat": 3,
        "worksheets": [{"cells": [{"cell_type": "heading", "source": "H"}, {"cell_type": "code", "input": "x = 1"}]}],
    }
    assert names(load(json.dumps(data).encode(), "a.ipynb")) == {"x": Location(1, 1, 2)}


@pytest.mark.parametrize(
    ("text", "row", "words"),
    [
        ("", 1, "not valid JSON"),
        ('{\n "cells": [\n  ]]\n}', 3, "not valid JSON"),
        ("[1, 2]", 1, "not a Jupyter notebook"),
        ("{}", 1, "no list of cells"),
        ('{"cells": [1]}', 1, "cell 1 is not an object"),
        ('{"cells": [{"cell_type": "code", "source": 5}]}', 1, "source of cell 1"),
        ('{"worksheets": [{"cells": 3}, 4], "cells": 1}', 1, "no list of cells"),
        ("[" * 200_000, 1, "nested too deeply"),
    ],
)
def test_not_a_notebook(text: str, row: int, words: str) -> None:
    source = load(text.encode(), "a.ipynb")
    assert source.tree is None
    (problem,) = source.problems
    assert words in problem.message
    assert source.location(problem.row, problem.column).cell is None
    assert problem.row == row


def test_undecodable_notebook() -> None:
    source = load(b'{\n"cells": "\xff"}', "a.ipynb")
    assert source.tree is None
    assert (source.problems[0].row, "0xff" in source.problems[0].message) == (2, True)


def test_no_code_cells() -> None:
    source = notebook(MARKDOWN)
    assert source.tree is not None
    assert (source.text, source.problems) == ("", [])


def test_cells_are_told_by_where_they_stand() -> None:
    """The number that Jupyter shows beside one changes with each execution."""

    def cell(count: int | None) -> dict[str, object]:
        return {"cell_type": "code", "source": "x", "execution_count": count}

    source = notebook(cell(None), MARKDOWN, cell(7))
    places = [str(Placer(source).place(Span("a.ipynb", row, 0, row, 1))) for row in (1, 2)]
    assert places == ["a.ipynb:cell 1:1:1", "a.ipynb:cell 3:1:1"]


def test_a_long_notebook_with_a_broken_cell() -> None:
    """Cells that are read alone count against the same bound as a whole text."""
    cells = ["x = = 3", "a = 1\n" * 50_000, "b = 2\n" * 60_000, "c = 3"]
    source = notebook(*cells)
    assert source.tree is not None
    assert len(source.problems) == 1
    assert source.unparsed == source.cells[2].first
    assert {node.targets[0].id for node in source.tree.body} == {"a"}  # type: ignore[attr-defined]


def test_more_values_than_anybody_has() -> None:
    text = '{"cells": [' + "[]," * 3_000_000 + "[]]}"
    source = load(text.encode(), "a.ipynb")
    assert [problem.message for problem in source.problems] == [
        "this notebook has more than 4,000,000 values; clear what its cells have shown"
    ]


def test_a_magic_that_runs_python_by_the_setting() -> None:
    cell = "%%mine --fast\nx = 1\n!ls"
    assert without_magics(cell, ["mine"]) == "\nx = 1\n"
    assert without_magics(f"%%time\n{cell}", ["mine"]) == "\n\nx = 1\n"
    assert without_magics(cell, ["other"]) == "\n\n"


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("# why\n\n%%mine a b\nx = 1", ("mine", "x = 1")),
        ("%%time\nx = 1", ("", "")),
        ("%%writefile a.py\nx = 1", ("", "")),
        ("x = 1\n%%mine\ny", ("", "")),
        ("%%mine", ("", "")),
    ],
)
def test_unknown_magics(cell: str, found: tuple[str, str]) -> None:
    assert unknown_magic(cell) == found
