"""Which of the known bottlenecks `tfdata-lint profile` names, and how long it says was waited.

`profiled_bottlenecks.py record FOLDER [NAME…]` consumes each pipeline of `tests/verify/known_bottlenecks.py` in a
process of its own, profiles it, and writes beside the profile what a stopwatch in the loop says: `--by loop` (the
default) between `start` and `stop`, `--by marked` with markers of steps around it, `--by fit` with TensorBoard's
callback, which needs that package. `profiled_bottlenecks.py read FOLDER` needs no TensorFlow: lines that are right,
among several, not named, or wrong, with the source that was profiled, and with `--other PATH`, where none is right,
those of another program.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from observed_bottlenecks import KNOWN, expected, known

from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.verify.profile.files import File, Unreadable, files
from tfdata_lint.verify.profile.host import Host, read
from tfdata_lint.verify.profile.lines import graphs, locate

#: Before the profile, and in it.
WARM, SECONDS = 1.5, 3.0
#: What the loop does besides, by how long it waits for an element.
STEPS = (0.0, 0.1, 0.3, 0.6)
#: Points of a share.
CLOSE = 0.03
#: From when to when, by a stopwatch.
Wait = tuple[float, float]


def record(make: Callable[[], Any], folder: Path, by: str, step: float) -> None:
    """Consume a pipeline, profile it, and write what a stopwatch says."""
    import tensorflow as tf

    folder.mkdir(parents=True, exist_ok=True)
    if make.__annotations__["return"] == "None":
        _record_around(make, tf, folder)
    elif by == "fit":
        _record_fit(make(), folder)
    else:
        share = _record_loop(make(), tf, folder, by == "marked", step)
        (folder / "stopwatch.json").write_text(json.dumps({"share": share, "step": step}))


def _record_loop(dataset: Any, tf: Any, folder: Path, is_marked: bool, step: float) -> float:
    elements = iter(dataset)
    waits = [end - begin for begin, end in _loop(elements, tf, WARM, 0.0, False)]
    sleeps = step * sorted(waits)[len(waits) // 2]
    list(_loop(elements, tf, WARM / 3, sleeps, False))
    tf.profiler.experimental.start(str(folder))
    # As in the profile, of which the first and the last step are left out.
    first, *waits = _loop(elements, tf, SECONDS, sleeps, is_marked)
    tf.profiler.experimental.stop()
    return sum(end - begin for begin, end in waits) / (waits[-1][1] - first[1])


def _loop(elements: Iterator[Any], tf: Any, seconds: float, sleeps: float, is_marked: bool) -> Iterator[Wait]:
    """When it waited."""
    began, number = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        mark = tf.profiler.experimental.Trace("train", step_num=number, _r=1) if is_marked else nullcontext()
        with mark:
            before = time.perf_counter()
            next(elements)
            yield before, time.perf_counter()
            if sleeps:
                time.sleep(sleeps)
        number += 1


def _record_fit(dataset: Any, folder: Path) -> None:
    import keras

    class Ignoring(keras.Model):  # type: ignore[misc]
        def train_step(self, data: Any) -> dict[str, Any]:
            return {"loss": 0.0}

    model = Ignoring()
    model.compile()
    profile = keras.callbacks.TensorBoard(str(folder), profile_batch=(10, 40), update_freq=10**9)

    class Until(keras.callbacks.Callback):  # type: ignore[misc]
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            self.model.stop_training |= batch > 60

    model.fit(dataset, steps_per_epoch=80, epochs=1, verbose=0, callbacks=[profile, Until()])


def _record_around(train: Callable[[], Any], tf: Any, folder: Path) -> None:
    """A function that trains until it is interrupted."""

    def profile() -> None:
        time.sleep(4 * WARM)
        tf.profiler.experimental.start(str(folder))
        time.sleep(SECONDS)
        tf.profiler.experimental.stop()
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=profile).start()
    with suppress(KeyboardInterrupt):
        train()


def _in_a_process(name: str, folder: Path, by: str, step: float) -> int:
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # In the background it is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        record(getattr(known(), name), folder, by, step)
    except BaseException as error:
        print(f"{name}: {type(error).__name__}: {error}"[:200], file=sys.stderr)
        os._exit(1)
    os._exit(0)


def named(host: Host, found: Sequence[Any], wanted: set[int]) -> tuple[str, str]:
    """How right the line of its bottleneck is, and why it is not certain."""
    lines = locate(host, found)
    (pipeline,) = host.run(lines.places, lines.consumer).pipelines
    place = pipeline.bottleneck.place if pipeline.bottleneck else None
    if place:
        return "right" if place.end_row in wanted else "WRONG", ""
    if any(one.end_row in wanted for one in lines.candidates):
        return "among", lines.why
    return "candidates" if lines.candidates else "none", lines.why


def _read(folder: Path, other: Sequence[str], names: Sequence[str]) -> int:
    found = graphs(other or [str(KNOWN)], Configuration(isolated=True))
    rows = expected() if not other else {name: set[int]() for name in expected()}
    counts: Counter[str] = Counter()
    far = shares = 0
    for name, wanted in rows.items():
        if (names and name not in names) or not (folder / name).exists():
            continue
        try:
            host = read(_file(folder / name))
        except Unreadable as error:
            print(f"unreadable {name}: {error}")
            continue
        how, why = named(host, found, wanted)
        counts[how] += 1
        said = ""
        with suppress(OSError):
            share = json.loads((folder / name / "stopwatch.json").read_text())["share"]
            (pipeline,) = host.run().pipelines
            seen = pipeline.input.share if pipeline.input else None
            shares += 1
            far += (is_far := seen is None or abs(seen - share) > CLOSE)
            said = f"; waits {'-' if seen is None else f'{seen:.1%}'}, stopwatch {share:.1%}{' FAR' * is_far}"
        print(f"{how:10} {name}{said}{'; ' * bool(why)}{why}", flush=True)
    print(", ".join(f"{count} {how}" for how, count in counts.most_common()))
    print(f"shares of waiting: {shares - far} of {shares} within {CLOSE:.0%}")
    return int(bool(counts["WRONG"]))


def _file(folder: Path) -> File:
    return files([str(folder)])[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("record", "read"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="these functions only")
    parser.add_argument("--by", choices=("loop", "marked", "fit"), default="loop")
    parser.add_argument("--other", action="append", default=[], metavar="PATH", help="the source of other programs")
    options = parser.parse_args()
    if options.what == "read":
        return _read(options.folder, options.other, options.names)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    # Once for all of the processes.
    import tensorflow  # noqa: F401

    names = options.names or list(expected())
    failed = [
        name
        for number, name in enumerate(names)
        if _in_a_process(name, options.folder / name, options.by, STEPS[number % len(STEPS)])
    ]
    print(f"{len(names) - len(failed)} recorded{'; failed: ' * bool(failed)}{', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
