"""Recovered pipelines as drawings: for Graphviz, for Mermaid, and as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tfdata_lint.output.escapes import dot_string, mermaid_string
from tfdata_lint.output.pipelines import WORDS, Pipeline, branches, pipelines, place_text
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage, tips, upstream
from tfdata_lint.pipeline.nouns.text import conditions_text, flags, one_line

if TYPE_CHECKING:
    from tfdata_lint.source.module import Source


class Node(NamedTuple):
    """A box of a drawing. `kind`: `stage`, `consumer` or `nested`."""

    name: str
    title: str
    place: str
    kind: str
    stage: Stage | None = None


class Edge(NamedTuple):
    start: str
    end: str
    label: str
    """The conditions under which elements go this way."""
    is_nested: bool = False
    """A function makes what it comes from."""


def drawing(graphs: list[tuple[Source, PipelineGraph]], form: str) -> str:
    """The pipelines of some files for Graphviz (`dot`) or Mermaid."""
    drawn = [drawn_of(source, graph, number) for number, (source, graph) in enumerate(graphs)]
    nodes = [node for nodes, _ in drawn for node in nodes]
    edges = [edge for _, edges in drawn for edge in edges]
    return _dot(nodes, edges) if form == "dot" else _mermaid(nodes, edges)


def drawn_of(source: Source, graph: PipelineGraph, file_number: int = 0) -> tuple[list[Node], list[Edge]]:
    """What is drawn of a file: each stage once, after what it takes elements from, and each consumer."""
    names = {id(stage): f"s{file_number}_{number}" for number, stage in enumerate(graph.stages)}
    found = pipelines(graph)
    shown = {id(s): s for p in found for s in upstream(p.dataset) if id(s) in names}
    nodes: list[Node] = []
    edges: list[Edge] = []
    for stage in shown.values():
        label = stage.op + (f" [{', '.join(flags(stage))}]" if flags(stage) else "")
        nodes.append(Node(names[id(stage)], label, place_text(source, stage.span), "stage", stage))
        for origin in stage.inputs:
            for tip, conditions in branches(origin):
                if id(tip) in names:
                    edges.append(Edge(names[id(tip)], names[id(stage)], conditions_text(conditions)))
        if stage.nested is not None:
            inner = [names[id(tip)] for tip in tips(stage.nested) if id(tip) in names]
            nodes += [Node(name, one_line(stage.nested), "", "nested") for name in inner]
            edges += [Edge(name, names[id(stage)], "nested", True) for name in inner]
    for number, pipeline in enumerate(found):
        for node, ends in _consumers(source, pipeline, names, f"c{file_number}_{number}"):
            nodes.append(node)
            edges += ends
    return nodes, list(dict.fromkeys(edges))


def _consumers(
    source: Source, pipeline: Pipeline, names: dict[int, str], prefix: str
) -> Iterator[tuple[Node, list[Edge]]]:
    for consumer in {(c.kind, c.span.row): c for c in pipeline.consumers}.values():
        name = f"{prefix}_{consumer.span.row}_{consumer.kind}"
        words = WORDS.get(consumer.kind, consumer.kind)
        edges = [
            Edge(names[id(tip)], name, conditions_text(conditions))
            for tip, conditions in branches(pipeline.dataset)
            if id(tip) in names
        ]
        yield Node(name, words, place_text(source, consumer.span), "consumer"), edges


def _dot(nodes: list[Node], edges: list[Edge]) -> str:
    shapes = {"stage": "box", "consumer": "ellipse", "nested": "note"}
    lines = ["digraph pipelines {", "  rankdir=TB;", '  node [fontname="Helvetica"];']
    lines += [f"  {node.name} [label={dot_string(_label(node))}, shape={shapes[node.kind]}];" for node in nodes]
    for start, end, label, _ in edges:
        lines.append(f"  {start} -> {end}" + (f" [label={dot_string(label)}];" if label else ";"))
    return "\n".join([*lines, "}"]) + "\n"


def _mermaid(nodes: list[Node], edges: list[Edge]) -> str:
    shapes = {"stage": ("[", "]"), "consumer": ("([", "])"), "nested": ("[/", "/]")}
    lines = ["flowchart TB"]
    for node in nodes:
        opening, closing = shapes[node.kind]
        lines.append(f"  {node.name}{opening}{mermaid_string(_label(node))}{closing}")
    for start, end, label, _ in edges:
        lines.append(f"  {start} -->|{mermaid_string(label)}| {end}" if label else f"  {start} --> {end}")
    return "\n".join(lines) + "\n"


def _label(node: Node) -> str:
    return f"{node.title}\n{node.place}" if node.place else node.title
