"""May the code of a loop write files? Lines that are read ahead of it may be among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rows import each

from tfdata_lint import lint_paths

APPENDS = 'with open("log.txt", "a") as file:\n        file.write("1")\n'
STEPS = f"def steps():\n    {APPENDS}    yield 1\n"
QUIET_STEPS = "def steps():\n    yield 1\n"
METHOD = APPENDS.replace("        ", "            ")
LIBRARY = f"def step(b):\n    {APPENDS}\n\nclass Recorder:\n    def update(self, b):\n        {METHOD}"
MAKES_STEPS = f"class Maker:\n    def steps(self):\n        {METHOD}        yield 1\n"
RECORDER = "from library import Recorder\nrecorder = Recorder()\n"
CALLS = "def f0(b):\n    return b\n" + "".join(f"def f{n + 1}(b):\n    return f{n}(b)\n" for n in range(300))


def applicability(folder: Path, before: str, body: str, loop: str = "b in ds", **others: str) -> str:
    """Of TFD101, for a loop over lines of a file."""
    for name, text in others.items():
        (folder / f"{name}.py").write_text(text)
    start = 'import tensorflow as tf\nds = tf.data.TextLineDataset("log.txt").batch(8)\n'
    (folder / "main.py").write_text(f"{start}{before}\nfor {loop}:\n    total = tf.strings.length(b)\n    {body}\n")
    (report,) = lint_paths([str(folder / "main.py")])
    (fix,) = [found.fix for found in report.diagnostics if found.code == "TFD101" and found.fix]
    return fix.applicability


@each(
    ("before", "body"),
    [
        ("import os", 'list(map(os.remove, ["log.txt"]))'),
        (f"{STEPS}gen = iter(steps())", "next(gen)"),
        (f"{STEPS}gen = enumerate(steps())", "next(gen)"),
        (f"{STEPS}gen, k = steps(), 1", "next(gen)"),
        (f"{MAKES_STEPS}gen = Maker().steps()", "next(gen)"),
        (f"def record(b):\n    {APPENDS}step = tf.function(func=record)", "step(b)"),
        ('import logging\nlogging.basicConfig(level=getattr(logging, "INFO"), filename="log.txt")', "logging.info(b)"),
        ('import h5py\nf = h5py.File("log.txt", "a")', 'f["x"][0] = 1'),
        ("", 'tf.keras.preprocessing.image.save_img("log.txt", b)'),
        ("import library", "library.step(b)"),
        ("from library import *", "step(b)"),
        (RECORDER, "recorder.update(b)"),
        (f"{RECORDER}class Quiet:\n    def update(self, b):\n        return b", "recorder.update(b)"),
    ],
)  # fmt: skip
def test_loops_that_may_write(before: str, body: str, tmp_path: Path) -> None:
    assert applicability(tmp_path, before, body, library=LIBRARY) == "unsafe"


@each(
    ("before", "body"),
    [
        ("seen = []", "seen.append(b.numpy().tolist())"),
        (f"{QUIET_STEPS}gen = iter(steps())", "next(gen)"),
        ("total_seen = tf.keras.metrics.Mean()", "total_seen.update_state(1.0)"),
        ("import matplotlib.pyplot as plt", "plt.imshow(b.numpy())"),
        ("import logging", 'logging.info("%s", b)'),
        ("import argparse\nargs = argparse.ArgumentParser().parse_args()", "print(args.name, b)"),
        ('writer = tf.summary.create_file_writer("logs")', 'tf.summary.scalar("loss", 1.0, step=1)'),
        ("def step(b):\n    return b\nstep = tf.function(step)", "step(b)"),
    ],
)
def test_loops_that_write_nothing(before: str, body: str, tmp_path: Path) -> None:
    assert applicability(tmp_path, before, body) == "safe"


@pytest.mark.parametrize("loop", ["b, _ in zip(ds, steps())", "i, (b, _) in enumerate(zip(ds, steps()))"])
def test_what_is_walked_beside(loop: str, tmp_path: Path) -> None:
    assert applicability(tmp_path, STEPS, "pass", loop) == "unsafe"
    assert applicability(tmp_path, QUIET_STEPS, "pass", loop) == "safe"


@each(
    ("before", "body"),
    [
        ("c0 = [1]\n" + "".join(f"c{n + 1} = map(len, c{n}, c{n})\n" for n in range(40)), "next(c40)"),
        ("c0 = [1]\n" + "".join(f"c{n + 1} = c{n}[0]\nc{n + 1} = c{n}[1]\n" for n in range(40)), "c40.update(b)"),
        (CALLS, "f300(b)"),
        ("import functools\nseen = []\nseen = functools.reduce(max, seen, seen)", "seen.append(b)"),
        ("a = b = None\na = b\nb = a", "a(b)"),
    ],
)  # fmt: skip
def test_whatever_names_stand_for(before: str, body: str, tmp_path: Path) -> None:
    """It ends, and nothing fails."""
    assert applicability(tmp_path, before, body) in ("safe", "unsafe")
