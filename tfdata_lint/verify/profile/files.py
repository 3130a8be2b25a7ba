"""Which files are profiles, and of which hosts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tfdata_lint.verify.observe import PROFILE

#: Folders below one that are looked into.
_FOLDERS = 20_000


class Unreadable(ValueError):
    """A file is no profile, and no verdicts of this version; the text says why."""


class File(NamedTuple):
    """A profile of one host."""

    host: str
    path: str


def files(paths: Sequence[str], host: str = "") -> list[File]:
    """The profiles of some files and folders: of a folder those of its newest run. Raises `Unreadable`."""
    found = [path for given in paths for path in ([given] if not os.path.isdir(given) else _newest(given))]
    named = list(_named(dict.fromkeys(found)))
    wanted = [file for file in named if host in ("", file.host)]
    if not wanted:
        raise Unreadable(f"no host is called {host}; there are {', '.join(file.host for file in named)}")
    return wanted


def _newest(folder: str) -> list[str]:
    """TensorBoard has a folder for each run, with a file for each host."""
    runs: dict[str, list[str]] = {}
    zipped = 0
    for count, (at, _, names) in enumerate(os.walk(folder)):
        if count > _FOLDERS:
            break
        zipped += sum(name.endswith(".trace.json.gz") for name in names)
        if profiles := sorted(os.path.join(at, name) for name in names if name.endswith(PROFILE)):
            runs[at] = profiles
    if not runs:
        only = "; a .trace.json.gz is not enough" if zipped else ""
        raise Unreadable(f"{folder}: no profile (*{PROFILE}) in this folder or below{only}")
    return runs[max(runs, key=lambda run: (max(map(os.path.getmtime, runs[run])), run))]


def _named(paths: Iterable[str]) -> Iterable[File]:
    short = {path: os.path.basename(path).removesuffix(PROFILE) or path for path in paths}
    count = Counter(short.values())
    return (File(name if count[name] == 1 else path, path) for path, name in short.items())
