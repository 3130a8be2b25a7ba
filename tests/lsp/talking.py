"""Bytes sent to a server in this process, and what it answers."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from typing import Any

from lsp_editor import PIPELINE, until

from tfdata_lint.lsp.serving import converse
from tfdata_lint.lsp.state import Server

URIS = ["file:///nowhere/a.py", "file:///nowhere/b.py", "untitled:Untitled-1", "file:///nowhere/n.ipynb"]
ITEM = {"uri": URIS[0], "languageId": "python", "version": 1, "text": PIPELINE}
INITIALIZE: dict[str, Any] = {
    "capabilities": {"workspace": {"configuration": True}, "textDocument": {"diagnostic": {}}},
    "processId": None, "rootUri": None, "workspaceFolders": [{"uri": "file:///nowhere", "name": "n"}],
    "initializationOptions": {"debounce": 0, "select": ["TFD"], "inlayHints": True},
}  # fmt: skip


def framed(body: bytes, length: int | str | None = None) -> bytes:
    return b"Content-Length: %s\r\n\r\n%s" % (str(len(body) if length is None else length).encode(), body)


def framed_message(message: Any) -> bytes:
    return framed(json.dumps(message).encode())


def request(number: Any, method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


class Written:
    """What the server sends. What it asks is answered."""

    def __init__(self, to_server: asyncio.Queue[bytes]) -> None:
        self.messages: list[dict[str, Any]] = []
        self._to_server = to_server

    def write(self, data: bytes) -> None:
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        self.messages.append(message)
        if "method" in message and "id" in message:
            result = [None for _ in message["params"]["items"]] if "configuration" in message["method"] else None
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            self._to_server.put_nowait(framed_message(answer))

    def close(self) -> None: ...

    def answers(self, number: Any) -> list[dict[str, Any]]:
        return [one for one in self.messages if "method" not in one and key(one["id"]) == key(number)]


def key(number: Any) -> tuple[str, Any]:
    return type(number).__name__, number


def fresh() -> Server:
    """A server that has met nobody."""
    spec = importlib.util.find_spec("tfdata_lint.lsp.server")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server: Server = module.server
    return server


async def talk(steps: list[bytes], messages: list[dict[str, Any]]) -> Written:
    """Send these bytes, and then messages, each request when the one before it is answered."""
    waiting: asyncio.Queue[bytes] = asyncio.Queue()
    written = Written(waiting)
    for step in steps:
        waiting.put_nowait(step)
    conversation = asyncio.create_task(converse(fresh(), waiting.get, written))
    for message in messages:
        waiting.put_nowait(framed_message(message))
        if (number := message.get("id")) is not None:
            await until(lambda number=number: conversation.done() or written.answers(number))
            assert not conversation.done(), conversation.exception()
    waiting.put_nowait(b"")
    await conversation
    return written
