"""Reading a file that a stranger may have written: what is no regular file is not read, and no more than is useful."""

from __future__ import annotations

import os
import stat
from functools import lru_cache

#: Bytes of a module; of a notebook, which has pictures; of settings, patterns and the like; of lock files.
LARGEST = 16_000_000
NOTEBOOK = 64_000_000
BESIDE = 4_000_000
LOCKED = 32_000_000
#: Bytes that are asked for at once, at least.
_STEP = 65_536
#: The files beside those that are linted which are there but could not be read, by absolute path, and why.
unread: dict[str, str] = {}
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


class Refused(OSError):
    """A file that could be opened, but is not to be read; `strerror` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.strerror = reason


def read(path: str, largest: int = 0) -> bytes:
    """The content of a regular file of at most so many bytes. Raises OSError: `Refused` for any other."""
    largest = largest or largest_of(path)
    # Opening a device does something to it, and opening a pipe waits.
    _check(os.stat(path), largest)
    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb", buffering=0) as file:
        step = max(_check(os.fstat(descriptor), largest) + 1, _STEP)
        parts, left = [], largest + 1
        # It may grow meanwhile, and come in pieces.
        while left > 0 and (part := file.read(min(step, left))):
            parts.append(part)
            left -= len(part)
    data = parts[0] if len(parts) == 1 else b"".join(parts)
    return accepted(data, largest)


def accepted(data: bytes, largest: int) -> bytes:
    """What was read, or an editor holds, if it is not too much. Raises Refused."""
    if len(data) > largest:
        raise Refused(_too_large(largest))
    return data


def largest_of(path: str) -> int:
    """The bytes that are read of a file that is linted."""
    return NOTEBOOK if path.endswith(".ipynb") else LARGEST


@lru_cache(maxsize=8192)
def names_in(folder: str) -> frozenset[str]:
    """What lies in a folder, by name, as it is when a run first asks; nothing where it cannot be listed."""
    try:
        return frozenset(os.listdir(folder))
    except (OSError, ValueError):
        return frozenset()


def read_beside(path: str, largest: int = BESIDE) -> bytes | None:
    """What a file holds that is not linted itself, but says something about others; nothing where there is no file.

    None where it cannot be read, which is noted in `unread`.
    """
    try:
        return read(path, largest)
    except (FileNotFoundError, NotADirectoryError):
        # A link to nothing is none either.
        return b""
    except (OSError, ValueError) as error:
        if not os.path.lexists(path) or os.path.isdir(path):
            return b""
        note(path, getattr(error, "strerror", None) or str(error))
        return None


def note(path: str, why: str) -> None:
    """That a file beside the others does not count."""
    unread[os.path.abspath(path)] = why


def _check(status: os.stat_result, largest: int) -> int:
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise Refused(f"this is {_KINDS.get(kind, 'something else')} and no regular file")
    if status.st_size > largest:
        raise Refused(_too_large(largest))
    return status.st_size


def _too_large(largest: int) -> str:
    return f"this file has more than {largest // 1_000_000} MB, and no more are read"
