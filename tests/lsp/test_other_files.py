"""Findings that a file has only because others use it: told where they stand, as long as something causes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor, span, until, uri
from lsprotocol import types
from two_files import INPUTS, TRAIN

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

NOT_RANDOM = TRAIN.replace("tf.image.random_flip_left_right", "tf.image.flip_left_right")
PULLS = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities()),
    workspace=types.WorkspaceClientCapabilities(
        diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    ),
)
#: What others cause in `INPUTS`.
FROZEN = ["TFD302 6"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    inputs, train = tmp_path / "inputs.py", tmp_path / "train.py"
    inputs.write_text(INPUTS)
    train.write_text(TRAIN)
    return inputs, train


def shown(found: Any) -> list[str]:
    return [f"{one.code} {one.range.start.line}" for one in found]


def published(editor: Editor, where: str) -> list[str]:
    return shown(editor.client.diagnostics.get(where, ()))


async def test_in_an_open_file(plain: Editor, files: tuple[Path, Path]) -> None:
    """It comes and goes with what causes it, and moves with what is above it."""
    inputs, train = plain.open(files[0], INPUTS), plain.open(files[1], TRAIN)
    await until(lambda: published(plain, inputs) == FROZEN)
    assert published(plain, train) == []
    (found,) = plain.client.diagnostics[inputs]
    assert {other.location.uri for other in found.related_information or ()} == {train}

    plain.change(inputs, types.TextDocumentContentChangePartial(span(0, 0, 0, 0), "# one\n# more\n"))
    await until(lambda: published(plain, inputs) == ["TFD302 8"])
    plain.change(train, NOT_RANDOM)
    await until(lambda: published(plain, inputs) == [])
    plain.change(train, TRAIN)
    await until(lambda: published(plain, inputs) == ["TFD302 8"])
    plain.close(train)
    await until(lambda: published(plain, inputs) == [])


async def test_what_can_be_done_about_it(plain: Editor, files: tuple[Path, Path]) -> None:
    """There is no fix from there, but a comment counts."""
    inputs = plain.open(files[0], INPUTS)
    plain.open(files[1], TRAIN)
    await until(lambda: published(plain, inputs) == FROZEN)
    titles = [action.title for action in await plain.actions(inputs, span(6, 20, 6, 20))]
    assert titles == ["Suppress TFD302 here with a comment", "Explain TFD302 (cache-after-random)"]
    plain.change(inputs, types.TextDocumentContentChangePartial(span(6, 26, 6, 26), "  # noqa: TFD302"))
    await until(lambda: published(plain, inputs) == [])


async def test_in_a_file_that_is_not_open(editor: Editor, files: tuple[Path, Path], tmp_path: Path) -> None:
    """If it is in the workspace. Once it is open, it is told with everything else."""
    await editor.start(tmp_path)
    train = editor.open(files[1], TRAIN)
    inputs = uri(files[0])
    await until(lambda: published(editor, inputs) == FROZEN)

    editor.open(files[0], INPUTS.replace("data.AUTO", "data.experimental.AUTO"))
    await until(lambda: published(editor, inputs) == ["TFD701 5", *FROZEN])
    editor.close(inputs)
    await until(lambda: published(editor, inputs) == FROZEN)
    editor.close(train)
    await until(lambda: published(editor, inputs) == [])


async def test_in_a_file_that_is_deleted(editor: Editor, files: tuple[Path, Path], tmp_path: Path) -> None:
    await editor.start(tmp_path)
    editor.open(files[1], TRAIN)
    inputs = uri(files[0])
    await until(lambda: published(editor, inputs) == FROZEN)
    files[0].unlink()
    event = types.FileEvent(inputs, types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await until(lambda: published(editor, inputs) == [])


async def test_not_outside_of_the_workspace(plain: Editor, files: tuple[Path, Path]) -> None:
    train = plain.open(files[1], TRAIN)
    await plain.told(train)
    assert uri(files[0]) not in plain.published


async def test_not_in_a_file_that_is_left_out(editor: Editor, files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "tfdata-lint.toml").write_text('extend-exclude = ["inputs.py"]\n')
    await editor.start(tmp_path)
    inputs, train = editor.open(files[0], INPUTS), editor.open(files[1], TRAIN)
    await editor.told(train)
    assert await editor.codes(inputs) == []


async def test_for_a_client_that_pulls(editor: Editor, files: tuple[Path, Path], tmp_path: Path) -> None:
    """It is asked to pull again when another file makes a difference, and told of files that are not open."""
    await editor.start(tmp_path, capabilities=PULLS)
    train, inputs = editor.open(files[1], TRAIN), uri(files[0])
    await editor.pull(train)
    await until(lambda: published(editor, inputs) == FROZEN)

    editor.open(files[0], INPUTS)
    await until(lambda: published(editor, inputs) == [])
    assert shown((await editor.pull(inputs)).items) == FROZEN
    editor.refreshed.clear()
    editor.change(train, NOT_RANDOM)
    await editor.pull(train)
    await until(lambda: editor.refreshed)
    assert (await editor.pull(inputs)).items == ()


async def test_in_the_whole_workspace(editor: Editor, files: tuple[Path, Path], tmp_path: Path) -> None:
    """No file has to be open. What was seen then counts for those that are opened later."""
    await editor.start(tmp_path, capabilities=PULLS, options={"workspaceDiagnostics": True})

    async def ask(known: dict[str, str]) -> dict[str, Any]:
        params = types.WorkspaceDiagnosticParams([types.PreviousResultId(*each) for each in known.items()])
        report = await editor.client.workspace_diagnostic_async(params)
        return {Path(item.uri).name: item for item in report.items}

    found = await ask({})
    assert {name: shown(item.items) for name, item in found.items()} == {"inputs.py": FROZEN}
    known = {uri(files[0]): found["inputs.py"].result_id}
    assert [item.kind for item in (await ask(known)).values()] == ["unchanged"]

    inputs = editor.open(files[0], INPUTS)
    assert shown((await editor.pull(inputs)).items) == FROZEN
    files[1].write_text(NOT_RANDOM)
    assert (await ask(known))["inputs.py"].items == ()
    assert (await editor.pull(inputs)).items == ()
    assert not editor.published
