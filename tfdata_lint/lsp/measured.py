"""What was measured, for an editor: files are read when they are wanted, and again when they have changed."""

from __future__ import annotations

import os

from tfdata_lint.config.files import shown_path
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.run.evidence.known import EvidenceError, Known

_Stamp = tuple[int, int]


class Measured:
    """The evidence that the settings of each file name."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[tuple[_Stamp, ...], Known | None]] = {}
        self.problems: dict[tuple[str, ...], str] = {}
        """What cannot be read, and why, by the files that are wanted."""

    def brought(self, report: FileReport, settings: Settings) -> FileReport:
        """A report whose findings have what was measured; as it is where nothing can be read."""
        known = self._of(settings) if settings.evidence else None
        if known is None:
            return report
        diagnostics = known.brought_to(report.diagnostics, settings)
        return report._replace(diagnostics=diagnostics, elsewhere=known.brought_to(report.elsewhere, settings))

    def _of(self, settings: Settings) -> Known | None:
        files = tuple(os.path.join(settings.root, file) for file in settings.evidence)
        stamps = tuple(map(_stamp, files))
        before = self._known.get(files)
        if before is None or before[0] != stamps:
            self.problems.pop(files, None)
            try:
                # The client's own settings ask for rules, not for files: those are from the folder.
                before = stamps, Known((shown_path(file), False) for file in files)
            except EvidenceError as error:
                before = stamps, None
                self.problems[files] = str(error)
            self._known[files] = before
        return before[1]


def _stamp(file: str) -> _Stamp:
    try:
        status = os.stat(file)
    except OSError:
        return 0, -1
    return status.st_mtime_ns, status.st_size
