"""TFD439."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import calls_of, last_name, may_fail
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.saving import saving
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.rules.base import Finding, Related, Rule

_CHECKPOINT = "Checkpoint"
_SAVING = ("save", "write")
_MANAGER = "CheckpointManager"


class UnsavableIterator(Rule):
    code = "TFD439"
    name = "unsavable-iterator"
    group = "correctness"
    summary = "A checkpoint holds an iterator over Python code or random operations, which cannot be saved"
    triggers = (
        "from_generator effect:py_function effect:random effect:generator effect:variable_read effect:variable_assign",
        "to:iter to:next to:inspection",
        f"text:{_CHECKPOINT}(",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or not target.at_least(2, 0):
            return
        syntax = syntax_of(graph.source)
        held = [pair for call in calls_of(graph.tree, _CHECKPOINT) for pair in _held(graph, syntax, call)]
        for consumer in graph.consumers if held else ():
            made = consumer.iterator.node if consumer.iterator is not None else consumer.node
            if consumer.span.file != graph.file or consumer.context.in_test:
                continue
            checkpoint = next((call for call, given in held if given == id(made)), None)
            known = saving(consumer.dataset) if checkpoint is not None else None
            if checkpoint is None or known is None or known.is_possible or known.stage is None:
                continue
            place = span_of(checkpoint, graph.file)
            if not _is_saved(graph, checkpoint):
                continue
            yield self.finding(
                place,
                f"The iterator in this checkpoint cannot be saved: {known.reason}",
                cost="Saving the checkpoint fails with a FailedPreconditionError",
                advice="Leave the iterator out of the checkpoint, or read the data with operations of TensorFlow whose"
                " state is saved (`shuffle`, stateless random operations)",
                confidence=known.stage.confidence,
                related=(Related(known.stage.span, "this cannot be saved"),),
            )


def _held(graph: PipelineGraph, syntax: Syntax, checkpoint: ast.Call) -> Iterator[tuple[ast.Call, int]]:
    """What a checkpoint holds, by the `id` of the call that makes it."""
    if not syntax.scopes.full_name(checkpoint.func).endswith(f"train.{_CHECKPOINT}"):
        return
    given = [*checkpoint.args, *(keyword.value for keyword in checkpoint.keywords)]
    spread = [keyword.value for keyword in checkpoint.keywords if keyword.arg is None]
    for place in [place for value in spread for place in origins(graph, value)]:
        given += place.node.values if isinstance(place.node, ast.Dict) and place.source is graph.source else []
    for value in given:
        made = origins(graph, value)
        yield from ((checkpoint, id(place.node)) for place in made if len(made) == 1)


def _is_saved(graph: PipelineGraph, checkpoint: ast.Call) -> bool:
    """Is it saved, by itself or by a manager, and does nobody reckon with an exception?"""
    for call in (call for name in _SAVING for call in calls_of(graph.tree, name)):
        made = [place.node for place in origins(graph, getattr(call.func, "value", call.func))]
        managed = (one.args[0] for one in made if last_name(one) == _MANAGER and one.args)
        made += [place.node for one in managed for place in origins(graph, one)]
        if any(one is checkpoint for one in made) and not may_fail(graph.tree, call):
            return True
    return False
