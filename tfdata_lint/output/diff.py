"""Changes as a unified diff: of a module its bytes, of a notebook the changed cells."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tfdata_lint.source.module import CellRows, Source, load

_STYLES = {b"---": b"1", b"+++": b"1", b"@": b"36", b"+": b"32", b"-": b"31"}


def unified(path: str, before: bytes, after: bytes, *, color: bool = False) -> bytes:
    """The diff of a file, empty when nothing a reader can see has changed. `patch -p0` applies that of a module."""
    from difflib import diff_bytes, unified_diff

    lines: list[bytes] = []
    for name, old, new in _parts(path, before, after):
        for line in diff_bytes(unified_diff, old, new, name, name):
            text, newline, _ = line.partition(b"\n")
            if color and (style := next((s for mark, s in _STYLES.items() if text.startswith(mark)), b"")):
                text = b"\x1b[%bm%b\x1b[0m" % (style, text)
            lines.append(text + b"\n" if newline else text + b"\n\\ No newline at end of file\n")
    return b"".join(lines)


def _parts(path: str, before: bytes, after: bytes) -> Iterator[tuple[bytes, list[bytes], list[bytes]]]:
    old, new = load(before, path), load(after, path)
    name = os.fsencode(path)
    if old.kind != "notebook":
        # `patch` takes a name to end at a blank, unless there is a tab.
        yield name + b"\t" * (b" " in name), _rows(before), _rows(after)
        return
    for one, other in zip(old.cells, new.cells, strict=True):
        yield b"%b:cell %d" % (name, one.number), _cell_rows(old, one), _cell_rows(new, other)


def _cell_rows(source: Source, cell: CellRows) -> list[bytes]:
    rows = source.lines[cell.first - 1 : cell.last]
    return [row.encode("utf-8", "backslashreplace") + b"\n" for row in rows]


def _rows(data: bytes) -> list[bytes]:
    *rows, last = data.split(b"\n")
    return [*(row + b"\n" for row in rows), *([last] if last else [])]
