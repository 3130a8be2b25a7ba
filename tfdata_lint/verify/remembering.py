"""Verdicts that are written into a ledger, and that is brought up to date."""

from __future__ import annotations

from tfdata_lint.run.evidence.ledger import OUTCOMES, Entry, dump, merged, path_in, read_if_there
from tfdata_lint.run.evidence.runs import minor
from tfdata_lint.verify.verdicts import Verdict, Verification


def remembered(file: str, done: Verification) -> tuple[str, str]:
    """The new text of a ledger, empty where it stays as it is, and what to say of it. Raises EvidenceError."""
    known = read_if_there(file)
    run = done.run
    version = minor(run.environment.tensorflow) if run.environment else ""
    if not version:
        return "", f"{file} was not changed: nothing was judged"
    decided = [verdict for verdict in done.verdicts if verdict.outcome in OUTCOMES and verdict.pipelines]
    new = [_entry(verdict, version, file, run.target.path) for verdict in decided]
    # A rule that was judged in a file was judged wherever it found something there, unless that was ended.
    target = path_in(run.target.path, file)
    judged = {(verdict.code, path_in(verdict.place.file, file), target) for verdict in decided if not done.stopped}
    ledger = merged(known, new, judged)
    text = dump(ledger)
    added, gone = len(set(ledger) - set(known)), len(set(known) - set(ledger))
    nowhere = sum(verdict.outcome in OUTCOMES and not verdict.pipelines for verdict in done.verdicts)
    told = f"{file} has {len(ledger)} verdict{'s' * (len(ledger) != 1)}: {added} written, {gone} removed"
    if nowhere:
        told += f"; {nowhere} cannot be stored, because their pipelines are unknown"
    return (text, told) if text != dump(known) or not known else ("", told)


def _entry(verdict: Verdict, version: str, file: str, target: str) -> Entry:
    return Entry(
        verdict.code,
        verdict.pipelines,
        version,
        verdict.outcome,  # type: ignore[arg-type]  # one of those that are remembered
        verdict.reason,
        " ".join(verdict.detail.split()),
        path_in(verdict.place.file, file),
        path_in(target, file),
    )
