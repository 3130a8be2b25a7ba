"""TFD802."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import MappingProxyType

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.knowledge.functions import KERAS_DATASETS
from tfdata_lint.pipeline.nouns.code import calls_of, last_name, names, receiver
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import reaches_the_end
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.purposes import purpose_of
from tfdata_lint.pipeline.nouns.questions import batching, is_few, is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.device.steps import defined
from tfdata_lint.rules.distribution.strategies import running, trains
from tfdata_lint.source.trees import walk

_TPU = "TPUStrategy"
#: How many examples the training parts of `tf.keras.datasets` have.
_SIZES = MappingProxyType({**{name: row[4] for name, row in KERAS_DATASETS.items()}, "imdb": 25_000})


class BatchWithoutStaticShape(Rule):
    code = "TFD802"
    name = "batch-without-static-shape"
    group = "advice"
    summary = "XLA compiles the training step again for the smaller batch at the end of each epoch"
    unmeasured = "What it costs is paid once for each shape, not in each step"
    triggers = ("batches", "to:fit to:for to:distribute", "text:jit_compile text:TPUStrategy")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            compiled = "" if graph.is_test or consumer.context.in_test else _compiled_by(graph, consumer)
            if not compiled:
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            if not known.always(lambda path: _ragged_end(graph, path) is not None):
                continue
            batch = _ragged_end(graph, known.paths[0])
            if batch is None or is_only_looked_at(graph, tips(consumer.dataset)):
                continue
            yield self.finding(
                batch.span,
                f"{compiled} compiles the step again if the last batch is smaller",
                cost="The step is compiled again for that one batch, in the first epoch (measured on a CPU for one"
                " model: 48 s for the first shape, 25 s for the other)",
                advice="Use `drop_remainder=True`, or repeat the dataset before it is batched",
                severity="warning" if consumer.kind == "distribute" else None,
                confidence="likely",
                related=(Related(consumer.span, "trained on here"),),
                fix=_fix(graph, batch),
            )


@guarded
def _fix(graph: PipelineGraph, batch: Stage) -> Fix:
    draft = Draft(graph)
    draft.set_arguments(batch, drop_remainder="True")
    return draft.fix("unsafe", "Drop the remainder", "the model no longer trains on the last examples of an epoch")


def _compiled_by(graph: PipelineGraph, consumer: Consumer) -> str:
    """What compiles the training step that gets the elements, all of them; empty where nothing is seen to."""
    if consumer.span.file != graph.file:
        return ""
    if consumer.kind in ("fit", "distribute") and _TPU in running(graph, consumer):
        is_cut = consumer.kind == "fit" and consumer.literal("steps_per_epoch") is not None
        return f"`{_TPU}`" if trains(graph, consumer) and not is_cut else ""
    if consumer.kind == "fit" and consumer.literal("steps_per_epoch") is None:
        model = receiver(consumer.node)
        compiles = [call for call in calls_of(graph.tree, "compile") if model and receiver(call) == model]
        return "`jit_compile=True`" if compiles and all(map(_is_compiled, compiles)) else ""
    if consumer.kind == "for" and reaches_the_end(consumer.node):
        purpose = purpose_of(graph, consumer)
        if purpose is not None and purpose.kind == "training" and _calls_compiled(graph.tree, consumer.node):
            return "`jit_compile=True`"
    return ""


def _is_compiled(call: ast.Call) -> bool:
    switches = [k.value for k in call.keywords if k.arg in ("jit_compile", "experimental_compile")]
    return any(isinstance(switch, ast.Constant) and switch.value is True for switch in switches)


def _calls_compiled(tree: ast.Module, loop: ast.AST) -> bool:
    """Does a loop give its elements to a function under `@tf.function(jit_compile=True)`?"""
    elements = names(loop.target) if isinstance(loop, ast.For) else set()
    for call in (node for node in walk(loop) if isinstance(node, ast.Call)):
        function = defined(tree, call.func) if names(*call.args) & elements else None
        for decorator in function.decorator_list if function is not None else ():
            if isinstance(decorator, ast.Call) and last_name(decorator) == "function" and _is_compiled(decorator):
                return True
    return False


def _ragged_end(graph: PipelineGraph, path: Path) -> Stage | None:
    """The stage that makes batches of which the last one may be smaller."""
    if path.is_open or is_toy(path) or is_few(path) or any(stage.is_endless is not False for stage in path.stages):
        return None
    batch = batching(path)
    if batch is None or batch.op != "batch" or batch.literal("drop_remainder", False) is not False:
        return None
    if any(isinstance(leaf, Tensor) and leaf.shape and leaf.shape[0] for leaf in leaves(structure_of(path.stages[-1]))):
        return None
    return None if _divides(graph, path.before(batch), batch) else batch


def _divides(graph: PipelineGraph, before: tuple[Stage, ...], batch: Stage) -> bool:
    """Is it known that nothing remains?"""
    size = batch.literal("batch_size")
    if not isinstance(size, int) or size < 1:
        return False
    counted = length(before[-1]) if before else None
    taken = before[-1].literal("count") if before and before[-1].op == "take" else None
    sizes = [number for number in (counted, taken) if isinstance(number, int)]
    sizes += [number for name, number in _SIZES.items() if f"{name}.load_data" in graph.source.text]
    return size == 1 or any(number % size == 0 for number in sizes)
