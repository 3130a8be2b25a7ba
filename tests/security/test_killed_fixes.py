"""`--fix` that is killed: each file is as before or as wanted, and after a signal to end nothing lies beside them."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.samples import DEPRECATED
from processes import PATIENCE, started, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs signals")]

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "TFDATA_LINT_DEBUG": ""}
#: Enough that a signal comes in the midst of them.
FILES = 60
FIXED = DEPRECATED.replace("experimental.", "")
#: A background process of a shell may have been told to pass over these.
BEGIN = """\
import signal
for number in signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)
from tfdata_lint.cli import console
console()
"""


def fill(folder: Path) -> None:
    for number in range(FILES):
        (folder / f"{number}.py").write_text(DEPRECATED)


def is_under_way(folder: Path) -> bool:
    return (folder / "0.py").read_text() == FIXED


def left(folder: Path) -> list[str]:
    """Temporary files. All others are as before or as wanted."""
    assert {path.name for path in folder.glob("*.py")} == {f"{number}.py" for number in range(FILES)}
    assert {path.read_text() for path in folder.glob("*.py")} <= {DEPRECATED, FIXED}
    return sorted({path.name for path in folder.iterdir()} - {f"{number}.py" for number in range(FILES)})


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_at_any_moment(name: str, tmp_path: Path) -> None:
    number = getattr(signal, name)
    chance = random.Random(31)
    ended = 0
    for turn in range(4):
        folder = tmp_path / str(turn)
        folder.mkdir()
        fill(folder)
        command = [sys.executable, "-c", BEGIN, "check", "--fix", "--no-cache", "-q"]
        with started(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as process:
            wait_for(lambda folder=folder, process=process: is_under_way(folder) or process.poll() is not None)
            time.sleep(chance.uniform(0, 0.05))
            process.send_signal(number)
            _, said = process.communicate(timeout=PATIENCE)
        remains = left(folder)
        if name == "SIGKILL":
            assert len(remains) <= 1
            continue
        assert remains == []
        if process.returncode == 128 + number:
            assert said == "tfdata-lint: interrupted\n"
            ended += 1
    assert ended or name == "SIGKILL"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_with_workers(jobs: str, tmp_path: Path) -> None:
    """They end with it, and say nothing."""
    fill(tmp_path)
    for number in range(FILES):
        (tmp_path / f"{number}.py").write_text(DEPRECATED * 40)
    command = [sys.executable, "-c", BEGIN, "check", "--jobs", jobs, "--output-format", "json-lines", "--isolated"]
    with started(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for(lambda: process.stdout and process.stdout.readline())
        process.terminate()
        _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (143, "tfdata-lint: interrupted\n")
    assert not list(tmp_path.rglob("*.tmp"))
