"""Rules of other distributions are not trusted to end, nor to yield what they should."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, get_args

from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.rules.base import Finding, Fix, Related, Severity

#: Seconds that one of them may take for a file. Ours are held to much less by the benchmarks.
TIME: float = 10


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after so many seconds, where the system can: not on Windows, nor in threads."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"it took longer than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, end)
    # Again and again: what makes a fix catches the first one.
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def checked(finding: Any, code: str) -> Finding:
    """What a rule yields, if it is a finding of that rule. Raises TypeError."""
    if not isinstance(finding, Finding):
        raise TypeError(f"it yields {type(finding).__name__} instead of Finding")
    wrong = [
        name
        for name, is_right in (
            ("code", finding.code == code),
            ("severity", finding.severity in get_args(Severity)),
            ("span", isinstance(finding.span, Span)),
            ("fix", finding.fix is None or isinstance(finding.fix, Fix)),
            ("related", all(isinstance(related, Related) for related in finding.related)),
            *((name, isinstance(getattr(finding, name), str)) for name in ("message", "cost", "advice")),
        )
        if not is_right
    ]
    if wrong:
        raise TypeError(f"it yields a finding whose {wrong[0]} is {getattr(finding, wrong[0])!r}")
    return finding
