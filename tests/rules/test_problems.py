"""Lints what users asked in public threads, the programs in `problems/`, each rewritten to a few lines.

A marker stands where the cause is, and names the rule that must say so; other findings do not matter here. Nothing may
warn about the programs in `healthy.md`, which users suspected without reason. Words after `python`:

- `missed`: no rule names the cause yet. The test fails as soon as one does
- `no-run`, `raises`, `raises=TypeError`: as in the pages of the rules
"""

from __future__ import annotations

from pathlib import Path

from rows import each
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.testing.blocks import Block, blocks
from tfdata_lint.testing.pages import markers

FOLDER = Path(__file__).parent / "problems"
HEALTHY = list(blocks(FOLDER / "healthy.md"))
PROBLEMS = [block for page in sorted(FOLDER.glob("*.md")) if page.stem != "healthy" for block in blocks(page)]


def warnings(block: Block) -> set[tuple[int, str, str]]:
    """Row, severity and code of what is not mere advice."""
    report = lint_source(block.text, f"{block.file.stem}.py", Settings())
    return {(d.place.row, d.severity, d.code) for d in report.diagnostics if d.severity != "advice"}


@each("block", PROBLEMS)
def test_problem(block: Block) -> None:
    (marker,) = markers(block.text)
    named = (marker.row, marker.severity, marker.code) in warnings(block)
    if block.option("missed") is None:
        assert named, f"{block.place(marker.row)}: announced, not found: {marker}: {sorted(warnings(block))}"
    else:
        assert not named, f"{block}: is diagnosed now: delete the word `missed`"


def test_most_problems_are_diagnosed() -> None:
    missed = [str(block) for block in PROBLEMS if block.option("missed") is not None]
    assert len(PROBLEMS) == 40
    assert len(missed) <= 4, missed


@each("block", HEALTHY)
def test_healthy_program(block: Block) -> None:
    assert warnings(block) == set()


def test_healthy_programs_are_many() -> None:
    assert len(HEALTHY) == 20


@each("block", [b for b in PROBLEMS + HEALTHY if b.option("no-run") is None])
def test_program_runs_as_announced(block: Block, run_on_tensorflow: RunOnTensorFlow) -> None:
    ended = run_on_tensorflow(block.text, str(block.file), block.line)
    expected = block.option("raises")
    if expected is None:
        assert not ended["error"], f"{block} fails on TensorFlow:\n{ended['detail']}"
    else:
        assert ended["error"], f"{block} should fail on TensorFlow, and does not"
        assert expected in ("", ended["error"]), f"{block} fails with {ended['error']}:\n{ended['detail']}"
