"""The findings about what ran: in which files, what they are called, and what their fixes write."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfdata_lint.lint.diagnostics import Placer
from tfdata_lint.lint.fixes import settle
from tfdata_lint.run.crossfile import findings_together
from tfdata_lint.source.content import read
from tfdata_lint.source.module import load
from tfdata_lint.verify.model import Node, Pipeline, Run

if TYPE_CHECKING:
    from tfdata_lint.config.settings.reading import Configuration
    from tfdata_lint.pipeline.nouns.places import Span
    from tfdata_lint.rules.base import Finding


@dataclass(frozen=True, slots=True)
class Located:
    """Where a finding is in the run."""

    stages: tuple[int, ...] = ()
    pipeline: int | None = None
    node: int | None = None
    seen: Node | None = None


def findings_of(run: Run, configuration: Configuration) -> tuple[list[Finding], frozenset[Span]]:
    """What the rules find in the target and in the other files of the user that made a dataset in this run.

    With it all calls in these files that make datasets, executed or not.
    """
    return findings_together([load(read(path), path) for path in files_of(run)], configuration.for_file)


def files_of(run: Run) -> list[str]:
    """The target, and the other files of the user that made a dataset in this run."""
    files = {place.file: None for stage in run.stages for place in stage.frames if os.path.isfile(place.file)}
    return list(map(_near, {os.path.realpath(run.target.path): None, **files}))


def _near(file: str) -> str:
    path = os.path.relpath(file)
    return file if path.startswith(os.pardir) else path


def fixed(findings: Sequence[Finding]) -> Mapping[str, str]:
    """The files' texts with the fixes of these findings, as far as they go together; {} if they cannot be fixed."""
    return {os.path.abspath(path): load(after, path).text for path, (_, after) in changed(findings).items()}


def changed(findings: Sequence[Finding]) -> Mapping[str, tuple[bytes, bytes]]:
    """The content of each file that the fixes of these findings change, before and after."""
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        by_file.setdefault(finding.span.file, []).append(finding)
    contents = {}
    for path, found in by_file.items():
        passes = [found]
        data = read(path)
        settled = settle(data, path, lambda _, passes=passes: passes.pop() if passes else [])  # type: ignore[misc]
        if settled.data != data:
            contents[path] = data, settled.data
    return contents


def name(finding: Finding) -> str:
    """The code and place of a finding."""
    return f"{finding.code} {where_of(finding)}"


def where_of(finding: Finding) -> str:
    path = finding.span.file
    try:
        return str(Placer(load(read(path), path)).place(finding.span))
    except OSError:
        return f"{path}:{finding.span.row}:{finding.span.column + 1}"


def is_compared(finding: Finding) -> bool:
    """Has it a fix with which the code can be compared?"""
    return finding.fix is not None and bool(finding.fix.edits) and bool(fixed([finding]))


def is_consumed_at(pipeline: Pipeline, finding: Finding, *, related: bool) -> bool:
    """At the finding; or at a place that it names, if it stands in a function that makes no dataset."""
    spans = (finding.span, *(other.span for other in finding.related if related))
    return any(
        frame.file == os.path.realpath(span.file) and span.row <= frame.row <= span.end_row
        for frame in (*pipeline.frames[:1], *pipeline.taken_at)
        for span in spans
    )
