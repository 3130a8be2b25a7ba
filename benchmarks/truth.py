"""Tries what the rule pages say of TensorFlow on several of its versions, and writes `docs/truth.md`.

    python benchmarks/truth.py INTERPRETER... [--output FILE]

Each INTERPRETER is a Python with a TensorFlow (`.venvs/2.12/bin/python`): `pip install tensorflow-cpu==2.12.*` into an
empty environment is all that one needs. What `tests/truth/run.py` printed elsewhere, in a file that ends in `.json`,
does as well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from report import row

ROOT = Path(__file__).parents[1]
RUN = ROOT / "tests" / "truth" / "run.py"
SIGNS = {"holds": "✓", "fails": "✗", "missing": "–"}
HEAD = """# What the rule pages say of TensorFlow, and where it holds

`python benchmarks/truth.py` writes this page: each row is a sentence of a rule page and an assertion in
[tests/truth](../tests/truth), each column a TensorFlow that it was tried on. ✓ holds, ✗ does not, – is about something
that this version does not have. The newest is tried with all other tests, too, and must hold throughout.

{claims} claims, {versions} versions: {outcomes}.
"""


def tried(interpreter: str) -> dict[str, Any]:
    """The version of TensorFlow behind an interpreter, and what came out of each claim."""
    if interpreter.endswith(".json"):
        return dict(json.loads(Path(interpreter).read_text("utf-8")))
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([interpreter, RUN], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{interpreter}:\n{done.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    print(f"TensorFlow {found['tensorflow']}: {_counted(found['claims'])}", file=sys.stderr, flush=True)
    return found


def page(runs: Sequence[dict[str, Any]]) -> str:
    runs = sorted(runs, key=lambda run: _version(run["tensorflow"]))
    versions = [".".join(run["tensorflow"].split(".")[:2]) for run in runs]
    newest = sorted(runs[-1]["claims"], key=lambda claim: (claim["page"], claim["name"]))
    outcomes = [{claim["name"]: SIGNS[claim["outcome"]] for claim in run["claims"]} for run in runs]
    pages = {path.name.partition("-")[0]: path.name for path in (ROOT / "rules").glob("*.md")}
    rows = [row(["Rule", "What it says", *versions]), row(["---", "---", *[":-:"] * len(versions)])]
    for claim in newest:
        link = f"[{claim['page']}](../rules/{pages[claim['page']]})"
        said = claim["said"].strip("| ").replace("|", "·")
        rows.append(row([link, said, *(outcome.get(claim["name"], "") for outcome in outcomes)]))
    counted = _counted([claim for run in runs for claim in run["claims"]])
    return HEAD.format(claims=len(newest), versions=len(runs), outcomes=counted) + "\n" + "\n".join(rows) + "\n"


def _counted(claims: Sequence[dict[str, str]]) -> str:
    return ", ".join(f"{sum(claim['outcome'] == kind for claim in claims)} {SIGNS[kind]}" for kind in SIGNS)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interpreters", nargs="+", metavar="INTERPRETER")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "truth.md")
    options = parser.parse_args()
    options.output.write_text(page([tried(python) for python in options.interpreters]), "utf-8")


if __name__ == "__main__":
    main()
