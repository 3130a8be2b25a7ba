"""An editor that talks to a server of its own, as pytest-lsp has it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pygls.uris import from_fs_path
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from tfdata_lint.lsp.documents import Text, Units

ROOT = Path(__file__).parents[2]
#: As in `tests/processes.py`, which `latency.py` does not find.
PATIENCE = 300.0

PIPELINE = """\
import tensorflow as tf

def load(files):
    ds = tf.data.TFRecordDataset(files).shuffle(99)
    ds = ds.map(tf.io.decode_jpeg)
    ds = ds.batch(32)
    return ds

def train(model, files):
    model.fit(load(files))
"""


def many(number: int) -> str:
    """A module with so many pipelines, ten rows each."""
    return "".join(PIPELINE.replace("load", f"load_{n}").replace("train", f"train_{n}") for n in range(number))


class Editor:
    """A client with what it has open."""

    def __init__(self) -> None:
        self.client = LanguageClient(converter_factory=default_converter)
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = defaultdict(list)
        self.registered: list[types.Registration] = []
        self.questions: list[str] = []
        self.answer: str | None = None
        self.refreshed: list[None] = []
        """How often the server has asked for diagnostics to be pulled again."""
        self.versions: dict[str, int] = {}
        features: dict[str, Any] = {
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: self._on_publish,
            types.CLIENT_REGISTER_CAPABILITY: self._on_register,
            types.WINDOW_SHOW_MESSAGE_REQUEST: self._on_question,
            types.WORKSPACE_DIAGNOSTIC_REFRESH: self.refreshed.append,
        }
        register_lsp_features(self.client, {**DEFAULT_CLIENT_FEATURES, **{m: _plain(f) for m, f in features.items()}})

    def _on_publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.client.diagnostics[params.uri] = params.diagnostics
        self.published[params.uri].append(params)

    def _on_register(self, params: types.RegistrationParams) -> None:
        self.registered += params.registrations

    def _on_question(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        self.questions.append(params.message)
        return types.MessageActionItem(self.answer) if self.answer else None

    async def start(
        self,
        *folders: Path,
        like: str = "",
        capabilities: types.ClientCapabilities | None = None,
        options: Any = None,
        command: Iterable[str] = (),
        python: Iterable[str] = (sys.executable,),
    ) -> types.InitializeResult:
        """Start a server. `like`: with what this editor can do; otherwise it can do as good as nothing."""
        if capabilities is None:
            capabilities = client_capabilities(like) if like else types.ClientCapabilities()
        await self.client.start_io(*python, "-m", "tfdata_lint", "server", *command, cwd=ROOT)
        opened = [types.WorkspaceFolder(uri(folder), folder.name) for folder in folders]
        return await self.client.initialize_session(
            types.InitializeParams(capabilities, initialization_options=options, workspace_folders=opened)
        )

    async def stop(self) -> None:
        """Ends the server, and makes an end of it where it hangs."""
        try:
            if self.client.capabilities is not None:
                await asyncio.wait_for(self.client.shutdown_session(), PATIENCE)
        finally:
            server = self.client._server
            if server is not None and server.returncode is None:
                server.kill()
            await self.client.stop()

    def open(self, path: Path | str, text: str, language: str = "python") -> str:
        where = path if isinstance(path, str) else uri(path)
        self.versions[where] = 1
        item = types.TextDocumentItem(where, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return where

    def change(self, where: str, *changes: types.TextDocumentContentChangeEvent | str) -> None:
        """Edits, or the whole text anew."""
        self.versions[where] = self.versions.get(where, 0) + 1
        document = types.VersionedTextDocumentIdentifier(self.versions[where], where)
        events = [types.TextDocumentContentChangeWholeDocument(c) if isinstance(c, str) else c for c in changes]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, events))

    def close(self, where: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier(where)))

    async def told(self, where: str) -> list[types.Diagnostic]:
        """The findings that the server publishes for the text as it is now."""
        version = self.versions[where]
        await until(lambda: any(p.version == version for p in self.published[where]))
        return list(self.published[where][-1].diagnostics)

    async def pull(self, where: str, known: str | None = None) -> Any:
        """The findings that the server answers with."""
        params = types.DocumentDiagnosticParams(identifier(where), previous_result_id=known)
        return await self.client.text_document_diagnostic_async(params)

    async def codes(self, where: str) -> list[str]:
        return [str(found.code) for found in (await self.pull(where)).items]

    async def actions(
        self, where: str, at: types.Range | None = None, only: list[str] | None = None
    ) -> list[types.CodeAction]:
        at = at or span(0, 0, 10_000, 0)
        params = types.CodeActionParams(identifier(where), at, types.CodeActionContext([], only))
        return list(await self.client.text_document_code_action_async(params) or ())

    async def hover(self, where: str, line: int, character: int) -> str:
        params = types.HoverParams(identifier(where), types.Position(line, character))
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found else ""


def _plain(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """pygls marks its handlers, which a method cannot be."""
    return lambda params: handler(params)


def uri(path: Path) -> str:
    found = from_fs_path(str(path))
    assert found
    return found


def identifier(where: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(where)


def span(line: int, character: int, end_line: int, end_character: int) -> types.Range:
    return types.Range(types.Position(line, character), types.Position(end_line, end_character))


async def until(holds: Callable[[], object]) -> None:
    """Wait for something that is about to happen."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)


def applied(text: str, edits: Iterable[types.TextEdit]) -> str:
    """The text after edits in UTF-16 columns, as a client makes them."""
    before = Text("", None, text, Units("utf-16"))
    spans = [(before.offset(edit.range.start), before.offset(edit.range.end), edit.new_text) for edit in edits]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text
