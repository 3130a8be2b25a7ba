"""Findings as a table in Markdown, for a comment on a pull request."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfdata_lint.lint.diagnostics import rank
from tfdata_lint.output.shared import explained
from tfdata_lint.output.summary import counted, fixable

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic

#: Comments on GitHub have 65,536 characters at most.
LONGEST = 60_000

_CODE_SPAN = re.compile(r"(`[^`]*`)")
#: What is markup outside of code, or would call somebody.
_MARKUP = re.compile(r"[\\*_~<>\[\]&@#]")


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """A heading and a table, the worst first; cut where a comment would be too long."""
    if not diagnostics:
        return "### tfdata-lint\n\nNo findings."
    counts: Counter[str] = Counter(diagnostic.severity for diagnostic in diagnostics)
    lines = ["### tfdata-lint", "", f"Found {counted(counts)}.", "", "| place | finding |", "|---|---|"]
    length = 0
    rows = [_row(diagnostic) for diagnostic in sorted(diagnostics, key=rank)]
    for number, row in enumerate(rows):
        length += len(row)
        if length > LONGEST:
            lines += ["", f"And {len(rows) - number} more."]
            break
        lines.append(row)
    if fixes := list(fixable(diagnostics, unsafe=False, fixing=False)):
        lines += ["", *fixes]
    return "\n".join(lines)


def _row(diagnostic: Diagnostic) -> str:
    what = f"{diagnostic.severity} **{diagnostic.code}** {diagnostic.name}"
    return f"| {_code(str(diagnostic.place))} | {what}<br>{_text(explained(diagnostic))} |"


def _code(text: str) -> str:
    marks = "``" if "`" in text else "`"
    return f"{marks}{_cell(text)}{marks}"


def _text(text: str) -> str:
    """Text as it is written, but for spans of code."""
    parts = _CODE_SPAN.split(text)
    parts[::2] = [_MARKUP.sub(lambda mark: f"&#{ord(mark[0])};", part) for part in parts[::2]]
    return _cell("".join(parts)).replace("\n", "<br>")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
