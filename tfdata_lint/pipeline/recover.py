"""The door of the analyser: the pipelines of a module or notebook, which is never run."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tfdata_lint.pipeline.interpreter.limits import LIMITS, Limits
from tfdata_lint.pipeline.interpreter.reading import Interpreter, read_module
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.values import Value
from tfdata_lint.pipeline.nouns.work import Work
from tfdata_lint.pipeline.project.index import symbol_uses
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.users import introduce
from tfdata_lint.source.module import Source


def recover(source: Source, project: Project | None = None, limits: Limits = LIMITS) -> PipelineGraph:
    """The pipelines of one module or notebook."""
    return interpreted(source, project, limits).graph


def recover_within(source: Source, project: Project | None, steps: int) -> PipelineGraph:
    """The same with another limit of steps."""
    return recover(source, project, limits_of(source, steps))


def seen_from(graph: PipelineGraph, source: Source, project: Project) -> PipelineGraph:
    """A graph as another module sees it that has no pipelines, but code that these run."""
    view = graph.seen_from(source)
    view.uses = symbol_uses(source)
    introduce(view, project, source)
    return view


def limits_of(source: Source, steps: int) -> Limits:
    """The limits for a number of steps, also of how much of a source is parsed."""
    limits = Limits.of(steps)
    source.allow(limits.characters)
    return limits


def interpreted(
    source: Source, project: Project | None, limits: Limits, watch: Callable[[Value, ast.Call], None] | None = None
) -> Interpreter:
    """The run over one module. Who watches wants to see it even where nothing tells of a pipeline."""
    run = Interpreter(source, project or Project(), limits)
    run.watch = watch
    if source.tree is not None and (run.index.work.data or watch is not None):
        # Values are looked at on an account of their own: how far a file is read does not depend on it.
        with Work(limits.asked):
            read_module(run, source.tree)
    elif source.unparsed:
        # What tells of a pipeline may stand in the rest.
        run.graph.end(source.unparsed, "size")
    return run
