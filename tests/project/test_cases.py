"""What holds stays held: the sets of `tests/cases` score at least what `floor.tsv` says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parents[1] / "cases"

pytestmark = pytest.mark.slow


def test_no_set_falls_below_its_floor(tmp_path: Path) -> None:
    tool = tmp_path / "tfdata-lint"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tfdata_lint "$@"\n')
    tool.chmod(0o755)
    command = [sys.executable, str(CASES / "score.py"), str(tool), "--verbose", "--floor", str(CASES / "floor.tsv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_set_has_a_floor() -> None:
    named = {row.partition("\t")[0].split()[0] for row in (CASES / "floor.tsv").read_text().splitlines() if row}
    assert named == {path.parent.name for path in CASES.glob("*/expected.tsv")}
