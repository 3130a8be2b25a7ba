"""The JSON of findings has exactly the documented keys."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix, RelatedPlace
from tfdata_lint.output.json import render
from tfdata_lint.source.places import Place

PLACE = Place("n.ipynb", 3, 2, 9, 2, 19, lines=((2, "ds = ds.map(parse)"),))
FIX = PlacedFix("unsafe", "Add", "order changes", (PlacedEdit(PLACE, ".x()"),))
POSITION = {
    "filename": "n.ipynb",
    "cell": 3,
    "location": {"row": 2, "column": 9},
    "end_location": {"row": 2, "column": 19},
}


def diagnostic(**more: object) -> Diagnostic:
    return Diagnostic(
        "TFD102", "sequential-map", "warning", "proven", "seen", "slow", "do", PLACE, **more  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_finding() -> None:
    (found,) = json.loads(render([diagnostic()]))
    assert list(found) == [
        "code", "name", "severity", "confidence", "message", "cost", "advice", "filename", "cell", "location",
        "end_location", "related", "fix", "alternatives", "evidence",
    ]  # fmt: skip
    assert found == POSITION | {
        "code": "TFD102",
        "name": "sequential-map",
        "severity": "warning",
        "confidence": "proven",
        "message": "seen",
        "cost": "slow",
        "advice": "do",
        "related": [],
        "fix": None,
        "alternatives": [],
        "evidence": None,
    }


def test_related_places() -> None:
    (found,) = json.loads(render([diagnostic(related=(RelatedPlace(PLACE, "here"),))]))
    assert found["related"] == [POSITION | {"message": "here"}]


def test_fixes() -> None:
    (found,) = json.loads(render([diagnostic(fix=PlacedFix("safe", "Go", "", ()), alternatives=(FIX,))]))
    assert found["fix"] == {"applicability": "safe", "title": "Go", "reason": None, "needless": False, "edits": []}
    assert found["alternatives"] == [
        {
            "applicability": "unsafe",
            "title": "Add",
            "reason": "order changes",
            "needless": False,
            "edits": [POSITION | {"content": ".x()"}],
        }
    ]


def test_a_file_has_no_cell() -> None:
    (found,) = json.loads(render([diagnostic()._replace(place=Place("a.py", None, 1, 1, 1, 2))]))
    assert found["cell"] is None


def test_nothing() -> None:
    assert json.loads(render([])) == []


def test_the_documentation_has_the_same_keys() -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    (found,) = json.loads(render([diagnostic(fix=FIX)]))
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(found)
    example = json.loads(page.partition("```json\n")[2].partition("```")[0])
    assert list(example[0]) == list(found)
    assert list(example[0]["fix"]) == list(found["fix"])
    assert list(example[0]["fix"]["edits"][0]) == list(found["fix"]["edits"][0])
