"""What files cause in each other: who calls a function knows more of its pipeline than the file where it stands."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tfdata_lint.lint.elsewhere import counting, of_diagnostic, of_finding
from tfdata_lint.lint.reports import File, FileReport
from tfdata_lint.run.batches import Linter
from tfdata_lint.run.files import SettingsFor, discover

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.pipeline.nouns.places import Span
    from tfdata_lint.rules.base import Finding
    from tfdata_lint.source.module import Source


class Reports:
    """The reports on files, and what is to be added to them because other files use these."""

    def __init__(self, settings_for: SettingsFor, linter: Linter | None = None) -> None:
        self._settings_for = settings_for
        self._linter = linter
        """Of files that were not linted, to add to those as well."""
        self._paths: list[str] = []
        self._reports: list[FileReport] = []
        """Those with something in them."""

    def note(self, report: FileReport) -> FileReport:
        self._paths.append(report.path)
        if report.diagnostics or report.elsewhere or report.continued or report.denied:
            self._reports.append(report)
        return report

    def having(self, code: str) -> set[str]:
        """The files in which a rule has found something, as absolute paths."""
        return {
            os.path.abspath(report.path)
            for report in self._reports
            if any(diagnostic.code == code for diagnostic in report.diagnostics)
        }

    def additions(self) -> Iterator[FileReport]:
        """One more report for each file in which others have found something new."""
        elsewhere = [diagnostic for report in self._reports for diagnostic in report.elsewhere]
        if not elsewhere:
            return
        from tfdata_lint.lint.diagnostics import position

        if self._linter:
            self._look_at({diagnostic.place.path for diagnostic in elsewhere}, self._linter)
        names = tuple({os.path.basename(diagnostic.place.path) for diagnostic in elsewhere})
        paths = {os.path.abspath(path): path for path in self._paths if path.endswith(names)}
        known = [of_diagnostic(diagnostic) for report in self._reports for diagnostic in report.diagnostics]
        continued = {place for report in self._reports for place in report.continued}
        of_ends = {code for report in self._reports for code in report.of_ends}
        denied = {what for report in self._reports for what in report.denied}
        added: dict[str, list[Diagnostic]] = {}
        for diagnostic in counting(elsewhere, of_diagnostic, known, continued, of_ends, denied, paths):
            path = paths[os.path.abspath(diagnostic.place.path)]
            added.setdefault(path, []).append(diagnostic._replace(place=diagnostic.place._replace(path=path)))
        for path, diagnostics in sorted(added.items()):
            yield FileReport(path, tuple(sorted(diagnostics, key=position)), is_addition=True)

    def _look_at(self, paths: set[str], linter: Linter) -> None:
        """What is found in files that were not linted, without the others."""
        linted = set(map(os.path.abspath, self._paths))
        for path in sorted(path for path in paths if os.path.abspath(path) not in linted):
            settings = self._settings_for(path)
            if any(discover([path], settings._replace(force_exclude=True))):
                self.note(linter.lint_file(File(path, False, settings)).report)


def findings_together(
    sources: Sequence[Source], settings_for: SettingsFor, unsaved: Mapping[str, bytes] | None = None
) -> tuple[list[Finding], frozenset[Span]]:
    """What the rules find in modules that are used together, and all calls in them that make datasets.

    `unsaved`: what other files have that is not written yet, by absolute path.
    """
    from tfdata_lint.lint.diagnostics import Placer
    from tfdata_lint.lint.examining import about_ends, examine, unsuppressed

    seen = [(source, settings_for(source.path)) for source in sources]
    project = Linter().project
    project.sources.unsaved.update(unsaved or {})
    examined = [examine(source, settings, project) for source, settings in seen]
    found = {of_finding(finding): finding for one in examined for finding in one.findings}
    elsewhere = [
        finding
        for (source, settings), one in zip(seen, examined, strict=True)
        for finding in unsuppressed(one.elsewhere, settings, Placer(source, project.sources))
    ]
    continued = {place for one in examined for place in one.continued}
    denied = {what for one in examined for what in one.denied}
    paths = {os.path.abspath(source.path) for source in sources}
    caused = counting(elsewhere, of_finding, found, continued, about_ends(elsewhere), denied, paths)
    calls = frozenset(stage.span for one in examined if one.graph for stage in one.graph.stages)
    return [*found.values(), *caused], calls
