"""TFD506."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.words import PROFILER
from tfdata_lint.pipeline.nouns.code import holds
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named, calls_unknown, is_guarded
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule

#: No step of a training that is worth a profile takes less, all of them together.
_SHORTEST = 100
_TPU = ("tensorflow.distribute.TPUStrategy", "tensorflow.distribute.experimental.TPUStrategy")
_OTHERS = re.compile(r"(?:Mirrored|OneDevice|CentralStorage|ParameterServer|MultiWorkerMirrored)Strategy|get_strategy")
_PASSES = ("fit", "for", "next", "walk")


class ProfilerMisuse(Rule):
    code = "TFD506"
    name = "profiler-misuse"
    group = "correctness"
    summary = "A profiler starts after the training, records too short a time, or does not support TPUs"
    triggers = ("use:start use:trace use:profile_batch=",)

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
            elif use.name == f"{PROFILER}client.trace" and (duration := _duration(use)) is not None:
                yield self.finding(
                    span_of(duration, graph.file),
                    f"The profile records {ast.unparse(duration)} milliseconds",
                    cost="`duration_ms` is in milliseconds: such a short profile has few steps, or none",
                    advice="Profile a few seconds, written in milliseconds: `duration_ms=2000`",
                    confidence="likely",
                )
            elif use.name == "profile_batch=" and _is_on(use) and (strategy := graph.once(_tpu_strategy)) is not None:
                yield self.finding(
                    use.span,
                    "`profile_batch` is set for a training on TPUs",
                    cost="The profiler guide lists the TensorBoard callback for CPUs and GPUs only: the profile does"
                    " not show what the TPU does",
                    advice="Call `tf.profiler.experimental.client.trace` with the address of the TPU, and set"
                    " `profile_batch=0`",
                    severity="warning",
                    confidence="likely",
                    related=(Related(span_of(strategy, graph.file), "trains on TPUs"),),
                )


def _training_before(graph: PipelineGraph, use: SymbolUse) -> Consumer | None:
    """The training that is over where a server is started: it stands before it in the same block, and none behind."""
    block = syntax_of(graph.source).block(use.node) if use.call is not None else None
    if block is None:
        return None
    before, after = block.statements[: block.index], block.statements[block.index + 1 :]
    if any(_may_train(graph, statement) for statement in after):
        return None
    return next((found for statement in reversed(before) for found in _trainings(graph, statement)), None)


def _may_train(graph: PipelineGraph, statement: ast.stmt) -> bool:
    is_loop = isinstance(statement, (ast.For, ast.While))
    return is_loop or bool(_trainings(graph, statement)) or calls_unknown(graph, statement)


def _trainings(graph: PipelineGraph, statement: ast.stmt) -> list[Consumer]:
    return [other for other in graph.consumers if other.kind in _PASSES and holds(statement, other.node)]


def _duration(use: SymbolUse) -> ast.expr | None:
    """`duration_ms`, where it is too short."""
    call = use.call
    given = [] if call is None else [word.value for word in call.keywords if word.arg == "duration_ms"] + call.args[2:3]
    match given:
        case [ast.Constant(value=int(milliseconds)) as duration] if 0 < milliseconds < _SHORTEST:
            return duration
    return None


def _is_on(use: SymbolUse) -> bool:
    """Is a batch given that is profiled?"""
    return re.search(r"[1-9]", ast.unparse(use.node)) is not None and not isinstance(
        use.node, (ast.Name, ast.Attribute)
    )


def _tpu_strategy(graph: PipelineGraph) -> ast.Call | None:
    """What makes the one strategy of a module, one for TPUs."""
    if graph.tree is None or _OTHERS.search(graph.source.text):
        return None
    made = [call for _, call in calls_named(graph, *_TPU)]
    return made[0] if len(made) == 1 and not is_guarded(graph.tree, made[0]) else None
