"""The door of the analyser: the pipelines of a module or notebook, which is never run."""

from __future__ import annotations

from tfdata_lint.pipeline.interpreter.limits import LIMITS, Limits
from tfdata_lint.pipeline.interpreter.reading import Interpreter, read_module
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.source.module import LONGEST, Source

#: What is parsed for each step that may be taken.
_CHARACTERS = LONGEST // LIMITS.fuel


def recover(source: Source, project: Project | None = None, limits: Limits = LIMITS) -> PipelineGraph:
    """The pipelines of one module or notebook."""
    return _interpreted(source, project, limits).graph


def recover_within(source: Source, project: Project | None, steps: int) -> PipelineGraph:
    """The same with another limit of steps."""
    source.allow(steps * _CHARACTERS)
    return recover(source, project, Limits.of(steps))


def reveal(source: Source, project: Project | None = None) -> list[tuple[int, str]]:
    """What each `reveal_pipeline(x)` call of a module sees, as (row, text), in the order of the source."""
    return sorted(_interpreted(source, project, LIMITS).reveals, key=lambda found: found[0])


def _interpreted(source: Source, project: Project | None, limits: Limits) -> Interpreter:
    run = Interpreter(source, project or Project(), limits)
    if source.tree is not None and run.index.work.data:
        read_module(run, source.tree)
    return run
