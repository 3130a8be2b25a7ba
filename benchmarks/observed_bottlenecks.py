"""Which of the known bottlenecks `tfdata_lint.observe()` names: `python benchmarks/observed_bottlenecks.py [NAME…]`.

Each pipeline of `tests/verify/known_bottlenecks.py` is made, then looped over inside `observe()` until it is observed,
all in this process. `--inside` makes them inside, too: then the runtime carries our tags, and not its own names.
Functions that train are called inside, and interrupted. Needs TensorFlow, and takes eight minutes.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tfdata_lint

KNOWN = Path(__file__).parents[1] / "tests" / "verify" / "known_bottlenecks.py"
SECONDS = 4.0


def known() -> Any:
    """The module with the known bottlenecks."""
    spec = importlib.util.spec_from_file_location("known_bottlenecks", KNOWN)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["known_bottlenecks"] = module
    spec.loader.exec_module(module)
    return module


def expected() -> dict[str, set[int]]:
    """The name of each function → the rows in which its bottleneck may end."""
    text = KNOWN.read_text(encoding="utf-8")
    lines = text.split("\n")
    found = {
        function.name: {
            row for row in range(function.lineno, (function.end_lineno or 0) + 1) if "# here" in lines[row - 1]
        }
        for function in ast.parse(text).body
        if isinstance(function, ast.FunctionDef)
    }
    return {name: rows for name, rows in found.items() if rows}


def named(make: Callable[[], Any], *, inside: bool = False, seconds: float = SECONDS) -> int:
    """The row in which the bottleneck ends that is named; 0 if none is."""
    trains = make.__annotations__["return"] == "None"
    dataset = None if inside or trains else make()
    with tfdata_lint.observe(seconds=seconds, save=None, show=False) as seen, interrupted(seen, 4 * seconds):
        dataset = make() if dataset is None else dataset
        for _ in dataset:
            pass
    pipelines = seen.run.pipelines if seen.run else ()
    places = [one.bottleneck.place for one in pipelines if one.bottleneck and one.bottleneck.place]
    # What comes before made the files for it.
    return places[-1].end_row or places[-1].row if places else 0


@contextmanager
def interrupted(seen: tfdata_lint.Observation, seconds: float) -> Iterator[None]:
    """As by Ctrl-C, once everything is observed, or after so many seconds."""
    over = threading.Event()

    def wait() -> None:
        until = time.monotonic() + seconds
        while not seen.is_complete and time.monotonic() < until and not over.wait(0.05):
            pass
        if not over.is_set():
            signal.raise_signal(signal.SIGINT)

    waiting = threading.Thread(target=wait)
    waiting.start()
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        over.set()
        waiting.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="these functions only")
    parser.add_argument("--inside", action="store_true", help="make the datasets inside of observe()")
    options = parser.parse_args()
    makers = known()
    rows = {name: wanted for name, wanted in expected().items() if not options.names or name in options.names}
    right = 0
    for name, wanted in rows.items():
        row = named(getattr(makers, name), inside=options.inside)
        right += row in wanted
        print(f"{'named' if row in wanted else 'WRONG':6} {name}: row {row or '-'}, {sorted(wanted)}", flush=True)
    print(f"{right} of {len(rows)} named")
    return 0 if right == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
