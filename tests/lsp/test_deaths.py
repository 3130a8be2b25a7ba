"""The server ends with its client, whatever that dies of and whatever is under way."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from dying import ENDLESS, WAYS, death
from lsp_editor import Editor, until
from lsprotocol import types
from processes import PATIENCE, free_port, started
from talking import INITIALIZE, ITEM, URIS, Written, framed_message, fresh, request
from test_robustness import Raw, raw, served

from tfdata_lint.lsp.state import Server

__all__ = ["raw"]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes")
#: Seconds, on a machine that does nothing else.
LONGEST = 5.0


def seeds(transport: str, number: int) -> Iterator[int]:
    """That many, without those that execute code where there is nothing to do so with."""
    for seed in range(number):
        if find_spec("tfdata_lint.verify") or "verifies" not in WAYS[transport][seed % len(WAYS[transport])]:
            yield seed


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["stdio", pytest.param("tcp", marks=pytest.mark.thorough)])
def test_the_death_of_a_client(transport: str) -> None:
    for seed in seeds(transport, len(WAYS[transport]) + 1):
        dead = death(transport, seed, patience=PATIENCE)
        assert dead.seconds < PATIENCE, f"{dead.way}, {seed}: the server lives on"


@pytest.mark.nightly
@pytest.mark.parametrize("transport", WAYS)
def test_a_hundred_deaths(transport: str) -> None:
    for seed in seeds(transport, 100):
        dead = death(transport, seed, patience=PATIENCE)
        assert dead.seconds < LONGEST, f"{dead.way}, {seed}: the server lives on"


# ── one at a time ───────────────────────────────────────────────────────────────────────────────────────────────────

LOOP = pytest.mark.asyncio(loop_scope="session")


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def descendants(process: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(path.parent.name))
    return [*found, *(number for child in found for number in descendants(child))]


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("tfdata_lint.verify"), reason="there is nothing to execute code with")
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, "shutdown", "input"], ids=str)
@LOOP
async def test_what_it_executes_ends_with_it(way: signal.Signals | str, tmp_path: Path) -> None:
    editor = Editor()
    await editor.start()
    server = editor.client._server
    assert server
    try:
        editor.answer = "Execute it"
        (tmp_path / "a.py").write_text(ENDLESS)
        where = (tmp_path / "a.py").as_uri()
        params = types.ExecuteCommandParams("tfdata-lint.verify", [where, ""])
        editor.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params)
        # tfdata-lint, and what it has started.
        await until(lambda: len(descendants(server.pid)) > 1)
        begun = descendants(server.pid)
        if way == "shutdown":
            assert await editor.client.shutdown_async(None) is None
        elif way == "input":
            assert server.stdin
            server.stdin.close()
        else:
            assert isinstance(way, signal.Signals)
            server.send_signal(way)
        await until(lambda: not any(map(is_alive, begun)))
        if way != "shutdown":
            await asyncio.wait_for(server.wait(), PATIENCE)
    finally:
        if server.returncode is None:
            server.kill()
        await editor.client.stop()


@pytest.mark.slow
@LOOP
async def test_a_request_is_pending_at_the_end(raw: Raw) -> None:
    """It is canceled, and the end is in order."""
    raw.send(request(1, "initialize", INITIALIZE))
    await raw.answer(1)
    raw.send(request(2, "workspace/executeCommand", {"command": "tfdata-lint.verify", "arguments": [__file__, ""]}))
    raw.send(request(3, "textDocument/diagnostic", {"textDocument": {"uri": "file:///nowhere/a.py"}}))
    raw.send(request(4, "shutdown"))
    assert (await raw.answer(4))["result"] is None
    raw.send(request(5, "textDocument/diagnostic", {"textDocument": {"uri": "file:///nowhere/a.py"}}))
    assert (await raw.answer(5))["error"]["code"] == -32600
    raw.send({"method": "exit"})
    assert await asyncio.wait_for(raw.process.wait(), PATIENCE) == 0


@pytest.mark.slow
@LOOP
async def test_the_exit_code_tells_of_an_end_out_of_order(raw: Raw) -> None:
    raw.send(request(1, "textDocument/diagnostic", {"textDocument": {"uri": "file:///nowhere/a.py"}}))
    assert (await raw.answer(1))["error"]["code"] == -32002
    raw.send({"method": "exit"})
    assert await asyncio.wait_for(raw.process.wait(), PATIENCE) == 1


@pytest.mark.slow
@LOOP
async def test_a_client_whose_process_is_elsewhere(raw: Raw) -> None:
    """In another container the number of its process means nothing here."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    raw.send(request(1, "initialize", {**INITIALIZE, "processId": gone.pid}))
    await raw.answer(1)
    await asyncio.sleep(0.5)
    raw.send(request(2, "no/such"))
    assert (await raw.answer(2))["error"]["code"] == -32601


#: A server that is at its imports for ever.
STARTING = """\
import sys, time
class Slow:
    def find_spec(self, name, *_):
        if name == "pygls":
            print("importing", file=sys.stderr, flush=True)
            time.sleep(3600)
sys.meta_path.insert(0, Slow())
from tfdata_lint.cli import console
console()
"""


@pytest.mark.slow
def test_the_client_ends_while_the_server_starts() -> None:
    pipe = subprocess.PIPE
    with started([sys.executable, "-c", STARTING, "server"], stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        assert server.stderr.readline() == b"importing\n"
        server.stdin.close()
        server.stdout.close()
        assert server.wait(PATIENCE) == 0


@pytest.mark.slow
@LOOP
async def test_the_process_of_the_client_ends(raw: Raw) -> None:
    """Others hold its pipes."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        raw.send(request(1, "initialize", {**INITIALIZE, "processId": client.pid}))
        await raw.answer(1)
    assert await asyncio.wait_for(raw.process.wait(), PATIENCE) == 0


def is_turned_away(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            return not connection.recv(9)
    except OSError:
        return True


@pytest.mark.slow
@LOOP
async def test_there_is_one_client_at_a_port() -> None:
    port = free_port()
    async with served("--tcp", str(port)) as process:
        while process.returncode is None:
            try:
                first = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                await asyncio.sleep(0.05)
        with first:
            first.sendall(framed_message(request(1, "no/such")))
            assert await asyncio.to_thread(first.recv, 9)
            assert await asyncio.to_thread(is_turned_away, port)
        await asyncio.wait_for(process.wait(), PATIENCE)


def test_an_analysis_that_is_cancelled_is_not_waited_for_again() -> None:
    """At the end of the loop all tasks are canceled, in any order."""

    async def main(server: Server) -> None:
        server.protocol.set_writer(Written(asyncio.Queue()))
        server.protocol.receive(framed_message(request(1, "initialize", INITIALIZE)).partition(b"\r\n\r\n")[2])
        opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": ITEM}}
        server.protocol.receive(framed_message(opened).partition(b"\r\n\r\n")[2])
        asked = asyncio.create_task(server.analysis(URIS[0]))
        await asyncio.sleep(0)
        analysis = server.sessions[URIS[0]].analysis
        assert analysis
        analysis.cancel()
        # Somebody still wants it: it is made again, once.
        found = await asyncio.wait_for(asked, PATIENCE)
        assert found
        assert [one.code for one in found.diagnostics] == ["TFD102", "TFD101"]
        again = asyncio.create_task(server.analysis(URIS[0]))
        server.sessions[URIS[0]].renew()
        await asyncio.sleep(0)
        analysis = server.sessions[URIS[0]].analysis
        assert analysis
        analysis.cancel()
        again.cancel()
        with pytest.raises(asyncio.CancelledError):
            await again
        server.analyst.close()

    asyncio.run(main(fresh()))
