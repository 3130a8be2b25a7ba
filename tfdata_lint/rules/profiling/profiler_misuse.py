"""TFD506."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.words import PROFILER
from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named, calls_unknown, is_guarded
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import argument, origins
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.profiling.profiles import profiled_batches
from tfdata_lint.source.trees import walk

#: No step of a training that is worth a profile takes less, all of them together.
_SHORTEST = 100
_TPU = ("tensorflow.distribute.TPUStrategy", "tensorflow.distribute.experimental.TPUStrategy")
_OTHERS = re.compile(r"(?:Mirrored|OneDevice|CentralStorage|ParameterServer|MultiWorkerMirrored)Strategy|get_strategy")
_PASSES = ("fit", "for", "next", "walk")
_RECORDING = (f"{PROFILER}start", f"{PROFILER}Profile")
#: Methods that run a model, also on arrays.
_RUNNING = frozenset(
    {"fit", "evaluate", "predict", "predict_on_batch", "train_on_batch", "test_on_batch", "run", "call"}
)


class ProfilerMisuse(Rule):
    code = "TFD506"
    name = "profiler-misuse"
    group = "correctness"
    summary = "A profiler starts after the training, records too short a time, or does not support TPUs"
    triggers = ("use:start use:Profile use:trace text:profile_batch",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for use in graph.uses:
            if use.name == f"{PROFILER}server.start" and (training := _training_before(graph, use)):
                yield self.finding(
                    use.span,
                    "The profiler server starts only after the training",
                    cost=(
                        "The training cannot be profiled while it runs, and afterwards there is nothing left to profile"
                    ),
                    advice="Start the server before the training",
                    related=(Related(training.span, "the training"),),
                )
            elif use.name in _RECORDING and (training := _training_before(graph, use)):
                yield self.finding(
                    use.span,
                    "The profile starts only after the training",
                    cost="It records no step of the model: the code behind it neither trains nor predicts",
                    advice="Start the profile before the training, for ten steps",
                    is_guess=True,
                    related=(Related(training.span, "the training"),),
                )
            elif use.name == f"{PROFILER}client.trace" and use.call is not None:
                duration = argument(graph, use.call, 2, "duration_ms", graph.source)
                value = value_at(graph, duration.node, duration.source) if duration is not None else ...
                if duration is not None and type(value) is int and 0 < value < _SHORTEST:
                    yield self.finding(
                        span_of(duration.node if duration.source is graph.source else use.call, graph.file),
                        f"The profile records {value} milliseconds",
                        cost="`duration_ms` is in milliseconds: such a short profile has few steps, or none",
                        advice="Profile a few seconds, written in milliseconds: `duration_ms=2000`",
                        confidence="likely",
                    )
        for use, given in profiled_batches(graph):
            value = value_at(graph, given.node, given.source)
            is_on = value is not ... and re.search(r"[1-9]", repr(value)) is not None
            if is_on and (strategy := graph.once(_tpu_strategy)) is not None:
                yield self.finding(
                    use.span,
                    "`profile_batch` is set for a training on TPUs",
                    cost="The profiler guide lists the TensorBoard callback for CPUs and GPUs only: the profile does"
                    " not show what the TPU does",
                    advice="Call `tf.profiler.experimental.client.trace` with the address of the TPU, and set"
                    " `profile_batch=0`",
                    is_guess=True,
                    related=(Related(span_of(strategy, graph.file), "trains on TPUs"),),
                )


def _training_before(graph: PipelineGraph, use: SymbolUse) -> Consumer | None:
    """The training that is over where a server is started: it stands before it in the same block, and none behind."""
    block = syntax_of(graph.source).block(use.node) if use.call is not None else None
    if block is None:
        return None
    before, after = block.statements[: block.index], block.statements[block.index + 1 :]
    # `with Profile(logdir):` records what is inside.
    if any(_may_run(graph, statement) for statement in (*after, *getattr(block.statement, "body", ()))):
        return None
    return next((found for statement in reversed(before) for found in _trainings(graph, statement)), None)


def _may_run(graph: PipelineGraph, statement: ast.stmt) -> bool:
    """May a statement run a model?"""
    if any(isinstance(part, (ast.For, ast.While)) or last_name(part) in _RUNNING for part in walk(statement)):
        return True
    return bool(_trainings(graph, statement)) or calls_unknown(graph, statement)


def _trainings(graph: PipelineGraph, statement: ast.stmt) -> list[Consumer]:
    """The training in a statement, or in a function of the file that it calls."""
    called = [
        place.node for part in walk(statement) if isinstance(part, ast.Call) for place in origins(graph, part.func)
    ]
    codes = [statement, *(node for node in called if isinstance(node, ast.FunctionDef))]
    trainings = [other for other in graph.consumers if other.kind in _PASSES]
    return [other for other in trainings if any(holds(code, other.node) for code in codes)]


def _tpu_strategy(graph: PipelineGraph) -> ast.Call | None:
    """What makes the one strategy of a module, one for TPUs."""
    if _OTHERS.search(graph.source.text):
        return None
    made = [call for _, call in calls_named(graph, *_TPU)]
    return made[0] if len(made) == 1 and not is_guarded(graph.tree, made[0]) else None
