"""marimo notebooks: the cells of a module as one namespace, in the order in which marimo runs them."""

from __future__ import annotations

import ast
from itertools import permutations

import pytest
from rows import each

from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.linting import lint_source, recover
from tfdata_lint.output.graph import render as render_graph
from tfdata_lint.output.text import render
from tfdata_lint.source.editing import CannotEdit, edited
from tfdata_lint.source.module import Source, load
from tfdata_lint.source.replacement import Replacement
from tfdata_lint.source.trees import Cells

HEAD = "import marimo\n\napp = marimo.App()\n"
IMPORT = "@app.cell\ndef _():\n    import tensorflow as tf\n    return (tf,)\n"
FILES = "@app.cell\ndef files(tf):\n    paths = tf.data.Dataset.list_files('*.png')\n    return (paths,)\n"
LOAD = """@app.cell
def load(paths, tf):
    def read(path):
        return tf.io.decode_png(tf.io.read_file(path))

    images = paths.map(read)
    ds = images.batch(4).prefetch(tf.data.AUTOTUNE)
    return ds, images
"""
FIT = "@app.cell\ndef _(ds, model):\n    for batch in ds:\n        model.train_on_batch(batch)\n    return\n"
MODEL = "@app.cell\ndef _(tf):\n    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n    return (model,)\n"


def notebook(*cells: str) -> Source:
    source = load("\n\n".join([HEAD, *cells]).encode(), "nb.py")
    assert source.tree is not None
    return source


def running(source: Source) -> list[str]:
    assert isinstance(source.tree, Cells)
    return [ast.unparse(statement) for statement in source.tree.body]


def cell(body: str) -> str:
    return f"@app.cell\ndef _():\n    {body}\n    return\n"


@each("cells", list(permutations([IMPORT, FILES, LOAD])))
def test_the_order_of_the_file_does_not_count(cells: tuple[str, ...]) -> None:
    source = notebook(*cells)
    assert source.tree is not None
    kinds = [type(statement).__name__ for statement in source.tree.body]
    assert kinds == ["Import", "Assign", "Import", "Assign", "FunctionDef", "Assign", "Assign"]
    assert [statement.lineno for statement in source.tree.by_row] == sorted(  # type: ignore[attr-defined]
        statement.lineno for statement in source.tree.body
    )


def test_cells_without_a_name_are_numbered() -> None:
    source = notebook(LOAD, IMPORT, FILES)
    assert [one.name for one in source.marimo] == ["load", "2", "files"]
    rows = source.text.split("\n")
    assert [rows[one.first - 1] for one in source.marimo] == ["@app.cell"] * 3
    row = rows.index("    import tensorflow as tf") + 1
    assert source.marimo_cell(row) == "2"
    assert source.marimo_cell(1) == ""


@each(
    ("body", "first"),
    [
        ("use = name", True),
        ("use = [name for other in ()]", True),
        ("use = [name for name in ()]", False),
        ("use = lambda: name", True),
        ("use = lambda name: name", False),
        ("def use(): return name", True),
        ("def use(name): return name", False),
        ("def use(other=name): return other", True),
        ("def use(*, other: name): return other", True),
        ("class use(name): pass", True),
        ("class use:\n        def method(self): return name", True),
        ("use = f'{name}'", True),
        ("use = 'name'", False),
        ("use = other.name", False),
        ("def use():\n        def inner(): return name\n        return inner", True),
        ("def use():\n        name = 1\n        def inner(): return name\n        return inner", False),
        ("@name\n    def use(): pass", True),
    ],
)
def test_what_a_cell_uses(body: str, first: bool) -> None:
    source = notebook(cell(body), cell("name = 1"))
    assert (running(source)[2] == "name = 1") is first


@each(
    "bound",
    [
        "name = 1", "name: int = 1", "import name", "import name.sub", "import x as name", "from x import name",
        "for name in (): pass", "with x as name: pass", "def name(): pass", "class name: pass", "(name, y) = x",
        "[name, *y] = x", "if (name := 1): pass", "match x:\n        case {'a': name}: pass",
        "match x:\n        case [*name]: pass", "name += 1",
    ],
)  # fmt: skip
def test_what_a_cell_defines(bound: str) -> None:
    source = notebook(cell("use = name"), cell(bound))
    assert running(source)[-1] == "use = name"


@each(
    ("why", "text"),
    [
        ("no app", "import marimo\n\n@app.cell\ndef _():\n    x = 1\n"),
        ("another app", "import marimo\nimport dash\n\napp = dash.App()\n\n@app.cell\ndef _():\n    x = 1\n"),
        ("no cells", HEAD + "def f():\n    x = 1\n"),
        ("two cells define a name", "\n".join([HEAD, cell("x = 1"), cell("x = 2")])),
        ("cells wait for each other", "\n".join([HEAD, cell("x = y"), cell("y = x")])),
        ("a cell returns in between", HEAD + cell("if x: return")),
        ("functions read names of their cell that another cell has too",
         "\n".join([HEAD, cell("_x = 1\n    f = lambda: _x"), cell("_x = 2\n    g = lambda: _x")])),
    ],
)  # fmt: skip
def test_what_is_read_as_any_module(why: str, text: str) -> None:
    source = load(text.encode(), "nb.py")
    assert type(source.tree) is ast.Module, why
    assert not source.marimo


def report_row(source: Source, part: str) -> int:
    return next(number for number, row in enumerate(source.lines, 1) if part in row)


def test_findings_name_the_cell() -> None:
    report = lint_source(notebook(FIT, LOAD, MODEL, FILES, IMPORT))
    (finding,) = [one for one in report.diagnostics if one.code == "TFD102"]
    row = report_row(notebook(FIT, LOAD, MODEL, FILES, IMPORT), "paths.map")
    assert (finding.place.row, finding.place.column, finding.place.cell) == (row, 20, None)
    text = render(finding)
    assert text.startswith(f"nb.py:{row}:20: ")
    assert "\n   = cell: `load`\n" in text


def test_places_in_other_cells_are_named() -> None:
    without_prefetch = LOAD.replace(".prefetch(tf.data.AUTOTUNE)", "")
    report = lint_source(notebook(FIT, without_prefetch, MODEL, FILES, IMPORT))
    (finding,) = [one for one in report.diagnostics if one.code == "TFD101"]
    source = notebook(FIT, without_prefetch, MODEL, FILES, IMPORT)
    assert f"::: {report_row(source, 'for batch in ds')}:18 in cell 1: consumed here" in render(finding)


def test_the_graph_names_the_cell() -> None:
    source = notebook(FIT, LOAD, MODEL, FILES, IMPORT)
    text = render_graph([(source, recover(source))], "text")
    assert f"cell 1: looped over at line {report_row(source, 'for batch in ds')}" in text
    assert "module" not in text


def test_the_last_expression_of_a_cell_is_shown() -> None:
    shown = cell("ds.batch(2)").replace("_()", "_(ds)")
    lost = cell("ds.batch(2)\n    print(1)").replace("_()", "_(ds)")
    codes = [
        [one.code for one in lint_source(notebook(IMPORT, LOAD, FILES, one)).diagnostics if one.code == "TFD401"]
        for one in (shown, lost)
    ]
    assert codes == [[], ["TFD401"]]


def test_a_fix_edits_the_cell_in_place() -> None:
    text = notebook(FIT, LOAD, MODEL, FILES, IMPORT).text
    expected = text.replace("map(read)", "map(read, num_parallel_calls=tf.data.AUTOTUNE)")
    assert fix_source(text, "nb.py", needless=True).after == expected.encode()


def test_a_fix_uses_names_of_other_cells() -> None:
    """A cell may use a name that it did not use before: here that of TensorFlow, which is imported further down."""
    made = "@app.function\ndef read(x):\n    return tf.io.decode_png(tf.io.read_file(x))\n"
    fit = "for one in ds:\n        model.train_on_batch(one)"
    use = f"@app.cell\ndef use(model, numbers):\n    ds = numbers.map(read)\n    {fit}\n    return\n"
    text = notebook(use, made, FILES.replace("paths", "numbers"), IMPORT, MODEL).text
    expected = text.replace("map(read)", "map(read, num_parallel_calls=tf.data.AUTOTUNE)")
    assert fix_source(text, "nb.py", needless=True).after == expected.encode()


def test_no_edit_breaks_the_notebook() -> None:
    source = notebook(IMPORT, MODEL)
    row = report_row(source, "model =")
    twice = [Replacement(row, 4, row, 4, "import tensorflow as tf\n    ")]
    with pytest.raises(CannotEdit, match="marimo would not run the edited notebook"):
        edited(source.text.encode(), source, twice)
    fine = edited(source.text.encode(), source, [Replacement(row, 4, row, 4, "size = 1\n    ")])
    assert b"    size = 1\n    model = tf" in fine
