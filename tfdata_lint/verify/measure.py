"""Is one pipeline faster than another? Turns of two processes, over several pairs of processes, until it is clear.

A pair of processes that run the same code can differ steadily (1.147 times was seen): more rounds do not help against
that, other processes do. Hence a bootstrap in two levels: of pairs, and of the rounds of a pair. How often it may be
looked at the result is fixed beforehand.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tfdata_lint.verify.held import Gone, Held

PAIRS = 3
#: Rounds of each pair after which the interval is looked at.
LOOKS = (8, 16, 24)
#: Where the time is over before.
FEWEST = 3
CONFIDENCE = 0.99
#: A fix is worth it from this speedup on.
THRESHOLD = 1.05
TURN_S = 0.2
#: A loop in a tf.function begins anew in each turn: it takes longer to be in its stride.
GRAPH_TURN_S = 0.5
#: Without steps: enough for thousands of elements that wait in buffers.
DRAINING_S = 0.1
RESAMPLES = 2_000
#: Warming up ends when this many turns agree this well, or after so many seconds.
_AGREEING, _AGREEMENT, _WARM_UP_S = 3, 0.10, 2.5

Decision = Literal["faster", "not-faster", "slower", "undecided"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side did while it was its turn."""

    elements: int
    seconds: float
    waited: float | None = None
    """The part that was spent waiting for elements, where that can be told."""

    @property
    def rate(self) -> float:
        return self.elements / self.seconds


@dataclass(frozen=True, slots=True)
class Pace:
    """How a side went: medians of its turns."""

    elements_per_s: float
    wait_ms: float | None
    """Of an element."""
    step_ms: float | None


@dataclass(frozen=True, slots=True)
class Interval:
    ratio: float
    low: float
    high: float

    @property
    def decision(self) -> Decision:
        if self.low > THRESHOLD:
            return "faster"
        if self.high < 1 / THRESHOLD:
            return "slower"
        return "not-faster" if self.high < THRESHOLD else "undecided"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Elements per second after / before."""

    ratio: float
    low: float
    high: float
    decision: Decision
    pairs: int
    rounds: int
    """Of each pair."""
    before: Pace
    after: Pace
    seconds: float
    """How long the turns took."""
    step_ms: float = 0.0
    """The step of the consumer that was simulated."""
    confidence: float = CONFIDENCE
    threshold: float = THRESHOLD

    @property
    def resolution(self) -> float:
        """The smallest speedup that this interval could have told from none."""
        return math.sqrt(self.high / self.low)


#: Gives a side its turn.
Side: TypeAlias = Callable[[], Turn]


def compare(
    pairs: Sequence[tuple[Side, Side]],
    *,
    looks: Sequence[int] = LOOKS,
    until: float = math.inf,
    seed: int = 0,
    step_ms: float = 0.0,
) -> Comparison:
    """Give both sides of all pairs their turns until it is clear which is faster, or until the monotonic clock says so.

    A few rounds are taken whatever the clock says: fewer would tell nothing.
    """
    began = time.monotonic()
    turns: tuple[list[Turn], list[Turn]] = ([], [])
    ratios: list[list[float]] = [[] for _ in pairs]
    rounds = 0
    while True:
        for number, pair in enumerate(pairs):
            before, after = _round(pair, flipped=(rounds + number) % 2 == 1)
            turns[0].append(before)
            turns[1].append(after)
            ratios[number].append(math.log(after.rate / before.rate))
        rounds += 1
        is_last = rounds >= looks[-1] or (rounds >= FEWEST and time.monotonic() > until)
        if rounds not in looks and not is_last:
            continue
        seen = interval(ratios, seed=seed)
        if is_last or seen.decision != "undecided":
            return Comparison(
                seen.ratio, seen.low, seen.high, seen.decision, len(pairs), rounds,
                _pace(turns[0]), _pace(turns[1]), time.monotonic() - began, step_ms,
            )  # fmt: skip


def interval(ratios: Sequence[Sequence[float]], *, confidence: float = CONFIDENCE, seed: int = 0) -> Interval:
    """The mean of log ratios of several pairs with its interval, as ratios: a bootstrap of pairs and their rounds."""
    generator = random.Random(seed)
    means = sorted(
        _mean([_mean(generator.choices(rounds, k=len(rounds))) for rounds in generator.choices(ratios, k=len(ratios))])
        for _ in range(RESAMPLES)
    )
    outside = int(len(means) * (1 - confidence) / 2)
    middle = _mean(list(map(_mean, ratios)))
    return Interval(math.exp(middle), math.exp(means[outside]), math.exp(means[-1 - outside]))


def _mean(values: Sequence[float]) -> float:
    # `statistics.fmean` is exact, and takes most of the time.
    return sum(values) / len(values)


def _round(pair: tuple[Side, Side], *, flipped: bool) -> tuple[Turn, Turn]:
    """A turn each; who has it first alternates, so that a drift of the machine favours nobody."""
    before, after = pair
    if flipped:
        second = after()
        return before(), second
    return before(), after()


def _pace(turns: Sequence[Turn]) -> Pace:
    rate = statistics.median(turn.rate for turn in turns)
    told = [(turn.waited, turn.seconds, turn.elements) for turn in turns if turn.waited is not None]
    if not told:
        return Pace(rate, None, None)
    wait = statistics.median(waited / elements for waited, _, elements in told)
    step = statistics.median((seconds - waited) / elements for waited, seconds, elements in told)
    return Pace(rate, wait * 1e3, step * 1e3)


# ── processes ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Asked:
    """A held process as a side."""

    def __init__(self, held: Held, step_ms: float, *, graph: bool, within: float) -> None:
        self._held = held
        self._within = within
        self._graph = graph
        turn = GRAPH_TURN_S if graph else TURN_S
        self._command: dict[str, Any] = {"seconds": turn, "step_ms": step_ms, "graph": graph}

    def __call__(self) -> Turn:
        if not self._graph:
            # While the others had their turns its buffers were filled.
            self._held.ask("rate", self._within, seconds=DRAINING_S)
        answer = self._held.ask("rate", self._within, **self._command)
        if not answer["elements"]:
            raise Gone("timeout", "an element takes longer than a turn in a tf.function")
        return Turn(answer["elements"], answer["seconds"], answer["waited"])

    def warm_up(self) -> None:
        """Take turns until they agree."""
        until = time.monotonic() + _WARM_UP_S
        rates: list[float] = []
        while time.monotonic() < until:
            rates = [*rates, self().rate][-_AGREEING:]
            if len(rates) == _AGREEING and max(rates) <= (1 + _AGREEMENT) * min(rates):
                return
