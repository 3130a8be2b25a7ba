"""What a row of the table is: an input that a stranger could commit, and what must be said about it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SECONDS = 10.0
MEGABYTES = 500
#: It has a finding, and is linted whatever lies beside it.
PROGRAM = """\
import tensorflow as tf

files = tf.data.TFRecordDataset(["a", "b"])
for batch in files.shuffle(9, seed=1).map(decode).batch(4):
    step(batch)
"""
FINDING = "TFD105"


class Input(NamedTuple):
    """A row of the table."""

    name: str
    """In Markdown."""
    build: Callable[[Path], object]
    """Makes it in a folder that has `train.py`."""
    says: str = ""
    """A regular expression for what must be printed; empty where nothing needs to be said."""
    command: tuple[str, ...] = ("check", "--no-cache", "--output-format=concise", ".")
    linted: bool = True
    """Is `train.py` linted all the same?"""
    stdin: bytes = b""


class Outcome(NamedTuple):
    """What became of a process."""

    code: int
    """Negative: the signal that ended it."""
    seconds: float
    """Of processors, by it and all that it has started."""
    megabytes: float
    printed: str


def build(row: Input, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.py").write_text(PROGRAM)
    row.build(folder)


def command(row: Input) -> list[str]:
    """Lints with the tfdata-lint of this Python, which finds nothing of it in the working directory."""
    safely = ["-P"] if sys.version_info >= (3, 11) else []
    return [sys.executable, *safely, "-m", "tfdata_lint", *row.command]


def limit(megabytes: int = MEGABYTES) -> None:
    """Let this process have no more address space than that."""
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def run(row: Input, folder: Path, patience: float = 4 * SECONDS, megabytes: int = 4 * MEGABYTES) -> Outcome:
    """Run it in a folder, for so many seconds at most and with enough address space to see what it takes."""
    output = folder.parent / f"{folder.name}.out"
    given = folder.parent / f"{folder.name}.in"
    given.write_bytes(row.stdin)
    with output.open("wb") as file, given.open("rb") as stdin:
        process = subprocess.Popen(
            command(row), cwd=folder, stdin=stdin, stdout=file, stderr=file, start_new_session=True,
            preexec_fn=lambda: limit(megabytes),
        )  # fmt: skip
        timer = threading.Timer(patience, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    with output.open("rb") as file:
        printed = file.read(1_000_000).decode("utf-8", "replace")
    return Outcome(process.returncode, usage.ru_utime + usage.ru_stime, kilobytes / 1024, printed)


def judge(row: Input, outcome: Outcome) -> str:
    """What is wrong with an outcome; empty when nothing is."""
    if outcome.code == -signal.SIGKILL:
        return "no: it hung"
    if outcome.seconds > SECONDS or outcome.megabytes > MEGABYTES:
        return "no: it costs too much"
    return misses(row, outcome.code, outcome.printed)


def misses(row: Input, code: int, printed: str) -> str:
    """What is wrong with what is said; empty when nothing is."""
    if code not in (0, 1, 2):
        return "no: it died"
    if re.search("Traceback|MemoryError|TFD002", printed):
        return "no: it failed"
    if not re.search(row.says, printed):
        return "no: it is not said"
    if row.linted and FINDING not in printed:
        return "no: other files are not linted"
    return ""


def remove(folder: Path) -> None:
    """Some rows take rights away, or are too deep for Python to remove."""
    subprocess.run(["chmod", "-R", "u+rwx", folder], check=False, capture_output=True)
    subprocess.run(["rm", "-rf", folder], check=True)
