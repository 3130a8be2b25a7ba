"""In the terminal: each verdict in a few lines, and how many of each there are."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from tfdata_lint.source.visible import inert, visible
from tfdata_lint.verify.advice import advise
from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import STOPPED
from tfdata_lint.verify.report.answers import advice
from tfdata_lint.verify.report.words import near, rate
from tfdata_lint.verify.verdicts import Outcome, Verdict, Verification

#: In the order in which they are told.
ORDER: tuple[Outcome, ...] = ("confirmed", "harmful", "inconclusive", "refuted", "not-needed", "not-run")
_STYLES: dict[Outcome, str] = {
    "confirmed": "1;32", "harmful": "1;31", "inconclusive": "1;33", "refuted": "1;36", "not-needed": "36",
    "not-run": "2",
}  # fmt: skip
_INDENT = " " * 15
_WIDTH = 110


def render(verification: Verification, *, color: bool = False, told: Collection[Verdict] = ()) -> Iterator[str]:
    """Lines, the verdicts that matter most first, without those that have been told."""
    if not verification.verdicts:
        waiting = [
            one.input.share or 0.0 for one in verification.run.pipelines if one.input and one.input.band == "high"
        ]
        bound = f", but the input is the bottleneck: {max(waiting):.0%} of the time is spent waiting" if waiting else ""
        yield f"verdicts: the executed code has no findings to judge{bound}"
        return
    for verdict in ordered(verification):
        if verdict not in told:
            yield from lines(verdict, color=color)
    for together in verification.together:
        fixes = f"all {len(together.fixes)} fixes of {_pipeline(verification, together.pipeline)} together"
        yield from wrapped(f"{fixes}: {ratio(together.comparison)}; {together.equality}", "  ")
    for number in range(len(verification.run.pipelines)):
        if advise(verification.run, number, verification.verdicts) != advise(verification.run, number):
            yield from wrapped(f"{_pipeline(verification, number)}, after measuring the fixes:", "  ")
            yield from advice(verification.run, number, verification.verdicts)
    yield summary(verification)


def fixes(verification: Verification, written: bool) -> Iterator[str]:
    """What was proven, before and after, and what was not."""
    for proven in verification.proven:
        seen = proven.comparison
        yield from wrapped(f"{'fixed' if written else 'to be fixed'}: {', '.join(proven.fixes)}: {ratio(seen)}", "  ")
        rates = f"{rate(seen.before.elements_per_s)} → {rate(seen.after.elements_per_s)} elements/s"
        waiting = [pace.waiting for pace in (seen.before, seen.after) if pace.waiting is not None]
        share = f"; {' → '.join(f'{part:.0%}' for part in waiting)} of the time is spent waiting"
        yield f"{_INDENT}{rates}{share if waiting else ''}"
    made = {one for proven in verification.proven for one in proven.fixes}
    left = [one for one in ordered(verification) if one.fix and f"{one.code} {one.where}" not in made]
    if left:
        yield from wrapped(f"not fixed: {', '.join(f'{one.code} {one.where} ({one.outcome})' for one in left)}", "  ")


def ordered(verification: Verification) -> list[Verdict]:
    return sorted(verification.verdicts, key=lambda verdict: (ORDER.index(verdict.outcome), verdict.place.row))


def summary(verification: Verification) -> str:
    counts = Counter(verdict.outcome for verdict in verification.verdicts)
    parts = ", ".join(f"{counts[outcome]} {outcome}" for outcome in ORDER if counts[outcome])
    stopped = f"; {STOPPED[verification.stopped]}" if verification.stopped else ""
    return f"verdicts: {parts} in {verification.run.seconds + verification.seconds:.0f} s{stopped}"


def ratio(comparison: Comparison) -> str:
    between = f"{comparison.low:.2f}–{comparison.high:.2f}"
    return f"{comparison.ratio:.2f}× ({comparison.confidence:.1%}: {between}, {comparison.pairs} pairs of processes)"


def lines(verdict: Verdict, *, color: bool = False) -> Iterator[str]:
    """One verdict."""
    word = f"{verdict.outcome:13}"
    shown = f"\033[{_STYLES[verdict.outcome]}m{word}\033[0m" if color else word
    head = f"{verdict.code} {verdict.name} at {verdict.where} ({verdict.reason})"
    yield f"  {shown}{visible(head)}"
    yield from wrapped(verdict.detail, _INDENT)
    if verdict.equality and str(verdict.equality) not in verdict.detail:
        yield from wrapped(f"{verdict.equality}", _INDENT)
    if verdict.fix and verdict.outcome in ("confirmed", "harmful", "inconclusive"):
        yield from wrapped(f"fix ({verdict.applicability}): {verdict.fix}", _INDENT)


def wrapped(text: str, indent: str) -> list[str]:
    options: Any = {"initial_indent": indent, "subsequent_indent": indent, "break_long_words": False}
    return [inert(line) for line in textwrap.wrap(visible(text, keep="\n\t"), _WIDTH, **options)]


def _pipeline(verification: Verification, number: int) -> str:
    pipeline = verification.run.pipelines[number]
    return f"the pipeline at {near(pipeline.frames[0])}" if pipeline.frames else f"pipeline {number + 1}"
