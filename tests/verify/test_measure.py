"""When a speedup counts as one: simulated turns, whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from tfdata_lint.verify.equality import equality
from tfdata_lint.verify.measure import LOOKS, Comparison, Turn, compare, interval

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

    return compare([(side(1000.0), side(1000.0 * speedup)) for _ in range(3)], seed=seed)


def decisions(speedup: float, runs: int, **how: float) -> list[str]:
    return [machine(seed, speedup, **how).decision for seed in range(runs)]


def test_the_same_code_is_hardly_ever_confirmed_to_be_faster() -> None:
    assert decisions(1.0, 100).count("faster") <= 1


def test_one_process_that_is_steadily_faster_confirms_nothing() -> None:
    """A pair of the same code once held 1.147 times through all its rounds."""
    seen = interval([[0.137] * 24, [0.0] * 24, [0.0] * 24])
    assert seen.low <= 1.05
    assert seen.decision != "faster"


def test_large_effects_are_confirmed_at_the_first_look() -> None:
    seen = [machine(seed, 2.0) for seed in range(20)]
    assert {one.decision for one in seen} == {"faster"}
    assert {one.rounds for one in seen} == {LOOKS[0]}
    assert all(1.8 < one.ratio < 2.2 for one in seen)


def test_a_fifth_is_mostly_confirmed() -> None:
    assert decisions(1.2, 20).count("faster") >= 18


def test_what_is_slower_is_told_from_what_is_not_faster() -> None:
    assert decisions(0.5, 10) == ["slower"] * 10
    assert decisions(1.0, 10, noise=0.01, between=0.005) == ["not-faster"] * 10


def test_a_noisy_machine_says_what_it_could_have_told() -> None:
    seen = machine(3, 1.08, noise=0.3, between=0.15)
    assert seen.decision == "undecided"
    assert seen.rounds == LOOKS[-1]
    assert seen.resolution > 1.05


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.lists(st.floats(-0.7, 0.7), min_size=3, max_size=8), min_size=3, max_size=4),
    st.floats(-0.5, 0.5),
)
def test_an_interval_holds_its_middle_and_moves_with_the_speed(ratios: list[list[float]], faster: float) -> None:
    seen = interval(ratios)
    assert seen.low <= seen.ratio * (1 + 1e-9)
    assert seen.ratio <= seen.high * (1 + 1e-9)
    assert interval(ratios) == seen, "it is the same every time"
    moved = interval([[ratio + faster for ratio in rounds] for rounds in ratios])
    assert moved.low / seen.low == pytest.approx(moved.high / seen.high)
    assert interval(ratios, confidence=0.5).high <= seen.high


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

    seen = compare([(side("A"), side("B")) for _ in range(3)], looks=(8,))
    assert "".join(order[:12]) == "ABBAABBAABBA"
    assert seen.ratio == pytest.approx(1.0, abs=0.005)


def test_when_the_time_is_over_few_rounds_are_enough() -> None:
    seen = compare([(lambda: Turn(10, 1.0), lambda: Turn(30, 1.0))] * 3, until=0.0)
    assert (seen.rounds, seen.decision) == (3, "faster")


def test_a_comparison_tells_waits_and_steps() -> None:
    before, after = Turn(20, 0.2, waited=0.16), Turn(50, 0.2, waited=0.1)
    seen = compare([(lambda: before, lambda: after)] * 3)
    assert (seen.before.wait_ms, seen.before.step_ms) == (pytest.approx(8), pytest.approx(2))
    assert (seen.after.wait_ms, seen.after.step_ms) == (pytest.approx(2), pytest.approx(2))


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


def test_how_much_was_looked_at_is_said() -> None:
    assert str(equality([ONE], [ONE])) == "the first 4 elements of 2 epochs are identical"
    assert str(equality([ONE], [ONE], whole=True)) == "all 4 elements of 2 epochs are identical"
