"""Findings in all files of the workspace, for clients that ask for them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types

from tfdata_lint.diagnostics import Diagnostic
from tfdata_lint.lsp import convert
from tfdata_lint.lsp.analysis import Analysis
from tfdata_lint.lsp.documents import Document, Text
from tfdata_lint.settings import Settings

if TYPE_CHECKING:
    from tfdata_lint.lsp.session import Server

Report: TypeAlias = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


def result_id(found: Sequence[Diagnostic]) -> str:
    """Equal for equal findings, within one run of the server."""
    return f"{hash(tuple(found)):x}"


async def reports(ls: Server, known: Mapping[str, str]) -> AsyncIterator[Report]:
    """A report on each file with findings, and on those of which the client knows some that are gone.

    Cells of notebooks have no name for the client before the notebook is open.
    """
    for folder in ls.open_folders:
        settings = ls.folders.settings(f"{folder}/any.py")
        for path in await ls.analyst.call(partial(_files, folder, settings)):
            uri = ls.locate(path)
            analysis = await ls.analysis(uri) or await _closed(ls, path, uri)
            result = result_id(analysis.diagnostics)
            version = analysis.document.texts[0].version
            if known.get(uri) == result:
                yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result, version=version)
            elif analysis.diagnostics or uri in known:
                items = [convert.diagnostic(found, analysis.document, ls.locate) for found in analysis.diagnostics]
                yield types.WorkspaceFullDocumentDiagnosticReport(uri, items, version=version, result_id=result)


async def _closed(ls: Server, path: str, uri: str) -> Analysis:
    text = Text(uri, None, "", ls.documents.units())
    return await ls.analyst.file(Document(uri, path, (text,), b""), ls.folders.settings(path))


def _files(folder: str, settings: Settings) -> list[str]:
    from tfdata_lint.source.discovery import discover

    found = discover(
        [folder], exclude=settings.exclude, extend_exclude=settings.extend_exclude, root=settings.root or None
    )
    return [file.path for file in found if file.path.endswith((".py", ".pyi")) and not file.problem]
