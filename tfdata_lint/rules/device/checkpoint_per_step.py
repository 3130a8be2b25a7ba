"""TFD609."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import last_name, receiver
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.host_work import batch_methods, saving_often
from tfdata_lint.rules.device.passes import calls_each_time, is_made
from tfdata_lint.rules.device.steps import MODELS, is_keras_model, is_of_no_matter, loops_here

_OF_CHECKPOINTS = ("save", "write", "restore")
_OF_MODELS = ("save_weights", "save", "load_weights")
_LOADERS = ("tensorflow.keras.models.load_model", "tensorflow.keras.saving.load_model", "tensorflow.saved_model.load")
_LOADING = ("load_model", "load")
_RESTORING = ("restore", "load_weights", *_LOADING)
_CHECKPOINTS = frozenset({"Checkpoint", "CheckpointManager"})


class CheckpointPerStep(Rule):
    code = "TFD609"
    name = "checkpoint-per-step"
    group = "performance"
    summary = "A checkpoint is saved or restored in every step of a loop"
    experiment = "step"
    triggers = (
        "to:for to:next to:walk to:comprehension text:on_train_batch_ text:on_batch_ text:save_freq",
        "text:save text:write text:restore text:load text:save_freq",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumers, consumer, loop in loops_here(graph, "comprehension"):
            if is_of_no_matter(graph, consumers):
                continue
            saved = [call for call in calls_each_time(graph, loop) if _saves(graph, call)]
            for call in saved:
                yield self._saved(graph, call, Related(consumer.span, "runs for every batch"))
        yield from self._in_callbacks(graph)

    def _in_callbacks(self, graph: PipelineGraph) -> Iterator[Finding]:
        for saving, every in saving_often(graph):
            often = "step" if every == 1 else f"{every} steps"
            yield self._saved(graph, saving, None, f"`ModelCheckpoint` saves the model every {often}")
        for method in batch_methods(graph):
            for call in calls_each_time(graph, method):
                is_own = last_name(call) in _OF_MODELS and receiver(call) == "self.model"
                if is_own or _saves(graph, call):
                    yield self._saved(graph, call, Related(span_of(method, graph.file), "runs for every batch"))

    def _saved(self, graph: PipelineGraph, call: ast.Call, loop: Related | None, said: str = "") -> Finding:
        is_read = last_name(call) in _RESTORING
        return self.finding(
            span_of(call, graph.file),
            said or f"The model is {'restored' if is_read else 'saved'} in every step",
            cost="Every step waits until the variables are read from files"
            if is_read
            else "Every step waits until the variables are written (measured: 60 ms for a model of 3,000"
            " parameters, whose step takes 1.4 ms)",
            advice="Restore it once, before the loop"
            if is_read
            else 'Save once per epoch (`save_freq="epoch"`), or every 1,000 steps'
            if said
            else "Save every 1,000 steps (`if step % 1000 == 0`), or once per epoch",
            confidence="likely",
            related=(loop,) if loop is not None else (),
        )


def _saves(graph: PipelineGraph, call: ast.Call) -> bool:
    """Does a call save or restore a model, or a checkpoint of one?"""
    name = last_name(call)
    if name in _LOADING:
        return plain(syntax_of(graph.source).scopes.full_name(call.func)) in _LOADERS
    if not isinstance(call.func, ast.Attribute):
        return False
    if name in _OF_CHECKPOINTS and _is_checkpoint(graph, call):
        return True
    return name in _OF_MODELS and (is_keras_model(graph.tree, call) or is_made(graph, call, MODELS))


def _is_checkpoint(graph: PipelineGraph, call: ast.Call) -> bool:
    """Is what a method is called on a checkpoint, or a manager of some that saves whenever it is asked?

    That of Orbax asks its options (`save_interval_steps`), and writes while the loop goes on.
    """
    if "orbax" in graph.source.text or any(keyword.arg == "check_interval" for keyword in call.keywords):
        return False
    return is_made(graph, call, _CHECKPOINTS)
