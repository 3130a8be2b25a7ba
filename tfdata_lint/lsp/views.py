"""What is shown of pipelines: hover, inlay hints, symbols, lenses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from tfdata_lint.lint.diagnostics import Diagnostic, Placer
from tfdata_lint.lsp.analysis import Analysis
from tfdata_lint.lsp.documents import Document, range_of
from tfdata_lint.lsp.greeting import EXPLAIN, VERIFY
from tfdata_lint.lsp.runtime import is_kept, remarks
from tfdata_lint.output.escapes import markdown_block, markdown_span
from tfdata_lint.output.pipelines import pipelines
from tfdata_lint.output.shared import noted
from tfdata_lint.pipeline.nouns.elements import changed, said
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.text import flags, one_line
from tfdata_lint.source.module import Source
from tfdata_lint.source.visible import visible

#: Characters of what was measured that stand beside the code.
_GLANCE = 100
#: Longer pipelines are cut at their beginning.
_LONGEST = 400


class View:
    """The pipelines of a document, and where they stand in its texts."""

    def __init__(self, document: Document, source: Source, graph: PipelineGraph) -> None:
        self.document = document
        self.graph = graph
        self._source = source
        self._places = Placer(source)

    def __del__(self) -> None:
        self.graph.close()

    def hover(self, uri: str, position: types.Position) -> str:
        """What is to be said about the stage there."""
        at = self._at(uri, position)
        inside = [stage for stage in self._stages() if _holds(stage.span, at)]
        smallest = min(map(_size, (stage.span for stage in inside)), default=None)
        said = dict.fromkeys(self._about(stage) for stage in inside if _size(stage.span) == smallest)
        return "\n\n---\n\n".join(said)

    def hints(self, uri: str, rows: types.Range) -> Iterator[types.InlayHint]:
        """What is worth knowing at a glance, behind each stage."""
        seen: set[tuple[int, int]] = set()
        for stage in self._stages():
            span = self._range(stage.span, uri)
            words = [*self._words(stage), *filter(None, [changed(stage)])]
            if span is None or not words or not rows.start.line <= span.end.line <= rows.end.line:
                continue
            if (end := (span.end.line, span.end.character)) not in seen:
                seen.add(end)
                yield types.InlayHint(span.end, visible(", ".join(words)), padding_left=True)

    def symbols(self, uri: str) -> Iterator[types.DocumentSymbol]:
        """The pipelines of a text, with their stages."""
        for dataset, what in self._pipelines():
            stages = [stage for stage in reversed(list(upstream(dataset))) if stage.span.file == self.document.path]
            children = []
            for stage in stages:
                if (span := self._range(stage.span, uri)) is not None:
                    detail = ", ".join(flags(stage))
                    children.append(types.DocumentSymbol(stage.op, types.SymbolKind.Function, span, span, detail))
            if not children or self._range(next(tips(dataset)).span, uri) is None:
                continue
            children.sort(key=lambda symbol: (symbol.range.start.line, symbol.range.start.character))
            last = max((child.range.end for child in children), key=lambda end: (end.line, end.character))
            whole = types.Range(children[0].range.start, last)
            name = visible(_shortened(one_line(dataset)))
            kind = types.SymbolKind.Variable
            yield types.DocumentSymbol(name, kind, whole, children[0].range, what, children=children)

    def lenses(self, uri: str) -> Iterator[types.CodeLens]:
        """`Verify` above each function that has a pipeline, above the first one of a module itself, of a notebook."""
        seen: set[str] = set()
        for dataset, _ in self._pipelines():
            # A function of another file is no target of this one.
            for stage in (one for one in reversed(list(upstream(dataset))) if one.span.file == self.document.path):
                span = self._range(stage.span, uri)
                definition = "" if self.document.is_notebook else stage.context.definition
                if span is not None and definition not in seen:
                    seen.add(definition)
                    arguments = [self.document.uri, definition]
                    yield types.CodeLens(span, types.Command("Verify", VERIFY, arguments=arguments))
                    break

    def _pipelines(self) -> Iterator[tuple[Dataset, str]]:
        for pipeline in pipelines(self.graph):
            ends = dict.fromkeys(consumer.kind for consumer in pipeline.consumers)
            yield pipeline.dataset, ", ".join(ends) or "not consumed"

    def _stages(self) -> Iterable[Stage]:
        return (stage for stage in self.graph.stages if stage.span.file == self.document.path and not stage.is_opaque)

    def _about(self, stage: Stage) -> str:
        words = self._words(stage)
        lines = [f"**{stage.op}**" + (f" · {', '.join(words)}" if words else "")]
        lines.append(markdown_block(_shortened(one_line(stage))))
        if elements := said(stage):
            lines.append(f"Elements: {markdown_span(elements)}")
        lines += [f"- {visible(remark)}" for remark in remarks(self.graph, stage)]
        return "\n".join(lines)

    def _words(self, stage: Stage) -> list[str]:
        words = flags(stage)
        if stage.op in ("map", "interleave") and "parallel" not in words:
            words.insert(0, "sequential")
        if is_kept(self.graph, stage):
            words.append("cached later")
        return words

    def _range(self, span: Span, uri: str) -> types.Range | None:
        place = self._places.place(span)
        text = self.document.text(place.cell)
        return range_of(place, text.units) if text.uri == uri else None

    def _at(self, uri: str, position: types.Position) -> tuple[int, int]:
        """The row and the column in bytes that the engine has for a position."""
        cell = self.document.cell(uri)
        text = self.document.text(cell)
        first = next((rows.first for rows in self._source.cells if rows.number == cell), 1)
        before = text.row(position.line)[: text.column(position)]
        return first + position.line, len(before.encode("utf-8", "replace"))


def measured_hints(analysis: Analysis, uri: str, rows: types.Range) -> Iterator[types.InlayHint]:
    """What was measured, behind each finding that it is about."""
    for where, diagnostic in _measured(analysis, uri):
        if rows.start.line <= where.end.line <= rows.end.line:
            said = visible(noted(diagnostic))
            yield types.InlayHint(where.end, _at_a_glance(said), tooltip=said, padding_left=True)


def measured_lenses(analysis: Analysis, uri: str) -> Iterator[types.CodeLens]:
    """The same above its row; a click explains the rule."""
    for where, diagnostic in _measured(analysis, uri):
        title = f"{diagnostic.code} {_at_a_glance(visible(noted(diagnostic)))}"
        yield types.CodeLens(where, types.Command(title, EXPLAIN, arguments=[diagnostic.code]))


def _measured(analysis: Analysis, uri: str) -> Iterator[tuple[types.Range, Diagnostic]]:
    document = analysis.document
    for diagnostic in analysis.diagnostics:
        text = document.text(diagnostic.place.cell)
        if diagnostic.evidence is not None and text.uri == uri:
            yield range_of(diagnostic.place, text.units), diagnostic


def _at_a_glance(text: str) -> str:
    return text if len(text) <= _GLANCE else f"{text[:_GLANCE]}…"


def _holds(span: Span, at: tuple[int, int]) -> bool:
    return (span.row, span.column) <= at <= (span.end_row, span.end_column)


def _size(span: Span) -> tuple[int, int]:
    return span.end_row - span.row, span.end_column - span.column


def _shortened(pipeline: str) -> str:
    return pipeline if len(pipeline) <= _LONGEST else f"… {pipeline[-_LONGEST:]}"
