"""What was measured, in editors: a hint where it is folded, and its words in hovers, lenses and inlay hints."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import PIPELINE, Editor, identifier, span, until
from lsprotocol import types

from tfdata_lint import Settings, lint_source
from tfdata_lint.config.target import NEWEST
from tfdata_lint.run.evidence.ledger import Entry, dump

pytestmark = pytest.mark.asyncio(loop_scope="session")

VERSION = "{}.{}".format(*NEWEST)
#: A warning by `map`, which draws at random.
TEXT = PIPELINE.replace("tf.io.decode_jpeg", "lambda x: tf.image.random_flip_left_right(tf.io.decode_jpeg(x))")
SAID = f"refuted on TensorFlow {VERSION}: with the fix it is 1.01 times as fast"


def ledger(folder: Path, text: str = TEXT) -> Path:
    """Settings that name a ledger in which the fix of the `map` is refuted."""
    found = lint_source(text, settings=Settings(with_standing=True, with_edits=False)).diagnostics
    digests = next(d.standing.digests for d in found if d.code == "TFD102")
    detail = "With the fix it is 1.01 times as fast"
    entry = Entry("TFD102", digests, VERSION, "refuted", "below-threshold", detail, "a.py", "a.py")
    (folder / "tfdata-lint.toml").write_text('evidence = ["tfdata-lint-evidence.json"]')
    file = folder / "tfdata-lint-evidence.json"
    file.write_text(dump([entry]))
    return file


def severity(found: list[types.Diagnostic]) -> types.DiagnosticSeverity | None:
    return next(d.severity for d in found if d.code == "TFD102")


async def test_a_refuted_finding_is_a_hint(able: Editor, tmp_path: Path) -> None:
    plain = able.open(tmp_path / "a.py", TEXT)
    assert severity((await able.pull(plain)).items) == types.DiagnosticSeverity.Warning
    able.close(plain)
    (folder := tmp_path / "measured").mkdir()
    ledger(folder)
    file = able.open(folder / "a.py", TEXT)
    found = (await able.pull(file)).items
    assert severity(found) == types.DiagnosticSeverity.Hint
    assert f"\nFolded: {SAID}\n" in next(d.message for d in found if d.code == "TFD102")
    assert f"  \nFolded: {SAID}.  \n" in await able.hover(file, 4, 14)
    assert "Folded" not in await able.hover(file, 5, 14)
    hints = await able.client.text_document_inlay_hint_async(types.InlayHintParams(identifier(file), span(0, 0, 20, 0)))
    assert [hint.label for hint in hints or () if "Folded" in str(hint.label)] == [f"Folded: {SAID}"]
    lenses = await able.client.text_document_code_lens_async(types.CodeLensParams(identifier(file)))
    titles = [lens.command.title for lens in lenses or () if lens.command]
    assert [title for title in titles if title != "Verify"] == [f"TFD102 Folded: {SAID}"]
    able.close(file)


async def test_edits_keep_it_or_make_it_stale(able: Editor, tmp_path: Path) -> None:
    ledger(tmp_path)
    file = able.open(tmp_path / "a.py", TEXT.replace("load", "read").replace("ds", "dataset"))
    assert severity((await able.pull(file)).items) == types.DiagnosticSeverity.Hint
    able.change(file, TEXT.replace("batch(32)", "batch(64)"))
    found = (await able.pull(file)).items
    assert severity(found) == types.DiagnosticSeverity.Warning
    assert "the pipeline has changed since it was refuted" in next(d.message for d in found if d.code == "TFD102")
    able.close(file)


async def test_a_broken_ledger_is_told_and_hides_nothing(editor: Editor, tmp_path: Path) -> None:
    ledger(tmp_path).write_text("[" * 100_000)
    await editor.start(tmp_path)
    file = editor.open(tmp_path / "a.py", TEXT)
    assert severity(await editor.told(file)) == types.DiagnosticSeverity.Warning
    await until(lambda: any("tfdata-lint-evidence.json: it is nested" in m.message for m in editor.client.messages))
