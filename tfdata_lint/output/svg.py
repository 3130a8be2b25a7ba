"""Recovered pipelines with what was found in them, as one SVG or as a page: sources on top, consumers at the bottom."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from tfdata_lint.output.calls import Marks, arguments_text
from tfdata_lint.output.drawings import Edge, Node, drawn_of
from tfdata_lint.pipeline.nouns.elements import changed
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.text import one_line
from tfdata_lint.source.visible import visible

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.source.module import Source

#: In pixels: a box, what is between two of them, and what stands beside them.
_WIDTH, _HEIGHT, _DOWN, _BESIDE = 272, 58, 40, 36
_NOTES, _STEM, _MARGIN, _ROW = 400, 24, 16, 16
_SEVERITIES = ("error", "warning", "advice")
#: Columns of the texts in a box, on an edge and beside a box.
_OF_BOX, _OF_EDGE, _OF_NOTE = 38, 36, 62

_STYLE = """
.tfd { color-scheme: light dark; font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
.tfd .soft { font-size: 12px } .tfd .file { font-weight: 600; font-size: 14px }
.tfd .op, .tfd .code { font-weight: 600 } .tfd .box { fill: none; stroke-width: 1.2 }
.tfd .edge { fill: none; stroke-width: 1.5 } .tfd .frame { fill: none; stroke-dasharray: 4 4 }
.tfd .error .box, .tfd .warning .box { stroke-width: 2.2 } .tfd .advice .box { stroke-width: 1.6 }
""".strip()
_COLORED = """.tfd .paper { fill: var(--paper) } .tfd text { fill: var(--ink) } .tfd .soft { fill: var(--soft) }
.tfd .box, .tfd .edge, .tfd .frame { stroke: var(--line) }""" + "".join(
    f"\n.tfd .{name} .box {{ stroke: var(--{name}) }} .tfd text.{name} {{ fill: var(--{name}) }}"
    for name in _SEVERITIES
)
_LIGHT = {
    "paper": "#fff", "ink": "#1d2327", "soft": "#5b6770", "line": "#b4bcc2",
    "error": "#bb2118", "warning": "#8f5500", "advice": "#1f5c9f",
}  # fmt: skip
_PLAIN = re.sub(r"var\(--(\w+)\)", lambda found: _LIGHT[found[1]], _COLORED)
#: Viewers that do not know variables leave out all that stands in `@supports`, and need the colors as they are.
_COLORS = f"""
{_PLAIN}
@supports (color: var(--ink)) {{
.tfd {{ {"; ".join(f"--{name}: {color}" for name, color in _LIGHT.items())} }}
@media (prefers-color-scheme: dark) {{ .tfd {{ --paper: #14181b; --ink: #e6e9ea; --soft: #a3aeb5; --line: #4b565e;
 --error: #ff7b6e; --warning: #e5a84b; --advice: #74aee8 }} }}
{_COLORED}
.tfd .type {{ paint-order: stroke; stroke: var(--paper); stroke-width: 4px }}
}}"""


class _Place(NamedTuple):
    """Where a box is, counted in boxes."""

    row: int
    column: int


def svg(graphs: list[tuple[Source, PipelineGraph]], findings: Iterable[Diagnostic]) -> str:
    """All pipelines of some files, each file below the one before it."""
    marks = Marks(findings)
    parts, y, width = [], _MARGIN, 0
    for number, (source, graph) in enumerate(graphs):
        nodes, edges = drawn_of(source, graph, number)
        if not nodes:
            continue
        parts.append(f'<text class="file" x="{_MARGIN}" y="{y + 12}">{_text(source.path)}</text>')
        y += 30
        for group in _connected([n for n in nodes if n.kind != "nested"], [e for e in edges if not e.is_nested]):
            drawn = _Drawing(source, *group, marks)
            parts.append(f'<g transform="translate({_MARGIN} {y})">{"".join(drawn.parts())}</g>')
            y += drawn.height + _DOWN
            width = max(width, drawn.width)
    size = f'width="{width + 2 * _MARGIN}" height="{y}" viewBox="0 0 {width + 2 * _MARGIN} {y}"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="tfd" role="img" '
        f'aria-label="Pipelines and what was found in them" {size}>'
        f'<style>{_STYLE}{_COLORS}</style><rect class="paper" width="100%" height="100%"/>{"".join(parts)}</svg>\n'
    )


def page(drawing: str) -> str:
    """The same as a page of HTML that needs nothing else."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>tf.data pipelines</title>'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        "<style>body { margin: 0 } svg { max-width: 100%; height: auto }</style></head>\n"
        f"<body>{drawing}</body></html>\n"
    )


class _Drawing:
    """What hangs together: stages and consumers, each in a row below all that it takes elements from."""

    def __init__(self, source: Source, nodes: Sequence[Node], edges: Sequence[Edge], marks: Marks) -> None:
        self.source, self.nodes, self.edges = source, nodes, edges
        self.at = _places(nodes, edges)
        self.taken = {*self.at.values()}
        self.stages = {node.name: node.stage for node in nodes}
        self.found = {node.name: self._found(node, marks) for node in nodes}
        columns = 1 + max(place.column for place in self.at.values())
        self.right = columns * _WIDTH + (columns - 1) * _BESIDE
        self.width = self.right + (_BESIDE + _NOTES if any(self.found.values()) else 0)
        self.height = self._y(1 + max(place.row for place in self.at.values())) - _DOWN

    def parts(self) -> Iterator[str]:
        yield from self._frames()
        # Paths first, so that no line crosses a text; each text once.
        yield from sorted({part for edge in self.edges for part in self._edge(edge)})
        for node in self.nodes:
            yield self._box(node)
        yield from self._notes()

    def _found(self, node: Node, marks: Marks) -> list[Diagnostic]:
        if node.stage is None:
            return []
        found = [d for stage in _nested(node.stage) for d in marks.of(self.source, stage)]
        return sorted(dict.fromkeys(found), key=lambda d: _SEVERITIES.index(d.severity))

    def _x(self, column: int) -> int:
        return column * (_WIDTH + _BESIDE)

    def _y(self, row: int) -> int:
        return row * (_HEIGHT + _DOWN)

    def _edge(self, edge: Edge) -> tuple[str, ...]:
        start, end = self.at[edge.start], self.at[edge.end]
        x, y = self._x(start.column) + _STEM, self._y(start.row) + _HEIGHT
        to_x, to_y = self._x(end.column) + _STEM, self._y(end.row)
        if any((row, start.column) in self.taken for row in range(start.row + 1, end.row)):
            # Past the stages that are left out.
            out = self._x(start.column) - 10
            down, up = y + 20, to_y - 20
            line = f"M{x - 12} {y}C{out} {down} {out} {down} {out} {y + 44}V{to_y - 44}"
            return (f'<path class="edge" d="{line}C{out} {up} {out} {up} {to_x - 12} {to_y}"/>',)
        line = f"M{x} {y}V{to_y}" if x == to_x else f"M{x} {y}V{to_y - 28}C{x} {to_y} {to_x} {to_y - 28} {to_x} {to_y}"
        stage = self.stages[edge.start]
        words = [f"if {edge.label}" if edge.label else "", changed(stage) if stage is not None else ""]
        # What is not known of an element has no letters.
        text = "  ".join(_cut(word, _OF_EDGE) for word in words if any(map(str.isalpha, word)))
        told = f'<text class="soft type" x="{x + 8}" y="{y + 24}">{_text(text)}</text>' if text else ""
        return f'<path class="edge" d="{line}"/>', told

    def _box(self, node: Node) -> str:
        place = self.at[node.name]
        found = self.found[node.name]
        css = found[0].severity if found else ""
        title = "".join(f"{d.code} {d.message}. {d.advice}.\n" for d in found)
        round_by = 8 if node.kind == "stage" else _HEIGHT / 2
        lines = [words for words in (node.title, self._arguments(node), node.place) if words]
        top = (_HEIGHT - _ROW * len(lines)) // 2
        text = "".join(
            f'<text class="{"soft" if number else "op"}" x="14" y="{top + 12 + number * _ROW}">'
            f"{_text(_cut(words, _OF_BOX))}</text>"
            for number, words in enumerate(lines)
        )
        return (
            f'<g class="{css}" transform="translate({self._x(place.column)} {self._y(place.row)})">'
            f'<title>{_text(title or node.title)}</title><rect class="box" width="{_WIDTH}" height="{_HEIGHT}" '
            f'rx="{round_by:g}"/>{text}</g>'
        )

    def _arguments(self, node: Node) -> str:
        stage = node.stage
        if stage is None:
            return ""
        if stage.nested is not None:
            return f"· {one_line(stage.nested)}"
        function = stage.function.name if stage.function is not None else ""
        return "  ".join(filter(None, [function, *(f"{n}={text}" for n, text in arguments_text(self.source, stage))]))

    def _frames(self) -> Iterator[str]:
        """Around neighbors in a column that run under the same conditions."""
        groups: list[tuple[str, _Place, int]] = []
        for node in sorted(self.nodes, key=lambda node: self.at[node.name][::-1]):
            place = self.at[node.name]
            under = self._condition(node)
            if groups and groups[-1][0] == under and groups[-1][1] == place._replace(row=place.row - groups[-1][2]):
                groups[-1] = (under, groups[-1][1], groups[-1][2] + 1)
            else:
                groups.append((under, place, 1))
        for under, place, count in groups:
            if under:
                height = self._y(count) - _DOWN + 16
                told = _text(_cut(under, 24))
                yield (
                    f'<rect class="frame" x="{self._x(place.column) - 6}" y="{self._y(place.row) - 8}" '
                    f'width="{_WIDTH + 12}" height="{height}" rx="10"/><text class="soft" text-anchor="end" '
                    f'x="{self._x(place.column) + _WIDTH}" y="{self._y(place.row) - 13}">if {told}</text>'
                )

    def _condition(self, node: Node) -> str:
        return "" if node.stage is None else " and ".join(map(str, node.stage.context.conditions))

    def _notes(self) -> Iterator[str]:
        """What was found, beside the row in which it is."""
        rows: dict[int, list[Diagnostic]] = defaultdict(list)
        for node in self.nodes:
            rows[self.at[node.name].row] += self.found[node.name]
        for row, found in rows.items():
            lines = [line for diagnostic in found for line in _note(diagnostic)]
            fitting = (_HEIGHT + _DOWN) // _ROW
            if len(lines) > fitting:
                lines = [*lines[: fitting - 1], ("soft", "…")]
            for number, (css, words) in enumerate(lines):
                y = self._y(row) + 14 + number * _ROW
                yield f'<text class="{css}" x="{self.right + _BESIDE}" y="{y}">{_text(words)}</text>'


def _note(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    yield f"code {diagnostic.severity}", f"{diagnostic.code} {diagnostic.name}"
    yield from (
        ("soft", line) for line in wrap(diagnostic.message.replace("`", ""), _OF_NOTE, max_lines=2, placeholder=" …")
    )


def _nested(stage: Stage) -> Iterator[Stage]:
    """A stage with all that is nested in it."""
    yield stage
    if stage.nested is not None:
        yield from upstream(stage.nested)


def _connected(nodes: Sequence[Node], edges: Sequence[Edge]) -> Iterator[tuple[list[Node], list[Edge]]]:
    """What hangs together, in the order of its first node."""
    beside: dict[str, list[str]] = defaultdict(list)
    for start, end, *_ in edges:
        beside[start].append(end)
        beside[end].append(start)
    group: dict[str, int] = {}
    for number, node in enumerate(nodes):
        todo = [node.name]
        while todo:
            if (name := todo.pop()) not in group:
                group[name] = number
                todo += beside[name]
    for number in dict.fromkeys(group[node.name] for node in nodes):
        yield [n for n in nodes if group[n.name] == number], [e for e in edges if group[e.start] == number]


def _places(nodes: Sequence[Node], edges: Sequence[Edge]) -> dict[str, _Place]:
    """A row for each node, below all before it; the column of the first of these where that is free."""
    before: dict[str, list[str]] = {node.name: [] for node in nodes}
    after: dict[str, list[str]] = defaultdict(list)
    for start, end, *_ in edges:
        before[end].append(start)
        after[start].append(end)
    rows: dict[str, int] = {}
    for node in nodes:
        _row(node.name, before, rows)
    # A branch that another one waits for begins as late as it can.
    for name in sorted(rows, key=lambda name: -rows[name]):
        if after[name]:
            rows[name] = max(rows[name], min(rows[end] for end in after[name]) - 1)
    at: dict[str, _Place] = {}
    taken: set[_Place] = set()
    for name in sorted(rows, key=lambda name: (rows[name], not before[name])):
        column = min((at[origin].column for origin in before[name]), default=0)
        while _Place(rows[name], column) in taken:
            column += 1
        at[name] = _Place(rows[name], column)
        taken.add(at[name])
    return at


def _row(name: str, before: Mapping[str, list[str]], rows: dict[str, int]) -> None:
    """Below the lowest of those before it. What a loop leads back to is passed over."""
    todo, entered = [name], set[str]()
    while todo:
        if (top := todo[-1]) not in entered:
            entered.add(top)
            todo += (origin for origin in before[top] if origin not in entered and origin not in rows)
            continue
        todo.pop()
        if top not in rows:
            rows[top] = 1 + max((rows[origin] for origin in before[top] if origin in rows), default=-1)


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1] + "…"


def _text(text: str) -> str:
    return escape(visible(text))
