"""Changes as a unified diff: of a module its text, of a notebook the changed cells."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.source.module import CellRows, Source, load

_STYLES = {"---": "1", "+++": "1", "@": "36", "+": "32", "-": "31"}


def unified(path: str, before: bytes, after: bytes, *, color: bool = False) -> str:
    """The diff of a file, empty when nothing a reader can see has changed. `patch -p0` applies that of a module."""
    from difflib import unified_diff

    lines: list[str] = []
    for name, old, new in _parts(path, before, after):
        for line in unified_diff(old, new, name, name):
            text, newline, _ = line.partition("\n")
            if color and (style := next((s for mark, s in _STYLES.items() if text.startswith(mark)), "")):
                text = f"\x1b[{style}m{text}\x1b[0m"
            lines.append(f"{text}\n" if newline else f"{text}\n\\ No newline at end of file\n")
    return "".join(lines)


def _parts(path: str, before: bytes, after: bytes) -> Iterator[tuple[str, list[str], list[str]]]:
    old, new = load(before, path), load(after, path)
    if old.kind != "notebook":
        yield path, _rows(before, old), _rows(after, new)
        return
    for one, other in zip(old.cells, new.cells, strict=True):
        yield f"{path}:cell {one.number}", _cell_rows(old, one), _cell_rows(new, other)


def _cell_rows(source: Source, cell: CellRows) -> list[str]:
    return [f"{row}\n" for row in source.lines[cell.first - 1 : cell.last]]


def _rows(data: bytes, source: Source) -> list[str]:
    """With their own ends, so that a patch fits."""
    *rows, last = data.decode(source.encoding).removeprefix("\ufeff").split("\n")
    return [*(f"{row}\n" for row in rows), *([last] if last else [])]
