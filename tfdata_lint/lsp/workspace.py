"""Findings in all files of the workspace, for clients that ask for them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.lsp import convert
from tfdata_lint.lsp.analysis import Analysis
from tfdata_lint.run.files import discover

if TYPE_CHECKING:
    from tfdata_lint.lsp.state import Server

Report: TypeAlias = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


def result_id(found: Sequence[Diagnostic]) -> str:
    """Equal for equal findings, within one run of the server."""
    return f"{hash(tuple(found)):x}"


async def reports(ls: Server, known: Mapping[str, str]) -> AsyncIterator[Report]:
    """A report on each file with findings, and on those of which the client knows some that are gone; another one
    where the files that come later add something.

    Cells of notebooks have no name for the client before the notebook is open.
    """
    closed: dict[str, FileReport] = {}
    answered = dict(known)
    for folder in ls.open_folders:
        settings = ls.folders.settings(f"{folder}/any.py")
        for path in await ls.analyst.call(partial(_files, folder, settings)):
            uri = ls.locate(path)
            analysis = await ls.analysis(uri)
            if analysis is None:
                analysis = await ls.analyst.file(ls.documents.closed(uri, path), ls.folders.settings(path))
                closed[path] = analysis.report
                analysis = replace(analysis, others=ls.others.in_closed(path))
            for report in _report(ls, analysis, answered):
                yield report
    for path in sorted(ls.saw_all(closed)):
        uri = ls.locate(path)
        analysis = await ls.analysis(uri)
        if analysis is None:
            found = closed.get(path) or FileReport(path)
            document = ls.documents.closed(uri, path)
            analysis = Analysis(document, ls.folders.settings(path), found, ls.others.in_closed(path))
        for report in _report(ls, analysis, answered):
            yield report


def _report(ls: Server, analysis: Analysis, answered: dict[str, str]) -> Iterator[Report]:
    """What is to be said of a file, if anything."""
    document, diagnostics = analysis.document, analysis.diagnostics
    uri, version = document.uri, document.texts[0].version
    result = result_id(diagnostics)
    if answered.get(uri) == result:
        yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result, version=version)
    elif diagnostics or uri in answered:
        answered[uri] = result
        items = [convert.diagnostic(found, document, ls.locate) for found in diagnostics]
        yield types.WorkspaceFullDocumentDiagnosticReport(uri, items, version=version, result_id=result)


def _files(folder: str, settings: Settings) -> list[str]:
    found = discover([folder], settings._replace(respect_gitignore=True, force_exclude=False))
    return [file.path for file in found if not file.path.endswith(".ipynb") and not file.problem]
