"""The sources that were read last, so that a file that is linted and imported by others is parsed once."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tfdata_lint.source.module import Source, load, overlay, read

#: Bytes of text kept: the trees take a hundred times as much.
_KEPT = 1_000_000
_LARGEST = 1_000_000


@dataclass(slots=True)
class _Kept:
    data: bytes
    source: Source
    version: tuple[int, int] | None = None
    """Of the file that it is known to be the content of."""


_kept: dict[str, _Kept] = {}
"""By absolute path, the one used last at the end."""


def source_of(data: bytes, path: str) -> Source:
    """The source of this content of a file, parsed."""
    return _keep(os.path.abspath(path), data).source.copy(path)


def source_at(path: str) -> Source | None:
    """The source of a file, parsed; None when it cannot be read. It is shared: nothing may be suppressed in it."""
    try:
        status = os.stat(path)
        if status.st_size > _LARGEST:
            return None
        unsaved = overlay.get(path)
        version = (status.st_mtime_ns, status.st_size) if unsaved is None else (hash(unsaved), len(unsaved))
        known = _kept.get(path)
        if known is None or known.version != version:
            known = _keep(path, read(path))
            known.version = version
    except OSError:
        return None
    return known.source


def forget() -> None:
    """What was noted of sources may hold no more, though their texts are the same."""
    for known in _kept.values():
        known.source.notes.clear()


def _keep(path: str, data: bytes) -> _Kept:
    known = _kept.pop(path, None)
    if known is None or known.data != data:
        source = load(data, path)
        # Complete before it is copied.
        _ = source.tree
        known = _Kept(data, source)
    _kept[path] = known
    size = sum(len(other.data) for other in _kept.values())
    while size > _KEPT and len(_kept) > 1:
        size -= len(_kept.pop(next(iter(_kept))).data)
    return known
