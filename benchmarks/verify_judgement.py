"""Does `check --verify` confirm what is faster, and nothing else? Judges fixes whose effect is known.

    pip install . tensorflow
    python benchmarks/verify_judgement.py RESULTS.jsonl [--busy 2] [--output docs/verify-judgement.md]

The pipelines of `judged_pipelines.py` are judged again and again, in fresh processes and by the code that judges a
finding: with fixes that change nothing, take work away, add parallelism, or treat whole batches. Each result is a line
of RESULTS: what is there already is not done again.

What a fix is worth on a machine that is quiet is measured by hand, with `--by-hand`: the program is run as it is, and
its steps are counted, before and after in turn. Do that first, with nothing else running.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.rules.base import Edit, Finding, Fix
from tfdata_lint.verify.judge import verify
from tfdata_lint.verify.model import Run
from tfdata_lint.verify.plan import SECONDS, Limits, Plan, interpreter, target
from tfdata_lint.verify.runner import observe
from tfdata_lint.verify.warm import Warm

CODE = Path(__file__).with_name("judged_pipelines.py")
#: Enough to know what there is.
OBSERVED_S = 3.0
BUSY = "while True: pass"
_RESULTS = r"(?<=<!-- {0}: begin -->\n).*(?=<!-- {0}: end -->)"
OUTCOMES = ("confirmed", "refuted", "harmful", "inconclusive", "not-run")


@dataclass(frozen=True)
class Kind:
    """What is planted: the value of a constant in the code, and in the fixed code."""

    name: str
    constant: str
    before: str
    after: str
    wanted: str
    pipelines: tuple[str, ...]


ALL = (
    "native_map", "python_function", "generator", "decoding", "interleaved_files", "shuffled", "with_step",
    "in_function", "fitted",
)  # fmt: skip
MOST = "at least 18 of 20 confirmed"
KINDS = {
    kind.name: kind
    for kind in (
        Kind("same", "WORK", "10", "5 + 5", "at most 1 of 100 confirmed", ("cheap_map", *ALL)),
        Kind("+20 %", "WORK", "12", "10", MOST, ALL),
        Kind("×2", "WORK", "20", "10", MOST, ALL),
        Kind(
            "parallel ×1.3", "CALLS", "None", "tf.data.AUTOTUNE", MOST,
            ("partly_in_parallel", "generator_and_map", "parallel_with_step"),
        ),
        Kind(
            "parallel ×1.8", "CALLS", "None", "tf.data.AUTOTUNE", MOST,
            ("all_in_parallel", "python_in_parallel", "files_in_parallel", "waiting_in_parallel"),
        ),
        Kind(
            "whole batches ×10", "PER_BATCH", "False", "True", MOST,
            ("arithmetic", "noisy_arithmetic", "small_python"),
        ),
    )
}  # fmt: skip
PIPELINES = tuple(dict.fromkeys(name for kind in KINDS.values() for name in kind.pipelines))
#: By hand: so long until it is in its stride, and so long it is counted.
STRIDE_S, COUNTED_S = 3.0, 4.0
BY_HAND = """
import contextlib, importlib.util, os, sys, threading, time
# What a quiet machine gives, as far as the system allows it.
with contextlib.suppress(OSError):
    os.setpriority(os.PRIO_PROCESS, 0, -15)
    with open("/proc/self/autogroup", "w") as file:
        file.write("-15")
spec = importlib.util.spec_from_file_location("judged", sys.argv[1])
judged = importlib.util.module_from_spec(spec)
sys.modules["judged"] = judged
spec.loader.exec_module(judged)
threading.Thread(target=judged.consume, args=[sys.argv[2]], daemon=True).start()
while not judged.STEPS:
    time.sleep(0.01)
time.sleep(float(sys.argv[3]))
before, began = len(judged.STEPS), time.perf_counter()
time.sleep(float(sys.argv[4]))
print((len(judged.STEPS) - before) / (time.perf_counter() - began), flush=True)
os._exit(0)
"""


@dataclass(frozen=True)
class Case:
    kind: str
    pipeline: str
    number: int

    @property
    def key(self) -> tuple[str, str, int]:
        return self.kind, self.pipeline, self.number


def cases(kind: str, runs: int, pipelines: Sequence[str]) -> list[Case]:
    """So many, of all its pipelines in turn."""
    able = [name for name in KINDS[kind].pipelines if name in pipelines]
    return [Case(kind, able[n % len(able)], n // len(able)) for n in range(runs if able else 0)]


def program(folder: str, kind: Kind, value: str, pipeline: str) -> str:
    """The path of the pipelines with this value of what is planted. Each has one of its own, to share no files."""
    path = os.path.join(folder, f"{pipeline}_{list(KINDS).index(kind.name)}_{value == kind.after}.py")
    text, count = re.subn(
        rf"^{kind.constant} = .*$", f"{kind.constant} = {value}", CODE.read_text(), flags=re.MULTILINE
    )
    assert count == 1
    Path(path).write_text(text)
    return path


def by_hand(folder: str, kind: Kind, pipeline: str, rounds: int) -> dict[str, Any]:
    """What the fix is worth: the median of so many ratios of two processes each."""
    ratios = []
    for _ in range(rounds):
        before, after = (
            float(
                subprocess.run(
                    [sys.executable, "-c", BY_HAND, program(folder, kind, value, pipeline), pipeline,
                     str(STRIDE_S), str(COUNTED_S)],
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, start_new_session=True,
                    env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
                ).stdout.split()[-1]
            )
            for value in (kind.before, kind.after)
        )  # fmt: skip
        ratios.append(after / before)
    return {"kind": kind.name, "pipeline": pipeline, "by_hand": statistics.median(ratios), "ratios": ratios}


class Observed:
    """Runs of the pipelines, observed once each, as a user's run is once observed for all its findings."""

    def __init__(self, folder: str, seconds: float, warm: Warm) -> None:
        self._folder = folder
        self._warm = warm
        self._limits = Limits(seconds=seconds, pace=min(OBSERVED_S, seconds))
        self._known: dict[tuple[str, str], tuple[Plan, Run]] = {}

    def __call__(self, kind: Kind, pipeline: str) -> tuple[Plan, Run]:
        if (kind.name, pipeline) not in self._known:
            path = program(self._folder, kind, kind.before, pipeline)
            plan = Plan(target(f"{path}::{pipeline}"), interpreter(path, sys.executable), self._limits)
            # To import TensorFlow takes long on a machine that is busy.
            run = observe(replace(plan, limits=replace(self._limits, seconds=SECONDS)), warm=self._warm)
            self._known[kind.name, pipeline] = plan, run
        return self._known[kind.name, pipeline]


def planted(run: Run, kind: Kind) -> Finding:
    """At the last call of the pipeline; its fix is the planted one."""
    if not run.pipelines:
        raise RuntimeError(f"not observed: {run.reason}: {run.detail}")
    place = next(stage.place for stage in reversed(run.stages) if stage.id in run.pipelines[0].stages and stage.place)
    span = Span(place.file, place.row, place.column, place.end_row, place.end_column)
    text, old = Path(place.file).read_text(), f"{kind.constant} = {kind.before}"
    row = text[: text.index(f"\n{old}\n") + 1].count("\n") + 1
    edit = Edit(Span(place.file, row, len(old) - len(kind.before), row, len(old)), kind.after)
    return Finding(
        "TFD305", "planted", "warning", "proven", kind.name, "", "", span, fix=Fix("safe", kind.name, "", (edit,))
    )


def judged(case: Case, observed: Observed, warm: Warm) -> dict[str, Any]:
    kind = KINDS[case.kind]
    plan, run = observed(kind, case.pipeline)
    load, began = os.getloadavg()[0], time.monotonic()
    (verdict,) = verify(plan, run, [planted(run, kind)], warm=warm, everything=True).verdicts
    result = {
        "kind": case.kind, "pipeline": case.pipeline, "number": case.number,
        "outcome": verdict.outcome, "reason": verdict.reason, "detail": verdict.detail,
        "equality": verdict.equality and verdict.equality.outcome,
        "seconds": round(time.monotonic() - began, 1), "load": round(load, 1),
    }  # fmt: skip
    if seen := verdict.comparison:
        result |= {"ratio": seen.ratio, "low": seen.low, "high": seen.high}
        result |= {"pairs": seen.pairs, "rounds": seen.rounds, "comparing": round(seen.seconds, 1)}
        result |= {"delayed": round(seen.delayed, 3)}
    return result


def told(result: dict[str, Any]) -> str:
    what = f"{result['kind']:17} {result['pipeline']:18}"
    if "by_hand" in result:
        return f"by hand {what} {result['by_hand']:.2f} of {', '.join(f'{ratio:.2f}' for ratio in result['ratios'])}"
    seen = "{ratio:.3f} ({low:.3f} to {high:.3f}), {pairs} × {rounds}".format(**result) if "ratio" in result else ""
    return f"{result['seconds']:5.0f} s  {what} {result['outcome']:12} {result['reason']:16} {seen}"


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def markdown(results: Sequence[dict[str, Any]]) -> str:
    head = ["fix", "", "n", *OUTCOMES, "by hand", "ratio", "in the interval", "s", "s, 95 %", "others' share"]
    lines = [f"| {' | '.join(head)} |", f"|---|---|{'---:|' * (len(head) - 2)}"]
    quiet = {(result["kind"], result["pipeline"]): result["by_hand"] for result in results if "by_hand" in result}
    judgements = [result for result in results if "outcome" in result]
    for kind in KINDS.values():
        of_kind = [result for result in judgements if result["kind"] == kind.name]
        if not of_kind:
            continue
        lines.append(_row(f"**{kind.name}**", kind.wanted, of_kind, quiet))
        for name in kind.pipelines:
            if of_one := [result for result in of_kind if result["pipeline"] == name]:
                lines.append(_row("", f"`{name}`", of_one, quiet))
    held = [inside for result in judgements if (inside := _holds(result, quiet)) is not None]
    total = sum(result["seconds"] for result in judgements)
    lines += [
        "",
        f"The interval holds what was measured by hand {sum(held)} times of {len(held)}. "
        f"{len(judgements)} findings took {total / 60:.0f} minutes.",
    ]
    return "\n".join(lines) + "\n"


def _holds(result: dict[str, Any], quiet: dict[tuple[str, str], float]) -> bool | None:
    """Does the interval hold what the fix is worth on a quiet machine?"""
    worth = quiet.get((result["kind"], result["pipeline"]))
    return None if worth is None or "ratio" not in result else result["low"] <= worth <= result["high"]


def _row(first: str, second: str, results: Sequence[dict[str, Any]], quiet: dict[tuple[str, str], float]) -> str:
    outcomes = Counter(result["outcome"] for result in results)
    ratios = [result["ratio"] for result in results if "ratio" in result]
    delays = [result["delayed"] for result in results if "delayed" in result]
    seconds = sorted(result["seconds"] for result in results)
    held = [inside for result in results if (inside := _holds(result, quiet)) is not None]
    worth = {quiet.get((result["kind"], result["pipeline"])) for result in results}
    by_hand = worth.pop() if len(worth) == 1 else None
    cells = [
        first, second, str(len(results)), *(str(outcomes[outcome] or "") for outcome in OUTCOMES),
        f"{by_hand:.2f}" if by_hand else "", f"{statistics.median(ratios):.2f}" if ratios else "",
        f"{sum(held)} of {len(held)}" if held else "", f"{statistics.median(seconds):.0f}",
        f"{seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]:.0f}",
        f"{statistics.median(delays):.0%}" if delays else "",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


# ── the command line ────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def busy(cores: int) -> Iterator[None]:
    """So many processes that only take time."""
    burners = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(cores)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def known(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def measured_by_hand(
    folder: str, kinds: Sequence[str], pipelines: Sequence[str], done: Collection[Any], rounds: int
) -> Iterator[dict[str, Any]]:
    for name in kinds:
        for pipeline in KINDS[name].pipelines:
            if pipeline in pipelines and (name, pipeline, None) not in done:
                yield by_hand(folder, KINDS[name], pipeline, rounds)


def judgements(
    observed: Observed, warm: Warm, numbers: dict[str, int], pipelines: Sequence[str], done: Collection[Any]
) -> Iterator[dict[str, Any]]:
    """All kinds advance together."""
    wanted = [(n / runs, case) for kind, runs in numbers.items() for n, case in enumerate(cases(kind, runs, pipelines))]
    for _, case in sorted(wanted, key=lambda both: both[0]):
        if case.key not in done:
            yield judged(case, observed, warm)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--same", type=int, default=100, help="how many fixes that change nothing (100)")
    parser.add_argument("--runs", type=int, default=20, help="how many of each other kind (20)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="with commas")
    parser.add_argument("--only", default=",".join(PIPELINES), help="names of pipelines, with commas")
    parser.add_argument("--by-hand", type=int, default=0, metavar="ROUNDS", help="measure by hand, judge nothing")
    parser.add_argument("--busy", type=int, default=0, help="so many other processes keep the machine busy (0)")
    parser.add_argument("--verify-seconds", type=float, default=SECONDS)
    parser.add_argument("--output", type=Path, help="a Markdown page: its table is replaced")
    arguments = parser.parse_args()

    pipelines, kinds = arguments.only.split(","), arguments.kinds.split(",")
    results = known(arguments.results)
    done = {(result["kind"], result["pipeline"], result.get("number")) for result in results}
    with (
        tempfile.TemporaryDirectory() as folder,
        busy(arguments.busy),
        Warm(interpreter(folder, sys.executable)) as warm,
        arguments.results.open("a", encoding="utf-8") as file,
    ):
        for result in (
            measured_by_hand(folder, kinds, pipelines, done, arguments.by_hand)
            if arguments.by_hand
            else judgements(
                Observed(folder, arguments.verify_seconds, warm),
                warm,
                {kind: arguments.same if kind == "same" else arguments.runs for kind in kinds},
                pipelines,
                done,
            )
        ):
            file.write(json.dumps(result) + "\n")
            file.flush()
            print(told(result), flush=True)

    table = markdown(known(arguments.results))
    print(table)
    if arguments.output:
        place = re.compile(_RESULTS.format("busy" if arguments.busy else "quiet"), re.DOTALL)
        page = arguments.output.read_text(encoding="utf-8")
        arguments.output.write_text(place.sub(lambda _: f"\n{table}\n", page), encoding="utf-8")


if __name__ == "__main__":
    main()
