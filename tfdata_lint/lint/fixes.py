"""Applies fixes: which of them go together, pass by pass, until the text does not change any more."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tfdata_lint.lint.leftovers import without_leftovers
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.editing import CannotEdit, edited
from tfdata_lint.source.module import Source, load
from tfdata_lint.source.replacement import Replacement
from tfdata_lint.source.style import laid_out

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Edit, Finding

#: A text that still changes after so many passes never settles.
PASSES = 10


@dataclass(frozen=True, slots=True)
class Pass:
    """The findings that one pass has fixed, in the text that it was given."""

    source: Source
    fixed: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a text."""

    data: bytes
    passes: list[Pass] = field(default_factory=list)
    refusal: str = ""
    """Why nothing was changed after all, naming the rules."""
    problem: str = ""
    """Why a fix could not be written into the text."""


def settle(
    data: bytes, path: str, wanted: Callable[[Source], Iterable[Finding]], project: Project | None = None
) -> Settled:
    """Apply fixes until none is left. `wanted` gives the findings of a text whose fixes shall be applied.

    What they leave without a use goes where the project is known and nobody else of it can use it.

    The original comes back, with a refusal, when the result does not parse or the fixes never come to an end.
    """
    original, seen = data, {data}
    passes: list[Pass] = []
    broken: int | None = None
    while True:
        source = load(data, path)
        found = list(wanted(source)) if source.tree is not None else []
        if broken is None:
            broken = len(source.problems)
        elif len(source.problems) > broken:
            return Settled(original, refusal=f"{_rules(passes[-1:])} would leave code that does not parse")
        fixed, data, problem = _apply(data, source, found)
        if not fixed:
            data = without_leftovers(passes[0].source, data, project) if passes else data
            return Settled(data, passes, problem=problem)
        if len(passes) == PASSES:
            return Settled(original, refusal=f"{_rules(passes)} never ended")
        passes.append(Pass(source, fixed))
        if data in seen:
            return Settled(original, refusal=f"{_rules(passes)} undo each other")
        seen.add(data)


def _apply(data: bytes, source: Source, findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], bytes, str]:
    """Apply the fixes that do not touch each other, the first in the text first. Also why one cannot be written."""
    ordered = sorted(findings, key=_position)
    problems: list[str] = []

    def can_be_written(edits: Sequence[Edit]) -> bool:
        try:
            edited(data, source, _replacements(edits))
        except CannotEdit as error:
            problems.append(str(error))
            return False
        return True

    fixed, edits = _apart(ordered, source, lambda edits: True)
    try:
        return fixed, _written(data, source, edits) if fixed else data, ""
    except CannotEdit:
        fixed, edits = _apart(ordered, source, can_be_written)
        return fixed, _written(data, source, edits) if fixed else data, next(iter(problems), "")


def _apart(
    findings: Iterable[Finding], source: Source, is_possible: Callable[[Sequence[Edit]], bool]
) -> tuple[tuple[Finding, ...], list[Edit]]:
    """Those whose fixes are possible and do not touch those of an earlier one, and the edits."""
    fixed: list[Finding] = []
    taken: list[Edit] = []
    # Their ranges in order; they are apart, so that only the last one that begins before another's end may touch it.
    ranges: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for finding in findings:
        edits = tuple(finding.fix.bare) if finding.fix else ()
        if not edits or any(edit.span.file != source.path for edit in edits):
            continue
        if any(_touches(edit, ranges) for edit in edits) or not is_possible(edits):
            continue
        fixed.append(finding)
        taken.extend(edits)
        for edit in edits:
            insort(ranges, (edit.span[1:3], edit.span[3:]))
    return tuple(fixed), taken


def _written(data: bytes, source: Source, edits: Sequence[Edit]) -> bytes:
    """The content with the edits of several fixes, and the statements that they touch laid out."""
    syntax = syntax_of(source)
    ranges = [(syntax.offset(*edit.span[1:3]), syntax.offset(*edit.span[3:]), edit.text) for edit in edits]
    better = [Replacement(*syntax.span(start, end)[1:], text) for start, end, text in laid_out(source, ranges)]
    try:
        return edited(data, source, better)
    except CannotEdit:
        return edited(data, source, _replacements(edits))


def _position(finding: Finding) -> tuple[int, int, str]:
    edits = finding.fix.bare if finding.fix else ()
    row, column = min((edit.span[1:3] for edit in edits), default=(0, 0))
    return row, column, finding.code


def _touches(edit: Edit, ranges: list[tuple[tuple[int, int], tuple[int, int]]]) -> bool:
    """Does an edit overlap one of these, or meet it at a point, where it would matter which comes first?"""
    position = bisect_right(ranges, edit.span[3:], key=lambda taken: taken[0])
    return position > 0 and ranges[position - 1][1] >= edit.span[1:3]


def _replacements(edits: Iterable[Edit]) -> list[Replacement]:
    return [Replacement(*edit.span[1:], edit.text) for edit in edits]


def _rules(passes: Sequence[Pass]) -> str:
    """`the fix of TFD102`, `the fixes of TFD102 and TFD305`."""
    codes = sorted({finding.code for step in passes for finding in step.fixed})
    *others, last = codes
    return f"the fixes of {', '.join(others)} and {last}" if others else f"the fix of {last}"
