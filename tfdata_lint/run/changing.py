"""Many files changed: fixed, or suppressed by comments. What is reported is what a check of them says afterwards.

A change in one file can bring or hide findings in others, so what depends on it is linted anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from tfdata_lint.lint.reports import File, FileReport, Fixing, Suppressing, gone
from tfdata_lint.run.batches import Linter, collector_off, in_batches
from tfdata_lint.run.crossfile import Reports
from tfdata_lint.source.content import read
from tfdata_lint.source.tree import NAMES

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.run.cache.cache import Cache
    from tfdata_lint.run.files import SettingsFor

#: A comment may make another finding count, which then needs one of its own.
_ROUNDS = 10


def changed(
    files: Iterable[File], changing: Fixing | Suppressing, settings_for: SettingsFor, cache: Cache | None, is_part: bool
) -> Iterator[FileReport]:
    """Change files, and report what is found in them then. `is_part`: there are more files than these."""
    checked = _Checked(settings_for, is_part)
    if isinstance(changing, Fixing):
        return _fixed(files, changing, checked, cache)
    return _suppressed(files, changing, checked, cache)


class _Checked:
    """What a check says of files, as they change."""

    def __init__(self, settings_for: SettingsFor, is_part: bool) -> None:
        self._settings_for = settings_for
        self._is_part = is_part
        self._files: list[File] = []
        self.linter = Linter()
        self.reports: list[FileReport] = []
        """One for each file."""
        self.texts: dict[str, bytes] = {}
        """The contents of those that were changed, by absolute path."""

    def add(self, file: File, report: FileReport) -> None:
        self._files.append(file)
        self.reports.append(report)

    def change(self, texts: Mapping[str, bytes]) -> None:
        """Lint what may have other findings now that files have these contents, by absolute path."""
        self.texts.update(texts)
        self.linter = Linter()
        self.linter.project.sources.unsaved.update(self.texts)
        with collector_off():
            for number, (file, report) in enumerate(zip(self._files, self.reports, strict=True)):
                path = os.path.abspath(file.path)
                asks_names = any(other.endswith(f"{os.sep}{NAMES}") for other in report.depends)
                if path in texts or asks_names or not texts.keys().isdisjoint(report.depends):
                    self.reports[number] = self._lint(file, self.texts.get(path))

    def _lint(self, file: File, text: bytes | None) -> FileReport:
        result = self.linter.lint_file(file) if text is None else self.linter.lint_text(file, text)
        return result.report

    def additions(self) -> list[FileReport]:
        """What they cause in each other."""
        reports = Reports(self._settings_for, self.linter if self._is_part else None)
        for report in self.reports:
            reports.note(report)
        return list(reports.additions())


# ── fixed ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _fixed(files: Iterable[File], fixing: Fixing, checked: _Checked, cache: Cache | None) -> Iterator[FileReport]:
    fixed: list[FileReport] = []
    try:
        for file, report in in_batches(files, partial(_fix, fixing=fixing, linter=checked.linter, cache=cache)):
            checked.add(file, report)
            if report == FileReport(report.path):
                # Nothing can change that, and who waits sees how far this is.
                yield report
            else:
                fixed.append(report)
        if texts := {os.path.abspath(report.path): report.after for report in fixed if report.after is not None}:
            checked.change(texts)
        additions = checked.additions()
    except KeyboardInterrupt:
        # What was written is told, with what was found beside it.
        yield from (report._replace(diagnostics=gone(report.diagnostics, report.fixed)) for report in fixed)
        raise
    now = {report.path: report for report in checked.reports}
    for report in fixed:
        yield report._replace(diagnostics=_left(report, now[report.path].diagnostics))
    yield from additions


def _fix(file: File, fixing: Fixing, linter: Linter, cache: Cache | None) -> tuple[File, FileReport]:
    if cache and (report := cache.report(file)) and not report.depends and not report.diagnostics:
        return file, report
    from tfdata_lint.lint.changing import fix

    return file, fix(file, fixing, linter.project)


def _left(report: FileReport, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """What is found in a file, and why it could not be fixed."""
    kept = [d for d in report.diagnostics if d.code == "TFD002" and report.after is None and d not in diagnostics]
    return (*diagnostics, *kept)


# ── suppressed ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _suppressed(
    files: Iterable[File], suppressing: Suppressing, checked: _Checked, cache: Cache | None
) -> Iterator[FileReport]:
    for file, report in in_batches(files, partial(_lint, linter=checked.linter, cache=cache)):
        checked.add(file, report)
    additions = checked.additions()
    done = {os.path.abspath(report.path): FileReport(report.path) for report in checked.reports}
    for _ in range(_ROUNDS):
        texts: dict[str, bytes] = {}
        for report in (*checked.reports, *additions):
            path = os.path.abspath(report.path)
            known = done.setdefault(path, FileReport(report.path, is_addition=True))
            step = FileReport(path) if known.problem else _with_comments(report, known.after, suppressing)
            done[path] = known._replace(problem=step.problem or known.problem)
            if step.after is not None:
                texts[path] = step.after
                fixed, before = (*known.fixed, *step.fixed), known.before or step.before
                done[path] = known._replace(fixed=fixed, before=before, after=step.after)
        if not texts:
            break
        checked.change(texts)
        additions = checked.additions()
    now = {os.path.abspath(report.path): report.diagnostics for report in checked.reports}
    left = [diagnostic for report in (*checked.reports, *additions) for diagnostic in report.diagnostics]
    for path, report in done.items():
        yield report._replace(diagnostics=now.get(path, ()), fixed=gone(report.fixed, left))
    yield from additions


def _lint(file: File, linter: Linter, cache: Cache | None) -> tuple[File, FileReport]:
    return file, (cache and cache.report(file)) or linter.lint_file(file).report


def _with_comments(report: FileReport, text: bytes | None, suppressing: Suppressing) -> FileReport:
    """What becomes of a file whose findings get comments; of `text`, if it was changed before."""
    if not report.diagnostics:
        return report
    from tfdata_lint.lint.changing import suppressed, write

    changed = suppressed(lambda: read(report.path) if text is None else text, report, suppressing)
    if changed.after is None or not suppressing.write:
        return changed
    problem = write(report.path, changed.before, changed.after)
    return FileReport(report.path, problem=problem) if problem else changed
