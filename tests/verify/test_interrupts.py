"""Being stopped, from the clock to the exit code: what is known by then is told, in every output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from processes import PATIENCE, started
from schemas import schema, validator
from verify.verdicts import BATCH, FASTER, SAME, Given, finding, run, script

from tfdata_lint.verify.interrupts import Interrupted, interruptible
from tfdata_lint.verify.judge import verify
from tfdata_lint.verify.model import Stop
from tfdata_lint.verify.plan import Interpreter, Plan
from tfdata_lint.verify.report import html, terminal
from tfdata_lint.verify.verdicts import Verification

POSIX = pytest.mark.skipif(os.name != "posix", reason="other systems have no such signals")


def test_when_the_time_is_over_whatever_waits_is_interrupted() -> None:
    with pytest.raises(Interrupted) as caught, interruptible(0.05):
        time.sleep(60)
    assert caught.value.reason == "budget"


@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_is_asked_to_end_is_interrupted_and_only_then(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(Interrupted) as caught, interruptible(60):
        signal.raise_signal(number)
    assert caught.value.reason == "interrupted"
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("reason", ["interrupted", "budget"])
def test_what_was_judged_by_then_is_kept(tmp_path: Path, reason: Stop) -> None:
    path = script(tmp_path)
    seen = run(path)
    findings = [finding("TFD102", path), finding("TFD305", path, BATCH), finding("TFD102", path)]
    given = Given(seen, (SAME, FASTER), Interrupted(reason))
    done = verify(Plan(seen.target, Interpreter("python", "")), seen, findings, experiments=given)
    assert done.stopped == reason
    assert [(one.outcome, one.reason) for one in done.verdicts] == [
        ("confirmed", "speedup"),
        ("not-run", reason),
        ("not-run", reason),
    ]
    ended = {"interrupted": "it was interrupted", "budget": "the time limit (--verify-budget) was reached"}[reason]
    assert list(terminal.render(done))[-1].endswith(ended)
    assert ended[1:] in html.render(done)


def test_nothing_is_judged_where_the_run_was_stopped(tmp_path: Path) -> None:
    path = script(tmp_path)
    seen = run(path, reason="budget")
    (verdict,) = _verified(seen, finding("TFD102", path)).verdicts
    assert (verdict.outcome, verdict.reason) == ("not-run", "budget")


def _verified(seen: object, *findings: object) -> Verification:
    return verify(Plan(seen.target, Interpreter("python", "")), seen, findings, experiments=Given(seen))  # type: ignore[arg-type, attr-defined]


# ── the command ─────────────────────────────────────────────────────────────────────────────────────────────────────

SLOW = """\
import tensorflow as tf

def slow(x):
    return tf.linalg.matmul(*2 * [tf.random.stateless_uniform([200, 200], [x, x])])

ds = tf.data.Dataset.range(10**9).map(slow).map(lambda x: x + 1).batch(4)
for x in ds:
    pass
"""


@pytest.fixture
def verifying(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    with ExitStack() as processes:

        def start(code: str, *options: str) -> subprocess.Popen[str]:
            (tmp_path / "script.py").write_text(code)
            command = [
                *(sys.executable, "-m", "tfdata_lint", "check", "--no-cache", "script.py"),
                *("--verify", "script.py", "--verify-json", "verdicts.json", *options),
            ]
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
            return processes.enter_context(started(command, cwd=tmp_path, env=environment, **pipes))

        yield start


def test_no_time_at_all(verifying: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> None:
    """Nothing was observed: that is no success."""
    process = verifying("import time\ntime.sleep(3600)\n", "--verify-budget", "1")
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "script.py: the time limit (--verify-budget) was reached (budget)" in out
    written = json.loads((tmp_path / "verdicts.json").read_text())
    validator(schema("verify")).validate(written)
    assert written["stopped"] == "budget"


@pytest.mark.tensorflow
@POSIX
def test_interrupted_while_it_judges(verifying: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> None:
    process = verifying(SLOW, "--verify-seconds", "10", "--verify-all")
    assert process.stderr
    for line in process.stderr:
        if "is tried, 1 of" in line:
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out.index("fast enough?") < out.index("verdicts: ")
    written = json.loads((tmp_path / "verdicts.json").read_text())
    validator(schema("verify")).validate(written)
    assert written["stopped"] == "interrupted"
    assert written["run"]["pipelines"][0]["bottleneck"]
    assert {verdict["reason"] for verdict in written["verdicts"]} >= {"interrupted"}
