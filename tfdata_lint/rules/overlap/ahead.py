"""What it means to read ahead of the consumer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tfdata_lint.pipeline.mapped.footprint import FURTHER_AHEAD, READ_AHEAD, conflict, footprint
from tfdata_lint.pipeline.mapped.paths_written import meets_written
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.errors import catches, may_go_on
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import reaches_the_end
from tfdata_lint.pipeline.nouns.paths import inside
from tfdata_lint.pipeline.nouns.questions import CACHES
from tfdata_lint.pipeline.nouns.stages import Stage, tips, upstream

#: What makes a mixture give another order in each iteration.
_ANEW = "rerandomize_each_iteration"
#: Datasets that go where nothing is seen of them.
_LEAVING = ("argument", "distribute", "input_fn", "return", "stored", "yield")
#: How many elements `fit` and the like take.
_STEPS = ("steps", "steps_per_epoch", "validation_steps")


def why_autotuned_unsafe(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    """Why stages that run ahead already may not choose how far: Python code would run at another time."""
    before = {id(part): part for stage in stages for part in upstream(stage)}
    return next((reason for part in before.values() if (reason := conflict(graph, part, FURTHER_AHEAD))), "")


def why_further_unsafe(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    """Why stages that take more elements ahead, or fewer, may make other ones, in one of their contexts."""
    return next((reason for stage in stages if (reason := why_unsafe(graph, [stage], graph.reached(stage)))), "")


def why_unsafe(graph: PipelineGraph, ends: Iterable[Stage], consumers: Sequence[Consumer]) -> str:
    """Why making elements before the consumer asks for them may make other elements; empty when it does not."""
    ends = list(ends)
    leaves = _may_leave(graph, consumers)
    stops_early = leaves or any(_stops_early(graph, end, consumers) for end in ends)
    for stage in upstream(*ends):
        if path := meets_written(graph, stage, consumers):
            return f"the loop writes `{path}`, which the pipeline reads or keeps, and reading ahead may be too early"
        if stops_early and stage.op in CACHES and _may_vary(graph, stage):
            return (
                "the consumer stops early, and reading ahead may complete a cache of elements that were new in each"
                " epoch"
            )
        if stops_early and (stage.op == "snapshot" or (stage.op in CACHES and stage.has("filename"))):
            return "the consumer stops early, and reading ahead may complete the files of a cache"
        again = leaves or _reads_again(consumers, stops_early) or _is_read_meanwhile(graph, stage, consumers)
        if again and _draws_further_orders(graph, stage):
            return "the pipeline is read again, and reading ahead has by then drawn the order of one more epoch"
        if reason := conflict(graph, stage, READ_AHEAD):
            return reason
    if may_go_on(graph, consumers):
        return "the consumer continues after an error, and reading ahead changes which elements are lost"
    return ""


def _draws_further_orders(graph: PipelineGraph, stage: Stage) -> bool:
    """Does it shuffle by a seed, anew each time that a stage behind it opens it? All iterators take from one generator.

    A `repeat` opens it for each turn, what has it twice twice, a function for each element.
    """
    return any(
        _draws(graph, part)
        and (
            part is not stage
            or _is_read_twice(graph, part)
            or any(later.op == "repeat" for later in graph.downstream(part))
        )
        for part in (stage, *inside(stage))
    )


def _is_read_twice(graph: PipelineGraph, stage: Stage) -> bool:
    """Do the stages behind it read it more than once?"""
    users = graph.users(stage)
    return sum(any(tip is stage for tip in tips(given)) for user in users for given in user.inputs) > 1


def _draws(graph: PipelineGraph, stage: Stage) -> bool:
    is_anew = stage.may_shuffle or (stage.has(_ANEW) and stage.literal(_ANEW) is not False)
    return is_anew and (stage.literal("seed") is not None or bool(graph.seeds) or graph.says("seed"))


def _is_read_meanwhile(graph: PipelineGraph, stage: Stage, consumers: Sequence[Consumer]) -> bool:
    """May somebody else read a stage while it is consumed: in the loop, in a callback?"""
    others = [consumer for consumer in graph.reached(stage) if all(consumer is not one for one in consumers)]
    is_called = any(consumer.has("callbacks") for consumer in consumers)
    return bool(others) and (is_called or any(other.context.loops or other.context.definition for other in others))


def _reads_again(consumers: Sequence[Consumer], stops_early: bool) -> bool:
    """Is there a further iterator after one that may be left before its end?"""
    is_left = stops_early or any(consumer.kind != "for" for consumer in consumers)
    made = [consumer.iterator.context if consumer.iterator is not None else consumer.context for consumer in consumers]
    return is_left and (len(consumers) > 1 or any(context.loops for context in made))


def _stops_early(graph: PipelineGraph, end: Stage, consumers: Iterable[Consumer]) -> bool:
    """May its elements not all be asked for?"""
    if any(later.op in ("take", "take_while") for later in graph.downstream(end)):
        return True
    if any(consumer.kind == "next" or any(map(consumer.has, _STEPS)) for consumer in consumers):
        return True
    loops = [consumer.node for consumer in consumers if consumer.kind == "for"]
    return not all(map(reaches_the_end, loops)) or (bool(loops) and graph.once(_leaves_loops))


def _leaves_loops(graph: PipelineGraph) -> bool:
    """Does the module catch what may leave a loop, also an error of its own, and go on?"""
    return catches(graph, {"ImportError", "ModuleNotFoundError"})


def _may_vary(graph: PipelineGraph, cache: Stage) -> bool:
    """May other elements come to a cache in the next epoch?"""
    return any(effect.kind != "lookup" for stage in upstream(cache) for effect in footprint(graph, stage))


def _may_leave(graph: PipelineGraph, consumers: Iterable[Consumer]) -> bool:
    """May another file consume what is made here, in whatever way?"""
    return any(consumer.kind in _LEAVING for consumer in consumers) and graph.is_imported
