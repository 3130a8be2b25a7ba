"""The answer to `initialize`: what it says, and that it does not wait for the imports."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest
from lsprotocol import types
from processes import started
from pygls.protocol import default_converter
from pytest_lsp import client_capabilities
from rows import each
from talking import INITIALIZE, ITEM, Written, framed, framed_message, fresh, request

from tfdata_lint.lsp.greeting import answer
from tfdata_lint.lsp.serving import converse

#: Nothing of the protocol can be imported before a file is there.
SERVER = """
import os, sys, time
from tfdata_lint.cli import main
class Wait:
    def find_spec(self, name, path=None, target=None):
        while name == "lsprotocol.types" and not os.path.exists(sys.argv[1]):
            time.sleep(0.01)
sys.meta_path.insert(0, Wait())
sys.exit(main(["server"]))
"""


def encodings(*names: str) -> dict[str, Any]:
    return {**INITIALIZE, "capabilities": {"general": {"positionEncodings": [*names]}}}


def capabilities(editor: str) -> dict[str, Any]:
    raw: dict[str, Any] = default_converter().unstructure(client_capabilities(editor), types.ClientCapabilities)
    return {**INITIALIZE, "capabilities": raw}


@pytest.mark.parametrize(
    "params",
    [
        INITIALIZE, *map(capabilities, ("neovim", "emacs", "visual-studio-code")),
        encodings(), encodings("utf-32", "utf-8"), encodings("utf-64", "utf-8"), encodings("utf-64"),
        {**INITIALIZE, "capabilities": {"notebookDocument": {"synchronization": {}}}},
        {**INITIALIZE, "initializationOptions": {"tfdata-lint": {"workspaceDiagnostics": True}}},
        {**INITIALIZE, "initializationOptions": {"workspaceDiagnostics": "yes"}},
        {**INITIALIZE, "initializationOptions": None},
    ],
)  # fmt: skip
def test_it_says_what_the_server_can(params: dict[str, Any]) -> None:
    """As pygls knows from what is registered."""

    async def asked() -> dict[str, Any]:
        waiting: asyncio.Queue[bytes] = asyncio.Queue()
        for message in (framed_message(request(1, "initialize", params)), b""):
            waiting.put_nowait(message)
        written = Written(waiting)
        await converse(fresh(), waiting.get, written)
        (said,) = written.answers(1)
        result: dict[str, Any] = said["result"]
        return result

    result = asyncio.run(asked())
    assert answer(params) == without_denials(result)


def without_denials(result: dict[str, Any]) -> dict[str, Any]:
    """Of these pygls says in words what their absence says."""
    synchronization = result["capabilities"]["textDocumentSync"]
    assert not any(synchronization.pop(name, None) for name in ("willSave", "willSaveWaitUntil"))
    return result


def send(stream: IO[bytes] | None, data: bytes) -> None:
    assert stream
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes] | None) -> dict[str, Any]:
    assert stream
    length = 0
    while line := stream.readline().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    message: dict[str, Any] = json.loads(stream.read(length))
    return message


def told(process: subprocess.Popen[bytes], method: str) -> dict[str, Any]:
    """The next message of this kind."""
    while (message := receive(process.stdout)).get("method") != method:
        pass
    return message


PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
#: An editor that can do nothing: it is told of findings.
PLAIN = {"capabilities": {}, "processId": None, "rootUri": None}


def test_it_does_not_wait_for_the_imports(tmp_path: Path) -> None:
    """What is sent meanwhile is not lost, and the answer comes once."""
    imported = tmp_path / "imported"
    with started([sys.executable, "-c", SERVER, imported], **PIPES) as process:
        first = framed_message(request(1, "initialize", PLAIN))
        send(process.stdin, first[:60])
        opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": ITEM}}
        send(process.stdin, first[60:] + framed_message(opened))
        assert receive(process.stdout) == {"jsonrpc": "2.0", "id": 1, "result": answer(PLAIN)}
        send(process.stdin, framed_message(request(2, "textDocument/hover", None)))
        imported.touch()
        messages = [receive(process.stdout) for _ in range(2)]
        assert sorted(map(str, (one.get("id", one.get("method")) for one in messages))) == [
            "2", "textDocument/publishDiagnostics",
        ]  # fmt: skip
        # The same number may come again, and is answered.
        send(process.stdin, framed_message(request(1, "shutdown")))
        assert receive(process.stdout) == {"jsonrpc": "2.0", "id": 1, "result": None}


#: Before the first message that is one.
ODD = [
    framed(b"[" * 9_000),
    framed_message(request(7, "initialize", {"capabilities": 3})),
    b"Content-Length: 999\r\n\r\n{}",
]


@pytest.mark.slow
@each("first", ODD)
def test_what_comes_first_may_be_anything(first: bytes) -> None:
    """The server deals with it, and with what follows."""
    with started([sys.executable, "-m", "tfdata_lint", "server"], **PIPES) as process:
        send(process.stdin, first + framed_message(request("after", "initialize", PLAIN)))
        while (message := receive(process.stdout)).get("id") != "after":
            assert message.get("method") == "window/logMessage" or "error" in message
        assert without_denials(message["result"]) == answer(PLAIN)


@pytest.mark.slow
def test_parameters_that_are_wrong_in_what_is_not_looked_at() -> None:
    """The server says so, since it cannot take the answer back."""
    wrong = {**PLAIN, "workspaceFolders": 3}
    with started([sys.executable, "-m", "tfdata_lint", "server"], **PIPES) as process:
        send(process.stdin, framed_message(request(1, "initialize", wrong)))
        assert receive(process.stdout)["result"] == answer(wrong)
        assert "an `initialize` that means nothing" in told(process, "window/logMessage")["params"]["message"]
        send(process.stdin, framed_message(request(1, "initialize", PLAIN)))
        assert receive(process.stdout)["result"]["serverInfo"]["name"] == "tfdata-lint"


def test_who_cannot_be_served_is_not_greeted() -> None:
    code = "import sys; sys.modules['pygls'] = None; from tfdata_lint.cli import main; sys.exit(main(['server']))"
    with started([sys.executable, "-c", code], **PIPES | {"stderr": subprocess.STDOUT}) as process:
        send(process.stdin, framed_message(request(1, "initialize", PLAIN)))
        assert process.stdout
        assert process.stdout.read() == (
            b"tfdata-lint: error: the language server needs pygls: pip install 'pygls>=2'\n"
        )
        assert process.wait() == 2
