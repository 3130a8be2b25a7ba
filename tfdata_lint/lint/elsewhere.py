"""Findings that files cause in other files: which of them count there.

One rule says so for a run, an editor, what is verified, and the modules that cells of a notebook write.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tfdata_lint.lint.diagnostics import spot_of

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.rules.base import Finding

T = TypeVar("T")


class Identity(NamedTuple):
    """What makes two findings the same, whichever file they are found from."""

    code: str
    path: str
    """Absolute."""
    spot: str
    """As `spot_of` writes it, with this path."""


def counting(
    elsewhere: Iterable[T],
    identity: Callable[[T], Identity],
    known: Iterable[Identity],
    continued: Collection[str],
    of_ends: Collection[str],
    denied: Collection[str],
    paths: Collection[str],
) -> Iterator[T]:
    """Which of the findings that files cause elsewhere count there.

    Once each, in these paths, none about the end of a pipeline (`of_ends`) that goes on in another file
    (`continued`), and none that is wrong for another file that leads there (`denied`).
    """
    seen = set(known)
    ends, vetoes = set(map(_absolute, continued)), set(map(_denied, denied))
    for finding in elsewhere:
        found = identity(finding)
        goes_on = found.spot in ends and found.code in of_ends
        is_denied = (found.code, found.spot) in vetoes
        if found.path in paths and found not in seen and not goes_on and not is_denied:
            seen.add(found)
            yield finding


def of_diagnostic(diagnostic: Diagnostic) -> Identity:
    place, spot = diagnostic.place, diagnostic.spot or str(diagnostic.place)
    return Identity(diagnostic.code, os.path.abspath(place.path), _absolute(spot))


def of_finding(finding: Finding) -> Identity:
    return Identity(finding.code, os.path.abspath(finding.span.file), _absolute(spot_of(finding.span)))


def _absolute(spot: str) -> str:
    path, row, column = spot.rsplit(":", 2)
    return f"{os.path.abspath(path)}:{row}:{column}"


def _denied(what: str) -> tuple[str, str]:
    code, _, spot = what.partition(" ")
    return code, _absolute(spot)
