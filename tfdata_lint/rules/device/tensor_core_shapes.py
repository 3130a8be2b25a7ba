"""TFD605."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.purposes import purpose_of
from tfdata_lint.pipeline.nouns.questions import by_place, is_few, is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import argument
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.device.half_precision import policies_of

#: Where a layer has its size: the position and the name of the argument.
_SIZES = {"Dense": (0, "units"), "LSTM": (0, "units"), "GRU": (0, "units"), "Embedding": (1, "output_dim")}
#: A dense layer with one of these is not the last one.
_HIDDEN = frozenset({"relu", "relu6", "leaky_relu", "gelu", "elu", "selu", "silu", "swish", "mish"})
_BLOCK = 8

_COST = "Tensor cores compute with blocks of eight 16-bit numbers: other sizes are padded, or run without tensor cores"


class TensorCoreShapes(Rule):
    code = "TFD605"
    name = "tensor-core-shapes"
    group = "pedantic"
    status = "preview"
    summary = "Under a 16-bit policy, a layer or a batch has a size that is not a multiple of 8"
    unmeasured = "It takes a GPU with tensor cores"
    triggers = ("text:mixed_float16 text:mixed_bfloat16",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # TPUs have blocks of other sizes.
        if graph.is_test or "TPU" in graph.source.text or not any(policies_of(graph)):
            return
        sizes = list(_sizes(graph))
        for layer, size, written in sizes:
            if _is_odd(size):
                yield self.finding(
                    span_of(written, graph.file),
                    f"`{last_name(layer)}` has size {size} under a 16-bit policy, not a multiple of {_BLOCK}",
                    cost=_COST,
                    advice=f"Use a multiple of {_BLOCK}, such as {-(-size // _BLOCK) * _BLOCK}",
                    confidence="likely",
                )
        batching = {stage.op for stage in graph.stages if stage.has("batch_size")}
        for stages in by_place(graph.stages, *batching) if sizes else ():
            known = {_size_of(graph, stage) for stage in stages}
            size = known.pop()
            if isinstance(size, int) and _is_odd(size) and not known and all(_trains(graph, stage) for stage in stages):
                yield self.finding(
                    stages[0].span,
                    f"Training batches have {size} elements under a 16-bit policy, not a multiple of {_BLOCK}",
                    cost=_COST,
                    advice=f"Use a multiple of {_BLOCK}, such as {-(-size // _BLOCK) * _BLOCK}",
                    confidence="likely",
                )


def _is_odd(size: object) -> bool:
    """Tell whether a size is known, and not divisible by 8; where it is smaller, hardly anything is computed."""
    return isinstance(size, int) and size > _BLOCK and size % _BLOCK != 0


def _size_of(graph: PipelineGraph, stage: Stage) -> Any:
    size = stage.literal("batch_size")
    is_here = size is ... and stage.span.file == graph.file
    return value_at(graph, stage.arguments["batch_size"].node) if is_here else size


def _trains(graph: PipelineGraph, stage: Stage) -> bool:
    """Tell whether a model is trained with the batches of a stage, on more than a few elements."""
    if stage.context.in_test or is_only_looked_at(graph, [stage]):
        return False
    if any(is_toy(path) or is_few(path) for path in paths(stage, stage.context.conditions)):
        return False
    purposes = [purpose_of(graph, consumer) for consumer in graph.reached(stage)]
    return any(purpose is not None and purpose.kind == "training" for purpose in purposes)


def _sizes(graph: PipelineGraph) -> Iterator[tuple[ast.Call, int, ast.expr]]:
    """The layers whose size is known and which are not the last of a model, with their sizes."""
    for name, call in _calls(graph, *_SIZES):
        written = argument(graph, call, *_SIZES[last(name)], graph.source)
        if written is None or argument(graph, call, -1, "dtype", graph.source) is not None:
            continue
        size, activation = value_at(graph, *written), argument(graph, call, 1, "activation", graph.source)
        function = value_at(graph, *activation) if activation is not None else None
        function = last_name(activation.node) if activation is not None and function is ... else function
        if isinstance(size, int) and (last(name) != "Dense" or function in _HIDDEN):
            yield call, size, written.node if written.source is graph.source else call


def _calls(graph: PipelineGraph, *names: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions and classes of Keras with these names, each with its full name."""
    scopes = syntax_of(graph.source).scopes
    for node in nodes_on(graph.tree, rows_with(graph.source.text, *names)):
        if isinstance(node, ast.Call) and last_name(node) in names:
            name = plain(scopes.full_name(node.func))
            if name.startswith("tensorflow.keras."):
                yield name, node
