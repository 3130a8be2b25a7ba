"""TFD405 endless-fit."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import is_lazy, reaches_the_end
from tfdata_lint.pipeline.nouns.paths import Path, paths, when
from tfdata_lint.pipeline.nouns.stages import Consumer, Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule

#: The argument that makes an end of an endless dataset.
_STEPS = {"fit": "steps_per_epoch", "validation": "validation_steps", "evaluate": "steps", "predict": "steps"}
#: Stages after which a dataset may end, whatever it was before.
_ENDING = frozenset({"take_while", "choose_from_datasets", "assert_cardinality"})


class EndlessFit(Rule):
    """An infinite dataset reaches something that reads to the end."""

    code = "TFD405"
    name = "endless-fit"
    group = "correctness"
    summary = "An infinite dataset is read to its end"
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            missing = _reads_to_the_end(consumer)
            if missing is None:
                continue
            known = tuple(paths(consumer.dataset, consumer.context.conditions))
            bad = [path for path in known if _endless_stage(path) is not None]
            repeat = _endless_stage(bad[0]) if bad else None
            if repeat is None:
                continue
            cost, advice = _explain(consumer, missing)
            yield self.finding(
                consumer.span,
                f"{_reader(consumer)} never reaches the end of this dataset, which `{repeat.op}` makes infinite"
                + when(bad, known),
                cost=cost,
                advice=advice,
                # What a loop body calls may stop it.
                confidence="likely" if consumer.kind == "for" else repeat.confidence,
                related=(Related(repeat.span, "infinite from here on"),),
            )


def _reads_to_the_end(consumer: Consumer) -> str | None:
    """The argument that is missing (empty where there is none); None when something else makes an end."""
    if consumer.kind in _STEPS:
        return _STEPS[consumer.kind] if consumer.literal(_STEPS[consumer.kind]) is None else None
    match consumer.kind:
        case "list" | "len" | "reduce":
            return ""
        case "comprehension":
            return None if is_lazy(consumer.node) else ""
        case "for":
            return "" if reaches_the_end(consumer.node) else None
    return None


def _endless_stage(path: Path) -> Stage | None:
    """The stage that makes the dataset infinite on this path."""
    for stage in reversed(path.stages):
        if stage.is_endless:
            return stage
        if stage.op in _ENDING or (stage.op == "take" and stage.literal("count") != -1):
            return None
        if stage.op == "zip" and not _all_endless(stage, path):
            return None
        if stage.op == "sample_from_datasets" and stage.literal("stop_on_empty_dataset", False) is not False:
            return None
    return None


def _all_endless(stage: Stage, path: Path) -> bool:
    """`zip` ends with the shortest of its inputs."""
    if stage.open_arguments or len(stage.inputs) < 2:
        return False
    if any(inner.op == "zip" for origin in stage.inputs for inner in upstream(origin)):
        # Zips of zips: the ways through them multiply.
        return False
    return all(
        any(_endless_stage(other) is not None for other in paths(origin, path.conditions)) for origin in stage.inputs
    )


def _reader(consumer: Consumer) -> str:
    match consumer.kind:
        case "for":
            return "This loop"
        case "comprehension":
            return "This comprehension"
        case "validation":
            return "The validation of `fit`"
        case kind if kind in _STEPS:
            return f"`{consumer.target or kind}`"
    return f"`{consumer.target or consumer.kind}`"


def _explain(consumer: Consumer, missing: str) -> tuple[str, str]:
    if consumer.kind == "len":
        return "`len` of an infinite dataset raises a TypeError", "Ask for the length before `repeat()`"
    if consumer.kind in ("list", "comprehension"):
        return "It runs until the memory is full", "Bound the dataset with `take(n)`, or leave out `repeat()`"
    if missing:
        what = (
            "The validation" if consumer.kind == "validation" else "The first epoch" if consumer.kind == "fit" else "It"
        )
        return f"{what} never ends", f"Pass `{missing}`, or leave out `repeat()`"
    return "The code after it is never reached", "Bound the dataset with `take(n)`, or leave out `repeat()`"
