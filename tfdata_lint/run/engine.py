"""Many files: finds them, lints those that are not known, and adds what was found in one because of another.

A file that fails is a diagnostic of that file; the others go on.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from tfdata_lint.config.settings import Configuration, Settings
from tfdata_lint.lint.reports import OF_ENDS, File, FileReport, Fixing, Result, Suppressing

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.pipeline.nouns.graph import PipelineGraph
    from tfdata_lint.run.cache import Cache
    from tfdata_lint.source.discovery import Found
    from tfdata_lint.source.module import Source

T = TypeVar("T")

#: Files that are linted with the garbage collector off before it gets a chance to run.
BATCH = 8192


def lint_paths(
    paths: Iterable[str],
    settings: Settings | Configuration | None = None,
    changing: Fixing | Suppressing | None = None,
    only: Callable[[str], bool] | None = None,
    cache_dir: str | None = None,
    jobs: int | None = 1,
    executor: Executor | None = None,
) -> Iterator[FileReport]:
    """Lint files and everything in folders, in a fixed order. Without settings, each file's configuration holds.

    `only`: which of them. `cache_dir`: where to keep what was found. `jobs`: how many processes, None for as many as
    pay. `executor`: what does the work instead, such as that of a Dask cluster. Files are changed by this process.
    """
    paths = list(paths)
    forget()
    known = None
    if cache_dir is not None:
        from tfdata_lint.run.cache import Cache

        known = Cache(cache_dir)
    files = (file for file in _files(paths, _settings_for(settings), known) if only is None or only(file.path))
    told = Told(_settings_for(settings), everywhere=only is not None)
    if changing:
        yield from map(told.note, in_batches(files, partial(_change, changing=changing, known=known)))
        for addition in told.additions():
            yield _change_there(addition, changing)
        return
    walked: list[str] = []
    try:
        if jobs == 1 and executor is None:
            yield from map(told.note, in_batches(files, partial(_report, known=known)))
        else:
            from tfdata_lint.run.parallel import lint

            yield from map(told.note, lint(files, known, jobs, executor))
        yield from told.additions()
        if only is None:
            walked = [path for path in paths if os.path.isdir(path)]
    finally:
        if known:
            known.save(walked)


def forget() -> None:
    """Look at the file system anew: whoever lives longer than one run calls it when files may have changed."""
    # What is not imported remembers nothing.
    if requirements := sys.modules.get("tfdata_lint.config.requirements"):
        requirements.tensorflow_of.cache_clear()
    if resolve := sys.modules.get("tfdata_lint.pipeline.project.modules"):
        resolve.forget()


def read_pipelines(
    paths: Iterable[str], configuration: Configuration
) -> Iterator[tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]]:
    """The graph of every file that may hold a pipeline, with the problems of reading it. For `tfdata-lint graph`."""
    from tfdata_lint.lint.linting import pipelines_of

    return in_batches(_files(paths, configuration.for_file), pipelines_of)


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _settings_for(settings: Settings | Configuration | None) -> Callable[[str], Settings]:
    if isinstance(settings, Settings):
        fixed = settings
        return lambda path: fixed
    return (settings or Configuration()).for_file


def _files(paths: Iterable[str], settings_for: Callable[[str], Settings], known: Cache | None = None) -> Iterator[File]:
    """The files to read, each once. A folder is searched as its own settings say."""
    by_settings: dict[Settings, list[str]] = {}
    for path in paths:
        settings = settings_for(os.path.join(path, "any.py") if os.path.isdir(path) else path)
        by_settings.setdefault(settings, []).append(path)
    seen: set[str] = set()
    by_folder: dict[str, Settings] = {}
    for settings, group in by_settings.items():
        for found in known.walk(group, settings, _discover) if known else _discover(group, settings):
            if len(by_settings) > 1:
                key = os.path.abspath(found.path)
                if key in seen:
                    continue
                seen.add(key)
            folder = os.path.dirname(found.path)
            if folder not in by_folder:
                by_folder[folder] = settings_for(found.path)
            yield File(found.path, found.explicit, by_folder[folder], found.problem)


def _discover(paths: list[str], settings: Settings, visited: list[str] | None = None) -> Iterator[Found]:
    from tfdata_lint.source.discovery import discover

    return discover(
        paths,
        exclude=settings.exclude,
        extend_exclude=settings.extend_exclude,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
        root=settings.root or None,
        visited=visited,
    )


def is_excluded(path: str, settings: Settings) -> bool:
    """Is a file left out even when it is named? It need not be there."""
    return settings.force_exclude and not any(_discover([path], settings))


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


def _report(file: File, known: Cache | None) -> FileReport:
    if known is None:
        return lint_batch([file])[0][0]
    report = known.report(file)
    if report is None:
        report, kept = lint_batch([file], known.since)[0]
        known.keep(file, kept)
    return report


def _change(file: File, changing: Fixing | Suppressing, known: Cache | None) -> FileReport:
    if known and (report := known.report(file)) and not report.depends and not report.diagnostics:
        return report
    from tfdata_lint.lint.linting import change

    return change(file, changing)


def _change_there(addition: FileReport, changing: Fixing | Suppressing) -> FileReport:
    """What others find in a file can be suppressed, but not fixed."""
    if isinstance(changing, Fixing):
        return addition
    from tfdata_lint.lint.linting import suppress_there

    return suppress_there(addition, changing)


def lint_batch(files: Iterable[File], since: int = 0) -> list[Result]:
    """Lint files, and say what is to be kept when that is asked for, by `Cache.since`."""
    from tfdata_lint.lint.linting import lint_file

    with collector_off():
        return [lint_file(file, since) for file in files]


# ── findings in other files ─────────────────────────────────────────────────────────────────────────────────────────


class Told:
    """What was told of each file, and what is to be added because other files use it."""

    def __init__(self, settings_for: Callable[[str], Settings], *, everywhere: bool) -> None:
        self._settings_for = settings_for
        self._everywhere = everywhere
        """Also in files that were not linted."""
        self._paths: list[str] = []
        self._reports: list[FileReport] = []
        """Those with something in them."""

    def note(self, report: FileReport) -> FileReport:
        self._paths.append(report.path)
        if report.diagnostics or report.elsewhere or report.continued or report.after is not None:
            self._reports.append(report)
        return report

    def additions(self) -> Iterator[FileReport]:
        """One more report for each file in which others have found something new."""
        elsewhere = [diagnostic for report in self._reports for diagnostic in report.elsewhere]
        if not elsewhere:
            return
        from tfdata_lint.lint.diagnostics import position

        if self._everywhere:
            self._look_at({diagnostic.place.path for diagnostic in elsewhere})
        names = tuple({os.path.basename(diagnostic.place.path) for diagnostic in elsewhere})
        paths = {os.path.abspath(path): path for path in self._paths if path.endswith(names)}
        # In those the places are no longer what they were.
        changed = {os.path.abspath(report.path) for report in self._reports if report.after is not None}
        continued = {place for report in self._reports for place in report.continued}
        known = {_identity(diagnostic) for report in self._reports for diagnostic in report.diagnostics}
        added: dict[str, list[Diagnostic]] = {}
        for diagnostic in elsewhere:
            code, place = identity = _identity(diagnostic)
            path = os.path.abspath(diagnostic.place.path)
            goes_on = code in OF_ENDS and place in continued
            if path in paths and path not in changed and identity not in known and not goes_on:
                known.add(identity)
                placed = diagnostic._replace(place=diagnostic.place._replace(path=paths[path]))
                added.setdefault(paths[path], []).append(placed)
        for path, diagnostics in sorted(added.items()):
            yield FileReport(path, tuple(sorted(diagnostics, key=position)), is_addition=True)

    def _look_at(self, paths: set[str]) -> None:
        """What is found in files that were not linted, without the others."""
        linted = set(map(os.path.abspath, self._paths))
        for path in sorted(path for path in paths if os.path.abspath(path) not in linted):
            settings = self._settings_for(path)
            if any(_discover([path], settings._replace(force_exclude=True))):
                self.note(lint_batch([File(path, False, settings)])[0][0])


def _identity(diagnostic: Diagnostic) -> tuple[str, str]:
    place = diagnostic.place
    return diagnostic.code, f"{os.path.abspath(place.path)}:{place.row}:{place.column}"
