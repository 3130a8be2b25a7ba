"""Where the settings of a file come from: configuration files, and what the client says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import PIPELINE, ROOT, Editor, until, uri
from lsprotocol import types

from tfdata_lint.lsp.options import FIELDS

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

BOTH = ["TFD102", "TFD101"]


def config(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "tfdata-lint.toml"
    file.write_text(text)
    return file


def can_configure(**watching: Any) -> types.ClientCapabilities:
    return types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(configuration=True, **watching))


async def test_every_option_is_documented() -> None:
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    rows = [row.split("|")[1] for row in page.splitlines() if row.startswith("| `")]
    assert re.findall(r"`(\w+)`", " ".join(rows)) == list(FIELDS)


async def test_two_folders_with_settings_of_their_own(editor: Editor, tmp_path: Path) -> None:
    config(one := tmp_path / "one", 'ignore = ["TFD101"]')
    config(two := tmp_path / "two", 'select = ["TFD101"]')
    await editor.start(one, two)
    first, second = editor.open(one / "a.py", PIPELINE), editor.open(two / "a.py", PIPELINE)
    outside = editor.open(tmp_path / "a.py", PIPELINE)
    assert await editor.codes(first) == ["TFD102"]
    assert await editor.codes(second) == ["TFD101"]
    assert await editor.codes(outside) == BOTH


async def test_what_the_client_says_wins(editor: Editor, tmp_path: Path) -> None:
    """Under its section, with or without its name; and it may name the configuration file."""
    config(tmp_path, 'ignore = ["TFD101"]')
    (tmp_path / "other.toml").write_text('ignore = ["TFD102"]')
    await editor.start(tmp_path, options={"tfdata-lint": {"configuration": "other.toml", "extendSelect": ["TFD102"]}})
    file = editor.open(tmp_path / "a.py", PIPELINE)
    assert await editor.codes(file) == BOTH


async def test_settings_of_each_folder_are_asked_for(editor: Editor, tmp_path: Path) -> None:
    """And again when they have changed."""
    one, two = tmp_path / "one", tmp_path / "two"
    editor.client.set_configuration({"tfdata-lint": {"ignore": ["TFD101"]}}, scope_uri=uri(one))
    editor.client.set_configuration({"tfdata-lint": {"enable": False}}, scope_uri=uri(two))
    dynamic = types.DidChangeConfigurationClientCapabilities(dynamic_registration=True)
    await editor.start(one, two, capabilities=can_configure(did_change_configuration=dynamic))
    first, second = editor.open(one / "a.py", PIPELINE), editor.open(two / "a.py", PIPELINE)
    assert await editor.codes(first) == ["TFD102"]
    assert await editor.codes(second) == []
    await until(lambda: "workspace/didChangeConfiguration" in [r.method for r in editor.registered])

    editor.client.set_configuration({"tfdata-lint": {}}, scope_uri=uri(two))
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await until(lambda: [d.code for d in editor.client.diagnostics.get(second, ())] == BOTH)


async def test_a_folder_that_is_switched_off(editor: Editor, tmp_path: Path) -> None:
    await editor.start(tmp_path)
    file = editor.open(tmp_path / "a.py", PIPELINE)
    assert [d.code for d in await editor.told(file)] == BOTH
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"enable": False}))
    await until(lambda: not editor.client.diagnostics[file])


async def test_settings_that_are_sent(editor: Editor, tmp_path: Path) -> None:
    """By clients that cannot be asked."""
    await editor.start(tmp_path)
    file = editor.open(tmp_path / "a.py", PIPELINE)
    assert await editor.codes(file) == BOTH
    settings = {"tfdata-lint": {"select": ["missing-prefetch"]}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    await until(lambda: [d.code for d in editor.client.diagnostics.get(file, ())] == ["TFD101"])


async def test_a_changed_configuration_file_counts_at_once(editor: Editor, tmp_path: Path) -> None:
    """A client that watches files tells of it; with another it counts when a file is saved."""
    watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    workspace = types.WorkspaceClientCapabilities(did_change_watched_files=watching)
    await editor.start(tmp_path, capabilities=types.ClientCapabilities(workspace=workspace))
    file = editor.open(tmp_path / "a.py", PIPELINE)
    assert [d.code for d in await editor.told(file)] == BOTH
    await until(lambda: "workspace/didChangeWatchedFiles" in [r.method for r in editor.registered])
    event = types.FileEvent(uri(config(tmp_path, 'ignore = ["TFD101"]')), types.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await until(lambda: [d.code for d in editor.client.diagnostics[file]] == ["TFD102"])


async def test_a_changed_configuration_file_counts_on_saving(plain: Editor, tmp_path: Path) -> None:
    file = plain.open(tmp_path / "a.py", PIPELINE)
    assert [d.code for d in await plain.told(file)] == BOTH
    config(tmp_path, 'ignore = ["TFD102"]')
    plain.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(file)))
    await until(lambda: [d.code for d in plain.client.diagnostics[file]] == ["TFD101"])


async def test_another_file_has_changed_on_disk(able: Editor, tmp_path: Path) -> None:
    parts = tmp_path / "parts.py"
    parts.write_text("def crop(x):\n    return x\n")
    text = (
        "import tensorflow as tf\nfrom parts import crop\n\n"
        "def train(model, ds):\n    model.fit(tf.data.TFRecordDataset(ds).map(crop).cache().batch(2))\n"
    )
    user = able.open(tmp_path / "user.py", text)
    assert "TFD302" not in await able.codes(user)
    parts.write_text("import tensorflow as tf\n\ndef crop(x):\n    return tf.image.random_crop(x, [8, 8, 3])\n")
    event = types.FileEvent(uri(parts), types.FileChangeType.Changed)
    able.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert "TFD302" in await able.codes(user)


async def test_wrong_settings_are_told_once(editor: Editor, tmp_path: Path) -> None:
    """The others hold."""
    config(tmp_path, 'ignore = ["TFD101"]\nselct = []')
    options = {"targetTensorflow": "two", "inlayHint": True, "select": ["TFD102", "NOPE"], "debounce": "soon"}
    await editor.start(tmp_path, options=options)
    for name in ("a.py", "b.py"):
        assert await editor.codes(editor.open(tmp_path / name, PIPELINE)) == ["TFD102"]
    told = sorted(message.message for message in editor.client.messages)
    assert len(told) == 5
    assert told[0].endswith("tfdata-lint.toml:2: unknown key `selct`; did you mean `select`?")
    assert told[1:] == [
        "tfdata-lint: `debounce` must be a number of milliseconds",
        "tfdata-lint: `select` names an unknown rule `NOPE`; `tfdata-lint rule` lists them",
        "tfdata-lint: `targetTensorflow` is not a TensorFlow version: 'two' (write it as 2.15)",
        "tfdata-lint: there is no option `inlayHint`; did you mean `inlayHints`?",
    ]


async def test_excluded_files_have_no_findings(editor: Editor, tmp_path: Path) -> None:
    """What `.gitignore` names is looked at all the same once it is open."""
    config(tmp_path, 'extend-exclude = ["generated_*.py"]')
    (tmp_path / ".gitignore").write_text("scratch.py\n")
    await editor.start(tmp_path)
    for path, expected in {"generated_a.py": [], ".venv/lib/a.py": [], "scratch.py": BOTH}.items():
        assert await editor.codes(editor.open(tmp_path / path, PIPELINE)) == expected
