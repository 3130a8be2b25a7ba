"""Who has the processor: the process as a whole, the machine, and what Python code computes of the time it takes."""

from __future__ import annotations

import copy
import importlib
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

#: Of a call of Python code by the runtime, in a trace.
PYTHON = "tfdata-lint: python"


class Usage:
    """Seconds so far."""

    def __init__(self, wall: float, process: float, idle: float | None, main: float | None) -> None:
        self.wall = wall
        self.main = main
        """Of the main thread, also those that it waited for a core; None where the system does not tell."""
        self.process = process
        self.idle = idle
        """Of all cores of the machine together; None where the system does not tell."""

    @classmethod
    def now(cls) -> Usage:
        times = os.times()
        return cls(time.perf_counter(), times.user + times.system, _idle(), _busy_of(f"self/task/{os.getpid()}"))

    def since(self, before: Usage) -> dict[str, Any]:
        """Cores that the process had, and how many of the machine nobody had."""
        wall = self.wall - before.wall
        idle = None if self.idle is None or before.idle is None else (self.idle - before.idle) / wall
        main = None if self.main is None or before.main is None else (self.main - before.main) / wall
        return {"used": (self.process - before.process) / wall, "idle": idle, "cores": _cores(), "main": main}


class _Own(threading.local):
    """What the user's code takes of the call of Python code that this thread is in."""

    def __init__(self) -> None:
        self.is_timed = False
        self.of_function = self.of_generator = (0.0, 0.0)
        """Seconds by the clock, and of the processor. A generator is walked inside a function of TensorFlow's."""

    def metadata(self, busy: float) -> dict[str, int]:
        wall, processor = self.of_generator if self.of_generator[0] else self.of_function
        figures = {"busy_us": busy, "own_us": wall, "own_processor_us": processor}
        return {name: int(seconds * 1e6) for name, seconds in figures.items()}


_own = _Own()


def _timed(call: Callable[..., Any], kind: str) -> Callable[..., Any]:
    def timed(*arguments: Any, **keywords: Any) -> Any:
        wall, processor = time.perf_counter(), time.thread_time()
        try:
            return call(*arguments, **keywords)
        finally:
            setattr(_own, kind, (time.perf_counter() - wall, time.thread_time() - processor))

    return timed


class _Walked:
    """The iterator of a generator, whose next element is timed."""

    def __init__(self, iterator: Any) -> None:
        self._next = _timed(iterator.__next__, "of_generator")

    def __next__(self) -> Any:
        return self._next()


def time_python(is_tracing: Callable[[], bool]) -> None:
    """Record in a trace how long Python code computes, or waits for a core: the rest it sleeps, or waits.

    And how much of that is the user's own code; the rest converts what it takes and returns.
    """
    script_ops = importlib.import_module("tensorflow.python.ops.script_ops")
    registry = script_ops.FuncRegistry
    trace = importlib.import_module("tensorflow.python.profiler.trace").Trace
    call = registry.__call__

    def timed(*arguments: Any, **keywords: Any) -> Any:
        if not is_tracing() or _own.is_timed:
            return call(*arguments, **keywords)
        with trace(PYTHON) as event:
            _own.__init__()  # type: ignore[misc]
            _own.is_timed = True
            began = _busy()
            try:
                return call(*arguments, **keywords)
            finally:
                _own.is_timed = False
                event.set_metadata(**_own.metadata(_busy() - began))

    registry.__call__ = timed
    with suppress(AttributeError):
        _time_own(registry, script_ops.EagerFunc)


def _time_own(registry: Any, eager: Any) -> None:
    """Time the function of a call, and the generator that TensorFlow walks in it."""
    get = registry.get
    state = importlib.import_module("tensorflow.python.data.ops.dataset_ops").DatasetV2._GeneratorState
    iterator_of = state.get_iterator

    def timed_get(this: Any, *arguments: Any, **keywords: Any) -> Any:
        function = get(this, *arguments, **keywords)
        if not _own.is_timed or function is None:
            return function
        if not isinstance(function, eager):
            return _timed(function, "of_function")
        function = copy.copy(function)
        function._func = _timed(function._func, "of_function")
        return function

    def timed_iterator(this: Any, *arguments: Any) -> Any:
        iterator = iterator_of(this, *arguments)
        return _Walked(iterator) if _own.is_timed else iterator

    registry.get, state.get_iterator = timed_get, timed_iterator


def _busy() -> float:
    """Return the seconds that this thread has computed, or has been ready to and waited for a core (on Linux)."""
    busy = _busy_of("thread-self")
    return time.thread_time() if busy is None else busy


def _busy_of(thread: str) -> float | None:
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{thread}/schedstat", "rb") as file:
        computed, waited = file.read().split()[:2]
        return (int(computed) + int(waited)) / 1e9
    return None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _idle() -> float | None:
    """Of the first line of this file the 4th and 5th figure: idle, and idle because of disks."""
    with suppress(OSError, ValueError, IndexError), open("/proc/stat", encoding="ascii") as file:
        figures = file.readline().split()
        return (int(figures[4]) + int(figures[5])) / os.sysconf("SC_CLK_TCK")
    return None
