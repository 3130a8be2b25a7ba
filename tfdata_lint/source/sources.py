"""The files that were read last: each text is parsed once, and what an editor has not saved goes before the file."""

from __future__ import annotations

import os

from tfdata_lint.source.content import read
from tfdata_lint.source.module import Source, load

#: Bytes of text kept: the trees take some thirty times as much.
_KEPT = 4_000_000
_LARGEST = 1_000_000


class _Kept:
    __slots__ = ("data", "source", "version")

    def __init__(self, data: bytes, source: Source, version: tuple[int, int] | None = None) -> None:
        self.data = data
        self.source = source
        self.version = version
        """Of the file that it is known to be the content of."""


class Sources:
    """Files as text and parsed. It outlives a `Project`, whose answers hold only while no file changes."""

    def __init__(self) -> None:
        self.unsaved: dict[str, bytes] = {}
        """What an editor has of files and has not saved yet, by absolute path."""
        self.written: dict[str, Source] = {}
        """The modules that cells of a notebook write, by absolute path."""
        self._kept: dict[str, _Kept] = {}
        """By absolute path, the one used last at the end."""
        self._size = 0

    def with_written(self, written: dict[str, Source]) -> Sources:
        """Others that have these modules, too."""
        others = Sources()
        others.unsaved, others.written = self.unsaved, written
        return others

    def written_in(self, folder: str) -> set[str]:
        """The names in a folder of modules that cells write, and of the folders that these are in."""
        inside = os.path.join(folder, "")
        return {path[len(inside) :].partition(os.sep)[0] for path in self.written if path.startswith(inside)}

    def read(self, path: str) -> bytes:
        """The content of a file. Raises OSError."""
        if self.written and (written := self.written.get(os.path.abspath(path))) is not None:
            return written.text.encode(errors="replace")
        if self.unsaved and (unsaved := self.unsaved.get(os.path.abspath(path))) is not None:
            return unsaved
        return read(path)

    def load(self, data: bytes, path: str) -> Source:
        """The source of this content of a file, parsed."""
        return self._keep(os.path.abspath(path), data).source.copy(path)

    def at(self, path: str) -> Source | None:
        """The source of a file, parsed; None when it cannot be read. It is shared: nothing may be suppressed in it."""
        if path in self.written:
            return self.written[path]
        try:
            unsaved = self.unsaved.get(path)
            if unsaved is None:
                status = os.stat(path)
                version = status.st_mtime_ns, status.st_size
            else:
                version = hash(unsaved), len(unsaved)
            if version[1] > _LARGEST:
                return None
            known = self._kept.get(path)
            if known is None or known.version != version:
                known = self._keep(path, self.read(path))
                known.version = version
        except OSError:
            return None
        return known.source

    def _keep(self, path: str, data: bytes) -> _Kept:
        known = self._kept.pop(path, None)
        if known is not None:
            self._size -= len(known.data)
        if known is None or known.data != data:
            source = load(data, path)
            # Complete before it is copied.
            _ = source.tree
            known = _Kept(data, source)
        self._kept[path] = known
        self._size += len(data)
        while self._size > _KEPT and len(self._kept) > 1:
            self._size -= len(self._kept.pop(next(iter(self._kept))).data)
        return known
