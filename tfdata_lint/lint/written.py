"""Notebooks whose cells write modules: `%%writefile model.py`. They are linted together, as what is in one file."""

from __future__ import annotations

import os
import re

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.diagnostics import Diagnostic, Placer, position
from tfdata_lint.lint.examining import Examined, about_ends, examine, unsuppressed
from tfdata_lint.lint.problems import has_word
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.pipeline.project.modules import Project
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
            rows = CellRows(cell.number, 1, len(lines), cell.executed)
            text = "\n".join(["", *lines[1:]])
            found[path] = Source(path, "module", text, lines=lines, cells=[rows], shown=source.path)
    return {path: module for path, module in found.items() if path not in in_pieces}


def lint(source: Source, modules: dict[str, Source], settings: Settings, project: Project) -> FileReport:
    """Lint a notebook with the modules that it writes."""
    project = Project(project.sources.with_written(modules))
    together = [source, *modules.values()]
    examined = [(one, examine(one, settings, project)) for one in together]
    diagnostics: dict[tuple[object, ...], Diagnostic] = {}
    for one, result in examined:
        places = _placer(one, result, settings, project)
        found = [
            places.diagnostic(finding if one is source else finding._replace(fix=None)) for finding in result.findings
        ]
        others = result.others if one.tree is not None or has_word(one.text) else ()
        diagnostics.update((_identity(diagnostic), diagnostic) for diagnostic in (*found, *others))
    continued = {place for _, result in examined for place in result.continued}
    denied = {what for _, result in examined for what in result.denied}
    elsewhere: list[Diagnostic] = []
    ends: set[str] = set()
    for one, result in examined:
        places = _placer(one, result, settings, project)
        for finding in unsuppressed(result.elsewhere, settings, places):
            diagnostic = places.diagnostic(finding)
            path = os.path.abspath(finding.span.file)
            if path not in modules:
                elsewhere.append(diagnostic)
                ends.update(about_ends([finding]))
                continue
            where = f"{path}:{finding.span.row}:{finding.span.column + 1}"
            goes_on = where in continued and about_ends([finding])
            if not goes_on and f"{finding.code} {where}" not in denied:
                diagnostics.setdefault(_identity(diagnostic), diagnostic._replace(found_from=""))
    depends = {path for _, result in examined for path in result.depends}
    return FileReport(
        source.path,
        tuple(sorted(diagnostics.values(), key=position)),
        # What is only in cells may come to lie there.
        depends=tuple(sorted({path.removesuffix(".py") if path in modules else path for path in depends})),
        elsewhere=tuple(elsewhere),
        of_ends=tuple(sorted(ends)),
        continued=tuple(sorted(continued)),
        denied=tuple(sorted(denied)),
    )


def _placer(source: Source, examined: Examined, settings: Settings, project: Project) -> Placer:
    return Placer(
        source,
        project.sources,
        with_surroundings=settings.with_surroundings,
        with_edits=settings.with_edits,
        assumed="" if examined.target.is_declared else str(examined.target),
    )


def _identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    return diagnostic.code, diagnostic.place.path, diagnostic.place.cell, diagnostic.place.row, diagnostic.place.column
