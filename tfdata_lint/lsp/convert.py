"""Findings in the terms of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from functools import cache

from lsprotocol import types
from pygls.uris import from_fs_path

from tfdata_lint import rules
from tfdata_lint.lint.diagnostics import Diagnostic, PlacedFix
from tfdata_lint.lsp.documents import Document, Text, Units, range_of
from tfdata_lint.output.shared import level, noted
from tfdata_lint.rules.meta import UnusedSuppression
from tfdata_lint.source.places import Place
from tfdata_lint.source.replacement import changed_part
from tfdata_lint.source.visible import visible

SOURCE = "tfdata-lint"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "advice": types.DiagnosticSeverity.Hint,
}

#: Gives the URI of a file.
Locate = Callable[[str], str]


def diagnostic(found: Diagnostic, document: Document, locate: Locate) -> types.Diagnostic:
    """A finding with what it costs and what to do, the places that it names, and a link to the page of its rule."""
    units = document.texts[0].units if document.texts else Units()
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(_uri(other.place, document, locate), range_of(other.place, units)), visible(other.message)
        )
        for other in found.related
    ]
    page = page_uri(found.code)
    return types.Diagnostic(
        range=range_of(found.place, units),
        severity=_SEVERITIES[level(found)],
        code=found.code,
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        message="\n".join(map(visible, filter(None, (found.message, noted(found), found.cost, found.advice)))),
        tags=_tags(found.code),
        related_information=related or None,
    )


def by_text(found: Iterable[Diagnostic], document: Document) -> dict[str, list[Diagnostic]]:
    """The findings of each text of a document, by its URI."""
    sorted_: dict[str, list[Diagnostic]] = {text.uri: [] for text in document.texts}
    for one in found:
        if document.texts:
            sorted_[document.text(one.place.cell).uri].append(one)
    return sorted_


def edits_of(fix: PlacedFix, document: Document) -> dict[str, list[types.TextEdit]]:
    """The edits of a fix, for each text."""
    edits: dict[str, list[types.TextEdit]] = {}
    for edit in fix.edits or ():
        text = document.text(edit.place.cell)
        new = edit.text.replace("\n", text.newline)
        edits.setdefault(text.uri, []).append(types.TextEdit(range_of(edit.place, text.units), new))
    return edits


def edits_between(text: Text, after: str) -> list[types.TextEdit]:
    """What makes a text another one, row by row, so that cursors and marks stay where they are."""
    before = text.rows
    new = Text(text.uri, text.version, after, text.units).rows
    start, same = changed_part(before, new)
    before_rows, new_rows = before[start : len(before) - same], new[start : len(new) - same]
    edits = []
    for tag, first, last, new_first, new_last in SequenceMatcher(None, before_rows, new_rows, False).get_opcodes():
        if tag != "equal":
            first_offset = text.starts[start + first]
            end = start + last
            last_offset = text.starts[end] if end < len(text.starts) else len(text.content)
            span = types.Range(text.position(first_offset), text.position(last_offset))
            edits.append(types.TextEdit(span, "".join(new_rows[new_first:new_last])))
    return edits


@cache
def page_uri(code: str) -> str | None:
    """Where the page of a rule lies."""
    rule = rules.rule(code)
    page = rules.page_file(rule) if rule else None
    return from_fs_path(page) if page else None


def _uri(place: Place, document: Document, locate: Locate) -> str:
    if place.path == document.path:
        return document.text(place.cell).uri
    return locate(place.path)


@cache
def _tags(code: str) -> list[types.DiagnosticTag] | None:
    rule = rules.rule(code)
    if isinstance(rule, UnusedSuppression):
        return [types.DiagnosticTag.Unnecessary]
    return [types.DiagnosticTag.Deprecated] if rule and rule.group == "upgrade" else None
