"""The door of the analyser: the pipelines of a module or notebook, which is never run."""

from __future__ import annotations

from tfdata_lint.pipeline.interpreter.run import Interpreter
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.source.module import Source


def recover(source: Source) -> PipelineGraph:
    """The pipelines of one module or notebook."""
    return _interpreted(source).graph


def reveal(source: Source) -> list[tuple[int, str]]:
    """What each `reveal_pipeline(x)` call of a module sees, as (row, text), in the order of the source."""
    return sorted(_interpreted(source).reveals, key=lambda found: found[0])


def _interpreted(source: Source) -> Interpreter:
    run = Interpreter(source)
    if source.tree is not None and run.index.work.data:
        run.module_body(source.tree)
    run.release()
    return run
