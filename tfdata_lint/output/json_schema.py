"""The JSON Schema of findings as the formats `json` and `json-lines` print them: `docs/findings.schema.json`."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from tfdata_lint.lint.diagnostics import Evidence
from tfdata_lint.rules.base import Applicability, Finding, Severity

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 1}
_POSITION = {
    "type": "object",
    "required": ["row", "column"],
    "properties": {"row": _COUNT, "column": _COUNT},
}


def schema() -> dict[str, Any]:
    """A list of findings; `#/$defs/finding` is one, as each line of `json-lines` has it.

    Keys that it does not name may be added in a later version.
    """
    place = {
        "filename": _TEXT,
        "cell": {"type": ["integer", "null"], "minimum": 1},
        "location": {"$ref": "#/$defs/position"},
        "end_location": {"$ref": "#/$defs/position"},
    }
    finding = _object(
        code={"type": "string", "pattern": r"^[A-Z]+\d+$"},
        name=_TEXT,
        severity=_one_of(Severity),
        confidence=_one_of(get_type_hints(Finding)["confidence"]),
        message=_TEXT,
        cost=_TEXT,
        advice=_TEXT,
        **place,
        related={"type": "array", "items": {"$ref": "#/$defs/related"}},
        fix=_or_null("fix"),
        alternatives={"type": "array", "items": {"$ref": "#/$defs/fix"}},
        evidence=_or_null("evidence"),
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Findings of tfdata-lint, as --output-format json prints them",
        "type": "array",
        "items": {"$ref": "#/$defs/finding"},
        "$defs": {
            "finding": finding,
            "position": _POSITION,
            "related": _object(message=_TEXT, **place),
            "fix": _object(
                applicability=_one_of(Applicability),
                title=_TEXT,
                reason={"type": ["string", "null"]},
                needless={"type": "boolean"},
                edits={"type": "array", "items": {"$ref": "#/$defs/edit"}},
            ),
            "edit": _object(content=_TEXT, **place),
            "evidence": _object(
                kind=_one_of(get_type_hints(Evidence)["kind"]),
                text=_TEXT,
                file=_TEXT,
                folded={"type": "boolean"},
                cost={"type": "number", "minimum": 0, "maximum": 1},
            ),
        },
    }


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _one_of(literal: Any) -> dict[str, Any]:
    return {"enum": list(get_args(literal))}


def _or_null(name: str) -> dict[str, Any]:
    return {"anyOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}
