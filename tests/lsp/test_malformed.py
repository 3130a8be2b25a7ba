"""Messages that no client should send, drawn by chance: whatever they are, the server answers the next proper one."""

from __future__ import annotations

import asyncio
import copy
import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from lsp_editor import PIPELINE
from talking import INITIALIZE, ITEM, URIS, framed, framed_message, key, request, talk

from tfdata_lint.lsp import frames
from tfdata_lint.lsp.frames import Broken, Frames

# ── frames ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, sizes: Iterable[int] = ()) -> tuple[list[bytes], list[str]]:
    """The bodies and the problems of a stream that comes in pieces of these sizes. A body is a word in brackets."""
    found, bodies, problems = Frames(), [], []
    start = 0
    for size in (*sizes, len(data)):
        for one in found.feed(data[start : start + size]):
            if isinstance(one, Broken):
                problems.append(str(one))
            elif one.startswith(b"[") and one.endswith(b"]") and one.count(b"]") == 1:
                bodies.append(one)
            else:
                found.unread(one)
                problems.append("unread")
        start += size
    return bodies, problems


@pytest.mark.parametrize(
    "nonsense",
    [
        b"nonsense",
        b"\r\n\r\n\r\n",
        b"Content-Length: x\r\n\r\n[lost]",
        b"Content-Length: -7\r\n\r\n[lost]",
        b"Content-Length:\r\n\r\n[lost]",
        b"Content-Length: 0\r\n\r\n",
        b"Content-Type: nonsense\r\n\r\n[lost]",
        b"\x00\xff" * 50_000,
        b"Content-Length: " * 20_000,
        b"Content-Length: 1\r\n" * 20_000,
        framed(b"[lost]", 10**15),
        framed(b"[lost]", 10**299),
        framed(b"[lost]", "9" * 5_000),
        framed(b"[lost]", frames.LARGEST),
        *(framed(b"[lost]", length) for length in (1, 5, 7, 10, 25, 60, 1_000)),
    ],
)
def test_what_is_behind_nonsense_is_read(nonsense: bytes) -> None:
    data = framed(b"[before]") + nonsense + framed(b"[one]") + framed(b"[two]")
    for sizes in ((), [1] * min(len(data), 300), [7_000] * 20):
        bodies, problems = read(data, sizes)
        assert bodies == [b"[before]", b"[one]", b"[two]"]
        assert len(problems) <= 2


def test_what_is_wrong_is_said() -> None:
    assert read(framed(b"[lost]", 10**15))[1] == [
        "a message of 1000000000000000 bytes, of which at most 128,000,000 are read"
    ]
    assert read(framed(b"[lost]", 90) + framed(b"[one]"))[1] == ["a message that is shorter than its header says"]
    assert read(b"nonsense" + framed(b"[one]"))[1] == ["bytes that are no message, without a length"]


def test_fields_of_a_header() -> None:
    """Others may stand before and behind the length."""
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    data = kind + framed(b"[one]") + b"Content-Length: 5\r\n" + kind + b"\r\n[two]"
    assert read(data) == ([b"[one]", b"[two]"], [])


def test_the_name_of_a_field_in_a_text() -> None:
    body = json.dumps(["Content-Length: 5\r\n\r\n{}"]).encode()
    assert [*Frames().feed(framed(body))] == [body]
    pieces = Frames()
    assert [one for part in framed(body) for one in pieces.feed(bytes([part]))] == [body]


def test_little_is_kept_of_nonsense() -> None:
    nothing = Frames()
    for part in (framed(b"", 10**15), *[b"\x00" * 65_536] * 50):
        assert len([*nothing.feed(part)]) <= 1
        assert len(nothing._data) <= 65_536


# ── messages ────────────────────────────────────────────────────────────────────────────────────────────────────────

CELLS = ["vscode-notebook-cell:/nowhere/n.ipynb#1", "vscode-notebook-cell:/nowhere/n.ipynb#2"]
ODD_URIS = [
    "", "x", "http://[", "http://example.org/a.py", "file://%00", "file:///nowhere/%00.py", "file:///dev/zero",
    "file:///nowhere/\ud800.py", "file:///nowhere/%ff.py", "git:/a.py?%7B", "vscode-notebook-cell:nowhere", CELLS[0],
    "file:///" + "x" * 5_000 + ".py", "file:///nowhere/a.py/", "file://server/share/a.py", "untitled:",
]  # fmt: skip
ODD = [
    None, True, False, 0, -1, 1, 2**31 - 1, 2**31, 2**64, 10**30, 1.5, float("nan"), float("inf"),
    "", "x", "\ud800", "\x00", "x" * 5_000, [], {}, [[]], [None], {"uri": None}, [[[[[]]]]] * 20,
    {"jsonrpc": "2.0", "id": 1, "method": "x"},
    *ODD_URIS,
]  # fmt: skip


def position(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


AT = {"start": position(3, 0), "end": position(5, 9)}
DOCUMENT = {"uri": URIS[0]}
CELL = {"uri": CELLS[0], "languageId": "python", "version": 1, "text": PIPELINE}
NOTEBOOK = {
    "uri": URIS[3], "notebookType": "jupyter-notebook", "version": 1,
    "cells": [{"kind": 2, "document": uri} for uri in CELLS],
}  # fmt: skip
FINDING = {"range": AT, "message": "m", "code": "TFD101", "source": "tfdata-lint"}
NOTIFICATIONS: list[tuple[str, Any]] = [
    ("initialized", {}),
    ("textDocument/didOpen", {"textDocument": ITEM}),
    ("textDocument/didOpen", {"textDocument": {**ITEM, "uri": URIS[2]}}),
    (
        "textDocument/didChange",
        {
            "textDocument": {"uri": URIS[0], "version": 2},
            "contentChanges": [{"range": AT, "text": "é😋"}, {"text": ""}],
        },
    ),
    ("textDocument/didSave", {"textDocument": DOCUMENT, "text": "x"}),
    ("textDocument/didClose", {"textDocument": DOCUMENT}),
    (
        "notebookDocument/didOpen",
        {"notebookDocument": NOTEBOOK, "cellTextDocuments": [CELL, {**CELL, "uri": CELLS[1]}]},
    ),
    (
        "notebookDocument/didChange",
        {
            "notebookDocument": {"uri": URIS[3], "version": 2},
            "change": {
                "metadata": {"a": 1},
                "cells": {
                    "structure": {
                        "array": {"start": 1, "deleteCount": 1, "cells": [{"kind": 2, "document": CELLS[1]}]},
                        "didOpen": [{**CELL, "uri": CELLS[1]}],
                        "didClose": [{"uri": CELLS[0]}],
                    },
                    "data": [{"kind": 1, "document": CELLS[1]}],
                    "textContent": [
                        {"document": {"uri": CELLS[0], "version": 3}, "changes": [{"range": AT, "text": "x = 1"}]}
                    ],
                },
            },
        },
    ),
    ("notebookDocument/didSave", {"notebookDocument": {"uri": URIS[3]}}),
    ("notebookDocument/didClose", {"notebookDocument": {"uri": URIS[3]}, "cellTextDocuments": [{"uri": CELLS[0]}]}),
    ("workspace/didChangeConfiguration", {"settings": {"tfdata-lint": {"select": ["TFD1"], "debounce": 5}}}),
    (
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": "file:///nowhere/pyproject.toml", "type": 2}, {"uri": URIS[1], "type": 1}]},
    ),
    (
        "workspace/didChangeWorkspaceFolders",
        {
            "event": {
                "added": [{"uri": "file:///nowhere/b", "name": "b"}],
                "removed": [{"uri": "file:///nowhere", "name": "n"}],
            }
        },
    ),
    ("window/workDoneProgress/cancel", {"token": "nobody"}),
    ("$/cancelRequest", {"id": 3}),
    ("$/setTrace", {"value": "verbose"}),
    ("$/unknown", {"a": [1]}),
]  # fmt: skip
REQUESTS: list[tuple[str, Any]] = [
    ("initialize", INITIALIZE),
    ("textDocument/diagnostic", {"textDocument": DOCUMENT, "previousResultId": "1"}),
    ("workspace/diagnostic", {"previousResultIds": [{"uri": URIS[0], "value": "1"}]}),
    ("workspace/diagnostic", {"previousResultIds": [], "partialResultToken": "t"}),
    (
        "textDocument/codeAction",
        {"textDocument": DOCUMENT, "range": AT, "context": {"diagnostics": [FINDING], "only": ["quickfix"]}},
    ),
    ("codeAction/resolve", {"title": "t", "data": {"uri": URIS[0], "fix": "TFD101", "unsafe": True}}),
    ("codeAction/resolve", {"title": "t", "data": {"uri": URIS[0], "suppress": "TFD101", "cell": None, "row": 6}}),
    ("textDocument/hover", {"textDocument": DOCUMENT, "position": position(5, 9)}),
    ("textDocument/hover", {"textDocument": {"uri": CELLS[0]}, "position": position(5, 9)}),
    ("textDocument/inlayHint", {"textDocument": DOCUMENT, "range": AT}),
    ("textDocument/documentSymbol", {"textDocument": DOCUMENT}),
    ("textDocument/documentLink", {"textDocument": DOCUMENT}),
    ("textDocument/codeLens", {"textDocument": DOCUMENT}),
    ("workspace/executeCommand", {"command": "tfdata-lint.explain", "arguments": ["TFD101"]}),
    ("workspace/executeCommand", {"command": "tfdata-lint.verify", "arguments": [URIS[0], "load"]}),
    ("textDocument/definition", {"textDocument": DOCUMENT, "position": position(0, 0)}),
    ("no/such", {}),
]  # fmt: skip


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where in a message anything stands."""
    inside: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    return [at, *(path for key, one in inside for path in paths(one, (*at, key)))]


@st.composite
def messages(draw: st.DrawFn) -> Any:
    """A message that may be proper, or has other things in it in up to two places."""
    if draw(st.booleans()):
        method, params = draw(st.sampled_from(NOTIFICATIONS))
        message: Any = {"jsonrpc": "2.0", "method": method, "params": params}
    else:
        method, params = draw(st.sampled_from(REQUESTS))
        number = draw(st.one_of(st.integers(1, 9), st.sampled_from(["1", "", "x", -5, 2**31 - 1])))
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    message = copy.deepcopy(message)
    for _ in range(draw(st.integers(0, 2))):
        path = draw(st.sampled_from(paths(message)[1:] or [()]))
        if not path:
            break
        holder = message
        for step in path[:-1]:
            holder = holder[step]
        if draw(st.integers(0, 3)):
            holder[path[-1]] = copy.deepcopy(draw(st.sampled_from(ODD)))
        else:
            del holder[path[-1]]
    return message


#: What is sent, and whether it is read as the message that it is.
STEPS = st.one_of(
    messages().map(lambda message: (json.dumps(message).encode(), message)),
    st.sampled_from([{"jsonrpc": "2.0", "id": n, "result": None} for n in (1, "x", None)]).map(
        lambda message: (json.dumps(message).encode(), message)
    ),
).map(lambda step: (framed(step[0]), step[1])) | st.one_of(
    st.binary(max_size=100).filter(lambda data: b"Content" not in data).map(lambda data: (data + b"\r\n", None)),
    st.binary(max_size=100).map(lambda body: (framed(b"{" + body), None)),
    st.tuples(messages(), st.integers(-9, 60).filter(bool)).map(
        lambda both: (framed(body := json.dumps(both[0]).encode(), max(0, len(body) + both[1])), None)
    ),
    st.sampled_from(
        [
            framed(b"[" * 10_000 + b"]" * 10_000),
            framed(b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
            framed(b"9" * 10_000),
            framed(b'{"jsonrpc": "2.0", "method": "x", "params": "\xff\xfe"}'),
            framed(b'"Content-Length: 5"'),
            framed(b"{}", 10**15),
            framed(b"{}", -1),
        ]
    ).map(lambda data: (data, None)),
)  # fmt: skip


def is_request(message: Any) -> bool:
    if not isinstance(message, dict) or "method" not in message:
        return False
    return isinstance(message.get("id"), (int, str)) and not isinstance(message["id"], bool)


LAST = "file:///nowhere/last.py"
#: By then it is in order again, whatever came before.
OPENED = [
    {
        "jsonrpc": "2.0",
        "method": "workspace/didChangeConfiguration",
        "params": {"settings": {"tfdata-lint": {"enable": True}}},
    },
    {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {**ITEM, "uri": LAST}}},
]


def check(steps: list[tuple[bytes, Any]]) -> None:
    """Each request has one answer, none says that we failed, and what is asked at last is answered properly."""
    start = request("start", "initialize", INITIALIZE)
    sent = [framed_message(start), *(data for data, _ in steps)]
    last = request("last", "textDocument/diagnostic", {"textDocument": {"uri": LAST}})
    written = asyncio.run(talk(sent, [*OPENED, last, request("end", "shutdown")]))
    (answer,) = written.answers("last")
    assert [item["code"] for item in answer["result"]["items"]] == ["TFD102", "TFD101"]
    asked = Counter(key(message["id"]) for message in (start, *(m for _, m in steps), last) if is_request(message))
    answered = Counter(key(one["id"]) for one in written.messages if "method" not in one)
    assert answered == asked + Counter([key("end")])
    failed = [one for one in written.messages if one.get("error", {}).get("code") == -32603]
    failed += [one for one in written.messages if "Error in server" in str(one.get("params"))]
    assert not failed


def checked(conversations: int) -> Callable[[], None]:
    """The same for so many of them."""
    drawn = given(st.lists(STEPS, max_size=12))(check)
    return settings(max_examples=conversations, suppress_health_check=[*HealthCheck])(drawn)


test_whatever_is_sent = pytest.mark.slow(checked(60))
test_whatever_is_sent_at_length = pytest.mark.nightly(checked(2_000))
