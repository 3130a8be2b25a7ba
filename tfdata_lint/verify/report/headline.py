"""The answer in a few sentences: is the input waited for, what holds it up, what was proven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import ConsumerKind, Pipeline, Run
from tfdata_lint.verify.report.words import fast_enough_for, near, places, rates
from tfdata_lint.verify.seen import FEWEST_CALLS, called
from tfdata_lint.verify.verdicts import Outcome, Verdict, Verification

_CONSUMERS: dict[ConsumerKind, str] = {
    "for": "The loop", "fit": "Training", "evaluate": "Evaluation", "predict": "Prediction",
    "graph": "The loop in the tf.function", "distribute": "The distributed loop",
    "returned": "Drained", "waiting": "Drained",
}  # fmt: skip
_WAITS = {
    "high": "waits for its input for {share:.0%} of its time: it is highly input-bound",
    "moderate": "waits for its input for {share:.0%} of its time: it is moderately input-bound",
    "low": "hardly waits for its input: for {share:.1%} of its time",
}
#: One of them, and several.
_OTHERS: dict[Outcome, tuple[str, str]] = {
    "harmful": ("has a harmful fix", "have harmful fixes"),
    "inconclusive": ("stays open", "stay open"),
    "refuted": ("does not matter here", "do not matter here"),
    "not-needed": ("is not needed here", "are not needed here"),
    "not-run": ("was not judged", "were not judged"),
}


def headline(verification: Verification) -> Iterator[str]:
    """Sentences."""
    run = verification.run
    pipeline = main(run)
    if pipeline is None:
        yield "There is no data to judge by."
        return
    yield _waiting(pipeline)
    yield from _bottleneck(run, pipeline)
    if run.target.kind == "profile":
        return
    yield from _proven(verification, best(verification, run.pipelines.index(pipeline)) or best(verification))


def main(run: Run) -> Pipeline | None:
    """The pipeline that the code itself consumes, if there is one."""
    seen = [pipeline for pipeline in run.pipelines if pipeline.nodes]
    return min(seen, key=lambda one: (one.consumer == "waiting", one.ended, one.consumer != "fit"), default=None)


def consumer(pipeline: Pipeline) -> str:
    if pipeline.step and pipeline.step.source == "given":
        return "The assumed consumer"
    return _CONSUMERS[pipeline.consumer]


def best(verification: Verification, number: int | None = None) -> tuple[str, Comparison] | None:
    """What is faster for certain, of one pipeline or of all: all fixes together, or the one that gives most."""
    several = [
        (f"{len(together.fixes)} fixes together", together.pipeline, together.comparison)
        for together in verification.together
    ]
    each = [
        (f"the fix of {verdict.code} at {verdict.where}", verdict.pipeline, verdict.comparison)
        for verdict in verification.verdicts
        if verdict.outcome == "confirmed" and verdict.comparison
    ]
    faster = [
        (name, seen) for name, of, seen in (*several, *each) if number in (None, of) and seen.decision == "faster"
    ]
    return max(faster, key=lambda one: one[1].ratio, default=None)


def _waiting(pipeline: Pipeline) -> str:
    if pipeline.input is None or pipeline.input.share is None:
        gives = f"The pipeline gives {rates(pipeline) or '0 elements/s'}"
        enough = fast_enough_for(pipeline)
        waits = "no consumer was seen that could wait for it"
        if pipeline.consumer not in ("returned", "waiting"):
            waits = f"its `{pipeline.consumer}` ended before it was seen to wait"
        return f"{gives}{enough and f': fast enough {enough}'}; {waits} (`--step-ms` assumes a step)."
    return f"{consumer(pipeline)} {_WAITS[pipeline.input.band].format(share=pipeline.input.share)}."


def _bottleneck(run: Run, pipeline: Pipeline) -> Iterator[str]:
    if pipeline.limited_by == "consumer":
        yield "Its own step takes the time: a faster input would not make it faster."
    elif found := pipeline.bottleneck:
        node = pipeline.nodes[found.node]
        at = places(run, node) or (near(found.place) if found.place else "")
        is_seen = called(pipeline.nodes, found.node) >= FEWEST_CALLS and found.untraced is None
        verb = "is" if is_seen else "may be"
        yield f"The bottleneck {verb} `{node.op}`{f' at {at}' if at else ''}."


def _proven(verification: Verification, found: tuple[str, Comparison] | None) -> Iterator[str]:
    if found:
        name, seen = found
        yield f"Proven: with {name} it is {seen.ratio:.2f} times as fast ({seen.low:.2f} to {seen.high:.2f})."
    shown = [f"{one.code} {one.name} at {one.where}" for one in verification.verdicts if _is_shown(one)]
    if shown:
        yield f"Confirmed: {', '.join(shown)}."
    counts = Counter(verdict.outcome for verdict in verification.verdicts)
    parts = [f"{counts[outcome]} {said[counts[outcome] > 1]}" for outcome, said in _OTHERS.items() if counts[outcome]]
    if len(verification.verdicts) == 1 and parts:
        yield f"The one finding {parts[0].partition(' ')[2]}."
    elif parts:
        yield f"Of the {'other ' * bool(counts['confirmed'])}findings {', '.join(parts)}."
    elif not verification.verdicts:
        yield "The executed code has no findings to judge."


def _is_shown(verdict: Verdict) -> bool:
    return verdict.outcome == "confirmed" and verdict.comparison is None
