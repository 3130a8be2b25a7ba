"""The other end of a connection: is there still somebody? It imports little: a server watches from its start."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

#: How often it is looked whether the client is still there, where the system cannot tell of its end, in seconds.
_EVERY = 2.0


@contextmanager
def ending_with(target: int) -> Iterator[None]:
    """Meanwhile the process ends as soon as nobody can read what is written to a descriptor."""
    is_over = threading.Event()

    def end() -> None:
        if not is_over.is_set():
            os._exit(0)

    in_background(hung_up, target, end)
    try:
        yield
    finally:
        is_over.set()


def in_background(wait: Callable[[int], bool], what: int, then: Callable[[], None]) -> None:
    def watch() -> None:
        if wait(what):
            then()

    threading.Thread(target=watch, daemon=True).start()


def hung_up(descriptor: int) -> bool:
    """Wait until there is nobody at the other end of a pipe or a connection, or nobody who will send more."""
    if not hasattr(select, "poll"):
        return False
    poller = select.poll()
    # Of the other events it is told anyway.
    poller.register(descriptor, getattr(select, "POLLRDHUP", 0))
    return not any(event & select.POLLNVAL for _, event in poller.poll())


def outlived(process: int) -> bool:
    """Wait until a process has ended. False: there is none; it may be one of another machine, or of outside."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.OpenProcess.restype = ctypes.c_void_p
        kernel.WaitForSingleObject.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        handle = kernel.OpenProcess(0x0010_0000, False, process)
        return bool(handle) and kernel.WaitForSingleObject(handle, 0xFFFF_FFFF) == 0
    if not is_there(process):
        return False
    if sys.platform == "linux":
        with suppress(OSError):
            poller = select.poll()
            poller.register(os.pidfd_open(process), select.POLLIN)
            return bool(poller.poll())
    while is_there(process):
        time.sleep(_EVERY)
    return True


def is_there(process: int) -> bool:
    """Return whether a process runs, where the system tells that without a signal to it."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # It is somebody else's.
        pass
    return True
