"""Linting in several processes or on a cluster, with the reports in the same order as ever; and shards.

This process finds the files, reads them, and passes over those that are known or hold no pipeline; what is left goes to
the workers in batches. Whether processes are started at all depends on how much that is.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from zlib import crc32

from tfdata_lint.lint.reports import FileReport
from tfdata_lint.run.batches import Batch, Linter, Result, look

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfdata_lint.lint.reports import File
    from tfdata_lint.run.cache.cache import Cache
    from tfdata_lint.run.workers import Workers

#: Bytes of files with pipelines that make it worth while to start processes: about half a second of work.
WORTH_WHILE = 1_000_000


class Shard(NamedTuple):
    """One of the parts that the files of a project are split into. A file stays in its part when others come or go."""

    part: int
    """From 1."""
    parts: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise ValueError(f"{text!r} is not a part such as 1/4")
        return cls(int(match[1]), int(match[2]))

    def has(self, path: str, root: str) -> bool:
        relative = os.path.relpath(path, root).replace(os.sep, "/")
        return crc32(relative.encode("utf-8", "surrogatepass")) % self.parts == self.part - 1


#: A report, or where it will be.
_Place: TypeAlias = "FileReport | tuple[Batch, int]"


def lint(
    files: Iterable[File],
    cache: Cache | None,
    linter: Linter,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> Iterator[FileReport]:
    """The reports in the order of the files. Without a number of jobs, processes are started when they pay."""
    queue = _Queue(cache, linter, jobs, executor)
    places: deque[_Place] = deque()
    try:
        for file in files:
            place = (cache and cache.report(file)) or queue.take(file)
            if not places and isinstance(place, FileReport):
                yield place
                continue
            places.append(place)
            while places and queue.is_done(places[0]):
                yield queue.report(places.popleft())
        queue.hand_over()
        while places:
            yield queue.report(places.popleft())
    finally:
        queue.close()


class _Queue:
    """The batches that are not finished."""

    def __init__(self, cache: Cache | None, linter: Linter, jobs: int | None, executor: Executor | None) -> None:
        self._cache = cache
        self._linter = linter
        self._since = cache.since if cache else 0
        self._jobs = jobs or processors()
        self._executor = executor
        self._workers: Workers | None = None
        self._batches: list[Batch] = []
        self._size = 0
        self._worth_while: float = 0 if jobs or executor else WORTH_WHILE
        if self._jobs == 1 and not executor:
            self._worth_while = float("inf")

    def take(self, file: File) -> _Place:
        looked = look(file)
        if not isinstance(looked, bytes):
            return self._keep(file, looked)
        if not self._batches or self._batches[-1].is_full:
            self.hand_over()
            self._batches.append(Batch(self._size))
        batch = self._batches[-1]
        batch.files.append(file)
        batch.checksums.append(crc32(looked))
        batch.size += len(looked)
        self._size += len(looked)
        return batch, len(batch.files) - 1

    def hand_over(self) -> None:
        """Let the workers have what has been taken, if that is enough."""
        if not self._batches or self._size < self._worth_while:
            return
        if self._workers is None:
            from tfdata_lint.run.workers import Workers

            self._workers = Workers(self._jobs, self._executor, self._since, self._linter)
        for batch in self._batches:
            if not batch.taken:
                batch.taken = True
                self._workers.submit(batch)

    def is_done(self, place: _Place) -> bool:
        if isinstance(place, FileReport):
            return True
        batch, _ = place
        return batch.reports is not None or bool(self._workers and self._workers.is_done(batch))

    def report(self, place: _Place) -> FileReport:
        if isinstance(place, FileReport):
            return place
        batch, index = place
        if batch.reports is None:
            results = self._workers.results(batch) if self._workers else self._linter.lint(batch.files)
            batch.reports = [self._keep(file, result) for file, result in zip(batch.files, results, strict=True)]
            self._batches.remove(batch)
        return batch.reports[index]

    def close(self) -> None:
        if self._workers:
            self._workers.stop(at_once=bool(self._batches))

    def _keep(self, file: File, result: Result) -> FileReport:
        if self._cache:
            self._cache.keep(file, result.entry)
        return result.report


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
