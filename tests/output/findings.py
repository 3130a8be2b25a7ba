"""Findings to print."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix, RelatedPlace
from tfdata_lint.lint.surroundings import Surroundings
from tfdata_lint.source.places import Place

#: `map(` begins after two characters that take four and three bytes.
LINE = 'x = "𝕏猫"; ds = ds.map(parse)'
PLACE = Place("src/train.py", None, 9, 16, 9, 26, lines=((9, LINE),))
CELL = Place("train.ipynb", 3, 2, 9, 2, 19, lines=((2, "ds = ds.map(parse)"),))
BATCH = Place("src/train.py", None, 12, 4, 12, 12, lines=((12, "ds.batch(8)"),))
END = Place("src/train.py", None, 9, 25, 9, 25, lines=((9, LINE),))

FIX = PlacedFix("safe", "Pass it", "", (PlacedEdit(END, ", num_parallel_calls=tf.data.AUTOTUNE"),))
UNSAFE = PlacedFix("unsafe", "Move it", "the order changes", (PlacedEdit(PLACE, ""), PlacedEdit(BATCH, "map(parse)")))
SHOWN = PlacedFix("display-only", "Rewrite it", "the data changes", ())


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the findings are in: a checkout of no CI service."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY", "WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def finding(place: Place = PLACE, **more: object) -> Diagnostic:
    values: dict[str, object] = {
        "code": "TFD102",
        "name": "sequential-map",
        "severity": "warning",
        "confidence": "proven",
        "message": "`map` is sequential",
        "cost": "It was 1.8 times slower",
        "advice": "Use `num_parallel_calls`",
        "surroundings": Surroundings("read", "ds = ds.map(parse)", "d1"),
    }
    return Diagnostic(**(values | more), place=place)  # type: ignore[arg-type]


def related(place: Place = BATCH, message: str = "batches here") -> tuple[RelatedPlace, ...]:
    return (RelatedPlace(place, message),)


#: One of every kind.
FINDINGS = (
    finding(fix=FIX, alternatives=(UNSAFE,)),
    finding(CELL, severity="advice", fix=PlacedFix("safe", "Pass it", "", (PlacedEdit(CELL, ""),))),
    finding(code="TFD305", name="map-before-batch", related=related(), fix=SHOWN, confidence="likely"),
    finding(code="TFD404", name="leaky-split", severity="error", related=related() + related(PLACE, "the other part")),
    finding(
        Place("bad\x00 name,;:]%.py", None, 1, 1, 1, 1),
        code="TFD000",
        name="unreadable-source",
        severity="error",
        message="100 % of\r\nit | \x01 is <not> ``Python``",
        surroundings=None,
    ),
)
