"""Where imports lead, by astroid: the same definitions, in this package; `benchmarks/oracle.py` asks other trees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_imports_lead_where_astroid_finds_them() -> None:
    command = [sys.executable, "benchmarks/oracle.py", "tfdata_lint/pipeline"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    compared = int(ended.stdout.split(": ")[1].split()[0])
    assert compared > 500, ended.stdout
