"""What was measured, brought to the findings that it is about.

Nothing about right and wrong is folded by evidence about speed: which rules are about speed alone is written out below.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tfdata_lint.config.target import NEWEST, Target
from tfdata_lint.lint.diagnostics import Diagnostic, Evidence
from tfdata_lint.run.evidence import ledger
from tfdata_lint.run.evidence.ledger import Entry
from tfdata_lint.run.evidence.reading import EvidenceError as EvidenceError, Reader, load
from tfdata_lint.run.evidence.runs import At, Interval, RunSeen, Seen, Stage, of_observed, of_verified, project_of

if TYPE_CHECKING:
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.lint.reports import FileReport

#: Rules about nothing but the time of each element: where the consumer does not wait, they gain nothing.
STEADY = frozenset(
    {"TFD101", "TFD102", "TFD103", "TFD104", "TFD105", "TFD106", "TFD108", "TFD110", "TFD201", "TFD202", "TFD301",
     "TFD305", "TFD309", "TFD312", "TFD314", "TFD318", "TFD326"}
)  # fmt: skip
#: And those about time that a run need not show: at its beginning, or once in an epoch.
TIMED = STEADY | {"TFD304", "TFD317", "TFD319", "TFD321"}
#: Rules about memory, which `--verify` judges by how much a buffer holds.
HELD = frozenset({"TFD107", "TFD308"})
#: Rules about a whole pipeline, whatever stage they name.
_OF_ALL = frozenset({"TFD101", "TFD301"})
#: A fix is worth it from so many times on, as in `--verify`: less waiting than that cannot gain so much.
MATTERS = 1 - 1 / 1.05
#: Verdicts about speed that rest on the fix itself, on what was executed, and on how long the consumer waits.
_BY_FIX, _BY_RUNTIME, _BY_WAITS = ("below-threshold", "slowdown"), ("runtime-already-does-it",), ("not-bottleneck",)
#: What the runtime calls the stage of a call: by this a place of the code is known again.
_RUNTIME = {
    "map": "map", "filter": "filter", "batch": "batch", "padded_batch": "paddedbatch", "shuffle": "shuffle",
    "cache": "cache", "prefetch": "prefetch", "repeat": "repeat", "take": "take", "skip": "skip",
    "interleave": "interleave", "flat_map": "flatmap", "zip": "zip", "concatenate": "concatenate", "shard": "shard",
    "unbatch": "unbatch", "window": "window", "scan": "scan",
}  # fmt: skip
_CONSUMERS = {
    "for": "the loop", "graph": "the loop", "distribute": "the loop", "fit": "`fit`", "evaluate": "`evaluate`",
    "predict": "`predict`",
}  # fmt: skip


#: Of an entry.
_Key: TypeAlias = "tuple[str, tuple[str, ...], str]"


class _File(NamedTuple):
    """What one file says."""

    name: str
    """As it was given."""
    is_asked_for: bool
    """By the command line: then it counts whatever else that says."""
    root: str
    """What its relative places are relative to."""
    verdicts: tuple[Entry, ...] = ()
    run: RunSeen | None = None


class _Met(NamedTuple):
    """One pipeline of a run that a finding is about."""

    seen: Seen
    stage: Stage | None


class _Part(NamedTuple):
    """What one file says of a finding."""

    evidence: Evidence
    rests_on_waits: bool = False
    """It folds only because the consumer did not wait."""


class Known:
    """All evidence of one run of the linter."""

    def __init__(
        self, files: Iterable[tuple[str, bool]], recorded: Iterable[tuple[str, str, Mapping[str, Any]]] = ()
    ) -> None:
        """`files`: their names, and whether the command line gives them. `recorded`: runs that are in no file: their
        names, what their places are relative to, and what they hold. Raises EvidenceError."""
        runs = (_File(name, True, root, run=of_observed(data, Reader(name))) for name, root, data in recorded)
        self._files = (*(_read(name, asked) for name, asked in files), *runs)
        self.told: set[str] = set()
        """The files that say how a pipeline ran which a finding is about."""
        self._used: set[_Key] = set()
        """The verdicts that were about findings of this run."""

    def __bool__(self) -> bool:
        return bool(self._files)

    def brought(self, report: FileReport, settings: Settings) -> FileReport:
        """A report whose findings have what was measured."""
        if not self._files or not report.diagnostics:
            return report
        return report._replace(diagnostics=self.brought_to(report.diagnostics, settings, self._used))

    def unfolded(self, diagnostics: Sequence[Diagnostic], settings_for: Callable[[str], Settings]) -> list[Diagnostic]:
        """Those findings that nothing folds, as they were: what may be fixed."""
        if not diagnostics:
            return []
        brought = self.brought_to(diagnostics, settings_for(diagnostics[0].place.path), set())
        pairs = zip(diagnostics, brought, strict=True)
        return [one for one, known in pairs if not (known.evidence and known.evidence.is_folded)]

    def brought_to(
        self, diagnostics: Sequence[Diagnostic], settings: Settings, used: set[_Key] | None = None
    ) -> tuple[Diagnostic, ...]:
        """The findings of a file with what was measured. They must have been made with the setting `with_standing`.

        `used`: the verdicts that were about others; those of these findings come to it.
        """
        used = set() if used is None else used
        found = [list(self._of(diagnostic, settings, used)) for diagnostic in diagnostics]
        brought = []
        for diagnostic, parts in zip(diagnostics, found, strict=True):
            parts = parts or list(self._stale(diagnostic, used))
            brought.append(diagnostic._replace(evidence=_together(parts)) if parts else diagnostic)
        return tuple(brought)

    def _of(self, diagnostic: Diagnostic, settings: Settings, used: set[_Key]) -> Iterator[_Part]:
        """What files say of a finding; which verdicts were about one is noted."""
        for file in self._files:
            may_fold = file.is_asked_for or not _is_asked_for(diagnostic.code, settings)
            about = [e for e in file.verdicts if e.holds_for(diagnostic.code, diagnostic.standing.digests)]
            used.update(entry.key for entry in about)
            same = [entry for entry in about if _is_for(entry.tensorflow, diagnostic)]
            if same:
                rests_on_waits = same[-1].reason in _BY_WAITS
                yield _Part(_of_verdict(same[-1], diagnostic, file.name, may_fold), rests_on_waits)
            elif about:
                yield _Part(_other_tensorflow(about[-1].tensorflow, diagnostic, file.name))
            is_about_time = diagnostic.code in TIMED and bool(diagnostic.target)
            if file.run is not None and is_about_time and (met := list(_met(file, file.run, diagnostic))):
                self.told.add(file.name)
                said = _of_run(file.run, met, diagnostic, file.name, may_fold)
                yield from [_Part(said, rests_on_waits=True)] if said else ()

    def _stale(self, diagnostic: Diagnostic, used: set[_Key]) -> Iterator[_Part]:
        """That a verdict on a finding of the same rule and file is of other stages, as nothing else is known of it."""
        for file in self._files:
            for entry in file.verdicts if diagnostic.standing.digests else ():
                is_here = entry.rule == diagnostic.code and entry.path and entry.key not in used
                if is_here and entry.path == ledger.path_in(diagnostic.place.path, file.name):
                    used.add(entry.key)
                    text = f"the pipeline has changed since it was {_OUTCOMES[entry.outcome]}: verify it again"
                    yield _Part(Evidence("stale", text, file.name))
                    return


def _read(name: str, asked: bool) -> _File:
    reader, data = Reader(name), load(name)
    root = project_of(os.path.dirname(os.path.abspath(name)))
    if "format" in data:
        return _File(name, asked, root, run=of_observed(data, reader))
    if "run" in data:
        run = of_verified(data, reader)
        return _File(name, asked, root, tuple(ledger.verdicts(data, run.tensorflow, reader)), run)
    if "verdicts" in data and "version" in data:
        return _File(name, asked, root, ledger.entries(data, reader))
    return reader.refuse("this is neither a ledger, nor a `run.tfdata.json`, nor a file written by `--verify-json`")


def _is_asked_for(code: str, settings: Settings) -> bool:
    """Does the command line name the rule, or ask for what the checkout would silence?"""
    from tfdata_lint.config.settings.selection import is_named

    given = settings.command_line
    if not (given.select or given.extend_select) and not settings.ignore_noqa:
        return False
    return settings.ignore_noqa or is_named(code, settings._replace(select=None, extend_select=()))


# ── verdicts ────────────────────────────────────────────────────────────────────────────────────────────────────────

_OUTCOMES = {"confirmed": "confirmed", "refuted": "refuted", "harmful": "found harmful"}


def _is_for(version: str, diagnostic: Diagnostic) -> bool:
    """Is it the TensorFlow that the code runs on? Where none is declared, one newer than those we know may be it."""
    if version == diagnostic.target:
        return True
    if not diagnostic.assumed or diagnostic.target != "{}.{}".format(*NEWEST):
        return False
    try:
        return Target.parse(version, "").version > NEWEST
    except ValueError:
        return False


def _of_verdict(entry: Entry, diagnostic: Diagnostic, file: str, may_fold: bool) -> Evidence:
    detail = entry.detail.rstrip(".")
    text = f"{_OUTCOMES[entry.outcome]} on TensorFlow {entry.tensorflow}"
    text += f": {detail[:1].lower()}{detail[1:]}" if detail else ""
    folded = may_fold and entry.outcome != "confirmed" and _may_fold(diagnostic, entry.reason)
    return Evidence(entry.outcome, text, file, folded)


def _may_fold(diagnostic: Diagnostic, reason: str) -> bool:
    """Is a finding about nothing but what the reason of a verdict is about?"""
    if diagnostic.severity == "error":
        return False
    if diagnostic.code in HELD:
        return reason == "below-threshold"
    rules = STEADY if reason in _BY_WAITS else TIMED if reason in (*_BY_FIX, *_BY_RUNTIME) else ()
    return diagnostic.code in rules


def _other_tensorflow(version: str, diagnostic: Diagnostic, file: str) -> Evidence:
    text = f"measured on TensorFlow {version}, but the target is {diagnostic.target}: verify it again"
    return Evidence("stale", text, file)


# ── runs ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _met(file: _File, run: RunSeen, diagnostic: Diagnostic) -> Iterator[_Met]:
    """The pipelines of a run that a finding is about, by the call that it is at, else by where they are consumed."""
    _, _, end_row, end_column = diagnostic.span
    path = _real(os.path.abspath(diagnostic.place.path))
    for seen in run.pipelines:
        at = [
            stage
            for stage in seen.stages
            if (stage.at.end_row, stage.at.end_column) == (end_row, end_column) and _is_file(stage.at, path, file.root)
        ]
        word = _RUNTIME.get(diagnostic.standing.op, "")
        if at and any(word in stage.op.lower().replace("_", "") for stage in at):
            yield _Met(seen, max(at, key=lambda stage: stage.share or 0.0))
        elif not at and not diagnostic.standing.op and _is_consumed_there(seen, diagnostic, path, file.root):
            yield _Met(seen, None)


def _is_consumed_there(seen: Seen, diagnostic: Diagnostic, path: str, root: str) -> bool:
    place = seen.place
    return place is not None and place.row in diagnostic.standing.consumed and _is_file(place, path, root)


def _is_file(at: At, path: str, root: str) -> bool:
    """Is it this file? Relative ones are in the project of the evidence, or in that of the working directory."""
    if os.path.isabs(at.file):
        return os.path.normcase(at.file) == os.path.normcase(path)
    parts = at.file.split("/")
    there = (os.path.join(folder, *parts) for folder in (root, _here(os.getcwd())))
    return any(os.path.normcase(one) == os.path.normcase(path) for one in there)


@lru_cache(maxsize=64)
def _here(folder: str) -> str:
    return project_of(folder)


@lru_cache(maxsize=1024)
def _real(path: str) -> str:
    return os.path.realpath(path)


def _of_run(run: RunSeen, met: list[_Met], diagnostic: Diagnostic, file: str, may_fold: bool) -> Evidence | None:
    """By the pipeline that waits longest; None where it ended before anything was known of it."""
    if run.is_recorded:
        # A profile does not say of which release it is.
        may_fold = False
    elif not _is_for(run.tensorflow, diagnostic):
        return _other_tensorflow(run.tensorflow or "that is unknown", diagnostic, file)
    worst = max(met, key=lambda one: _most(one.seen))
    share = worst.stage.share if worst.stage and diagnostic.code not in _OF_ALL else None
    at = diagnostic.standing.op
    takes = f"this `{at}` takes {percent(share)} of the input time" if share is not None and at else ""
    waits = worst.seen.waits
    if waits is None:
        text = f"{takes}; how long its consumer waits is unknown"
        return Evidence("measured", text, file) if takes else None
    who = _CONSUMERS.get(worst.seen.consumer, "the consumer")
    if any(one.seen.waits is None for one in met) or _most(worst.seen) >= MATTERS:
        said = f"{who} waits for {percent(waits.value)} of its time"
        part = 1.0 if diagnostic.code in _OF_ALL else share or 0.0
        return Evidence("waits", f"{takes}; {said}" if takes else said, file, cost=waits.value * part)
    many = len(diagnostic.standing.digests)
    is_whole = many > 0 and len(met) >= many
    never = round(_most(worst.seen), 3) == 0
    said = f"{who} never waits" if never else f"{who} waits for {_bounded(waits)} of its time"
    if not is_whole:
        said += f"; only {len(met)} of the {many} pipelines that use it ran"
    folded = may_fold and is_whole and not any(one.seen.problem for one in met)
    folded = folded and diagnostic.code in STEADY and diagnostic.severity != "error"
    return Evidence("enough", said, file, folded)


def _most(seen: Seen) -> float:
    """The largest part of its time that a consumer may wait."""
    return 2.0 if seen.waits is None else max(seen.waits.value, seen.waits.high or 0.0)


def _bounded(waits: Interval) -> str:
    value, high = waits.value, waits.high
    return percent(value) + (f" (at most {percent(high)})" if high is not None and high > value else "")


def percent(share: float) -> str:
    """`43 %`; small ones with a digit more."""
    return f"{share:.1%}".replace("%", " %") if 0 < share < 0.095 else f"{share:.0%}".replace("%", " %")


def _together(parts: Sequence[_Part]) -> Evidence:
    """One saying of what several files say: verdicts first, and folded only where nothing speaks against it."""
    said = [part.evidence for part in parts]
    first = min(said, key=lambda one: _ORDER.index(one.kind))
    kinds = {one.kind for one in said}
    folding = [part for part in parts if part.evidence.is_folded and not (part.rests_on_waits and "waits" in kinds)]
    text = "; ".join(dict.fromkeys(one.text for one in (first, *said)))
    is_folded = bool(folding) and "confirmed" not in kinds
    return first._replace(text=text, is_folded=is_folded, cost=max(one.cost for one in said))


_ORDER = ("confirmed", "harmful", "refuted", "waits", "enough", "inconclusive", "measured", "stale")
