"""Findings as flake8 and Ruff print them for programs that read Pylint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tfdata_lint.output.escapes import shown
from tfdata_lint.output.shared import in_cell, in_file, noted

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One line each: `path:row: [code] name: message`."""
    return "\n".join(map(_line, diagnostics))


def _line(diagnostic: Diagnostic) -> str:
    diagnostic = shown(diagnostic)
    place = diagnostic.place
    said = " ".join(filter(None, (diagnostic.message, f"({noted(diagnostic)})" if diagnostic.evidence else "")))
    text = " ".join(f"{in_cell(place)}{diagnostic.name}: {said}".split())
    return f"{place.path}:{in_file(place).row}: [{diagnostic.code}] {text}"
