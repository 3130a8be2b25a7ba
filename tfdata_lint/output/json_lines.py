"""Findings as JSON, one on each line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tfdata_lint.output.json import as_data
from tfdata_lint.source.visible import json_text

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """The objects of the format `json`."""
    return "\n".join(json_text(json.dumps(as_data(diagnostic))) for diagnostic in diagnostics)
