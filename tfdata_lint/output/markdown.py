"""Findings as a table in Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfdata_lint.lint.diagnostics import is_folded, rank
from tfdata_lint.output.escapes import markdown_code, markdown_text
from tfdata_lint.output.shared import explained
from tfdata_lint.output.summary import counted, fixable

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic

#: Comments on GitHub have 65,536 characters at most.
LONGEST = 60_000


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """A heading and a table, the worst first; cut where a comment would be too long."""
    if not diagnostics:
        return "### tfdata-lint\n\nNo findings."
    counts: Counter[str] = Counter(diagnostic.severity for diagnostic in diagnostics)
    lines = ["### tfdata-lint", "", f"Found {counted(counts)}.", "", "| place | finding |", "|---|---|"]
    length = 0
    rows = [_row(diagnostic) for diagnostic in sorted(diagnostics, key=_order)]
    for number, row in enumerate(rows):
        length += len(row)
        if length > LONGEST:
            lines += ["", f"And {len(rows) - number} more."]
            break
        lines.append(row)
    if fixes := list(fixable(diagnostics, unsafe=False, fixing=False)):
        lines += ["", *fixes]
    return "\n".join(lines)


def _order(diagnostic: Diagnostic) -> tuple[bool, int, float]:
    """What is folded comes last; the worst first, and of the same severity what costs most."""
    return is_folded(diagnostic), rank(diagnostic), -diagnostic.evidence.cost if diagnostic.evidence else 0.0


def _row(diagnostic: Diagnostic) -> str:
    what = f"{diagnostic.severity} **{diagnostic.code}** {diagnostic.name}"
    return f"| {markdown_code(str(diagnostic.place))} | {what}<br>{markdown_text(explained(diagnostic))} |"
