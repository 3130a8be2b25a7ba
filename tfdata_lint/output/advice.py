"""Advice in short, so that errors and warnings are seen: a row for each piece, or a count for each rule.

Of 80 pieces of advice that maintainers read in public code, five were worth acting on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tfdata_lint.config.settings.model import NOTES
from tfdata_lint.config.target import LAST_OF_1
from tfdata_lint.output.escapes import shown
from tfdata_lint.output.summary import statistics
from tfdata_lint.output.text import wrapped

if TYPE_CHECKING:
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.source.places import Place

#: So many pieces have a row each, and so many places of what TensorFlow does by itself are named.
_NAMED = 10


def is_shortened(diagnostic: Diagnostic, settings: Settings) -> bool:
    """Is it advice, or a warning about a program of TensorFlow 1, that nobody has asked for by its rule?"""
    from tfdata_lint.config.settings.selection import is_named

    is_short = diagnostic.severity == "advice" or is_old(diagnostic)
    if not is_short or diagnostic.code in NOTES or settings.fail_level == "advice":
        return False
    return not is_named(diagnostic.code, settings)


def is_old(diagnostic: Diagnostic) -> bool:
    """A warning in a file of which only its idioms say that it is written for TensorFlow 1."""
    return diagnostic.severity == "warning" and diagnostic.assumed == str(LAST_OF_1)


def in_short(diagnostics: Sequence[Diagnostic], width: int = 0) -> Iterator[str]:
    """Lines that name or count the pieces, and end with an empty one."""
    every = list(map(shown, diagnostics))
    if old := list(filter(is_old, every)):
        yield from _of_old_files(old, width)
        yield ""
    diagnostics = [diagnostic for diagnostic in every if not is_old(diagnostic)]
    groups: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(_heading(diagnostic), []).append(diagnostic)
    others = groups.pop("", [])
    # What TensorFlow does comes first, that of the newest before.
    for heading in sorted(groups, key=lambda one: (one.startswith("T"), one), reverse=True):
        yield from _of_no_use(groups[heading], heading, width)
        yield ""
    if others:
        pieces, them = ("piece", "it") if len(others) == 1 else ("pieces", "them")
        full = " in full" if len(others) <= _NAMED else ""
        yield f"{len(others)} {'other ' * bool(groups)}{pieces} of advice (`--advice` prints {them}{full}):"
        if full:
            for one in others:
                yield from wrapped(f"  {one.place}: {one.code} {one.name}: {one.advice}", width, "      ")
        else:
            yield from (f"  {row}" for row in statistics(Counter((d.code, d.name, d.severity) for d in others)))
        yield ""


def _of_old_files(diagnostics: Sequence[Diagnostic], width: int) -> Iterator[str]:
    """A line for each file of TensorFlow 1."""
    yield from wrapped(
        (
            "Warnings in TensorFlow 1 programs (`--advice` prints them; set `target-tensorflow` if they run on a"
            " newer version):"
        ),
        width,
        "",
    )
    files: dict[str, Counter[str]] = {}
    for diagnostic in diagnostics:
        files.setdefault(diagnostic.place.path, Counter())[diagnostic.code] += 1
    for path, counts in files.items():
        said = ", ".join(f"{count} {code}" for code, count in sorted(counts.items()))
        yield from wrapped(f"  {path}: {said}", width, "    ")


def _heading(diagnostic: Diagnostic) -> str:
    """Why nothing is gained by it; empty where something may be."""
    fix = diagnostic.fix
    is_repaired = fix.is_done_by_runtime if fix and fix.is_needless else diagnostic.by_version
    is_open = not diagnostic.declared and (is_repaired or diagnostic.by_version)
    note = " (no version is declared: set `target-tensorflow` if you support older ones)" if is_open else ""
    if not is_repaired:
        return f"`--fix` skips the following, because {fix.needless}{note}:" if fix and fix.is_needless else ""
    return f"TensorFlow {diagnostic.declared or diagnostic.assumed} does the following by itself{note}:"


def _of_no_use(diagnostics: Sequence[Diagnostic], heading: str, width: int) -> Iterator[str]:
    """What one heading is about, by rule."""
    yield from wrapped(heading, width, "")
    rules: dict[tuple[str, str], list[Place]] = {}
    for diagnostic in diagnostics:
        rules.setdefault((diagnostic.code, diagnostic.name), []).append(diagnostic.place)
    for (code, name), places in sorted(rules.items()):
        yield f"  {code} {name}:"
        files: dict[str, list[str]] = {}
        for place in places[:_NAMED]:
            files.setdefault(place.path, []).append(place.within)
        for path, within in files.items():
            yield from wrapped(f"    {path}:{', '.join(within)}", width, "      ")
        if len(places) > _NAMED:
            yield f"    and {len(places) - _NAMED} more"
