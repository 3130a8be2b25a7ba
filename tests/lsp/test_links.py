"""Links to the pages of rules, in comments and in settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Editor, identifier, uri
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="session")
PAGES = Path(__file__).parents[2] / "rules"

COMMENTS = """\
import tensorflow as tf
x = "😋"; ds = tf.data.Dataset.range(9)  # noqa: E501, TFD306 # tfdata-lint: ignore[tfd102, TFD999] as TFD101 says
text = '''
# noqa: TFD101
'''
# tfdata-lint: ignore-file[TFD302]
"""
SETTINGS = """\
[tool.other]
ignore = ["TFD101"]
[tool.tfdata-lint]
ignore = [  # TFD102 and another
  "missing-prefetch", "TFD3",
]
[tool.tfdata-lint.rules.TFD106]
most = 4
["tool"."other"]
also = "TFD103"
"""


async def links(editor: Editor, where: str) -> list[types.DocumentLink]:
    params = types.DocumentLinkParams(identifier(where))
    return list(await editor.client.text_document_document_link_async(params) or ())


def places(given: list[types.DocumentLink], text: str) -> list[tuple[int, str]]:
    """The rows and words that are links, of a text of characters that UTF-16 has as one or two units."""
    rows = [row.encode("utf-16-le") for row in text.splitlines()]
    spans = [link.range for link in given]
    assert all(span.start.line == span.end.line for span in spans)
    found = [(s.start.line, rows[s.start.line][2 * s.start.character : 2 * s.end.character]) for s in spans]
    return [(row, word.decode("utf-16-le")) for row, word in found]


async def test_links_in_comments(plain: Editor, tmp_path: Path) -> None:
    """Of the codes that suppress, not of those in words or strings, each to the page that a finding links to."""
    text = COMMENTS.replace("\n", "\r\n")
    found = await links(plain, plain.open(tmp_path / "a.py", text))
    assert places(found, text) == [(1, "TFD306"), (1, "tfd102"), (5, "TFD302")]
    assert [link.target for link in found] == [
        uri(page) for code in ("TFD306", "TFD102", "TFD302") for page in PAGES.glob(f"{code}-*.md")
    ]
    assert (found[0].tooltip or "").startswith("TFD306 shuffle-after-batch: ")


async def test_links_in_settings(plain: Editor, tmp_path: Path) -> None:
    """By code and by name, in the sections that are ours; and settings are not linted as if they were Python."""
    shared = plain.open(tmp_path / "pyproject.toml", SETTINGS, "toml")
    assert places(await links(plain, shared), SETTINGS) == [(3, "TFD102"), (4, "missing-prefetch"), (6, "TFD106")]
    ours = plain.open(tmp_path / "tfdata-lint.toml", 'ignore = ["TFD101"]\n', "toml")
    assert len(await links(plain, ours)) == 1
    other = plain.open(tmp_path / "other.toml", 'ignore = ["TFD101"]\n', "toml")
    assert await links(plain, other) == []
    assert await plain.codes(shared) == []
    assert await plain.actions(shared) == []
    assert await plain.hover(shared, 4, 6) == ""


async def test_links_in_cells(plain: Editor, tmp_path: Path) -> None:
    """Also in a cell that is no Python yet."""
    cells = [uri(tmp_path / "n.ipynb") + f"#{n}" for n in range(2)]
    texts = ["x = (  # noqa: TFD101", "# tfdata-lint: off[TFD102]"]
    notebook = types.NotebookDocument(
        uri(tmp_path / "n.ipynb"), "jupyter-notebook", 1,
        [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in cells],
    )  # fmt: skip
    items = [types.TextDocumentItem(cell, "python", 1, text) for cell, text in zip(cells, texts, strict=True)]
    plain.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
    found = [places(await links(plain, cell), text) for cell, text in zip(cells, texts, strict=True)]
    assert found == [[(0, "TFD101")], [(0, "TFD102")]]
    assert await links(plain, uri(tmp_path / "not-open.py")) == []
