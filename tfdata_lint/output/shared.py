"""What several formats need: paths, places and fingerprints as other programs want them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tfdata_lint.lint.diagnostics import is_folded

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.rules.base import Severity
    from tfdata_lint.source.notebook_json import CodePositions
    from tfdata_lint.source.places import Place

#: Where CI services check a project out. They count paths from there, whatever folder a command runs in.
_CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY", "WORKSPACE")


def root() -> str:
    """The folder that paths of reports are relative to: the checkout of a CI service, or the working directory."""
    here = os.getcwd()
    for folder in filter(None, map(os.environ.get, _CHECKOUTS)):
        if (here + os.sep).startswith(os.path.join(os.path.abspath(folder), "")):
            return os.path.abspath(folder)
    return here


def relative(path: str) -> str | None:
    """A path below the root, with `/`; None when it is not there."""
    path = os.path.abspath(path)
    if not path.startswith(os.path.join(root(), "")):
        return None
    return os.path.relpath(path, root()).replace(os.sep, "/")


class Region(NamedTuple):
    """A range of a file, in rows and characters from 1; the end column is the one after the last character."""

    row: int
    column: int
    end_row: int
    end_column: int


def in_file(place: Place) -> Region:
    """Return the range of the file: in a notebook that of its JSON, or the first row if the file has changed."""
    if not place.cell:
        return Region(place.row, place.column, place.end_row, place.end_column)
    path = os.path.abspath(place.path)
    try:
        status = os.stat(path)
        code = _positions(path, status.st_mtime_ns, status.st_size)
        # It may come from standard input, or be another one by now.
        if all(code.row(place.cell, row) == line for row, line in place.lines):
            start = code.position(place.cell, place.row, place.column)
            return Region(*start, *code.position(place.cell, place.end_row, place.end_column))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        pass
    return Region(1, 1, 1, 1)


@lru_cache(maxsize=4)  # Findings come file by file, and name few others.
def _positions(path: str, changed: int, size: int) -> CodePositions:
    """The code of a notebook, as its file was at that time. Raises OSError and what `CodePositions` raises."""
    from tfdata_lint.source.content import read
    from tfdata_lint.source.notebook_json import CodePositions

    text = read(path).decode("utf-8-sig")
    return CodePositions(text.replace("\r\n", "\n").replace("\r", "\n"))


def in_cell(place: Place) -> str:
    """The place in a notebook, for programs that do not know of cells: `cell 3, line 2: `. Empty elsewhere."""
    return f"{place.cell_name}, line {place.row}: " if place.cell else ""


def level(diagnostic: Diagnostic) -> Severity:
    """How much a report makes of a finding: what is folded is advice there, whatever it counts for."""
    return "advice" if is_folded(diagnostic) else diagnostic.severity


def explained(diagnostic: Diagnostic, end: str = "\n") -> str:
    """What was seen, what was measured, what it costs, and what to do: a sentence each."""
    parts = diagnostic.message, noted(diagnostic), diagnostic.cost, diagnostic.advice
    return end.join(f"{part}." for part in parts if part)


def noted(diagnostic: Diagnostic) -> str:
    """What was measured; empty where nothing was."""
    if diagnostic.evidence is None:
        return ""
    return f"{'Folded' if is_folded(diagnostic) else 'Measured'}: {diagnostic.evidence.text}"


def fingerprints(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Names for findings that stay the same when rows move. Of several in equal statements, the first has the same."""
    from hashlib import sha256

    seen: Counter[tuple[str, ...]] = Counter()
    for diagnostic in diagnostics:
        path = relative(diagnostic.place.path) or diagnostic.place.path
        known = diagnostic.surroundings
        what = (known.function, known.digest) if known else (diagnostic.message,)
        key = path, diagnostic.code, *what
        seen[key] += 1
        yield sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "backslashreplace")).hexdigest()
