"""Findings as commands of GitHub Actions, which shows them beside the code."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfdata_lint.lint.diagnostics import RANKS
from tfdata_lint.output.escapes import github_data, github_property
from tfdata_lint.output.shared import explained, in_file, level

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.source.places import Place

_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}


#: GitHub shows so many annotations of each kind for a step, and keeps the others to itself
#: (docs.github.com, "Workflow commands", "Usage limits").
SHOWN = 10
#: Where it takes Markdown for the page of the run.
SUMMARY = "GITHUB_STEP_SUMMARY"


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One line each, the worst first: only some are shown. Where there are more, all go to the summary of the step.

    The log shows only what follows the `::`, hence the place there, too.
    """
    if max(Counter(map(level, diagnostics)).values(), default=0) > SHOWN:
        _summarize(diagnostics)
    return "\n".join(map(_command, sorted(diagnostics, key=_order)))


def _order(diagnostic: Diagnostic) -> tuple[int, float]:
    """The worst first; of the same severity what costs most."""
    return RANKS[level(diagnostic)], -diagnostic.evidence.cost if diagnostic.evidence else 0.0


def _summarize(diagnostics: Sequence[Diagnostic]) -> None:
    if path := os.environ.get(SUMMARY):
        from tfdata_lint.output import markdown

        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{markdown.render(diagnostics)}\n")


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    properties = {"title": f"{diagnostic.code} {diagnostic.name}", "file": os.path.abspath(place.path), **_range(place)}
    listed = ",".join(f"{name}={github_property(value)}" for name, value in properties.items())
    text = f"{place}: {diagnostic.code} {explained(diagnostic)}"
    return f"::{_COMMANDS[level(diagnostic)]} {listed}::{github_data(text)}"


def _range(place: Place) -> dict[str, object]:
    region = in_file(place)
    return {"line": region.row, "col": region.column, "endLine": region.end_row, "endColumn": region.end_column}
