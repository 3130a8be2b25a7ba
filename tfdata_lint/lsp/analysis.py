"""The engine in a thread of its own, one piece of work at a time, so that messages are read while it works."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeVar

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.changing import change_bytes
from tfdata_lint.lint.diagnostics import Diagnostic, internal_error, position, unreadable
from tfdata_lint.lint.linting import lint_bytes, recover_bytes, unread
from tfdata_lint.lint.reports import File, FileReport, Fixing
from tfdata_lint.lsp.documents import Document
from tfdata_lint.lsp.measured import Measured
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.run.batches import forget
from tfdata_lint.run.files import is_excluded
from tfdata_lint.source import content
from tfdata_lint.source.places import Place
from tfdata_lint.source.sources import Sources

if TYPE_CHECKING:
    from tfdata_lint.pipeline.nouns.graph import PipelineGraph
    from tfdata_lint.source.module import Source

T = TypeVar("T")
#: The collector runs when nothing was asked for so long, in seconds, and before so many pieces of work more at most: it
#: goes through all trees, which takes as long as half an analysis.
_QUIET, _MOST = 1.0, 50


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found in a document as it was at one moment."""

    document: Document
    settings: Settings
    report: FileReport
    others: tuple[Diagnostic, ...] = ()
    """What is found in it only because other files use it."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        found = self.report.diagnostics
        return tuple(sorted((*found, *self.others), key=position)) if self.others else found


class Analyst:
    """Asks the engine. What is awaited and then cancelled is not begun any more.

    It runs the collector while nobody waits; the server keeps it off otherwise.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tfdata-lint")
        self._quiet: asyncio.TimerHandle | None = None
        """Waits for a while without work."""
        self._done = 0
        """Pieces of work since the collector ran."""
        self.measured = Measured()
        self._sources = Sources()
        self._project = Project(self._sources)
        self._edited: tuple[Analysis, Analysis] | None = None
        """The last one whose edits were written, without them and with them."""
        self._changed: set[str] = set()
        """Files that have changed since the project was made."""

    def changed(self, path: str) -> None:
        """A file has a new text, in its buffer or on disk; or has come, or gone."""
        self._changed.add(path)

    def forget(self) -> None:
        """Anything may have changed."""
        self._changed.add("")

    def sees(self, document: Document) -> None:
        """What other modules read of this one is its text in the editor."""
        if not document.is_notebook:
            self._sources.unsaved[document.path] = document.content

    def closed(self, path: str) -> None:
        """From now on the file counts."""
        self._sources.unsaved.pop(path, None)
        self.changed(path)

    async def lint(self, document: Document, settings: Settings) -> Analysis:
        if self._changed - {document.path}:
            self._changed.clear()
            self._project = Project(self._sources)
            forget()
        settings = settings._replace(with_edits=False)
        return Analysis(document, settings, await self._run(_lint, document, settings, self._project, self.measured))

    async def with_edits(self, analysis: Analysis) -> Analysis:
        """The same with the edits of its fixes, which are written when somebody asks what can be done."""
        if self._edited is None or self._edited[0] is not analysis:
            settings = analysis.settings._replace(with_edits=True)
            report = await self._run(_lint, analysis.document, settings, self._project, self.measured)
            self._edited = analysis, replace(analysis, report=report)
        return self._edited[1]

    async def file(self, document: Document, settings: Settings) -> Analysis:
        """The same for a file that is not open."""
        return await self._run(_file, document, settings, self._project, self.measured)

    async def pipelines(self, document: Document) -> tuple[Source, PipelineGraph] | None:
        """The source of a document and its graph."""
        return await self._run(_pipelines, document, self._project)

    async def fixed(self, analysis: Analysis, code: str = "", unsafe: bool = False) -> bytes | None:
        """The content after all fixes, or all of one rule; None when nothing would change."""
        return await self._run(_fixed, analysis, code, unsafe, self._project)

    async def call(self, work: Callable[[], T]) -> T:
        """Any other work that takes time."""
        return await self._run(work)

    def close(self) -> None:
        if self._quiet:
            self._quiet.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        loop = asyncio.get_running_loop()
        if self._quiet:
            self._quiet.cancel()
        # It stands in line behind what takes longer.
        self._quiet = loop.call_later(_QUIET, self._thread.submit, self._collect)
        return await loop.run_in_executor(self._thread, self._work, partial(work, *arguments))

    def _work(self, work: Callable[[], T]) -> T:
        if self._done >= _MOST:
            self._collect()
        self._done += 1
        return work()

    def _collect(self) -> None:
        self._done = 0
        gc.collect()


is_left_out = lru_cache(maxsize=256)(is_excluded)


def _lint(document: Document, settings: Settings, project: Project, measured: Measured) -> FileReport:
    if is_left_out(document.path, settings):
        return FileReport(document.path)
    if settings.evidence:
        settings = settings._replace(with_standing=True)
    try:
        content.accepted(document.content, content.largest_of(document.path))
        # Who has a file open asks for it by name.
        report = lint_bytes(document.content, document.path, settings, project, explicit=document.is_open)
        return measured.brought(report, settings)
    except content.Refused as error:
        file = File(document.path, document.is_open, settings, error.strerror)
        place = Place(document.path, None, 1, 1, 1, 1)
        return unread(file, unreadable(str(error), place, "Nothing in it was checked"))
    except Exception as error:
        return FileReport(document.path, (internal_error("linting", document.path, error),))


def _file(document: Document, settings: Settings, project: Project, measured: Measured) -> Analysis:
    try:
        text = project.sources.read(document.path)
    except OSError:
        # It has gone since it was found.
        return Analysis(document, settings, FileReport(document.path))
    document = replace(document, content=text)
    return Analysis(document, settings, _lint(document, settings, project, measured))


def _pipelines(document: Document, project: Project) -> tuple[Source, PipelineGraph] | None:
    source, graph, _ = recover_bytes(document.content, document.path, project, explicit=False)
    return (source, graph) if source and graph else None


def _fixed(analysis: Analysis, code: str, unsafe: bool, project: Project) -> bytes | None:
    def of_rule(found: Sequence[Diagnostic]) -> list[Diagnostic]:
        return [diagnostic for diagnostic in found if diagnostic.code == code]

    fixing = Fixing(unsafe, write=False, sieves=(of_rule,) if code else (), needless=bool(code))
    document = analysis.document
    report = change_bytes(document.content, document.path, analysis.settings, fixing, project, explicit=False)
    return report.after
