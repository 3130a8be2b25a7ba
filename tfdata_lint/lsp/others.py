"""Findings that a file has only because others use it: who calls a function knows more of its pipeline.

They are told in the file where they stand, open or not, as long as a file that causes them is open, or was seen when
the findings of the whole workspace were asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.lsp import convert
from tfdata_lint.lsp.analysis import Analysis, is_left_out
from tfdata_lint.run.engine import Told

if TYPE_CHECKING:
    from tfdata_lint.lsp.session import Server, Session


class Others:
    """What files add to each other."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._added: dict[str, tuple[Diagnostic, ...]] = {}
        """By the path of the file where they stand."""
        self._reports: dict[str, FileReport] = {}
        """On files that are not open."""
        self._published: dict[str, str] = {}
        """The files of which the client was told although they are not open, and their URIs."""
        self.is_asked_for_all = False
        """Does the client ask for the findings of files that are not open?"""

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
        sessions = self._server.sessions.values()
        return [s for s in sessions if s.path != path and any(found.place.path == path for found in s.elsewhere)]

    def opened(self, path: str) -> None:
        """From now on it is told with everything else that is found in it."""
        if uri := self._published.pop(path, None):
            self._server.publish(uri, [])

    def closed(self, path: str) -> None:
        """A file counts no more, but for what others add to it."""
        self._added.pop(path, None)
        self.look()

    def saw_all(self, reports: dict[str, FileReport]) -> set[str]:
        """The files of the workspace that are not open were looked at: the paths for which this makes a difference."""
        self._reports = {path: report for path, report in reports.items() if report.diagnostics or report.elsewhere}
        self.is_asked_for_all = True
        for path in list(self._published):
            self.opened(path)
        return self.look()

    def look(self, at: Session | None = None) -> set[str]:
        """Tell what has changed; in a session that is told anyway it need not be."""
        before, self._added = self._added, self._find()
        changed = {path for path in before.keys() | self._added.keys() if before.get(path) != self._added.get(path)}
        sessions = {session.path: session for session in self._server.sessions.values()}
        self._server.tell_again([sessions[path] for path in changed & sessions.keys() if sessions[path] is not at])
        if not self.is_asked_for_all:
            self._publish(changed - sessions.keys())
        return changed

    def _find(self) -> dict[str, tuple[Diagnostic, ...]]:
        server = self._server
        told = Told(server.folders.settings, everywhere=False)
        is_open = {session.path for session in server.sessions.values()}
        reports = [session.report for session in server.sessions.values() if session.report]
        reports += [report for path, report in self._reports.items() if path not in is_open]
        for report in reports:
            told.note(report)
        closed = {found.place.path for report in reports for found in report.elsewhere} - is_open - self._reports.keys()
        for path in closed:
            if server.folders.folder(path):
                told.note(FileReport(path))
        return {report.path: report.diagnostics for report in told.additions() if self._is_told(report.path)}

    def _is_told(self, path: str) -> bool:
        folders = self._server.folders
        return folders.options(path).enable and not is_left_out(path, folders.settings(path))

    def _publish(self, paths: Iterable[str]) -> None:
        server = self._server
        for path in sorted(paths):
            uri = self._published.setdefault(path, server.locate(path))
            document = server.documents.closed(uri, path)
            found = self._added.get(path, ())
            server.publish(uri, [convert.diagnostic(one, document, server.locate) for one in found])
            if not found:
                del self._published[path]
