"""TFD615."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import given_to, holds, last_name, made_of, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS, FUNCTIONS
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.pipeline.python.runs import mentions_of, passes_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.eager_steps import is_eager
from tfdata_lint.rules.device.steps import defined, parts_of
from tfdata_lint.source.trees import walk

_TRAINING = frozenset({"GradientTape", "apply_gradients", "train_on_batch", "value_and_grad", "grad"})
#: Calls of JAX that say a device, and where.
_OF_JAX = {"jax.device_put": 1, "jax.default_device": 0}
_GRAPHS = ("function", "jit")
#: They wait for what JAX computes.
_WAITING = frozenset({"block_until_ready", "device_get", "float", "item"})
#: Calls that lead from a device to the loop over devices.
_DEEPEST = 3


class DevicesInTurn(Rule):
    code = "TFD615"
    name = "devices-in-turn"
    group = "performance"
    summary = "A Python loop runs a training step on one device after the other"
    unmeasured = "It takes several accelerators"
    triggers = ("to:for to:next to:walk", "text:.device( text:device_put text:default_device")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or target.below(2, 0) or is_tensorflow_1(graph):
            return
        syntax, told = syntax_of(graph.source), set[int]()
        for name, call in calls_named(graph, "tensorflow.device", *_OF_JAX):
            is_jax = name in _OF_JAX
            given = [*call.args[_OF_JAX.get(name, 0) :], *(word.value for word in call.keywords)]
            loop = _device_loop(syntax, call, given[0]) if len(given) == 1 else None
            if loop is None or id(loop) in told or (is_jax and not _waits(loop)):
                continue
            if _is_fixed(graph, given[0]) or not _trains(graph, loop if is_jax else syntax.way(call)[-2]):
                continue
            consumer = next((other for other in graph.consumers if _is_of(syntax, other, loop)), None)
            if consumer is None or consumer.context.in_test or consumer.context.in_tf_function:
                continue
            if not all(is_eager(graph, one) for one in (loop, consumer.loop) if isinstance(one, (ast.For, ast.While))):
                continue
            if is_only_looked_at(graph, tips(consumer.dataset)):
                continue
            told.add(id(loop))
            yield self.finding(
                span_of(call, graph.file),
                "A Python loop runs the training step on one device after the other",
                cost=(
                    "Each step begins only when the one on the device before has ended, so all devices but one wait"
                    if is_jax
                    else "One Python thread starts the operations of all devices, so each device waits for the others"
                    " and for every value that Python reads"
                ),
                advice=(
                    "Divide the batch with a `jax.sharding.NamedSharding`, so that one step runs on all devices at once"
                    if is_jax
                    else "Use `tf.distribute.MirroredStrategy`, which runs the step on all devices at once"
                ),
                confidence="likely",
                related=(Related(span_of(_targets(loop)[0], graph.file), "the devices"),),
            )


def _targets(loop: ast.AST) -> list[ast.expr]:
    """What a loop or a comprehension gives names to."""
    if isinstance(loop, COMPREHENSIONS):
        return [part.target for part in loop.generators]
    return [loop.target] if isinstance(loop, ast.For) else []


def _device_loop(syntax: Syntax, place: ast.AST, device: ast.expr, left: int = _DEEPEST) -> ast.AST | None:
    """The loop over devices in which code runs, of its own function or of one that calls that with a device."""
    way = syntax.way(place)[:-1]
    for step in reversed(way):
        if isinstance(step, (ast.Lambda, ast.ClassDef)):
            return None
        if isinstance(step, FUNCTIONS):
            for mention in mentions_of(syntax, step) if left else ():
                call = syntax.way(mention)[-2]
                if isinstance(call, ast.Call) and call.func is mention:
                    pairs = [*given_to(step, call).items()]
                    # An object may have a device of its own.
                    pairs += [("self", mention.value)] if isinstance(mention, ast.Attribute) else []
                    given = [value for name, value in pairs if made_of(step, {name}) & names(device)]
                    if given and (loop := _device_loop(syntax, call, ast.Tuple(given), left - 1)) is not None:
                        return loop
            return None
        if names(device) & made_of(step, names(*_targets(step))):
            return step
    return None


def _is_fixed(graph: PipelineGraph, device: ast.expr) -> bool:
    """Is it one and the same device in all passes?"""
    match origins(graph, device):
        case [Place(ast.Constant())]:
            return True
    return False


def _waits(loop: ast.AST) -> bool:
    """Does a loop wait for the step of each device, or hand what it gives on to the next one?"""
    calls = [node for node in parts_of(loop) if isinstance(node, ast.Call)]
    if any(last_name(call) in _WAITING for call in calls):
        return True
    stores = [node for node in parts_of(loop) if isinstance(node, ast.Assign)]
    fresh = names(*_targets(loop)).union(*(names(*one.targets) - names(one.value) for one in stores))
    return any(
        isinstance(one.value, ast.Call)
        and last_name(one.value) != "device_put"
        and (_names_set(one) & names(*one.value.args)) - fresh
        for one in stores
    )


def _names_set(statement: ast.Assign) -> set[str]:
    """The names that a statement assigns to, not the containers that it puts something into."""
    return {
        node.id
        for target in statement.targets
        for node in walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _trains(graph: PipelineGraph, block: ast.AST) -> bool:
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
        is_graph = isinstance(place.node, ast.Call) and last_name(place.node) in _GRAPHS and place.node.args
        made = origins(graph, place.node.args[0], place.source) if is_graph else [place]
        found += [one.node for one in made if isinstance(one.node, ast.FunctionDef)]
    return found


def _is_of(syntax: Syntax, consumer: Consumer, loop: ast.AST) -> bool:
    """Does a loop over a dataset have the one over devices in it, or a call that leads there, or the other way round?
    An element may also be pulled for each device."""
    over = consumer.loop
    if over is loop:
        return consumer.kind == "next" and len(consumer.context.loops) > 1
    if over is None:
        return False
    return holds(over, loop) or holds(loop, over) or any(one.loop is over for one in passes_of(syntax, loop))
