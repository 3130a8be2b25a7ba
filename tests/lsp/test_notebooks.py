"""Notebooks: cells that are analyzed as one namespace, with findings and edits for each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsp_editor import Editor, applied, identifier, span, until, uri
from lsprotocol import types

from tfdata_lint import Settings, fix_source

pytestmark = pytest.mark.asyncio(loop_scope="session")

CELLS = [
    "import tensorflow as tf\n%matplotlib inline\nds = tf.data.TFRecordDataset(files).shuffle(99)",
    "# 😋\nds = ds.map(tf.io.decode_jpeg)\nds = ds.batch(32)",
    "model.fit(ds)",
]


class Notebook:
    """A notebook in an editor. A Markdown cell stands in front."""

    def __init__(self, editor: Editor, path: Path) -> None:
        self._client = editor.client
        self.path = path
        self.uri = uri(path)
        self.cells = [f"vscode-notebook-cell:{path}#{name}" for name in "ABC"]
        kinds = [types.NotebookCell(types.NotebookCellKind.Markup, f"vscode-notebook-cell:{path}#M")]
        kinds += [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in self.cells]
        texts = [types.TextDocumentItem(c, "python", 1, text) for c, text in zip(self.cells, CELLS, strict=True)]
        notebook = types.NotebookDocument(self.uri, "jupyter-notebook", 1, kinds)
        self._client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, texts))

    def change(self, cells: types.NotebookDocumentCellChanges) -> None:
        identifier = types.VersionedNotebookDocumentIdentifier(2, self.uri)
        change = types.NotebookDocumentChangeEvent(cells=cells)
        self._client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(identifier, change))

    def edit(self, number: int, text: str) -> None:
        document = types.VersionedTextDocumentIdentifier(2, self.cells[number])
        event = types.TextDocumentContentChangeWholeDocument(text)
        content = types.NotebookDocumentCellContentChanges(document, [event])
        self.change(types.NotebookDocumentCellChanges(text_content=[content]))


async def test_findings_stand_in_their_cells(plain: Editor, tmp_path: Path) -> None:
    """The pipeline goes through all cells; those without findings are told so."""
    notebook = Notebook(plain, tmp_path / "a.ipynb")
    first, second, third = notebook.cells
    await until(lambda: set(notebook.cells) <= plain.published.keys())
    assert not plain.client.diagnostics[first]
    assert [(d.code, d.range) for d in plain.client.diagnostics[second]] == [
        ("TFD102", span(1, 8, 1, 30)),
        ("TFD101", span(2, 8, 2, 17)),
    ]
    assert not plain.client.diagnostics[third]
    related = [other.location.uri for d in plain.client.diagnostics[second] for other in d.related_information or ()]
    assert third in related

    notebook.edit(1, "ds = ds.batch(32).prefetch(2)")
    await until(lambda: not plain.client.diagnostics[second])


async def test_cells_come_and_go(able: Editor, tmp_path: Path) -> None:
    notebook = Notebook(able, tmp_path / "a.ipynb")
    second = notebook.cells[1]
    assert [found.code for found in (await able.pull(second)).items] == ["TFD102", "TFD101"]

    fourth = types.NotebookCell(types.NotebookCellKind.Code, "vscode-notebook-cell:x#D")
    array = types.NotebookCellArrayChange(3, 1, [fourth])
    text = types.TextDocumentItem(fourth.document, "python", 1, "ds = ds.prefetch(2)\nmodel.fit(ds)")
    gone = [identifier(notebook.cells[2])]
    notebook.change(
        types.NotebookDocumentCellChanges(structure=types.NotebookDocumentCellChangeStructure(array, [text], gone))
    )
    assert [found.code for found in (await able.pull(second)).items] == ["TFD102"]
    assert (await able.pull(notebook.cells[2])).items == ()


async def test_actions_on_a_cell(able: Editor, tmp_path: Path) -> None:
    """A plain `source.fixAll` is ignored there: it would come once for each cell."""
    (tmp_path / "requirements.txt").write_text("tensorflow==2.5\n")
    notebook = Notebook(able, tmp_path / "a.ipynb")
    second = notebook.cells[1]
    titles = [action.title for action in await able.actions(second, span(1, 9, 1, 9), only=["quickfix"])]
    assert titles[0] == "Use `num_parallel_calls=tf.data.AUTOTUNE` (TFD102)"
    assert await able.actions(second, only=["source.fixAll"]) == []
    assert await able.actions(second, only=["source.fixAll.tfdata-lint"]) == []

    (action,) = await able.actions(second, only=["notebook.source.fixAll"])
    assert action.kind == "notebook.source.fixAll.tfdata-lint"
    resolved = await able.client.code_action_resolve_async(action)
    assert resolved.edit
    texts = dict(zip(notebook.cells, CELLS, strict=True))
    for change in resolved.edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        where = change.text_document.uri
        texts[where] = applied(texts[where], change.edits)  # type: ignore[arg-type]

    saved = {"cells": [{"cell_type": "code", "source": cell} for cell in CELLS], "metadata": {}, "nbformat": 4}
    after = fix_source(json.dumps(saved), "a.ipynb", Settings(target_tensorflow="2.5")).after
    assert after
    assert list(texts.values()) == [cell["source"] for cell in json.loads(after)["cells"]]
    assert "%matplotlib inline" in texts[notebook.cells[0]]


async def test_suppress_in_a_cell(able: Editor, tmp_path: Path) -> None:
    second = Notebook(able, tmp_path / "a.ipynb").cells[1]
    offered = await able.actions(second, span(2, 9, 2, 9))
    action = next(action for action in offered if action.title.startswith("Suppress"))
    resolved = await able.client.code_action_resolve_async(action)
    assert resolved.edit
    (change,) = resolved.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    (edit,) = change.edits
    assert (change.text_document.uri, edit.range) == (second, span(2, 17, 2, 17))  # type: ignore[union-attr]


async def test_hover_and_symbols_in_a_cell(plain: Editor, tmp_path: Path) -> None:
    first, second, third = Notebook(plain, tmp_path / "a.ipynb").cells
    assert "\nTFRecordDataset |> shuffle |> map |> batch\n" in await plain.hover(second, 2, 9)
    names = {}
    for cell in (first, second, third):
        params = types.DocumentSymbolParams(identifier(cell))
        found = await plain.client.text_document_document_symbol_async(params)
        names[cell] = [symbol.name for symbol in found or ()]
    assert names == {first: [], second: ["TFRecordDataset |> shuffle |> map |> batch"], third: []}


async def test_closing_takes_the_findings_away(plain: Editor, tmp_path: Path) -> None:
    notebook = Notebook(plain, tmp_path / "a.ipynb")
    second = notebook.cells[1]
    await until(lambda: plain.client.diagnostics.get(second))
    params = types.DidCloseNotebookDocumentParams(
        types.NotebookDocumentIdentifier(notebook.uri), [identifier(cell) for cell in notebook.cells]
    )
    plain.client.notebook_document_did_close(params)
    await until(lambda: not plain.client.diagnostics[second])


async def test_cells_as_one_text(plain: Editor, tmp_path: Path) -> None:
    """As JupyterLab sends them."""
    (tmp_path / "parts.py").write_text("import tensorflow as tf\n\ndef decode(x):\n    return tf.io.decode_jpeg(x)\n")
    text = (
        'from parts import decode\n\n\nget_ipython().run_line_magic("matplotlib", " inline")\n'
        'import tensorflow as tf\nx = "😋"; ds = tf.data.TFRecordDataset("a").shuffle(99).map(decode)\n\n\n'
        "model.fit(ds.batch(2))\n"
    )
    notebook = plain.open(tmp_path / "a.ipynb", text)
    first, second = await plain.told(notebook)
    column = len(text.splitlines()[5]) + 1 - len("map(decode)")
    assert (first.code, first.range) == ("TFD102", span(5, column, 5, column + len("map(decode)")))
    assert first.message.startswith("`map` runs `decode` on one element at a time")
    assert (second.code, second.range.start.line) == ("TFD101", 8)
    assert "\nTFRecordDataset |> shuffle |> map\n" in await plain.hover(notebook, 5, column)
