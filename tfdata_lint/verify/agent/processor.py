"""Who has the processor: the process as a whole, the machine, and what Python code computes of the time it takes."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

#: Of a call of Python code by the runtime, in a trace.
PYTHON = "tfdata-lint: python"


class Usage:
    """Seconds so far."""

    def __init__(self, wall: float, process: float, idle: float | None) -> None:
        self.wall = wall
        self.process = process
        self.idle = idle
        """Of all cores of the machine together; None where the system does not tell."""

    @classmethod
    def now(cls) -> Usage:
        times = os.times()
        return cls(time.perf_counter(), times.user + times.system, _idle())

    def since(self, before: Usage) -> dict[str, Any]:
        """Cores that the process had, and how many of the machine nobody had."""
        wall = self.wall - before.wall
        idle = None if self.idle is None or before.idle is None else (self.idle - before.idle) / wall
        return {"used": (self.process - before.process) / wall, "idle": idle, "cores": _cores()}


def time_python(is_tracing: Callable[[], bool]) -> None:
    """Record in a trace how long Python code computes, or waits for a core: the rest it sleeps, or waits."""
    registry = importlib.import_module("tensorflow.python.ops.script_ops").FuncRegistry
    trace = importlib.import_module("tensorflow.python.profiler.trace").Trace
    call = registry.__call__

    def timed(*arguments: Any, **keywords: Any) -> Any:
        if not is_tracing():
            return call(*arguments, **keywords)
        with trace(PYTHON) as event:
            began = _busy()
            try:
                return call(*arguments, **keywords)
            finally:
                event.set_metadata(busy_us=int((_busy() - began) * 1e6))

    registry.__call__ = timed


def _busy() -> float:
    """Return the seconds that this thread has computed, or has been ready to and waited for a core (on Linux)."""
    with suppress(OSError, ValueError, IndexError), open("/proc/thread-self/schedstat", "rb") as file:
        computed, waited = file.read().split()[:2]
        return (int(computed) + int(waited)) / 1e9
    return time.thread_time()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _idle() -> float | None:
    """Of the first line of this file the 4th and 5th figure: idle, and idle because of disks."""
    with suppress(OSError, ValueError, IndexError), open("/proc/stat", encoding="ascii") as file:
        figures = file.readline().split()
        return (int(figures[4]) + int(figures[5])) / os.sysconf("SC_CLK_TCK")
    return None
