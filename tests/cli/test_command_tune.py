"""`tune` as a command: what it prints, writes, and says by its exit code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from verify.verdicts import SAME, comparison, run as observed

from tfdata_lint.cli.common import CLEAN, FAILED, FOUND, INTERRUPTED
from tfdata_lint.verify.tuned import Tried, Tuned

BEFORE, AFTER = "ds = make()\nds = ds.map(f)\n", "ds = make()\nds = ds.map(f).cache()\n"
FASTER = comparison(3.0, 2.8, 3.2)
KEPT = Tried("Cache the results of `map` in memory", "input.py:2", True, "", FASTER, SAME)
LEFT = Tried("Use `num_parallel_calls=AUTOTUNE` in `map`", "input.py:2", False, "1.00 times as fast (0.98 to 1.02)")

Tune = Callable[..., Any]


@pytest.fixture
def tuned(
    project: Callable[[Mapping[str, str]], Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> Tune:
    """The command, where the search has come to this."""

    def call(*options: str, found: bool = True, **changes: Any) -> Any:
        path = project({"input.py": BEFORE}) / "input.py"
        seen = observed(path)
        files = {"input.py": (BEFORE.encode(), AFTER.encode())} if found else None
        given = {"pipeline": seen.pipelines[0], "tried": (KEPT, LEFT) if found else (LEFT,), "files": files}
        if found:
            given |= {"comparison": FASTER, "equality": SAME, "is_checked": True}
        monkeypatch.setattr("tfdata_lint.cli.tune.tune", lambda *_: Tuned(seen, **{**given, **changes}))
        return run("tune", "input.py", *options)

    return call


def test_what_was_found_is_shown_with_its_gain(tuned: Tune) -> None:
    done = tuned()
    assert done.code == FOUND
    assert "kept     Cache the results of `map` in memory (input.py:2): 3.00×" in done.out
    assert "dropped  Use `num_parallel_calls=AUTOTUNE` in `map` (input.py:2): 1.00 times" in done.out
    assert "tuned: 100 → 300 elements/s, 3.00×" in done.out
    assert "-ds = ds.map(f)\n+ds = ds.map(f).cache()\n" in done.out
    assert Path("input.py").read_text() == BEFORE


def test_only_with_fix_it_is_written(tuned: Tune) -> None:
    assert tuned("--fix").code == CLEAN
    assert Path("input.py").read_text() == AFTER


def test_nothing_found_is_no_failure(tuned: Tune) -> None:
    done = tuned("--fix", found=False)
    assert done.code == CLEAN
    assert "tuned: no faster pipeline was found" in done.out
    assert Path("input.py").read_text() == BEFORE


def test_nothing_observed_is_one(tuned: Tune) -> None:
    done = tuned(found=False, pipeline=None, problem="it consumed no dataset")
    assert done.code == FAILED
    assert "it consumed no dataset" in done.out


def test_interrupted_it_shows_what_it_has_and_writes_nothing(tuned: Tune) -> None:
    done = tuned("--fix", stopped="interrupted", comparison=None)
    assert done.code == INTERRUPTED
    assert "+ds = ds.map(f).cache()" in done.out
    assert "3.00×, the product of the kept changes" in done.out
    assert Path("input.py").read_text() == BEFORE


def test_at_the_end_of_its_time_it_writes_what_it_has(tuned: Tune) -> None:
    done = tuned("--fix", stopped="budget", comparison=None)
    assert done.code == CLEAN
    assert "(--budget) was reached" in done.out
    assert Path("input.py").read_text() == AFTER


@pytest.mark.parametrize("options", [("--budget", "soon"), ("--verify-arg", "x=1")])
def test_what_cannot_be_done_is_refused(tuned: Tune, options: tuple[str, ...]) -> None:
    done = tuned(*options)
    assert done.code == FAILED
    assert "error: tune: " in done.err


def test_what_was_not_compared_to_the_end_is_not_written(tuned: Tune) -> None:
    done = tuned("--fix", stopped="budget", is_checked=False)
    assert done.code == FOUND
    assert Path("input.py").read_text() == BEFORE


def test_what_is_not_certain_is_shown_and_never_written(tuned: Tune) -> None:
    done = tuned("--fix", stopped="budget", is_estimate=True)
    assert done.code == FOUND
    assert "tuned: no pipeline is certainly faster; the best candidate is shown but not written" in done.out
    assert "about 3.00 times as fast" in done.out.replace("\n", " ")
    assert "+ds = ds.map(f).cache()" in done.out
    assert Path("input.py").read_text() == BEFORE
