"""The pipelines of a graph, each with what becomes of it, and how places and consumers are called."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.text import one_line
from tfdata_lint.source.visible import visible

if TYPE_CHECKING:
    from tfdata_lint.source.module import Source

#: Consumers that only pass a dataset on: not worth a heading when the pipeline has another end.
_PASSING = frozenset({"argument", "stored", "inspection", "cardinality", "len"})
#: What becomes of a dataset, by the kind of its consumer.
WORDS = {
    "for": "looped over", "walk": "looped over", "comprehension": "looped over", "iter": "iterated",
    "next": "pulled from",
    "as_numpy_iterator": "iterated as NumPy", "as_numpy": "iterated as NumPy", "fit": "fitted", "evaluate": "evaluated",
    "predict": "predicted on", "adapt": "adapted to", "validation": "validated on", "distribute": "distributed",
    "input_fn": "returned to an Estimator", "make_iterator": "iterated (TensorFlow 1)", "reduce": "reduced",
    "save": "saved", "list": "turned into a list", "return": "returned", "yield": "yielded",
    "argument": "handed on", "stored": "stored", "inspection": "inspected", "get_single_element": "read once",
    "train_on_batch": "trained on", "len": "counted", "cardinality": "counted",
}  # fmt: skip


@dataclass(slots=True)
class Pipeline:
    """A dataset nothing in the module continues, and what becomes of it."""

    dataset: Dataset
    consumers: list[Consumer]


def pipelines(graph: PipelineGraph) -> list[Pipeline]:
    """The pipelines of a module, each with its consumers, in the order of their ends, and those last whose result is
    thrown away. Contexts that read the same are shown once."""
    found: dict[int, Pipeline] = {}
    for consumer in graph.consumers:
        if not all(tip.nested_in for tip in tips(consumer.dataset)):
            found.setdefault(id(consumer.dataset), Pipeline(consumer.dataset, [])).consumers.append(consumer)
    consumed = {id(tip) for consumer in graph.consumers for tip in tips(consumer.dataset)}
    lost = {id(discarded.stage) for discarded in graph.discarded}
    for stage in reversed(graph.stages) if lost else ():
        if id(stage) not in consumed and (users := graph.users(stage)) and lost.issuperset(map(id, users)):
            lost.add(id(stage))
    taken = [(stage, tip) for stage in graph.stages for origin in stage.inputs for tip in tips(origin)]
    continued = {id(tip) for _, tip in taken}
    going_on = {id(tip) for stage, tip in taken if id(stage) not in lost}
    for stage in graph.stages:
        if id(stage) not in continued | consumed and not stage.nested_in and not stage.is_opaque:
            found[id(stage)] = Pipeline(stage, [])
    unique: dict[Any, Pipeline] = {}
    for pipeline in found.values():
        ends = {consumer.kind for consumer in pipeline.consumers}
        is_continued = all(id(tip) in going_on for tip in tips(pipeline.dataset))
        if is_continued and ends <= _PASSING:
            continue
        if all(stage.is_opaque for stage in tips(pipeline.dataset)) and ends <= _PASSING | {"return"}:
            continue
        spans = tuple(sorted((stage.span.row, stage.span.column) for stage in upstream(pipeline.dataset)))
        known = unique.setdefault((one_line(pipeline.dataset), spans), pipeline)
        if known is not pipeline:
            known.consumers.extend(pipeline.consumers)
    return sorted(unique.values(), key=lambda pipeline: (id(pipeline.dataset) in lost, _end(pipeline)))


def _end(pipeline: Pipeline) -> tuple[int, int]:
    span = pipeline.consumers[0].span if pipeline.consumers else next(tips(pipeline.dataset)).span
    return span.row, span.column


def place_text(source: Source, span: Span) -> str:
    if span.file != source.path:
        return f"line {span.row} of {visible(beside(source, span.file))}"
    location = source.location(span.row, 0)
    return ", ".join(filter(None, (source.cell_name(location), f"line {location.row}")))


def beside(source: Source, file: str) -> str:
    """The path of another file, from the folder of this one."""
    return os.path.relpath(file, os.path.dirname(source.path) or os.curdir)


def branches(dataset: Dataset) -> Iterator[tuple[Stage, tuple[Any, ...]]]:
    """The last stages of a dataset with the conditions of the joins passed on the way."""
    todo: list[tuple[Dataset, tuple[Any, ...]]] = [(dataset, ())]
    seen: set[int] = set()
    while todo:
        node, conditions = todo.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Join):
            todo = [(branch.dataset, conditions + branch.conditions) for branch in node.branches] + todo
        else:
            yield node, conditions
