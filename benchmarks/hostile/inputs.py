"""What a row of the table is: an input that a stranger could commit, and what must be said about it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
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
FINDING = "TFD102"


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
    megabytes: float
    printed: str

    @property
    def is_hung(self) -> bool:
        return self.code == -signal.SIGKILL


def build(row: Input, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.py").write_text(PROGRAM)
    row.build(folder)


def run(row: Input, folder: Path, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> Outcome:
    """Run the linter of this Python in a folder, with no more time and address space than that."""
    command = [sys.executable, "-P", "-m", "tfdata_lint", *row.command]
    if sys.version_info < (3, 11):
        command.remove("-P")
    output = folder.parent / f"{folder.name}.out"
    begin = time.monotonic()
    with output.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=file, stderr=file, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20)),
        )  # fmt: skip
        assert process.stdin
        process.stdin.write(row.stdin)
        process.stdin.close()
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    with output.open("rb") as file:
        printed = file.read(1_000_000).decode("utf-8", "replace")
    return Outcome(process.returncode, time.monotonic() - begin, kilobytes / 1024, printed)


def judge(row: Input, outcome: Outcome) -> str:
    """What is wrong with an outcome; empty when nothing is."""
    if outcome.is_hung:
        return "no: it hung"
    if outcome.code not in (0, 1, 2):
        return "no: it died"
    if outcome.seconds > SECONDS or outcome.megabytes > MEGABYTES:
        return "no: it costs too much"
    if re.search("Traceback|MemoryError|TFD002", outcome.printed):
        return "no: it failed"
    if not re.search(row.says, outcome.printed):
        return "no: it is not said"
    if row.linted and FINDING not in outcome.printed:
        return "no: other files are not linted"
    return ""


def remove(folder: Path) -> None:
    """Some rows take rights away, or are too deep for Python to remove."""
    subprocess.run(["chmod", "-R", "u+rwx", folder], check=False, capture_output=True)
    subprocess.run(["rm", "-rf", folder], check=True)
