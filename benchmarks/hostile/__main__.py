"""What inputs cost that a stranger could commit: a table of seconds, memory and what is said.

    python benchmarks/hostile [WORD …]

Each row is a folder of its own, linted by the tfdata-lint of this Python; words choose rows by their names. Seconds are
those of processors, so that other programs change little.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import large
import special_files
from inputs import MEGABYTES, SECONDS, Input, build, judge, remove, run

#: Characters of what is printed that are shown.
_SHOWN = 160


def rows() -> list[Input]:
    """All rows, part by part."""
    return [*special_files.INPUTS, *large.INPUTS]


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
            outcome = run(row, place / "project")
        finally:
            remove(place)
        problem = judge(row, outcome)
        failed += bool(problem)
        seconds = "hung" if "hung" in problem else f"{outcome.seconds:.1f}"
        shown = _brief(outcome.printed)
        cells = [row.name, seconds, f"{outcome.megabytes:.0f}", str(outcome.code), problem or "yes", shown]
        print(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |", flush=True)
    return 1 if failed else 0


def _brief(printed: str) -> str:
    lines = [line for line in printed.splitlines() if not line.startswith("train.py:")]
    text = " ⏎ ".join(line for line in lines if line.strip())
    text = "".join(character if character.isprintable() else "?" for character in text)
    return f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
