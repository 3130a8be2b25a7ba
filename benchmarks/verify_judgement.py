"""Does `check --verify` confirm what is faster, and nothing else? Judges fixes whose effect is known.

    pip install . tensorflow
    python benchmarks/verify_judgement.py RESULTS.jsonl [--output docs/verify-judgement.md]

The pipelines of `judged_pipelines.py` are judged again and again, in fresh processes and by the code that judges a
finding: with a fix that changes nothing, with one that takes the work from 12 to 10, and with one that halves it. Each
result is a line of RESULTS: what is there already is not done again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
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

CODE = Path(__file__).with_name("judged_pipelines.py")
#: Enough to know what there is.
OBSERVED_S = 3.0
BUSY = "import os\nos.nice(10)\nwhile True: pass"
RESULTS = re.compile(r"(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)", re.DOTALL)
OUTCOMES = ("confirmed", "refuted", "harmful", "inconclusive", "not-run")


@dataclass(frozen=True)
class Kind:
    """What is planted: the work in the code, and in the fixed code."""

    name: str
    before: str
    after: str
    wanted: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("same", "10", "5 + 5", "at most 1 of 100 confirmed"),
        Kind("+20 %", "12", "10", "at least 18 of 20 confirmed"),
        Kind("×2", "20", "10", "20 of 20 confirmed"),
    )
}
PIPELINES = (
    "cheap_map", "native_map", "python_function", "generator", "decoding", "interleaved_files", "shuffled",
    "with_step", "in_function", "fitted",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    kind: str
    pipeline: str
    number: int

    @property
    def key(self) -> tuple[str, str, int]:
        return self.kind, self.pipeline, self.number


def cases(kind: str, runs: int, pipelines: Sequence[str]) -> list[Case]:
    """So many, of all pipelines in turn. The cheap map has no work that could be planted."""
    able = [name for name in pipelines if kind == "same" or name != "cheap_map"]
    return [Case(kind, able[n % len(able)], n // len(able)) for n in range(runs)]


class Observed:
    """Runs of the pipelines, observed once each, as a user's run is once observed for all its findings."""

    def __init__(self, folder: str, seconds: float) -> None:
        self._folder = folder
        self._limits = Limits(seconds=seconds, pace=min(OBSERVED_S, seconds))
        self._known: dict[tuple[str, str], tuple[Plan, Run]] = {}
        self._lock = threading.Lock()

    def __call__(self, kind: Kind, pipeline: str) -> tuple[Plan, Run]:
        with self._lock:
            if (kind.name, pipeline) not in self._known:
                path = os.path.join(self._folder, f"{pipeline}_{list(KINDS).index(kind.name)}.py")
                Path(path).write_text(CODE.read_text().replace("WORK = 10\n", f"WORK = {kind.before}\n"))
                plan = Plan(target(f"{path}::{pipeline}"), interpreter(path, sys.executable), self._limits)
                # To import TensorFlow takes long on a machine that is busy.
                run = observe(replace(plan, limits=replace(self._limits, seconds=SECONDS)))
                self._known[kind.name, pipeline] = plan, run
            return self._known[kind.name, pipeline]


def planted(run: Run, kind: Kind) -> Finding:
    """At the last call of the pipeline; its fix is the planted one."""
    if not run.pipelines:
        raise RuntimeError(f"not observed: {run.reason}: {run.detail}")
    place = next(stage.place for stage in reversed(run.stages) if stage.id in run.pipelines[0].stages and stage.place)
    span = Span(place.file, place.row, place.column, place.end_row, place.end_column)
    text, old = Path(place.file).read_text(), f"WORK = {kind.before}"
    row = text[: text.index(old)].count("\n") + 1
    edit = Edit(Span(place.file, row, len("WORK = "), row, len(old)), kind.after)
    return Finding(
        "TFD305", "planted", "warning", "proven", kind.name, "", "", span, fix=Fix("safe", kind.name, "", (edit,))
    )


def judged(case: Case, observed: Observed, below: float = math.inf) -> dict[str, Any]:
    kind = KINDS[case.kind]
    while os.getloadavg()[0] > below:
        time.sleep(1)
    plan, run = observed(kind, case.pipeline)
    load, began = os.getloadavg()[0], time.monotonic()
    (verdict,) = verify(plan, run, [planted(run, kind)]).verdicts
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
    what = f"{result['kind']:6} {result['pipeline']:18} {result['outcome']:12} {result['reason']:16}"
    seen = "{ratio:.3f} ({low:.3f} to {high:.3f}), {rounds} rounds".format(**result) if "ratio" in result else ""
    return f"{result['seconds']:5.0f} s  {what} {seen}"


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def markdown(results: Sequence[dict[str, Any]]) -> str:
    head = ["fix", "", "n", *OUTCOMES, "ratio", "s per finding", "s, 95 %", "others' share"]
    lines = [f"| {' | '.join(head)} |", f"|---|---|{'---:|' * (len(head) - 2)}"]
    for kind in KINDS.values():
        of_kind = [result for result in results if result["kind"] == kind.name]
        if not of_kind:
            continue
        lines.append(_row(f"**{kind.name}**", kind.wanted, of_kind))
        for name in PIPELINES:
            if of_one := [result for result in of_kind if result["pipeline"] == name]:
                lines.append(_row("", f"`{name}`", of_one))
    total = sum(result["seconds"] for result in results)
    lines += ["", f"{len(results)} findings took {total / 60:.0f} minutes, one after the other."]
    return "\n".join(lines) + "\n"


def _row(first: str, second: str, results: Sequence[dict[str, Any]]) -> str:
    outcomes = Counter(result["outcome"] for result in results)
    ratios = [result["ratio"] for result in results if "ratio" in result]
    delays = [result["delayed"] for result in results if "delayed" in result]
    seconds = sorted(result["seconds"] for result in results)
    cells = [
        first, second, str(len(results)), *(str(outcomes[outcome] or "") for outcome in OUTCOMES),
        f"{statistics.median(ratios):.2f}" if ratios else "", f"{statistics.median(seconds):.0f}",
        f"{seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]:.0f}",
        f"{statistics.median(delays):.0%}" if delays else "",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


# ── the command line ────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def busy(cores: int) -> Iterator[None]:
    """So many processes that only take time, with less priority."""
    burners = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(cores)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def known(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--same", type=int, default=100, help="how many fixes that change nothing (100)")
    parser.add_argument("--faster", type=int, default=20, help="how many that take the work from 12 to 10 (20)")
    parser.add_argument("--twice", type=int, default=20, help="how many that halve it (20)")
    parser.add_argument("--only", default=",".join(PIPELINES), help="names of pipelines, with commas")
    parser.add_argument("--at-once", type=int, default=1, help="how many findings are judged at the same time (1)")
    parser.add_argument("--busy", type=int, default=0, help="so many other processes keep the machine busy (0)")
    parser.add_argument("--below", type=float, default=math.inf, help="wait until the load is no higher")
    parser.add_argument("--verify-seconds", type=float, default=SECONDS)
    parser.add_argument("--output", type=Path, help="a Markdown page: its table is replaced")
    arguments = parser.parse_args()

    numbers = dict(zip(KINDS, (arguments.same, arguments.faster, arguments.twice), strict=True))
    pipelines = arguments.only.split(",")
    done = {(result["kind"], result["pipeline"], result["number"]) for result in known(arguments.results)}
    # All kinds advance together.
    wanted = [(n / runs, case) for kind, runs in numbers.items() for n, case in enumerate(cases(kind, runs, pipelines))]
    todo = [case for _, case in sorted(wanted, key=lambda both: both[0]) if case.key not in done]
    with tempfile.TemporaryDirectory() as folder, busy(arguments.busy):
        observed = Observed(folder, arguments.verify_seconds)
        pool = ThreadPoolExecutor(arguments.at_once)
        futures = [pool.submit(judged, case, observed, arguments.below) for case in todo]
        try:
            with arguments.results.open("a", encoding="utf-8") as file:
                for number, future in enumerate(as_completed(futures), 1):
                    result = future.result()
                    file.write(json.dumps(result) + "\n")
                    file.flush()
                    print(f"{number:3}/{len(todo)}  {told(result)}", flush=True)
        finally:
            pool.shutdown(cancel_futures=True)

    table = markdown(known(arguments.results))
    print(table)
    if arguments.output:
        page = arguments.output.read_text(encoding="utf-8")
        arguments.output.write_text(RESULTS.sub(lambda _: f"\n{table}\n", page), encoding="utf-8")


if __name__ == "__main__":
    main()
