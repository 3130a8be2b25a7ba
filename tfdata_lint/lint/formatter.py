"""Run the formatter of the project, Ruff or Black, on a file that was fixed.

Nothing inside of the project or the working directory is executed: the program is the one that is installed beside
tfdata-lint, or the caller's.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from functools import lru_cache

from tfdata_lint.source.formatters import formatter_of
from tfdata_lint.source.inside import checkout_of, goes_through
from tfdata_lint.source.lambdas import confused
from tfdata_lint.source.module import Source, load

#: The formatters that are run, and their options. What Black would check, and `--fast` leaves out, is checked here.
_WORDS = {"ruff": ("format", "--no-cache", "--quiet"), "black": ("--quiet", "--fast")}
#: Seconds after which a formatter hangs.
_PATIENCE = 10
#: How often each did; after a few times it is not run again.
_hanging: Counter[str] = Counter()
_MOST_TRIES = 3


def formatted(before: Source, old: bytes, new: bytes, root: str = "") -> tuple[bytes, str]:
    """The new content of a module as its formatter lays it out, with the name and version of the formatter.

    It stays as it is, and the name is empty, where no formatter is found, where the old content was not laid out by it,
    and where it fails. `root` is a folder in which nothing is executed either.
    """
    fixed = load(new, before.path)
    path = os.path.abspath(before.path)
    if before.kind != "module" or any(source.problems or source.tree is None for source in (before, fixed)):
        return new, ""
    program = _program(path, root)
    # Ruff drops the mark at the beginning.
    mark = new[:3] if fixed.bom else b""
    if not program or _output(program, path, old[len(mark) :]) != old[len(mark) :]:
        return new, ""
    output = _output(program, path, new[len(mark) :])
    if output is None or mark + output == new or not _is_same(fixed, load(mark + output, before.path)):
        return new, ""
    return mark + output, _named(program)


def _program(path: str, root: str) -> str:
    """The formatter that the project of a file names; empty where there is none outside of the project."""
    formatter = formatter_of(os.path.dirname(path))
    if formatter.name not in _WORDS:
        return ""
    name = f"{formatter.name}.exe" if os.name == "nt" else formatter.name
    inside = (formatter.folder, checkout_of(os.path.dirname(path)), checkout_of(os.getcwd()), root)
    for folder in (os.path.dirname(sys.executable), *os.get_exec_path()):
        program = os.path.join(folder, name)
        if not os.path.isabs(folder) or not os.path.isfile(program) or not os.access(program, os.X_OK):
            continue
        if _hanging[program] < _MOST_TRIES and not any(goes_through(program, top) for top in inside if top):
            return program
    return ""


def _output(program: str, path: str, data: bytes) -> bytes | None:
    """What a formatter makes of a content; None where it fails."""
    name = os.path.basename(program).removesuffix(".exe")
    return _run(program, *_WORDS[name], "--stdin-filename", path, "-", data=data)


@lru_cache(maxsize=16)
def _named(program: str) -> str:
    """`Ruff 0.6.2`"""
    version = re.search(rb"\d[\w.]*", _run(program, "--version") or b"")
    name = os.path.basename(program).removesuffix(".exe").capitalize()
    return f"{name} {version[0].decode()}" if version else name


def _run(program: str, *words: str, data: bytes = b"") -> bytes | None:
    # Python would look in these folders for modules, which may be of the project.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    folder = os.path.dirname(program)
    try:
        return subprocess.run(
            [program, *words], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
            timeout=_PATIENCE, cwd=folder, env=environment,
        ).stdout  # fmt: skip
    except subprocess.TimeoutExpired:
        _hanging[program] += 1
    except (OSError, subprocess.SubprocessError):
        pass
    return None


def _is_same(fixed: Source, result: Source) -> bool:
    """Is it the same code, with no lambda on the row of another one that AutoGraph could tell from it before?"""
    if result.problems or fixed.tree is None or result.tree is None:
        return False
    try:
        is_same = ast.dump(fixed.tree) == ast.dump(result.tree)
    except RecursionError:
        return False
    return is_same and confused(result.text) <= confused(fixed.text)
