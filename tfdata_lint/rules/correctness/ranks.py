"""Tensors whose rank TensorFlow does not know, and who needs it."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import has_own_steps
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.structure import Structure, Tensor, leaves

#: These trace the model with what the dataset says of its elements; `predict` asks the first batch.
_TRACING = ("fit", "evaluate", "validation")
#: What stands in a file whose models are not those of Keras 3.
OTHER_KERAS = ("tf_keras", "USE_LEGACY_KERAS")
#: Functions of whose result TensorFlow does not know the rank.
_MAKERS = frozenset({"decode_image", "py_function", "numpy_function", "py_func", "parse_tensor"})


def maker_of(value: Any) -> str:
    """The one function of which it is certain that what it makes has no rank."""
    makers = {last(expr.by) for expr in expressions(value) if last(expr.by) in _MAKERS}
    return makers.pop() if len(makers) == 1 else ""


def is_unranked(structure: Structure) -> bool:
    """Is there a tensor in it whose rank TensorFlow does not know?"""
    return any(isinstance(leaf, Tensor) and leaf.unranked for leaf in leaves(structure))


def loses_rank(path: Path) -> tuple[Stage, str] | None:
    """The stage because of which the elements at the end of a path have no rank, and the function that made them so."""
    if not is_unranked(structure_of(path.stages[-1])):
        return None
    for stage in reversed(path.stages):
        if not stage.inputs or not any(is_unranked(structure_of(origin)) for origin in stage.inputs):
            maker = stage.op if stage.op == "from_generator" else maker_of(stage.result)
            return (stage, maker) if maker else None
    return None


class Traced(NamedTuple):
    """Elements without a rank in a model that Keras traces."""

    consumer: Consumer
    stage: Stage
    """Because of which they have none."""
    maker: str


def traced_by_keras_3(graph: PipelineGraph) -> list[Traced]:
    """Where Keras 3, of TensorFlow 2.16 and later, needs the rank of elements and is given none."""
    if not is_traced_by_keras_3(graph):
        return []
    found: list[Traced] = []
    for consumer in graph.consumers:
        if consumer.kind in _TRACING and not consumer.context.in_test:
            known = paths(consumer.dataset, consumer.context.conditions)
            lost = next(filter(None, map(loses_rank, known)), None)
            if lost is not None:
                found.append(Traced(consumer, *lost))
    return found


def is_traced_by_keras_3(graph: PipelineGraph) -> bool:
    """Does nothing say that the models of a file are others, run eagerly, or take batches apart by themselves?"""
    is_other = has_own_steps(graph.tree, graph.source.text) or any(map(graph.source.text.count, OTHER_KERAS))
    return not is_other and not graph.says("eagerly")
