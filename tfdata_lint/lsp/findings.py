"""What a hover says of findings and rules: few rows, and a link to the page of each rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from tfdata_lint import rules
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lsp import convert
from tfdata_lint.lsp.analysis import Analysis
from tfdata_lint.lsp.documents import range_of
from tfdata_lint.output.change import change
from tfdata_lint.output.escapes import markdown_prose
from tfdata_lint.output.shared import noted
from tfdata_lint.rules.base import Rule
from tfdata_lint.source.visible import visible

_CODE = re.compile(r"\b[A-Z]+\d+\b", re.IGNORECASE)
_WHY = re.compile(r"^## Why it costs\n+((?:.+\n)+)", re.MULTILINE)
#: So many findings are shown, and so many rows of them and of what is above them.
_FINDINGS, _ROWS = 4, 25
#: With its fences; fewer rows of a diff say nothing.
_SHORTEST = 6


def found_at(analysis: Analysis, uri: str, position: types.Position) -> list[Diagnostic]:
    """Return the findings at a place."""
    cell = analysis.document.cell(uri)
    units = analysis.document.text(cell).units
    return [
        diagnostic
        for diagnostic in analysis.diagnostics
        if diagnostic.place.cell == cell and _is_in(position, range_of(diagnostic.place, units))
    ]


def of_findings(found: Sequence[Diagnostic], above: str) -> str:
    """Return what each costs, what to do, and the rows that its fix changes, below what the hover says already."""
    parts = [_headline(diagnostic) for diagnostic in found[:_FINDINGS]]
    if len(found) > _FINDINGS:
        parts.append(f"… and {len(found) - _FINDINGS} more findings here")
    room = _ROWS - len("\n\n".join([above, "---", *parts]).splitlines())
    for number, diagnostic in enumerate(found[:_FINDINGS]):
        diff = _diff(diagnostic, room)
        parts[number] += "".join(f"  \n{row}" if not at else f"\n{row}" for at, row in enumerate(diff))
        room -= len(diff)
    return "\n\n".join(parts)


def of_rules(analysis: Analysis, uri: str, position: types.Position) -> str:
    """Return what the rules are about whose codes stand there in a comment."""
    text = analysis.document.text(analysis.document.cell(uri))
    row, column = text.row(position.line), text.column(position)
    if "#" not in row[:column]:
        return ""
    codes = [found[0].upper() for found in _CODE.finditer(row) if found.start() <= column <= found.end()]
    return "\n\n".join(_about(rule) for code in dict.fromkeys(codes) if (rule := rules.rule(code)))


def _is_in(position: types.Position, span: types.Range) -> bool:
    start, end = (span.start.line, span.start.character), (span.end.line, span.end.character)
    return start <= (position.line, position.character) <= end


def _headline(diagnostic: Diagnostic) -> str:
    rule = rules.rule(diagnostic.code)
    name = _link(rule) if rule else f"**{diagnostic.code} {diagnostic.name}**"
    rows = (f"{name}: {markdown_prose(diagnostic.message)}", *map(markdown_prose, _said(diagnostic)))
    # Two spaces break a line in Markdown.
    return "  \n".join(row.replace("\n", " ") for row in rows if row)


def _said(diagnostic: Diagnostic) -> list[str]:
    return [f"{part[0].upper()}{part[1:]}." for part in (noted(diagnostic), diagnostic.cost, diagnostic.advice) if part]


def _diff(diagnostic: Diagnostic, room: int) -> list[str]:
    fix = diagnostic.fix
    if fix is None or not fix.edits or not fix.can_be_applied or fix.is_needless or room < _SHORTEST:
        return []
    rows = change(fix.edits, room - 4)
    fence = max(["``", *re.findall("`+", "".join(rows))], key=len) + "`"
    unsafe = [f"Unsafe fix: {markdown_prose(fix.reason)}."] if fix.applicability == "unsafe" else []
    return [*unsafe, f"{fence}diff", *map(visible, rows), fence] if rows else []


def _about(rule: Rule) -> str:
    page = rules.page(rule)
    if page is None:
        return rules.explanation(rule)
    why = _WHY.search(page)
    return f"{_link(rule)}: {rule.summary}." + (f"\n\n{why[1].rstrip()}" if why else "")


def _link(rule: Rule) -> str:
    title = f"**{rule.code} {rule.name}**"
    address = rules.page_address(rule) or convert.page_uri(rule.code)
    return f"[{title}]({address})" if address else title
