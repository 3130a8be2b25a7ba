"""Long texts on a terminal, through the user's pager, as git shows them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress

#: What the shell answers where there is no such program, or none that can be started.
_NOT_STARTED = (126, 127)
_OURS, _USUAL = "TFDATA_LINT_PAGER", "PAGER"


def show(text: str, *, pages: bool) -> None:
    """Print a text: through a pager if that is wanted, and a person reads it on a terminal."""
    command = _pager() if pages and sys.stdout.isatty() and os.environ.get("TERM") != "dumb" else ""
    if not command or _run(command, text) in _NOT_STARTED:
        print(text)


def _pager() -> str | list[str]:
    """What the environment names, else less; nothing where it names nothing, or cat."""
    for name in (_OURS, _USUAL):
        if name in os.environ:
            return "" if os.environ[name].strip() == "cat" else os.environ[name].strip()
    # On Windows the working directory would be searched, which may be a stranger's.
    found = shutil.which("less") if os.name == "posix" else None
    return [found] if found and os.path.isabs(found) else ""


def _run(command: str | list[str], text: str) -> int:
    environment = {"LESS": "FRX", "LV": "-c", **os.environ}
    sys.stdout.flush()
    process = subprocess.Popen(
        command, shell=isinstance(command, str), stdin=subprocess.PIPE, env=environment, text=True,
        encoding=sys.stdout.encoding, errors="backslashreplace",
    )  # fmt: skip
    assert process.stdin is not None
    # Who has read enough ends it; an interrupt is for the pager.
    with suppress(BrokenPipeError, KeyboardInterrupt), process.stdin as pipe:
        pipe.write(f"{text}\n")
    while process.poll() is None:
        with suppress(KeyboardInterrupt):
            process.wait()
    return process.returncode
