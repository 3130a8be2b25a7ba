"""Lints what users asked in public threads, the programs in `problems/`, each rewritten to a few lines.

A marker stands where the cause is, and names the rule that must say so; other findings do not matter here. Nothing may
warn about the programs in pages that begin with `healthy`: users suspected them without reason, or they are the mended
form of a problem. Each folder was collected at once, before the rules that it asked for. Words after `python`:

- `missed`: no rule names the cause yet. The test fails as soon as one does
- `no-run`, `raises`, `raises=TypeError`: as in the pages of the rules
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rows import each
from tensorflow_runner import RunOnTensorFlow, check_end

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.testing.blocks import Block, blocks
from tfdata_lint.testing.pages import markers

FOLDER = Path(__file__).parent / "problems"
ALL = [block for page in sorted(FOLDER.glob("*/*.md")) for block in blocks(page)]
HEALTHY = [block for block in ALL if block.file.stem.startswith("healthy")]
PROBLEMS = [block for block in ALL if block not in HEALTHY]
#: Folder to the numbers of problems, and of those that may be missed, and of healthy programs.
COLLECTED = {"first": (40, 5, 20), "second": (40, 6, 25)}


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


@pytest.mark.parametrize("folder", COLLECTED)
def test_most_problems_are_diagnosed(folder: str) -> None:
    problems = [block for block in PROBLEMS if block.file.parent.name == folder]
    missed = [str(block) for block in problems if block.option("missed") is not None]
    count, may_be_missed, _ = COLLECTED[folder]
    assert len(problems) == count
    assert len(missed) <= may_be_missed, missed


@each("block", HEALTHY)
def test_healthy_program(block: Block) -> None:
    assert warnings(block) == set()


@pytest.mark.parametrize("folder", COLLECTED)
def test_healthy_programs_are_many(folder: str) -> None:
    assert len([block for block in HEALTHY if block.file.parent.name == folder]) == COLLECTED[folder][2]


@pytest.mark.nightly  # Another TensorFlow changes them, and who writes one runs it.
@each("block", [b for b in PROBLEMS + HEALTHY if b.option("no-run") is None])
def test_program_runs_as_announced(block: Block, run_on_tensorflow: RunOnTensorFlow) -> None:
    check_end(block, run_on_tensorflow)
