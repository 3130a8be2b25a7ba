"""TFD302."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import drawn
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import calls_of
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.counts import length
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.nouns.paths import Path, cases
from tfdata_lint.pipeline.nouns.purposes import LOOKS, TEST_WORDS, Kind, Purpose, is_evaluated, purpose_of, words
from tfdata_lint.pipeline.nouns.questions import CACHES, SHUFFLES, SPLITTING, is_made_up, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Effect, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, Partial
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.ordering.swapping import swap

#: A sample is drawn here, so that what is cached is meant to stay the same.
_SAMPLING = {"take", "skip", "shard"}
#: These make elements; a filter that draws takes a sample.
_MAKING = ("map", "flat_map", "interleave", "from_generator")
_TRAINING_WORDS = frozenset({"train", "training"})
_EVALUATION_WORDS = TEST_WORDS | {"val", "valid", "validation", "eval", "evaluation", "dev"}
#: A test of nothing but that: `is_training`, `self.train`; `mode == tf.estimator.ModeKeys.EVAL`.
_FLAG = r"(self\.)?(is_)?(train|training)"
_MODE = r"(self\.)?mode == .*\b(TRAIN|EVAL|PREDICT)"

_FROZEN_IMAGES = (
    "Every epoch trains on the same augmented images, because the cache keeps the random values of the first epoch"
)
_FROZEN_VALUES = "Every epoch trains with the same random values, because the cache keeps those of the first epoch"

#: They only put things in another order.
_ORDERS = ("shuffle", "permutation", "sample")


class CacheAfterRandom(Rule):
    code = "TFD302"
    name = "cache-after-random"
    group = "correctness"
    summary = "A cache freezes random augmentation or the order of a shuffle"
    triggers = (
        "cache snapshot",
        "shuffle effect:random effect:generator effect:random_layer effect:py_function from_generator",
    )
    experiment = "epochs"
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        caches = [stage for stage in graph.stages if stage.op in CACHES and not is_only_looked_at(graph, [stage])]
        # A setting chooses behind which of several steps it comes.
        caches = [cache for cache in caches if not any(_is_same_choice(cache, one) for one in upstream(*cache.inputs))]
        # Who calls it otherwise, with `train=False`, knows why.
        shuffled = {cache.span for cache in caches if any(stage.op in SHUFFLES for stage in graph.downstream(cache))}

        def frozen(cache: Stage, path: Path) -> Stage | None:
            found = _random_map(cache, path) or (None if cache.span in shuffled else _frozen_shuffle(cache, path))
            known = purpose(graph, cache, path) if found is not None else None
            is_scored = (known is not None and known.kind == "evaluation") or is_evaluated(graph, cache)
            return None if is_scored else found

        for cache, stage, case in cases(caches, frozen):
            if stage.op == "shuffle":
                yield self._frozen_order(graph, cache, stage, case)
            else:
                found = self._frozen_draws(cache, stage, case)
                is_harmless = _is_only_offered(graph, cache) or _is_filled_only(graph, cache)
                yield found._replace(severity="advice") if is_harmless else found

    def _frozen_draws(self, cache: Stage, stage: Stage, case: str) -> Finding:
        effect = next(_unseeded(stage))
        is_source = not stage.inputs
        return self.finding(
            cache.span,
            f"`{cache.op}` comes after the random `{effect.what}`{case}",
            cost=_FROZEN_IMAGES if effect.kind == "random_layer" or ".image." in effect.what else _FROZEN_VALUES,
            advice=f"Draw in a `map` after the `{cache.op}`, or leave that out"
            if is_source
            else f"Move the `{stage.op}` after the `{cache.op}`",
            severity="warning" if is_source else None,
            confidence="likely" if is_source else stage.confidence,
            related=(Related(effect.span, "drawn once for each element, then read from the cache"),),
            fix=None
            if is_source
            else Fix("display-only", f"Move `{cache.op}` before the random `{stage.op}`", "the data changes"),
        )

    def _frozen_order(self, graph: PipelineGraph, cache: Stage, stage: Stage, case: str) -> Finding:
        # Behind batches it would only reorder these.
        between = graph.between(stage, cache)
        makes_batches = any(part.operation.batches for part in between)
        # Files are shuffled, and the records in them may have to stay together.
        reads = any(part.operation.reads or part.op in SPLITTING for part in between)
        return self.finding(
            cache.span,
            f"`{cache.op}` comes after `shuffle` and no other `shuffle` follows{case}",
            severity="advice" if reads else "warning",
            cost="Every epoch has the order of the first one, because the cache keeps it (measured)",
            advice=f"Put `{cache.op}` before `shuffle`" if makes_batches else f"Put `shuffle` after `{cache.op}`",
            confidence=stage.confidence,
            related=(Related(stage.span, "shuffles only while the cache is filled"),),
            fix=swap(
                graph,
                stage,
                cache,
                f"Swap `shuffle` and `{cache.op}`",
                "the order then differs from epoch to epoch, as intended",
            ),
        )


def _is_only_offered(graph: PipelineGraph, cache: Stage) -> bool:
    """Is it only made where a parameter is set that is off by default, and that no call in the file sets?"""
    function = scope_of(graph.tree, cache.node) if cache.node is not None and cache.span.file == graph.file else None
    if not isinstance(function, ast.FunctionDef):
        return False
    taken = [parameter.arg for parameter in function.args.args]
    off = {
        name
        for name, default in zip(reversed(taken), reversed(function.args.defaults), strict=False)
        if isinstance(default, ast.Constant) and not default.value
    }
    for call in calls_of(graph.tree, function.name):
        off -= {keyword.arg for keyword in call.keywords} | set(taken[: len(call.args)])
    return any(condition.holds and condition.text in off for condition in cache.context.conditions)


def _is_filled_only(graph: PipelineGraph, cache: Stage) -> bool:
    """Is it in memory, and read by a `fit` that is told to make one epoch, so that nothing comes from it so far?"""
    readers = [consumer for consumer in graph.reached(cache) if consumer.kind not in ("return", "stored")]
    fits = [consumer for consumer in readers if consumer.kind == "fit" and not consumer.context.loops]
    return len(readers) == len(fits) == 1 and fits[0].literal("epochs") == 1 and not cache.has("filename")


def _is_same_choice(cache: Stage, other: Stage) -> bool:
    """Does another pass of a loop make the cache, where a condition holds?"""
    return other.span == cache.span and bool(other.context.conditions)


def _random_map(cache: Stage, path: Path) -> Stage | None:
    """The random map whose draws are kept."""
    # Values drawn from made-up numbers are the data, not an augmentation of it.
    if is_made_up(path):
        return None
    return next(
        (stage for stage in _upstream(cache, path) if stage.op in _MAKING and next(_unseeded(stage), None)), None
    )


def _frozen_shuffle(cache: Stage, path: Path) -> Stage | None:
    """The shuffle whose order is kept."""
    for stage in _upstream(cache, path):
        if stage.op != "shuffle" or stage.literal("reshuffle_each_iteration") not in (None, True):
            continue
        if 1 not in (stage.literal("buffer_size"), length(stage)) and not _are_two_switches(stage, cache):
            return stage
    return None


def _are_two_switches(shuffle: Stage, cache: Stage) -> bool:
    """Each has a condition of its own: nobody need ever ask for both."""
    one, other = set(shuffle.context.conditions), set(cache.context.conditions)
    return bool(one - other) and bool(other - one)


def _upstream(cache: Stage, path: Path) -> Iterator[Stage]:
    """The stages before the cache, nearest first, up to one that draws a sample, or repeats."""
    for stage in reversed(path.before(cache)):
        # What is endless never fills a cache, and some passes give as many draws, on purpose.
        if stage.op in (*_SAMPLING, "repeat"):
            return
        yield stage


def _unseeded(stage: Stage) -> Iterator[Effect]:
    """What a stage draws anew in each epoch. With an op seed every epoch is the same without a cache."""
    found = (effect for effect in drawn(stage) if effect.kind != "random" or not effect.seeded)
    # The order in which a generator begins is no random value.
    return (effect for effect in found if stage.inputs or last(effect.what) not in _ORDERS)


def purpose(graph: PipelineGraph, stage: Stage, path: Path) -> Purpose | None:
    """What a stage, to which a path leads, is for: what all its readers do, else what the code around it says."""
    uses = [use for use in graph.reached(stage) if use.kind not in LOOKS]
    purposes = [purpose_of(graph, use) for use in uses]
    if purposes and purposes[0] and all(other and other.kind == purposes[0].kind for other in purposes):
        return purposes[0]
    return _by_flags(stage, path) or _by_names(graph, stage, path)


def named_purpose(*names: str) -> Kind | None:
    """What names say; who names both speaks of the evaluation of what is trained."""
    said = words(*names)
    if said & _EVALUATION_WORDS:
        return "evaluation"
    return "training" if said & _TRAINING_WORDS else None


def _by_flags(stage: Stage, path: Path) -> Purpose | None:
    """What a constant says that a function around the stages was given, and that they depend on."""
    for test in (*stage.context.guards, *(test for other in path.stages for test in other.context.guards)):
        if kind := _flagged(test):
            return Purpose(kind, True, f"`{test}`")
    return next((known for other in path.stages if (known := _bound(other)) is not None), None)


def _bound(stage: Stage) -> Purpose | None:
    """What a mapped function was made for: `partial(parse, training=False)`."""
    for argument in stage.arguments.values():
        keywords = argument.value.keywords if isinstance(argument.value, Partial) else {}
        for name, value in keywords.items():
            if re.fullmatch(_FLAG, name) and isinstance(value, Constant) and isinstance(value.value, bool):
                return Purpose("training" if value.value else "evaluation", True, f"`{name}={value.value}`")
    return None


def _flagged(test: Condition) -> Kind | None:
    if re.fullmatch(_FLAG, test.text):
        return "training" if test.holds else "evaluation"
    if mode := re.fullmatch(_MODE, test.text):
        is_training = mode[2] == "TRAIN"
        return "training" if is_training and test.holds else "evaluation" if is_training != test.holds else None
    return None


def _by_names(graph: PipelineGraph, stage: Stage, path: Path) -> Purpose | None:
    """What names say: of functions, variables, splits, and of the tests on the way."""
    context, split = stage.context, path.stages[0].literal("split")
    names = [context.definition, split if isinstance(split, str) else ""]
    names += [other.receiver for other in (*path.stages, *graph.downstream(stage))]
    tests = (*path.conditions, *context.conditions, *context.guards)
    found = [(named_purpose(name), f"`{name}`") for name in names]
    found += [(_tested(test), f"`{test}`") for test in tests]
    for kind in ("evaluation", "training"):
        if why := next((why for said, why in found if said == kind), ""):
            return Purpose(kind, False, why)
    return None


def _tested(test: Condition) -> Kind | None:
    said = words(test.text)
    if said & (_EVALUATION_WORDS if test.holds else _TRAINING_WORDS):
        return "evaluation"
    return "training" if said & (_TRAINING_WORDS if test.holds else _EVALUATION_WORDS) else None
