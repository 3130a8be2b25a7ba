"""Findings as commands of GitHub Actions, which shows them beside the code."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tfdata_lint.output.shared import explained

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic, Place

_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One line each. The log shows only what follows the `::`, hence the place there, too."""
    return "\n".join(map(_command, diagnostics))


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    properties = {"title": f"{diagnostic.code} {diagnostic.name}", "file": os.path.abspath(place.path), **_range(place)}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = f"{place}: {diagnostic.code} {explained(diagnostic)}"
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(text)}"


def _range(place: Place) -> dict[str, object]:
    if place.cell:
        return {}
    return {"line": place.row, "col": place.column, "endLine": place.end_row, "endColumn": place.end_column}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
