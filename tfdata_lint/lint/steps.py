"""What happens to a finding between its rule and the report: steps from finding to finding, in this order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.selection import applicability_of, is_trusted
from tfdata_lint.config.target import Target
from tfdata_lint.lint.worth import as_worth
from tfdata_lint.pipeline.nouns.crossing import way_through
from tfdata_lint.pipeline.nouns.digests import standing
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.work import OutOfWork
from tfdata_lint.pipeline.project.eras import has_no_autotune, may_lack_autotune, prefetches_one
from tfdata_lint.rules import entry_of
from tfdata_lint.rules.base import Finding, Related

#: Stages and consumers in other files shown at most.
_SHOWN = 8
_AUTOTUNE = "tf.data.AUTOTUNE"


def in_words_of_target(finding: Finding, graph: PipelineGraph, target: Target) -> Finding:
    """Advise only names that the TensorFlow of the code has."""
    says_so = _AUTOTUNE in finding.advice or (finding.fix is not None and _AUTOTUNE in finding.fix.title)
    if not says_so or finding.code == "TFD701" or not may_lack_autotune(graph, target):
        return finding

    def said(text: str) -> str:
        if prefetches_one(graph, target):
            text = text.replace(f"prefetch({_AUTOTUNE})", "prefetch(1)")
        if has_no_autotune(graph, target):
            # More calls than open inputs raise an InvalidArgumentError.
            is_of_inputs = finding.code == "TFD103" or re.search("cycle_length|interleave", finding.advice)
            return text.replace(_AUTOTUNE, "cycle_length" if is_of_inputs else "os.cpu_count()")
        return text.replace(_AUTOTUNE, _AUTOTUNE.replace("data.", "data.experimental."))

    fix = finding.fix and finding.fix._replace(title=said(finding.fix.title))
    return finding._replace(advice=said(finding.advice), fix=fix)


def worth(finding: Finding, graph: PipelineGraph, target: Target) -> Finding:
    """Make a warning advice where the time that it saves is little."""
    rule = entry_of(finding.code)
    return finding if rule is None else as_worth(graph, rule, finding, target)


def with_way(finding: Finding, graph: PipelineGraph, target: Target) -> Finding:
    """Add the way of its pipeline through other files."""
    if not graph.crosses:
        return finding
    known = {finding.span, *(related.span for related in finding.related)}
    way = [Related(s, what) for s, what in way_through(graph, finding.span).items() if s not in known]
    return finding._replace(related=(*way[:_SHOWN], *finding.related)) if way else finding


def with_standing(finding: Finding, graph: PipelineGraph) -> Finding:
    """Add the pipelines that it is about, by which evidence is looked up."""
    try:
        with graph.work:
            stands = standing(graph, finding.span, *(related.span for related in finding.related))
    except (OutOfWork, RecursionError):
        return finding
    return finding._replace(standing=stands)


def as_set(finding: Finding, settings: Settings) -> Finding:
    """Give its fix the applicability that the settings say."""
    fix, rule = finding.fix, entry_of(finding.code)
    if fix is None or rule is None or fix.applicability == "display-only":
        return finding
    applicability, reason = applicability_of(rule, fix.applicability, settings)
    needless = "" if is_trusted(rule, settings) else fix.needless
    if (applicability, needless) == (fix.applicability, fix.needless):
        return finding
    return finding._replace(fix=fix._replace(applicability=applicability, reason=reason, needless=needless))


def with_edits(finding: Finding, settings: Settings) -> Finding:
    """Write its edits, so that where that fails only this fix is missing."""
    if not settings.with_edits:
        return finding
    try:
        for fix in (finding.fix, *finding.alternatives):
            len(fix.edits if fix else ())
    except Exception as error:
        return finding._replace(fix=None, alternatives=(), failure=error)
    return finding


#: As a rule yields it; asking may exhaust the work that the file may cost.
FOUND: Final[tuple[Callable[[Finding, PipelineGraph, Target], Finding], ...]] = (in_words_of_target, worth, with_way)
#: As it is reported.
SHOWN: Final[tuple[Callable[[Finding, Settings], Finding], ...]] = (as_set, with_edits)
