"""`tfdata-lint server`: the messages of an editor, and what is answered."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from tfdata_lint import rules
from tfdata_lint.lsp import actions, convert, findings, verify, views, workspace
from tfdata_lint.lsp.documents import path_of
from tfdata_lint.lsp.greeting import EXPLAIN, KINDS, QUICK_FIX, SECTION, VERIFY, can_verify
from tfdata_lint.lsp.links import links
from tfdata_lint.lsp.session import Session
from tfdata_lint.lsp.state import Server

#: Without alternatives in braces, which not every client can read.
_WATCHED = (
    "**/*.py", "**/*.pyi", "**/*.toml",
    "**/requirements*.txt", "**/setup.cfg", "**/environment*.yml", "**/*.lock",
    "**/*tfdata-lint-evidence.json", "**/*.tfdata.json",
)  # fmt: skip

server = Server()

# ── the life of the server ──────────────────────────────────────────────────────────────────────────────────────────


@server.feature(types.INITIALIZED)
async def initialized(ls: Server, params: types.InitializedParams) -> None:
    await ls.configure()
    client = ls.client_capabilities.workspace
    if client and client.did_change_watched_files and client.did_change_watched_files.dynamic_registration:
        watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
        files = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        ls.is_told_of_files = await ls.register(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files)
    if client and client.did_change_configuration and client.did_change_configuration.dynamic_registration:
        section = types.DidChangeConfigurationRegistrationOptions(SECTION)
        await ls.register(types.WORKSPACE_DID_CHANGE_CONFIGURATION, section)


@server.feature(types.SHUTDOWN)
def shutdown(ls: Server, params: None) -> None:
    ls.protocol.cancel_all()
    for uri in list(ls.sessions):
        ls.sessions.pop(uri).close()
    ls.analyst.close()


@server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    client = ls.client_capabilities.workspace
    if not (client and client.configuration) and params.settings is not None:
        ls.set_options(params.settings)
    await ls.configure()


@server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
async def did_change_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    await ls.configure()


@server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def did_change_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    paths = {path_of(change.uri) for change in params.changes}
    if any(not path.endswith((".py", ".pyi")) for path in paths):
        ls.reload()
    stale: dict[str, Session] = {}
    for path in paths:
        ls.analyst.changed(path)
        stale.update((session.uri, session) for session in ls.dependent_on(path))
    ls.look_again(stale.values())


# ── documents ───────────────────────────────────────────────────────────────────────────────────────────────────────


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    ls.open(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    ls.changed(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
@server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
def did_save(ls: Server, params: types.DidSaveTextDocumentParams | types.DidSaveNotebookDocumentParams) -> None:
    if not ls.is_told_of_files:
        ls.saved()


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    if not ls.pulls:
        ls.publish(params.text_document.uri, [])
    ls.close(params.text_document.uri)


@server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
def did_open_notebook(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    ls.open(params.notebook_document.uri)


@server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
def did_change_notebook(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    structure = params.change.cells.structure if params.change.cells else None
    if not ls.pulls:
        for cell in (structure.did_close if structure else None) or ():
            ls.publish(cell.uri, [])
    ls.changed(params.notebook_document.uri)


@server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
def did_close_notebook(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    ls.close(params.notebook_document.uri)
    if not ls.pulls:
        for cell in params.cell_text_documents:
            ls.publish(cell.uri, [])


# ── findings ────────────────────────────────────────────────────────────────────────────────────────────────────────


@server.feature(
    types.TEXT_DOCUMENT_DIAGNOSTIC,
    types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SECTION),
)
async def diagnostic(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    analysis = await ls.analysis(params.text_document.uri)
    found = convert.by_text(analysis.diagnostics, analysis.document) if analysis else {}
    here = found.get(params.text_document.uri, [])
    result = workspace.result_id(here)
    if result == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result)
    items = [convert.diagnostic(one, analysis.document, ls.locate) for one in here] if analysis else []
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=result)


@server.feature(types.WORKSPACE_DIAGNOSTIC)
async def workspace_diagnostic(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    known = {previous.uri: previous.value for previous in params.previous_result_ids}
    reports = {}
    async for report in workspace.reports(ls, known):
        if params.partial_result_token is None:
            reports[report.uri] = report
        else:
            part = types.WorkspaceDiagnosticReportPartialResult([report])
            ls.protocol.notify(types.PROGRESS, types.ProgressParams(params.partial_result_token, part))
    return types.WorkspaceDiagnosticReport(list(reports.values()))


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(list(KINDS), resolve_provider=True))
async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    analysis = await ls.analysis(params.text_document.uri)
    if analysis is None:
        return []
    only = None if params.context.only is None else tuple(str(_value(kind)) for kind in params.context.only)
    asked = actions.Asked(params.text_document.uri, params.range, only)
    if asked.wants(QUICK_FIX):
        analysis = await ls.analyst.with_edits(analysis)
    offered = list(actions.offered(analysis, asked, ls.writer, ls.locate))
    if ls.resolves:
        return offered
    return [await actions.resolved(action, analysis, ls.analyst, ls.writer) for action in offered]


@server.feature(types.CODE_ACTION_RESOLVE)
async def resolve_code_action(ls: Server, action: types.CodeAction) -> types.CodeAction:
    uri = action.data.get("uri", "") if isinstance(action.data, dict) else ""
    analysis = await ls.analysis(str(uri))
    return await actions.resolved(action, analysis, ls.analyst, ls.writer) if analysis else action


@server.command(EXPLAIN)
async def explain(ls: Server, code: str) -> None:
    window = ls.client_capabilities.window
    if not (known := rules.rule(code)):
        ls.show(f"there is no rule {code}", types.MessageType.Warning)
    elif (page := convert.page_uri(known.code)) and window and window.show_document and window.show_document.support:
        await ls.window_show_document_async(types.ShowDocumentParams(page))
    else:
        ls.show(f"{known.code} {known.name}: {known.summary} (`tfdata-lint rule {known.code}` explains it)")


# ── pipelines ───────────────────────────────────────────────────────────────────────────────────────────────────────


@server.feature(types.TEXT_DOCUMENT_HOVER)
async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    uri = params.text_document.uri
    analysis, view = await ls.analysis(uri), await ls.view(uri)
    parts = [view.hover(uri, params.position) if view else ""]
    if analysis:
        if found := findings.found_at(analysis, uri, params.position):
            found = findings.found_at(await ls.analyst.with_edits(analysis), uri, params.position)
        parts += [findings.of_findings(found, parts[0]), findings.of_rules(analysis, uri, params.position)]
    said = "\n\n---\n\n".join(filter(None, parts))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said)) if said else None


@server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    uri = params.text_document.uri
    if not ls.folders.options(path_of(ls.documents.owner(uri))).inlay_hints:
        return []
    analysis, view = await ls.analysis(uri), await ls.view(uri)
    hints = list(view.hints(uri, params.range)) if view else []
    return [*hints, *(views.measured_hints(analysis, uri, params.range) if analysis else ())]


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
async def document_symbol(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    view = await ls.view(params.text_document.uri)
    return list(view.symbols(params.text_document.uri)) if view else []


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
def document_link(ls: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    text = ls.documents.text(params.text_document.uri)
    return list(links(text)) if text else []


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    uri = params.text_document.uri
    if not ls.folders.options(path_of(ls.documents.owner(uri))).code_lens:
        return []
    analysis, view = await ls.analysis(uri), await ls.view(uri)
    lenses = list(view.lenses(uri)) if view else []
    return [*lenses, *(views.measured_lenses(analysis, uri) if analysis else ())]


async def verify_pipeline(ls: Server, uri: str, definition: str) -> None:
    await verify.verify(ls, uri, definition)


if can_verify():
    server.feature(types.TEXT_DOCUMENT_CODE_LENS)(code_lens)
    server.command(VERIFY)(verify_pipeline)


def _value(kind: Any) -> Any:
    return getattr(kind, "value", kind)
