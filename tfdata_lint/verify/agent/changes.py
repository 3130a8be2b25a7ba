"""What Python code writes, deletes and downloads. What TensorFlow itself writes is seen in copies of folders."""

from __future__ import annotations

import os
import sys
from typing import Any

#: What is listed of each kind.
MOST = 1000
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NOWHERE = ("/dev/", "/proc/", "/sys/")
#: By event, which arguments are paths that are there afterwards, or no more; …
_EVENTS = {
    "open": (0,), "os.remove": (0,), "os.rmdir": (0,), "os.rename": (0, 1), "os.mkdir": (0,), "os.link": (1,),
    "os.symlink": (1,), "os.truncate": (0,),
}  # fmt: skip
#: … and which one the folder that they start from.
_FOLDERS = {"os.remove": 1, "os.rmdir": 1, "os.mkdir": 2}


class Changes:
    """Heard by Python's audit events, in this process."""

    def __init__(self, ours: str) -> None:
        """What happens in this folder is nobody's concern."""
        self._nowhere = (*_NOWHERE, ours + os.sep)
        self._owner = os.getpid()
        self._was_there: dict[str, bool] = {}
        self._downloaded: dict[str, None] = {}
        self._told = 0

    def install(self) -> None:
        sys.addaudithook(self._hear)

    def news(self) -> dict[str, list[str]] | None:
        """All that has been seen, if it is more than before."""
        if len(self._was_there) + len(self._downloaded) == self._told:
            return None
        was_there = dict(self._was_there)
        self._told = len(was_there) + len(self._downloaded)
        is_there = {path: os.path.lexists(path) for path in was_there}
        return {
            "written": [path for path, there in is_there.items() if there],
            "deleted": [path for path, there in is_there.items() if not there and was_there[path]],
            "downloaded": list(self._downloaded),
        }

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _EVENTS and event != "urllib.Request":
            return
        try:
            self._add(event, arguments)
        except Exception:
            # Not ours to fail.
            return

    def _add(self, event: str, arguments: tuple[Any, ...]) -> None:
        if os.getpid() != self._owner:
            return
        if event == "urllib.Request":
            if not str(arguments[0]).startswith("file:"):
                self._downloaded[str(arguments[0])] = None
            return
        if event == "open" and not arguments[2] & _WRITES:
            return
        folder = arguments[_FOLDERS[event]] if event in _FOLDERS else -1
        for number in _EVENTS[event]:
            self._note(arguments[number], folder)

    def _note(self, path: Any, folder: int) -> None:
        if isinstance(path, int):
            return
        name = os.fsdecode(path)
        if folder >= 0:
            name = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
        name = os.path.abspath(name)
        if not name.startswith(self._nowhere) and len(self._was_there) < MOST:
            self._was_there.setdefault(name, os.path.lexists(name))
