"""Findings that a file has only because others use it: who calls a function knows more of its pipeline.

They are shown in the file where they stand, open or not, as long as a file that causes them is open, or was seen when
the findings of the whole workspace were asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.lsp.analysis import Analysis, is_left_out
from tfdata_lint.lsp.options import Folders
from tfdata_lint.lsp.session import Session
from tfdata_lint.run.crossfile import Reports


class Others:
    """What files add to each other."""

    def __init__(self, sessions: Mapping[str, Session], folders: Folders) -> None:
        self._sessions = sessions
        """Those that are open, now and later."""
        self._folders = folders
        self._added: dict[str, tuple[Diagnostic, ...]] = {}
        """By the path of the file where they stand."""
        self._reports: dict[str, FileReport] = {}
        """On files that are not open."""

    def added(self, analysis: Analysis) -> Analysis:
        """With what others add to an open file, as far as it stands there still."""
        document = analysis.document
        added = tuple(found for found in self._added.get(document.path, ()) if document.holds(found.place))
        return replace(analysis, others=added) if added else analysis

    def in_closed(self, path: str) -> tuple[Diagnostic, ...]:
        """What others add to a file that is not open."""
        return self._added.get(path, ())

    def users(self, path: str) -> list[Session]:
        """The open files that have added something to a file."""
        if path not in self._added:
            return []
        sessions = self._sessions.values()
        return [s for s in sessions if s.path != path and any(found.place.path == path for found in s.elsewhere)]

    def closed(self, path: str) -> None:
        """A file counts no more, but for what others add to it."""
        self._added.pop(path, None)

    def saw_all(self, reports: dict[str, FileReport]) -> None:
        """Those on the files of the workspace that are not open."""
        self._reports = {
            path: report
            for path, report in reports.items()
            if report.diagnostics or report.elsewhere or report.continued or report.denied
        }

    def look(self) -> set[str]:
        """The files to which others add something else than before."""
        before, self._added = self._added, self._find()
        return {path for path in before.keys() | self._added.keys() if before.get(path) != self._added.get(path)}

    def _find(self) -> dict[str, tuple[Diagnostic, ...]]:
        reports = Reports(self._folders.settings)
        is_open = {session.path for session in self._sessions.values()}
        known = [session.report for session in self._sessions.values() if session.report]
        known += [report for path, report in self._reports.items() if path not in is_open]
        for report in known:
            reports.note(report)
        closed = {found.place.path for report in known for found in report.elsewhere} - is_open - self._reports.keys()
        for path in closed:
            if self._folders.folder(path):
                reports.note(FileReport(path))
        return {report.path: report.diagnostics for report in reports.additions() if self._is_shown(report.path)}

    def _is_shown(self, path: str) -> bool:
        folders = self._folders
        return folders.options(path).enable and not is_left_out(path, folders.settings(path))
