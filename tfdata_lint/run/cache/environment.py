"""What all findings depend on: this program, its Python, the rules of others. Nothing of it is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

import tfdata_lint
from tfdata_lint.run.cache.stamps import digest_of
from tfdata_lint.source.content import BESIDE, read
from tfdata_lint.source.digests import digest

#: Raised when entries are written in another way.
_FORMAT = 4
_PLUGINS = "[tfdata_lint.rules]\n"
#: Some of it may be compiled, which takes more bytes.
_CODE = (".py", ".so", ".pyd")
_LARGEST = 500_000_000


def environment() -> tuple[object, ...]:
    """Paths are relative to the working directory, hence that is a part of it."""
    code = _state_of(os.path.dirname(os.path.abspath(tfdata_lint.__file__)))
    distributions = {name: os.path.join(folder, name) for folder in reversed(sys.path) for name in _metadata_in(folder)}
    plugins = tuple(sorted(digest for path in distributions.values() for digest in _rules_of(path)))
    python = sys.implementation.name, sys.version_info[:2]
    return _FORMAT, tfdata_lint.__version__, python, code, tuple(sorted(distributions)), plugins, os.getcwd()


def _state_of(program: str) -> object:
    """What is installed is as its RECORD says; code that is worked on is looked at."""
    own = f"{os.path.basename(program)}/".encode()
    with suppress(OSError):
        record = read(os.path.join(f"{program}-{tfdata_lint.__version__}.dist-info", "RECORD"))
        # Python makes `__pycache__` when it likes.
        if rows := [row for row in record.split(b"\n") if row.startswith(own) and b"__pycache__" not in row]:
            return digest(b"\n".join(rows))
    code = [(entry.name, entry.stat()) for entry in _code_in(program)]
    return tuple((name, status.st_size, status.st_mtime_ns) for name, status in code)


def _code_in(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith(_CODE):
            yield entry
        # Python makes `__pycache__` when it likes.
        elif entry.name.isidentifier() and not entry.name.startswith("__") and entry.is_dir():
            yield from _code_in(entry.path)


def _metadata_in(folder: str) -> list[str]:
    """The names and versions of distributions: the libraries that we use, and rules of others."""
    try:
        return [name for name in os.listdir(folder or os.curdir) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return []


def _rules_of(metadata: str) -> Iterator[str]:
    """Digests of the code of a distribution's rules, if it declares any. Nothing of it is imported."""
    try:
        text = read(os.path.join(metadata, "entry_points.txt"), BESIDE).decode("utf-8").replace("\r\n", "\n")
    except (OSError, ValueError):
        return
    section = text.partition(_PLUGINS)[2]
    if not section:
        return
    from importlib.util import find_spec

    declarations = section.partition("\n[")[0].splitlines()
    for package in {line.partition("=")[2].strip().partition(".")[0].partition(":")[0] for line in declarations}:
        with suppress(ImportError, ValueError, OSError):
            if package and (spec := find_spec(package)):
                folders = spec.submodule_search_locations
                files = [entry.path for folder in folders for entry in _code_in(folder)] if folders else [spec.origin]
                yield from (digest_of(file, _LARGEST) for file in files if file)
