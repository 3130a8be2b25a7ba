"""Findings as SARIF 2.1.0, the Static Analysis Results Interchange Format."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import tfdata_lint
from tfdata_lint.lint.diagnostics import is_folded
from tfdata_lint.output.shared import explained, fingerprints, in_cell, in_file, level, noted, relative, root
from tfdata_lint.source.visible import json_text

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic, PlacedFix
    from tfdata_lint.rules.base import Rule
    from tfdata_lint.source.places import Place

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "PROJECTROOT"
_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}
#: As code scanning of GitHub filters rules (docs.github.com, "SARIF support for code scanning").
_PROBLEM_SEVERITIES = {"error": "error", "warning": "warning", "advice": "recommendation"}

#: A link of a page to another page of the project, which a reader elsewhere cannot follow.
_LOCAL_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """A log of one run."""
    from tfdata_lint.rules import entries

    codes = {diagnostic.code for diagnostic in diagnostics}
    rules = [entry.rule for entry in entries() if entry.code in codes]
    numbers = {rule.code: (number, rule) for number, rule in enumerate(rules)}
    named = zip(diagnostics, fingerprints(diagnostics), strict=True)
    run = {
        "tool": {
            "driver": {
                "name": "tfdata-lint",
                "version": tfdata_lint.__version__,
                "semanticVersion": tfdata_lint.__version__,
                **({"informationUri": tfdata_lint.DOCUMENTATION} if tfdata_lint.DOCUMENTATION else {}),
                "rules": list(map(_rule, rules)),
            }
        },
        "invocations": [{"executionSuccessful": "TFD002" not in codes}],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": Path(root()).as_uri() + "/"}},
        "results": [_result(diagnostic, *numbers[diagnostic.code], name) for diagnostic, name in named],
    }
    return json_text(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1))


def _rule(rule: Rule) -> dict[str, Any]:
    from tfdata_lint.rules import explanation, page_address

    address = page_address(rule)
    return {
        "id": rule.code,
        "name": rule.name,
        **({"helpUri": address} if address else {}),
        "shortDescription": {"text": f"{rule.summary}."},
        "fullDescription": {"text": f"{rule.summary}."},
        "help": {
            "text": f"`tfdata-lint rule {rule.code}` explains this rule.",
            "markdown": _LOCAL_LINK.sub(r"\1", explanation(rule)),
        },
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": rule.on_by_default},
        "properties": {
            "tags": [rule.group],
            "precision": _precision(rule),
            "problem.severity": _PROBLEM_SEVERITIES[rule.severity],
        },
    }


def _precision(rule: Rule) -> str:
    """How often a finding is right, in the words of code scanning; each finding has a `confidence` besides."""
    if rule.group == "meta":
        return "very-high"
    return "medium" if rule.group == "pedantic" or rule.status == "preview" else "high"


def _result(diagnostic: Diagnostic, number: int, rule: Rule, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": number,
        "level": _LEVELS[level(diagnostic)],
        "message": {"text": in_cell(diagnostic.place) + explained(diagnostic, " ")},
        "locations": [_location(diagnostic.place)],
        "partialFingerprints": {"statement/v1": fingerprint},
        "properties": {"confidence": diagnostic.confidence},
    }
    if diagnostic.evidence:
        evidence = diagnostic.evidence
        result["properties"]["evidence"] = {"kind": evidence.kind, "text": evidence.text, "file": evidence.file}
    if is_folded(diagnostic):
        # Nobody has written it into the code.
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": f"{noted(diagnostic)}."}]
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **_location(related.place), "message": {"text": f"{related.message}."}}
            for number, related in enumerate(diagnostic.related, 1)
        ]
    if flow := _flow(diagnostic, rule):
        result["codeFlows"] = [{"threadFlows": [{"locations": [{"location": step} for step in flow]}]}]
    fixes = [fix for fix in (diagnostic.fix, *diagnostic.alternatives) if fix and _is_for_files(fix)]
    if fixes:
        result["fixes"] = list(map(_fix, fixes))
    return result


def _flow(diagnostic: Diagnostic, rule: Rule) -> list[dict[str, Any]]:
    """The way of the elements, where the related place lies on it."""
    if len(diagnostic.related) != 1 or not rule.related_comes:
        return []
    related = diagnostic.related[0]
    here = _location(diagnostic.place) | {"message": {"text": f"{diagnostic.message}."}}
    there = _location(related.place) | {"message": {"text": f"{related.message}."}}
    return [there, here] if rule.related_comes == "before" else [here, there]


def _location(place: Place) -> dict[str, Any]:
    physical = {"artifactLocation": _artifact(place.path), "region": _region(place)}
    if not place.cell:
        return {"physicalLocation": physical}
    name = f"{place.cell_name}, line {place.row}, column {place.column}"
    return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": name}]}


def _artifact(path: str) -> dict[str, Any]:
    below = relative(path)
    if below is None:
        return {"uri": Path(os.path.abspath(path)).as_uri()}
    return {"uri": quote(os.fsencode(below)), "uriBaseId": _ROOT}


def _region(place: Place) -> dict[str, Any]:
    region = in_file(place)
    return {
        "startLine": region.row,
        "startColumn": region.column,
        "endLine": region.end_row,
        "endColumn": region.end_column,
    }


def _is_for_files(fix: PlacedFix) -> bool:
    """Has it edits, which count in the file? Those of notebooks count in a cell."""
    return bool(fix.edits) and not any(edit.place.cell for edit in fix.edits or ())


def _fix(fix: PlacedFix) -> dict[str, Any]:
    reason = f" ({fix.applicability}: {fix.reason})" if fix.reason else f" ({fix.applicability})"
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits or ():
        replacement = {"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.text}}
        changes.setdefault(edit.place.path, []).append(replacement)
    return {
        "description": {"text": f"{fix.title}{reason}."},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }
