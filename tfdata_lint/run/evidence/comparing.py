"""Two runs side by side: how much faster each pipeline is, and how much longer its consumer waits, with intervals.

Something is worse only where the whole interval lies beyond the threshold: noise fails no build.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal, NamedTuple

from tfdata_lint.run.evidence.runs import At, Interval, RunSeen, Seen

#: The whole interval is beyond the threshold, one way or the other; all of it is within; it holds the threshold; or
#: there is none.
Outcome = Literal["worse", "better", "same", "undecided", "unknown"]
_KEY = 3
#: Elements per second; a slower rate is none.
_LEAST = 1e-9


class Figure(NamedTuple):
    """One figure of both runs."""

    before: Interval
    after: Interval
    change: Interval
    """Of rates: after / before. Of the part of the time that a consumer waits: after - before."""
    outcome: Outcome


class Compared(NamedTuple):
    """One pipeline."""

    consumer: str
    place: At | None
    """Where it is consumed, after the change."""
    rate: Figure | None
    """Elements per second."""
    waits: Figure | None

    @property
    def is_worse(self) -> bool:
        return any(figure is not None and figure.outcome == "worse" for figure in (self.rate, self.waits))


class Comparison(NamedTuple):
    """All of two runs."""

    threshold: float
    """A part of one: of the rate, and of the time of the consumer."""
    pipelines: tuple[Compared, ...]
    gone: tuple[Seen, ...]
    """Only in the run before."""
    new: tuple[Seen, ...]
    notes: tuple[str, ...]
    """Why the figures may differ for other reasons: sentences without their stops."""

    @property
    def is_worse(self) -> bool:
        return any(pipeline.is_worse for pipeline in self.pipelines)


def compare(before: RunSeen, after: RunSeen, threshold: float) -> Comparison:
    """The pipelines of two runs, those that are consumed in the same way in the same function side by side."""
    pairs, gone, new = _paired(before.pipelines, after.pipelines)
    compared = tuple(_compared(one, other, threshold) for one, other in pairs)
    notes = [f"Measured on different machines: {before.machine}; then {after.machine}"]
    notes = [] if before.machine == after.machine else notes
    return Comparison(threshold, compared, gone, new, tuple(notes))


def _paired(
    before: tuple[Seen, ...], after: tuple[Seen, ...]
) -> tuple[list[tuple[Seen, Seen]], tuple[Seen, ...], tuple[Seen, ...]]:
    """By consumer, file and function; then without the function, then without the file. Of equals the first ones."""
    left, right = list(range(len(before))), list(range(len(after)))
    pairs: list[tuple[int, int]] = []
    for size in range(_KEY, 0, -1):
        for one in list(left):
            key = _key(before[one])[:size]
            other = next((number for number in right if _key(after[number])[:size] == key), None)
            if other is not None:
                pairs.append((one, other))
                left.remove(one)
                right.remove(other)
    pairs.sort(key=lambda pair: pair[1])
    both = [(before[one], after[other]) for one, other in pairs]
    return both, tuple(before[one] for one in left), tuple(after[other] for other in right)


def _key(seen: Seen) -> tuple[str, str, str]:
    place = seen.place
    # Runs of several checkouts have several folders.
    return (seen.consumer, os.path.basename(place.file), place.function) if place else (seen.consumer, "", "")


def _compared(before: Seen, after: Seen, threshold: float) -> Compared:
    rate = waits = None
    if before.rate and after.rate and before.rate.value > _LEAST:
        ratio = _ratio(before.rate, after.rate)
        rate = Figure(before.rate, after.rate, ratio, _outcome(ratio, 1.0, threshold, more_is_better=True))
    one, other = _waits(before), _waits(after)
    if one and other:
        more = Interval(other.value - one.value, _less(other.low, one.high), _less(other.high, one.low))
        waits = Figure(one, other, more, _outcome(more, 0.0, threshold, more_is_better=False))
    return Compared(after.consumer, after.place, rate, waits)


def _ratio(before: Interval, after: Interval) -> Interval:
    low, high = _divided(after.low, before.high), _divided(after.high, before.low)
    return Interval(after.value / before.value, low, high)


def _divided(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None or other <= _LEAST else one / other


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _waits(seen: Seen) -> Interval | None:
    """With an interval where the run gives none: the step of the consumer is the same in all windows, so that the
    waiting differs from window to window as the rate does."""
    waits, rate = seen.waits, seen.rate
    if waits is None or waits.low is not None or rate is None or rate.low is None or rate.high is None or not rate.low:
        return waits
    working = 1 - waits.value
    low, high = 1 - working * rate.high / rate.value, 1 - working * rate.low / rate.value
    return Interval(waits.value, max(0.0, min(low, waits.value)), min(1.0, max(high, waits.value)))


def _outcome(change: Interval, nothing: float, threshold: float, *, more_is_better: bool) -> Outcome:
    if change.low is None or change.high is None:
        return "unknown"
    low, high = (change.low - nothing, change.high - nothing)
    if not more_is_better:
        low, high = -high, -low
    if high < -threshold:
        return "worse"
    if low > threshold:
        return "better"
    return "same" if -threshold <= low and high <= threshold else "undecided"


def worse(comparison: Comparison) -> Iterator[Compared]:
    """The pipelines that are worse."""
    return (pipeline for pipeline in comparison.pipelines if pipeline.is_worse)
