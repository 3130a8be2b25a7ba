"""TFD302."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.graph import Effect, Path, PipelineGraph, Span, Stage, paths
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.ordering.shared import follows, swap
from tfdata_lint.rules.wording import when

#: Sources of made-up data: random values drawn from them are the data, not an augmentation of it.
_SYNTHETIC = {"range", "counter", "random", "from_tensors"}
#: A sample is drawn here, so that what is cached is meant to stay the same.
_SAMPLING = {"take", "skip", "shard"}
_EVALUATION_WORDS = {"val", "valid", "validation", "eval", "evaluation", "test", "dev", "predict", "infer", "inference"}
_TRAINING_WORDS = {"train", "training"}
_EVALUATION_KINDS = {"evaluate", "predict", "validation", "inspection"}


class CacheAfterRandom(Rule):
    code = "TFD302"
    name = "cache-after-random"
    group = "correctness"
    summary = "A cache freezes random augmentation or the order of a shuffle"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        for cache in graph.stages:
            if cache.op not in ("cache", "snapshot") or cache.span in reported or _is_only_evaluated(cache, graph):
                continue
            known = tuple(paths(cache, cache.context.conditions))
            trained = [path for path in known if not _is_evaluation(path, cache, graph)]
            for path in trained:
                if stage := _random_map(cache, path):
                    frozen = [other for other in trained if _random_map(cache, other) is stage]
                    yield self._frozen_draws(cache, stage, when(frozen, known, stage, cache))
                elif stage := _frozen_shuffle(cache, path, graph):
                    frozen = [other for other in trained if _frozen_shuffle(cache, other, graph) is stage]
                    yield self._frozen_order(graph, cache, stage, when(frozen, known, stage, cache))
                else:
                    continue
                reported.add(cache.span)
                break

    def _frozen_draws(self, cache: Stage, stage: Stage, case: str) -> Finding:
        effect = _unseeded(stage)
        assert effect is not None
        return self.finding(
            cache.span,
            f"`{cache.op}` comes after the `{stage.op}` that draws from `{effect.what}`{case}",
            cost="Every epoch is fed the draws of the first one, so the augmentation happens only once",
            advice=f"Move the `{stage.op}` behind the `{cache.op}`",
            confidence=stage.confidence,
            related=(Related(effect.span, "drawn once for each element, then read from the cache"),),
            fix=Fix("display-only", f"Move `{cache.op}` before the random `{stage.op}`", "the data changes"),
        )

    def _frozen_order(self, graph: PipelineGraph, cache: Stage, stage: Stage, case: str) -> Finding:
        return self.finding(
            cache.span,
            f"`{cache.op}` comes after `shuffle` and no other `shuffle` follows{case}",
            severity="warning",
            cost="The order of the first epoch is kept, and all epochs are the same (measured)",
            advice=f"Put `shuffle` behind `{cache.op}`",
            confidence=stage.confidence,
            related=(Related(stage.span, "shuffles only while the cache is filled"),),
            fix=swap(
                graph,
                stage,
                cache,
                f"Swap `shuffle` and `{cache.op}`",
                "the order differs from epoch to epoch, as meant",
            )
            if follows(cache, stage)
            else None,
        )


def _random_map(cache: Stage, path: Path) -> Stage | None:
    """The random map whose draws are kept."""
    if path.stages[0].op in _SYNTHETIC:
        return None
    return next(
        (stage for stage in _upstream(cache, path) if stage.op in ("map", "flat_map") and _unseeded(stage)), None
    )


def _frozen_shuffle(cache: Stage, path: Path, graph: PipelineGraph) -> Stage | None:
    """The shuffle whose order is kept, with no other one behind the cache."""
    if any(stage.op in ("shuffle", "shuffle_and_repeat") for stage in graph.downstream(cache)):
        return None
    for stage in _upstream(cache, path):
        if stage.op != "shuffle" or stage.literal("reshuffle_each_iteration") not in (None, True):
            continue
        if stage.literal("buffer_size") != 1 and not _are_two_switches(stage, cache):
            return stage
    return None


def _are_two_switches(shuffle: Stage, cache: Stage) -> bool:
    """Each has a condition of its own: nobody need ever ask for both."""
    one, other = set(shuffle.context.conditions), set(cache.context.conditions)
    return bool(one - other) and bool(other - one)


def _upstream(cache: Stage, path: Path) -> Iterator[Stage]:
    """The stages before the cache, nearest first, up to one that draws a sample, or repeats for ever."""
    for stage in reversed(path.before(cache)):
        # What is endless never fills a cache.
        if stage.op in _SAMPLING or (stage.op == "repeat" and stage.literal("count") in (None, -1)):
            return
        yield stage


def _unseeded(stage: Stage) -> Effect | None:
    """What a mapped function draws anew in each epoch. With an op seed every epoch is the same without a cache."""
    for effect in stage.function.effects if stage.function else ():
        if effect.kind in ("generator", "random_layer") or (effect.kind == "random" and not effect.seeded):
            return effect
    return None


def _is_only_evaluated(cache: Stage, graph: PipelineGraph) -> bool:
    """Nothing but evaluation and inspection reads it."""
    consumers = graph.reached(cache)
    return bool(consumers) and all(consumer.kind in _EVALUATION_KINDS for consumer in consumers)


def _is_evaluation(path: Path, cache: Stage, graph: PipelineGraph) -> bool:
    """Do the names around it say that this is no training data?"""
    split = path.stages[0].literal("split")
    names = [cache.context.definition, split if isinstance(split, str) else ""]
    names += [stage.receiver for stage in (*path.stages, *graph.downstream(cache))]
    if any(_words(name) & _EVALUATION_WORDS for name in names):
        return True
    context = cache.context
    return any(
        _words(test.text) & (_EVALUATION_WORDS if test.holds else _TRAINING_WORDS)
        for test in (*path.conditions, *context.conditions, *context.guards)
    )


def _words(name: str) -> set[str]:
    return set(re.findall(r"[a-z]+", name.lower()))
