"""Recovered pipelines as drawings, for Graphviz and Mermaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdata_lint.output.escapes import dot_string, mermaid_string
from tfdata_lint.output.pipelines import WORDS, branches, pipelines, place_text
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import tips, upstream
from tfdata_lint.pipeline.nouns.text import conditions_text, flags, one_line

if TYPE_CHECKING:
    from tfdata_lint.source.module import Source


def drawing(graphs: list[tuple[Source, PipelineGraph]], form: str) -> str:
    """The pipelines of some files for Graphviz (`dot`) or Mermaid."""
    nodes: list[tuple[str, str, str]] = []
    edges: list[tuple[str, str, str]] = []
    for file_number, (source, graph) in enumerate(graphs):
        names = {id(stage): f"s{file_number}_{number}" for number, stage in enumerate(graph.stages)}
        shown = [stage for p in pipelines(graph) for stage in upstream(p.dataset) if id(stage) in names]
        for stage in {id(stage): stage for stage in shown}.values():
            label = stage.op + (f" [{', '.join(flags(stage))}]" if flags(stage) else "")
            nodes.append((names[id(stage)], f"{label}\n{place_text(source, stage.span)}", "stage"))
            for origin in stage.inputs:
                for tip, conditions in branches(origin):
                    if id(tip) in names:
                        edges.append((names[id(tip)], names[id(stage)], conditions_text(conditions)))
            if stage.nested is not None:
                for tip in tips(stage.nested):
                    if id(tip) in names:
                        nodes.append((names[id(tip)], one_line(stage.nested), "nested"))
                        edges.append((names[id(tip)], names[id(stage)], "nested"))
        for number, pipeline in enumerate(pipelines(graph)):
            for consumer in {(c.kind, c.span.row): c for c in pipeline.consumers}.values():
                name = f"c{file_number}_{number}_{consumer.span.row}_{consumer.kind}"
                words = WORDS.get(consumer.kind, consumer.kind)
                nodes.append((name, f"{words}\n{place_text(source, consumer.span)}", "consumer"))
                for tip, conditions in branches(pipeline.dataset):
                    if id(tip) in names:
                        edges.append((names[id(tip)], name, conditions_text(conditions)))
    return _dot(nodes, edges) if form == "dot" else _mermaid(nodes, edges)


def _dot(nodes: list[tuple[str, str, str]], edges: list[tuple[str, str, str]]) -> str:
    shapes = {"stage": "box", "consumer": "ellipse", "nested": "note"}
    lines = ["digraph pipelines {", "  rankdir=TB;", '  node [fontname="Helvetica"];']
    lines += [f"  {name} [label={dot_string(label)}, shape={shapes[kind]}];" for name, label, kind in nodes]
    for start, end, label in dict.fromkeys(edges):
        lines.append(f"  {start} -> {end}" + (f" [label={dot_string(label)}];" if label else ";"))
    return "\n".join([*lines, "}"]) + "\n"


def _mermaid(nodes: list[tuple[str, str, str]], edges: list[tuple[str, str, str]]) -> str:
    shapes = {"stage": ("[", "]"), "consumer": ("([", "])"), "nested": ("[/", "/]")}
    lines = ["flowchart TB"]
    for name, label, kind in nodes:
        opening, closing = shapes[kind]
        lines.append(f"  {name}{opening}{mermaid_string(label)}{closing}")
    for start, end, label in dict.fromkeys(edges):
        lines.append(f"  {start} -->|{mermaid_string(label)}| {end}" if label else f"  {start} --> {end}")
    return "\n".join(lines) + "\n"
