"""When a speedup counts as one: simulated turns, whose truth is known."""

from __future__ import annotations

import itertools
import math
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from processes import PATIENCE
from verify.verdicts import run, script

from tfdata_lint.verify.agent import serve
from tfdata_lint.verify.agent.serve import used
from tfdata_lint.verify.equality import equality, is_rounded
from tfdata_lint.verify.experiments import Experiments
from tfdata_lint.verify.held import Gone
from tfdata_lint.verify.measure import (
    HOPELESS,
    LOOKS,
    URGENT,
    Asked,
    Comparing,
    Comparison,
    Paced,
    Turn,
    awakened,
    delayed,
    interval,
)
from tfdata_lint.verify.plan import ATTEMPTS, PAIRS, Interpreter, Limits, Plan, Target

pytestmark = pytest.mark.slow

#: As seen on two busy cores: turns vary by 8 %, and processes that run the same code differ steadily by 3 %.
NOISE, BETWEEN_PROCESSES = 0.08, 0.03


def machine(seed: int, speedup: float, noise: float = NOISE, between: float = BETWEEN_PROCESSES) -> Comparison:
    """Compare pairs of processes of which the second is so much faster."""
    generator = random.Random(seed)

    def side(rate: float) -> Callable[[], Turn]:
        own = rate * generator.lognormvariate(0, between)

        def turn() -> Turn:
            now = own * generator.lognormvariate(0, noise)
            return Turn(round(now), round(now) / now, waited=0.5 * round(now) / now)

        return turn

    comparing = Comparing(seed=seed)
    seen = [comparing.add([(side(1000.0), side(1000.0 * speedup)) for _ in range(PAIRS)])]
    while seen[-1].is_promising and len(seen) < ATTEMPTS:
        seen.append(comparing.add([(side(1000.0), side(1000.0 * speedup)) for _ in range(PAIRS)]))
    return seen[-1]


def decisions(speedup: float, runs: int, **how: float) -> list[str]:
    return [machine(seed, speedup, **how).decision for seed in range(runs)]


def test_the_same_code_is_hardly_ever_confirmed_to_be_faster() -> None:
    assert decisions(1.0, 40).count("faster") <= 1


def rounds(*ratios: float) -> list[tuple[Turn, Turn]]:
    """Of one pair, by their log ratios."""
    return [(Turn(1_000_000, 1.0), Turn(round(1_000_000 * math.exp(ratio)), 1.0)) for ratio in ratios]


def test_one_process_that_is_steadily_faster_confirms_nothing() -> None:
    """A pair of the same code once held 1.147 times through all its rounds."""
    seen = interval([rounds(*[0.137] * 24), rounds(*[0.0] * 24), rounds(*[0.0] * 24)])
    assert seen.low <= 1.05
    assert seen.decision != "faster"


def test_a_pair_alone_decides_only_what_is_far_beyond_what_processes_differ_by() -> None:
    alone = [Comparing().add([(lambda: Turn(100, 1.0), lambda n=n: Turn(n, 1.0))], looks=(5,)) for n in (150, 250, 40)]
    assert [(one.is_clear, one.decision) for one in alone] == [
        (False, "undecided"), (True, "faster"), (True, "slower")
    ]  # fmt: skip
    assert all(one.low * 1.45 < one.ratio < one.high / 1.45 for one in alone)


def test_pairs_that_are_known_go_on_where_the_others_are() -> None:
    taken = [0, 0]

    def pair(which: int) -> tuple[Callable[[], Turn], Callable[[], Turn]]:
        def before() -> Turn:
            taken[which] += 1
            return Turn(100, 1.0)

        return before, lambda: Turn(130, 1.0)

    comparing, pairs = Comparing(), [pair(0), pair(1)]
    assert comparing.add(pairs[:1], looks=(5,)).rounds == 5
    seen = comparing.add(pairs, looks=(3,), known=1)
    assert (taken, seen.pairs, seen.rounds) == ([5, 3], 2, 5)
    assert comparing.add(pairs, looks=(7,), known=2).rounds == 7
    assert taken == [7, 7]


@pytest.mark.parametrize(("ratio", "pairs", "executions"), [(4.0, 1, 4), (1.2, 3, 6)])
def test_other_processes_are_asked_only_where_one_pair_leaves_a_doubt(
    ratio: float, pairs: int, executions: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pairs tell whether the elements are the same."""
    numbers = itertools.count(1)

    class Process:
        group = 0

        def __init__(self, *_: object) -> None:
            self.rate = 100.0 * (ratio if next(numbers) % 2 == 0 else 1.0)

        __enter__, __exit__ = lambda self: self, lambda *_: None

        def begin(self, *_: object, **__: object) -> None: ...

        def answer(self, *_: object) -> dict[str, object]:
            return ONE

    class Taking:
        is_coarse = False

        def __init__(self, process: Process, *_: object, **__: object) -> None:
            self.rate = process.rate

        def __call__(self) -> Turn:
            return Turn(round(self.rate), 1.0)

        def warm_up(self) -> None: ...

        def timeline(self) -> None:
            raise Gone("timeout", "no timeline")

    for name, what in {"Paced": Process, "Asked": Taking, "awakened": nullcontext}.items():
        monkeypatch.setattr(f"tfdata_lint.verify.experiments.{name}", what)
    seen = run(script(tmp_path))
    experiments = Experiments(Plan(seen.target, Interpreter("python", "")), seen)
    same, compared = experiments.speed(seen.pipelines[0], {})
    assert compared
    assert (same.outcome, compared.decision, compared.pairs) == ("identical", "faster", pairs)
    assert experiments.executions == 1 + executions


def test_large_effects_are_confirmed_at_the_first_look() -> None:
    seen = [machine(seed, 2.0) for seed in range(20)]
    assert {one.decision for one in seen} == {"faster"}
    assert {one.rounds for one in seen} == {LOOKS[0]}
    assert all(1.8 < one.ratio < 2.2 for one in seen)


def test_a_fifth_is_mostly_confirmed() -> None:
    assert decisions(1.2, 20).count("faster") >= 18


def test_what_seems_to_be_faster_is_asked_of_other_processes() -> None:
    """Three pairs that differ as much as on a busy machine often leave a fifth open."""
    seen = [machine(seed, 1.2, between=0.06) for seed in range(10)]
    assert {PAIRS} < {one.pairs for one in seen} <= {PAIRS * n for n in range(1, ATTEMPTS + 1)}
    assert sum(one.decision == "faster" for one in seen) >= 9
    # Of 1,000 seeds 3.
    assert decisions(1.0, 30, between=0.045).count("faster") <= 1


@pytest.mark.parametrize("machine", ["QUIET", "BUSY"])
def test_early_endings_say_what_all_rounds_would_say(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the same turns. What is open early may be decided late, seldom; the other way round it would be wrong."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    import verify_simulated as simulated

    monkeypatch.setattr("tfdata_lint.verify.measure.RESAMPLES", 400)
    effects, runs = (1.0, 1.3, 2.0), 12
    seen = {
        (effect, seed): simulated.judged(getattr(simulated, machine), effect, seed)
        for effect in effects
        for seed in range(runs)
    }
    assert [at for at, one in seen.items() if simulated.is_wrong(at[0], one.early.decision)] == []
    assert [at for at, one in seen.items() if one.contradicts] == []
    assert sum(one.differs for one in seen.values()) <= 2
    assert sum(one.holds(effect) for (effect, _), one in seen.items()) >= 0.95 * len(seen)
    assert all(one.early.decision == "faster" for (effect, _), one in seen.items() if effect > 1)
    early, full = (sum(getattr(one, name) for one in seen.values()) for name in ("early_turns", "full_turns"))
    assert early < 0.8 * full, "they are worth something"


def test_what_is_slower_is_told_from_what_is_not_faster() -> None:
    assert decisions(0.5, 10) == ["slower"] * 10
    assert decisions(1.0, 10, noise=0.01, between=0.005) == ["not-faster"] * 10


def test_a_noisy_machine_says_what_it_could_have_told() -> None:
    seen = machine(3, 1.08, noise=0.3, between=0.15)
    assert seen.decision == "undecided"
    assert seen.resolution > 1.05


def test_what_more_rounds_could_not_decide_ends_early() -> None:
    """And what they could goes on to the end."""
    assert machine(3, 1.08, noise=0.3, between=0.15).rounds == HOPELESS
    open_at_first = [one for seed in range(8) if (one := machine(seed, 1.12)).rounds > HOPELESS]
    assert open_at_first
    assert {one.rounds for one in open_at_first} == {LOOKS[-1]}


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.lists(st.floats(-0.7, 0.7), min_size=3, max_size=8), min_size=3, max_size=4),
    st.floats(-0.5, 0.5),
)
def test_an_interval_holds_its_middle_and_moves_with_the_speed(ratios: list[list[float]], faster: float) -> None:
    pairs = [rounds(*pair) for pair in ratios]
    seen = interval(pairs)
    assert seen.low <= seen.ratio * (1 + 1e-9)
    assert seen.ratio <= seen.high * (1 + 1e-9)
    assert interval(pairs) == seen, "it is the same every time"
    moved = interval([rounds(*(ratio + faster for ratio in pair)) for pair in ratios])
    assert moved.low / seen.low == pytest.approx(math.exp(faster), rel=1e-4)
    assert moved.high / seen.high == pytest.approx(math.exp(faster), rel=1e-4)
    assert interval(pairs, confidence=0.5).high <= seen.high


def test_a_turn_in_which_little_was_done_says_little() -> None:
    good, poor = (Turn(100, 0.2), Turn(120, 0.2)), (Turn(1, 0.01), Turn(3, 0.01))
    assert interval([[good] * 8 + [poor] * 2] * 3).ratio == pytest.approx(1.2, abs=0.01)


def test_the_turns_alternate_so_that_a_drift_favours_nobody() -> None:
    """A machine that slows down by 2 % with each turn."""
    speed = 1000.0
    order: list[str] = []

    def side(name: str) -> Callable[[], Turn]:
        def turn() -> Turn:
            nonlocal speed
            speed *= 0.98
            order.append(name)
            return Turn(100, 100 / speed)

        return turn

    seen = Comparing().add([(side("A"), side("B")) for _ in range(3)], looks=(8,))
    assert "".join(order[:12]) == "ABBAABBAABBA"
    assert seen.ratio == pytest.approx(1.0, abs=0.005)


def test_when_the_time_is_over_few_rounds_are_enough() -> None:
    seen = Comparing().add([(lambda: Turn(10, 1.0), lambda: Turn(30, 1.0))] * 3, until=0.0)
    assert (seen.rounds, seen.decision) == (3, "faster")


def test_a_comparison_tells_waits_and_steps() -> None:
    before, after = Turn(20, 0.2, waited=0.16), Turn(50, 0.2, waited=0.1)
    seen = Comparing().add([(lambda: before, lambda: after)] * 3)
    assert (seen.before.wait_ms, seen.before.step_ms) == (pytest.approx(8), pytest.approx(2))
    assert (seen.after.wait_ms, seen.after.step_ms) == (pytest.approx(2), pytest.approx(2))


# ── other programs ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ran", "ready", "others", "share"),
    [
        pytest.param(1.0, 0.0, 1.0, 0.0, id="one thread that always had its core"),
        pytest.param(0.5, 0.5, 1.5, 0.5, id="one thread that had its core half of the time"),
        pytest.param(1.0, 1.0, 1.0, 0.5, id="two threads that had theirs half of the time"),
        pytest.param(1.0, 1.0, 0.0, 0.0, id="two threads, and nobody else: they wait for each other"),
        pytest.param(2.0, 6.0, 0.0, 0.0, id="eight threads that had both cores: in each other's way"),
        pytest.param(1.0, 7.0, 1.0, 0.5, id="eight threads that had one core of two"),
        pytest.param(0.1, 0.1, 1.9, 0.1, id="a thread that mostly sleeps, and got up late"),
        pytest.param(0.1, 0.2, 0.1, 0.1, id="a thread that got up late, mostly while nobody had the cores"),
        pytest.param(0.5, 0.5, math.inf, 0.5, id="not known what others had"),
        pytest.param(0.0, 0.0, math.inf, 0.0, id="nothing known"),
        pytest.param(-0.5, 0.1, 1.0, 0.0, id="a thread has ended that had run before"),
    ],
)
def test_what_other_programs_took_is_told_from_what_it_did_itself(
    ran: float, ready: float, others: float, share: float
) -> None:
    assert delayed(ran, ready, others, 1.0, cores=2) == pytest.approx(share)


@pytest.mark.parametrize(("lost", "decision"), [(0.1, "faster"), (0.5, "undecided")])
def test_what_other_programs_may_have_taken_makes_the_interval_wider(lost: float, decision: str) -> None:
    """By so much that it holds the truth, whether it was lost by one side, the other, both or none."""
    before, after = Turn(1000, 1.0, delayed=lost), Turn(1300, 1.0, delayed=lost)
    seen = interval([[(before, after)] * LOOKS[0]] * PAIRS)
    assert seen.decision == decision
    assert seen.ratio == pytest.approx(1.3)
    assert 1.3 * (1 - lost) ** 1.3 < seen.low < 1.3 * (1 - lost) * 1.02
    assert 1.3 / (1 - lost) / 1.02 < seen.high < 1.3 / (1 - lost) ** 1.3
    assert Comparing().add([(lambda: before, lambda: after)] * PAIRS).delayed == pytest.approx(lost)


def test_a_process_that_goes_first_has_the_machine() -> None:
    command = [sys.executable, "-c", "while True: pass"]
    with subprocess.Popen(command, start_new_session=True) as process:
        try:
            held = Paced(Plan(Target("script", "x.py"), Interpreter(sys.executable, ""), Limits()), ("for", 0))
            held._child._process = process
            went = held.goes_first()
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == (
                URGENT if went else os.getpriority(os.PRIO_PROCESS, 0)
            )
        finally:
            process.kill()


def test_the_work_of_a_process_is_counted() -> None:
    before, _ = used()
    if not before:
        pytest.skip("the system does not tell")
    burnt = time.process_time() + 0.05
    while time.process_time() < burnt:
        pass
    assert used()[0] - before > 0.04


@pytest.fixture
def still() -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands still."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        os.kill(process.pid, signal.SIGSTOP)
        yield process
        process.kill()


def ends(process: subprocess.Popen[bytes]) -> bool:
    """It reads its line, once it goes on."""
    process.communicate(b"\n", timeout=PATIENCE)
    return process.returncode == 0


def test_what_stood_still_goes_on_after_the_comparison(still: subprocess.Popen[bytes]) -> None:
    with awakened([still.pid]):
        assert still.poll() is None
    assert ends(still)


def test_what_stood_still_goes_on_when_we_are_killed(still: subprocess.Popen[bytes]) -> None:
    code = f"""\
import os, signal
from tfdata_lint.verify.measure import awakened
from tfdata_lint.verify.plan import ATTEMPTS, PAIRS
with awakened([{still.pid}]):
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert ends(still)


# ── elements ────────────────────────────────────────────────────────────────────────────────────────────────────────


def answer(*epochs: str, rows: list[str] | None = None, spec: str = "int64") -> dict[str, object]:
    """An epoch is a word, an element a letter."""
    return {
        "spec": spec,
        "epochs": [list(epoch) for epoch in epochs],
        "rows": [list(r) for r in rows] if rows else None,
    }


ONE = answer("abcd", "abcd")


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        (ONE, "identical"),
        (answer("abcd", "dcba"), "other-order"),
        (answer("abcd", "efgh"), "second-epoch-differs"),
        (answer("xbcd", "xbcd"), "differs"),
        (answer("abcd", "abcd", spec="float32"), "spec-differs"),
    ],
)
def test_elements_are_the_same_or_how_they_are_not(after: dict[str, object], outcome: str) -> None:
    assert equality([ONE, ONE], [after, after]).outcome == outcome


def test_batches_in_another_order_are_compared_by_their_rows() -> None:
    before = answer("AB", "AB", rows=["abcd", "abcd"])
    after = answer("CD", "CD", rows=["acbd", "bdac"])
    assert equality([before], [after]).outcome == "other-order"


def test_what_does_not_repeat_itself_is_not_comparable() -> None:
    assert equality([ONE, answer("wxyz", "wxyz")], [answer("stuv", "stuv")] * 2).outcome == "not-comparable"
    assert equality([ONE, ONE], [answer("stuv", "stuv"), answer("qrst", "qrst")]).outcome == "not-comparable"


def test_how_far_a_prefetch_has_drawn_ahead_is_no_difference() -> None:
    """Seen with a random map before a prefetch: the same code, and both processes of a side alike by chance."""
    one, other = answer("abcd", "efgh"), answer("abcd", "fghi")
    assert equality([one, one], [other, other]).outcome == "not-comparable"
    assert equality([one, one], [other, other], whole=True).outcome == "second-epoch-differs"
    assert equality([one, one], [ONE, ONE]).outcome == "second-epoch-differs"


def test_what_is_equal_to_rounding_is_near_in_every_part() -> None:
    def sums(*values: float, rest: str = "labels") -> dict[str, object]:
        return {"sums": [(rest, [(value, abs(value)) for value in values])] * 3}

    one = sums(1.0, -200.0, 0.0)
    assert is_rounded(one, sums(1.000001, -200.001, 0.0))
    assert not is_rounded(one, sums(1.0, -200.1, 0.0))
    assert not is_rounded(one, sums(1.0, -200.0, 1e-9))
    assert not is_rounded(one, sums(1.0, -200.0, 0.0, rest="others"))
    assert not is_rounded(one, sums(1.0, -200.0))
    assert not is_rounded(sums(math.nan), sums(math.nan))
    assert not is_rounded({"sums": []}, {"sums": []})


@pytest.mark.tensorflow
def test_sums_tell_where_a_number_stands() -> None:
    np = pytest.importorskip("numpy")
    picture = np.random.default_rng(0).random((200, 200, 3), dtype=np.float32)
    twisted, touched = picture.transpose(1, 0, 2).copy(), picture.copy()
    touched[17, 40, 1] += 0.2

    def near(one: Any, other: Any) -> bool:
        return is_rounded(*({"sums": [("", serve._sums(array))]} for array in (one, other)))

    assert near(picture, np.float32(picture * np.float32(3.3)) / np.float32(3.3))
    assert not near(picture, twisted)
    assert not near(picture, touched)
    assert near(np.zeros([0, 3]), np.zeros([0, 3]))
    element = {"image": 1, "label": ({"id": 2, "name": 3}, 4)}
    assert serve._keys(element) == {"image", "label", "id", "name"}
    assert serve._only(element, {"label", "id"}) == {"label": ({"id": 2}, 4)}


def test_how_much_was_looked_at_is_said() -> None:
    assert str(equality([ONE], [ONE])) == "the first 4 elements of 2 epochs are identical"
    assert str(equality([ONE], [ONE], whole=True)) == "all 4 elements of 2 epochs are identical"


# ── the experiment ──────────────────────────────────────────────────────────────────────────────────────────────────


class Steady:
    """A process that always has the same speed, or gives no answers."""

    group = os.getpgrp()

    def __init__(self, rate: float) -> None:
        self._rate = rate

    def __enter__(self) -> Steady:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def goes_first(self) -> bool:
        return True

    def begin(self, do: str, **_: object) -> None:
        pass

    def answer(self, event: str, within: float) -> dict[str, Any]:
        return {"spec": "", "epochs": [["a"], ["a"]], "rows": None}

    def turn(self, within: float, *commands: Mapping[str, Any]) -> list[dict[str, Any]]:
        if not self._rate:
            raise Gone("crashed", "it is gone")
        answer = {"elements": 1_000_000, "seconds": 1e6 / self._rate, "waited": 0.0}
        return [{**answer, "ran": 0.0, "ready": 0.0, "others": 0.0, "within": 1.0}]


class InBlocks(Steady):
    """A process that makes 16 elements in 0.3 s; two such blocks are made for nothing whenever it is stopped."""

    def __init__(self) -> None:
        super().__init__(1.0)
        self._left = 0

    def turn(self, within: float, *commands: Mapping[str, Any]) -> list[dict[str, Any]]:
        self._left += 32
        return [self._rate_for(command["seconds"]) for command in commands]

    def _rate_for(self, seconds: float) -> dict[str, Any]:
        elements, spent, longest = 0, 0.0, 0.0
        while spent < seconds:
            wait = 0.004 if self._left else 0.304
            self._left = self._left - 1 if self._left else 15
            elements, spent, longest = elements + 1, spent + wait, max(longest, wait)
        answer = {"elements": elements, "seconds": spent, "waited": spent, "longest": longest}
        return {**answer, "ran": 0.0, "ready": 0.0, "others": 0.0, "within": 1.0}


def test_what_comes_in_blocks_is_not_faster_for_those_that_were_made_while_it_stood_still() -> None:
    side = Asked(InBlocks(), 0.0, graph=False, within=1.0)  # type: ignore[arg-type]
    side.warm_up()
    assert not side.is_coarse
    turns = [side() for _ in range(5)]
    seconds, elements = sum(turn.seconds for turn in turns), sum(turn.elements for turn in turns)
    assert elements / seconds == pytest.approx(16 / (0.3 + 16 * 0.004), rel=0.15)


@pytest.mark.parametrize(
    ("faster", "pairs", "decision"),
    [
        ((1.3, 1.3, 1.3), 3, "faster"),
        ((0.9, 1.0, 1.1), 3, "undecided"),
        ((1.0, 1.1, 1.2, 1.0, 0.9, 1.0), 6, "undecided"),
        ((1.02, 1.2, 1.4, 1.25, 1.25, 1.25), 6, "faster"),
        ((1.0, 1.1, 1.2) * 3, 9, "undecided"),
        ((1.0, 1.1, 1.2, 0.0, 0.0, 0.0), 3, "undecided"),
    ],
)
def test_new_processes_are_asked_as_long_as_it_seems_to_help(
    faster: tuple[float, ...], pairs: int, decision: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, after = itertools.repeat(1000.0), (1000.0 * ratio for ratio in faster)
    monkeypatch.setattr(
        Experiments, "_held", lambda _, pipeline, texts=None, seed=0: Steady(next(after if texts else before))
    )
    seen = run(script(tmp_path))
    experiments = Experiments(Plan(seen.target, Interpreter("python", ""), Limits()), replace(seen, peak_memory=0))
    same, compared = experiments.speed(seen.pipelines[0], {"input.py": ""})
    assert same.outcome == "identical"
    assert compared
    assert (compared.pairs, compared.decision) == (pairs, decision)


@pytest.mark.parametrize(("cores", "seconds"), [(2, 30.0), (6, 10.0), (16, 10.0)])
def test_who_starts_with_others_on_few_cores_has_the_time_for_it(
    cores: int, seconds: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given = []

    def start(plan: Plan, *_: Any) -> Steady:
        given.append(plan.limits.seconds)
        return Steady(1000.0)

    monkeypatch.setattr("tfdata_lint.verify.experiments.cores_here", lambda: cores)
    monkeypatch.setattr("tfdata_lint.verify.experiments.Paced", start)
    seen = run(script(tmp_path))
    plan = Plan(seen.target, Interpreter("python", ""), Limits(seconds=10.0))
    Experiments(plan, replace(seen, peak_memory=0)).speed(seen.pipelines[0], {"input.py": ""})
    assert set(given) == {seconds}


class Drawn(Steady):
    """Tells what runs when, too."""

    def turn(self, within: float, *commands: Mapping[str, Any]) -> list[dict[str, Any]]:
        if commands[-1]["do"] != "trace":
            return super().turn(within, *commands)
        row = {"op": "Map", "what": "work", "lanes": [[0, int(self._rate / 100)]], "node": 3}
        return [{"timeline": {"elements": 12, "ticks": 400, "tick_ms": 1.0, "rows": [row]}}]


@pytest.mark.parametrize("factor", [1.0, 1.3])
def test_what_runs_when_is_asked_of_both_if_it_is_faster(
    factor: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        Experiments, "_held", lambda _, pipeline, texts=None, seed=0: Drawn(1000.0 * (factor if texts else 1))
    )
    seen = run(script(tmp_path))
    experiments = Experiments(Plan(seen.target, Interpreter("python", ""), Limits()), replace(seen, peak_memory=0))
    _, compared = experiments.speed(seen.pipelines[0], {"input.py": ""})
    assert compared
    drawn = [(row.op, row.lanes, row.node) for one in compared.timelines for row in one.rows]
    assert drawn == ([("Map", ((0, 10),), None), ("Map", ((0, 13),), None)] if factor > 1 else [])
