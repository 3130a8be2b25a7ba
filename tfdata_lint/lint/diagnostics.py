"""Findings in the user's terms: files, cells, rows and columns as people count them. Outputs need nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, NamedTuple

from tfdata_lint.pipeline.nouns.places import NOWHERE, Span, Standing
from tfdata_lint.source.places import Place

if TYPE_CHECKING:
    from tfdata_lint.lint.surroundings import Surroundings
    from tfdata_lint.pipeline.knowledge.kinds import Confidence
    from tfdata_lint.pipeline.nouns.graph import Ending, Limit
    from tfdata_lint.rules.base import Applicability, Entry, Finding, Fix, Severity
    from tfdata_lint.source.module import Source
    from tfdata_lint.source.sources import Sources

#: Set to anything, it prints the traceback of an internal error.
DEBUG = "TFDATA_LINT_DEBUG"
REPAIR = "Repair it, or exclude the file with `exclude`"
#: The worst first.
RANKS: dict[Severity, int] = {"error": 0, "warning": 1, "advice": 2}


class RelatedPlace(NamedTuple):
    place: Place
    message: str
    surroundings: Surroundings | None = None


class PlacedEdit(NamedTuple):
    place: Place
    text: str


class PlacedFix(NamedTuple):
    applicability: Applicability
    title: str
    reason: str
    edits: tuple[PlacedEdit, ...] | None
    """None where nobody asked for them."""
    needless: str = ""
    is_done_by_runtime: bool = False
    """Both as those of its fix."""

    @property
    def is_needless(self) -> bool:
        return bool(self.needless)

    @property
    def can_be_applied(self) -> bool:
        return self.edits != () and self.applicability != "display-only"


class Evidence(NamedTuple):
    """What was measured of a finding, in a run or by its fix."""

    kind: Literal["confirmed", "refuted", "harmful", "inconclusive", "waits", "enough", "measured", "stale"]
    """The verdict of `--verify`; that the consumer `waits` for this pipeline, never does, or what else a run has
    `measured`; or that it is of other code, or of another TensorFlow."""
    text: str
    """A sentence without its stop."""
    file: str = ""
    """Where it is written, as it was named."""
    is_folded: bool = False
    """It says that the finding gains nothing, so that it is only counted where people read."""
    cost: float = 0.0
    """The part of the time of its consumer that is at stake, of one; 0 where that is not known."""


class Diagnostic(NamedTuple):
    """One finding."""

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    cost: str
    advice: str
    place: Place
    related: tuple[RelatedPlace, ...] = ()
    fix: PlacedFix | None = None
    alternatives: tuple[PlacedFix, ...] = ()
    """Other fixes, for a person to choose."""
    surroundings: Surroundings | None = None
    """What it is in, when that is asked for; never of what could not be read or has failed."""
    found_from: str = ""
    """The file that was linted, when that is another one."""
    assumed: str = ""
    """The TensorFlow that it rests on, when nothing declares one."""
    by_version: bool = False
    """Another TensorFlow gives it another severity."""
    spot: str = ""
    """Where its span begins, as `spot_of` writes it: the reports on other files compare it with what they know."""
    standing: Standing = NOWHERE
    """As that of its finding."""
    span: tuple[int, int, int, int] = (0, 0, 0, 0)
    """As that of its finding, with `standing`: rows and bytes of the file as it is parsed."""
    target: str = ""
    """The TensorFlow that it is about, with `standing`."""
    evidence: Evidence | None = None
    """What was measured, where somebody has named it."""
    declared: str = ""
    """The TensorFlow that it rests on and what declares it: `2.16 (pyproject.toml, project.dependencies)`."""


class Placer:
    """Puts spans into the user's terms, with the code that stands there."""

    def __init__(
        self,
        source: Source,
        sources: Sources | None = None,
        *,
        with_surroundings: bool = False,
        with_edits: bool = False,
        assumed: str = "",
        declared: str = "",
        target: str = "",
    ) -> None:
        self.source = source
        self._sources = sources
        self._others: dict[str, Source | None] = {}
        """Other files that findings name."""
        self._with_surroundings = with_surroundings
        self._with_edits = with_edits
        self._assumed = assumed
        self._declared = declared
        self._target = target

    def diagnostic(self, finding: Finding) -> Diagnostic:
        return Diagnostic(
            finding.code,
            finding.name,
            finding.severity,
            finding.confidence,
            finding.message,
            finding.cost,
            finding.advice,
            self.place(finding.span),
            tuple(RelatedPlace(self.place(r.span), r.message, self.surroundings(r.span)) for r in finding.related),
            self.fix(finding.fix) if finding.fix else None,
            tuple(map(self.fix, finding.alternatives)),
            self.surroundings(finding.span),
            self.source.path if finding.span.file != self.source.path else "",
            self._assumed,
            finding.by_version,
            spot_of(finding.span),
            finding.standing,
            finding.span[1:] if self._target else (0, 0, 0, 0),
            self._target,
            declared=self._declared,
        )

    def surroundings(self, span: Span) -> Surroundings | None:
        source = self.source_of(span.file) if self._with_surroundings else None
        if source is None:
            return None
        from tfdata_lint.lint.surroundings import surroundings

        return surroundings(source, span)

    def fix(self, fix: Fix) -> PlacedFix:
        """A fix, with its edits where they are asked for: to write them takes LibCST."""
        why = fix.needless, fix.is_done_by_runtime
        if fix.edits and not self._with_edits:
            return PlacedFix(fix.applicability, fix.title, fix.reason, None, *why)
        edits = tuple(PlacedEdit(self.place(edit.span), edit.text) for edit in fix.edits)
        if fix.edits and not edits:
            return PlacedFix("display-only", fix.title, "LibCST cannot read this code, or is not installed", ())
        return PlacedFix(fix.applicability, fix.title, fix.reason, edits, *why)

    def place(self, span: Span) -> Place:
        source = self.source_of(span.file)
        if source is None:
            return Place(span.file, None, span.row, span.column + 1, span.end_row, span.end_column + 1)
        return source.place(*span[1:])

    def source_of(self, path: str) -> Source | None:
        """A file that findings name, which is read once; None when it cannot be."""
        if path == self.source.path:
            return self.source
        if path not in self._others:
            self._others[path] = _load(path, self._sources)
        return self._others[path]


def spot_of(span: Span) -> str:
    """Where a span begins, as all reports on a project write it: the row and byte of the file as it is parsed.

    The file is named as it is read; who compares spots makes the name absolute, since workers may have other folders.
    """
    return f"{span.file}:{span.row}:{span.column + 1}"


def _load(path: str, sources: Sources | None) -> Source | None:
    from tfdata_lint.source.content import read
    from tfdata_lint.source.module import load

    if sources and (written := sources.written.get(os.path.abspath(path))):
        return written
    try:
        return load(sources.read(path) if sources else read(path), path)
    except OSError:
        return None


def position(diagnostic: Diagnostic) -> tuple[bool, int, int, int, str]:
    """The order in which the findings of a file are reported; what failed comes last."""
    place = diagnostic.place
    return diagnostic.code == "TFD002", place.cell or 0, place.row, place.column, diagnostic.code


def is_folded(diagnostic: Diagnostic) -> bool:
    """Does what was measured say that it gains nothing?"""
    return diagnostic.evidence is not None and diagnostic.evidence.is_folded


def rank(diagnostic: Diagnostic) -> int:
    """The worst first."""
    return RANKS[diagnostic.severity]


def unreadable(message: str, place: Place, cost: str, severity: Severity = "error", advice: str = REPAIR) -> Diagnostic:
    return Diagnostic("TFD000", "unreadable-source", severity, "proven", message, cost, advice, place)


def unread_rest(ending: Ending, steps: int, source: Source) -> Diagnostic:
    """A note of what was not read, with the limit that was met."""
    # Few files meet one.
    from tfdata_lint.pipeline.interpreter.limits import Limits

    message, cost, advice = (text.format(**Limits.of(steps)._asdict()) for text in _ENDINGS[ending.limit])
    width = len(source.lines[ending.row - 1].encode("utf-8", "replace"))
    place = source.place(ending.row, 0, ending.row, width)
    return Diagnostic("TFD003", "unread-rest", "advice", "proven", message, cost, advice, place)


#: What is said of it: what was seen, what that means, what to do.
_ENDINGS: dict[Limit, tuple[str, str, str]] = {
    "steps": (
        "The analysis of this file ends here: it has used its {fuel:,} steps",
        "Code after this line was not checked, nor functions that only that code calls",
        "Raise `analysis-limit` (here {fuel:,}), or split the file",
    ),
    "steps elsewhere": (
        "Functions of other files are not followed from here on: they have used their {abroad:,} steps",
        "Stages that they add are missing in the pipelines of this file",
        "Raise `analysis-limit` (here {fuel:,}): they may use a twentieth of it",
    ),
    "modules": (
        "No more imported files are read from here on: {modules:,} have been read",
        "Stages that their functions add are missing in the pipelines of this file",
        "Raise `analysis-limit` (here {fuel:,}), so that more files are read",
    ),
    "size": (
        "The analysis of this file ends here: no more than {characters:,} characters of a file are read",
        "Code after this line was not checked",
        "Raise `analysis-limit` (here {fuel:,}), or split the file",
    ),
    "nesting": (
        "The most deeply nested code here was not read: {nesting} calls or brackets inside one another are the most",
        "Pipelines in that code were not checked",
        "Give the inner part a name of its own: no setting raises this limit",
    ),
    "questions": (
        "Pipelines from here on were not fully checked: they branch, or hold one another, so often that {asked:,} "
        "steps do not answer what rules ask",
        "Some rules did not check them",
        "Raise `analysis-limit` (here {fuel:,}), or split the file",
    ),
}


#: What an error of ours costs, unless it is known better.
_MISSING = "Findings in this file may be missing; everything else was checked"


def internal_error(what: str, path: str, error: Exception, cost: str = _MISSING, of: Entry | None = None) -> Diagnostic:
    """Something of ours, or of a rule, failed on a file: of another distribution's, its author wants to know where."""
    import traceback

    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    message = f"{what} failed on {path}: {text[:300]}"
    if of is None or not of.is_foreign:
        return _bug(message, cost, path)
    rows = [(frame.f_globals.get("__name__", ""), row) for frame, row in traceback.walk_tb(error.__traceback__)]
    own = [f"{name}, line {row}" for name, row in rows if name.partition(".")[0] == of.home.partition(".")[0]]
    return _bug(f"{message} (in {own[-1] if own else of.home})", cost, path, "Correct this rule")


def unmade_fix(finding: Finding, error: Exception, path: str) -> Diagnostic:
    """Report that making the fix of a finding has failed."""
    from tfdata_lint.rules import entry_of

    cost = "The finding is reported without a fix; everything was checked"
    return internal_error(f"the fix of rule {finding.code} {finding.name}", path, error, cost, entry_of(finding.code))


def unfixable(why: str, path: str) -> Diagnostic:
    """Fixes did not go well together, so that a file was left as it was."""
    return _bug(f"{why}, so {path} was not changed", "The findings remain, and none of them was fixed", path)


def _bug(
    message: str, cost: str, path: str, todo: str = "Please report it to the project with this line"
) -> Diagnostic:
    advice = f"{todo}; {DEBUG}=1 adds the traceback"
    place = Place(path, None, 1, 1, 1, 1)
    return Diagnostic("TFD002", "internal-error", "error", "proven", message, cost, advice, place)
