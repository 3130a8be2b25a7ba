"""The protocol as pygls has it, with our documents. It refuses what a client should not send, and goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol, lsp_method

from tfdata_lint.lsp.documents import Documents
from tfdata_lint.lsp.frames import Broken
from tfdata_lint.lsp.greeting import position_encoding

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    class _Server(LanguageServer):
        """What is asked of ours."""

        pulls: bool
        is_asked_for_all: bool

        def begin(self, params: types.InitializeParams) -> Any: ...

        def leave(self, code: int) -> None: ...

        def refuse(self, problem: str) -> None: ...


class Protocol(LanguageServerProtocol):
    """Answers every request, once."""

    _server: _Server
    answered: int | str | None = None
    """The number of an `initialize` that the client has an answer to already."""

    def receive(self, body: bytes) -> None:
        """Handle a message. Raises `Broken` where nobody can be answered."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise Broken(f"a message that is not JSON: {error}") from None
        if isinstance(message, list):
            for one in message:
                if isinstance(one, dict) and _is_request(one):
                    self._refuse(one["id"], JsonRpcInvalidRequest("batches are not supported"))
            raise Broken("a batch of messages, which the protocol does not have")
        if not isinstance(message, dict):
            raise Broken("a message that is not an object")
        try:
            self._handle(message)
        except JsonRpcException as error:
            if not _is_request(message):
                raise Broken(f"a message that means nothing: {error.message}") from None
            self._refuse(message["id"], error)
        except Exception as error:
            raise Broken(f"a message that means nothing: {error}") from None

    def _handle(self, message: dict[str, Any]) -> None:
        method, is_request = message.get("method"), "id" in message and "method" in message
        if message.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest(f"`jsonrpc` is not {self.VERSION}")
        if "method" in message and not isinstance(method, str):
            raise JsonRpcInvalidRequest("`method` is not a string")
        if is_request and not _is_request(message):
            raise JsonRpcInvalidRequest("`id` is neither a number nor a string")
        if "method" in message and method != types.EXIT:
            if self._shutdown:
                if is_request:
                    raise JsonRpcInvalidRequest("the server was shut down")
                return
            if method != types.INITIALIZE and not isinstance(self._workspace, Documents):
                if is_request:
                    raise JsonRpcServerNotInitialized("`initialize` comes first")
                return
        if "method" in message:
            message.setdefault("params", None)
        if method == types.WINDOW_WORK_DONE_PROGRESS_CANCEL and not _has_token(message["params"]):
            raise JsonRpcInvalidRequest("`token` is neither a number nor a string")
        if method == types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS and not _is_text(message["params"]):
            raise JsonRpcInvalidRequest("the name of a folder is no Unicode")
        structured = self.structure_message(message)
        if is_request and not hasattr(structured, "id"):
            raise JsonRpcInvalidRequest(f"{method} is a notification: it has no `id`")
        self.handle_message(structured)

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if self.answered is None or (type(msg_id), msg_id) != (type(self.answered), self.answered):
            super()._send_response(msg_id, result, error)
            return
        self.answered = None
        if error is not None:
            self._server.refuse(f"an `initialize` that means nothing: {error.message}")

    def _refuse(self, request: int | str, error: JsonRpcException) -> None:
        self._send_response(request, error=error.to_response_error())

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        before = self._workspace
        result = yield from super().lsp_initialize(params)
        if isinstance(before, Documents):
            # All pages that a browser has of JupyterLab share a server, and each of them begins with this.
            self._workspace = before
        else:
            # As a client was told by `greeting`, whatever this pygls chooses.
            general = params.capabilities.general
            encoding = position_encoding(general and general.position_encodings)
            result.capabilities.position_encoding = encoding
            self._workspace = Documents(self.workspace.root_uri, position_encoding=encoding)
            for folder in params.workspace_folders or ():
                self._workspace.add_folder(folder)
        options = self._server.begin(params)
        if isinstance(pulling := result.capabilities.diagnostic_provider, types.DiagnosticOptions):
            # Who is told of it pulls all the time; it is answered all the same.
            pulling.workspace_diagnostics = options.workspace_diagnostics
            self._server.is_asked_for_all = self._server.pulls and options.workspace_diagnostics
        return result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        self._server.leave(0 if self._shutdown else 1)
        yield from ()

    def cancel_all(self) -> None:
        """End what is under way, but for the request that asks for it."""
        for number, future in list(self._request_futures.items()):
            if number != self.msg_id:
                future.cancel()
                self._request_futures.pop(number, None)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        super()._handle_notification(method_name, params)
        # pygls would keep the outcome of every one.
        for done in [key for key, future in self._request_futures.items() if future.done()]:
            del self._request_futures[done]


def _has_token(params: object) -> bool:
    return isinstance(params, dict) and isinstance(params.get("token"), int | str)


def _is_text(params: object) -> bool:
    """Has it no halves of surrogates, which no file system takes?"""
    return not re.search("[\ud800-\udfff]", json.dumps(params, ensure_ascii=False))


def _is_request(message: dict[str, Any]) -> bool:
    """Can it be answered?"""
    number = message.get("id")
    return "method" in message and isinstance(number, int | str) and not isinstance(number, bool)
