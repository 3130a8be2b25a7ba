"""Notebooks whose cells write modules: `%%writefile model.py`. They are linted together, as what is in one file."""

from __future__ import annotations

import os
import re

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.diagnostics import Diagnostic, Placer, position
from tfdata_lint.lint.elsewhere import counting, of_finding
from tfdata_lint.lint.examining import about_ends, examine, unsuppressed
from tfdata_lint.lint.problems import has_word
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.rules.base import Finding
from tfdata_lint.source.module import CellRows, Source

#: A relative path without anything that IPython fills in.
_WRITES = re.compile(r"%%(?:writefile|file)[ \t]+(-a[ \t]+|--append[ \t]+)?(['\"]?)([\w.][\w./-]*\.py)\2[ \t]*\Z")


def modules_in(source: Source) -> dict[str, Source]:
    """The modules that the cells of a notebook write, by absolute path.

    Not those that lie beside it as well, and those that are written in several pieces.
    """
    folder = os.path.dirname(os.path.abspath(source.path))
    found: dict[str, Source] = {}
    in_pieces: set[str] = set()
    for cell in source.cells:
        lines = source.lines[cell.first - 1 : cell.last]
        if not (first := _WRITES.match(lines[0])):
            continue
        path = os.path.normpath(os.path.join(folder, first[3]))
        if first[1]:
            in_pieces.add(path)
        elif not os.path.exists(path):
            # One that is written again is as it is in the end.
            rows = CellRows(cell.number, 1, len(lines))
            text = "\n".join(["", *lines[1:]])
            found[path] = Source(path, "module", text, lines=lines, cells=[rows], shown=source.path)
    return {path: module for path, module in found.items() if path not in in_pieces}


def lint(source: Source, modules: dict[str, Source], settings: Settings, project: Project) -> FileReport:
    """Lint a notebook with the modules that it writes."""
    project = Project(project.sources.with_written(modules))
    if (declared := settings.target_for(source.path, source)).is_declared:
        for module in modules.values():
            module.notes[Target] = declared
    together = [source, *modules.values()]
    examined = [(one, examine(one, settings, project)) for one in together]
    known: list[Finding] = []
    diagnostics: list[Diagnostic] = []
    caused: list[tuple[Finding, Placer]] = []
    for one, result in examined:
        places = result.placer(one, settings, project)
        known += result.findings
        found = [finding if one is source else finding._replace(fix=None) for finding in result.findings]
        diagnostics += map(places.diagnostic, found)
        diagnostics += result.others if one.tree is not None or has_word(one.text) else ()
        caused += [(finding, places) for finding in unsuppressed(result.elsewhere, settings, places)]
    continued = {place for _, result in examined for place in result.continued}
    denied = {what for _, result in examined for what in result.denied}
    of_ends = about_ends(finding for finding, _ in caused)
    counted = counting(
        caused, lambda one: of_finding(one[0]), map(of_finding, known), continued, of_ends, denied, modules
    )
    diagnostics += (places.diagnostic(finding)._replace(found_from="") for finding, places in counted)
    elsewhere = [one for one in caused if of_finding(one[0]).path not in modules]
    depends = {path for _, result in examined for path in result.depends}
    return FileReport(
        source.path,
        tuple(sorted(diagnostics, key=position)),
        # What is only in cells may come to lie there.
        depends=tuple(sorted({path.removesuffix(".py") if path in modules else path for path in depends})),
        elsewhere=tuple(places.diagnostic(finding) for finding, places in elsewhere),
        of_ends=about_ends(finding for finding, _ in elsewhere),
        continued=tuple(sorted(continued)),
        denied=tuple(sorted(denied)),
    )
