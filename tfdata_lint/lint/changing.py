"""One file changed: its findings fixed, or suppressed by comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from tfdata_lint.config.settings.model import ALWAYS_ON, Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.diagnostics import Diagnostic, Placer, internal_error, position, unfixable
from tfdata_lint.lint.examining import examine
from tfdata_lint.lint.fixes import settle
from tfdata_lint.lint.linting import content_of, encoded, lint, lint_bytes, unread
from tfdata_lint.lint.reports import File, FileReport, Fixing, Sieve, Suppressing
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.source.content import read
from tfdata_lint.source.editing import CannotEdit, edited
from tfdata_lint.source.module import Source, load
from tfdata_lint.source.writing import CannotWrite, replace_file

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Finding


def fix_source(
    source: str | bytes,
    path: str = "pipeline.py",
    settings: Settings | None = None,
    *,
    unsafe: bool = False,
    needless: bool = False,
) -> FileReport:
    """Fix one module or notebook given as text: `after` is the new content, None when nothing was changed.

    `unsafe`, `needless`: make these fixes, too. Raises TypeError for what is no text.
    """
    fixing = Fixing(unsafe, write=False, needless=needless)
    return change_bytes(encoded(source), path, settings or Settings(), fixing, explicit=True)


def change(file: File, changing: Fixing | Suppressing, project: Project) -> FileReport:
    """Fix a file, or suppress what is found in it."""
    data = content_of(file)
    if isinstance(data, Diagnostic):
        return unread(file, data)
    report = change_bytes(data, file.path, file.settings, changing, project, explicit=file.explicit)
    if changing.write and report.after is not None:
        return _write(report, lambda: lint_bytes(data, file.path, file.settings, project, explicit=file.explicit))
    return report


def change_bytes(
    data: bytes,
    path: str,
    settings: Settings,
    changing: Fixing | Suppressing,
    project: Project | None = None,
    *,
    explicit: bool,
) -> FileReport:
    """Lint the content of a file and change it; nothing is written."""
    project = project or Project()
    report = lint_bytes(data, path, settings, project, explicit=explicit)
    if all(diagnostic.code in ALWAYS_ON for diagnostic in report.diagnostics):
        return report
    try:
        if isinstance(changing, Suppressing):
            return _suppress(data, report, settings, changing, project)
        return _fix(data, report, settings, changing, project)
    except Exception as error:
        return report._replace(diagnostics=(*report.diagnostics, internal_error("changing it", path, error)))


def _fix(data: bytes, unfixed: FileReport, settings: Settings, fixing: Fixing, project: Project) -> FileReport:
    """Apply the fixes of a file that are wanted."""
    if not any(diagnostic.fix and diagnostic.fix.can_be_applied for diagnostic in unfixed.diagnostics):
        return unfixed
    path = unfixed.path
    target: Target | None = None

    def wanted(source: Source) -> Iterator[Finding]:
        nonlocal target
        # What a fix leaves of the idioms of TensorFlow 1 does not make it code for another one.
        target = source.notes[Target] = target or target_of(source, settings.target_for(source.path, source))
        return filter(fixing.wants, findings_in(source, settings, project, fixing.sieves))

    settled = settle(data, path, wanted, project)
    if settled.refusal:
        return unfixed._replace(diagnostics=(*unfixed.diagnostics, unfixable(settled.refusal, path)))
    if not settled.passes:
        return unfixed._replace(problem=settled.problem)
    fixed = [Placer(step.source).diagnostic(finding) for step in settled.passes for finding in step.fixed]

    def left(after: bytes) -> tuple[Diagnostic, ...]:
        result = load(after, path)
        result.notes[Target] = target
        return lint(result, settings, project).diagnostics

    report = FileReport(path, left(settled.data), tuple(fixed), data, settled.data, problem=settled.problem)
    if fixing.formats and settings.looks_around and settings.format == "auto":
        # Few files are formatted, and it takes a while to import.
        from tfdata_lint.lint.formatter import formatted

        after, formatter = formatted(settled.passes[0].source, data, settled.data, settings.root)
        # A comment may have come to another row, where it suppresses something else.
        if formatter and _codes(found := left(after)) == _codes(report.diagnostics):
            return report._replace(diagnostics=found, after=after, formatter=formatter)
    return report


def _codes(diagnostics: Iterable[Diagnostic]) -> list[str]:
    return sorted(diagnostic.code for diagnostic in diagnostics)


def _suppress(
    data: bytes, report: FileReport, settings: Settings, suppressing: Suppressing, project: Project
) -> FileReport:
    """Write a comment for every finding of a rule."""
    source = load(data, report.path)
    wanted = findings_in(source, settings, project, suppressing.sieves)
    rows = [(finding.code, finding.span.row) for finding in wanted if finding.code != "TFD001"]
    try:
        after = _with_comments(data, source, rows, suppressing)
    except CannotEdit as error:
        return report._replace(problem=str(error))
    if after == data:
        return report
    left = lint(load(after, report.path), settings, project)
    still = {(diagnostic.code, diagnostic.place.cell, diagnostic.place.row) for diagnostic in left.diagnostics}
    gone = [d for d in report.diagnostics if (d.code, d.place.cell, d.place.row) not in still]
    return FileReport(report.path, left.diagnostics, tuple(gone), data, after)


def _with_comments(data: bytes, source: Source, rows: list[tuple[str, int]], suppressing: Suppressing) -> bytes:
    """The content of a file with comments that suppress these codes on these rows. Raises CannotEdit."""
    return edited(data, source, source.suppressions.additions(rows, suppressing.reason))


def suppress_there(addition: FileReport, suppressing: Suppressing) -> FileReport:
    """As `_suppress`, for what was found because others use a file."""
    wanted = addition.sifted(suppressing.sieves).diagnostics
    try:
        data = read(addition.path)
        rows = [(diagnostic.code, diagnostic.place.row) for diagnostic in wanted]
        after = _with_comments(data, load(data, addition.path), rows, suppressing)
    except (OSError, CannotEdit) as error:
        return addition._replace(problem=str(error))
    report = addition._replace(diagnostics=(), fixed=tuple(wanted), before=data, after=after)
    return _write(report, lambda: addition) if suppressing.write else report


def _write(report: FileReport, unfixed: Callable[[], FileReport]) -> FileReport:
    """Replace the file; where that fails, what was found in it stands."""
    assert report.after is not None
    try:
        replace_file(report.path, report.before, report.after)
    except CannotWrite as error:
        return unfixed()._replace(problem=str(error))
    return report


def findings_in(source: Source, settings: Settings, project: Project, sieves: tuple[Sieve, ...] = ()) -> list[Finding]:
    """What the rules find in a module and nothing silences."""
    examined = examine(source, settings, project)
    findings = examined.findings
    if not sieves:
        return findings
    # Nobody prints them: their edits need not be written.
    places = examined.placer(source, settings._replace(with_surroundings=True, with_edits=False), project)
    placed = sorted(((places.diagnostic(finding), finding) for finding in findings), key=lambda both: position(both[0]))
    report = FileReport(source.path, tuple(diagnostic for diagnostic, _ in placed))
    wanted = {id(diagnostic) for diagnostic in report.sifted(sieves).diagnostics}
    return [finding for diagnostic, finding in placed if id(diagnostic) in wanted]
