"""`tfdata-lint tune`: a faster pipeline with the same elements, as a diff with its gain, or written."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

from tfdata_lint.cli.common import CLEAN, FAILED, FOUND, INTERRUPTED, UsageError, complain, has_color
from tfdata_lint.cli.endings import terminable
from tfdata_lint.cli.options import TuneOptions
from tfdata_lint.cli.verify import answered, written
from tfdata_lint.verify import command
from tfdata_lint.verify.model import STOPPED
from tfdata_lint.verify.plan import PlanError
from tfdata_lint.verify.report import terminal
from tfdata_lint.verify.report.words import rate
from tfdata_lint.verify.tune import BUDGET_S, tune
from tfdata_lint.verify.tuned import Tuned


def run(options: TuneOptions) -> int:
    with terminable():
        return _tune(options)


def _tune(options: TuneOptions) -> int:
    configuration = options.configuration()
    try:
        budget = command.budget(options.execution, BUDGET_S, "--budget")
        (plan,) = command.plans(options.execution, configuration)
    except PlanError as error:
        raise UsageError(f"tune: {error}") from None
    progress = command.announced(plan)
    try:
        tuned = tune(plan, configuration, progress.before(answered), progress, budget)
    finally:
        progress.clear()
    writes = options.fix and tuned.is_checked and not tuned.is_estimate and tuned.stopped != "interrupted"
    for line in lines(tuned):
        print(line)
    changed = [command.Fixed(path, *both) for path, both in (tuned.files or {}).items()]
    could = written(changed, write=writes, color=has_color(options.color, sys.stdout))
    if tuned.stopped == "interrupted":
        complain("interrupted")
        return INTERRUPTED
    if tuned.pipeline is None or not could:
        return FAILED
    return FOUND if changed and not writes else CLEAN


def lines(tuned: Tuned) -> Iterator[str]:
    """What was kept, what came of it, and what was not kept, with why."""
    for one in tuned.tried:
        if one.kept and one.comparison:
            yield from terminal.wrapped(f"kept     {one.title} ({one.where}): {terminal.ratio(one.comparison)}", "  ")
            if one.detail:
                yield from terminal.wrapped(f"although {one.detail}: {one.equality}", " " * 11)
    for one in tuned.tried:
        if not one.kept:
            yield from terminal.wrapped(f"dropped  {one.title} ({one.where}): {one.detail}", "  ")
    yield from terminal.wrapped(f"tuned: {_sum(tuned)} in {tuned.seconds:.0f} s{_stopped(tuned)}", "")


def _untried(tuned: Tuned) -> str:
    if tuned.stopped or any(one.title.startswith("Cache") for one in tuned.tried):
        return ""
    return "; no cache was tried, as no stage is certain to return the same elements in the same order in each epoch"


def _sum(tuned: Tuned) -> str:
    if tuned.problem or not tuned.files:
        return tuned.problem or f"no faster pipeline was found{_untried(tuned)}"
    if tuned.is_estimate and (seen := tuned.comparison):
        return (
            f"no pipeline is certainly faster; the best candidate is shown but not written: about {seen.ratio:.2f}"
            f" times as fast, or {seen.low:.2f} to {seen.high:.2f}"
        )
    if seen := tuned.comparison:
        rates = f"{rate(seen.before.elements_per_s)} → {rate(seen.after.elements_per_s)} elements/s"
        return f"{rates}, {terminal.ratio(seen)}; {tuned.equality}"
    product = math.prod(one.comparison.ratio for one in tuned.kept if one.comparison)
    return f"{product:.2f}×, the product of the kept changes; there was no time to measure them together"


def _stopped(tuned: Tuned) -> str:
    words = {**STOPPED, "budget": "the time limit (--budget) was reached"}
    return f"; {words[tuned.stopped]}" if tuned.stopped else ""
