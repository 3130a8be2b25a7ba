"""Programs that tests start: they end with the test, and so does all that they have started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

#: After so many seconds something hangs: no machine is that busy. Nothing else may depend on it.
PATIENCE = 300.0


def end(process: subprocess.Popen[Any]) -> None:
    """Whatever it does, and with its group, of which it is the first."""
    if os.name == "nt":
        process.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def started(command: Sequence[Any], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            end(process)


def run(command: Sequence[Any], *, patience: float = PATIENCE, **options: Any) -> subprocess.CompletedProcess[Any]:
    """As `subprocess.run` with both outputs in one text, but what hangs ends, with all that it has started."""
    both = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with started(command, **{**both, **options}) as process:
        printed, errors = process.communicate(timeout=patience)
    return subprocess.CompletedProcess(command, process.returncode, printed, errors)


def wait_for(holds: Callable[[], object]) -> None:
    """Something that is about to be so."""
    limit = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.02)


def free_port() -> int:
    """One that nobody has now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def is_served(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
