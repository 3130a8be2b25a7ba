"""Being stopped: by the user, by the system, or as the time for all is over. What is known by then is kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfdata_lint.verify.model import Stop


class Interrupted(KeyboardInterrupt):
    def __init__(self, reason: Stop) -> None:
        super().__init__()
        self.reason = reason


@contextmanager
def interruptible(seconds: float | None = None) -> Iterator[None]:
    """Raises `Interrupted` in the main thread: when somebody asks for it, is terminated, or after so many seconds."""
    is_over = threading.Event()

    def interrupt(*_: object) -> None:
        raise Interrupted("budget" if is_over.is_set() else "interrupted")

    def end() -> None:
        is_over.set()
        if hasattr(signal, "pthread_kill"):
            # Whatever the main thread waits for, it wakes up.
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, interrupt) for number in numbers]
    clock = threading.Timer(seconds or 0.0, end)
    clock.daemon = True
    try:
        if seconds is not None:
            clock.start()
        yield
    finally:
        clock.cancel()
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def reason_of(interrupt: KeyboardInterrupt) -> Stop:
    return interrupt.reason if isinstance(interrupt, Interrupted) else "interrupted"
