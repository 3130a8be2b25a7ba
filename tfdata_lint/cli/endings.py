"""Being told to end: what is being written is finished or undone first."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Terminated(KeyboardInterrupt):
    """The system wants this process to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


@contextmanager
def terminable() -> Iterator[None]:
    """Raises `Terminated` on the signals that would end the process wherever it is."""
    own = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        is_own = os.getpid() == own
        # Cleaning up is not to be ended as well; a worker, which is a copy of this process, has nothing to clean up.
        signal.signal(number, signal.SIG_IGN if is_own else signal.SIG_DFL)
        if not is_own:
            os.kill(os.getpid(), number)
        raise Terminated(number)

    # Windows has no SIGHUP. Somebody may have a use for them, such as to pass over them.
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in numbers:
            signal.signal(number, end)
    except ValueError:
        # Only the main thread may: this is a program of somebody else.
        numbers = []
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
