"""From files to diagnostics: reads, recovers, asks the rules, and puts what they found into the user's terms.

A file or a rule that fails is a diagnostic of that file; the others go on.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from tfdata_lint.diagnostics import (
    Diagnostic,
    Place,
    Placer,
    internal_error,
    place_of_problem,
    position,
    unfixable,
    unreadable,
)
from tfdata_lint.pipeline.search import may_consume, may_hold_pipeline
from tfdata_lint.settings import Configuration, Settings, active_rules, applicability_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfdata_lint.cache import Cache
    from tfdata_lint.pipeline.graph import PipelineGraph, Span
    from tfdata_lint.rules.base import Finding, Rule
    from tfdata_lint.source.discovery import Found
    from tfdata_lint.source.module import Source

T = TypeVar("T")
#: Gives those of a file's findings that are told: a baseline, or the changes since a revision.
Sieve: TypeAlias = Callable[[Sequence[Diagnostic]], list[Diagnostic]]

#: Files that are linted with the garbage collector off before it gets a chance to run.
BATCH = 8192
#: Rules about the end of a pipeline, which does not count where another file goes on from it.
_OF_ENDS = frozenset({"TFD101"})
#: Consumers behind which a pipeline may go on in other files.
_LEAVING = ("return", "yield", "stored", "argument")
_RANK = {"error": 2, "warning": 1, "advice": 0}


@dataclass(frozen=True, slots=True)
class Fixing:
    """That findings shall be fixed, and how."""

    unsafe: bool = False
    write: bool = True
    """Replace the files; otherwise only say what they would be."""
    sieves: tuple[Sieve, ...] = ()
    """What they do not let through is left as it is."""

    def wants(self, finding: Finding) -> bool:
        """Shall this one be fixed?"""
        if finding.fix is None or not finding.fix.edits:
            return False
        return finding.fix.applicability == "safe" or (self.unsafe and finding.fix.applicability == "unsafe")


@dataclass(frozen=True, slots=True)
class Suppressing:
    """That findings shall be suppressed by comments."""

    reason: str = ""
    write: bool = True
    sieves: tuple[Sieve, ...] = ()


@dataclass(slots=True)
class FileReport:
    """What linting one file gave. There are many with nothing in them, and frozen ones take four times as long."""

    path: str
    diagnostics: tuple[Diagnostic, ...] = ()
    """What was found; after fixing, what is left."""
    fixed: tuple[Diagnostic, ...] = ()
    """What was fixed, as it stood in the text of its pass."""
    before: bytes = b""
    after: bytes | None = None
    """The new content, when there is one."""
    problem: str = ""
    """Why the file could not be written."""
    hidden: int = 0
    """How many findings sieves have kept back."""
    depends: tuple[str, ...] = ()
    """The other files whose text the findings depend on, the paths where files were looked for and not found, and
    folders of which it matters what modules are in them; all absolute."""
    elsewhere: tuple[Diagnostic, ...] = ()
    """What was found in other files because this one uses them."""
    continued: tuple[str, ...] = ()
    """The stages in other files that pipelines of this one go on from."""
    is_addition: bool = False
    """It adds to an earlier report on the same file what was found because others use it."""


#: A report, and what a cache may keep of it: nothing, that the byte search passes over the file, or a text.
Result: TypeAlias = tuple[FileReport, str | None]
QUIET = ""


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
    known = _cache(cache_dir)
    files = (file for file in _files(paths, _settings_for(settings), known) if only is None or only(file.path))
    told = _Told(_settings_for(settings), everywhere=only is not None)
    if changing:
        yield from map(told.note, in_batches(files, partial(_change, changing=changing, known=known)))
        for addition in told.additions():
            yield _suppress_there(addition, changing) if isinstance(changing, Suppressing) else addition
        return
    walked: list[str] = []
    try:
        if jobs == 1 and executor is None:
            yield from map(told.note, in_batches(files, partial(_report, known=known)))
        else:
            from tfdata_lint.parallel import lint

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
    if requirements := sys.modules.get("tfdata_lint.requirements"):
        requirements.tensorflow_of.cache_clear()
    if resolve := sys.modules.get("tfdata_lint.pipeline.resolve"):
        resolve.forget()


def lint_source(
    source: Source | str | bytes, path: str = "pipeline.py", settings: Settings | None = None
) -> FileReport:
    """Lint one module or notebook given as text."""
    settings = settings or Settings()
    if isinstance(source, str):
        source = source.encode()
    if isinstance(source, bytes):
        return lint_bytes(source, path, settings, explicit=True)
    return _lint(source, settings)


def fix_source(
    source: str | bytes, path: str = "pipeline.py", settings: Settings | None = None, *, unsafe: bool = False
) -> FileReport:
    """Fix one module or notebook given as text: `after` is the new content, None when nothing was changed."""
    data = source.encode() if isinstance(source, str) else source
    return lint_bytes(data, path, settings or Settings(), explicit=True, changing=Fixing(unsafe, write=False))


def recover(source: Source | str | bytes, path: str = "pipeline.py") -> PipelineGraph:
    """Every pipeline in one module or notebook."""
    from tfdata_lint.pipeline import interpreter
    from tfdata_lint.source.module import load

    if isinstance(source, str):
        source = source.encode()
    return interpreter.recover(load(source, path) if isinstance(source, bytes) else source)


def lint_bytes(
    data: bytes, path: str, settings: Settings, *, explicit: bool, changing: Fixing | Suppressing | None = None
) -> FileReport:
    """Lint the content of a file. Unless it was asked for by name, one that holds no pipeline is not even parsed."""
    of_interest = _is_of_interest(data)
    depends: frozenset[str] = frozenset()
    if not of_interest and may_consume(data):
        of_interest, depends = _consumes(data, path)
    if not of_interest and not explicit:
        return FileReport(path, depends=tuple(sorted(depends)))
    from tfdata_lint.source.kept import source_of

    try:
        source = source_of(data, path)
    except Exception as error:
        return FileReport(path, (internal_error("reading the source", path, error),))
    # `problems` is complete once the tree was asked for.
    if not of_interest and source.tree is not None and not source.problems:
        return FileReport(path, depends=tuple(sorted(depends)))
    report = _lint(source, settings)
    if changing is None:
        return report
    try:
        if isinstance(changing, Suppressing):
            return _suppress(data, report, settings, changing)
        return _fix(data, report, settings, changing)
    except Exception as error:
        return replace(report, diagnostics=(*report.diagnostics, internal_error("changing it", path, error)))


def read_pipelines(
    paths: Iterable[str], configuration: Configuration
) -> Iterator[tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]]:
    """The graph of every file that may hold a pipeline, with the problems of reading it. For `tfdata-lint graph`."""
    return in_batches(_files(paths, configuration.for_file), _read_pipelines)


def recover_bytes(
    data: bytes, path: str, *, explicit: bool
) -> tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]:
    """The graph of one file's content, with the problems of reading it."""
    if not explicit and not may_hold_pipeline(data) and not (may_consume(data) and _consumes(data, path)[0]):
        return None, None, ()
    from tfdata_lint.source.module import load

    try:
        source = load(data, path)
        graph = recover(source) if source.tree is not None else None
        return source, graph, tuple(_problems(source))
    except Exception as error:
        return None, None, (internal_error("recovering its pipelines", path, error),)


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class _File(NamedTuple):
    path: str
    explicit: bool
    settings: Settings
    problem: str | None = None
    """Why there is nothing to read."""


def _settings_for(settings: Settings | Configuration | None) -> Callable[[str], Settings]:
    if isinstance(settings, Settings):
        fixed = settings
        return lambda path: fixed
    return (settings or Configuration()).for_file


def _files(
    paths: Iterable[str], settings_for: Callable[[str], Settings], known: Cache | None = None
) -> Iterator[_File]:
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
            yield _File(found.path, found.explicit, by_folder[folder], found.problem)


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


def in_batches(files: Iterable[_File], work: Callable[[_File], T]) -> Iterator[T]:
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


def _cache(folder: str | None) -> Cache | None:
    if folder is None:
        return None
    from tfdata_lint.cache import Cache

    return Cache(folder)


def _report(file: _File, known: Cache | None) -> FileReport:
    if known is None:
        return lint_batch([file])[0][0]
    report = known.report(file)
    if report is None:
        report, kept = lint_batch([file], known.since)[0]
        known.keep(file, kept)
    return report


def lint_batch(files: Iterable[_File], since: int = 0) -> list[Result]:
    """Lint files, and say what is to be kept when that is asked for, by `Cache.since`."""
    with collector_off():
        return [_looked_at(file, since) for file in files]


def _looked_at(file: _File, since: int) -> Result:
    looked = look(file)
    return lint_text(file, looked, since) if isinstance(looked, bytes) else looked


def look(file: _File) -> Result | bytes:
    """The content of a file, or what is known at a glance."""
    data = _read(file)
    if isinstance(data, Diagnostic):
        return _unread(file, data), None
    return data if file.explicit or _may_matter(data) else (FileReport(file.path), QUIET)


def lint_text(file: _File, data: bytes, since: int = 0) -> Result:
    """As `lint_batch`, for one file that was read."""
    report = lint_bytes(data, file.path, file.settings, explicit=file.explicit)
    if not since:
        return report, None
    from tfdata_lint.cache import packed

    return report, packed(report, data, since, quiet=not _may_matter(data))


def _change(file: _File, changing: Fixing | Suppressing, known: Cache | None) -> FileReport:
    if known and (report := known.report(file)) and not report.depends and not report.diagnostics:
        return report
    data = _read(file)
    if isinstance(data, Diagnostic):
        return _unread(file, data)
    report = lint_bytes(data, file.path, file.settings, explicit=file.explicit, changing=changing)
    if changing.write and report.after is not None:
        return _write(report, lambda: lint_bytes(data, file.path, file.settings, explicit=file.explicit))
    return report


def _unread(file: _File, problem: Diagnostic) -> FileReport:
    return FileReport(file.path, (problem,) if _is_active("TFD000", file.path, file.settings) else ())


def _write(report: FileReport, unfixed: Callable[[], FileReport]) -> FileReport:
    """Replace the file; where that fails, what was found in it stands."""
    from tfdata_lint.source.writing import CannotWrite, replace_file

    assert report.after is not None
    try:
        replace_file(report.path, report.before, report.after)
    except CannotWrite as error:
        return replace(unfixed(), problem=str(error))
    return report


def _read_pipelines(file: _File) -> tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]:
    data = _read(file)
    if isinstance(data, Diagnostic):
        return None, None, (data,)
    return recover_bytes(data, file.path, explicit=file.explicit)


def _read(file: _File) -> bytes | Diagnostic:
    from tfdata_lint.source.module import read

    problem = file.problem
    if problem is None:
        try:
            return read(file.path)
        except OSError as error:
            problem = f"cannot read this file: {error.strerror or error}"
    return unreadable(problem, Place(file.path, None, 1, 1, 1, 1), "Nothing in it was checked")


def _is_active(code: str, path: str, settings: Settings) -> bool:
    return any(rule.code == code for rule in active_rules(settings, settings.ignored_in(path)))


def _is_of_interest(data: bytes) -> bool:
    return may_hold_pipeline(data) or _mentions_us(data)


def _may_matter(data: bytes) -> bool:
    """False for the files that the byte search passes over."""
    return _is_of_interest(data) or may_consume(data)


def _consumes(data: bytes, path: str) -> tuple[bool, frozenset[str]]:
    """Does a file without a word of datasets import some; and the other files that this depends on."""
    from tfdata_lint.pipeline.resolve import imports_data

    found = imports_data(data, path)
    return found.members is not None, found.reads


def _mentions_us(data: bytes) -> bool:
    """A suppression of ours may be unused, wherever it is."""
    return b"tfdata-lint:" in data or (b"TFD" in data and b"noqa" in data)


# ── findings in other files ─────────────────────────────────────────────────────────────────────────────────────────


class _Told:
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
        if self._everywhere:
            self._look_at({diagnostic.place.path for diagnostic in elsewhere})
        paths = {os.path.abspath(path): path for path in self._paths}
        # In those the places are no longer what they were.
        changed = {os.path.abspath(report.path) for report in self._reports if report.after is not None}
        continued = {place for report in self._reports for place in report.continued}
        known = {_identity(diagnostic) for report in self._reports for diagnostic in report.diagnostics}
        added: dict[str, list[Diagnostic]] = {}
        for diagnostic in elsewhere:
            code, place = identity = _identity(diagnostic)
            path = os.path.abspath(diagnostic.place.path)
            goes_on = code in _OF_ENDS and place in continued
            if path in paths and path not in changed and identity not in known and not goes_on:
                known.add(identity)
                placed = replace(diagnostic, place=replace(diagnostic.place, path=paths[path]))
                added.setdefault(paths[path], []).append(placed)
        for path, diagnostics in sorted(added.items()):
            yield FileReport(path, tuple(sorted(diagnostics, key=position)), is_addition=True)

    def _look_at(self, paths: set[str]) -> None:
        """What is found in files that were not linted, without the others."""
        linted = set(map(os.path.abspath, self._paths))
        for path in sorted(path for path in paths if os.path.abspath(path) not in linted):
            settings = self._settings_for(path)
            if any(_discover([path], replace(settings, force_exclude=True))):
                self.note(lint_batch([_File(path, False, settings)])[0][0])


def _identity(diagnostic: Diagnostic) -> tuple[str, str]:
    place = diagnostic.place
    return diagnostic.code, f"{os.path.abspath(place.path)}:{place.row}:{place.column}"


# ── one file ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _lint(source: Source, settings: Settings) -> FileReport:
    examined = _examine(source, settings)
    places = Placer(source, with_context=settings.with_context)
    diagnostics = [*map(places.diagnostic, examined.findings), *examined.others]
    diagnostics.sort(key=position)
    return FileReport(
        source.path,
        tuple(diagnostics),
        depends=tuple(sorted(examined.depends)),
        elsewhere=tuple(map(places.diagnostic, _not_suppressed(examined.elsewhere, settings, places))),
        continued=tuple(sorted(examined.continued)),
    )


def _fix(data: bytes, unfixed: FileReport, settings: Settings, fixing: Fixing) -> FileReport:
    """Apply the fixes of a file that are wanted."""
    if not any(diagnostic.fix and diagnostic.fix.edits for diagnostic in unfixed.diagnostics):
        return unfixed
    from tfdata_lint.fixes import settle
    from tfdata_lint.source.module import load

    path = unfixed.path
    settled = settle(data, path, lambda source: filter(fixing.wants, findings_in(source, settings, fixing.sieves)))
    if settled.refusal:
        return replace(unfixed, diagnostics=(*unfixed.diagnostics, unfixable(settled.refusal, path)))
    if not settled.passes:
        return replace(unfixed, problem=settled.problem)
    fixed = [Placer(step.source).diagnostic(finding) for step in settled.passes for finding in step.fixed]
    left = _lint(load(settled.data, path), settings)
    return FileReport(path, left.diagnostics, tuple(fixed), data, settled.data, settled.problem)


def _suppress(data: bytes, report: FileReport, settings: Settings, suppressing: Suppressing) -> FileReport:
    """Write a comment for every finding of a rule."""
    from tfdata_lint.source.editing import CannotEdit
    from tfdata_lint.source.module import load

    source = load(data, report.path)
    told = findings_in(source, settings, suppressing.sieves)
    rows = [(finding.code, finding.span.row) for finding in told if finding.code != "TFD001"]
    try:
        after = _with_comments(data, source, rows, suppressing)
    except CannotEdit as error:
        return replace(report, problem=str(error))
    if after == data:
        return report
    left = _lint(load(after, report.path), settings)
    still = {(diagnostic.code, diagnostic.place.cell, diagnostic.place.row) for diagnostic in left.diagnostics}
    gone = [d for d in report.diagnostics if (d.code, d.place.cell, d.place.row) not in still]
    return FileReport(report.path, left.diagnostics, tuple(gone), data, after)


def _with_comments(data: bytes, source: Source, rows: list[tuple[str, int]], suppressing: Suppressing) -> bytes:
    """The content of a file with comments that suppress these codes on these rows. Raises CannotEdit."""
    from tfdata_lint.source.editing import edited

    return edited(data, source, source.suppressions.additions(rows, suppressing.reason))


def _suppress_there(addition: FileReport, suppressing: Suppressing) -> FileReport:
    """As `_suppress`, for what was found because others use a file."""
    from tfdata_lint.source.editing import CannotEdit
    from tfdata_lint.source.module import load, read

    told = sifted(addition, suppressing.sieves).diagnostics
    try:
        data = read(addition.path)
        rows = [(diagnostic.code, diagnostic.place.row) for diagnostic in told]
        after = _with_comments(data, load(data, addition.path), rows, suppressing)
    except (OSError, CannotEdit) as error:
        return replace(addition, problem=str(error))
    report = replace(addition, diagnostics=(), fixed=tuple(told), before=data, after=after)
    return _write(report, lambda: addition) if suppressing.write else report


def sifted(report: FileReport, sieves: Iterable[Sieve]) -> FileReport:
    """A report with what all sieves let through. Its settings must be `with_context`."""
    told: Sequence[Diagnostic] = report.diagnostics
    for sieve in sieves:
        told = sieve(told)
    return replace(report, diagnostics=tuple(told), hidden=len(report.diagnostics) - len(told))


def findings_in(source: Source, settings: Settings, sieves: tuple[Sieve, ...] = ()) -> list[Finding]:
    """What the rules find in a module and nothing silences."""
    findings = _examine(source, settings).findings
    if not sieves:
        return findings
    places = Placer(source, with_context=True)
    placed = sorted(((places.diagnostic(finding), finding) for finding in findings), key=lambda both: position(both[0]))
    report = FileReport(source.path, tuple(diagnostic for diagnostic, _ in placed))
    told = {id(diagnostic) for diagnostic in sifted(report, sieves).diagnostics}
    return [finding for diagnostic, finding in placed if id(diagnostic) in told]


@dataclass(slots=True)
class _Examined:
    findings: list[Finding] = field(default_factory=list)
    """What the rules find and nothing suppresses."""
    others: list[Diagnostic] = field(default_factory=list)
    """What could not be read, or failed."""
    depends: set[str] = field(default_factory=set)
    elsewhere: list[Finding] = field(default_factory=list)
    """What the rules find in other files; they cannot be fixed from here."""
    continued: set[str] = field(default_factory=set)


def _examine(source: Source, settings: Settings) -> _Examined:
    examined = _Examined()
    rules = active_rules(settings, settings.ignored_in(source.path))
    active = frozenset(rule.code for rule in rules)
    failures: list[Diagnostic] = []
    findings: list[Finding] = []
    from tfdata_lint.pipeline.inspection import is_test_file

    graph = _graph(source, failures) if source.tree is not None else None
    if graph is not None:
        examined.depends |= graph.depends
        if _crosses(graph):
            examined.continued = {f"{os.path.abspath(s.file)}:{s.row}:{s.column + 1}" for s in _continued(graph)}
        for finding in _most_severe(_findings(graph, source, settings, rules, failures)):
            if finding.span.file != source.path:
                # What only a test asks of other modules says little about them.
                if not is_test_file(source.path):
                    examined.elsewhere.append(replace(finding, fix=None, alternatives=()))
            elif settings.ignore_noqa or not source.suppressions.suppresses(
                finding.code, finding.span.row, finding.span.end_row
            ):
                findings.append(finding)
    problems = list(_problems(source)) if "TFD000" in active else []
    # What was not read, or failed, might have had the finding that a comment suppresses.
    if "TFD001" in active and not source.problems and not failures and not settings.ignore_noqa:
        findings += _unused_suppressions(source, active, graph)
    examined.findings = [_as_set(finding, settings) for finding in findings]
    examined.others = problems + failures
    return examined


def _as_set(finding: Finding, settings: Settings) -> Finding:
    """With the applicability that the settings give its fix."""
    fix = finding.fix
    if fix is None or fix.applicability == "display-only":
        return finding
    from tfdata_lint.rules import rule

    judged = rule(finding.code)
    if judged is None:
        return finding
    applicability, reason = applicability_of(judged, fix.applicability, settings)
    if applicability == fix.applicability:
        return finding
    return replace(finding, fix=replace(fix, applicability=applicability, reason=reason))


def _graph(source: Source, failures: list[Diagnostic]) -> PipelineGraph | None:
    from tfdata_lint.pipeline import interpreter

    try:
        return interpreter.recover(source)
    except Exception as error:
        failures.append(internal_error("recovering the pipelines", source.path, error))
        return None


def _findings(
    graph: PipelineGraph, source: Source, settings: Settings, rules: tuple[Rule, ...], failures: list[Diagnostic]
) -> Iterator[Finding]:
    if graph.is_empty:
        return
    target = settings.target_for(source.path)
    with_way = _way(graph)
    for rule in rules:
        try:
            yield from map(with_way, rule.check(graph, target))
        except Exception as error:
            failures.append(internal_error(f"rule {rule.code} {rule.name}", source.path, error))


def _way(graph: PipelineGraph) -> Callable[[Finding], Finding]:
    """Adds the way of a pipeline through other files."""
    if not _crosses(graph):
        return lambda finding: finding
    from tfdata_lint.rules.crossing import with_way

    return partial(with_way, graph=graph)


def _crosses(graph: PipelineGraph) -> bool:
    """Do its pipelines have stages in other files?"""
    return any(stage.span.file != graph.file for stage in graph.stages)


def _continued(graph: PipelineGraph) -> Iterator[Span]:
    """The stages in other files that the pipelines of this one go on from."""
    from tfdata_lint.pipeline.graph import tips

    for stage in graph.stages:
        if stage.span.file == graph.file:
            for dataset in stage.inputs:
                yield from (tip.span for tip in tips(dataset) if tip.span.file != graph.file)


def _not_suppressed(findings: Iterable[Finding], settings: Settings, places: Placer) -> Iterator[Finding]:
    """Those in other files that neither the settings nor comments silence there."""
    for finding in findings:
        span = finding.span
        source = places.source_of(span.file)
        active = _is_active(finding.code, span.file, settings)
        silenced = source is not None and source.suppressions.suppresses(finding.code, span.row, span.end_row)
        if active and (settings.ignore_noqa or not silenced):
            yield finding


def _most_severe(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each code and place: a call in two contexts is seen twice."""
    best: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = finding.code, finding.span
        if key not in best or _weight(finding) > _weight(best[key]):
            best[key] = finding
    return list(best.values())


def _weight(finding: Finding) -> tuple[int, bool]:
    return _RANK[finding.severity], finding.confidence == "proven"


# ── findings of the engine itself ───────────────────────────────────────────────────────────────────────────────────


def _problems(source: Source) -> Iterator[Diagnostic]:
    cost = (
        "Nothing in this file was checked" if source.tree is None else "This cell was left out; the others were checked"
    )
    for problem in source.problems:
        yield unreadable(problem.message, place_of_problem(source, problem), cost)


def _is_for_callers(graph: PipelineGraph, source: Source, row: int, codes: Iterable[str]) -> bool:
    """May a comment suppress what is found where other files call the function that it is in?"""
    from tfdata_lint.pipeline.index import outermost
    from tfdata_lint.rules import rule

    if source.tree is None or source.kind == "notebook":
        return False
    judged = [found for code in codes if (found := rule(code))]
    if all(found.group in ("upgrade", "meta") for found in judged):
        return False
    definition = outermost(source.tree, row)
    if definition is None or definition.name in graph.called:
        return False
    inside = [stage for stage in graph.stages if definition.lineno <= stage.span.row <= (definition.end_lineno or 0)]
    return any(
        stage.is_opaque or any(consumer.kind in _LEAVING for consumer in graph.consumers_of(stage)) for stage in inside
    )


def _unused_suppressions(source: Source, active: frozenset[str], graph: PipelineGraph | None) -> Iterator[Finding]:
    from tfdata_lint.pipeline.graph import Span
    from tfdata_lint.rules import all_rules
    from tfdata_lint.rules.base import Edit, Finding, Fix

    known = frozenset(rule.code for rule in all_rules())
    for unused in source.suppressions.unused(active, known):
        if graph is not None and _is_for_callers(graph, source, unused.row, unused.codes):
            continue
        idle = ", ".join(code for code in unused.codes if code in known)
        unknown = ", ".join(code for code in unused.codes if code not in known)
        parts = [f"{idle} has nothing to suppress"] * bool(idle) + [f"there is no rule {unknown}"] * bool(unknown)
        remove = f"Remove {', '.join(unused.codes) or 'the comment'}"
        end = unused.column + len(unused.text.encode("utf-8", "replace"))
        new = source.suppressions.removal(unused)
        edit = Edit(Span(source.path, new.row, new.column, new.end_row, new.end_column), new.text)
        yield Finding(
            "TFD001",
            "unused-suppression",
            "warning",
            "proven",
            f"`{unused.text}`: {' and '.join(parts)}" if parts else f"`{unused.text}` suppresses nothing",
            "It would hide the next finding here",
            remove if parts else f"{remove}, or name a rule: `# tfdata-lint: ignore[TFD101]`",
            Span(source.path, unused.row, unused.column, unused.row, end),
            fix=Fix("safe", remove, edits=(edit,)),
        )
