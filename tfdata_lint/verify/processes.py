"""The processes of a run: those of its group, and those that have left it. Counted, weighed, and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress

_PROC = "/proc"
#: An environment variable that every process of a run inherits: a daemon that leaves the group still has it.
TOKEN = "TFDATA_LINT_VERIFY"


class Processes:
    def __init__(self, group: int, token: str) -> None:
        self._group = group
        self._mark = f"{TOKEN}={token}".encode()
        self._others: set[int] = set()

    def memory(self) -> int:
        """Bytes resident, of all of them."""
        if not os.path.isdir(_PROC):
            return sum(size for group, size in _listed() if group == self._group)
        return sum(_resident(process) for process in self._alive())

    def end(self, patience: float = 3.0) -> None:
        """Kill them all, and see that they are gone."""
        until = time.monotonic() + patience
        while True:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._group, signal.SIGKILL)
            left = self._alive()
            for process in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            if not left or time.monotonic() > until:
                return
            time.sleep(0.02)

    def _alive(self) -> list[int]:
        if not os.path.isdir(_PROC):
            return []
        numbers = {int(name) for name in os.listdir(_PROC) if name.isdigit()}
        self._others &= numbers
        ours = []
        for number in numbers - self._others:
            if self._is_ours(number):
                ours.append(number)
            else:
                self._others.add(number)
        return ours

    def _is_ours(self, number: int) -> bool:
        try:
            with open(f"{_PROC}/{number}/environ", "rb") as file:
                environment = file.read()
            # What a fork is told when it begins is not seen from outside. Of one that has ended nothing is left.
            return self._mark in environment.split(b"\0") or (bool(environment) and os.getpgid(number) == self._group)
        except OSError:
            return False


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
