"""What files cause in each other: who calls a function knows more of its pipeline than the file where it stands.

One rule says which of these findings count there: those of a run and of an editor, and those that are verified.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tfdata_lint.lint.reports import File, FileReport
from tfdata_lint.run.batches import Linter
from tfdata_lint.run.files import SettingsFor, discover

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.pipeline.nouns.places import Span
    from tfdata_lint.rules.base import Finding
    from tfdata_lint.source.module import Source

T = TypeVar("T")


class Identity(NamedTuple):
    """What makes two findings the same, whichever file they are found from."""

    code: str
    path: str
    """Absolute."""
    spot: str
    """As `spot_of` writes it, with this path."""


def counting(
    elsewhere: Iterable[T],
    identity: Callable[[T], Identity],
    known: Iterable[Identity],
    continued: Collection[str],
    of_ends: Collection[str],
    denied: Collection[str],
    paths: Collection[str],
) -> Iterator[T]:
    """Which of the findings that files cause elsewhere count there.

    Once each, in these paths, none about the end of a pipeline (`of_ends`) that goes on in another file
    (`continued`), and none that is wrong for another file that leads there (`denied`).
    """
    seen = set(known)
    ends, vetoes = set(map(_absolute, continued)), set(map(_denied, denied))
    for finding in elsewhere:
        found = identity(finding)
        goes_on = found.spot in ends and found.code in of_ends
        is_denied = (found.code, found.spot) in vetoes
        if found.path in paths and found not in seen and not goes_on and not is_denied:
            seen.add(found)
            yield finding


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
        if report.diagnostics or report.elsewhere or report.continued or report.denied or report.after is not None:
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
        # In those that were changed the places are no longer what they were.
        changed = {os.path.abspath(report.path) for report in self._reports if report.after is not None}
        linted = {os.path.abspath(path): path for path in self._paths if path.endswith(names)}
        paths = {path: shown for path, shown in linted.items() if path not in changed}
        known = [_of_diagnostic(diagnostic) for report in self._reports for diagnostic in report.diagnostics]
        continued = {place for report in self._reports for place in report.continued}
        of_ends = {code for report in self._reports for code in report.of_ends}
        denied = {what for report in self._reports for what in report.denied}
        added: dict[str, list[Diagnostic]] = {}
        for diagnostic in counting(elsewhere, _of_diagnostic, known, continued, of_ends, denied, paths):
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
    found = {_of_finding(finding): finding for one in examined for finding in one.findings}
    elsewhere = [
        finding
        for (source, settings), one in zip(seen, examined, strict=True)
        for finding in unsuppressed(one.elsewhere, settings, Placer(source, project.sources))
    ]
    continued = {place for one in examined for place in one.continued}
    denied = {what for one in examined for what in one.denied}
    paths = {os.path.abspath(source.path) for source in sources}
    caused = counting(elsewhere, _of_finding, found, continued, about_ends(elsewhere), denied, paths)
    calls = frozenset(stage.span for one in examined if one.graph for stage in one.graph.stages)
    return [*found.values(), *caused], calls


def _of_diagnostic(diagnostic: Diagnostic) -> Identity:
    place, spot = diagnostic.place, diagnostic.spot or str(diagnostic.place)
    return Identity(diagnostic.code, os.path.abspath(place.path), _absolute(spot))


def _of_finding(finding: Finding) -> Identity:
    from tfdata_lint.lint.diagnostics import spot_of

    return Identity(finding.code, os.path.abspath(finding.span.file), _absolute(spot_of(finding.span)))


def _absolute(spot: str) -> str:
    path, row, column = spot.rsplit(":", 2)
    return f"{os.path.abspath(path)}:{row}:{column}"


def _denied(what: str) -> tuple[str, str]:
    code, _, spot = what.partition(" ")
    return code, _absolute(spot)
