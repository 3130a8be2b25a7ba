"""Files linted one after the other, as every worker does it: what each one gave, and what a cache may keep of that."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tfdata_lint.lint.reports import File, FileReport
from tfdata_lint.run.cache.packing import QUIET, packed
from tfdata_lint.run.cache.stamps import state_of
from tfdata_lint.source.content import names_in, unread
from tfdata_lint.source.formatters import formatter_of

if TYPE_CHECKING:
    from tfdata_lint.pipeline.project.modules import Project

T = TypeVar("T")

#: Files that are linted with the garbage collector off before it gets a chance to run.
BATCH = 8192
#: What makes a batch full, for a worker. Neighbours import the same modules, which each worker parses for itself: the
#: more of them it gets the better, as long as all have enough to do.
_FEWEST_BYTES, _MOST_BYTES = 256_000, 1_000_000
_SHARE = 8
_BATCH_FILES = 128


class Result(NamedTuple):
    """What linting a file gave."""

    report: FileReport
    entry: str | None
    """What a cache may keep of it: nothing, `QUIET`, or a text."""


class Batch:
    """Files to lint together, the more of them the more came `before` it."""

    __slots__ = ("checksums", "files", "limit", "reports", "size", "taken")

    def __init__(self, before: int = 0) -> None:
        self.limit = min(max(before // _SHARE, _FEWEST_BYTES), _MOST_BYTES)
        self.files: list[File] = []
        self.checksums: list[int] = []
        self.size = 0
        self.taken = False
        """By the workers."""
        self.reports: list[FileReport] | None = None

    @property
    def is_full(self) -> bool:
        return self.taken or self.size >= self.limit or len(self.files) >= _BATCH_FILES


class Linter:
    """Lints the files of one run, to which those around them are as they were when it first looked at them."""

    def __init__(self, since: int = 0) -> None:
        self._since = since
        """As `Cache.since`; 0 when nothing is to be kept."""
        self._states: dict[str, str] = {}
        """Of what findings depend on, asked once a run."""

    @cached_property
    def project(self) -> Project:
        from tfdata_lint.pipeline.project.modules import Project

        return Project()

    def lint(self, files: Iterable[File]) -> list[Result]:
        """Lint files, with what a cache may keep of them when that is asked for."""
        with collector_off():
            return [self.lint_file(file) for file in files]

    def lint_file(self, file: File) -> Result:
        looked = look(file)
        return self.lint_text(file, looked) if isinstance(looked, bytes) else looked

    def lint_text(self, file: File, data: bytes) -> Result:
        """As `lint_file`, for one that was read."""
        from tfdata_lint.lint.linting import lint_bytes, may_matter

        report = lint_bytes(data, file.path, file.settings, self.project, explicit=file.explicit)
        if not self._since:
            return Result(report, None)
        # What was not asked for by name got here because it may matter.
        quiet = file.explicit and not may_matter(data)
        return Result(report, packed(report, data, self._since, self._state, quiet=quiet))

    def _state(self, path: str) -> str:
        if path not in self._states:
            self._states[path] = state_of(path, self.project.entries)
        return self._states[path]


def look(file: File) -> Result | bytes:
    """The content of a file, or what is known at a glance."""
    from tfdata_lint.lint import linting

    looked = linting.look(file)
    if looked is None:
        return Result(FileReport(file.path), QUIET)
    return looked if isinstance(looked, bytes) else Result(looked, None)


def in_batches(files: Iterable[File], work: Callable[[File], T]) -> Iterator[T]:
    """Do the work on each file. The garbage collector, which would walk every tree again and again, runs in between."""
    files = iter(files)
    for number, first in enumerate(files):
        if number:
            gc.collect(0)
        with collector_off():
            yield work(first)
            for file in islice(files, BATCH - 1):
                yield work(file)


@contextmanager
def collector_off() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def forget() -> None:
    """Look at what projects declare anew: who lives longer than one run calls it when files may have changed."""
    # What is not imported remembers nothing.
    if "tfdata_lint.config.requirements" in sys.modules:
        # Another thread may be about to import it: this waits until it is there.
        from tfdata_lint.config.requirements import tensorflow_of

        tensorflow_of.cache_clear()
    formatter_of.cache_clear()
    names_in.cache_clear()
    unread.clear()
