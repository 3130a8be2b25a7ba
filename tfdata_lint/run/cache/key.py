"""The key that signs what is kept. It lies in the user's own folder: whoever made a checkout cannot have it."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress

from tfdata_lint.source.inside import checkout_of, is_inside

_LENGTH = 32
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)


class NoKey(Exception):
    """There is none to be had: why, as what follows a colon."""


def key_for(folder: str) -> bytes:
    """The user's key, for results in a folder; the first time it is made. Raises NoKey."""
    home = _home()
    if not os.path.isabs(home):
        raise NoKey("there is no home folder for the key that signs them")
    path = os.path.join(home, "tfdata-lint", "key")
    for place in {checkout_of(os.path.dirname(os.path.abspath(folder))), checkout_of(os.getcwd())}:
        # Nobody's checkout is the root of the system.
        if os.path.dirname(place) != place and is_inside(path, place):
            raise NoKey(f"the key that signs them, {path}, would lie in the project")
    try:
        return _read(path) or _made(path)
    except OSError as error:
        raise NoKey(f"the key that signs them, {path}, cannot be had: {error.strerror or error}") from None


def _home() -> str:
    """The user's folder for what can be made again."""
    if os.path.isabs(given := os.environ.get("XDG_CACHE_HOME", "")):
        return given
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    return os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")


def _read(path: str) -> bytes | None:
    """None where there is none, or not one of this user alone. Raises OSError."""
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        return None
    try:
        status = os.fstat(descriptor)
        _check_owner(status)
        if not stat.S_ISREG(status.st_mode) or (os.name == "posix" and status.st_mode & 0o077):
            return None
        key = os.read(descriptor, _LENGTH + 1)
    finally:
        os.close(descriptor)
    return key if len(key) == _LENGTH else None


def _check_owner(status: os.stat_result) -> None:
    """Root can do everything, and would leave users what is not theirs. Raises OSError."""
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise OSError(errno.EPERM, "it belongs to another user")


def _made(path: str) -> bytes:
    """Raises OSError."""
    folder = os.path.dirname(path)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with suppress(FileExistsError):
        _check_owner(os.stat(os.path.dirname(folder)))
        os.mkdir(folder, 0o700)
    _check_owner(os.stat(folder))
    key = os.urandom(_LENGTH)
    temporary = f"{path}-{os.urandom(8).hex()}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(key)
        # Of two that are made at once the later one counts. What was signed with the other is found anew.
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return key
