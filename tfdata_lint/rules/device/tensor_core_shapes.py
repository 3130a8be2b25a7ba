"""TFD605."""

from __future__ import annotations

import ast
from collections.abc import Iterator

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
from tfdata_lint.rules.base import Finding, Rule

_POLICIES = ("mixed_float16", "mixed_bfloat16")
_SETTERS = ("set_global_policy", "set_dtype_policy", "set_policy")
_MAKERS = ("Policy", "DTypePolicy")
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
    triggers = (" ".join(f"text:{policy}" for policy in _POLICIES),)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # TPUs have blocks of other sizes.
        if graph.is_test or graph.tree is None or "TPU" in graph.source.text or not _has_policy(graph):
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
        for stages in by_place(graph.stages, "batch", "padded_batch") if sizes else ():
            size = stages[0].literal("batch_size")
            if _is_odd(size) and all(stage.literal("batch_size") == size and _trains(graph, stage) for stage in stages):
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


def _trains(graph: PipelineGraph, stage: Stage) -> bool:
    """Tell whether a model is trained with the batches of a stage, on more than a few elements."""
    if stage.context.in_test or is_only_looked_at(graph, [stage]):
        return False
    if any(is_toy(path) or is_few(path) for path in paths(stage, stage.context.conditions)):
        return False
    purposes = [purpose_of(graph, consumer) for consumer in graph.reached(stage)]
    return any(purpose is not None and purpose.kind == "training" for purpose in purposes)


def _has_policy(graph: PipelineGraph) -> bool:
    """Tell whether the module sets a 16-bit policy for all layers, by a literal name."""
    calls = list(_calls(graph, *_SETTERS, *_MAKERS))
    makes_policy = any(last(name) in _MAKERS and _names_policy(call) for name, call in calls)
    for name, call in calls:
        is_given_policy = call.args and not isinstance(call.args[0], ast.Constant)
        if last(name) in _SETTERS and (_names_policy(call) or (is_given_policy and makes_policy)):
            return True
    return False


def _names_policy(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Constant) and argument.value in _POLICIES for argument in call.args[:1])


def _sizes(graph: PipelineGraph) -> Iterator[tuple[ast.Call, int, ast.expr]]:
    """The layers whose size is written and which are not the last of a model, with their sizes."""
    for name, call in _calls(graph, *_SIZES):
        position, keyword = _SIZES[last(name)]
        given = {argument.arg: argument.value for argument in call.keywords}
        written = call.args[position] if len(call.args) > position else given.get(keyword)
        if not isinstance(written, ast.Constant) or "dtype" in given or None in given:
            continue
        activation = call.args[1] if len(call.args) > 1 else given.get("activation")
        function = activation.value if isinstance(activation, ast.Constant) else last_name(activation)
        if isinstance(written.value, int) and (last(name) != "Dense" or function in _HIDDEN):
            yield call, written.value, written


def _calls(graph: PipelineGraph, *names: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions and classes of Keras with these names, each with its full name."""
    scopes = syntax_of(graph.source).scopes
    for node in nodes_on(graph.tree, rows_with(graph.source.text, *names)) if graph.tree else ():
        if isinstance(node, ast.Call) and last_name(node) in names:
            name = plain(scopes.full_name(node.func))
            if name.startswith("tensorflow.keras."):
                yield name, node
