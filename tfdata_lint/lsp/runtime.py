"""What TensorFlow makes of a stage by itself, in sentences for a reader of the code. Measured on 2.21."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.consumers import DRIVING
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Stage, tips


def remarks(graph: PipelineGraph, stage: Stage) -> Iterator[str]:
    """What is worth knowing about a stage, the most telling first."""
    kept = is_kept(graph, stage)
    if stage.op == "map":
        yield _map(stage)
    elif stage.op == "interleave":
        yield from _interleave(stage)
    elif stage.op in ("batch", "padded_batch"):
        yield "TensorFlow 2.8 and later copy the elements of a batch in parallel if the batch has at least 1 MiB."
    elif stage.op == "shuffle":
        yield "The buffer fills before the first element is returned, and stays in memory."
        if kept:
            yield "Every epoch has the order of the first: a later `cache` keeps it."
        elif stage.literal("reshuffle_each_iteration") in (None, True):
            yield "Every epoch has a new order, also with a seed."
    elif stage.op == "cache":
        where = "in files" if stage.has("filename") else "in memory"
        yield f"The first complete epoch fills the cache {where}; the stages before it do not run again."
    elif stage.op == "prefetch":
        size = stage.literal("buffer_size")
        yield (
            "A background thread works ahead of the consumer"
            + (", as far as TensorFlow finds useful." if size == AUTOTUNE else ".")
        )
    if kept:
        yield "A later `cache` keeps its results: it runs in the first epoch only."
    yield from _fusion(graph, stage)
    yield from _end(graph, stage)


def is_kept(graph: PipelineGraph, stage: Stage) -> bool:
    """Does all that is made of a stage go through a cache?"""
    ends = [last for last in graph.downstream(stage) if not graph.users(last)]
    return bool(ends) and all(any(part.op == "cache" for part in (*graph.between(stage, last), last)) for last in ends)


def _map(stage: Stage) -> str:
    calls = stage.parallelism
    if calls == AUTOTUNE:
        return "The runtime chooses how many calls run at once, at most one for each core."
    if stage.is_parallel:
        return f"Up to {calls} calls run at once." if isinstance(calls, int) else "Several calls may run at once."
    if calls == 1:
        return "One call at a time: `num_parallel_calls=1` switches the runtime's own parallelism off."
    if stage.nested_in is not None:
        return f"One call at a time: inside `{stage.nested_in.op}`  TensorFlow does not parallelize a `map` by itself."
    effect = stage.function.stateful if stage.function else None
    if effect is not None:
        return f"One call at a time: `{effect.what}` is stateful, so TensorFlow does not parallelize it by itself."
    if stage.function and stage.function.is_stateless:
        return "Stateless: TensorFlow 2.7 and later parallelize it by themselves."
    return "TensorFlow 2.7 and later parallelize it by themselves if its whole function is stateless."


def _interleave(stage: Stage) -> Iterator[str]:
    if not stage.is_parallel:
        yield "One element at a time: TensorFlow does not parallelize `interleave` by itself."
    if not stage.has("cycle_length"):
        yield (
            "Without `cycle_length`, the number of inputs read in turn depends on the machine, and so does the order."
        )


def _fusion(graph: PipelineGraph, stage: Stage) -> Iterator[str]:
    users = {user.op for user in graph.users(stage)}
    before = {tip.op for origin in stage.inputs for tip in tips(origin)}
    if stage.op == "map" and users == {"batch"}:
        yield "It is fused with the `batch` after it."
    elif stage.op == "batch" and before == {"map"}:
        yield "It is fused with the `map` before it."
    elif stage.op == "shuffle" and users == {"repeat"}:
        yield "It is fused with the `repeat` after it."


def _end(graph: PipelineGraph, stage: Stage) -> Iterator[str]:
    if stage.op == "prefetch" or stage.nested_in is not None:
        return
    consumers = [consumer for consumer in graph.consumers_of(stage) if consumer.kind in DRIVING]
    if any(consumer.kind == "for" and consumer.context.in_tf_function for consumer in consumers):
        yield "The loop over it in a `tf.function` waits for every element: no prefetch is added there."
    elif consumers:
        yield "TensorFlow 2.11 and later append a `prefetch(AUTOTUNE)` unless the pipeline already works ahead."
