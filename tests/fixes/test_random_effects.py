"""Fixes random programs that have effects, and runs them before and after on TensorFlow.

The examples are always the same; `TFDATA_LINT_SEED` chooses others, `TFDATA_LINT_EXAMPLES` how many are fixed, and
`TFDATA_LINT_EXECUTED` how many of those that a safe fix changes are run. `pytest -rP` shows what was compared.
"""

from __future__ import annotations

import os
from collections import Counter

import hypothesis
import pytest
from fixes.comparison import Files
from fixes.effects_programs import programs
from fixes.trusted import TARGETS, fix, judge, shown
from hypothesis import HealthCheck, Phase
from tensorflow_runner import RunOnTensorFlow

EXAMPLES = int(os.environ.get("TFDATA_LINT_EXAMPLES", "60"))
EXECUTED = int(os.environ.get("TFDATA_LINT_EXECUTED", "16"))
SEED = int(os.environ.get("TFDATA_LINT_SEED", "0"))
#: So that processes can share the work.
PARTS = 4


def drawn(part: int) -> list[Files]:
    """Different programs."""
    found: dict[str, Files] = {}

    @hypothesis.seed(PARTS * SEED + part)
    @hypothesis.settings(
        max_examples=EXAMPLES // PARTS, phases=[Phase.generate], database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @hypothesis.given(programs())
    def draw(files: Files) -> None:
        found.setdefault(repr(files), files)

    draw()
    return list(found.values())


@pytest.mark.parametrize("part", range(PARTS))
def test_safe_fixes_keep_what_programs_with_effects_do(part: int, run_on_tensorflow: RunOnTensorFlow) -> None:
    counts: Counter[str] = Counter()
    tempting = []
    for number, files in enumerate(drawn(part)):
        target = TARGETS[number % len(TARGETS)]
        fixed = fix(files, target)
        assert fix(fixed.files, target).files == fixed.files, f"fixed again, it changes:\n{shown(fixed.files)}"
        counts.update(["programs", *fixed.codes])
        if fixed.files != files:
            tempting.append((files, (fixed,)))
    tempting = tempting[: EXECUTED // PARTS]
    failed = []
    for outcome in judge(tempting, run_on_tensorflow):
        counts.update(["run", f"ends with {outcome.error.partition(':')[0] or 'no error'}"])
        if outcome.difference:
            failed.append(outcome.difference)
    print(f"part {part}: {dict(counts.most_common())}")
    assert counts["run"] >= max(1, min(EXECUTED, EXAMPLES // 3) // PARTS // 2)
    assert counts["ends with no error"] > counts["run"] / 2
    assert not failed, f"{len(failed)} of {counts['run']}\n" + "\n\n════\n".join(failed)
