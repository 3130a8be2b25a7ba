"""Fixes programs safely and asks TensorFlow whether anything that they do has changed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixes.comparison import Files, Values, difference
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint import Settings, fix_source, lint_paths
from tfdata_lint.config.target import NEWEST, Target
from tfdata_lint.lint.reports import Fixing

#: Fixes depend on the TensorFlow that a program is written for: what an old one gets runs on a new one too.
TARGETS = (Target(oldest=NEWEST), Target((2, 4)), Target((2, 16)))
#: How many are run in one process.
_TOGETHER = 12
_DOUBTS = 5


@dataclass(frozen=True)
class Fixed:
    files: Files
    codes: frozenset[str]
    """The rules whose fixes it has."""


@dataclass(frozen=True)
class Outcome:
    """What became of a program."""

    error: str
    """How the original ends: the name of an exception, with where it was raised."""
    values: Values
    fixed: tuple[Fixed, ...]
    """The different results of fixing it."""
    difference: str
    """Empty if nothing has changed."""

    @property
    def codes(self) -> set[str]:
        return {code for fixed in self.fixed for code in fixed.codes}


def fix_safely(files: Files, targets: Iterable[Target] = TARGETS) -> tuple[Fixed, ...]:
    """Everything that a program may become under safe fixes."""
    results = (fix(files, target) for target in targets)
    return tuple({repr(fixed.files): fixed for fixed in results if fixed.files != files}.values())


def fix(files: Files, target: Target) -> Fixed:
    """A program with its safe fixes."""
    settings = Settings(select=("ALL",), target_tensorflow=target)
    if len(files) == 1:
        name, text = next(iter(files.items()))
        reports = [fix_source(text, name, settings, needless=True)]
        after = files if reports[0].after is None else {name: reports[0].after.decode()}
    else:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            reports = list(lint_paths([folder], settings, Fixing(unsafe=False, needless=True)))
            after = {name: Path(folder, name).read_text(encoding="utf-8") for name in files}
    diagnostics = [diagnostic for report in reports for diagnostic in report.diagnostics]
    internal = [diagnostic.message for diagnostic in diagnostics if diagnostic.code == "TFD002"]
    assert not internal, f"{internal}\n{shown(files)}"
    for name, text in after.items():
        compile(text, name, "exec")
    return Fixed(after, frozenset(diagnostic.code for report in reports for diagnostic in report.fixed))


def judge(
    programs: Sequence[tuple[Files, tuple[Fixed, ...]]], run: RunOnTensorFlow, most_doubts: int = _DOUBTS
) -> list[Outcome]:
    """Runs programs as they are and as they are with fixes; where they differ, again so many times."""
    batches = (programs[start : start + _TOGETHER] for start in range(0, len(programs), _TOGETHER))
    return [outcome for batch in batches for outcome in _judge(batch, run, most_doubts)]


def _judge(
    programs: Sequence[tuple[Files, tuple[Fixed, ...]]], run: RunOnTensorFlow, most_doubts: int
) -> list[Outcome]:
    wanted = [one for files, fixed in programs for one in [(files, False), *((result.files, True) for result in fixed)]]
    observed = iter(_observed(wanted, run))
    outcomes = []
    for files, fixed in programs:
        ours, changed = [next(observed)], ""
        for result in fixed:
            theirs = [next(observed)]
            doubts = 0 if changed else most_doubts
            while (seen := _differences(ours, theirs)) and doubts:
                *again, fixed_again = _observed([(files, False), (files, True), (result.files, True)], run)
                ours += again
                theirs.append(fixed_again)
                doubts -= 1
            # Where a pipeline and its consumer race for one iterator, each of the two programs has rare outcomes.
            if len(seen) > len(theirs) / 2 and not changed:
                codes = ", ".join(sorted(result.codes))
                changed = f"{codes}\n{shown(files)}\n──── becomes\n{shown(result.files)}\n──── {seen[-1]}"
        error = f"{ours[0]['error']}: {ours[0]['detail']}" if ours[0]["error"] else ""
        outcomes.append(Outcome(error, ours[0]["values"], fixed, changed))
    return outcomes


def _differences(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> list[str]:
    return [seen for one in theirs if (seen := difference(ours, [one]))]


def _observed(wanted: list[tuple[Files, bool]], run: RunOnTensorFlow) -> list[dict[str, Any]]:
    """What each program did; where that ends the process, each is given one of its own."""
    code = (
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parents[1])!r})\n"
        f"from fixes.comparison import observe_all\n__answer__ = observe_all({wanted!r})"
    )
    ended = run(code, "observe.py")
    if not ended["error"]:
        observed: list[dict[str, Any]] = ended["answer"]
        return observed
    if len(wanted) == 1:
        return [{"error": ended["error"], "detail": ended["detail"], "values": {}}]
    return [observed for one in wanted for observed in _observed([one], run)]


def shown(files: Files) -> str:
    return "\n".join(f"# {name}\n{text}" for name, text in files.items())
