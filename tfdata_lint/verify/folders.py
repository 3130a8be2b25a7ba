"""The folder of each run, for all that is temporary in it; and what a tfdata-lint has left behind that was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress

from tfdata_lint.verify.processes import end_marked

PREFIX = "tfdata-lint-"
#: Where it is, if not where temporary files belong: that may be within what is copied.
_OTHERS = ("/var/tmp", "/dev/shm")
#: Locked as long as somebody lives whose folder it is.
_LOCK = "lock"


class Folder:
    """Made at once; gone when it is closed, with what is in it."""

    def __init__(self, outside: Sequence[str] = ()) -> None:
        self.path = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place(outside))
        self._lock = _own(os.path.join(self.path, _LOCK))

    @property
    def name(self) -> str:
        """No other one has it."""
        return os.path.basename(self.path)

    def new(self, name: str) -> str:
        """An empty folder in it."""
        path = os.path.join(self.path, name)
        remove(path)
        os.mkdir(path)
        return path

    def close(self) -> None:
        remove(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def place(outside: Sequence[str] = ()) -> str:
    """Where it can be, outside of these folders."""
    return next((path for path in _places() if not any(_is_in(path, folder) for folder in outside)), _places()[0])


def sweep() -> None:
    """End and remove what is left of those who are gone."""
    for name in _places():
        with suppress(OSError):
            for path in (os.path.join(name, entry) for entry in os.listdir(name) if entry.startswith(PREFIX)):
                if _is_abandoned(os.path.join(path, _LOCK)):
                    end_marked(os.path.basename(path))
                    remove(path)


def remove(path: str) -> None:
    """Also what may not be read or changed."""
    shutil.rmtree(path, ignore_errors=True)
    if not os.path.isdir(path):
        return
    for folder, names, _ in os.walk(path):
        for name in names:
            inner = os.path.join(folder, name)
            with suppress(OSError):
                if not os.path.islink(inner):
                    os.chmod(inner, 0o700)
    shutil.rmtree(path, ignore_errors=True)


def _places() -> list[str]:
    usual = os.path.realpath(tempfile.gettempdir())
    return [usual, *(path for path in _OTHERS if path != usual and os.access(path, os.W_OK | os.X_OK))]


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _own(path: str) -> int | None:
    """Lock a new file; None where nothing can be locked."""
    try:
        import fcntl
    except ImportError:
        return None
    # Nobody sees it before it is locked.
    descriptor = os.open(f"{path}-", os.O_CREAT | os.O_RDWR, 0o600)
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.rename(f"{path}-", path)
    return descriptor


def _is_abandoned(path: str) -> bool:
    try:
        import fcntl

        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_uid != os.getuid():
                return False
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def changes(upper: str, folder: str) -> tuple[list[str], list[str]]:
    """What was written in the copy of a folder, and what was deleted: paths as they were there."""
    written: list[str] = []
    deleted: list[str] = []
    for path, names, files in os.walk(upper):
        was = os.path.normpath(os.path.join(folder, os.path.relpath(path, upper)))
        was = "" if was == os.curdir else was
        for name in files + [name for name in names if os.path.islink(os.path.join(path, name))]:
            is_gone = _is_whiteout(os.path.join(path, name))
            (deleted if is_gone else written).append(os.path.join(was, name))
        if _is_opaque(path):
            deleted += (os.path.join(was, name) for name in _listed(was) if name not in {*names, *files})
        if not names and not files and not os.path.isdir(was):
            written.append(was + os.sep)
    return written, deleted


def _listed(folder: str) -> Iterator[str]:
    with suppress(OSError):
        yield from os.listdir(folder)


def _is_whiteout(path: str) -> bool:
    import stat

    about = os.lstat(path)
    return stat.S_ISCHR(about.st_mode) and about.st_rdev == 0


def _is_opaque(path: str) -> bool:
    for space in ("user", "trusted"):
        with suppress(OSError, AttributeError):
            if os.getxattr(path, f"{space}.overlay.opaque") == b"y":
                return True
    return False
