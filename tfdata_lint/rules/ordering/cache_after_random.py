"""TFD302."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.graph import Effect, Path, PipelineGraph, Span, Stage, paths
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.ordering.shared import follows, when
from tfdata_lint.target import Target

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
            for path in paths(cache, cache.context.conditions):
                if _is_evaluation(path, cache, graph):
                    continue
                if finding := self._frozen_draws(cache, path) or self._frozen_order(cache, path, graph):
                    reported.add(cache.span)
                    yield finding
                    break

    def _frozen_draws(self, cache: Stage, path: Path) -> Finding | None:
        if path.stages[0].op in _SYNTHETIC:
            return None
        for stage in _upstream(cache, path):
            if stage.op not in ("map", "flat_map") or not (effect := _unseeded(stage)):
                continue
            return self.finding(
                cache.span,
                f"`{cache.op}` comes after the `{stage.op}` that draws from `{effect.what}`{when(path, stage, cache)}",
                cost="Every epoch is fed the draws of the first one, so the augmentation happens only once",
                advice=f"Move the `{stage.op}` behind the `{cache.op}`",
                confidence=stage.confidence,
                related=(Related(effect.span, "drawn once for each element, then read from the cache"),),
                fix=Fix("display-only", f"Move `{cache.op}` before the random `{stage.op}`", "the data changes"),
            )
        return None

    def _frozen_order(self, cache: Stage, path: Path, graph: PipelineGraph) -> Finding | None:
        if any(stage.op in ("shuffle", "shuffle_and_repeat") for stage in graph.downstream(cache)):
            return None
        for stage in _upstream(cache, path):
            if stage.op != "shuffle" or stage.literal("reshuffle_each_iteration") not in (None, True):
                continue
            if stage.literal("buffer_size") == 1:
                continue
            return self.finding(
                cache.span,
                f"`{cache.op}` comes after `shuffle` and no other `shuffle` follows{when(path, stage, cache)}",
                severity="warning",
                cost="The order of the first epoch is kept, and all epochs are the same (measured)",
                advice=f"Put `shuffle` behind `{cache.op}`",
                confidence=stage.confidence,
                related=(Related(stage.span, "shuffles only while the cache is filled"),),
                fix=Fix("unsafe", f"Swap `shuffle` and `{cache.op}`", "the order differs from epoch to epoch, as meant")
                if follows(cache, stage)
                else None,
            )
        return None


def _upstream(cache: Stage, path: Path) -> Iterator[Stage]:
    """The stages before the cache, nearest first, up to one that draws a sample."""
    for stage in reversed(path.before(cache)):
        if stage.op in _SAMPLING:
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
    tests = [(condition.text, condition.holds) for condition in (*path.conditions, *cache.context.conditions)]
    tests += _enclosing_tests(cache, graph)
    return any(_words(text) & (_EVALUATION_WORDS if holds else _TRAINING_WORDS) for text, holds in tests)


def _enclosing_tests(stage: Stage, graph: PipelineGraph) -> Iterator[tuple[str, bool]]:
    """The tests written around a stage and their outcome, those included that a constant argument decides."""
    for node in ast.walk(graph.tree) if graph.tree else ():
        if isinstance(node, ast.If):
            is_not = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
            for branch, holds in ((node.body, True), (node.orelse, False)):
                if any(inner is stage.node for statement in branch for inner in ast.walk(statement)):
                    yield ast.unparse(node.test), holds != is_not


def _words(name: str) -> set[str]:
    return set(re.findall(r"[a-z]+", name.lower()))
