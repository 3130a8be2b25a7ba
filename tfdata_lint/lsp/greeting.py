"""The answer to `initialize`. An editor has it before the rest of the server is imported, which takes a second."""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, BinaryIO

from tfdata_lint import __version__
from tfdata_lint.lsp.frames import Frames
from tfdata_lint.lsp.watching import in_background, is_there, outlived

SECTION = "tfdata-lint"
EXPLAIN = "tfdata-lint.explain"
VERIFY = "tfdata-lint.verify"
QUICK_FIX = "quickfix"
FIX_ALL = "source.fixAll.tfdata-lint"
#: A plain `source.fixAll` on a cell would fix all cells once for each of them.
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.tfdata-lint"
KINDS = (QUICK_FIX, FIX_ALL, NOTEBOOK_FIX_ALL)
CHUNK = 65_536
_ENCODINGS = ("utf-8", "utf-16", "utf-32")
_INCREMENTAL = 2


def section(raw: Any) -> Any:
    """Settings, with or without the name of their section around them."""
    return raw.get(SECTION, raw) if isinstance(raw, dict) else raw


def can_verify() -> bool:
    """Return whether this installation can execute code."""
    return find_spec("tfdata_lint.verify") is not None


def answer(params: Any) -> dict[str, Any]:
    """Return the result of `initialize` for these parameters, of which wrong ones count as missing."""
    options = section(_at(params, "initializationOptions"))
    result: dict[str, Any] = {
        "positionEncoding": position_encoding(_at(params, "capabilities", "general", "positionEncodings")),
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": True},
        "hoverProvider": True,
        "documentSymbolProvider": True,
        "documentLinkProvider": {"resolveProvider": False},
        "codeActionProvider": {"codeActionKinds": [*KINDS], "resolveProvider": True},
        "executeCommandProvider": {"commands": [EXPLAIN, VERIFY] if can_verify() else [EXPLAIN]},
        "inlayHintProvider": {"resolveProvider": False},
        "diagnosticProvider": {
            "identifier": SECTION,
            "interFileDependencies": True,
            # A client that is told of it pulls all the time. It is answered all the same.
            "workspaceDiagnostics": _at(options, "workspaceDiagnostics") is True,
        },
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
    }
    if can_verify():
        result["codeLensProvider"] = {"resolveProvider": False}
    if _at(params, "capabilities", "notebookDocument") is not None:
        result["notebookDocumentSync"] = {"notebookSelector": [{"cells": [{"language": "python"}]}], "save": True}
    return {"capabilities": result, "serverInfo": {"name": SECTION, "version": __version__}}


def position_encoding(offered: Any) -> str:
    """Return the first encoding in the list of a client that the server has, too."""
    encodings = offered if isinstance(offered, list | tuple) else ()
    return next((one for one in encodings if one in _ENCODINGS), "utf-16")


class Greeting:
    """Answers the first message of a client in a thread, and keeps what was read for the server.

    A first message that is no `initialize` is left to the server.
    """

    def __init__(self, source: int, target: BinaryIO) -> None:
        self.answered: int | str | None = None
        """The number of the request that was answered."""
        self.is_alone = threading.Event()
        """Set when the process of the client has ended."""
        self._source = source
        self._target = target
        self._read = bytearray()
        # Before Python 3.12, Windows has nothing of the kind.
        if hasattr(os, "set_blocking"):
            for descriptor in (source, target.fileno()):
                with suppress(OSError):
                    os.set_blocking(descriptor, True)
        # A thread that still waits must not keep a process that has failed.
        self._thread = threading.Thread(target=self._greet, daemon=True)
        self._thread.start()

    def received(self) -> bytes:
        """Wait for the first message, and return all that was read of the client; nothing if it is gone."""
        self._thread.join()
        return bytes(self._read)

    def _greet(self) -> None:
        frames = Frames()
        with suppress(OSError):
            while data := os.read(self._source, CHUNK):
                self._read += data
                if (first := next(frames.feed(data), None)) is not None:
                    if isinstance(first, bytes):
                        self._reply(first)
                    return

    def _reply(self, body: bytes) -> None:
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return
        if not isinstance(message, dict) or not isinstance(_at(message, "params", "capabilities"), dict):
            return
        number = message.get("id")
        if (message.get("jsonrpc"), message.get("method")) != ("2.0", "initialize") or type(number) not in (int, str):
            return
        process = message["params"].get("processId")
        if type(process) is int and process > 0:
            # The server looks for it later, when it may be gone.
            was_there = is_there(process)
            in_background(lambda one: outlived(one) or was_there, process, self.is_alone.set)
        reply = json.dumps({"jsonrpc": "2.0", "id": number, "result": answer(message["params"])}).encode()
        self._target.write(b"Content-Length: %d\r\n\r\n%s" % (len(reply), reply))
        self._target.flush()
        self.answered = number


def _at(value: Any, *names: str) -> Any:
    """Return what lies at a path in JSON, or None."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value
