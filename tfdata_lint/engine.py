"""From files to diagnostics: reads, recovers, asks the rules, and puts what they found into the user's terms.

A file or a rule that fails is a diagnostic of that file; the others go on.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from tfdata_lint.settings import Configuration, Settings, active_rules

if TYPE_CHECKING:
    from tfdata_lint.pipeline.graph import Confidence, PipelineGraph, Span
    from tfdata_lint.rules.base import Applicability, Finding, Fix, Rule, Severity
    from tfdata_lint.source.discovery import Found
    from tfdata_lint.source.module import Location, Source

T = TypeVar("T")

#: Files that are linted with the garbage collector off before it gets a chance to run.
BATCH = 128
#: Set to anything, it prints the traceback of an internal error.
DEBUG = "TFDATA_LINT_DEBUG"

_RANK = {"error": 2, "warning": 1, "advice": 0}


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a file as its reader counts: from 1, in characters, in notebooks within a cell."""

    path: str
    cell: int | None
    row: int
    column: int
    end_row: int
    end_column: int
    """The column after the last character."""
    lines: tuple[tuple[int, str], ...] = ()
    """The code there, by row, with a line around it; the middle of a long range is left out."""

    def __str__(self) -> str:
        cell = f"cell {self.cell}:" if self.cell else ""
        return f"{self.path}:{cell}{self.row}:{self.column}"


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class PlacedEdit:
    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class PlacedFix:
    applicability: Applicability
    title: str
    reason: str
    edits: tuple[PlacedEdit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding in the user's terms. Plain data: outputs need nothing else."""

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    cost: str
    advice: str
    place: Place
    related: tuple[RelatedPlace, ...] = ()
    fix: PlacedFix | None = None


@dataclass(frozen=True, slots=True)
class FileReport:
    """What linting one file gave."""

    path: str
    diagnostics: tuple[Diagnostic, ...] = ()


def lint_paths(paths: Iterable[str], settings: Settings | Configuration | None = None) -> Iterator[FileReport]:
    """Lint files and everything in folders, in a fixed order. Without settings, each file's configuration holds."""
    yield from in_batches(_files(paths, _settings_for(settings)), _lint_file)


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


def recover(source: Source | str | bytes, path: str = "pipeline.py") -> PipelineGraph:
    """Every pipeline in one module or notebook."""
    from tfdata_lint.pipeline import interpreter
    from tfdata_lint.source.module import load

    if isinstance(source, str):
        source = source.encode()
    return interpreter.recover(load(source, path) if isinstance(source, bytes) else source)


def lint_bytes(data: bytes, path: str, settings: Settings, *, explicit: bool) -> FileReport:
    """Lint the content of a file. Unless it was asked for by name, one that holds no pipeline is not even parsed."""
    from tfdata_lint.pipeline.search import may_hold_pipeline

    of_interest = may_hold_pipeline(data) or _mentions_us(data)
    if not of_interest and not explicit:
        return FileReport(path)
    from tfdata_lint.source.module import load

    try:
        source = load(data, path)
    except Exception as error:
        return FileReport(path, (_internal_error("reading the source", path, error),))
    # `problems` is complete once the tree was asked for.
    if not of_interest and source.tree is not None and not source.problems:
        return FileReport(path)
    return _lint(source, settings)


def read_pipelines(
    paths: Iterable[str], configuration: Configuration
) -> Iterator[tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]]:
    """The graph of every file that may hold a pipeline, with the problems of reading it. For `tfdata-lint graph`."""
    return in_batches(_files(paths, configuration.for_file), _read_pipelines)


def recover_bytes(
    data: bytes, path: str, *, explicit: bool
) -> tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]:
    """The graph of one file's content, with the problems of reading it."""
    from tfdata_lint.pipeline.search import may_hold_pipeline

    if not explicit and not may_hold_pipeline(data):
        return None, None, ()
    from tfdata_lint.source.module import load

    try:
        source = load(data, path)
        graph = recover(source) if source.tree is not None else None
        return source, graph, tuple(_problems(source))
    except Exception as error:
        return None, None, (_internal_error("recovering its pipelines", path, error),)


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _File:
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


def _files(paths: Iterable[str], settings_for: Callable[[str], Settings]) -> Iterator[_File]:
    """The files to read, each once. A folder is searched as its own settings say."""
    by_settings: dict[Settings, list[str]] = {}
    for path in paths:
        settings = settings_for(os.path.join(path, "any.py") if os.path.isdir(path) else path)
        by_settings.setdefault(settings, []).append(path)
    seen: set[str] = set()
    for settings, group in by_settings.items():
        for found in _discover(group, settings):
            key = os.path.abspath(found.path)
            if key not in seen:
                seen.add(key)
                yield _File(found.path, found.explicit, settings_for(found.path), found.problem)


def _discover(paths: list[str], settings: Settings) -> Iterator[Found]:
    from tfdata_lint.source.discovery import discover

    return discover(
        paths,
        exclude=settings.exclude,
        extend_exclude=settings.extend_exclude,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
        root=settings.root or None,
    )


def is_excluded(path: str, settings: Settings) -> bool:
    """Is a file left out even when it is named? It need not be there."""
    return settings.force_exclude and not any(_discover([path], settings))


def in_batches(files: Iterable[_File], work: Callable[[_File], T]) -> Iterator[T]:
    """Do the work on each file. The garbage collector, which would walk every tree again and again, runs in between."""
    files = iter(files)
    while True:
        with _collector_off():
            batch = [work(file) for file in islice(files, BATCH)]
        yield from batch
        if len(batch) < BATCH:
            return


@contextmanager
def _collector_off() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _lint_file(file: _File) -> FileReport:
    data = _read(file)
    if isinstance(data, Diagnostic):
        return FileReport(file.path, (data,) if _is_active("TFD000", file.path, file.settings) else ())
    return lint_bytes(data, file.path, file.settings, explicit=file.explicit)


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
    return _unreadable(problem, Place(file.path, None, 1, 1, 1, 1), "Nothing in it was checked")


def _is_active(code: str, path: str, settings: Settings) -> bool:
    return any(rule.code == code for rule in active_rules(settings, settings.ignored_in(path)))


def _mentions_us(data: bytes) -> bool:
    """A suppression of ours may be unused, wherever it is."""
    return b"tfdata-lint:" in data or (b"TFD" in data and b"noqa" in data)


# ── one file ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _lint(source: Source, settings: Settings) -> FileReport:
    rules = active_rules(settings, settings.ignored_in(source.path))
    active = frozenset(rule.code for rule in rules)
    places = _Places(source)
    failures: list[Diagnostic] = []
    diagnostics: list[Diagnostic] = []
    if source.tree is not None:
        diagnostics += [
            places.diagnostic(finding)
            for finding in _most_severe(_findings(source, settings, rules, failures))
            if not source.suppressions.suppresses(finding.code, finding.span.row, finding.span.end_row)
        ]
    if "TFD000" in active:
        diagnostics += _problems(source)
    # What was not read, or failed, might have had the finding that a comment suppresses.
    if "TFD001" in active and not source.problems and not failures:
        diagnostics += _unused_suppressions(source, active)
    diagnostics.sort(key=_position)
    return FileReport(source.path, (*diagnostics, *failures))


def _findings(
    source: Source, settings: Settings, rules: tuple[Rule, ...], failures: list[Diagnostic]
) -> Iterator[Finding]:
    from tfdata_lint.pipeline import interpreter

    try:
        graph = interpreter.recover(source)
    except Exception as error:
        failures.append(_internal_error("recovering the pipelines", source.path, error))
        return
    if graph.is_empty:
        return
    for rule in rules:
        try:
            yield from rule.check(graph, settings.target_tensorflow)
        except Exception as error:
            failures.append(_internal_error(f"rule {rule.code} {rule.name}", source.path, error))


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


def _position(diagnostic: Diagnostic) -> tuple[int, int, int, str]:
    place = diagnostic.place
    return place.cell or 0, place.row, place.column, diagnostic.code


@dataclass(slots=True)
class _Places:
    """Puts spans into the user's terms, with the code that stands there."""

    source: Source
    others: dict[str, Source | None] = field(default_factory=dict)
    """Other files that findings name."""

    def diagnostic(self, finding: Finding) -> Diagnostic:
        return Diagnostic(
            finding.code,
            finding.name,
            finding.severity,
            finding.confidence,
            finding.message,
            finding.cost,
            finding.advice,
            self.place(finding.span, around=1),
            tuple(RelatedPlace(self.place(related.span), related.message) for related in finding.related),
            self.fix(finding.fix) if finding.fix else None,
        )

    def fix(self, fix: Fix) -> PlacedFix:
        edits = tuple(PlacedEdit(self.place(edit.span), edit.text) for edit in fix.edits)
        return PlacedFix(fix.applicability, fix.title, fix.reason, edits)

    def place(self, span: Span, around: int = 0) -> Place:
        source = self._source(span.file)
        if source is None:
            return Place(span.file, None, span.row, span.column + 1, span.end_row, span.end_column + 1)
        start = source.location(span.row, span.column)
        end = source.location(span.end_row, span.end_column)
        return _place(source, start, end, span.row, span.end_row, around)

    def _source(self, path: str) -> Source | None:
        if path == self.source.path:
            return self.source
        if path not in self.others:
            self.others[path] = _load(path)
        return self.others[path]


def _load(path: str) -> Source | None:
    from tfdata_lint.source.module import load, read

    try:
        return load(read(path), path)
    except OSError:
        return None


def _place(source: Source, start: Location, end: Location, first: int, last: int, around: int) -> Place:
    """`first` and `last` are rows of the source, which in a notebook run through all cells."""
    shown: Iterable[int] = range(max(1, first - around), min(len(source.lines), last + around) + 1)
    if last - first > 2:
        shown = [row for row in shown if row <= first or row >= last]
    lines = []
    for row in shown:
        location = source.location(row, 0)
        text = source.lines[row - 1]
        if location.cell == start.cell and (first <= row <= last or text.strip()):
            lines.append((location.row, text))
    return Place(source.path, start.cell, start.row, start.column, end.row, end.column, tuple(lines))


def _place_in_row(source: Source, row: int, column: int, length: int) -> Place:
    """A place of so many characters."""
    start = source.location(row, column)
    end = replace(start, column=start.column + length)
    return _place(source, start, end, row, row, around=1)


# ── findings of the engine itself ───────────────────────────────────────────────────────────────────────────────────


def _problems(source: Source) -> Iterator[Diagnostic]:
    cost = (
        "Nothing in this file was checked" if source.tree is None else "This cell was left out; the others were checked"
    )
    for problem in source.problems:
        yield _unreadable(problem.message, _place_in_row(source, problem.row, problem.column, 1), cost)


def _unused_suppressions(source: Source, active: frozenset[str]) -> Iterator[Diagnostic]:
    from tfdata_lint.rules import all_rules

    known = frozenset(rule.code for rule in all_rules())
    for unused in source.suppressions.unused(active, known):
        idle = ", ".join(code for code in unused.codes if code in known)
        unknown = ", ".join(code for code in unused.codes if code not in known)
        parts = [f"{idle} has nothing to suppress"] * bool(idle) + [f"there is no rule {unknown}"] * bool(unknown)
        message = f"`{unused.text}`: {' and '.join(parts)}" if parts else f"`{unused.text}` suppresses nothing"
        remove = f"Remove {', '.join(unused.codes) or 'the comment'}"
        yield Diagnostic(
            "TFD001",
            "unused-suppression",
            "warning",
            "proven",
            message,
            "It would hide the next finding here",
            remove if parts else f"{remove}, or name a rule: `# tfdata-lint: ignore[TFD101]`",
            _place_in_row(source, unused.row, unused.column, len(unused.text)),
            fix=PlacedFix("safe", remove, "", ()),
        )


def _unreadable(message: str, place: Place, cost: str) -> Diagnostic:
    return Diagnostic(
        "TFD000",
        "unreadable-source",
        "error",
        "proven",
        message,
        cost,
        "Repair it, or leave the file out with `exclude`",
        place,
    )


def _internal_error(what: str, path: str, error: Exception) -> Diagnostic:
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(error)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return Diagnostic(
        "TFD002",
        "internal-error",
        "error",
        "proven",
        f"{what} failed on {path}: {text[:300]}",
        "Findings in this file may be missing; everything else was checked",
        f"Please report it to the project with this line; {DEBUG}=1 adds the traceback",
        Place(path, None, 1, 1, 1, 1),
    )
