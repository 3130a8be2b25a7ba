"""Which file or pattern a stage reads or keeps, as far as its path is written."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Argument, Stage
from tfdata_lint.pipeline.nouns.values import Constant, Sequence
from tfdata_lint.pipeline.python.values import texts_at

_FILES = ("filenames", "file_pattern", "directory", "path", "filename")


def files_of(graph: PipelineGraph, stage: Stage, *further: str) -> list[str]:
    """The paths that a stage is given, with a hole for each part that is not known; none where nothing is."""
    given = next((stage.arguments[name] for name in (*_FILES, *further) if name in stage.arguments), None)
    return paths_given(graph, given, stage.span.file) if given is not None else []


def paths_given(graph: PipelineGraph, given: Argument, file: str) -> list[str]:
    """The same of one argument: by its value in this calling context, or else by what is written anywhere."""
    values = given.value.items if isinstance(given.value, Sequence) and given.value.rest is None else (given.value,)
    texts = [value.value for value in values if isinstance(value, Constant) and isinstance(value.value, str)]
    if len(texts) == len(values):
        return texts
    source = graph.source_of(file)
    return texts_at(graph, given.node, source) if source is not None else []
