"""How messages of several rules name an expensive map."""

from __future__ import annotations

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Stage

_PYTHON = ("numpy_function", "py_function", "py_func")


def is_expensive(function: MappedFunction | None) -> bool:
    """Is it known to be? Of what runs as Python, what it calls decides."""
    if function is None or function.cost != "heavy":
        return False
    python = [effect.python for effect in function.effects if effect.kind == "py_function"]
    return last(function.heavy) not in _PYTHON or any(one is not None and one.heavy for one in python)


def expensive(function: MappedFunction) -> str:
    """Return `map(f)` where `f` itself is the expensive operation, else the function and the operation it calls."""
    if function.name == function.heavy:
        return f"`map({function.name})`"
    return f"`map({function.name})` (calls `{function.heavy}`)"


def reads_what_is_left(graph: PipelineGraph, mapped: Stage, stage: Stage) -> bool:
    """Does a map only work on names, and are the files read later, of those that are left, which takes far longer?"""
    return not _reads(mapped) and any(map(_reads, graph.downstream(stage)))


def _reads(stage: Stage) -> bool:
    return stage.function is not None and any(last(name) == "read_file" for name in stage.function.operations)
