"""What the server keeps: no more after many edits than after some."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from lsp_editor import PIPELINE, many, until
from talking import INITIALIZE, Written, framed_message, fresh, request

from tfdata_lint.lsp.serving import converse
from tfdata_lint.lsp.state import Server
from tfdata_lint.source import sources

pytestmark = pytest.mark.nightly
#: 300 rows.
MODULE = many(30)
URI = "file:///nowhere/a.py"
NOTEBOOK = "file:///nowhere/n.ipynb"
CELL = "vscode-notebook-cell:/nowhere/n.ipynb#1"


class Client:
    def __init__(self, server: Server) -> None:
        self.server = server
        self._to_server: asyncio.Queue[bytes] = asyncio.Queue()
        self._written = Written(self._to_server)
        self._number = 0
        self._serving = asyncio.create_task(converse(server, self._to_server.get, self._written))

    def notify(self, method: str, params: Any) -> None:
        self._to_server.put_nowait(framed_message({"jsonrpc": "2.0", "method": method, "params": params}))

    async def ask(self, method: str, params: Any) -> Any:
        self._number += 1
        self._to_server.put_nowait(framed_message(request(self._number, method, params)))
        await until(lambda: self._serving.done() or self._written.answers(self._number))
        (answer,) = self._written.answers(self._number)
        self._written.messages.clear()
        return answer.get("result")

    async def end(self) -> None:
        self._to_server.put_nowait(b"")
        await self._serving
        self.server.analyst.close()


def opened(uri: str, text: str = MODULE) -> dict[str, Any]:
    return {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}}


async def edit(client: Client, number: int) -> None:
    """Type a character in the first pipeline; an editor asks for findings ten times as rarely."""
    at = {"line": 5, "character": 22}
    change = {
        "range": {"start": at, "end": {**at, "character": 22 + (number > 0)}},
        "text": f" #{number % 10}"[-1 - (number == 0) :],
    }
    client.notify(
        "textDocument/didChange", {"textDocument": {"uri": URI, "version": number + 2}, "contentChanges": [change]}
    )
    if number % 10 == 0:
        assert (await client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}}))["items"]
        await client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})


async def open_and_close(client: Client, number: int) -> None:
    uri = f"file:///nowhere/{number}.py"
    client.notify("textDocument/didOpen", opened(uri, f"{PIPELINE}# {number}\n"))
    assert (await client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}))["items"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


async def with_a_notebook(client: Client, number: int) -> None:
    cell = {"uri": CELL, "languageId": "python", "version": 1, "text": f"{PIPELINE}# {number}\n"}
    notebook = {"uri": NOTEBOOK, "notebookType": "jupyter-notebook", "version": 1}
    notebook["cells"] = [{"kind": 2, "document": CELL}]
    client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": [cell]})
    assert (await client.ask("textDocument/diagnostic", {"textDocument": {"uri": CELL}}))["items"]
    closed = {"notebookDocument": {"uri": NOTEBOOK}, "cellTextDocuments": [{"uri": CELL}]}
    client.notify("notebookDocument/didClose", closed)


async def with_other_settings(client: Client, number: int) -> None:
    options = {"select": ["TFD1"] if number % 2 else ["TFD"], "debounce": number % 7}
    client.notify("workspace/didChangeConfiguration", {"settings": {"tfdata-lint": options}})
    assert (await client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}}))["items"]


async def with_nonsense(client: Client, number: int) -> None:
    client.notify("$/cancelRequest", {"id": number})
    client.notify("textDocument/didChange", {"textDocument": number})
    await client.ask(f"no/such{number}", {})


async def kept(step: Callable[[Client, int], Awaitable[None]], times: int, *, pulls: bool) -> tuple[int, int]:
    """How many objects there are after a fifth, and at the end."""
    client = Client(fresh())
    capabilities = {"textDocument": {"diagnostic": {}}} if pulls else {}
    await client.ask("initialize", {**INITIALIZE, "capabilities": capabilities})
    client.notify("initialized", {})
    client.notify("textDocument/didOpen", opened(URI, MODULE if step is edit else PIPELINE))
    counts = []
    for number in range(times):
        await step(client, number)
        if number + 1 in (times // 5, times):
            await asyncio.sleep(0.5)
            await client.ask("no/such", {})
            gc.collect()
            counts.append(len(gc.get_objects()))
    await client.end()
    return counts[0], counts[1]


@pytest.mark.parametrize("pulls", [True, False], ids=["pulls", "is told"])
@pytest.mark.parametrize(
    ("step", "times"),
    [
        (edit, 10_000),
        (open_and_close, 1_000),
        (with_a_notebook, 1_000),
        (with_other_settings, 1_000),
        (with_nonsense, 2_000),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_nothing_is_kept(
    step: Callable[[Client, int], Awaitable[None]], times: int, pulls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One object for each would be as many as there are."""
    # The trees of the files that were read last are kept: this many bytes of text.
    monkeypatch.setattr(sources, "_KEPT", 10_000)
    first, last = asyncio.run(kept(step, times, pulls=pulls))
    # Caches by path grow to some thousand entries; an object that is kept of each would be four times as many.
    assert last - first < times // 5
