"""Whether a file is as it was: by its stamp without reading it, by the digest of what it holds otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

# `hashlib` loads OpenSSL first, which takes longer than linting a file.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


#: Stands between a folder and each module that was looked for in it.
LOOKED_FOR = "\x02"
_Version: TypeAlias = tuple[int, int, int]


def stamp_of(path: str, since: int) -> str:
    """Tells whether a file is as it was without reading it. Empty when that cannot be told: it is not there or new."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    # The time of the last change of the entry cannot be set back, as that of the content can.
    if status.st_mtime_ns >= since or status.st_ctime_ns >= since:
        return ""
    return f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"


def token_of(path: str, since: int) -> str:
    """As a stamp; of a `.git`, which changes all the time, only whether it is there."""
    if path.endswith(f"{os.sep}.git"):
        return "there" if os.path.exists(path) else "missing"
    return stamp_of(path, since) or ("" if os.path.lexists(path) else "missing")


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def digest_of_all(digests: Iterable[str]) -> str:
    return digest("\n".join(digests).encode("utf-8", "surrogatepass"))


def digest_of(path: str) -> str:
    """Of what a file holds."""
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return "missing"


def digest_once(path: str) -> str:
    """As `digest_of`, or `digest_of_names`; nothing is read again while it is as it was."""
    folder, *names = path.split(LOOKED_FOR)
    try:
        status = os.stat(folder)
    except OSError:
        return "missing"
    version = status.st_mtime_ns, status.st_ctime_ns, status.st_size
    return _found_among(names, folder, version) if names else _digest_of_version(path, version)


def grouped(depends: Iterable[str]) -> list[str]:
    """What findings depend on, with the modules looked for in a folder together: as one entry.

    So a folder is looked at once, and not for every name.
    """
    files: list[str] = []
    names: dict[str, list[str]] = {}
    for path in depends:
        folder, name = os.path.split(path)
        if "." in name:
            files.append(path)
        else:
            names.setdefault(folder, []).append(name)
    return files + [LOOKED_FOR.join((folder, *sorted(found))) for folder, found in names.items()]


def forget() -> None:
    """Folders may have changed, faster than their stamps do."""
    _entries.cache_clear()


def _found_among(names: Iterable[str], folder: str, version: _Version) -> str:
    """Which modules there are in a folder, of those that were looked for."""
    entries = _entries(folder, version)
    files = [f"{name}.py" for name in names if f"{name}.py" in entries]
    return " ".join(files + [name for name in names if name in entries and os.path.isdir(os.path.join(folder, name))])


@lru_cache(maxsize=4096)
def _digest_of_version(path: str, version: _Version) -> str:
    return digest_of(path)


@lru_cache(maxsize=4096)
def _entries(folder: str, version: _Version) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()
