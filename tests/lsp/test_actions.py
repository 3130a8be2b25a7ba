"""Code actions: what can be done about a finding, and all that can be done at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import PIPELINE, Editor, applied, span
from lsprotocol import types

from tfdata_lint import Settings, fix_source

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: One safe fix, one unsafe.
UNSAFE = """\
import tensorflow as tf

def augment(x):
    return tf.image.random_flip_left_right(x)

def train(model, files):
    ds = tf.data.TFRecordDataset(files)
    ds = ds.map(tf.io.decode_jpeg)
    model.fit(ds.map(augment).batch(8).prefetch(2))
"""


@pytest.fixture(autouse=True)
def _for_tensorflow_2_6(tmp_path: Path) -> None:
    """Which does nothing by itself, so that fixes are needed."""
    (tmp_path / "requirements.txt").write_text("tensorflow==2.5\n")


def edits(action: types.CodeAction) -> list[types.TextEdit]:
    assert action.edit
    if action.edit.changes is not None:
        return [edit for each in action.edit.changes.values() for edit in each]
    return [edit for change in action.edit.document_changes or () for edit in change.edits]  # type: ignore[union-attr,misc]


def titled(found: list[types.CodeAction], *words: str) -> types.CodeAction:
    return next(action for action in found if all(word in action.title for word in words))


async def test_a_quick_fix_for_each_finding(able: Editor, tmp_path: Path) -> None:
    file = able.open(tmp_path / "a.py", UNSAFE)
    safe = titled(await able.actions(file, span(7, 14, 7, 14)), "AUTOTUNE", "TFD102")
    assert (safe.kind, safe.is_preferred) == ("quickfix", True)
    assert [found.code for found in safe.diagnostics or ()] == ["TFD102"]
    fixed = applied(UNSAFE, edits(safe))
    assert ".map(tf.io.decode_jpeg, num_parallel_calls=tf.data.AUTOTUNE)" in fixed

    unsafe = titled(await able.actions(file, span(8, 18, 8, 18)), "unsafe: ")
    assert not unsafe.is_preferred
    assert "random values" in unsafe.title
    assert ".map(augment, num_parallel_calls=tf.data.AUTOTUNE)" in applied(UNSAFE, edits(unsafe))


async def test_nothing_where_nothing_was_found(plain: Editor, tmp_path: Path) -> None:
    file = plain.open(tmp_path / "a.py", PIPELINE)
    assert await plain.actions(file, span(0, 0, 0, 5), only=["quickfix"]) == []


async def test_fix_all(plain: Editor, tmp_path: Path) -> None:
    """As `--fix` does: what is safe, in as many passes as it takes."""
    text = PIPELINE.replace("\n", "\r\n").replace('"""', "'''")
    file = plain.open(tmp_path / "a.py", text)
    for only in (["source.fixAll"], ["source.fixAll.tfdata-lint"], ["source"]):
        (action,) = await plain.actions(file, only=only)
        assert action.kind == "source.fixAll.tfdata-lint"
        after = fix_source(text, "a.py", Settings(target_tensorflow="2.5")).after
        assert after
        assert applied(text, edits(action)) == after.decode()
    assert await plain.actions(file, only=["source.fixAll.another"]) == []
    assert await plain.actions(file, only=["refactor"]) == []


async def test_an_edit_may_come_when_the_action_is_chosen(able: Editor, tmp_path: Path) -> None:
    """For clients that can wait, edits that take time are made when they are needed, for the text of then."""
    file = able.open(tmp_path / "a.py", UNSAFE)
    (action,) = await able.actions(file, only=["source.fixAll"])
    assert action.edit is None
    able.change(file, f"# new\n{UNSAFE}")
    resolved = await able.client.code_action_resolve_async(action)
    assert resolved.edit
    (change,) = resolved.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document == types.OptionalVersionedTextDocumentIdentifier(file, 2)
    (edit,) = change.edits
    assert edit.range == span(8, 0, 9, 0)  # type: ignore[union-attr]


async def test_fix_all_of_one_rule(plain: Editor, tmp_path: Path) -> None:
    """From a safe fix the safe ones only."""
    text = UNSAFE.replace(".batch(8)", ".map(tf.io.encode_jpeg).batch(8)").replace(".prefetch(2)", "")
    file = plain.open(tmp_path / "a.py", text)
    safe = titled(await plain.actions(file, span(7, 14, 7, 14)), "Fix all 2 TFD102")
    fixed = applied(text, edits(safe))
    assert fixed.count("AUTOTUNE") == 2
    assert ".map(augment)" in fixed

    every = titled(await plain.actions(file, span(8, 18, 8, 18)), "Fix all 3 TFD102", "1 of them unsafe")
    assert ".map(augment, num_parallel_calls=tf.data.AUTOTUNE)" in applied(text, edits(every))


async def test_suppress_here(able: Editor, tmp_path: Path) -> None:
    file = able.open(tmp_path / "a.py", PIPELINE.replace("ds.map(", "ds.map(  # decode 😋\n        "))
    action = titled(await able.actions(file, span(4, 14, 4, 14)), "Suppress TFD102 here")
    resolved = await able.client.code_action_resolve_async(action)
    (edit,) = edits(resolved)
    assert (edit.range, edit.new_text) == (span(4, 29, 4, 29), "  # tfdata-lint: ignore[TFD102]")


async def test_explain(able: Editor, tmp_path: Path) -> None:
    """A client that can show the page of the rule is asked to; another is told what it is about."""
    file = able.open(tmp_path / "a.py", PIPELINE)
    action = titled(await able.actions(file, span(4, 14, 4, 14)), "Explain TFD102")
    # The client of pytest-lsp takes every action that has a command for a mere command.
    assert "'command': 'tfdata-lint.explain', 'arguments': ['TFD102']" in str(action.command)
    await able.client.workspace_execute_command_async(types.ExecuteCommandParams("tfdata-lint.explain", ["TFD102"]))
    shown = [document.uri for document in able.client.shown_documents]
    assert [Path(page).name for page in shown] == ["TFD102-sequential-map.md"]


async def test_explain_without_a_page(plain: Editor) -> None:
    for code in ("TFD102", "TFD999"):
        await plain.client.workspace_execute_command_async(types.ExecuteCommandParams("tfdata-lint.explain", [code]))
    first, second = [message.message for message in plain.client.messages]
    assert first.startswith("TFD102 sequential-map: `map` works on one element at a time")
    assert second == "there is no rule TFD999"


async def test_no_fix_of_a_text_that_cannot_be_written(plain: Editor, tmp_path: Path) -> None:
    """Its encoding lacks a character that is in it, so the file could not be saved like this."""
    file = plain.open(tmp_path / "a.py", f"# coding: latin-1\n# 😋\n{PIPELINE}")
    assert [found.code for found in await plain.told(file)] == ["TFD102", "TFD101"]
    (action,) = await plain.actions(file, only=["source.fixAll"])
    assert action.edit is None
