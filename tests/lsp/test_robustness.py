"""What clients do that they should not: it is answered or refused, and the server goes on."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsp_editor import PIPELINE, ROOT, Editor, identifier, many, span, until, uri
from lsprotocol import types
from processes import PATIENCE, free_port
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcMethodNotFound

from tfdata_lint.lsp import analysis

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


@asynccontextmanager
async def served(*options: str, **pipes: int) -> AsyncIterator[asyncio.subprocess.Process]:
    command = [sys.executable, "-m", "tfdata_lint", "server", *options]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, **pipes)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Raw:
    """A server that is sent bytes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    def send(self, body: bytes | dict[str, Any]) -> None:
        body = body if isinstance(body, bytes) else json.dumps({"jsonrpc": "2.0", **body}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def answer(self, number: int) -> dict[str, Any]:
        assert self.process.stdout
        while True:
            header = await asyncio.wait_for(self.process.stdout.readuntil(b"\r\n\r\n"), PATIENCE)
            length = int(header.split(b"Content-Length: ")[1].split(b"\r\n")[0])
            message: dict[str, Any] = json.loads(await self.process.stdout.readexactly(length))
            if message.get("id") == number and "method" not in message:
                return message


@pytest_asyncio.fixture(loop_scope="session")
async def raw() -> AsyncIterator[Raw]:
    pipe = asyncio.subprocess.PIPE
    async with served("--stdio", stdin=pipe, stdout=pipe, stderr=pipe) as process:
        yield Raw(process)


async def test_malformed_messages(raw: Raw) -> None:
    raw.send({"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}})
    assert "capabilities" in (await raw.answer(1))["result"]
    for body in (
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"jsonrpc": "1.0"}',
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 9}',
    ):
        raw.send(body)
    assert raw.process.stdin
    raw.process.stdin.write(b"Content-Length: x\r\n\r\nContent-Type: nonsense\r\n\r\n")
    raw.send({"id": 2, "method": "textDocument/hover", "params": {"textDocument": 7}})
    assert (await raw.answer(2))["error"]["code"] == -32602
    raw.send({"id": 3, "method": "no/such", "params": {}})
    assert (await raw.answer(3))["error"]["code"] == -32601
    raw.send({"id": 4, "method": "shutdown"})
    assert (await raw.answer(4))["result"] is None
    raw.send({"method": "exit"})
    assert await asyncio.wait_for(raw.process.wait(), 30) == 0


async def test_the_end_of_the_input_is_the_end_of_the_server(raw: Raw) -> None:
    raw.send({"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}})
    await raw.answer(1)
    assert raw.process.stdin
    raw.process.stdin.close()
    assert await asyncio.wait_for(raw.process.wait(), 30) == 0


async def test_what_is_not_open(plain: Editor, tmp_path: Path) -> None:
    """Requests have empty answers, changes are passed over."""
    for where in ("file:///no/such.py", "untitled:Untitled-1", "nonsense", "", "http://[", "git:/a.py?%7B"):
        assert (await plain.pull(where)).items == ()
        assert await plain.actions(where) == []
        assert await plain.hover(where, 3, 3) == ""
        plain.change(where, "x = 1")
        plain.close(where)
    hint = types.InlayHintParams(identifier("file:///no/such.py"), span(0, 0, 9, 0))
    assert not await plain.client.text_document_inlay_hint_async(hint)
    action = types.CodeAction("Fix all", data={"uri": "file:///no/such.py", "fix": ""})
    assert (await plain.client.code_action_resolve_async(action)).edit is None
    with pytest.raises(JsonRpcInvalidParams):
        await plain.client.workspace_execute_command_async(types.ExecuteCommandParams("no.such.command"))
    with pytest.raises(JsonRpcMethodNotFound):
        await plain.client.text_document_definition_async(
            types.DefinitionParams(identifier("file:///a.py"), types.Position(0, 0))
        )
    assert await plain.codes(plain.open(tmp_path / "a.py", PIPELINE)) == ["TFD102", "TFD101"]


async def test_files_without_a_path(plain: Editor) -> None:
    """A buffer that was never saved is analyzed as any other."""
    assert await plain.codes(plain.open("untitled:Untitled-1", PIPELINE)) == ["TFD102", "TFD101"]


async def test_places_outside_of_the_text(plain: Editor, tmp_path: Path) -> None:
    file = plain.open(tmp_path / "a.py", PIPELINE)
    assert await plain.hover(file, 10_000, 10_000) == ""
    assert await plain.actions(file, span(9_999, 0, 9_999, 9), only=["quickfix"]) == []
    plain.change(file, types.TextDocumentContentChangePartial(span(500, 0, 900, 3), "\n# end\n"))
    plain.change(file, types.TextDocumentContentChangePartial(span(3, 2, 1, 0), ""))
    assert await plain.told(file) is not None


async def test_code_that_does_not_parse(plain: Editor, tmp_path: Path) -> None:
    """It is told as long as it lasts: who has a file open asks for it."""
    file = plain.open(tmp_path / "a.py", PIPELINE.replace("ds.batch(32)", "ds.batch("))
    assert await plain.codes(file) == ["TFD000"]
    plain.change(file, PIPELINE)
    assert await plain.codes(file) == ["TFD102", "TFD101"]
    assert await plain.codes(plain.open(tmp_path / "b.py", "def f(:")) == ["TFD000"]
    assert await plain.codes(plain.open(tmp_path / "c.py", f'x = "\ud800"\n{PIPELINE}')) == ["TFD000"]


async def test_the_json_of_a_notebook_as_text(plain: Editor, tmp_path: Path) -> None:
    """There is no place in it where a finding could be shown."""
    text = json.dumps({"cells": [{"cell_type": "code", "source": PIPELINE}]})
    assert await plain.codes(plain.open(tmp_path / "a.ipynb", text, "json")) == []


async def test_a_file_that_is_deleted(plain: Editor, tmp_path: Path) -> None:
    """What is open is there, until it is closed."""
    path = tmp_path / "a.py"
    path.write_text(PIPELINE)
    file = plain.open(path, PIPELINE)
    path.unlink()
    event = types.FileEvent(file, types.FileChangeType.Deleted)
    plain.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert await plain.codes(file) == ["TFD102", "TFD101"]
    plain.close(file)
    assert (await plain.pull(file)).items == ()


async def test_a_file_of_five_megabytes(plain: Editor, tmp_path: Path) -> None:
    """Others are answered meanwhile, and edits of it cost next to nothing."""
    big = "x = [\n" + '    "😋 some text that is not code",\n' * 140_000 + "]\n"
    assert len(big.encode()) > 5_000_000
    file = plain.open(tmp_path / "big.py", big)
    for number in range(20):
        plain.change(file, types.TextDocumentContentChangePartial(span(100_000 - number, 5, 100_000, 6), "é"))
    assert await plain.codes(plain.open(tmp_path / "a.py", PIPELINE)) == ["TFD102", "TFD101"]
    assert await plain.codes(file) == []


async def test_fifty_open_files(plain: Editor, tmp_path: Path) -> None:
    files = [plain.open(tmp_path / f"{number}.py", PIPELINE) for number in range(50)]
    for file in files:
        assert [found.code for found in await plain.told(file)] == ["TFD102", "TFD101"]
    for file in files:
        plain.close(file)
    await until(lambda: not any(plain.client.diagnostics[file] for file in files))


async def test_initialized_again(editor: Editor, tmp_path: Path) -> None:
    """By another page of JupyterLab, which has the same server: what the first one has open stays open."""
    await editor.start(tmp_path)
    file = editor.open(tmp_path / "a.py", PIPELINE)
    await editor.told(file)
    again = types.InitializeParams(types.ClientCapabilities(), root_uri=uri(tmp_path))
    assert (await editor.client.initialize_async(again)).capabilities
    editor.client.initialized(types.InitializedParams())
    editor.change(file, PIPELINE.replace(".batch(32)", ".batch(32).prefetch(2)"))
    assert [found.code for found in await editor.told(file)] == ["TFD102"]


async def test_killed_and_started_again_in_the_middle_of_an_edit(editor: Editor, tmp_path: Path) -> None:
    """A client opens its buffers anew, as they are by then."""
    first = Editor()
    await first.start(tmp_path)
    file = first.open(tmp_path / "a.py", PIPELINE)
    try:
        await first.told(file)
        text = PIPELINE.replace(".batch(32)", ".batch(32).prefetch(2)")
        first.change(file, text)
    finally:
        server = first.client._server
        assert server
        server.kill()
        await server.wait()
        await first.client.stop()

    await editor.start(tmp_path)
    assert await editor.codes(editor.open(tmp_path / "a.py", text)) == ["TFD102"]


async def test_a_request_that_is_cancelled(plain: Editor, tmp_path: Path) -> None:
    file = plain.open(tmp_path / "a.py", many(30))
    params = types.DocumentDiagnosticParams(identifier(file))
    sent = plain.client.protocol.send_request(types.TEXT_DOCUMENT_DIAGNOSTIC, params, msg_id="cancelled")
    plain.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams("cancelled"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wait_for(asyncio.wrap_future(sent), PATIENCE)
    assert len(await plain.codes(file)) == 60


async def test_tcp(tmp_path: Path) -> None:
    port, one = free_port(), Editor()
    async with served("--tcp", str(port)) as process:
        while process.returncode is None:
            try:
                await one.client.start_tcp("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.05)
        await one.client.initialize_session(types.InitializeParams(types.ClientCapabilities()))
        assert await one.codes(one.open(tmp_path / "a.py", PIPELINE)) == ["TFD102", "TFD101"]
        await one.client.shutdown_async(None)
        one.client.exit(None)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        await one.client.stop()


async def test_the_collector_runs_while_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once when nothing was asked for a while, and now and then where something always is."""
    collected: list[int] = []
    monkeypatch.setattr(analysis.gc, "collect", lambda: collected.append(1))
    # Longer than any machine takes for this.
    monkeypatch.setattr(analysis, "_QUIET", PATIENCE)
    analyst = analysis.Analyst()
    await asyncio.gather(*(analyst.call(int) for _ in range(5)))
    assert not collected
    monkeypatch.setattr(analysis, "_QUIET", 0.01)
    await analyst.call(int)
    await until(lambda: collected)
    monkeypatch.setattr(analysis, "_QUIET", PATIENCE)
    monkeypatch.setattr(analysis, "_MOST", 10)
    collected.clear()
    for _ in range(25):
        await analyst.call(int)
    assert len(collected) == 2
    analyst.close()


async def test_no_collection_is_asked_for_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, problem: problems.append(problem))
    monkeypatch.setattr(analysis, "_QUIET", 0.05)
    analyst = analysis.Analyst()
    under_way = asyncio.create_task(analyst.call(lambda: time.sleep(0.2)))
    await asyncio.sleep(0.1)
    analyst.close()
    await under_way
    await asyncio.sleep(0.1)
    asyncio.get_running_loop().set_exception_handler(None)
    assert problems == []
