"""What inputs cost that a stranger could commit: a table of seconds, memory and what is said.

    python benchmarks/hostile [WORD …]

Each row is a folder of its own, linted by the tfdata-lint of this Python; words choose rows by their names. A module
beside this one with `INPUTS` is a part of the table.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from inputs import FINDING, MEGABYTES, SECONDS, Input, Outcome, build, run

#: Characters of what is printed that are shown.
_SHOWN = 160


def rows() -> list[Input]:
    """All rows, part by part."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__main__", "inputs"))
    return [row for name in names for row in import_module(name).INPUTS]


def main(words: list[str]) -> int:
    print(f"| input | seconds (at most {SECONDS:.0f}) | MB (at most {MEGABYTES}) | exit | as it must be | printed |")
    print("|---|--:|--:|--:|---|---|")
    failed = 0
    for row in rows():
        if words and not any(word in row.name for word in words):
            continue
        place = Path(tempfile.mkdtemp())
        try:
            build(row, place / "project")
            # So that what it takes is measured, and not where it is stopped.
            outcome = run(row, place / "project", megabytes=4 * MEGABYTES)
        finally:
            _remove(place)
        problem = judge(row, outcome)
        failed += bool(problem)
        seconds = "hung" if outcome.is_hung else f"{outcome.seconds:.1f}"
        shown = _brief(outcome.printed)
        cells = [row.name, seconds, f"{outcome.megabytes:.0f}", str(outcome.code), problem or "yes", shown]
        print(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |", flush=True)
    return 1 if failed else 0


def judge(row: Input, outcome: Outcome) -> str:
    """What is wrong with an outcome; empty when nothing is."""
    if outcome.is_hung:
        return "no: it hung"
    if outcome.code not in (0, 1, 2):
        return "no: it died"
    if outcome.seconds > SECONDS or outcome.megabytes > MEGABYTES:
        return "no: it costs too much"
    if "Traceback" in outcome.printed:
        return "no: it failed"
    if not re.search(row.says, outcome.printed):
        return "no: it is not said"
    if row.linted and FINDING not in outcome.printed:
        return "no: other files are not linted"
    return ""


def _brief(printed: str) -> str:
    lines = [line for line in printed.splitlines() if not line.startswith("train.py:")]
    text = " ⏎ ".join(line for line in lines if line.strip())
    text = "".join(character if character.isprintable() else "?" for character in text)
    return f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text


def _remove(folder: Path) -> None:
    """Some rows take rights away, or are too deep for Python to remove."""
    for top, folders, _ in os.walk(folder):
        for name in folders:
            if not os.path.islink(path := os.path.join(top, name)):
                os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
