"""Changes as a unified diff: of a module its bytes, of a notebook the changed cells."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from tfdata_lint.source.module import CellRows, Source, load
from tfdata_lint.source.visible import inert, visible

#: Where a service reads what is printed, commands included.
_SERVICES = ("GITHUB_ACTIONS", "TF_BUILD")
_STYLES = {b"---": b"1", b"+++": b"1", b"@": b"36", b"+": b"32", b"-": b"31"}
#: How git writes these in a name.
_QUOTES = {ord('"'): b'\\"', ord("\\"): b"\\\\", 9: b"\\t", 10: b"\\n", 13: b"\\r"}


def put(path: str, before: bytes, after: bytes, *, color: bool) -> None:
    """Print a diff: exact for programs; people and services that keep logs get nothing that acts on them."""
    sys.stdout.flush()
    out = sys.stdout.buffer
    if color or sys.stdout.isatty():
        out.write(unified(path, before, after, color=color, seen=True))
    else:
        diff = unified(path, before, after)
        is_logged = any(map(os.environ.get, _SERVICES))
        out.write(_without_commands(diff) if is_logged else diff)
    out.flush()


def unified(path: str, before: bytes, after: bytes, *, color: bool = False, seen: bool = False) -> bytes:
    """The diff of a file, empty when nothing a reader can see has changed. `patch -p0` applies that of a module.

    `seen`: by people, with visible escapes.
    """
    from difflib import diff_bytes, unified_diff

    lines: list[bytes] = []
    for name, old, new in _parts(path, before, after):
        for line in diff_bytes(unified_diff, old, new, name, name):
            text, newline, _ = line.partition(b"\n")
            if seen:
                text = _visible(text)
            if color and (style := next((s for mark, s in _STYLES.items() if text.startswith(mark)), b"")):
                text = b"\x1b[%bm%b\x1b[0m" % (style, text)
            lines.append(text + b"\n" if newline else text + b"\n\\ No newline at end of file\n")
    return b"".join(lines)


def _parts(path: str, before: bytes, after: bytes) -> Iterator[tuple[bytes, list[bytes], list[bytes]]]:
    old, new = load(before, path), load(after, path)
    name = os.fsencode(path)
    if old.kind != "notebook":
        # `patch` takes a name to end at a blank, unless there is a tab.
        quoted = _quoted(name)
        yield quoted + b"\t" * (b" " in name and quoted == name), _rows(before), _rows(after)
        return
    for one, other in zip(old.cells, new.cells, strict=True):
        yield _quoted(b"%b:cell %d" % (name, one.number)), _cell_rows(old, one), _cell_rows(new, other)


def _quoted(name: bytes) -> bytes:
    """A name as git writes it, where it has characters that would end it or are not seen: `"a\\nb.py"`."""
    text = name.decode("utf-8", "surrogateescape")
    if visible(text) == text == text.strip() and '"' not in text and (os.sep == "\\" or "\\" not in text):
        return name
    return b'"%b"' % b"".join(_QUOTES.get(byte) or _octal(byte) for byte in name)


def _octal(byte: int) -> bytes:
    """A `#` may begin a command."""
    return b"%c" % byte if 32 <= byte < 127 and byte != ord("#") else b"\\%03o" % byte


def _visible(line: bytes) -> bytes:
    text, end = (line[:-1], b"\r") if line.endswith(b"\r") else (line, b"")
    return visible(text.decode("utf-8", "backslashreplace"), keep="\t").encode() + end


def _without_commands(diff: bytes) -> bytes:
    return inert(diff.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _cell_rows(source: Source, cell: CellRows) -> list[bytes]:
    rows = source.lines[cell.first - 1 : cell.last]
    return [row.encode("utf-8", "backslashreplace") + b"\n" for row in rows]


def _rows(data: bytes) -> list[bytes]:
    *rows, last = data.split(b"\n")
    return [*(row + b"\n" for row in rows), *([last] if last else [])]
