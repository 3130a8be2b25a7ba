"""What it means to run a function in parallel."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped.footprint import IN_PARALLEL, conflict
from tfdata_lint.pipeline.nouns import code
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import may_be_endless, may_ignore_errors, may_reorder
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import External, Flag
from tfdata_lint.rules.overlap.ahead import why_further_unsafe

#: Options that, when False, leave a pipeline without the rewrites that TensorFlow makes by itself.
REWRITES = ("autotune.enabled", "experimental_optimization.apply_default_optimizations")
#: Who sizes the pool of threads has chosen the number of calls for it.
POOLS = tuple(f"{group}.private_threadpool_size" for group in ("threading", "experimental_threading"))


def why_unsafe(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    """Why running the function of a stage in parallel changes more than the time it takes, in one of its contexts.

    Empty when it does not.
    """
    return next((reason for stage in stages if (reason := _why_unsafe(graph, stage))), "")


def why_inputs_differ(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    """Why several inputs that are read at the same time may give something else: measured on TensorFlow 2.21."""
    stages = list(stages)
    if any(may_ignore_errors(graph, stage) for stage in stages):
        return "`ignore_errors` follows: a sequential stage reads a failing input again, a parallel one drops it"
    return why_cardinality_differs(stages)


def why_cardinality_differs(stages: Iterable[Stage]) -> str:
    """Why inputs that are read at the same time may give more elements or fewer: measured on TensorFlow 2.21."""
    return _ENDLESS if any(map(may_be_endless, stages)) else ""


def is_parallel(stage: Stage) -> bool:
    """Does it work in parallel because the code says so?"""
    return stage.is_parallel or stage.op == "parallel_interleave"


def calls_of(stage: Stage) -> Any:
    """The number of calls, as far as it is known; that which an option of the command line has by default."""
    return stage.presumed("num_parallel_calls") if is_option(stage) else stage.literal("num_parallel_calls")


def is_option(stage: Stage) -> bool:
    """Is the number of calls an option of the command line?"""
    calls = stage.arguments.get("num_parallel_calls")
    return calls is not None and isinstance(calls.value, Flag)


def is_passed_in(graph: PipelineGraph, stage: Stage) -> bool:
    """Is the number of calls the choice of who starts the program, or calls the function that it stands in?"""
    if (calls := stage.arguments.get("num_parallel_calls")) is None or isinstance(calls.node, ast.Constant):
        return False
    return is_option(stage) or stage.span.file != graph.file or code.is_passed_in(graph.tree, calls.node)


def is_number_of_cores(stage: Stage) -> bool:
    """Is the number of calls that of the cores: `os.cpu_count()`?"""
    calls = stage.arguments.get("num_parallel_calls")
    value = calls.value if calls is not None else None
    return isinstance(value, External) and last(value.symbol) == "cpu_count"


def _why_unsafe(graph: PipelineGraph, stage: Stage) -> str:
    if is_passed_in(graph, stage):
        return "callers could no longer choose the number"
    if reason := conflict(graph, stage, IN_PARALLEL):
        return reason
    if may_reorder(graph, stage):
        return "`deterministic` is, or may be, off, so a parallel stage changes the order of the elements"
    # It takes several elements at once from what stands before it.
    return why_further_unsafe(graph, [stage])


_ENDLESS = "if the input is infinite, or may be, the cardinality changes from unknown to infinite"
