"""Whether a file is as it was: by its stamp without reading it, by the digest of what it holds otherwise."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import TypeAlias

from tfdata_lint.source.content import read
from tfdata_lint.source.digests import digest
from tfdata_lint.source.tree import NAMES, SCANNED, below, digest_of_names, version

MODULES = (".py", ".ipynb")
#: What lies in a folder, by name.
Entries: TypeAlias = Callable[[str], Collection[str]]


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


def digest_of_all(states: Iterable[str]) -> str:
    return digest("".join(states).encode("utf-8", "surrogateescape"))


def digest_of(path: str, largest: int = 0) -> str:
    """Of a file's content."""
    try:
        return digest(read(path, largest))
    except OSError:
        return "missing"


def home_of(path: str, entries: Entries) -> str:
    """Where the module or package lies that is looked for under a path without `.py`: there, or the nearest above."""
    folder, name = os.path.split(path)
    if not name:
        # A folder itself, with the modules, notebooks and folders in it.
        return "/".join(sorted(name for name in entries(folder) if name.endswith(MODULES) or "." not in name))
    module = f"{name}.py"
    for place in _from(folder):
        found = entries(place)
        if module in found or name in found:
            return f"{place} {module in found}"
        if "src" in found:
            source = os.path.join(place, "src")
            inside = entries(source)
            if module in inside or name in inside:
                return f"{source} {module in inside}"
    return "missing"


@lru_cache(maxsize=4096)
def _from(folder: str) -> tuple[str, ...]:
    """A folder and all above it, the nearest first."""
    above = os.path.dirname(folder)
    return (folder, *_from(above)) if above != folder else (folder,)


def state_of(path: str, entries: Entries) -> str:
    """What findings depend on: the digest of a file, the names of a project, or where the module of a name lies."""
    if path.endswith(MODULES):
        return digest_once(path)
    folder, name = os.path.split(path)
    return names_of(folder, entries, names_once) if name == NAMES else home_of(path, entries)


def names_of(root: str, entries: Entries, ask: Callable[[str], str]) -> str:
    """What the names in all files of a project come to, each of which is asked for."""
    files, is_all = below(root, entries)
    return digest_of_names((path, ask(path)) for path in files) if is_all else "too many"


def names_once(path: str) -> str:
    """What the names of a file come to; it is not read again while it is as it was."""
    known = version(path)
    if known is None:
        return "missing"
    if known not in SCANNED:
        # Most runs find nothing new.
        from tfdata_lint.pipeline.project.names import digest_of, names_in

        try:
            SCANNED[known] = digest_of(names_in(path, read(path)))
        except OSError:
            SCANNED[known] = "unreadable"
    return SCANNED[known]


def digest_once(path: str) -> str:
    """As `digest_of`, but a file is not read again while it is as it was."""
    try:
        status = os.stat(path)
    except OSError:
        return "missing"
    return _digest_of_version(path, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _digest_of_version(path: str, *version: int) -> str:
    return digest_of(path)
