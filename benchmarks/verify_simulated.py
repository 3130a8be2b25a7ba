"""Are verdicts right, and do early endings change them? Simulates comparisons: `python benchmarks/verify_simulated.py`.

Turns are drawn instead of measured, by a generator with a seed: of a machine that is quiet, and of one that is busy.
`measure.Comparing` compares them as `--verify` does, once with its early endings, and once the same turns to the end:
all rounds of each pair. Nothing is executed, so it says nothing of how real machines vary.

    python benchmarks/verify_simulated.py [--runs 60] [--output docs/verify-judgement.md]
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tfdata_lint.verify.measure import ALONE_LOOKS, LOOKS, THRESHOLD, Comparing, Comparison, Turn
from tfdata_lint.verify.plan import ATTEMPTS, PAIRS

EFFECTS = (1.0, 1.05, 1.3, 2.0)
TO_THE_END = LOOKS[-1:]
RATE = 1_000.0
_RESULTS = r"(?<=<!-- simulated: begin -->\n).*(?=<!-- simulated: end -->)"


class Machine(NamedTuple):
    name: str
    turns: float
    """By how much turns of one process vary: the standard deviation of the logarithm of their rate."""
    processes: float
    """By how much processes that run the same code differ, in the same way."""
    bursts: float = 0.0
    """The part of the turns in which other programs take from a tenth of the time to half of it.

    Between none of that and all is what the process knows of it.
    """


QUIET = Machine("quiet", turns=0.03, processes=0.02)
BUSY = Machine("busy", turns=0.10, processes=0.04, bursts=0.2)
MACHINES = (QUIET, BUSY)


class Judged(NamedTuple):
    early: Comparison
    full: Comparison
    early_turns: int
    full_turns: int

    @property
    def contradicts(self) -> bool:
        """Both decide, and not the same."""
        return self.differs and "undecided" not in (self.early.decision, self.full.decision)

    @property
    def differs(self) -> bool:
        return self.early.decision != self.full.decision

    def holds(self, effect: float) -> bool:
        return self.early.low <= effect <= self.early.high


def judged(machine: Machine, effect: float, seed: int) -> Judged:
    """One fix that is worth so much, compared with early endings and to the end."""
    early, early_turns = _compared(machine, effect, seed, LOOKS)
    full, full_turns = _compared(machine, effect, seed, TO_THE_END)
    return Judged(early, full, early_turns, full_turns)


def _compared(machine: Machine, effect: float, seed: int, looks: Sequence[int]) -> tuple[Comparison, int]:
    """As `Experiments.speed` does, which may ask other processes. And how many turns there were."""
    comparing, turns = Comparing(seed=seed), Counter[str]()
    pairs, known = _pairs(machine, effect, seed, 0, turns), int(looks != TO_THE_END)
    seen = comparing.add(pairs[:1], looks=ALONE_LOOKS) if known else None
    if not (seen and seen.is_clear):
        seen = comparing.add(pairs, looks=looks, known=known)
    for attempt in range(1, ATTEMPTS):
        # To the end it is asked whether or not others could decide it.
        could = seen.could_be_decided(ATTEMPTS * PAIRS) or looks == TO_THE_END
        if not (seen.is_promising and could):
            break
        seen = comparing.add(_pairs(machine, effect, seed, attempt, turns), looks=looks)
    return seen, turns.total()


def _pairs(
    machine: Machine, effect: float, seed: int, attempt: int, turns: Counter[str]
) -> list[tuple[Callable[[], Turn], Callable[[], Turn]]]:
    def side(rate: float, which: int, number: int) -> Callable[[], Turn]:
        # Each side has a generator of its own: what it does in a round does not depend on who is asked else.
        generator = random.Random(f"{machine.name} {effect} {seed} {attempt} {number} {which}")
        own = rate * generator.lognormvariate(0, machine.processes)

        def turn() -> Turn:
            turns["taken"] += 1
            now = own * generator.lognormvariate(0, machine.turns)
            lost = generator.uniform(0.1, 0.5) if generator.random() < machine.bursts else 0.0
            # What others may have taken is known as a bound.
            bound = lost + (1 - lost) * generator.uniform(0, 0.1) if lost else 0.0
            return Turn(max(1, round(now * (1 - lost))), 1.0, delayed=bound)

        return turn

    return [(side(RATE, 0, number), side(RATE * effect, 1, number)) for number in range(PAIRS)]


def is_wrong(effect: float, decision: str) -> bool:
    """A verdict that says what is not so. At the threshold neither side of it is wrong."""
    if effect == THRESHOLD:
        return decision == "slower"
    return decision not in ("undecided", "faster" if effect > THRESHOLD else "not-faster")


def rows(machine: Machine, effect: float, runs: int) -> str:
    """A row of the table."""
    seen = [judged(machine, effect, seed) for seed in range(runs)]
    outcomes = Counter(one.early.decision for one in seen)
    decided = (str(outcomes[name] or "") for name in ("faster", "not-faster", "slower", "undecided"))
    turns = sum(one.early_turns for one in seen) / sum(one.full_turns for one in seen)
    cells = (
        machine.name, f"×{effect:g}", runs, *decided, sum(is_wrong(effect, one.early.decision) for one in seen),
        sum(one.holds(effect) for one in seen), sum(one.differs for one in seen),
        sum(one.contradicts for one in seen), f"{turns:.0%}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def table(runs: int, machines: Sequence[Machine] = MACHINES, effects: Sequence[float] = EFFECTS) -> Iterator[str]:
    yield (
        "| machine | worth | n | faster | not faster | slower | open | wrong | in the interval | other than to the end "
        "| against it | turns |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for machine in machines:
        for effect in effects:
            yield rows(machine, effect, runs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=60, help="of each effect on each machine")
    parser.add_argument("--output", type=Path, metavar="PAGE", help="write the table into this page")
    options = parser.parse_args()
    lines = []
    for line in table(options.runs):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        text = options.output.read_text(encoding="utf-8")
        new = re.sub(_RESULTS, lambda _: "\n".join(["", *lines, "", ""]), text, flags=re.DOTALL)
        options.output.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
