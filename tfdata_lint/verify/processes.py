"""The processes of a run: those of its group, and those that have left it. Counted, weighed, and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

_PROC = "/proc"
#: An environment variable that every process of a run inherits, with the name of the folder of the run. A daemon that
#: leaves the group still has it; one that leaves its environment too still has the mount of that folder.
TOKEN = "TFDATA_LINT_VERIFY"
PATIENCE_S = 3.0


class Process(NamedTuple):
    number: int
    began: str
    """With the number it is unique."""


class Processes:
    def __init__(self, group: int, mark: str) -> None:
        """`mark`: the name of the folder of the run."""
        self._group = group
        self._mark = mark
        self._ours: set[Process] = set()
        self._others: set[Process] = set()

    def memory(self) -> int:
        """Bytes resident, of all of them."""
        if not os.path.isdir(_PROC):
            return sum(size for group, size in _listed() if group == self._group)
        return sum(_resident(process.number) for process in self._alive())

    def end(self) -> None:
        """Kill them all, and see that they are gone."""
        until = time.monotonic() + PATIENCE_S
        # Whoever stands still starts no others while those are killed that were found.
        stopped: set[Process] = set()
        while (new := self._alive() - stopped) and time.monotonic() < until:
            _signal((process.number for process in new), signal.SIGSTOP)
            stopped |= new
        while True:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._group, signal.SIGKILL)
            left = self._alive()
            _signal((process.number for process in left), signal.SIGKILL)
            if not left or time.monotonic() > until:
                return
            time.sleep(0.02)

    def _alive(self) -> set[Process]:
        """Who was started by one of ours is ours, whoever its parent is by now."""
        parents = _parents()
        alive = set(parents)
        self._ours &= alive
        self._others &= alive
        self._ours |= {process for process in alive - self._others if self._is_ours(process.number)}
        numbers = {process.number for process in self._ours}
        while more := {process for process in alive - self._ours if parents[process] in numbers}:
            self._ours |= more
            numbers |= {process.number for process in more}
        # What is not yet known of one that only begins is asked again.
        self._others |= {process for process in alive - self._ours if _environment(process.number)}
        return set(self._ours)

    def _is_ours(self, number: int) -> bool:
        if number == self._group or is_marked(number, self._mark):
            return True
        try:
            # What a fork is told when it begins is not seen from outside.
            return os.getpgid(number) == self._group
        except OSError:
            return False


def is_marked(process: int, mark: str) -> bool:
    """Is it of the run with a folder of this name?"""
    if f"{TOKEN}={mark}".encode() in _environment(process).split(b"\0"):
        return True
    with suppress(OSError):
        if os.readlink(f"{_PROC}/{process}/ns/mnt") != os.readlink(f"{_PROC}/self/ns/mnt"):
            with open(f"{_PROC}/{process}/mountinfo", "rb") as file:
                return f"{os.sep}{mark} ".encode() in file.read()
    return False


def end_marked(mark: str) -> None:
    """End what is left of a run whose tfdata-lint is gone."""
    until = time.monotonic() + PATIENCE_S
    while left := [process.number for process in _parents() if is_marked(process.number, mark)]:
        _signal(left, signal.SIGKILL)
        if time.monotonic() > until:
            return
        time.sleep(0.02)


def _signal(processes: Iterable[int], number: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _parents() -> dict[Process, int]:
    """All that have not ended. None where there is no /proc."""
    if not os.path.isdir(_PROC):
        return {}
    found = {}
    for name in os.listdir(_PROC):
        if name.isdigit():
            with suppress(OSError), open(f"{_PROC}/{name}/stat", encoding="utf-8", errors="replace") as file:
                figures = file.read().rpartition(")")[2].split()
                if figures[0] not in "ZX":
                    found[Process(int(name), figures[19])] = int(figures[1])
    return found


def _environment(process: int) -> bytes:
    with suppress(OSError), open(f"{_PROC}/{process}/environ", "rb") as file:
        return file.read()
    return b""


def _resident(process: int) -> int:
    with suppress(OSError, IndexError, ValueError), open(f"{_PROC}/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _listed() -> list[tuple[int, int]]:
    """Group and size of all processes, where there is no /proc."""
    listed = subprocess.run(["ps", "-axo", "pgid=,rss="], capture_output=True, text=True, check=False).stdout
    rows = (line.split() for line in listed.splitlines())
    return [(int(row[0]), int(row[1]) * 1024) for row in rows if len(row) == 2]


def available_memory() -> int:
    """Bytes that could be had now."""
    with suppress(OSError, ValueError, StopIteration), open(f"{_PROC}/meminfo", encoding="ascii") as file:
        return 1024 * int(next(line for line in file if line.startswith("MemAvailable:")).split()[1])
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
