"""Diagnostics: told to clients that wait for them, answered to those that ask."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsp_editor import PIPELINE, Editor, many, span, until, uri
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_push(plain: Editor, tmp_path: Path) -> None:
    """A client that does not pull is told, on opening, after edits, and of the end."""
    file = plain.open(tmp_path / "a.py", PIPELINE)
    first, second = await plain.told(file)

    assert (first.code, first.source, first.severity) == ("TFD102", "tfdata-lint", types.DiagnosticSeverity.Hint)
    assert first.range == span(4, 12, 4, 34)
    assert first.message.startswith("`map` runs `tf.io.decode_jpeg` on one element at a time\n")
    assert first.code_description
    assert first.code_description.href.endswith("rules/TFD102-sequential-map.md")
    assert second.code == "TFD101"

    insertion = types.TextDocumentContentChangePartial(span(5, 21, 5, 21), ".prefetch(tf.data.AUTOTUNE)")
    plain.change(file, insertion)
    assert [found.code for found in await plain.told(file)] == ["TFD102"]

    plain.close(file)
    await until(lambda: plain.client.diagnostics[file] == [] or not plain.client.diagnostics[file])


async def test_only_the_last_of_many_edits_is_analysed(editor: Editor, tmp_path: Path) -> None:
    # Two edits are never so far apart, however busy the machine is.
    await editor.start(options={"debounce": 2_000})
    file = editor.open(tmp_path / "a.py", PIPELINE)
    await editor.told(file)
    for number in range(30):
        editor.change(file, types.TextDocumentContentChangePartial(span(0, 0, 0, 0), f"# {number}\n"))
    found = await editor.told(file)
    assert found[0].range.start.line == 34
    assert len(editor.published[file]) == 2


async def test_pull(editor: Editor, tmp_path: Path) -> None:
    """A client that pulls is not told. What has not changed is not sent again."""
    result = await editor.start(tmp_path, like="neovim@v0.11")
    assert isinstance(result.capabilities.diagnostic_provider, types.DiagnosticOptions)
    assert not result.capabilities.diagnostic_provider.workspace_diagnostics
    file = editor.open(tmp_path / "a.py", PIPELINE)
    report = await editor.pull(file)
    assert [found.code for found in report.items] == ["TFD102", "TFD101"]

    again = await editor.pull(file, known=report.result_id)
    assert again.kind == "unchanged"
    editor.change(file, PIPELINE.replace(".batch(32)", ".batch(32).prefetch(2)"))
    assert [found.code for found in (await editor.pull(file, known=report.result_id)).items] == ["TFD102"]
    assert not editor.published


async def test_an_answer_is_about_the_text_as_it_is_when_it_comes(able: Editor, tmp_path: Path) -> None:
    file = able.open(tmp_path / "a.py", many(100))
    asked = asyncio.ensure_future(able.pull(file))
    await asyncio.sleep(0)
    able.change(file, "import tensorflow as tf\n")
    assert (await asked).items in ([], ())


async def test_the_whole_workspace(editor: Editor, tmp_path: Path) -> None:
    """Only for those who ask for it. Open files as they are in the editor, the others as they are on disk."""
    (tmp_path / "closed.py").write_text(PIPELINE)
    (tmp_path / "open.py").write_text(PIPELINE)
    (tmp_path / "clean.py").write_text("import os\n")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "left_out.py").write_text(PIPELINE)
    result = await editor.start(tmp_path, like="neovim@v0.11", options={"workspaceDiagnostics": True})
    provider = result.capabilities.diagnostic_provider
    assert isinstance(provider, types.DiagnosticOptions)
    assert provider.workspace_diagnostics
    editor.open(tmp_path / "open.py", PIPELINE.replace(".batch(32)", ".batch(32).prefetch(2)"))

    async def ask(known: list[types.PreviousResultId]) -> dict[str, types.WorkspaceDocumentDiagnosticReport]:
        params = types.WorkspaceDiagnosticParams(known)
        report = await editor.client.workspace_diagnostic_async(params)
        return {Path(item.uri).name: item for item in report.items}

    found = await ask([])
    codes = {name: [d.code for d in item.items] for name, item in found.items()}  # type: ignore[union-attr]
    assert codes == {"closed.py": ["TFD102", "TFD101"], "open.py": ["TFD102"]}

    known = [types.PreviousResultId(item.uri, str(item.result_id)) for item in found.values()]
    assert {item.kind for item in (await ask(known)).values()} == {"unchanged"}
    (tmp_path / "closed.py").write_text("import os\n")
    gone = (await ask(known))["closed.py"]
    assert (gone.kind, gone.items) == ("full", ())  # type: ignore[union-attr]


async def test_places_and_edits_in_the_units_of_the_client(editor: Editor, tmp_path: Path) -> None:
    """The first encoding that the client names counts; columns behind an emoji differ."""
    line = '\tmodel.fit(tf.data.TFRecordDataset(["😋é"]).map(tf.io.decode_jpeg).batch(2))\r\n'
    text = f"import tensorflow as tf\r\ndef train(model):\r\n{line}"
    general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8])
    result = await editor.start(tmp_path, capabilities=types.ClientCapabilities(general=general))
    assert result.capabilities.position_encoding == "utf-8"
    file = editor.open(tmp_path / "a.py", text)
    found = next(d for d in await editor.told(file) if d.code == "TFD102")
    assert found.range.start.character == len(line[: line.index("map")].encode())
    inside = types.TextDocumentContentChangePartial(found.range, "take(2)")
    editor.change(file, inside)
    assert "TFD102" not in [d.code for d in await editor.told(file)]


async def test_related_places_in_other_files(plain: Editor, tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text(
        "import tensorflow as tf\n\ndef crop(x):\n    return tf.image.random_crop(x, [8, 8, 3])\n"
    )
    text = (
        "import tensorflow as tf\nfrom parts import crop\n\n"
        "def train(model, ds):\n    model.fit(tf.data.TFRecordDataset(ds).map(crop).cache().batch(2))\n"
    )
    file = plain.open(tmp_path / "a.py", text)
    places = [other.location for found in await plain.told(file) for other in found.related_information or ()]
    assert types.Location(uri(tmp_path / "parts.py"), span(3, 11, 3, 45)) in places


async def test_unsaved_text_of_other_files_is_seen(plain: Editor, tmp_path: Path) -> None:
    """And a change there is told here."""
    (tmp_path / "parts.py").write_text("def crop(x):\n    return x\n")
    text = (
        "import tensorflow as tf\nfrom parts import crop\n\n"
        "def train(model, ds):\n    model.fit(tf.data.TFRecordDataset(ds).map(crop).cache().batch(2))\n"
    )
    user = plain.open(tmp_path / "user.py", text)
    assert "TFD302" not in [d.code for d in await plain.told(user)]

    parts = plain.open(tmp_path / "parts.py", "def crop(x):\n    return x\n")
    random = "import tensorflow as tf\n\ndef crop(x):\n    return tf.image.random_crop(x, [8, 8, 3])\n"
    plain.change(parts, random)
    await until(lambda: "TFD302" in [d.code for d in plain.client.diagnostics[user]])
    plain.close(parts)
    await until(lambda: "TFD302" not in [d.code for d in plain.client.diagnostics[user]])
