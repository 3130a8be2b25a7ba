"""Findings as a Code Quality report of GitLab."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfdata_lint.output.shared import explained, fingerprints, in_cell, in_file, level, relative
from tfdata_lint.source.visible import json_text

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.source.places import Place

_SEVERITIES = {"error": "major", "warning": "minor", "advice": "info"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One list. GitLab tells new findings from old ones by their fingerprints."""
    named = zip(diagnostics, fingerprints(diagnostics), strict=True)
    return json_text(json.dumps([_issue(diagnostic, fingerprint) for diagnostic, fingerprint in named], indent=2))


def _issue(diagnostic: Diagnostic, fingerprint: str) -> dict[str, Any]:
    place = diagnostic.place
    return {
        "description": f"{in_cell(place)}{diagnostic.code} {explained(diagnostic, ' ')}",
        "check_name": diagnostic.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[level(diagnostic)],
        "location": {"path": relative(place.path) or place.path, "positions": _positions(place)},
    }


def _positions(place: Place) -> dict[str, Any]:
    region = in_file(place)
    return {
        "begin": {"line": region.row, "column": region.column},
        "end": {"line": region.end_row, "column": region.end_column},
    }
