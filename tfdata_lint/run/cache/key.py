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
        raise NoKey("there is no home folder for the signing key")
    path = os.path.join(home, "tfdata-lint", "key")
    for project in (os.path.dirname(os.path.abspath(folder)), os.getcwd()):
        if is_inside(path, place := checkout_of(project)) and not _is_the_users(place, project):
            why = "would be inside the project; set XDG_CACHE_HOME to a folder elsewhere"
            raise NoKey(f"the signing key {path} {why}")
    try:
        if (key := _read(path)) is None:
            _make(path)
            # Of two that are made at once the later one counts. What was signed with the other is found anew.
            key = _read(path)
    except OSError as error:
        raise NoKey(f"the signing key {path} is not available: {error.strerror or error}") from None
    if key is None:
        raise NoKey(f"the signing key {path} is not safe: its file system lets others read it")
    return key


def _is_the_users(place: str, project: str) -> bool:
    """Is the top of a project no stranger's checkout? The root is none, nor a home, unless git has it and it is linted.

    Below a home that git has, what has no `.git` of its own is the user's too.
    """
    if os.path.dirname(place) == place:
        return True
    if place != os.path.realpath(os.path.expanduser("~")):
        return False
    return os.path.realpath(project) != place or not os.path.lexists(os.path.join(place, ".git"))


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


def _make(path: str) -> None:
    """Raises OSError."""
    from tfdata_lint.source.atomic import replace

    folder = os.path.dirname(path)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with suppress(FileExistsError):
        _check_owner(os.stat(os.path.dirname(folder)))
        os.mkdir(folder, 0o700)
    _check_owner(os.stat(folder))
    replace(path, os.urandom(_LENGTH), f"{path}-{os.urandom(8).hex()}.tmp", 0o600)
