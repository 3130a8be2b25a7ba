"""One module: what the rules find in its pipelines, and nothing suppresses.

A rule that fails is a diagnostic of that file.
"""

from __future__ import annotations

import ast
import os
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator

from tfdata_lint import rules as registry
from tfdata_lint.config.settings.model import NOTES, Settings
from tfdata_lint.config.settings.selection import active_rules, hides_advice, is_active
from tfdata_lint.config.settings.values import nearest_rule
from tfdata_lint.config.target import Target
from tfdata_lint.lint import steps
from tfdata_lint.lint.diagnostics import RANKS, Diagnostic, Placer, internal_error, spot_of, unmade_fix, unread_rest
from tfdata_lint.lint.problems import problems_in, skipped_cells
from tfdata_lint.lint.unused import replaced_rows
from tfdata_lint.pipeline import recover as pipelines
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import LEAVING
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.work import OutOfWork
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.pipeline.project.index import outermost
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.rules.base import Edit, Entry, Finding, Fix
from tfdata_lint.rules.signs import signs_of
from tfdata_lint.source.formatters import Formatter, formatter_of
from tfdata_lint.source.module import Source
from tfdata_lint.source.suppression import UnusedSuppression
from tfdata_lint.source.trees import walk
from tfdata_lint.source.visible import visible

#: Why a comment that may be a mistake is not removed by itself.
_MEANT = "the comment may be meant to suppress something"
#: What a finding costs, with its fix and how it is shown, in steps of asking.
_FINDING = 40


class Examined:
    __slots__ = ("continued", "denied", "depends", "elsewhere", "findings", "graph", "others", "target")

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        """What the rules find and nothing suppresses."""
        self.others: list[Diagnostic] = []
        """What could not be read, or failed."""
        self.depends: set[str] = set()
        self.elsewhere: list[Finding] = []
        """What the rules find in other files, suppressed there or not; they cannot be fixed from here."""
        self.continued: set[str] = set()
        self.denied: set[str] = set()
        self.graph: PipelineGraph | None = None
        self.target: Target = Target()

    def placer(self, source: Source, settings: Settings, project: Project) -> Placer:
        """What puts its findings into the user's terms."""
        return Placer(
            source,
            project.sources,
            with_surroundings=settings.with_surroundings,
            with_edits=settings.with_edits,
            assumed="" if self.target.is_declared else str(self.target),
            # A key or a file of the project is named: whatever stands there.
            declared=visible(f"{self.target} ({self.target.origin})") if self.target.is_declared else "",
            target=str(self.target) if settings.with_standing else "",
        )


def examine(source: Source, settings: Settings, project: Project) -> Examined:
    examined = Examined()
    rules = active_rules(settings, settings.ignored_in(source.path))
    active = frozenset(rule.code for rule in rules)
    declared = settings.target_for(source.path, source)
    failures: list[Diagnostic] = []
    findings: list[Finding] = []
    if source.tree is not None:
        examined.graph = _graph(source, project, settings, failures)
    graph = examined.graph
    if graph is not None:
        examined.target = target = target_of(source, declared)
        if settings.looks_around:
            source.notes[Formatter] = formatter_of(os.path.dirname(os.path.abspath(source.path)))
        examined.continued = set(map(spot_of, graph.continued))
        with graph.work:
            seen = list(_seen(graph, project, rules))
            found = _most_severe(one for view, asked in seen for one in _findings(view, target, asked, failures))
            examined.denied = set(_denied(graph, rules, failures))
        for finding in found:
            if finding.span.file != source.path:
                # What only a test asks of other modules says little about them.
                if not graph.is_test:
                    examined.elsewhere.append(finding._replace(fix=None, alternatives=()))
            elif settings.ignore_noqa or not _is_suppressed(finding, source):
                findings.append(finding)
    problems = list(problems_in(source)) if "TFD000" in active else []
    # What a test does not reach matters to nobody.
    if "TFD003" in active and graph is not None and graph.ending is not None and not graph.is_test:
        problems.append(unread_rest(graph.ending, settings.analysis_limit, source))
    if "TFD003" in active and source.cells:
        problems += skipped_cells(source)
    # What was not read, or failed, might have had the finding that a comment suppresses.
    if "TFD001" in active and not problems and not source.problems and not failures and not settings.ignore_noqa:
        findings += _unused_suppressions(source, rules, graph)
    if graph is not None:
        if settings.with_standing:
            findings = [steps.with_standing(finding, graph) for finding in findings]
            examined.elsewhere = [steps.with_standing(finding, graph) for finding in examined.elsewhere]
        examined.depends |= graph.depends
        graph.close()
    examined.findings = [finding for finding in findings if not _is_hidden(finding, source.path, settings)]
    for step in steps.SHOWN:
        examined.findings = [step(finding, settings) for finding in examined.findings]
    examined.others = [
        *(p for p in problems if not _is_hidden(p, source.path, settings)),
        *failures,
        *dict.fromkeys(unmade_fix(found, found.failure, source.path) for found in examined.findings if found.failure),
    ]
    return examined


def _is_hidden(found: Finding | Diagnostic, path: str, settings: Settings) -> bool:
    return found.severity == "advice" and found.code not in NOTES and hides_advice(found.code, path, settings)


def _graph(source: Source, project: Project, settings: Settings, failures: list[Diagnostic]) -> PipelineGraph | None:
    try:
        return pipelines.recover_within(source, project, settings.analysis_limit)
    except Exception as error:
        failures.append(internal_error("recovering the pipelines", source.path, error))
        return None


def _findings(
    graph: PipelineGraph, target: Target, rules: Iterable[Entry], failures: list[Diagnostic]
) -> Iterator[Finding]:
    for rule in rules:
        if graph.is_empty and (rule.is_foreign or not rule.rule.without_pipelines):
            continue
        try:
            found = _foreign_findings(rule, graph, target) if rule.is_foreign else rule.rule.check(graph, target)
            for finding in found:
                graph.work.spend(_FINDING)
                is_out_of_work = isinstance(finding.failure, OutOfWork)
                finding = finding._replace(failure=None) if is_out_of_work else finding
                if finding.span.file != graph.file or finding.span.row not in graph.once(_idle_rows):
                    for step in steps.FOUND:
                        finding = step(finding, graph, target)
                    yield finding
                if is_out_of_work:
                    raise OutOfWork
        except OutOfWork:
            graph.leave_questions()
        except Exception as error:
            failures.append(internal_error(f"rule {rule.code} {rule.name}", graph.file, error, of=rule))


def _seen(
    graph: PipelineGraph, project: Project, rules: tuple[Entry, ...]
) -> Iterator[tuple[PipelineGraph, list[Entry]]]:
    """The graph, also as helper modules see it, each with the rules that it, or what is written there, calls for."""
    signs, text = signs_of(graph), graph.source.text
    yield graph, [rule for rule in rules if rule.is_called_for(signs, text)]
    if graph.is_test or graph.is_empty or not graph.beside:
        return
    others = [rule for rule in rules if rule.asks_text and not rule.is_called_for(signs, "")]
    for source in graph.beside:
        if asked := [rule for rule in others if rule.is_called_for(signs, source.text)]:
            yield pipelines.seen_from(graph, source, project), asked


def _idle_rows(graph: PipelineGraph) -> frozenset[int]:
    """The rows of which nothing is said: what is wrong there is meant to be, or never runs."""
    return _failing_rows(graph) | replaced_rows(graph)


def _failing_rows(graph: PipelineGraph) -> frozenset[int]:
    """The rows under `with self.assertRaises(…)` and `with pytest.raises(…)`: what is wrong there is meant to be."""
    if "aises" not in graph.source.text:
        return frozenset()
    blocks = (node for node in walk(graph.tree) if isinstance(node, ast.With))
    waiting = (node for node in blocks if any("raises" in last_name(item.context_expr).lower() for item in node.items))
    return frozenset(row for node in waiting for row in range(node.body[0].lineno, (node.end_lineno or 0) + 1))


def _foreign_findings(rule: Entry, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
    """What a rule of another distribution finds, also before it fails."""
    # Few have such rules, and it takes a while to import.
    from tfdata_lint.lint import foreign

    found: list[Finding] = []
    try:
        with foreign.time_limit(foreign.TIME):
            for finding in rule.rule.check(graph, target):
                found.append(foreign.checked(finding, rule.code))
    finally:
        yield from found


def _denied(graph: PipelineGraph, rules: tuple[Entry, ...], failures: list[Diagnostic]) -> Iterator[str]:
    """What nobody is to say of the places that calls of this file lead to: the code of a rule, and where."""
    if graph.is_test:
        return
    called = [s for s in graph.stages if s.span.file != graph.file or s.context.definition in graph.called]
    for rule in (rule for rule in rules if rule.denies) if called else ():
        places = list(filter(rule.may_deny, called))
        try:
            yield from {f"{rule.code} {spot_of(stage.span)}" for stage in places if rule.rule.denies(graph, stage)}
        except OutOfWork:
            graph.leave_questions()
            yield from {f"{rule.code} {spot_of(stage.span)}" for stage in called}
        except Exception as error:
            failures.append(internal_error(f"rule {rule.code} {rule.name}", graph.file, error, of=rule))


def _most_severe(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each code and place: a call in two contexts is seen twice."""
    best: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = finding.code, finding.span
        if key not in best or _weight(finding) > _weight(best[key]):
            best[key] = finding
    return list(best.values())


def _weight(finding: Finding) -> tuple[int, bool]:
    return -RANKS[finding.severity], finding.confidence == "proven"


def _is_suppressed(finding: Finding, source: Source) -> bool:
    span = finding.span
    return source.suppressions.suppresses(registry.selectors_of(finding.code), span.row, span.end_row)


def unsuppressed(findings: Iterable[Finding], settings: Settings, places: Placer) -> Iterator[Finding]:
    """Those in other files that neither the settings nor comments silence there."""
    for finding in findings:
        span = finding.span
        source = places.source_of(span.file)
        active = is_active(finding.code, span.file, settings)
        silenced = source is not None and _is_suppressed(finding, source)
        if active and (settings.ignore_noqa or not silenced) and not _is_hidden(finding, span.file, settings):
            yield finding


def about_ends(findings: Iterable[Finding]) -> tuple[str, ...]:
    """The rules among these that are about the end of a pipeline, by code."""
    codes = {finding.code for finding in findings}
    return tuple(sorted(code for code in codes if (rule := registry.rule(code)) and rule.of_ends))


# ── findings about linting itself ───────────────────────────────────────────────────────────────────────────────────


def _is_for_callers(graph: PipelineGraph, source: Source, row: int, selectors: Collection[str]) -> bool:
    """May a comment suppress what is found because other files use the code that it is in?"""
    if source.tree is None or source.kind == "notebook":
        return False
    judged = [entry for entry in registry.entries() if not set(entry.selectors).isdisjoint(selectors)]
    if all(found.group in ("upgrade", "meta") for found in judged):
        return False
    if graph.is_imported or any(found.rule.in_importers for found in judged):
        return True
    definition = outermost(source.tree, row)
    if definition is None or definition.name in graph.called:
        return False
    leaving = graph.once(_leaving)
    position = bisect_left(leaving, definition.lineno)
    return position < len(leaving) and leaving[position] <= (definition.end_lineno or 0)


def _leaving(graph: PipelineGraph) -> list[int]:
    """The rows of stages behind which a pipeline may go on elsewhere."""
    return sorted(
        stage.span.row
        for stage in graph.stages
        if stage.is_opaque or any(consumer.kind in LEAVING for consumer in graph.consumers_of(stage))
    )


def _unused_suppressions(source: Source, active: Iterable[Entry], graph: PipelineGraph | None) -> Iterator[Finding]:
    on = {rule.code for rule in active}
    known = {selector for rule in registry.entries() for selector in rule.selectors}
    # A group is only judged when all of its rules have run.
    off = {selector for rule in registry.entries() if rule.code not in on for selector in rule.selectors}
    for unused in source.suppressions.unused(known - off, known):
        if graph is not None and _is_for_callers(graph, source, unused.row, unused.codes):
            continue
        end = unused.column + len(unused.text.encode("utf-8", "replace"))
        new = source.suppressions.removal(unused)
        edit = Edit(Span(source.path, new.row, new.column, new.end_row, new.end_column), new.text)
        remove = f"Remove {', '.join(unused.codes) or 'the comment'}"
        said, advice = _about(unused, known)
        is_known = unused.is_understood and known.issuperset(unused.codes)
        is_clear = is_known and not unused.is_apart
        rule = registry.rule("TFD001")
        assert rule is not None
        yield rule.finding(
            Span(source.path, unused.row, unused.column, unused.row, end),
            f"`{unused.text}`{said}",
            cost="The comment would hide a later finding here" if is_clear else "Findings here are still reported",
            advice=advice or remove,
            # Another linter may understand it.
            severity=None if unused.is_ours or is_known else "advice",
            fix=Fix("safe", remove, edits=(edit,)) if is_clear else Fix("unsafe", remove, _MEANT, (edit,)),
        )


def _about(unused: UnusedSuppression, known: Collection[str]) -> tuple[str, str]:
    """What is said of a comment that suppresses nothing, and what to do if that is not to remove it."""
    if not unused.is_understood:
        named = (nearest_rule(word, known) for word in re.findall(r"(?i)TFD\w+", unused.text))
        form = "tfdata-lint: ignore[{}]" if unused.is_ours else "noqa: {}"
        return " is not understood", f"Write `# {form.format(next(filter(None, named), 'TFD101'))}`"
    if unused.is_apart:
        return ": it suppresses nothing in a row of its own", "Put it at the end of the row that it is for"
    idle, unknown = ([c for c in unused.codes if (c in known) is are] for are in (True, False))
    parts = [f"{', '.join(idle)} has nothing to suppress"] if idle else []
    parts += [f"there is no rule {', '.join(unknown)}"] if unknown else []
    meant = next(filter(None, (nearest_rule(word, known) for word in unknown)), "")
    return f": {' and '.join(parts)}" if parts else " suppresses nothing", f"Did you mean `{meant}`?" if meant else ""
