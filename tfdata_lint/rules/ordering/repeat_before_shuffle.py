"""TFD307."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.questions import MIXTURES, SPLITTING, endless_stage, is_made_up, is_shuffled, is_toy
from tfdata_lint.pipeline.nouns.stages import Argument, Stage
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.swapping import swap

#: Between these a repeat repeats file names, not elements: it keeps readers busy across epochs.
_READERS = ("interleave", "flat_map", "parallel_interleave")
#: Here it makes one part of the data weigh more.
_WEIGHED = (*MIXTURES, "concatenate")
#: Who evaluates, and how it counts batches.
_SCORING = {"validation": "validation_steps", "evaluate": "steps"}
_SAMPLE = ", so that validation scores a random sample, in which some come twice"
_REASON = "the order of the elements changes, as intended"


class RepeatBeforeShuffle(Rule):
    code = "TFD307"
    name = "repeat-before-shuffle"
    group = "advice"
    summary = "`shuffle` after `repeat` mixes elements of different epochs"
    unmeasured = "It is about which elements an epoch has, not about speed"
    triggers = ("shuffle", "repeat")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        shuffles = (
            stage
            for stage in graph.stages
            if stage.op == "shuffle"
            and not stage.context.in_test
            and not any(later.op in MIXTURES for later in graph.downstream(stage))
        )
        for shuffle, repeat, case in cases(shuffles, _blurring):
            is_counted = repeat.presumed("count") in (None, -1) or _counts_steps(repeat)
            is_scored = is_counted and _is_scored(graph, shuffle)
            if is_counted and not is_scored and not _is_fitted_to_its_end(graph, repeat):
                # Whoever counts steps has no epochs to keep apart.
                continue
            yield self.finding(
                shuffle.span,
                f"`shuffle` comes after `repeat` and mixes the epochs{case}{_SAMPLE if is_scored else ''}",
                severity="advice" if _is_of_files(graph, shuffle) else "warning" if is_scored else None,
                cost=(
                    "Epochs mix: with a buffer as large as the data, 23 % of the examples were missing in the first"
                    " epoch, and others came twice (measured)"
                ),
                advice="Put `shuffle` before `repeat` if every epoch should see every example once",
                confidence=shuffle.confidence,
                related=(Related(repeat.span, "the end of an epoch is lost here"),),
                fix=swap(graph, repeat, shuffle, "Swap `repeat` and `shuffle`", _REASON),
            )


def _is_of_files(graph: PipelineGraph, shuffle: Stage) -> bool:
    """Are names shuffled, whose records come later?"""
    return any(stage.op in SPLITTING and stage.op != "unbatch" for stage in graph.downstream(shuffle))


def _blurring(shuffle: Stage, path: Path) -> Stage | None:
    """The repeat that blurs the epochs of a path."""
    repeat = _repeat_before(shuffle, path)
    if repeat is None or is_made_up(path) or is_toy(path):
        return None
    given = path.until(repeat)
    in_order = keeps_its_order(given) or _is_taken_apart(given, path.until(shuffle).after(repeat))
    return None if is_shuffled(given) and not in_order else repeat


def _is_scored(graph: PipelineGraph, shuffle: Stage) -> bool:
    """Is a model evaluated, in some calling context, on so many batches of what is shuffled there?"""
    places = (stage for stage in graph.stages if stage.span == shuffle.span)
    scoring = (one for stage in places for one in graph.reached(stage) if one.kind in _SCORING)
    return any(_SCORING[one.kind] in one.arguments for one in scoring)


def _counts_steps(repeat: Stage) -> bool:
    """Is the count written as enough for a number of steps?"""
    return "count" in repeat.arguments and "step" in repeat.arguments["count"].written.lower()


def _is_fitted_to_its_end(graph: PipelineGraph, repeat: Stage) -> bool:
    """Does a `fit` that counts no steps, or those of one pass, train on what never ends?"""
    fits = (consumer for consumer in graph.reached(repeat) if consumer.kind == "fit")
    return any(
        endless_stage(path) is repeat
        for fit in fits
        if fit.literal("steps_per_epoch") is None or _divides(graph, fit.arguments.get("steps_per_epoch"))
        for path in paths(fit.dataset, fit.context.conditions)
    )


def _divides(graph: PipelineGraph, steps: Argument | None) -> bool:
    """Are steps counted as those of one pass: a number of elements by the size of a batch?"""
    if steps is None:
        return False
    name = re.escape(steps.written.rpartition(".")[2])
    return "/" in steps.written or re.search(rf"\b{name} *=[^=\n]*/", graph.source.text) is not None


def keeps_its_order(given: Path) -> bool:
    """Does it start from a generator that draws nothing, and shuffles nothing after it?"""
    source, *later = given.stages
    is_known = source.python is not None and source.python.is_known and not source.python.acts
    return source.op == "from_generator" and is_known and not any(stage.may_shuffle for stage in later)


def _is_taken_apart(given: Path, later: Sequence[Stage]) -> bool:
    """Are the elements made behind the repeat, so that an origin which is not seen can have shuffled but wholes?"""
    is_seen_shuffled = any(stage.may_shuffle or stage.op in MIXTURES for stage in given.stages)
    return given.is_open and not is_seen_shuffled and any(stage.op == "unbatch" for stage in later)


def _repeat_before(shuffle: Stage, path: Path) -> Stage | None:
    """The repeat whose elements are shuffled; not one of file names."""
    for stage in reversed(path.before(shuffle)):
        if stage.op in (*_READERS, *_WEIGHED) or (stage.operation.reads and stage.inputs):
            return None
        if stage.op == "repeat":
            return None if stage.presumed("count") in (0, 1) else stage
    return None
