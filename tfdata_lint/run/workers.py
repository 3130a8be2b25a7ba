"""What lints batches elsewhere: processes of our own, or any executor, such as that of a Dask cluster.

Workers read the files themselves. Where they do not see the same files they get the texts, and what depends on other
files is linted here. A worker that dies costs the file that it died of, and nothing else.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import tfdata_lint
from tfdata_lint.lint.diagnostics import internal_error
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.rules import all_rules, entries
from tfdata_lint.run.batches import Batch, Linter, Result, collector_off, forget
from tfdata_lint.source.content import read, unread

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from tfdata_lint.lint.reports import File


#: Seconds to wait for a cluster.
_PATIENCE = 10.0
_SAFE_PATH = "PYTHONSAFEPATH"


class ExecutorError(Exception):
    """An executor cannot be used: why, in one sentence."""


# ── what a worker does ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Task:
    """Files to lint, with what is needed to do it elsewhere."""

    folder: str
    """The working directory."""
    files: list[File]
    checksums: list[int]
    since: int
    """As `Cache.since`; 0 when nothing is kept."""
    run: str = ""
    """Which run it belongs to."""
    texts: list[bytes] | None = None
    """Where they are not to be read."""


class Done(NamedTuple):
    """What a worker gives back."""

    results: list[Result | None]
    """None for files that are not here as they should be, or need others that may not be here."""
    unread: dict[str, str]
    """As in `source.content`."""


class _Process:
    """What the threads of a process share: the working directory, and the run that they are at."""

    lock = Lock()
    run = ""
    linter = Linter()


def work(task: Task) -> Done:
    """Lint some files."""
    # Paths are relative to the working directory.
    with _Process.lock, _folder(task.folder) as is_here, collector_off():
        if task.run != _Process.run:
            _Process.run = task.run
            _Process.linter = Linter(task.since)
            forget()
        lint_text = _Process.linter.lint_text
        if task.texts is not None:
            results = [lint_text(file, text) for file, text in zip(task.files, task.texts, strict=True)]
            # What lies beside the files is not here either.
            return Done([None if result.report.depends else result for result in results], {})
        if not is_here:
            return Done([None] * len(task.files), {})
        done = [
            lint_text(file, text) if crc32(text := _text(file.path)) == checksum else None
            for file, checksum in zip(task.files, task.checksums, strict=True)
        ]
        return Done(done, unread.copy())


@contextmanager
def _folder(folder: str) -> Iterator[bool]:
    before = os.getcwd()
    try:
        os.chdir(folder)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        os.chdir(before)


def _text(path: str) -> bytes:
    """What a file holds; nothing where it cannot be read."""
    try:
        return read(path)
    except OSError:
        return b""


# ── batches ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Workers:
    """Sees to it that every batch is done, whatever becomes of those who do it."""

    def __init__(self, jobs: int, executor: Executor | None, since: int, linter: Linter) -> None:
        self._jobs = jobs
        self._linter = linter
        """For what nobody else can do."""
        self._executor = executor
        self._since = since
        self._run = os.urandom(8).hex()
        self._pool: ProcessPoolExecutor | None = None
        # A copy of this process has everything imported. But of other threads it has only the locks that they held.
        self._copies = sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
        self._sends_texts = False
        self._futures: dict[Batch, Future[Done]] = {}

    def submit(self, batch: Batch) -> None:
        texts = [_text(file.path) for file in batch.files] if self._sends_texts else None
        task = replace(self._task(batch), texts=texts)
        if self._copies and any(file.settings.with_edits for file in batch.files):
            # Fixes take it, and copies of this process have what this one has.
            import libcst  # noqa: F401
        try:
            with _safe_path():
                self._futures[batch] = self._workers().submit(work, task)
        except BrokenExecutor as error:
            self._futures[batch] = Future()
            self._futures[batch].set_exception(error)

    def is_done(self, batch: Batch) -> bool:
        return batch in self._futures and self._futures[batch].done()

    def results(self, batch: Batch) -> list[Result]:
        results = self._results(batch)
        if self._executor and not self._sends_texts and not any(results):
            # The workers do not see our files. What is under way comes back as well, and is done again.
            self._sends_texts = True
            for other in [batch, *self._futures]:
                self.submit(other)
            results = self._results(batch)
        return [result or self._linter.lint_file(file) for file, result in zip(batch.files, results, strict=True)]

    def stop(self, *, at_once: bool) -> None:
        if self._pool is None:
            for future in self._futures.values():
                future.cancel()
            return
        if at_once:
            # What is under way is not cancelled as well: before 3.12 the thread of the pool fails on that.
            for process in list(self._pool._processes.values()):
                process.terminate()
        # Python complains if the threads of a pool are still there when it ends.
        self._pool.shutdown()

    def _task(self, batch: Batch) -> Task:
        return Task(os.getcwd(), batch.files, batch.checksums, self._since, self._run)

    def _workers(self) -> Executor:
        if self._executor:
            return self._executor
        self._pool = self._pool or _processes(self._jobs, copies=self._copies)
        return self._pool

    def _results(self, batch: Batch) -> list[Result | None]:
        future = self._futures.pop(batch)
        task = self._task(batch)
        try:
            return _taken(future)
        except (BrokenExecutor, CancelledError) as error:
            if self._executor:
                # It is gone for good: lint here.
                return [None] * len(batch.files)
            return self._after_break(task, error)
        except Exception as error:
            return self._failed(task, error) if self._executor else self._apart(task, error)

    def _after_break(self, task: Task, error: Exception) -> list[Result | None]:
        """A process that dies takes its pool with it, and what the others had to do."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None
        # Before there is another pool, because its threads must not be there when this process is copied.
        results = self._apart(task, error)
        for batch, future in list(self._futures.items()):
            if future.exception() is not None:
                self.submit(batch)
        return results

    def _apart(self, task: Task, error: Exception) -> list[Result | None]:
        """Do it again in ever smaller parts: in the end only the file that is to blame is not linted."""
        if len(task.files) == 1:
            return self._failed(task, error)
        middle = len(task.files) // 2
        results: list[Result | None] = []
        for part in (slice(middle), slice(middle, None)):
            half = replace(task, files=task.files[part], checksums=task.checksums[part])
            try:
                with _processes(1, copies=self._copies) as pool:
                    with _safe_path():
                        future = pool.submit(work, half)
                    results += _taken(future)
            except Exception as error:
                results += self._apart(half, error)
        return results

    def _failed(self, task: Task, error: Exception) -> list[Result | None]:
        paths = [file.path for file in task.files]
        return [Result(FileReport(path, (internal_error("a worker", path, error),)), None) for path in paths]


def _taken(future: Future[Done]) -> list[Result | None]:
    done = future.result()
    unread.update(done.unread)
    return done.results


# ── processes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _processes(count: int, *, copies: bool) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    if copies:
        _import_all()
    return ProcessPoolExecutor(count, get_context("fork" if copies else "spawn"), _begin)


@contextmanager
def _safe_path() -> Iterator[None]:
    """A Python that is started meanwhile takes no `re.py` of the working directory for its own."""
    if sys.version_info < (3, 11):
        with _folder(sys.exec_prefix):
            yield
        return
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[_SAFE_PATH]
        if before is not None:
            os.environ[_SAFE_PATH] = before


def _import_all() -> None:
    from tfdata_lint.lint import examining  # noqa: F401

    all_rules()


def _begin() -> None:
    """What a worker does first: see to it that it ends with the run, and in silence."""
    from multiprocessing import connection, parent_process
    from threading import Thread

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    parent = parent_process()
    assert parent
    sentinel = parent.sentinel

    def end_with_parent() -> None:
        connection.wait([sentinel])
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()


# ── clusters ────────────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """The executor at an address, `dask://HOST:PORT`. Raises ExecutorError."""
    match = re.fullmatch(r"dask://([^/\s]+:[0-9]+)/?", address)
    if not match:
        raise ExecutorError(f"{address!r} is not an address such as dask://HOST:8786")
    try:
        from distributed import Client
    except ImportError as error:
        raise ExecutorError(
            f"a Dask cluster needs `distributed`: pip install 'distributed>=2024.1' ({error})"
        ) from None
    try:
        client = Client(f"tcp://{match[1]}", timeout=_PATIENCE, set_as_default=False)
    except OSError as error:
        raise ExecutorError(f"there is no Dask scheduler at {match[1]}: {error}") from None
    with client:
        _compare(client.run(_program, on_error="return"))
        yield client.get_executor(pure=False)


def _program() -> tuple[object, ...]:
    return tfdata_lint.__version__, sys.version_info[:2], tuple(rule.code for rule in entries())


def _compare(programs: Mapping[str, object]) -> None:
    """Workers that would find something else are of no use."""
    if not programs:
        raise ExecutorError("the Dask cluster has no workers")
    for worker, program in programs.items():
        if isinstance(program, Exception):
            raise ExecutorError(f"the Dask worker {worker} cannot run tfdata-lint: {program}")
        if program != _program():
            raise ExecutorError(
                f"the Dask worker {worker} has a different tfdata-lint, Python or set of rules: {program}, not"
                f" {_program()}"
            )
