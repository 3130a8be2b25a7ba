"""Is one pipeline faster than another? Turns of two processes, over several pairs of processes, until it is clear.

A pair of processes that run the same code can differ steadily (1.147 times was seen): more rounds do not help against
that, other processes do. Hence a bootstrap in two levels: of pairs, and of the rounds of a pair. A pair alone decides
only what is far beyond such a difference. How often it may be looked at the result is fixed beforehand, and what seems
to be faster without being certain has other processes.

Other programs that keep the machine busy take more from what computes in parallel. Who has its turn goes before them,
where the system allows it. What they may have taken all the same is known from how long threads that could have run had
no core; but a thread that was woken by another one of its own costs nothing by waiting. Hence the interval holds
whatever lies between "all of this was lost" and "nothing was".
"""

from __future__ import annotations

import math
import os
import random
import signal
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tfdata_lint.verify.held import Gone, Held
from tfdata_lint.verify.model import Timeline
from tfdata_lint.verify.observe import timeline

#: Rounds of each pair after which the interval is looked at; after the first of them only for what is very clear.
LOOKS = (3, 5, 10, 20)
CLEAR = 1.25
#: Processes of the same code differ by less than this, whatever their rounds say: of a pair that is alone.
ALONE, ALONE_LOOKS = 1.5, (5,)
#: Where the time is over before.
FEWEST = 3
#: From so many rounds on it is asked whether all the others could still decide.
HOPELESS = 10
CONFIDENCE = 0.995
#: A fix is worth it from this speedup on.
THRESHOLD = 1.05
TURN_S = 0.2
#: A loop in a tf.function begins anew in each turn: it takes longer to be in its stride.
GRAPH_TURN_S = 0.5
#: Without steps, to get into its stride.
DRAINING_S = 0.05
RESAMPLES = 2_000
#: Where a timeline is wanted: elements to trace, and for how long at most.
TRACED, TRACED_S = 16, 1.5
#: The niceness of a process that has its turn. Three others at each core still get a tenth of it.
URGENT, THEIRS = -15, 0.1
AUTOGROUP = "/proc/{}/autogroup"
#: Where elements come in blocks, a turn has several of them, and what was on its way is one.
BLOCKS, MOST_S = 4, 1.5
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
    delayed: float = 0.0
    """The most that other programs can have taken from it."""

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

    @property
    def waiting(self) -> float | None:
        """The share of the time in which it waits for elements."""
        if self.wait_ms is None or self.step_ms is None:
            return None
        return self.wait_ms / ((self.wait_ms + self.step_ms) or 1.0)


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

    def could_be_decided(self, seen: int, in_all: int) -> bool:
        """By so many in all, if each of them is worth what those are that were seen.

        At best it is the narrower by the root of how many there are more, around a ratio that moves by half of where it
        may lie.
        """
        factor = math.sqrt(seen / in_all)
        below, above = self.low / self.ratio, self.high / self.ratio
        ratios = (self.ratio * math.sqrt(below), self.ratio, self.ratio * math.sqrt(above))
        narrowed = (Interval(ratio, ratio * below**factor, ratio * above**factor) for ratio in ratios)
        return any(one.decision != "undecided" for one in narrowed)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Elements per second after / before."""

    ratio: float
    low: float
    high: float
    decision: Decision
    pairs: int
    rounds: int
    """Of the pair that had most."""
    before: Pace
    after: Pace
    seconds: float
    """How long the turns took."""
    step_ms: float = 0.0
    """The step of the consumer that was simulated."""
    confidence: float = CONFIDENCE
    threshold: float = THRESHOLD
    delayed: float = 0.0
    """The share of the time that other programs took, at most."""
    timelines: tuple[Timeline, ...] = ()
    """What ran when, before and after, if it is faster: of one process each, with the simulated step."""

    @property
    def is_promising(self) -> bool:
        """Not decided, and rather faster."""
        return self.decision == "undecided" and self.ratio > self.threshold

    @property
    def is_clear(self) -> bool:
        """Beyond all doubt that few rounds leave."""
        return self.low > self.threshold * CLEAR or self.high < self.threshold / CLEAR

    def could_be_decided(self, pairs: int) -> bool:
        """By so many pairs in all."""
        return Interval(self.ratio, self.low, self.high).could_be_decided(self.pairs, pairs)

    @property
    def resolution(self) -> float:
        """The smallest speedup that this interval could have told from none."""
        return math.sqrt(self.high / self.low)


#: Gives a side its turn.
Side: TypeAlias = Callable[[], Turn]
#: Of the code, and of the fixed code.
Round: TypeAlias = tuple[Turn, Turn]


class Comparing:
    """Gives pairs of sides their turns. What the rounds of earlier pairs have shown counts with those of later ones."""

    def __init__(self, *, step_ms: float = 0.0, seed: int = 0) -> None:
        self.step_ms = step_ms
        self._seed = seed
        self._rounds: list[list[Round]] = []
        """Of each pair."""
        self._seconds = 0.0

    def add(
        self,
        pairs: Sequence[tuple[Side, Side]],
        *,
        looks: Sequence[int] = LOOKS,
        until: float = math.inf,
        known: int = 0,
    ) -> Comparison:
        """Compare these pairs until it is clear which side is faster, or until the monotonic clock says so.

        A few rounds are taken whatever the clock says: fewer would tell nothing. So many of the first pairs are `known`
        from the last time, and go on where the others have as many rounds.
        """
        began = time.monotonic()
        rounds: list[list[Round]] = [*self._rounds[len(self._rounds) - known :], *([] for _ in pairs[known:])]
        self._rounds += rounds[known:]
        while True:
            number = min(map(len, rounds))
            for which, pair in enumerate(pairs):
                if len(rounds[which]) == number:
                    rounds[which].append(_round(pair, flipped=(number + which) % 2 == 1))
            number += 1
            is_last = number >= looks[-1] or (number >= FEWEST and time.monotonic() > until)
            if number not in looks and not is_last:
                continue
            seen = interval(self._rounds, seed=self._seed)
            is_first = number < looks[min(1, len(looks) - 1)]
            is_decided = self._comparison(seen).is_clear if is_first else seen.decision != "undecided"
            is_hopeless = number >= HOPELESS and not seen.could_be_decided(number, looks[-1])
            if is_last or is_decided or is_hopeless:
                self._seconds += time.monotonic() - began
                return self._comparison(seen)

    def so_far(self) -> Comparison | None:
        """What can be said of it at any moment, also where it was interrupted; nothing is decided by that."""
        self._rounds = [pair for pair in self._rounds if pair]
        if sum(map(len, self._rounds)) < 2:
            return None
        seen = self._comparison(interval(self._rounds, seed=self._seed))
        return replace(seen, decision="undecided")

    def _comparison(self, seen: Interval) -> Comparison:
        before, after = ([both[side] for of_pair in self._rounds for both in of_pair] for side in (0, 1))
        return Comparison(
            seen.ratio, seen.low, seen.high, seen.decision, len(self._rounds), max(map(len, self._rounds)),
            _pace(before), _pace(after), self._seconds, self.step_ms, delayed=_delayed([*before, *after]),
        )  # fmt: skip


def interval(pairs: Sequence[Sequence[Round]], *, confidence: float = CONFIDENCE, seed: int = 0) -> Interval:
    """The mean of the log ratios of several pairs with its interval, as ratios: a bootstrap of pairs and their rounds.

    And of the part of what other programs can have taken that they did take, of either side.

    The ratio of a pair is that of all its elements and all its time: where a process got little done, its turn says
    little. A bootstrap of k values is too narrow by √((k-1)/k) (Hesterberg 2015, "What Teachers Should Know About the
    Bootstrap"), which matters for so few pairs, and is made up for. Of one pair alone there are only rounds: how much
    its processes may differ is added to them.
    """
    generator = random.Random(seed)
    figures = [[_figures(both) for both in pair] for pair in pairs]
    means = []
    for _ in range(RESAMPLES):
        taken = generator.random(), generator.random()
        drawn = (generator.choices(pair, k=len(pair)) for pair in generator.choices(figures, k=len(figures)))
        means.append(_mean([_ratio(pair, *taken) for pair in drawn]))
    means.sort()
    outside = int(len(means) * (1 - confidence) / 2)
    middle = _mean([_ratio(pair) for pair in figures])
    several, differ = (len(pairs), 1.0) if len(pairs) > 1 else (len(pairs[0]), ALONE)
    wider = math.sqrt(several / (several - 1))
    low, high = (middle + (mean - middle) * wider for mean in (means[outside], means[-1 - outside]))
    return Interval(math.exp(middle), math.exp(low) / differ, math.exp(high) * differ)


def _figures(both: Round) -> tuple[float, ...]:
    before, after = both
    return before.elements, before.seconds, before.delayed, after.elements, after.seconds, after.delayed


def _ratio(rounds: Sequence[tuple[float, ...]], taken: float = 0.5, taken_after: float = 0.5) -> float:
    """The logarithm of elements per second after / before, if such a part of the possible delays were delays."""
    elements, seconds, delayed, elements_after, seconds_after, delayed_after = map(sum, zip(*rounds, strict=True))
    return math.log(
        elements_after * (seconds - taken * delayed) / (elements * (seconds_after - taken_after * delayed_after))
    )


def _mean(values: Sequence[float]) -> float:
    # `statistics.fmean` is exact, and takes most of the time.
    return sum(values) / len(values)


def _round(pair: tuple[Side, Side], *, flipped: bool) -> Round:
    """A turn each; who has it first alternates, so that a drift of the machine favours nobody."""
    before, after = pair
    if flipped:
        second = after()
        return before(), second
    return before(), after()


def _pace(turns: Sequence[Turn]) -> Pace:
    rate = statistics.median(turn.rate for turn in turns)
    waits = [(turn, turn.waited) for turn in turns if turn.waited is not None]
    if not waits:
        return Pace(rate, None, None)
    wait = statistics.median(waited / turn.elements for turn, waited in waits)
    step = statistics.median((turn.seconds - waited) / turn.elements for turn, waited in waits)
    return Pace(rate, wait * 1e3, step * 1e3)


def _delayed(turns: Sequence[Turn]) -> float:
    return sum(turn.delayed for turn in turns) / sum(turn.seconds for turn in turns)


# ── processes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def delayed(ran: float, ready: float, others: float, within: float, cores: int | None = None) -> float:
    """The share of a time in which a process got no further because other programs had the cores, at most.

    By how long all its threads ran, how long they could have run but had no core, and how long others had the cores.
    Threads of its own that stand in each other's way are no delay: it cannot have more than all cores. Nor is it one
    that a thread which is woken needs a moment to run: it could not have had more than others had.
    """
    wanted = min(ran + min(ready, others), within * (cores or cores_here()))
    # A thread that has ended has taken its share along.
    if ran < 0 or wanted <= ran:
        return 0.0
    return min(1.0, wanted / within) * (1 - ran / wanted)


def cores_here() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Paced(Held):
    """A held process that stands still unless it is its turn.

    Otherwise it would fill its buffers meanwhile, which is no speed of its own, and use the cores that the other one
    is measured on.
    """

    def __enter__(self) -> Paced:
        super().__enter__()
        return self

    @property
    def group(self) -> int:
        """The number of its process group."""
        return self._child.group

    def goes_first(self) -> bool:
        """Before what other programs do; False where the system does not allow that."""
        try:
            os.setpriority(os.PRIO_PGRP, self.group, URGENT)
            # Where each session has its share of the cores, the above counts only within a session.
            if os.path.exists(path := AUTOGROUP.format(self.group)):
                Path(path).write_text(str(URGENT), encoding="ascii")
        except OSError:
            return False
        return True

    def turn(self, within: float, *commands: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The answers to these commands, between which no time passes."""
        self._signal(signal.SIGCONT)
        for command in commands:
            self.begin(**command)
        answers = [self.answer(command["do"], within) for command in commands]
        self._signal(signal.SIGSTOP)
        return answers

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.group, number)


@contextmanager
def awakened(groups: Sequence[int]) -> Iterator[None]:
    """These process groups do not stand still any more when this is left, or when we are killed.

    Then they end themselves. On Linux they have been killed by then (`end_with` of `agent/commands.py`).
    """
    words = ["sh", "-c", 'read -r _; kill -s CONT -- "$@"', "sh", *(f"-{group}" for group in groups)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True):
        yield


class Asked:
    """A held process as a side."""

    def __init__(self, held: Paced, step_ms: float, *, graph: bool, within: float) -> None:
        self._held = held
        self._most = THEIRS if held.goes_first() else 1.0
        self._within = within
        self._step_s = step_ms / 1e3
        turn = {"do": "rate", "seconds": GRAPH_TURN_S if graph else TURN_S, "step_ms": step_ms, "graph": graph}
        # What was on its way when it was stopped comes at once. A loop in a tf.function begins anew.
        self._commands = [turn] if graph else [{**turn, "seconds": DRAINING_S}, turn]
        self._element_s = self._longest_s = 0.0

    def __call__(self) -> Turn:
        answers = self._held.turn(self._within, *self._commands)
        answer = answers[-1]
        elements, seconds, waited = answer["elements"], answer["seconds"], answer["waited"]
        if not elements:
            raise Gone("timeout", "an element takes longer than an iteration in a tf.function")
        self._longest_s = max(self._longest_s, *(one.get("longest", 0.0) for one in answers))
        share = min(self._most, delayed(answer["ran"], answer["ready"], answer["others"], answer["within"]))
        self._element_s = seconds / elements
        waits = max(0.0, seconds - elements * self._step_s) if waited is None else waited
        return Turn(elements, seconds, waited, waits * share)

    def timeline(self) -> Timeline:
        """What runs when. Raises `Gone`."""
        *first, turn = self._commands
        seconds = min(TRACED_S, max(TURN_S, TRACED * self._element_s))
        answer = self._held.turn(self._within, *first, {**turn, "do": "trace", "seconds": seconds})[-1]
        if seen := timeline(answer):
            # Of a pipeline of its own.
            return replace(seen, rows=tuple(replace(row, node=None) for row in seen.rows))
        raise Gone("timeout", "too few elements were traced")

    def warm_up(self) -> None:
        """Take turns until they agree."""
        until = time.monotonic() + _WARM_UP_S
        rates: list[float] = [self().rate]
        # Until the first element buffers are filled.
        self._longest_s = 0.0
        while time.monotonic() < until:
            rates = [*rates, self().rate][-_AGREEING:]
            if len(rates) == _AGREEING and max(rates) <= (1 + _AGREEMENT) * min(rates):
                break
        self._take_whole_blocks()

    @property
    def is_coarse(self) -> bool:
        """Do elements come in blocks of which a turn has too few to be fair?"""
        return BLOCKS * self._longest_s > MOST_S and self._longest_s > 2 * BLOCKS * self._element_s

    def _take_whole_blocks(self) -> None:
        """Or the one that was made while nobody looked would count, or not."""
        *first, turn = self._commands
        seconds = min(MOST_S, BLOCKS * self._longest_s)
        if first and seconds > TURN_S:
            drained = {**turn, "seconds": max(DRAINING_S, min(MOST_S, self._longest_s) / 2)}
            self._commands = [drained, {**turn, "seconds": seconds}]
