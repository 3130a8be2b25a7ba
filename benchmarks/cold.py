"""How much a cold run costs, as a multiple of the least that any linter of these files must do.

    python benchmarks/cold.py PATH... [--runs 7]

The floor is a fresh process that discovers and reads the files, searches their bytes for a pipeline and parses those
that may hold one with `ast`, the garbage collector off. The two processes alternate, so that a busy machine is no
advantage to either; the figures are medians.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from statistics import median
from time import perf_counter

FLOOR = """
import ast, gc, sys
gc.disable()
from tfdata_lint.pipeline.search import may_hold_pipeline
from tfdata_lint.source.discovery import discover
read = parsed = 0
for found in discover(sys.argv[1:]):
    with open(found.path, "rb") as file:
        data = file.read()
    read += 1
    if may_hold_pipeline(data):
        parsed += 1
        if str(found.path).endswith(".ipynb"):
            # All that must be parsed of a notebook is its code.
            import json
            try:
                cells = json.loads(data)["cells"]
                data = "\\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code").encode()
            except (ValueError, KeyError, TypeError):
                continue
        try:
            ast.parse(data)
        except (SyntaxError, ValueError):
            pass
print(read, parsed)
"""


def run(command: list[str]) -> tuple[float, float, str]:
    """Wall-clock and CPU seconds of a process, and what it printed."""
    # An installed package has its bytecode; a run from the repository may have been told to write none.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, start = os.times(), perf_counter()
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    wall, after = perf_counter() - start, os.times()
    if ended.returncode:
        sys.exit(
            f"{' '.join(command[:4])} … exits with {ended.returncode}:\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}"
        )
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return wall, cpu, ended.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--runs", type=int, default=7, help="of each of the two, after one that does not count")
    arguments = parser.parse_args()

    check = [sys.executable, "-m", "tfdata_lint", "check", *arguments.paths, "--isolated", "--exit-zero", "-q"]
    commands = {"floor": [sys.executable, "-c", FLOOR, *arguments.paths], "check": check}
    walls: dict[str, list[float]] = {name: [] for name in commands}
    cpus: dict[str, list[float]] = {name: [] for name in commands}
    files = candidates = 0
    for number in range(arguments.runs + 1):
        for name, command in commands.items():
            wall, cpu, printed = run(command)
            if name == "floor":
                files, candidates = map(int, printed.split())
            # The first run fills the caches of the file system.
            if number:
                walls[name].append(wall)
                cpus[name].append(cpu)

    print(f"{files} files, {candidates} of which may hold a pipeline; medians of {arguments.runs} runs")
    for measure, seconds in (("wall", walls), ("CPU", cpus)):
        floor, total = median(seconds["floor"]), median(seconds["check"])
        print(f"{measure:>5}: check {total:6.2f} s   floor {floor:6.2f} s   ratio {total / floor:.2f}")


if __name__ == "__main__":
    main()
