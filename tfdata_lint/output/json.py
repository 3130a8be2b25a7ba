"""Findings as JSON, documented in `docs/json.md`. The keys are stable."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tfdata_lint.source.visible import json_text

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic, Evidence, PlacedFix
    from tfdata_lint.lint.reports import FileReport
    from tfdata_lint.rules.base import Severity
    from tfdata_lint.source.places import Place


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """All findings, as a list."""
    return json_text(json.dumps([as_data(diagnostic) for diagnostic in diagnostics], indent=2))


def to_json(*reports: FileReport) -> str:
    """What reports say, as `tfdata-lint check --output-format json` prints it."""
    return render(diagnostic for report in reports for diagnostic in report.diagnostics)


def statistics(counts: Counter[tuple[str, str, Severity]]) -> str:
    """How often each rule found something, the most frequent first, as a list."""
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return json.dumps(
        [{"code": code, "name": name, "severity": severity, "count": count} for (code, name, severity), count in rows],
        indent=2,
    )


def as_data(diagnostic: Diagnostic) -> dict[str, Any]:
    """One finding."""
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity,
        "confidence": diagnostic.confidence,
        "message": diagnostic.message,
        "cost": diagnostic.cost,
        "advice": diagnostic.advice,
        **_place(diagnostic.place),
        "related": [{"message": related.message, **_place(related.place)} for related in diagnostic.related],
        "fix": diagnostic.fix and _fix(diagnostic.fix),
        "alternatives": [_fix(fix) for fix in diagnostic.alternatives],
        "evidence": diagnostic.evidence and _evidence(diagnostic.evidence),
    }


def _place(place: Place) -> dict[str, Any]:
    return {
        "filename": place.path,
        "cell": place.cell,
        "location": {"row": place.row, "column": place.column},
        "end_location": {"row": place.end_row, "column": place.end_column},
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": evidence.kind,
        "text": evidence.text,
        "file": evidence.file,
        "folded": evidence.is_folded,
        "cost": round(evidence.cost, 4),
    }


def _fix(fix: PlacedFix) -> dict[str, Any]:
    return {
        "applicability": fix.applicability,
        "title": fix.title,
        "reason": fix.reason or None,
        "needless": fix.is_needless,
        "edits": [{"content": edit.text, **_place(edit.place)} for edit in fix.edits or ()],
    }
