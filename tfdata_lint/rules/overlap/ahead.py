"""What it means to read ahead of the consumer."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from tfdata_lint.pipeline.mapped.purity import why_unproven
from tfdata_lint.pipeline.mapped.stage_effects import effects_of, is_adapted, meets_looked_for, meets_written
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.errors import may_go_on, may_leave
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import reaches_the_end
from tfdata_lint.pipeline.nouns.questions import CACHES, inside
from tfdata_lint.pipeline.nouns.stages import Effect, Stage, tips, upstream
from tfdata_lint.source.trees import children

#: What makes a mixture give another order in each iteration.
_ANEW = "rerandomize_each_iteration"
#: How many elements `fit` and the like take.
_STEPS = ("steps", "steps_per_epoch", "validation_steps")


def why_further_unsafe(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    """Why stages that take more elements ahead, or fewer, may make other ones, in one of their contexts."""
    return next((reason for stage in stages if (reason := why_unsafe(graph, [stage], graph.reached(stage)))), "")


def why_unsafe(graph: PipelineGraph, ends: Iterable[Stage], consumers: Sequence[Consumer]) -> str:
    """Why making elements before the consumer asks for them may make other elements; empty when it does not."""
    ends = list(ends)
    leaves = may_leave(graph, consumers)
    stops_early = leaves or any(_stops_early(graph, end, consumers) for end in ends)
    for stage in upstream(*ends):
        if meets_written(graph, stage, consumers):
            return "the consumer may write files, and reading ahead may read one of them too early"
        if meets_looked_for(graph, stage, consumers):
            return "the consumer may look for the cache files, which appear sooner when the pipeline reads ahead"
        if stops_early and stage.op in CACHES and _may_vary(graph, stage):
            return (
                "the consumer stops early, and reading ahead may complete a cache of elements that were new in each"
                " epoch"
            )
        if stops_early and (stage.op == "snapshot" or (stage.op in CACHES and stage.has("filename"))):
            return "the consumer stops early, and reading ahead may complete the files of a cache"
        if (leaves or _reads_again(consumers, stops_early)) and _draws_further_orders(graph, stage):
            return "the pipeline is read again, and reading ahead has by then drawn the order of one more epoch"
        for effect in effects_of(graph, stage):
            if effect is None and stage.is_opaque:
                return "the start of the pipeline is unknown, and may depend on state that the consumer changes"
            if effect is None:
                return (
                    "the effects of one of its functions are not fully known, and it may see changes that the"
                    " consumer makes"
                )
            if effect.kind == "tf_print":
                return f"`{effect.what}` would print sooner, also for elements that nobody reads"
            if reason := _why(effect, stage, graph):
                return f"{reason}, and reading ahead changes the state that it meets"
        if reason := why_unproven(graph, stage):
            return f"{reason}, and would run ahead of the consumer"
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
    return is_anew and (stage.literal("seed") is not None or bool(graph.seeds) or graph.is_written("seed"))


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
    return not all(map(reaches_the_end, loops)) or any(_may_be_left(graph, loop) for loop in loops)


def _may_vary(graph: PipelineGraph, cache: Stage) -> bool:
    """May other elements come to a cache in the next epoch?"""
    effects = (effect for stage in upstream(cache) for effect in effects_of(graph, stage))
    return any(effect is None or effect.kind != "lookup" for effect in effects)


def _why(effect: Effect, stage: Stage, graph: PipelineGraph) -> str:
    if effect.kind in ("from_generator", "py_function"):
        return _why_python(effect, stage, graph)
    if effect.kind == "random" and not _keeps_state(effect):
        return ""
    if effect.kind in ("random", "random_layer") and not graph.seeds and not graph.is_written("any seed"):
        return ""
    if effect.kind == "stateful_layer" and is_adapted(effect):
        return ""
    return _REASONS.get(effect.kind, "").format(what=effect.what)


def _keeps_state(effect: Effect) -> bool:
    """Does it draw from a generator of Keras?"""
    return effect.seeded and effect.what.startswith(("keras.", "tf.keras."))


def _why_python(effect: Effect, stage: Stage, graph: PipelineGraph) -> str:
    python = effect.python
    if python is None or not python.is_known:
        return (
            f"the effects of the Python code behind `{effect.what}` are not fully known: it may share state with the"
            " consumer"
        )
    # Few pipelines have any.
    from tfdata_lint.rules.overlap.state import changed_elsewhere

    state = python.acts or changed_elsewhere(python, stage, graph)
    return f"the Python code behind `{effect.what}` may share `{state}` with the consumer" if state else ""


_REASONS: dict[str, str] = {
    "variable_read": "it reads `{what}`, which the consumer may change",
    "variable_assign": "it changes `{what}`, which the consumer may read",
    "generator": "the consumer may draw from the same random state as `{what}`",
    "random": "the consumer may draw from the same random state as `{what}`",
    "random_layer": "if the consumer stops early, `{what}` has drawn values for elements that nobody read",
    "stateful_layer": "`{what}` may hold variables that the consumer changes",
    "iterator": "the consumer may take elements from the same source as `{what}`",
}


def _may_be_left(graph: PipelineGraph, loop: ast.AST) -> bool:
    """May an error leave a loop, and the program go on?"""
    return id(loop) in graph.once(_tried)


def _tried(graph: PipelineGraph) -> set[int]:
    """The nodes of the module that stand where an error is caught."""
    found: set[int] = set()
    todo: list[tuple[ast.AST, bool]] = [(graph.tree, False)] if graph.tree is not None else []
    while todo:
        node, is_tried = todo.pop()
        if is_tried:
            found.add(id(node))
        tried = node.body if isinstance(node, ast.Try) and node.handlers else ()
        todo += ((part, is_tried or any(part is step for step in tried)) for part in children(node))
    return found
