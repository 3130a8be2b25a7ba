"""`check --verify` as a command: what its exit code says, and which fixes it writes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from schemas import schema, validator
from verify.verdicts import FASTER, NO_FASTER, SAME, SLOWER, UNCLEAR, Given, comparison, run as observed

from tfdata_lint.cli.common import CLEAN, FAILED, FOUND
from tfdata_lint.verify import judge
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.model import Node, Place, Stage

MAPPED = "ds = ds.map(lambda x: x * 2 + 1)\nds = ds.batch(100)\n"
CODE = f"""\
import tensorflow as tf

ds = tf.data.Dataset.range(1000)
{MAPPED}ds = ds.prefetch(tf.data.AUTOTUNE)
for batch in ds:
    tf.reduce_sum(batch)
"""
FIXED = CODE.replace(MAPPED, "ds = ds.batch(100)\nds = ds.map(lambda x: x * 2 + 1)\n")
#: With the same finding a second time.
TWICE = CODE + CODE.partition("\n")[2]

Verified = Callable[..., Any]


@pytest.fixture
def verified(
    project: Callable[[Mapping[str, str]], Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> Verified:
    """`--verify` of a code, with the outcome of each experiment given, or with nothing that was observed."""

    def call(code: str, *options: str, outcomes: tuple[Any, ...] | None = ()) -> Any:
        path = project({"input.py": code}) / "input.py"

        def observe(*_: object, **__: object) -> Any:
            return _seen(path) if outcomes is not None else observed(path, pipelines=(), reason="no-consumption")

        monkeypatch.setattr("tfdata_lint.verify.runner.observe", observe)
        monkeypatch.setattr(judge, "Experiments", lambda _, seen, *__: Given(seen, *(outcomes or ())))
        return run("check", "--no-cache", "--ignore", "TFD101", "input.py", "--verify", "input.py", *options)

    return call


def _seen(path: Path) -> Any:
    """A pipeline of all calls of the file that make a dataset."""
    rows = path.read_text().splitlines()
    stages = tuple(
        Stage(row, "Map" if ".map(" in text else "Other", (), (Place(os.path.realpath(path), row, 5, row, len(text)),))
        for row, text in enumerate(rows, 1)
        if text.startswith("ds = ")
    )
    nodes = (Node("Root", "Root", None), *(Node(f"Root::{s.id}", s.op, 0, (s.id,)) for s in stages))
    seen = observed(path)
    (pipeline,) = seen.pipelines
    pipeline = replace(pipeline, stages=tuple(stage.id for stage in stages), nodes=nodes, bottleneck=None)
    return replace(seen, stages=stages, pipelines=(pipeline,))


def test_without_tensorflow_nothing_is_executed(verified: Verified, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfdata_lint.verify.command.has_tensorflow", lambda python: False)
    done = verified(CODE)
    assert (done.code, done.out) == (FAILED, "")
    assert done.err == (
        f"tfdata-lint: error: --verify: {sys.executable} (it runs tfdata-lint) has no TensorFlow: install it there, or"
        " pass another one with `--python`\n"
    )


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (((SAME, FASTER),), FOUND),
        (((SAME, UNCLEAR),), FOUND),
        (((SAME, SLOWER),), FOUND),
        (((SAME, NO_FASTER),), CLEAN),
        (None, FAILED),
    ],
    ids=["confirmed", "inconclusive", "harmful", "refuted", "nothing observed"],
)
def test_what_was_refuted_does_not_fail_the_run(verified: Verified, outcomes: Any, code: int) -> None:
    done = verified(CODE, outcomes=outcomes)
    assert done.code == code
    assert "TFD305" in done.out


def test_with_exit_zero_nothing_but_a_failure_is_told(verified: Verified) -> None:
    assert verified(CODE, "--exit-zero", outcomes=((SAME, FASTER),)).code == CLEAN
    assert verified(CODE, "--exit-zero", outcomes=None).code == FAILED


def test_one_of_two_findings_is_refuted(verified: Verified) -> None:
    done = verified(TWICE, outcomes=((SAME, NO_FASTER), (SAME, FASTER), (SAME, FASTER)))
    assert done.code == FOUND


def test_what_is_proven_is_written(verified: Verified) -> None:
    done = verified(CODE, "--fix", outcomes=((SAME, FASTER),))
    assert Path("input.py").read_text() == FIXED
    assert done.code == CLEAN
    assert "fixed: TFD305 input.py:4:" in done.out
    assert "100 → 200 elements/s; 80% → 60% of the time is spent waiting" in done.out


def test_before_it_is_written_it_is_shown(verified: Verified) -> None:
    done = verified(CODE, "--diff", outcomes=((SAME, FASTER),))
    assert Path("input.py").read_text() == CODE
    assert done.code == FOUND
    assert "to be fixed: TFD305 input.py:4:" in done.out
    assert "+ds = ds.batch(100)\n ds = ds.map(lambda x: x * 2 + 1)\n-ds = ds.batch(100)\n" in done.out


@pytest.mark.parametrize(
    "outcome",
    [
        (SAME, NO_FASTER),
        (SAME, UNCLEAR),
        (SAME, SLOWER),
        (Equality("differs", 64), FASTER),
        (Equality("spec-differs", 64), None),
    ],
    ids=["no faster", "unclear", "slower", "other elements", "elements of another kind"],
)
def test_what_is_not_proven_is_not_written(verified: Verified, outcome: Any) -> None:
    done = verified(CODE, "--fix", outcomes=(outcome,))
    assert Path("input.py").read_text() == CODE
    assert "fixed:" not in done.out


def test_fixes_that_are_proven_are_measured_together(verified: Verified) -> None:
    both = comparison(3.0, 2.8, 3.2)
    done = verified(TWICE, "--fix", outcomes=((SAME, FASTER), (SAME, FASTER), (SAME, both)))
    assert Path("input.py").read_text() == TWICE.replace(MAPPED, FIXED.partition("range(1000)\n")[2][: len(MAPPED)])
    assert done.code == CLEAN


def test_where_all_are_slower_than_one_that_one_is_written(verified: Verified) -> None:
    worse = comparison(1.5, 1.4, 1.6)
    best = comparison(3.0, 2.8, 3.2)
    done = verified(TWICE, "--fix", outcomes=((SAME, FASTER), (SAME, best), (SAME, worse)))
    left, written = Path("input.py").read_text().split("range(1000)")[1:]
    assert MAPPED in left
    assert MAPPED not in written
    assert "not fixed: TFD305 input.py:4:" in done.out


def test_outputs_of_verify_are_written_before_fixes(verified: Verified) -> None:
    verified(CODE, "--fix", "--verify-json", "verdicts.json", "--report", "report.html", outcomes=((SAME, FASTER),))
    written = json.loads(Path("verdicts.json").read_text())
    validator(schema("verify")).validate(written)
    (proven,) = written["proven"]
    assert proven["comparison"]["ratio"] == 2.0
    assert "TFD305" in Path("report.html").read_text()


@pytest.mark.parametrize("options", [("--output-format", "json"), ("--output-format", "sarif"), ()])
def test_what_a_machine_reads_stays_alone(verified: Verified, options: tuple[str, ...]) -> None:
    """Verdicts are printed as they come, where text is, or else beside it."""
    done = verified(CODE, *options, outcomes=((SAME, FASTER),))
    assert ("verdicts: 1 confirmed" in done.err) == bool(options)
    assert ("verdicts: 1 confirmed" in done.out) != bool(options)
    assert not options or json.loads(done.out)


def test_a_budget_is_a_number_of_seconds(verified: Verified) -> None:
    for wrong in ("0", "-1", "soon", "nan"):
        done = verified(CODE, "--verify-budget", wrong)
        assert (done.code, done.out) == (FAILED, "")
        assert "--verify-budget" in done.err


RUN = "run.tfdata.json"


def test_what_was_measured_comes_back_in_plain_runs(verified: Verified, run: Callable[..., Any]) -> None:
    verified(CODE, "--evidence-output", RUN, outcomes=((SAME, FASTER),))
    options = ("check", "--no-cache", "--select", "TFD305", "input.py")
    assert "of its time" not in run(*options).out
    done = run(*options, "--evidence", RUN)
    assert "TFD305" in done.out
    assert "the loop waits for 80 % of its time" in done.out


def test_what_was_measured_is_of_the_code_that_stays(verified: Verified) -> None:
    done = verified(CODE, "--evidence-output", RUN, "--fix", outcomes=((SAME, FASTER),))
    assert (done.code, done.out) == (FAILED, "")
    assert "--evidence-output and --fix exclude each other" in done.err
    assert not Path(RUN).exists()


def test_what_was_not_observed_leaves_an_older_run_as_it_is(verified: Verified) -> None:
    verified(CODE, "--evidence-output", RUN, outcomes=((SAME, FASTER),))
    before = Path(RUN).read_bytes()
    done = verified(CODE, "--evidence-output", RUN, outcomes=None)
    assert done.code == FAILED
    assert f"{RUN} is not written: nothing was observed" in done.err
    assert Path(RUN).read_bytes() == before


def test_a_run_outside_of_the_project_has_its_places_in_the_project(
    verified: Verified, run: Callable[..., Any], tmp_path_factory: Any
) -> None:
    file = tmp_path_factory.mktemp("elsewhere") / RUN
    done = verified(CODE, "--evidence-output", str(file), outcomes=((SAME, FASTER),))
    assert "has no place" not in done.err
    assert os.getcwd() not in file.read_text()
    options = ("check", "--no-cache", "--select", "TFD305", "input.py", "--evidence", str(file))
    assert "the loop waits for 80 % of its time" in run(*options).out


def test_a_run_is_not_written_through_a_link_that_leads_out(verified: Verified, tmp_path_factory: Any) -> None:
    target = tmp_path_factory.mktemp("elsewhere") / "kept"
    target.write_text("kept")
    Path(RUN).symlink_to(target)
    done = verified(CODE, "--evidence-output", RUN, outcomes=((SAME, FASTER),))
    assert f"{RUN} is a link that leads out of the project" in done.err
    assert target.read_text() == "kept"
