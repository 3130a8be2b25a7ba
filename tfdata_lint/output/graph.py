"""`tfdata-lint graph`: the recovered pipelines as text, JSON, Graphviz or Mermaid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tfdata_lint.output.calls import Marks, arguments_text
from tfdata_lint.output.drawings import drawing
from tfdata_lint.output.pipelines import WORDS, Pipeline, beside, branches, pipelines, place_text
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.consumers import PULLING, Consumer
from tfdata_lint.pipeline.nouns.elements import changed, said
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.memory import held
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.saving import Saving, saving
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, MappedFunction, Stage, tips
from tfdata_lint.pipeline.nouns.text import Layout, branch_text, conditions_text, flags, one_line
from tfdata_lint.source.visible import json_text, visible

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.source.module import Source

#: Bytes that are worth a word.
_MUCH = 1_000_000


def render(
    graphs: list[tuple[Source, PipelineGraph]],
    form: str,
    color: bool = False,
    findings: Iterable[Diagnostic] = (),
) -> str:
    """All pipelines of some files in one format. The `findings` stand in `text`, `svg` and `html`."""
    if form == "json":
        import json

        return json_text(json.dumps([_as_data(source, graph) for source, graph in graphs], indent=2)) + "\n"
    if form in ("dot", "mermaid"):
        return drawing(graphs, form)
    if form in ("svg", "html"):
        from tfdata_lint.output.svg import page, svg

        return svg(graphs, findings) if form == "svg" else page(svg(graphs, findings))
    marks = Marks(findings)
    return "\n".join(text for source, graph in graphs if (text := _text(source, graph, _Printing(color, marks))))


# ---- text ---------------------------------------------------------------------------------------------------------


def _text(source: Source, graph: PipelineGraph, paint: _Printing) -> str:
    found = pipelines(graph)
    if not found:
        return ""
    lines = [paint.bold(source.path)]
    for pipeline in found:
        lines.append("")
        lines.extend(_headings(source, pipeline, paint))
        lines.extend(_outline(source, pipeline.dataset, Layout(facts=_facts_of(pipeline)), None, "  ", paint))
        lines.extend(_checkpoint(source, pipeline, paint))
    return "\n".join(lines) + "\n"


def _checkpoint(source: Source, pipeline: Pipeline, paint: _Printing) -> Iterator[str]:
    """Whether an iterator can be saved, where that is proven."""
    if (found := _saving(pipeline)) is None:
        return
    text = "yes"
    if found.stage is not None:
        text = f"no: {found.reason} ({found.stage.op}, {place_text(source, found.stage.span)})"
    yield f"  {paint.dim(f'iterator in a checkpoint: {text}')}"


def _saving(pipeline: Pipeline) -> Saving | None:
    # In TensorFlow 1 they are made and saved in other ways.
    is_old = any(consumer.kind in ("make_iterator", "input_fn") for consumer in pipeline.consumers)
    return None if is_old else saving(pipeline.dataset)


def _facts_of(pipeline: Pipeline) -> Facts:
    """Outcomes of tests that hold at every consumer."""
    conditions = [consumer.context.conditions for consumer in pipeline.consumers]
    return (
        Facts(condition for condition in conditions[0] if all(condition in other for other in conditions))
        if conditions
        else Facts()
    )


def _headings(source: Source, pipeline: Pipeline, paint: _Printing) -> Iterator[str]:
    seen: set[str] = set()
    made = {id(consumer.iterator) for consumer in pipeline.consumers if consumer.kind not in PULLING}
    for consumer in pipeline.consumers:
        if consumer.kind in PULLING and id(consumer.iterator) in made:
            continue
        place = consumer.context.definition or _unit(source, consumer.span)
        words = WORDS.get(consumer.kind, consumer.kind)
        extra = [f"by {consumer.target}"] if consumer.kind == "argument" and consumer.target else []
        if consumer.context.in_tf_function:
            extra.append("inside tf.function")
        if consumer.context.in_strategy_scope:
            extra.append("under a strategy scope")
        if consumer.context.loops and consumer.kind not in ("return", "stored"):
            extra.append("in a loop")
        if consumer.context.conditions:
            extra.append(f"if {conditions_text(consumer.context.conditions)}")
        text = f"{words} at {place_text(source, consumer.span)}" + (f" ({', '.join(extra)})" if extra else "")
        if f"{place}{text}" not in seen:
            seen.add(f"{place}{text}")
            yield f"{paint.bold(place)}: {visible(text)}"
    if not pipeline.consumers:
        last = next(tips(pipeline.dataset))
        definition = last.context.definition or _unit(source, last.span)
        yield f"{paint.bold(definition)}: not consumed in this file"


def _unit(source: Source, span: Span) -> str:
    """What a statement outside of functions is in."""
    name = source.marimo_cell(span.row) if span.file == source.path else ""
    return f"cell {visible(name)}" if name else "module"


def _outline(
    source: Source, dataset: Dataset, layout: Layout, stop: Dataset | None, indent: str, paint: _Printing
) -> Iterator[str]:
    units = list(layout.units(dataset, stop))
    if len(shared := paint.shared(units)) > 1:
        yield from _stage_lines(source, shared[-1], indent, paint, is_again=True)
        units = units[len(shared) :]
    for unit in units:
        if not layout.goes_on():
            yield f"{indent}…"
            return
        if isinstance(unit, Stage):
            paint.shown.add(id(unit))
            if len(unit.inputs) > 1:
                for number, origin in enumerate(unit.inputs, 1):
                    yield f"{indent}{paint.dim(f'input {number}:')}"
                    yield from _outline(source, origin, layout, None, indent + "  ", paint)
            yield from _stage_lines(source, unit, indent, paint)
            continue
        meet = layout.meet(unit)
        if unit.loop and meet is not None:
            if not layout.is_earlier_pass(unit, stop):
                yield f"{indent}{paint.dim('each pass of the loop:')}"
                inside = layout.inside_pass(unit)
                yield from _outline(source, unit.branches[-1].dataset, inside, meet, indent + "  ", paint)
            continue
        yield from _arms(source, unit, layout, meet, indent, paint)


def _arms(
    source: Source, join: Join, layout: Layout, meet: Dataset | None, indent: str, paint: _Printing
) -> Iterator[str]:
    word = "if"
    arms = layout.arms(join)
    for number, branch in enumerate(arms):
        lines = list(_outline(source, branch.dataset, layout.inside(branch), meet, indent + "  ", paint))
        is_last = number == len(arms) - 1
        if not lines:
            continue
        otherwise = is_last and word == "or if" and not any(condition.holds for condition in branch.conditions)
        label = "otherwise:" if otherwise else f"{word} {branch_text(branch)}:"
        yield f"{indent}{paint.dim(label)}"
        yield from lines
        word = "or if"


def _stage_lines(
    source: Source, stage: Stage, indent: str, paint: _Printing, *, is_again: bool = False
) -> Iterator[str]:
    """`is_again`: it was shown above, with all that is before it."""
    head = f"{indent}{paint.name(stage.op)}"
    pad = " " * max(1, 26 - len(indent) - len(stage.op))
    row = source.location(stage.span.row, 0)
    place = ":".join(filter(None, (source.cell_name(row), f"{row.row}")))
    if stage.span.file != source.path:
        place = f"{beside(source, stage.span.file)}:{stage.span.row}"
    if is_again:
        yield f"{head}{pad}{paint.dim(f'{place:>5}')}  {paint.dim('as above')}"
        return
    yield f"{head}{pad}{paint.dim(f'{place:>5}')}  {'  '.join(_facts(source, stage, paint))}".rstrip()
    for diagnostic in paint.marks.of(source, stage):
        mark = paint.flag(f"^ {diagnostic.severity} {diagnostic.code}")
        yield f"{indent}{mark} {diagnostic.name}: {visible(diagnostic.message)}"
    if stage.nested is not None:
        yield from _outline(source, stage.nested, Layout(), None, indent + "  · ", paint)


def _facts(source: Source, stage: Stage, paint: _Printing) -> Iterator[str]:
    if stage.is_opaque:
        yield visible(f"{stage.receiver or 'a dataset'} (made elsewhere)")
    known = flags(stage)
    if "num_parallel_calls" in stage.operation.parameters and "parallel" not in known:
        if stage.op in ("map", "interleave", "filter"):
            known = ["sequential", *known] if stage.op != "filter" else known
    if known:
        yield paint.flag(f"[{', '.join(known)}]")
    if stage.function is not None:
        yield visible(stage.function.name)
        yield from _function_facts(stage.function)
    for name, text in arguments_text(source, stage):
        yield visible(f"{name}={text}")
    if stage.confidence == "likely" and not stage.is_opaque and not stage.inputs:
        yield "(likely)"
    if elements := changed(stage):
        yield paint.dim(f"→ {elements}")
    if (size := held(stage) or 0) >= _MUCH:
        yield paint.dim(f"holds ≈ {_bytes(size)}")


def _function_facts(function: MappedFunction) -> Iterator[str]:
    if function.heavy:
        yield visible(f"does {function.heavy}")
    kinds = ("random", "generator", "random_layer", "python_random", "side_effect", "py_function", "lookup")
    for effect in {e.what: e for e in function.effects if e.kind in kinds}.values():
        word = "draws" if effect.kind.endswith(("random", "layer", "generator")) else "calls"
        yield visible(f"{word} {effect.what}")
    if not function.resolved:
        yield "(incomplete)"


def _bytes(size: int) -> str:
    """Megabytes or gigabytes in three digits: `1.2 GB`."""
    number, unit = (size / 1e9, "GB") if size >= 1e9 else (size / 1e6, "MB")
    return f"{number:.3g} {unit}" if number < 1000 else f"{number:,.0f} {unit}"


@dataclass(slots=True)
class _Printing:
    """Terminal colours, or none; what is marked, and what was shown."""

    on: bool
    marks: Marks
    shown: set[int] = field(default_factory=set)

    def shared(self, units: Iterable[Stage | Join]) -> list[Stage]:
        """Those at the beginning that were shown before."""
        stages = takewhile(lambda unit: isinstance(unit, Stage) and id(unit) in self.shown, units)
        return [stage for stage in stages if isinstance(stage, Stage)]

    def bold(self, text: str) -> str:
        return self._painted(text, 1)

    def dim(self, text: str) -> str:
        return self._painted(text, 2)

    def name(self, text: str) -> str:
        return self._painted(text, 36)

    def flag(self, text: str) -> str:
        return self._painted(text, 33)

    def _painted(self, text: str, style: int) -> str:
        return f"\033[{style}m{visible(text)}\033[0m" if self.on else visible(text)


# ---- data ---------------------------------------------------------------------------------------------------------


def _as_data(source: Source, graph: PipelineGraph) -> dict[str, Any]:
    numbers = {id(stage): number for number, stage in enumerate(graph.stages)}
    return {
        "file": source.path,
        "pipelines": [
            {
                "pipeline": one_line(pipeline.dataset),
                "last_stages": [numbers[id(tip)] for tip in tips(pipeline.dataset) if id(tip) in numbers],
                "checkpoint": _checkpoint_data(pipeline, numbers),
                "consumers": [_consumer_data(source, consumer) for consumer in pipeline.consumers],
            }
            for pipeline in pipelines(graph)
        ],
        "stages": [_stage_data(source, stage, numbers) for stage in graph.stages],
    }


def _checkpoint_data(pipeline: Pipeline, numbers: dict[int, int]) -> dict[str, Any] | None:
    if (found := _saving(pipeline)) is None:
        return None
    stage = None if found.stage is None else numbers.get(id(found.stage))
    return {"possible": found.is_possible, "stage": stage, "reason": found.reason or None}


def _position(source: Source, span: Span) -> dict[str, Any]:
    if span.file != source.path:
        # In the bytes of that file, which is not read again.
        return {"file": span.file, "cell": None, "row": span.row, "column": span.column + 1}
    location = source.location(span.row, span.column)
    return {"cell": location.cell, "row": location.row, "column": location.column}


def _consumer_data(source: Source, consumer: Consumer) -> dict[str, Any]:
    return {
        "kind": consumer.kind,
        "location": _position(source, consumer.span),
        "definition": consumer.context.definition,
        "conditions": [str(condition) for condition in consumer.context.conditions],
        "in_tf_function": consumer.context.in_tf_function,
        "in_loop": bool(consumer.context.loops),
        "in_strategy_scope": consumer.context.in_strategy_scope,
    }


def _stage_data(source: Source, stage: Stage, numbers: dict[int, int]) -> dict[str, Any]:
    function = stage.function
    return {
        "id": numbers[id(stage)],
        "operation": stage.op,
        "location": _position(source, stage.span),
        "definition": stage.context.definition,
        "conditions": [str(condition) for condition in stage.context.conditions],
        "confidence": stage.confidence,
        "inputs": [
            [
                {"stage": numbers[id(tip)], "conditions": [str(condition) for condition in conditions]}
                for tip, conditions in branches(origin)
                if id(tip) in numbers
            ]
            for origin in stage.inputs
        ],
        "arguments": dict(arguments_text(source, stage)),
        "flags": flags(stage),
        "structure": said(stage) or None,
        "bytes_held": held(stage),
        "function": None
        if function is None
        else {
            "name": function.name,
            "resolved": function.resolved,
            "cost": function.cost,
            "batch_safety": function.batch_safety,
            "effects": [{"kind": effect.kind, "what": effect.what} for effect in function.effects],
        },
        "nested": None if stage.nested is None else one_line(stage.nested),
        "nested_in": None if stage.nested_in is None else numbers.get(id(stage.nested_in)),
    }
