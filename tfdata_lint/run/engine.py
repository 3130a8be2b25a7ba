"""Many files: finds them, lints those that are not known, and adds what was found in one because of another.

A file that fails is a diagnostic of that file; the others go on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from tfdata_lint.config.files import shown_path
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.lint.reports import File, FileReport, Fixing, Suppressing
from tfdata_lint.run.batches import Linter, forget, in_batches
from tfdata_lint.run.cache.cache import Cache
from tfdata_lint.run.crossfile import Reports
from tfdata_lint.run.files import discover, find_files, settings_by_file
from tfdata_lint.run.parallel import lint
from tfdata_lint.source.content import unread

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfdata_lint.lint.covering import Covered
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.pipeline.nouns.graph import PipelineGraph
    from tfdata_lint.source.module import Source

    Path: TypeAlias = str | os.PathLike[str]


def lint_paths(
    paths: Path | Iterable[Path],
    settings: Settings | Configuration | None = None,
    changing: Fixing | Suppressing | None = None,
    only: Callable[[str], bool] | None = None,
    cache_dir: Path | None = None,
    jobs: int | None = 1,
    executor: Executor | None = None,
) -> Iterator[FileReport]:
    """Lint files and everything in folders, in a fixed order.

    - `paths`: one path or several.
    - `settings`: a `Settings` for all files. Without it, the nearest configuration file of each file holds.
    - `changing`: the fixes (`Fixing`) or suppressing comments (`Suppressing`, both of `tfdata_lint.lint.reports`) to
      write, in this process whatever `jobs` says. Without it, no linted file is changed.
    - `only`: a function that is called with each path, and returns whether to lint that file.
    - `cache_dir`: the folder for cached results. Without it, nothing is cached.
    - `jobs`: the number of processes; 1 is this process alone, None chooses as many as save time.
    - `executor`: lints instead of processes of its own, such as the executor of a Dask cluster.

    What cannot be read is a diagnostic of its file: TFD000. Raises TypeError for what is no path or no settings,
    ValueError for a number of processes below one, RuleError when the rules of another distribution cannot be used.
    """
    named = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths)]
    for path in named:
        if not isinstance(path, str):
            raise TypeError(f"not the name of a file as text: {path!r}")
    if settings is not None and not isinstance(settings, (Settings, Configuration)):
        raise TypeError(f"not Settings: {settings!r}")
    if jobs is not None and jobs < 1:
        raise ValueError(f"not a number of processes: {jobs!r}")
    folder = None if cache_dir is None else os.fspath(cache_dir)
    return _lint_paths(named, settings, changing, only, folder, jobs, executor)


def _lint_paths(
    paths: list[str],
    settings: Settings | Configuration | None,
    changing: Fixing | Suppressing | None,
    only: Callable[[str], bool] | None,
    cache_dir: str | None,
    jobs: int | None,
    executor: Executor | None,
) -> Iterator[FileReport]:
    forget()
    settings_for = settings_by_file(settings)
    cache = Cache(cache_dir) if cache_dir is not None else None
    files = (file for file in find_files(paths, settings_for, cache) if only is None or only(file.path))
    linter = Linter(cache.since if cache else 0)
    reports = Reports(settings_for, linter if only else None)
    if changing:
        from tfdata_lint.run.changing import changed

        yield from map(reports.note, changed(files, changing, settings_for, cache, is_part=only is not None))
        yield from _unread(settings, reports.having("TFD000"))
        return
    walked: list[str] = []
    try:
        if jobs == 1 and executor is None:
            yield from map(reports.note, in_batches(files, partial(_report, cache=cache, linter=linter)))
        else:
            yield from map(reports.note, lint(files, cache, linter, jobs, executor))
        yield from reports.additions()
        yield from _unread(settings, reports.having("TFD000"))
        if only is None:
            walked = [path for path in paths if os.path.isdir(path)]
    finally:
        if cache:
            cache.save(walked)


def read_pipelines(
    paths: Iterable[str], configuration: Configuration
) -> Iterator[tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]]:
    """The graph of every file that may hold a pipeline, with the problems of reading it. For `tfdata-lint graph`."""
    from tfdata_lint.lint.linting import pipelines_of

    project = Linter().project
    yield from in_batches(find_files(paths, configuration.for_file), partial(pipelines_of, project=project))
    yield from ((None, None, report.diagnostics) for report in _unread(configuration))


def other_files(graphs: Iterable[tuple[Source, PipelineGraph]], configuration: Configuration) -> Iterator[str]:
    """Those that the pipelines of some files come from, but for excluded ones."""
    graphs = list(graphs)
    own = {source.path for source, _ in graphs}
    for path in sorted({stage.span.file for _, graph in graphs for stage in graph.stages} - own):
        found = discover([path], configuration.for_file(path)._replace(force_exclude=True))
        yield from (one.path for one in found if one.problem is None)


def read_coverage(
    paths: Iterable[str], configuration: Configuration, only: Callable[[str], bool] | None = None
) -> Iterator[Covered]:
    """How much of every file stands in pipelines, with the problems of reading it."""
    from tfdata_lint.lint.covering import coverage_of

    project = Linter().project
    files = (file for file in find_files(paths, configuration.for_file) if only is None or only(file.path))
    yield from in_batches(files, partial(coverage_of, project=project))
    yield from ((None, report.diagnostics) for report in _unread(configuration))


def _unread(settings: Settings | Configuration | None, linted: Collection[str] = ()) -> Iterator[FileReport]:
    """That what lies beside the files could not be read, unless that was said of a linted file."""
    if not unread:
        return
    from tfdata_lint.lint.linting import beside

    told = {problem.file for problem in settings.problems} if isinstance(settings, Configuration) else ()
    settings_for = settings_by_file(settings)
    for path, why in sorted(unread.items()):
        shown = shown_path(path)
        if path not in linted and shown not in told:
            yield beside(File(shown, False, settings_for(shown), why))


def _report(file: File, cache: Cache | None, linter: Linter) -> FileReport:
    if cache is None:
        return linter.lint_file(file).report
    report = cache.report(file)
    if report is None:
        report, entry = linter.lint_file(file)
        cache.keep(file, entry)
    return report
