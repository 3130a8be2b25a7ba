"""One file changed: its findings fixed, or suppressed by comments."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tfdata_lint.config.settings.model import ALWAYS_ON, Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.diagnostics import Diagnostic, Placer, internal_error, position, unfixable
from tfdata_lint.lint.elsewhere import of_diagnostic
from tfdata_lint.lint.examining import examine
from tfdata_lint.lint.fixes import settle
from tfdata_lint.lint.linting import content_of, encoded, lint_bytes, unread
from tfdata_lint.lint.reports import File, FileReport, Fixing, Sieve, Suppressing, gone
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.source.editing import CannotEdit, edited
from tfdata_lint.source.module import Source, load
from tfdata_lint.source.writing import CannotWrite, replace_file

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Finding

#: What it costs that fixes cannot be applied.
_UNCHANGED = "The findings remain, and none of them was fixed"


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


def change_bytes(
    data: bytes,
    path: str,
    settings: Settings,
    changing: Fixing | Suppressing,
    project: Project | None = None,
    *,
    explicit: bool,
) -> FileReport:
    """Lint the content of a file and change it; nothing is written. What is left is what a check then says."""
    project = project or Project()
    report = lint_bytes(data, path, settings, project, explicit=explicit)
    if isinstance(changing, Suppressing):
        changed = suppressed(lambda: data, report, changing)
    else:
        changed = _fixed(data, report, settings, changing, project)
    if changed.after is None:
        return changed
    left = lint_bytes(changed.after, path, settings, project, explicit=explicit).diagnostics
    fixed = gone(changed.fixed, left) if isinstance(changing, Suppressing) else changed.fixed
    return changed._replace(diagnostics=left, fixed=fixed)


def fix(file: File, fixing: Fixing, project: Project) -> FileReport:
    """Fix a file. What is left in it is not known yet: that may depend on other files, which are fixed as well."""
    data = content_of(file)
    if isinstance(data, Diagnostic):
        return unread(file, data)
    report = lint_bytes(data, file.path, file.settings, project, explicit=file.explicit)
    fixed = _fixed(data, report, file.settings, fixing, project)
    if not fixing.write or fixed.after is None:
        return fixed
    problem = write(file.path, data, fixed.after)
    # What could not be written was not fixed.
    return report._replace(problem=problem) if problem else fixed


def write(path: str, before: bytes, after: bytes) -> str:
    """Replace the content of a file, if it is still as it was; else why not."""
    try:
        replace_file(path, before, after)
    except CannotWrite as error:
        return str(error)
    return ""


# ── fixed ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _fixed(data: bytes, report: FileReport, settings: Settings, fixing: Fixing, project: Project) -> FileReport:
    """Apply the fixes of a file that are wanted. What was found in it is reported as it was."""
    if not any(diagnostic.fix and diagnostic.fix.can_be_applied for diagnostic in report.diagnostics):
        return report
    try:
        return _settled(data, report, settings, fixing, project)
    except Exception as error:
        failed = internal_error("fixing the findings", report.path, error, _UNCHANGED)
        return report._replace(diagnostics=(*report.diagnostics, failed))


def _settled(data: bytes, report: FileReport, settings: Settings, fixing: Fixing, project: Project) -> FileReport:
    path = report.path
    target: Target | None = None

    def wanted(source: Source) -> Iterable[Finding]:
        nonlocal target
        # What a fix leaves of the idioms of TensorFlow 1 does not make it code for another one.
        target = source.notes[Target] = target or target_of(source, settings.target_for(source.path, source))
        found = filter(fixing.wants, findings_in(source, settings, project, fixing.sieves))
        return fixing.choose(source, found) if fixing.choose else found

    def left(after: bytes) -> list[str]:
        found = lint_bytes(after, path, settings, project, explicit=True).diagnostics
        return sorted(diagnostic.code for diagnostic in found)

    settled = settle(data, path, wanted, project)
    if settled.refusal:
        return report._replace(diagnostics=(*report.diagnostics, unfixable(settled.refusal, path)))
    if not settled.passes:
        return report._replace(problem=settled.problem)
    fixed = tuple(Placer(step.source).diagnostic(finding) for step in settled.passes for finding in step.fixed)
    report = report._replace(fixed=fixed, before=data, after=settled.data, problem=settled.problem)
    if fixing.formats and settings.looks_around and settings.format == "auto":
        # Few files are formatted, and it takes a while to import.
        from tfdata_lint.lint.formatter import formatted

        after, formatter = formatted(settled.passes[0].source, data, settled.data, settings.root)
        # A comment may have come to another row, where it suppresses something else.
        if formatter and left(after) == left(settled.data):
            return report._replace(after=after, formatter=formatter)
    return report


# ── suppressed ──────────────────────────────────────────────────────────────────────────────────────────────────────


def suppressed(text: Callable[[], bytes], report: FileReport, suppressing: Suppressing) -> FileReport:
    """Write a comment for each finding that a rule has reported in a file with this content."""
    path = os.path.abspath(report.path)
    wanted: list[Diagnostic] = []
    rows: list[tuple[str, int]] = []
    for diagnostic in report.sifted(suppressing.sieves).diagnostics:
        file, row, _ = of_diagnostic(diagnostic).spot.rsplit(":", 2)
        # Those in modules that the cells of a notebook write are not in its own text.
        if diagnostic.code not in (*ALWAYS_ON, "TFD001") and file == path:
            wanted.append(diagnostic)
            rows.append((diagnostic.code, int(row)))
    if not wanted:
        return report
    try:
        data = text()
        source = load(data, report.path)
        after = edited(data, source, source.suppressions.additions(rows, suppressing.reason))
    except (OSError, CannotEdit) as error:
        return report._replace(problem=str(error))
    return report if after == data else report._replace(fixed=tuple(wanted), before=data, after=after)


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
