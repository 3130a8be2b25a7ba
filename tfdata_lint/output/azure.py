"""Findings as logging commands of Azure Pipelines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tfdata_lint.output.shared import explained, first_row, in_cell

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic

_ESCAPES = {"%": "%AZP25", ";": "%3B", "\r": "%0D", "\n": "%0A", "]": "%5D"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One line each. Azure knows only errors and warnings: advice is a line of the log."""
    return "\n".join(map(_command, diagnostics))


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    text = _data(f"{in_cell(place)}{diagnostic.name}: {explained(diagnostic, ' ')}")
    if diagnostic.severity == "advice":
        return f"{place}: advice {diagnostic.code} {text}"
    properties = {
        "type": diagnostic.severity,
        "sourcepath": os.path.abspath(place.path),
        "linenumber": first_row(place),
        "columnnumber": 1 if place.cell else place.column,
        "code": diagnostic.code,
    }
    listed = "".join(f"{name}={_property(value)};" for name, value in properties.items())
    return f"##vso[task.logissue {listed}]{text}"


def _data(text: str) -> str:
    return text.replace("%", _ESCAPES["%"]).replace("\r", _ESCAPES["\r"]).replace("\n", _ESCAPES["\n"])


def _property(value: object) -> str:
    return "".join(_ESCAPES.get(character, character) for character in str(value))
