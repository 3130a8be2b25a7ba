"""`tfdata-lint check --verify TARGET`: what the command line asks for, announced first, then executed and judged."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tfdata_lint.source.content import read
from tfdata_lint.source.visible import visible
from tfdata_lint.verify.interrupts import interruptible, reason_of
from tfdata_lint.verify.options import VerifyOptions
from tfdata_lint.verify.plan import PACE, SECONDS, Limits, Plan, PlanError, has_tensorflow, interpreter, keyword, target

if TYPE_CHECKING:
    from tfdata_lint.config.settings.reading import Configuration
    from tfdata_lint.rules.base import Applicability, Finding
    from tfdata_lint.verify.model import Run, Target
    from tfdata_lint.verify.verdicts import Verdict, Verification

_T = TypeVar("_T")


def plans(options: VerifyOptions, configuration: Configuration) -> list[Plan]:
    """What is asked for; only with which arguments a function is called may stand in the settings, too.

    Raises `PlanError`.
    """
    if not options.targets:
        _refuse_alone(options)
        return []
    from tfdata_lint.verify.copies import prepared

    keywords = dict(keyword(text) for text in options.keywords)
    limits = Limits(
        seconds=_positive("--verify-seconds", options.seconds, SECONDS),
        pace=PACE if options.seconds is None else 0.0,
        network=options.network,
        step_ms=_positive("--step-ms", options.step_ms, 0.0),
        temporary=options.tempdir,
        trace_out=options.trace_out or "",
    )
    written = limits.trace_out or options.report or options.json or options.evidence
    if len(options.targets) > 1 and (keywords or options.script_arguments or written):
        raise PlanError("target arguments and output files need exactly one --verify TARGET")
    targets = [_configured(target(text, options.script_arguments, keywords), configuration) for text in options.targets]
    pythons = [interpreter(what.path, options.python) for what in targets]
    for python in dict.fromkeys(pythons):
        if not has_tensorflow(python):
            where = f"{python.path} ({python.why})"
            raise PlanError(f"{where} has no TensorFlow: install it there, or pass another one with `--python`")
    return [prepared(what, python, limits) for what, python in zip(targets, pythons, strict=True)]


def budget(options: VerifyOptions, default: float = math.inf, option: str = "--verify-budget") -> float:
    """Seconds for all targets together. Raises `PlanError`."""
    return _positive(option, options.budget, default)


def _configured(what: Target, configuration: Configuration) -> Target:
    if what.kind != "function":
        return what
    given = configuration.for_file(what.path).arguments_of(what.path, what.function)
    return replace(what, keywords={**given, **what.keywords})


class Fixed(NamedTuple):
    """What `--fix` has made of a file, or would."""

    path: str
    before: bytes
    after: bytes


def execute(
    plan: Plan,
    configuration: Configuration,
    told: Callable[[Run], None],
    told_verdict: Callable[[Verdict], None] = lambda _: None,
    *,
    until: float = math.inf,
    fixes: Collection[Applicability] = (),
    everything: bool = False,
) -> tuple[Verification, list[Fixed]]:
    """Say what will be executed, execute it, and judge what the rules find in it; say what happens.

    What was observed is `told` before anything is judged, and each verdict once it is known. It ends as the monotonic
    clock says so. `fixes`: of which ones to make those that are proven; nothing is written. `everything`: what is not
    needed is measured, too.
    """
    from tfdata_lint.verify.findings import changed, findings_of, name
    from tfdata_lint.verify.judge import verify
    from tfdata_lint.verify.runner import observe
    from tfdata_lint.verify.verdicts import Verification
    from tfdata_lint.verify.warm import Warm

    progress = announced(plan)
    left = None if until == math.inf else max(0.0, until - time.monotonic())
    done: Verification | None = None
    findings: list[Finding] = []
    texts: dict[str, bytes] = {}
    try:
        with interruptible(left), Warm(plan.interpreter) as warm:
            run = observe(plan, progress, warm, budget=left)
            done = Verification(run)
            progress.before(told)(run)
            findings, calls = findings_of(run, configuration)
            texts = {finding.span.file: read(finding.span.file) for finding in findings}
            done = verify(
                plan, run, findings, progress, calls=calls, warm=warm, prove=fixes,
                told=progress.before(told_verdict),
                everything=everything,
            )  # fmt: skip
    except KeyboardInterrupt as interrupt:
        if done is None:
            raise
        done = replace(done, stopped=reason_of(interrupt))
    finally:
        progress.clear()
    proven = {one for together in done.proven for one in together.fixes}
    new = changed([finding for finding in findings if name(finding) in proven])
    # Where it was edited meanwhile, the findings are of another text.
    return done, [Fixed(path, texts[path], after) for path, (before, after) in new.items() if before == texts[path]]


class Progress:
    """Says what happens: on a terminal in one row that is rewritten, else a line for each phase."""

    def __init__(self) -> None:
        self._rewrites = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._last = ""

    def __call__(self, phase: str) -> None:
        if phase == self._last:
            return
        row = f"  … {visible(phase)}"
        if self._rewrites:
            self.clear()
            # A row that wraps could not be taken back.
            sys.stderr.write(row[: get_terminal_size().columns - 1])
        else:
            sys.stderr.write(f"{row}\n")
        sys.stderr.flush()
        self._last = phase

    def clear(self) -> None:
        """Take the row back, before something else is printed."""
        if self._rewrites and self._last:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._last = ""

    def before(self, told: Callable[[_T], None]) -> Callable[[_T], None]:
        """Take the row back before something is told."""

        def cleared(one: _T) -> None:
            self.clear()
            told(one)

        return cleared


def announced(plan: Plan) -> Progress:
    """Say what will be executed, and from now on what happens."""
    from tfdata_lint.verify.folders import sweep

    sweep()
    sys.stderr.writelines(f"{visible(line)}\n" for line in plan.announcement())
    return Progress()


def _refuse_alone(options: VerifyOptions) -> None:
    given = {
        "--verify-arg": options.keywords,
        "--verify-seconds": options.seconds is not None,
        "--verify-budget": options.budget is not None,
        "--verify-all": options.everything,
        "--verify-network": options.network,
        "--verify-tempdir": options.tempdir,
        "--python": options.python is not None,
        "--step-ms": options.step_ms is not None,
        "--report": options.report is not None,
        "--verify-json": options.json is not None,
        "--ledger": options.ledger is not None,
        "--evidence-output": options.evidence is not None,
        "--trace-out": options.trace_out is not None,
    }
    if alone := next((option for option, there in given.items() if there), None):
        raise PlanError(f"{alone} needs --verify TARGET")


def _positive(option: str, value: str | None, default: float) -> float:
    if value is None:
        return default
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise PlanError(f"{option}: {value!r} is not a positive number")
    return number
