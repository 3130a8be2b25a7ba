"""Reading a file that a stranger may have written: what is no regular file is not read, and no more than is useful."""

from __future__ import annotations

import os
import stat

#: Bytes of a module, and of what settings, requirements and patterns stand in.
LARGEST = 16_000_000
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


def read(path: str, largest: int = LARGEST) -> bytes:
    """The content of a regular file of at most so many bytes. Raises OSError: `Refused` for any other."""
    # Opening a device does something to it, and opening a pipe waits.
    _check(os.stat(path), largest)
    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb", buffering=0) as file:
        size = _check(os.fstat(descriptor), largest)
        data = file.read(size + 1) or b""
        if len(data) > size:
            # It grows, or the system writes it while it is read.
            parts, left = [data], largest + 1 - len(data)
            while left > 0 and (part := file.read(left)):
                parts.append(part)
                left -= len(part)
            data = b"".join(parts)
    if len(data) > largest:
        raise Refused(_too_large(largest))
    return data


def _check(status: os.stat_result, largest: int) -> int:
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise Refused(f"this is {_KINDS.get(kind, 'something else')} and no regular file")
    if status.st_size > largest:
        raise Refused(_too_large(largest))
    return status.st_size


def _too_large(largest: int) -> str:
    return f"this file has more than {largest // 1_000_000} MB, and no more are read"
