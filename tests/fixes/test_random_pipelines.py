"""Fixes random pipelines and runs them before and after, on real TensorFlow.

The examples are always the same; `TFDATA_LINT_SEED` chooses others, and `TFDATA_LINT_EXAMPLES` how many. The lines that
`pytest -rP` shows say what was compared.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import hypothesis
import pytest
from fixes.comparison import OriginalFails, compare, failure
from fixes.pipelines import programs
from hypothesis import HealthCheck, Phase
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.changing import fix_source

EXAMPLES = int(os.environ.get("TFDATA_LINT_EXAMPLES", "60"))
SEED = int(os.environ.get("TFDATA_LINT_SEED", "0"))
#: So that processes can share the work.
PARTS = 4

ALL_RULES = Settings(select=("ALL",))


def fixed(program: str, unsafe: bool = False) -> tuple[str, list[str]]:
    """The program with its fixes, and the codes of what was fixed."""
    report = fix_source(program, settings=ALL_RULES, unsafe=unsafe, needless=True)
    internal = [diagnostic.message for diagnostic in report.diagnostics if diagnostic.code == "TFD002"]
    assert not internal, f"{internal}\n{program}"
    after = program if report.after is None else report.after.decode()
    return after, sorted({diagnostic.code for diagnostic in report.fixed})


def for_each_program(check: Callable[[str], None], examples: int, part: int) -> None:
    @hypothesis.seed(PARTS * SEED + part)
    @hypothesis.settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
    @hypothesis.given(programs())
    def check_each(program: str) -> None:
        check(program)

    check_each()


@pytest.mark.parametrize("part", range(PARTS))
def test_safe_fixes_keep_what_a_pipeline_gives(part: int, run_on_tensorflow: RunOnTensorFlow) -> None:
    done: set[str] = set()
    counts: Counter[str] = Counter()

    def check(program: str) -> None:
        after, codes = fixed(program)
        hypothesis.assume(codes and program not in done)
        try:
            comparison = compare(program, after, run_on_tensorflow)
        except OriginalFails as error:
            counts["invalid"] += 1
            counts[str(error).strip().rpartition("\n")[2][:100]] += 1
            hypothesis.reject()
        assert not comparison.difference, report(program, after, codes, comparison.difference)
        counts.update(["compared", *codes, *comparison.views])
        done.add(program)

    for_each_program(check, EXAMPLES // PARTS, part)
    assert len(done) > EXAMPLES // PARTS / 2
    print(f"part {part}: {dict(counts.most_common())}")


@pytest.mark.parametrize("part", range(PARTS))
def test_unsafe_fixes_leave_programs_that_run(part: int, run_on_tensorflow: RunOnTensorFlow) -> None:
    done: set[str] = set()
    counts: Counter[str] = Counter()

    def check(program: str) -> None:
        after, codes = fixed(program, unsafe=True)
        hypothesis.assume(after != fixed(program)[0] and program not in done)
        try:
            failed = failure(program, after, run_on_tensorflow)
        except OriginalFails:
            hypothesis.reject()
        assert not failed, report(program, after, codes, failed)
        counts.update(["run", *codes])
        done.add(program)

    for_each_program(check, EXAMPLES // PARTS // 2, part)
    assert len(done) > EXAMPLES // PARTS / 4
    print(f"part {part}: {dict(counts.most_common())}")


def report(program: str, after: str, codes: list[str], difference: str) -> str:
    return f"{', '.join(codes)}\n──── before\n{program}\n──── after\n{after}\n──── {difference}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("shuffle(5, seed=1).batch(2)", "batch(2).shuffle(5, seed=1)", id="swapped"),
        pytest.param("map(lambda x: x + 1)", "map(lambda x: x + 2)", id="values"),
        pytest.param("shuffle(5).batch(2)", "batch(2).shuffle(5)", id="batches of an order that is never the same"),
        pytest.param("shuffle(5)", "shuffle(5).take(7)", id="number"),
        pytest.param("map(lambda x: x / 3)", "map(lambda x: x * (1 / 3))", id="last digit"),
        pytest.param("batch(4)", "batch(4, drop_remainder=False).filter(lambda x: True)", id="cardinality"),
        pytest.param("batch(4)", "batch(4, drop_remainder=True)", id="specification"),
        pytest.param("map(lambda x: x)", "map(lambda x: x[0])", id="failure"),
    ],
)
def test_a_difference_is_seen(before: str, after: str, run_on_tensorflow: RunOnTensorFlow) -> None:
    program = "import tensorflow as tf\nds = tf.data.Dataset.range(9)\nds = ds.{}\n"
    assert compare(program.format(before), program.format(after), run_on_tensorflow).difference
    assert not compare(program.format(before), program.format(before), run_on_tensorflow).difference
