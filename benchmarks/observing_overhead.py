"""What `tfdata_lint.observe()` costs inside of its window and after it: `python benchmarks/observing_overhead.py`.

Ten pipelines of `tests/verify/known_bottlenecks.py` are looped over for a second without it, for its window, and for a
second after that with it still open; in turns, each five times. Printed are the steps per second inside and after,
against those without: the median of the five, and the least and the greatest. Needs TensorFlow, and takes four minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from observed_bottlenecks import known

import tfdata_lint

NAMES = (
    "stateless_map", "stateful_map", "parallel_map", "busy_generator", "python_function", "compressed_records",
    "zip_with_slow_side", "filter_that_keeps_little", "decode_then_shuffle", "work_after_the_batch",
)  # fmt: skip
ROUNDS, SECONDS, WINDOW = 5, 1.0, 2.0


def rate(elements: Iterator[Any], goes_on: Callable[[], bool]) -> float:
    """Steps per second while it goes on."""
    steps, began = 0, time.perf_counter()
    while goes_on():
        next(elements)
        steps += 1
    return steps / (time.perf_counter() - began)


def until(seconds: float) -> Callable[[], bool]:
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() < end


def compared(make: Callable[[], Any]) -> tuple[list[float], list[float]]:
    """What is left of the speed inside of the window and after it, for each round."""
    inside, after = [], []
    dataset = make().repeat()
    for _ in range(ROUNDS):
        plain = iter(dataset)
        next(plain)
        before = rate(plain, until(SECONDS))
        del plain
        with tfdata_lint.observe(seconds=WINDOW, save=None, show=False) as seen:
            watched = iter(dataset)
            next(watched)
            inside.append(rate(watched, lambda: not seen.is_complete) / before)
            after.append(rate(watched, until(SECONDS)) / before)
            del watched
    return inside, after


def main() -> int:
    makers = known()
    print(f"{'':26} inside of the window     after it")
    of_inside, of_after = [], []
    for name in NAMES:
        inside, after = compared(getattr(makers, name))
        told = (f"{median(found):6.3f} ({min(found):.2f} to {max(found):.2f})" for found in (inside, after))
        print(f"{name:26} {'   '.join(told)}", flush=True)
        of_inside.append(median(inside))
        of_after.append(median(after))
    print(f"{'median of the ten':26} {median(of_inside):6.3f}                   {median(of_after):6.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
