"""TFD615."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds, last_name, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.eager_steps import is_eager
from tfdata_lint.rules.device.steps import defined, parts_of

_TRAINING = frozenset({"GradientTape", "apply_gradients", "train_on_batch"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class DevicesInTurn(Rule):
    code = "TFD615"
    name = "devices-in-turn"
    group = "performance"
    summary = "A Python loop runs a training step on one device after the other"
    unmeasured = "It takes several accelerators"
    triggers = ("to:for to:next to:walk", "text:.device(")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or target.below(2, 0) or is_tensorflow_1(graph):
            return
        for _, call in calls_named(graph, "tensorflow.device"):
            block, loop = _device_loop(graph, call)
            if block is None or loop is None or not is_eager(graph, loop) or not _trains(graph, block):
                continue
            consumer = next((other for other in graph.consumers if _is_of(other, loop)), None)
            if consumer is None or consumer.context.in_test or consumer.context.in_tf_function:
                continue
            if is_only_looked_at(graph, tips(consumer.dataset)):
                continue
            yield self.finding(
                span_of(call, graph.file),
                "A Python loop runs the training step on one device after the other",
                cost=(
                    "One Python thread starts the operations of all devices, so each device waits for the others and"
                    " for every value that Python reads"
                ),
                advice="Use `tf.distribute.MirroredStrategy`, which runs the step on all devices at once",
                confidence="likely",
                related=(Related(span_of(loop.target, graph.file), "the devices"),),
            )


def _device_loop(graph: PipelineGraph, call: ast.Call) -> tuple[ast.With | None, ast.For | None]:
    """The `with tf.device(…)` of a call, and the loop over devices around it."""
    way = syntax_of(graph.source).way(call)
    block = way[-2] if len(way) > 1 else None
    if not isinstance(block, ast.With) or len(call.args) != 1:
        return None, None
    for step in reversed(way[:-2]):
        if isinstance(step, _FUNCTIONS):
            break
        if isinstance(step, ast.For) and names(step.target) & names(call.args[0]):
            return block, step
    return block, None


def _trains(graph: PipelineGraph, block: ast.With) -> bool:
    """Does code take a step of a training, itself or by a function of the project?"""
    calls = [node for node in parts_of(block) if isinstance(node, ast.Call)]
    if any(last_name(call) in _TRAINING for call in calls):
        return True
    return any(
        isinstance(node, ast.Call) and last_name(node) in _TRAINING
        for call in calls
        for function in _run_by(graph, call)
        for node in parts_of(function)
    )


def _run_by(graph: PipelineGraph, call: ast.Call) -> list[ast.AST]:
    """The functions that a call runs, also as graphs: `steps = [tf.function(step) for _ in devices]`."""
    if (function := defined(graph.tree, call.func)) is not None:
        return [function]
    found: list[ast.AST] = []
    for place in origins(graph, call.func):
        is_graph = isinstance(place.node, ast.Call) and last_name(place.node) == "function" and place.node.args
        made = origins(graph, place.node.args[0], place.source) if is_graph else [place]
        found += [one.node for one in made if isinstance(one.node, ast.FunctionDef)]
    return found


def _is_of(consumer: Consumer, loop: ast.For) -> bool:
    """Does a loop over a dataset have the one over devices in it, or the other way round? An element may also be
    pulled for each device."""
    over = consumer.loop
    if over is loop:
        return consumer.kind == "next" and len(consumer.context.loops) > 1
    return over is not None and (holds(over, loop) or holds(loop, over))
