"""Findings as logging commands of Azure Pipelines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tfdata_lint.output.escapes import azure_data, azure_property, shown
from tfdata_lint.output.shared import explained, in_cell, in_file, level

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One line each. Azure knows only errors and warnings: advice is a line of the log."""
    return "\n".join(map(_command, diagnostics))


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    if level(diagnostic) == "advice":
        seen = shown(diagnostic)
        return f"{seen.place}: {seen.severity} {seen.code} {in_cell(place)}{seen.name}: {explained(seen, ' ')}"
    region = in_file(place)
    properties = {
        "type": diagnostic.severity,
        "sourcepath": os.path.abspath(place.path),
        "linenumber": region.row,
        "columnnumber": region.column,
        "code": diagnostic.code,
    }
    listed = "".join(f"{name}={azure_property(value)};" for name, value in properties.items())
    text = f"{in_cell(place)}{diagnostic.name}: {explained(diagnostic, ' ')}"
    return f"##vso[task.logissue {listed}]{azure_data(text)}"
