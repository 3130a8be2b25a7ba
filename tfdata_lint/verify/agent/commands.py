"""What the parent asks for, and how we learn that it is gone."""

from __future__ import annotations

import fcntl
import json
import os
import queue
import signal
import threading
from contextlib import suppress
from typing import Any


def end_with(lifeline: int) -> None:
    """Where the system can, have it kill us all when the other end closes: even if we are stopped, or hang in C."""
    if hasattr(fcntl, "F_SETSIG"):
        with suppress(OSError):
            fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
            fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC)


class Commands:
    """Lines of JSON from a descriptor. When its other end closes the parent has ended: then so do we, all of us."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: queue.Queue[Any] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> dict[str, Any]:
        """The next command, when it comes."""
        command: dict[str, Any] = json.loads(self._lines.get())
        return command

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                data = os.read(self._descriptor, 65_536)
            except OSError:
                # The user's code has closed it.
                return
            if not data:
                os.killpg(0, signal.SIGKILL)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._lines.put(line)
