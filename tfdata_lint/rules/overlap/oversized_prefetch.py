"""TFD107."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Argument, Stage
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.overlap.common import is_batched

#: So many batches are more than any consumer needs ahead.
_MANY = 16


class OversizedPrefetch(Rule):
    code = "TFD107"
    name = "oversized-prefetch"
    group = "performance"
    summary = "`prefetch` keeps many whole batches in memory"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        for stage in graph.stages:
            if stage.op != "prefetch" or stage.span in reported or "buffer_size" not in stage.arguments:
                continue
            ways = paths(stage, stage.context.conditions)
            sizes = [_oversize(stage, path) if is_batched(path) else "" for path in ways]
            for path, what in zip(ways, sizes, strict=True):
                if not what:
                    continue
                reported.add(stage.span)
                batch = next((s for s in reversed(path.stages) if s.operation.batches), None)
                when = f" {path.when}" if path.when and not all(sizes) else ""
                yield self.finding(
                    stage.span,
                    f"`prefetch` after batching keeps {what} whole batches ready{when}",
                    cost="Memory for batches that the consumer does not need yet (measured: 1,000 batches of 1 MB took"
                    " 1 GB, AUTOTUNE 12 MB)",
                    advice="Use `prefetch(tf.data.AUTOTUNE)`",
                    confidence=stage.confidence,
                    related=(Related(batch.span, "from here on the elements are batches"),) if batch else (),
                    fix=_fix(graph, stage, target),
                )
                break


def _fix(graph: PipelineGraph, stage: Stage, target: Target) -> Fix:
    draft = Draft(graph)
    draft.set_arguments(stage, buffer_size=draft.autotune(stage.node, target))
    return draft.fix("safe", "Use `tf.data.AUTOTUNE`")


def _oversize(stage: Stage, path: Path) -> str:
    """How many batches, if that is many: a number, or the name of the batch size."""
    argument = stage.arguments["buffer_size"]
    size = argument.literal
    if isinstance(size, int) and not isinstance(size, bool) and size >= _MANY:
        return str(size)
    named = any(_is_same_name(argument, given) for s in path.before(stage) if (given := s.arguments.get("batch_size")))
    return f"as many as a batch has elements (`{ast.unparse(argument.node)}`)" if named else ""


def _is_same_name(one: Argument, other: Argument) -> bool:
    """Are both the same variable with the same value?"""
    if not isinstance(one.node, (ast.Name, ast.Attribute)) or ast.unparse(one.node) != ast.unparse(other.node):
        return False
    return one.value is other.value or one.value == other.value
