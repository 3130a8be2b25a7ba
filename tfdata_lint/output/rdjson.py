"""Findings in the Reviewdog Diagnostic Format."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tfdata_lint.output.shared import explained, in_cell, in_file, level
from tfdata_lint.source.visible import json_text

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic, PlacedFix
    from tfdata_lint.source.places import Place

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "advice": "INFO"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One object, a `DiagnosticResult`."""
    result = {"source": {"name": "tfdata-lint"}, "diagnostics": [_diagnostic(found) for found in diagnostics]}
    return json_text(json.dumps(result, indent=2))


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    from tfdata_lint.rules import page_address, rule

    address = page_address(known) if (known := rule(diagnostic.code)) else None
    found: dict[str, Any] = {
        "message": in_cell(diagnostic.place) + explained(diagnostic),
        "location": _location(diagnostic.place),
        "severity": _SEVERITIES[level(diagnostic)],
        "code": {"value": diagnostic.code} | ({"url": address} if address else {}),
        "related_locations": [
            {"message": related.message, "location": _location(related.place)} for related in diagnostic.related
        ],
    }
    fixes = [fix for fix in (diagnostic.fix, *diagnostic.alternatives) if fix and _can_be_suggested(fix)]
    edits = [edit for fix in fixes for edit in fix.edits or ()]
    return found | {"suggestions": [{"range": _range(edit.place), "text": edit.text} for edit in edits]}


def _can_be_suggested(fix: PlacedFix) -> bool:
    """Suggestions are taken one by one, so that a fix of several edits would be done by half."""
    edits = fix.edits or ()
    return len(edits) == 1 and not edits[0].place.cell and fix.applicability != "display-only"


def _location(place: Place) -> dict[str, Any]:
    # Of a notebook the row of its JSON: columns there are no use to anybody.
    within = {"start": {"line": in_file(place).row}} if place.cell else _range(place)
    return {"path": place.path, "range": within}


def _range(place: Place) -> dict[str, Any]:
    return {
        "start": {"line": place.row, "column": _in_bytes(place, place.row, place.column)},
        "end": {"line": place.end_row, "column": _in_bytes(place, place.end_row, place.end_column)},
    }


def _in_bytes(place: Place, row: int, column: int) -> int:
    """A column as reviewdog counts: from 1, in bytes of UTF-8."""
    line = dict(place.lines).get(row)
    return column if line is None else len(line[: column - 1].encode("utf-8", "replace")) + 1
