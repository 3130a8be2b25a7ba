"""What the commands share: exit codes, and what is said besides findings."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from tfdata_lint.source.content import LARGEST

if TYPE_CHECKING:
    from tfdata_lint.config.settings.reading import Configuration

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """The command line asks for something that cannot be done."""


def complain(line: str) -> None:
    from tfdata_lint.source.visible import visible

    with suppress(OSError):
        print(f"tfdata-lint: {visible(line)}", file=sys.stderr)


def tell(configuration: Configuration, missing: Iterable[str], problems: Iterable[str] = ()) -> bool:
    """Print what went wrong besides findings; was there anything?"""
    sys.stdout.flush()
    lines = [f"error: {problem}" for problem in problems]
    lines += [f"error: no such file or folder: {path}" for path in missing]
    lines += [f"error: {problem}" for problem in configuration.problems]
    for line in lines:
        complain(line)
    return bool(lines)


def split(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paths that are there, and those that are not."""
    paths = paths or ["."]
    there = [path for path in paths if os.path.lexists(path)]
    return there, [path for path in paths if path not in there]


def read_stdin() -> bytes:
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    data = sys.stdin.buffer.read(LARGEST + 1)
    if len(data) > LARGEST:
        # With `--fix` it would come out as it went in, but shorter.
        raise UsageError(f"standard input is larger than {LARGEST // 1_000_000} MB, the limit")
    return data


def has_color(wanted: str, out: TextIO) -> bool:
    if wanted != "auto":
        return wanted == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return out.isatty() and os.environ.get("TERM") != "dumb"
