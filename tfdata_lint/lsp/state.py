"""What the server knows: what is open, what was found in it, and the settings that hold there.

A document is analysed when it is opened, when its text has been still for a moment, and when an answer needs it.
Clients that ask for diagnostics get them as answers, the others are told.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from tfdata_lint import __version__
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.lsp import actions, convert, views
from tfdata_lint.lsp.analysis import Analysis, Analyst
from tfdata_lint.lsp.documents import Document, Documents
from tfdata_lint.lsp.greeting import SECTION, section
from tfdata_lint.lsp.options import Folders, Options
from tfdata_lint.lsp.others import Others
from tfdata_lint.lsp.protocol import Protocol
from tfdata_lint.lsp.session import Session
from tfdata_lint.source.tree import NAMES
from tfdata_lint.source.visible import visible

T = TypeVar("T")
#: How long the first analysis waits for the settings of a client, in seconds.
_PATIENCE = 2.0


class Server(LanguageServer):
    """What is open, and the settings that hold there."""

    protocol: Protocol

    def __init__(self) -> None:
        cells = [types.NotebookCellLanguage("python")]
        selector = types.NotebookDocumentFilterWithCells(cells=cells)
        super().__init__(
            "tfdata-lint",
            __version__,
            notebook_document_sync=types.NotebookDocumentSyncOptions([selector], save=True),
            protocol_cls=Protocol,
        )
        self.analyst = Analyst()
        self.folders = Folders()
        self.sessions: dict[str, Session] = {}
        self._initial: Any = None
        self._configured = asyncio.Event()
        self.is_told_of_files = False
        """Does the client tell of files that change on disk?"""
        self.others = Others(self.sessions, self.folders)
        self.is_asked_for_all = False
        """Does the client ask for the findings of files that are not open?"""
        self._published: dict[str, str] = {}
        """The files of which the client was told although they are not open, and their URIs."""
        self._shown_problems: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.leave: Callable[[int], None] = lambda code: None
        """Ends the server, with an exit code."""
        self.watch: Callable[[int], None] = lambda process: None
        """Has the server end with a process."""

    @property
    def documents(self) -> Documents:
        return cast(Documents, self.workspace)

    # ── what the client can do ──────────────────────────────────────────────────────────────────────────────────────

    def begin(self, params: types.InitializeParams) -> Options:
        self._initial = params.initialization_options
        self.set_options()
        if params.process_id is not None and params.process_id > 0:
            self.watch(params.process_id)
        return self.folders.options("")

    @property
    def pulls(self) -> bool:
        """Does the client ask for diagnostics itself?"""
        client = self.client_capabilities.text_document
        return bool(client and client.diagnostic)

    @property
    def writer(self) -> actions.Writer:
        client = self.client_capabilities.workspace
        return actions.Writer(bool(client and client.workspace_edit and client.workspace_edit.document_changes))

    @property
    def resolves(self) -> bool:
        """Does the client ask for the edit of an action when that is chosen?"""
        client = self.client_capabilities.text_document
        support = client.code_action.resolve_support if client and client.code_action else None
        return bool(support and "edit" in support.properties)

    def locate(self, path: str) -> str:
        """The URI of a file, as the client has it if it is open."""
        return next((s.uri for s in self.sessions.values() if s.path == path), from_fs_path(path) or path)

    # ── settings ────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def open_folders(self) -> list[str]:
        uris = [folder.uri for folder in self.documents.folders.values()] or [self.documents.root_uri]
        return [path for uri in uris if uri and (path := to_fs_path(uri))]

    def set_options(self, given: Any = None, by_folder: Sequence[Any] = ()) -> None:
        """What the client sets: for all, and for each folder."""
        base = Options().with_(section(self._initial)).with_(section(given))
        options = dict.fromkeys(self.open_folders, base)
        options.update((folder, base.with_(raw)) for folder, raw in zip(self.open_folders, by_folder, strict=False))
        self.folders.set({"": base, **options})

    async def configure(self) -> None:
        """Ask the client for its settings."""
        client = self.client_capabilities.workspace
        if client and client.configuration:
            scopes = [None, *(from_fs_path(folder) for folder in self.open_folders)]
            items = [types.ConfigurationItem(scope, SECTION) for scope in scopes]
            try:
                given, *by_folder = await self.workspace_configuration_async(types.ConfigurationParams(items))
                self.set_options(given, by_folder)
            except (JsonRpcException, ValueError) as error:
                self.log(f"the client did not give its settings: {error}")
        self._configured.set()
        self.reload()

    async def register(self, method: str, options: Any) -> bool:
        """Ask the client for notifications. Some say that they can, and then refuse."""
        try:
            wanted = [types.Registration(method, method, options)]
            await self.client_register_capability_async(types.RegistrationParams(wanted))
        except JsonRpcException as error:
            self.log(f"the client refused {method}: {error}")
            return False
        return True

    def reload(self) -> None:
        """Read the configuration again, and analyse again what is open."""
        self.folders.forget()
        self.analyst.forget()
        self.look_again(self.sessions.values())

    def saved(self) -> None:
        """A file was saved, by a client that does not tell of the others that have changed on disk."""
        self.folders.forget()
        self.analyst.forget()
        self.look_again([s for s in self.sessions.values() if s.settings != self.folders.settings(s.path)])

    # ── documents ───────────────────────────────────────────────────────────────────────────────────────────────────

    def open(self, uri: str) -> None:
        self.close(uri)
        self.sessions[uri] = session = Session(uri)
        # From now on what others add is told with everything else that is found in it.
        self._withdraw(session.path)
        self.changed(uri, delay=0)

    def changed(self, uri: str, delay: float | None = None) -> None:
        """The text of a document has changed."""
        if session := self.sessions.get(self.documents.owner(uri)):
            session.renew()
            session.is_new = True
            self.analyst.changed(session.path)
            pause = self.folders.options(session.path).debounce / 1000 if delay is None else delay
            if session.settling:
                session.settling.cancel()
            session.settling = asyncio.create_task(self._settle(session, pause))

    def close(self, uri: str) -> None:
        if session := self.sessions.pop(uri, None):
            session.close()
            self.analyst.closed(session.path)
            self.others.closed(session.path)
            self.look_at_others()
            self.look_again(self.dependent_on(session.path))

    def look_again(self, sessions: Iterable[Session]) -> None:
        """Analyse them again, one after the other, behind what the user is at."""
        again = list(sessions)
        for session in again:
            session.renew()
        self.tell_again(again)

    def tell_again(self, sessions: list[Session]) -> None:
        """What is found in them counts no more as it was told."""
        if sessions:
            task = asyncio.create_task(self._tell_all(sessions))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def dependent_on(self, path: str) -> list[Session]:
        """The open documents whose findings depend on another file."""
        # On its content, or on what was looked for under its name or that of its package.
        names = {os.path.basename(path.removesuffix(".py")), os.path.basename(os.path.dirname(path))}

        def depends(session: Session) -> bool:
            return any(
                other == path
                or (os.path.basename(other) in names)
                or (os.path.basename(other) == NAMES and path.startswith(os.path.join(os.path.dirname(other), "")))
                for other in session.depends
            )

        return [session for session in self.sessions.values() if session.path != path and depends(session)]

    async def _settle(self, session: Session, pause: float) -> None:
        await asyncio.sleep(pause)
        if not self.pulls:
            await self._tell(session)
        self.look_again(self.dependent_on(session.path))

    async def _tell_all(self, sessions: list[Session]) -> None:
        if self.pulls:
            client = self.client_capabilities.workspace
            if client and client.diagnostics and client.diagnostics.refresh_support:
                await self.workspace_diagnostic_refresh_async(None)
            return
        for session in sessions:
            if self.sessions.get(session.uri) is session:
                await self._tell(session)

    async def _tell(self, session: Session) -> None:
        analysis = await self.analysis(session.uri)
        document = analysis.document if analysis else self.documents.document(session.uri)
        if document is None or self.sessions.get(session.uri) is not session:
            return
        found = convert.by_text(analysis.diagnostics if analysis else (), document)
        for text in document.texts:
            here = [convert.diagnostic(diagnostic, document, self.locate) for diagnostic in found[text.uri]]
            self.publish(text.uri, here, text.version)

    def publish(self, uri: str, found: list[types.Diagnostic], version: int | None = None) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    # ── what files add to each other ────────────────────────────────────────────────────────────────────────────────

    def look_at_others(self, at: Session | None = None) -> set[str]:
        """Tell what has changed, and where; in a session that is told anyway it need not be."""
        changed = self.others.look()
        sessions = {session.path: session for session in self.sessions.values()}
        self.tell_again([sessions[path] for path in changed & sessions.keys() if sessions[path] is not at])
        if not self.is_asked_for_all:
            for path in sorted(changed - sessions.keys()):
                self._publish_added(path)
        return changed

    def saw_all(self, reports: dict[str, FileReport]) -> set[str]:
        """The files of the workspace that are not open were looked at: the paths for which this makes a difference."""
        self.others.saw_all(reports)
        self.is_asked_for_all = True
        for path in list(self._published):
            self._withdraw(path)
        return self.look_at_others()

    def _publish_added(self, path: str) -> None:
        uri = self._published.setdefault(path, self.locate(path))
        document = self.documents.closed(uri, path)
        found = self.others.in_closed(path)
        self.publish(uri, [convert.diagnostic(one, document, self.locate) for one in found])
        if not found:
            del self._published[path]

    def _withdraw(self, path: str) -> None:
        if uri := self._published.pop(path, None):
            self.publish(uri, [])

    # ── analyses ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def analysis(self, uri: str) -> Analysis | None:
        """What is found in a document as it is now; None for what is not open."""

        def task(session: Session) -> asyncio.Task[Analysis | None]:
            if session.analysis is None or session.analysis.cancelled():
                session.analysis = asyncio.create_task(self._analyse(session))
            return session.analysis

        session = self.sessions.get(self.documents.owner(uri))
        for user in self.others.users(session.path) if session else ():
            await self._latest(user.uri, task)
        analysis = await self._latest(uri, task)
        return self.others.added(analysis) if analysis else None

    async def view(self, uri: str) -> views.View | None:
        """The pipelines of a document as it is now."""

        def task(session: Session) -> asyncio.Task[views.View | None]:
            if session.view is None or session.view.cancelled():
                session.view = asyncio.create_task(self._view(session))
            return session.view

        return await self._latest(uri, task)

    async def _latest(self, uri: str, task_of: Callable[[Session], asyncio.Task[T]]) -> T | None:
        """What a task about a document gives that no change has overtaken."""
        while session := self.sessions.get(self.documents.owner(uri)):
            task = task_of(session)
            # It is cancelled when the text changes. This raises only where nobody wants the answer any more.
            await asyncio.wait([task])
            if not task.cancelled():
                return task.result()
        return None

    async def _analyse(self, session: Session) -> Analysis | None:
        await self._wait()
        document = self._document(session)
        analysis = None
        if document is not None:
            settings = session.settings = self.folders.settings(document.path)
            self.tell_problems()
            analysis = await self.analyst.lint(document, settings)
            self.tell_problems()
        session.report = analysis.report if analysis else None
        self.look_at_others(session)
        return analysis

    async def _view(self, session: Session) -> views.View | None:
        await self._wait()
        document = self._document(session)
        found = await self.analyst.pipelines(document) if document else None
        return views.View(document, *found) if document and found else None

    def _document(self, session: Session) -> Document | None:
        """The document, if it is to be looked at; what others read of all that is open is brought up to date."""
        for other in self.sessions.values():
            if other.is_new and (document := self.documents.document(other.uri)):
                other.is_new = False
                self.analyst.sees(document)
        return self.documents.document(session.uri) if self.folders.options(session.path).enable else None

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self._configured.wait(), _PATIENCE)
        except asyncio.TimeoutError:
            self._configured.set()

    # ── messages to the user ────────────────────────────────────────────────────────────────────────────────────────

    def tell_problems(self) -> None:
        """Show what is wrong with the settings, each thing once."""
        for problem in (*self.folders.problems(), *self.analyst.measured.problems.values()):
            if problem not in self._shown_problems:
                self._shown_problems.add(problem)
                self.show(f"tfdata-lint: {problem}", types.MessageType.Warning)

    def show(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        self.window_show_message(types.ShowMessageParams(kind, visible(message, keep="\n")))

    def log(self, message: str, kind: types.MessageType = types.MessageType.Log) -> None:
        self.window_log_message(types.LogMessageParams(kind, visible(message, keep="\n")))

    def refuse(self, problem: str) -> None:
        """The client has sent something that cannot be answered."""
        self.log(f"tfdata-lint ignored {problem}", types.MessageType.Error)
