"""What repeats: pieces of the pages of all rules, two by two, again and again, in one module of 80 KB.

    python benchmarks/hostile/pairs.py [--pairs 300] [--seed 1]

Of each pair it prints the seconds of processor time at 40 KB and at 80 KB where the larger one takes more than five
seconds, or more than 2.5 times as long as the smaller one; at the end, how many those are, with exit code 1 for any.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import time
from pathlib import Path

from tfdata_lint import lint_source
from tfdata_lint.testing.blocks import blocks

PAGES = Path(__file__).parents[2] / "rules"
SIZES = 40_000, 80_000
SECONDS, GROWTH = 5.0, 2.5
#: Below, a ratio says nothing.
_MEASURABLE = 0.5


def pieces() -> list[tuple[str, str]]:
    """The Python of the pages that parses, by its page."""
    found = []
    for page in sorted(PAGES.glob("TFD*.md")):
        for block in blocks(page):
            try:
                ast.parse(block.text)
            except (SyntaxError, ValueError):
                continue
            if "tf." in block.text:
                found.append((page.stem, block.text.rstrip() + "\n"))
    return found


def seconds(piece: str, size: int) -> float:
    """What linting so many characters of one piece after the other takes."""
    text = piece * max(size // len(piece), 1)
    begin = time.process_time()
    lint_source(text)
    return time.process_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen, known = random.Random(options.seed), pieces()
    times, slow = [], 0
    for _ in range(options.pairs):
        (page, one), (other_page, other) = chosen.sample(known, 2)
        small, large = (seconds(one + other, size) for size in SIZES)
        times.append(large)
        if large > SECONDS or (large > _MEASURABLE and large > GROWTH * small):
            slow += 1
            print(f"{page} + {other_page}: {small:.2f} s, {large:.2f} s, {large / small:.1f} times", flush=True)
    times.sort()
    print(f"{slow} of {len(times)} pairs; median {times[len(times) // 2]:.2f} s, worst {times[-1]:.2f} s")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
