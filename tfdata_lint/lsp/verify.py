"""The command `tfdata-lint.verify`: execute what the user has agreed to, tell how it goes, and end it when asked to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import uuid
from codecs import BOM_UTF8
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tfdata_lint.lsp.documents import Document, path_of
from tfdata_lint.source import notebook
from tfdata_lint.source.content import read
from tfdata_lint.source.visible import visible

if TYPE_CHECKING:
    from tfdata_lint.lsp.state import Server

TITLE = "Verify"
RUN = "Execute it"
#: What a message box can hold.
_LONGEST = 2_000
_PROGRESS = "  … "


async def verify(ls: Server, uri: str, definition: str) -> None:
    """Verify the pipelines of a file, or those of one function in it."""
    path = path_of(uri)
    target = f"{path}::{definition}" if definition else path
    if problem := _problem(ls, uri, path):
        ls.show(problem, types.MessageType.Warning)
        return
    from tfdata_lint.verify import copies, plan

    try:
        what, python = plan.target(target), plan.interpreter(path)
    except plan.PlanError as error:
        ls.show(f"tfdata-lint: {error}", types.MessageType.Warning)
        return
    # Other requests are answered meanwhile.
    planned = await asyncio.to_thread(copies.prepared, what, python)
    question = "\n".join([f"{TITLE} this pipeline? It executes the code.", *map(visible, planned.announcement())])
    answers = [types.MessageActionItem(RUN), types.MessageActionItem("Cancel")]
    asked = types.ShowMessageRequestParams(types.MessageType.Info, question, answers)
    answer = await ls.window_show_message_request_async(asked)
    if answer is not None and answer.title == RUN:
        await _run(ls, path, target)


def _problem(ls: Server, uri: str, path: str) -> str:
    document = ls.documents.document(uri)
    if not os.path.isfile(path):
        return f"{path} has to be saved before it can be executed"
    try:
        if document is None or _is_saved(document, read(path)):
            return ""
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    return f"{path} has to be saved before it can be executed: it is not the text that is shown"


def _is_saved(document: Document, saved: bytes) -> bool:
    if not document.is_notebook:
        return _plain(saved) == _plain(document.content)
    try:
        cells = (_plain(cell.text.encode()) for cell in notebook.read(saved.decode("utf-8", "replace")).cells)
    except notebook.NotANotebook:
        return False
    # A client may keep cells in other languages to itself.
    return all(_plain(text.content.encode()) in cells for text in document.texts if text.language == "python")


def _plain(text: bytes) -> bytes:
    """Some editors keep the newlines and the mark at the beginning to themselves."""
    return text.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n")


# The working directory comes first, and must not stand in for modules of Python.
_RUN = "import sys; sys.path[:] = filter(None, sys.path); from tfdata_lint.cli.lifeline import main; main()"


async def _run(ls: Server, path: str, target: str) -> None:
    options = ["--exit-zero", "--quiet", "--color=never", "--output-format=concise", "--verify", target]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _RUN, "check", *options, path,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    assert process.stderr
    progress = _Progress(ls, process)
    try:
        await progress.begin(os.path.basename(target))
        said = asyncio.create_task(process.stdout.read())
        lines = [line.decode("utf-8", "replace").rstrip() async for line in _each(process.stderr, progress)]
        output = (await said).decode("utf-8", "replace").strip()
        await process.wait()
    finally:
        # That ends it, and it what it has started.
        process.stdin.close()
        progress.end()
    ls.log("\n".join([*lines, output]))
    if progress.is_cancelled:
        ls.show(f"{TITLE}: stopped")
    elif process.returncode:
        # Where nothing was observed, the output says why.
        ls.show(output[:_LONGEST] or f"{TITLE}: {(lines or ['it failed'])[-1]}", types.MessageType.Error)
    else:
        ls.show(output[:_LONGEST])


async def _each(lines: asyncio.StreamReader, progress: _Progress) -> AsyncIterator[bytes]:
    async for line in lines:
        progress.report(line.decode("utf-8", "replace"))
        yield line


class _Progress:
    """What the client shows meanwhile, if it can; a click there ends the process."""

    def __init__(self, ls: Server, process: asyncio.subprocess.Process) -> None:
        self._shown = ls.work_done_progress
        self._process = process
        self._token = str(uuid.uuid4())
        window = ls.client_capabilities.window
        self._can_be_shown = bool(window and window.work_done_progress)
        self._is_open = False
        self.is_cancelled = False

    async def begin(self, what: str) -> None:
        if self._can_be_shown:
            with suppress(JsonRpcException):
                await self._shown.create_async(self._token)
                self._shown.begin(self._token, types.WorkDoneProgressBegin(f"{TITLE} {what}", cancellable=True))
                self._shown.tokens[self._token].add_done_callback(self._cancel)
                self._is_open = True

    def report(self, line: str) -> None:
        if self._is_open and line.startswith(_PROGRESS):
            phase = line.removeprefix(_PROGRESS).strip()
            self._shown.report(self._token, types.WorkDoneProgressReport(message=phase))

    def end(self) -> None:
        if self._is_open:
            self._is_open = False
            self._shown.end(self._token, types.WorkDoneProgressEnd())
            self._shown.tokens.pop(self._token, None)

    def _cancel(self, _: object) -> None:
        self.is_cancelled = True
        if self._process.returncode is None:
            # As Ctrl-C: it ends what it has started.
            self._process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
