"""One file: its content is read, recovered, and judged by the rules; what they found is put into the user's terms.

A file or a rule that fails is a diagnostic of that file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tfdata_lint.config.settings import Settings, active_rules, applicability_of
from tfdata_lint.lint.diagnostics import (
    Diagnostic,
    Place,
    Placer,
    internal_error,
    place_of_problem,
    position,
    unfixable,
    unreadable,
)
from tfdata_lint.lint.reports import OF_ENDS, QUIET, File, FileReport, Fixing, Result, Sieve, Suppressing
from tfdata_lint.pipeline.project.search import may_consume, may_hold_pipeline

if TYPE_CHECKING:
    from tfdata_lint.pipeline.nouns.graph import PipelineGraph
    from tfdata_lint.pipeline.nouns.places import Span
    from tfdata_lint.rules.base import Finding, Rule
    from tfdata_lint.source.module import Source

#: Consumers behind which a pipeline may go on in other files.
_LEAVING = ("return", "yield", "stored", "argument")
_RANK = {"error": 2, "warning": 1, "advice": 0}


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
    from tfdata_lint.pipeline import recover as pipelines
    from tfdata_lint.pipeline.project.modules import shared
    from tfdata_lint.source.module import load

    if isinstance(source, str):
        source = source.encode()
    return pipelines.recover(load(source, path) if isinstance(source, bytes) else source, shared())


def lint_file(file: File, since: int = 0) -> Result:
    """Lint a file, and say what is to be kept when that is asked for, by `Cache.since`."""
    looked = look(file)
    return lint_text(file, looked, since) if isinstance(looked, bytes) else looked


def look(file: File) -> Result | bytes:
    """The content of a file, or what is known at a glance."""
    data = _read(file)
    if isinstance(data, Diagnostic):
        return _unread(file, data), None
    return data if file.explicit or _may_matter(data) else (FileReport(file.path), QUIET)


def lint_text(file: File, data: bytes, since: int = 0) -> Result:
    """As `lint_file`, for one that was read."""
    report = lint_bytes(data, file.path, file.settings, explicit=file.explicit)
    if not since:
        return report, None
    from tfdata_lint.pipeline.project.modules import shared
    from tfdata_lint.run.cache import packed

    return report, packed(report, data, since, shared().entries, quiet=not _may_matter(data))


def change(file: File, changing: Fixing | Suppressing) -> FileReport:
    """Fix a file, or suppress what is found in it."""
    data = _read(file)
    if isinstance(data, Diagnostic):
        return _unread(file, data)
    report = lint_bytes(data, file.path, file.settings, explicit=file.explicit, changing=changing)
    if changing.write and report.after is not None:
        return _write(report, lambda: lint_bytes(data, file.path, file.settings, explicit=file.explicit))
    return report


def pipelines_of(file: File) -> tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]:
    data = _read(file)
    if isinstance(data, Diagnostic):
        return None, None, (data,)
    return recover_bytes(data, file.path, explicit=file.explicit)


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


# ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _read(file: File) -> bytes | Diagnostic:
    from tfdata_lint.source.module import read

    problem = file.problem
    if problem is None:
        try:
            return read(file.path)
        except OSError as error:
            problem = f"cannot read this file: {error.strerror or error}"
    return unreadable(problem, Place(file.path, None, 1, 1, 1, 1), "Nothing in it was checked")


def _unread(file: File, problem: Diagnostic) -> FileReport:
    return FileReport(file.path, (problem,) if _is_active("TFD000", file.path, file.settings) else ())


def _is_active(code: str, path: str, settings: Settings) -> bool:
    return any(rule.code == code for rule in active_rules(settings, settings.ignored_in(path)))


def _is_of_interest(data: bytes) -> bool:
    return may_hold_pipeline(data) or _mentions_us(data)


def _may_matter(data: bytes) -> bool:
    """False for the files that the byte search passes over."""
    return _is_of_interest(data) or may_consume(data)


def _consumes(data: bytes, path: str) -> tuple[bool, frozenset[str]]:
    """Does a file without a word of datasets import some; and the other files that this depends on."""
    from tfdata_lint.pipeline.project.modules import shared
    from tfdata_lint.pipeline.project.reach import imports_data

    found = imports_data(data, path, shared())
    return found.members is not None, found.reads


def _mentions_us(data: bytes) -> bool:
    """A suppression of ours may be unused, wherever it is."""
    return b"tfdata-lint:" in data or (b"TFD" in data and b"noqa" in data)


# ── linting and changing ────────────────────────────────────────────────────────────────────────────────────────────


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
    from tfdata_lint.pipeline.project.modules import shared

    try:
        source = shared().sources.load(data, path)
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
        return report._replace(diagnostics=(*report.diagnostics, internal_error("changing it", path, error)))


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
    from tfdata_lint.lint.fixes import settle
    from tfdata_lint.source.module import load

    path = unfixed.path
    settled = settle(data, path, lambda source: filter(fixing.wants, findings_in(source, settings, fixing.sieves)))
    if settled.refusal:
        return unfixed._replace(diagnostics=(*unfixed.diagnostics, unfixable(settled.refusal, path)))
    if not settled.passes:
        return unfixed._replace(problem=settled.problem)
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
        return report._replace(problem=str(error))
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


def suppress_there(addition: FileReport, suppressing: Suppressing) -> FileReport:
    """As `_suppress`, for what was found because others use a file."""
    from tfdata_lint.source.editing import CannotEdit
    from tfdata_lint.source.module import load, read

    told = addition.sifted(suppressing.sieves).diagnostics
    try:
        data = read(addition.path)
        rows = [(diagnostic.code, diagnostic.place.row) for diagnostic in told]
        after = _with_comments(data, load(data, addition.path), rows, suppressing)
    except (OSError, CannotEdit) as error:
        return addition._replace(problem=str(error))
    report = addition._replace(diagnostics=(), fixed=tuple(told), before=data, after=after)
    return _write(report, lambda: addition) if suppressing.write else report


def _write(report: FileReport, unfixed: Callable[[], FileReport]) -> FileReport:
    """Replace the file; where that fails, what was found in it stands."""
    from tfdata_lint.source.writing import CannotWrite, replace_file

    assert report.after is not None
    try:
        replace_file(report.path, report.before, report.after)
    except CannotWrite as error:
        return unfixed()._replace(problem=str(error))
    return report


def findings_in(source: Source, settings: Settings, sieves: tuple[Sieve, ...] = ()) -> list[Finding]:
    """What the rules find in a module and nothing silences."""
    findings = _examine(source, settings).findings
    if not sieves:
        return findings
    places = Placer(source, with_context=True)
    placed = sorted(((places.diagnostic(finding), finding) for finding in findings), key=lambda both: position(both[0]))
    report = FileReport(source.path, tuple(diagnostic for diagnostic, _ in placed))
    told = {id(diagnostic) for diagnostic in report.sifted(sieves).diagnostics}
    return [finding for diagnostic, finding in placed if id(diagnostic) in told]


def findings_together(
    sources: Sequence[Source], settings_for: Callable[[str], Settings]
) -> tuple[list[Finding], frozenset[Span]]:
    """What the rules find in modules that are used together, and all calls in them that make datasets.

    That is also what one of them causes in another, chosen as `engine.Told` chooses it.
    """
    seen = [(source, settings_for(source.path)) for source in sources]
    examined = [_examine(source, settings) for source, settings in seen]
    found = {(finding.code, _where(finding.span)): finding for one in examined for finding in one.findings}
    paths = {os.path.abspath(source.path) for source in sources}
    continued = {where for one in examined for where in one.continued}
    for (source, settings), one in zip(seen, examined, strict=True):
        for finding in _not_suppressed(one.elsewhere, settings, Placer(source)):
            where, code = _where(finding.span), finding.code
            if os.path.abspath(finding.span.file) in paths and not (code in OF_ENDS and where in continued):
                found.setdefault((code, where), finding)
    calls = frozenset(stage.span for one in examined if one.graph for stage in one.graph.stages)
    return list(found.values()), calls


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
    graph: PipelineGraph | None = None


def _examine(source: Source, settings: Settings) -> _Examined:
    examined = _Examined()
    rules = active_rules(settings, settings.ignored_in(source.path))
    active = frozenset(rule.code for rule in rules)
    failures: list[Diagnostic] = []
    findings: list[Finding] = []
    from tfdata_lint.pipeline.interpreter.inspection import is_test_file

    examined.graph = graph = _graph(source, failures) if source.tree is not None else None
    if graph is not None:
        examined.depends |= graph.depends
        if _crosses(graph):
            examined.continued = set(map(_where, _continued(graph)))
        for finding in _most_severe(_findings(graph, source, settings, rules, failures)):
            if finding.span.file != source.path:
                # What only a test asks of other modules says little about them.
                if not is_test_file(source.path):
                    examined.elsewhere.append(finding._replace(fix=None, alternatives=()))
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
    return finding._replace(fix=fix._replace(applicability=applicability, reason=reason))


def _graph(source: Source, failures: list[Diagnostic]) -> PipelineGraph | None:
    from tfdata_lint.pipeline import recover as pipelines
    from tfdata_lint.pipeline.project.modules import shared

    try:
        return pipelines.recover(source, shared())
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
    from tfdata_lint.pipeline.nouns.stages import tips

    for stage in graph.stages:
        if stage.span.file == graph.file:
            for dataset in stage.inputs:
                yield from (tip.span for tip in tips(dataset) if tip.span.file != graph.file)


def _where(span: Span) -> str:
    return f"{os.path.abspath(span.file)}:{span.row}:{span.column + 1}"


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
    from tfdata_lint.pipeline.project.index import outermost
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
    from tfdata_lint.pipeline.nouns.places import Span
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
