"""One file: how many calls of dataset operations stand in its pipelines, and where the others are."""

from __future__ import annotations

from typing import NamedTuple

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.diagnostics import Diagnostic, Placer, internal_error, unread_rest
from tfdata_lint.lint.linting import content_of, is_read, new_project
from tfdata_lint.lint.problems import problems_in
from tfdata_lint.lint.reports import File
from tfdata_lint.pipeline.coverage import cover, pass_over
from tfdata_lint.pipeline.nouns.coverage import Coverage
from tfdata_lint.pipeline.project.calls import may_call
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.source import module
from tfdata_lint.source.places import Place


class FileCoverage(NamedTuple):
    path: str
    coverage: Coverage
    places: tuple[Place, ...]
    """Of the lost calls."""


#: Nothing, if the file has no such calls; and the problems of reading it.
Covered = tuple[FileCoverage | None, tuple[Diagnostic, ...]]


def coverage_of(file: File, project: Project) -> Covered:
    data = content_of(file)
    if isinstance(data, Diagnostic):
        return None, (data,)
    return cover_bytes(data, file.path, project, file.settings, explicit=file.explicit)


def cover_bytes(
    data: bytes, path: str, project: Project | None = None, settings: Settings | None = None, *, explicit: bool
) -> Covered:
    """The coverage of one file's content, with the problems of reading it."""
    settings = settings or Settings()
    module.CELL_MAGICS.set(settings.cell_magics)
    project = project or new_project()
    reads = explicit or is_read(data, path, project)
    if not reads and not may_call(data):
        return None, ()
    try:
        source = module.load(data, path)
        notes: tuple[Diagnostic, ...] = ()
        if source.tree is None:
            return None, tuple(problems_in(source)) if reads else ()
        if reads:
            steps = settings.analysis_limit
            coverage, ending = cover(source, project, steps)
            notes = (*problems_in(source), *([unread_rest(ending, steps, source)] if ending else []))
        else:
            coverage = pass_over(source, project)
        if not coverage.seen and not coverage.lost:
            return None, notes
        placer = Placer(source)
        places = tuple(placer.place(lost.span) for lost in coverage.lost)
        return FileCoverage(path, coverage, places), notes
    except Exception as error:
        return None, (internal_error("recovering its pipelines", path, error),)
