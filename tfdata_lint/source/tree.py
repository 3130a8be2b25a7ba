"""The modules and notebooks of a project, and what stands for all that they bind and import.

Whoever finds nothing new asks only whether that has changed: nothing of the analysis is imported for it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable

from tfdata_lint.source.digests import digest

#: The name of a project among the files that findings depend on, in its folder: not a file, but what all of its files
#: bind and import.
NAMES = "*"
#: Files that are scanned; a project with more of them may say anything.
MOST = 3000
FILES = (".py", ".ipynb")
_SKIPPED = frozenset(
    {"__pycache__", "absl", "keras", "node_modules", "numpy", "site-packages", "tensorflow", "tensorflow_datasets",
     "tf_keras", "venv"}
)  # fmt: skip

#: What the names of a file come to, by its path and version, where it was scanned in this process.
SCANNED: dict[tuple[str, int, int, int], str] = {}


def below(
    root: str, entries: Callable[[str], Collection[str]], endings: tuple[str, ...] = FILES
) -> tuple[list[str], bool]:
    """The modules and notebooks below a folder, or other files, and whether these are all: there may be too many."""
    files: list[str] = []
    folders = [root]
    for folder in folders:
        for name in sorted(entries(folder)):
            path = os.path.join(folder, name)
            if name.endswith(endings):
                files.append(path)
            elif "." not in name and name not in _SKIPPED and _is_folder(path):
                folders.append(path)
        if len(files) > MOST or len(folders) > MOST:
            return files, False
    return files, True


def _is_folder(path: str) -> bool:
    """Is it one itself, and no link to one? Asked once for each folder of a project, in each run."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def version(path: str) -> tuple[str, int, int, int] | None:
    """Tells one state of a file from another; None where it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return path, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def digest_of_names(states: Iterable[tuple[str, str]]) -> str:
    """Of a project, from the digests of its files, each with its path."""
    # What says nothing may come and go.
    return digest("\0".join(f"{path}\0{state}" for path, state in states if state).encode("utf-8", "surrogateescape"))
