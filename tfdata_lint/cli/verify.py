"""`tfdata-lint check --verify`: what is planned, and what came of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tfdata_lint.cli.common import UsageError, complain
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.verify import command
from tfdata_lint.verify.options import VerifyOptions
from tfdata_lint.verify.plan import Plan, PlanError
from tfdata_lint.verify.report import answers, html, json, terminal

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.rules.base import Applicability
    from tfdata_lint.verify.model import Run
    from tfdata_lint.verify.verdicts import Verdict, Verification

#: Code, file, and where in it.
Key = tuple[str, str, str]


class Verified(NamedTuple):
    failed: bool
    """Nothing was observed of a target, or something could not be written."""
    settled: frozenset[Key]
    """Findings that were refuted, that are not needed, or whose fix was written."""
    would_change: int
    """Files that are not as they could be: with a diff."""

    def settles(self, diagnostic: Diagnostic) -> bool:
        place = diagnostic.place
        return (diagnostic.code, os.path.realpath(place.path), str(place)[len(place.path) :]) in self.settled


class Fixes(NamedTuple):
    """What is to be done with fixes that are proven."""

    applicabilities: Collection[Applicability] = ()
    write: bool = False


def plans(options: VerifyOptions, configuration: Configuration) -> list[Plan]:
    """Raises UsageError."""
    try:
        command.budget(options)
        return command.plans(options, configuration)
    except PlanError as error:
        raise UsageError(f"--verify: {error}") from None


def run(
    plans: Sequence[Plan],
    options: VerifyOptions,
    configuration: Configuration,
    fixes: Fixes,
    *,
    color: bool,
    write: Callable[[str, str, str], None],
) -> Verified:
    """Execute, observe and judge; what is written is complete or not there.

    What was observed is printed before it is judged, and each verdict once it is known. Raises KeyboardInterrupt once
    all is told that was known by then.
    """
    until = time.monotonic() + command.budget(options)
    failed, would_change = False, 0
    settled: set[Key] = set()
    for plan in plans:
        told: list[Verdict] = []

        def tell(verdict: Verdict, told: list[Verdict] = told) -> None:
            told.append(verdict)
            print(*terminal.lines(verdict, color=color), sep="\n", flush=True)

        done, fixed = command.execute(
            plan, configuration, answered, tell, until=until, fixes=fixes.applicabilities, everything=options.everything
        )
        rest = terminal.render(done, color=color, told=told)
        for line in (*rest, *(terminal.fixes(done, fixes.write) if fixed else ())):
            print(line)
        if options.report is not None:
            write("--report", options.report, html.render(done))
        if options.json is not None:
            write("--verify-json", options.json, json.render(done))
        if options.ledger is not None:
            _remember(options.ledger, done, write)
        if options.evidence is not None:
            _measured(options.evidence, done.run, write)
        if done.stopped == "interrupted":
            raise KeyboardInterrupt
        failed |= not any(pipeline.nodes for pipeline in done.run.pipelines)
        settled |= _settled(done, {one for together in done.proven for one in together.fixes} if fixes.write else ())
        failed |= not written(fixed, write=fixes.write, color=color)
        would_change += 0 if fixes.write else len(fixed)
    return Verified(failed, frozenset(settled), would_change)


def answered(run: Run) -> None:
    for line in answers.render(run):
        print(line)
    sys.stdout.flush()


def _remember(file: str, done: Verification, write: Callable[[str, str, str], None]) -> None:
    """Bring a ledger up to date. Raises UsageError where it cannot be read or written."""
    from tfdata_lint.run.evidence.reading import EvidenceError
    from tfdata_lint.verify.remembering import remembered

    try:
        text, told = remembered(file, done)
    except EvidenceError as error:
        raise UsageError(f"--ledger: {error}") from None
    if text:
        write("--ledger", file, text)
    complain(told)


def _measured(file: str, run: Run, write: Callable[[str, str, str], None]) -> None:
    """Write a run as `--evidence` reads it. Raises UsageError where it cannot be written."""
    from tfdata_lint.observing.evidence import dumps, evidence
    from tfdata_lint.run.evidence.runs import project_of

    if not any(pipeline.nodes for pipeline in run.pipelines):
        complain(f"{file} is not written: nothing was observed")
        return
    target = os.path.realpath(run.target.path)
    root = project_of(os.path.dirname(os.path.abspath(file)))
    if not target.startswith(root.rstrip(os.sep) + os.sep):
        # Whoever reads it looks in the project that it is called in, too.
        root = project_of(os.path.dirname(target))
    written = evidence(run, root, "verify")
    places = [stage["place"] for pipeline in written["pipelines"] for stage in pipeline["written"] if stage["place"]]
    write("--evidence-output", file, dumps(written).decode())
    if outside := sum(not place["file"] for place in places):
        complain(f"{file} has no place of {outside} of {len(places)} stages: their code is outside of {root}")


def _settled(done: Verification, written: Collection[str]) -> set[Key]:
    return {
        (verdict.code, verdict.place.file, verdict.where.rpartition(os.path.basename(verdict.place.file))[2])
        for verdict in done.verdicts
        if verdict.outcome in ("refuted", "not-needed") or f"{verdict.code} {verdict.where}" in written
    }


def written(fixed: Sequence[command.Fixed], *, write: bool, color: bool) -> bool:
    """Write the files, or print what would change."""
    from tfdata_lint.output.diff import put
    from tfdata_lint.source.writing import CannotWrite, replace_file

    could = True
    sys.stdout.flush()
    for path, before, after in fixed:
        if not write:
            put(path, before, after, color=color)
            continue
        try:
            replace_file(path, before, after)
        except CannotWrite as error:
            complain(f"{path}: {error}")
            could = False
    sys.stdout.flush()
    return could
