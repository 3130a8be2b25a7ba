"""`tfdata-lint` as the server starts it: it ends when its standard input does, which is when the server ends."""

from __future__ import annotations

import os
import signal
import threading
import time

#: What was started has so long to be ended in order, in seconds.
_GRACE = 5.0


def _watch() -> None:
    while os.read(0, 4096):
        pass
    if hasattr(signal, "pthread_kill"):
        # As Ctrl-C, wherever it waits: it ends what it has started.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)
    time.sleep(_GRACE)
    os._exit(1)


def main() -> None:
    """The command, until somebody lets go."""
    threading.Thread(target=_watch, daemon=True).start()
    from tfdata_lint.cli import console

    console()
