"""Code actions: what can be done about the findings of a document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from tfdata_lint import rules
from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix, Placer
from tfdata_lint.lsp import convert
from tfdata_lint.lsp.analysis import Analysis, Analyst
from tfdata_lint.lsp.documents import Document, range_of
from tfdata_lint.lsp.greeting import EXPLAIN, FIX_ALL, NOTEBOOK_FIX_ALL, QUICK_FIX
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.source.module import load
from tfdata_lint.source.visible import visible


@dataclass(frozen=True, slots=True)
class Asked:
    """Where actions are asked for, and of what kinds."""

    uri: str
    range: types.Range
    only: tuple[str, ...] | None

    def wants(self, kind: str) -> bool:
        return self.only is None or any(kind == only or kind.startswith(f"{only}.") for only in self.only)


def offered(analysis: Analysis, asked: Asked, writer: Writer, locate: convert.Locate) -> Iterator[types.CodeAction]:
    """The actions there. Some get their edit only when they are resolved, for which they carry data."""
    document = analysis.document
    if asked.wants(QUICK_FIX):
        cell = document.cell(asked.uri)
        here = [d for d in analysis.diagnostics if d.place.cell == cell and _meet(d, document, asked.range)]
        for diagnostic in here:
            yield from _about(diagnostic, analysis, writer, locate)
    kind = NOTEBOOK_FIX_ALL if document.is_notebook else FIX_ALL
    if asked.wants(kind) and any(_is_safe(d.fix) and not d.fix.is_needless for d in analysis.diagnostics if d.fix):
        title = "Fix all that tfdata-lint can fix safely"
        yield types.CodeAction(title, kind, data={"uri": document.uri, "fix": ""})


def _about(
    diagnostic: Diagnostic, analysis: Analysis, writer: Writer, locate: convert.Locate
) -> Iterator[types.CodeAction]:
    document, code = analysis.document, diagnostic.code
    shown = [convert.diagnostic(diagnostic, document, locate)]
    fixes = (diagnostic.fix, *diagnostic.alternatives)
    for fix in fixes:
        if fix is not None and (_is_safe(fix) or _is_unsafe(fix)):
            yield types.CodeAction(
                _title(fix, code),
                QUICK_FIX,
                diagnostics=shown,
                is_preferred=fix is diagnostic.fix and fix.applicability == "safe" and not fix.is_needless,
                edit=writer.edit(document, convert.edits_of(fix, document)),
            )
    unsafe = diagnostic.fix is not None and diagnostic.fix.applicability == "unsafe"
    same = [d for d in analysis.diagnostics if d.code == code and (_is_safe(d.fix) or (unsafe and _is_unsafe(d.fix)))]
    if diagnostic in same and len(same) > 1:
        count = sum(_is_unsafe(d.fix) for d in same)
        yield types.CodeAction(
            f"Fix all {len(same)} {code} ({diagnostic.name}) in this {_kind(document)}"
            + (f", {count} of them unsafe" if count else ""),
            QUICK_FIX,
            diagnostics=shown,
            data={"uri": document.uri, "fix": code, "unsafe": unsafe},
        )
    rule = rules.rule(code)
    if rule is None or rule.group != "meta":
        place = diagnostic.place
        yield types.CodeAction(
            f"Suppress {code} here with a comment",
            QUICK_FIX,
            diagnostics=shown,
            data={"uri": document.uri, "suppress": code, "cell": place.cell, "row": place.row},
        )
    title = f"Explain {code} ({diagnostic.name})"
    yield types.CodeAction(title, QUICK_FIX, diagnostics=shown, command=types.Command(title, EXPLAIN, arguments=[code]))


async def resolved(action: types.CodeAction, analysis: Analysis, analyst: Analyst, writer: Writer) -> types.CodeAction:
    """The action with its edit, for the document as it is now."""
    data: dict[str, Any] = action.data if isinstance(action.data, dict) else {}
    document = analysis.document
    if "fix" in data and document.is_exact:
        after = await analyst.fixed(analysis, str(data["fix"]), bool(data.get("unsafe")))
        action.edit = writer.edit(document, _rewritten(document, after))
    elif "suppress" in data:
        edits = await analyst.call(lambda: _suppression(document, data["suppress"], data["cell"], data["row"]))
        action.edit = writer.edit(document, edits)
    return action


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes edits as a client understands them."""

    versioned: bool

    def edit(self, document: Document, edits: dict[str, list[types.TextEdit]]) -> types.WorkspaceEdit:
        if not self.versioned:
            return types.WorkspaceEdit(changes=edits)
        versions = {text.uri: text.version for text in document.texts}
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri)), each)
                for uri, each in edits.items()
            ]
        )


def _rewritten(document: Document, after: bytes | None) -> dict[str, list[types.TextEdit]]:
    if after is None:
        return {}
    if not document.is_notebook:
        return {document.uri: convert.edits_between(document.texts[0], after.decode(document.encoding))}
    cells = [cell["source"] for cell in json.loads(after)["cells"]]
    changed = [(text, new) for text, new in zip(document.texts, cells, strict=True) if text.content != new]
    return {text.uri: convert.edits_between(text, new) for text, new in changed}


def _suppression(document: Document, code: str, cell: int | None, row: int) -> dict[str, list[types.TextEdit]]:
    source = load(document.content, document.path)
    first = next((rows.first for rows in source.cells if rows.number == cell), 1)
    places = Placer(source)
    edits = []
    for new in source.suppressions.additions([(code, first + row - 1)]):
        span = Span(source.path, new.row, new.column, new.end_row, new.end_column)
        edits.append(PlacedEdit(places.place(span), new.text))
    return convert.edits_of(PlacedFix("safe", "", "", tuple(edits)), document)


def _meet(diagnostic: Diagnostic, document: Document, there: types.Range) -> bool:
    here = range_of(diagnostic.place, document.text(diagnostic.place.cell).units)
    return _point(here.start) <= _point(there.end) and _point(there.start) <= _point(here.end)


def _point(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _title(fix: PlacedFix, code: str) -> str:
    if fix.applicability == "safe":
        return visible(f"{fix.title} ({code})")
    return visible(f"{fix.title} ({code}, unsafe: {fix.reason})" if fix.reason else f"{fix.title} ({code}, unsafe)")


def _is_safe(fix: PlacedFix | None) -> bool:
    return fix is not None and fix.can_be_applied and fix.applicability == "safe"


def _is_unsafe(fix: PlacedFix | None) -> bool:
    return fix is not None and fix.can_be_applied and fix.applicability == "unsafe"


def _kind(document: Document) -> str:
    return "notebook" if document.is_notebook else "file"
