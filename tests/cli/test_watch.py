"""`check --watch`: another check after every change."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
import samples
from processes import PATIENCE, end

pytestmark = pytest.mark.slow

Run = Callable[..., Any]
Project = Callable[[Mapping[str, str | bytes]], Path]

_END = "Watching for changes. Press Ctrl-C to stop.\n"


class Watcher:
    """A process that watches."""

    def __init__(self, *arguments: str, polls: bool) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, "polls" if polls else "", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )  # fmt: skip
        self.clock = Timer(PATIENCE, end, [self.process])
        """Ends it where no more is printed."""
        self.clock.start()

    def check(self) -> str:
        """What the next check prints, its time left out."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            if line == _END:
                return "".join(lines).partition(" ")[2]
            lines.append(line)
        raise AssertionError("".join(lines))


#: What is started in the background may have been told to pass over interrupts.
_PROGRAM = """\
import signal, sys
from tfdata_lint.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.argv[1]:
    sys.modules["watchfiles"] = None
sys.exit(main(["check", "--watch", *sys.argv[2:]]))
"""


@pytest.fixture(params=[False, True], ids=["watchfiles", "polls"])
def watch(request: pytest.FixtureRequest) -> Iterator[Callable[..., Watcher]]:
    """Starts a process that watches, by its library or without it."""
    watchers: list[Watcher] = []

    def start(*arguments: str) -> Watcher:
        watchers.append(Watcher(*arguments, polls=request.param))
        return watchers[-1]

    yield start
    for watcher in watchers:
        watcher.clock.cancel()
        end(watcher.process)
        watcher.process.communicate()


def test_a_change(project: Project, watch: Callable[..., Watcher]) -> None:
    root = project({"a.py": samples.CLEAN})
    watcher = watch("--output-format", "concise")
    assert watcher.check() == "Checking\nAll clear: no findings in 1 file.\n"
    (root / "a.py").write_text(samples.DISCARDED)
    told = watcher.check()
    assert told.startswith("Checking again: a.py\na.py:4:1: error TFD401 ")
    assert told.endswith("Found 1 error in 1 of 1 file.\n1 can be fixed with `--fix --unsafe-fixes`.\n")


def test_files_that_come_and_go(project: Project, watch: Callable[..., Watcher]) -> None:
    root = project({"a.py": samples.CLEAN})
    watcher = watch()
    watcher.check()
    (root / "b.py").write_text(samples.DISCARDED)
    assert watcher.check().startswith("Checking again: b.py\nb.py:4:1: error TFD401 ")
    (root / "b.py").unlink()
    assert watcher.check() == "Checking again: b.py\nAll clear: no findings in 1 file.\n"


def test_what_a_file_imports_and_the_settings(project: Project, watch: Callable[..., Watcher]) -> None:
    """A file is watched with its folder, and nothing is remembered that has changed."""
    use = (
        "import tensorflow as tf\nfrom helper import read\n\nAUTOTUNE = tf.data.AUTOTUNE\nds = read()\nds.shuffle(3)\n"
    )
    helper = "import tensorflow as tf\n\n\ndef read():\n    return tf.data.Dataset.range(3)\n"
    root = project({"main.py": use, "helper.py": "def read():\n    return []\n"})
    watcher = watch("main.py", "--output-format", "concise", "--select", "TFD401")
    assert watcher.check() == "Checking\nAll clear: no findings in 1 file.\n"
    (root / "helper.py").write_text(helper)
    assert watcher.check().startswith("Checking again: helper.py\nmain.py:6:1: error TFD401 ")
    (root / "tfdata-lint.toml").write_text('per-file-ignores = {"main.py" = ["TFD401"]}')
    assert watcher.check() == "Checking again: tfdata-lint.toml\nAll clear: no findings in 1 file.\n"


def test_the_tensorflow_that_the_project_needs(project: Project, watch: Callable[..., Watcher]) -> None:
    """From 2.11 on TensorFlow adds a missing prefetch by itself."""
    loop = "import tensorflow as tf\n\nfor x in tf.data.TFRecordDataset(glob(pattern)).batch(32):\n    train(x)\n"
    root = project({"a.py": loop, "requirements.txt": "tensorflow==2.5\n"})
    watcher = watch("--output-format", "concise", "--select", "TFD101")
    assert "warning TFD101" in watcher.check()
    (root / "requirements.txt").write_text("tensorflow==2.16\n")
    told = watcher.check()
    assert told.startswith("Checking again: requirements.txt\n")
    assert "advice TFD101" in told


def test_files_that_do_not_matter(project: Project, watch: Callable[..., Watcher]) -> None:
    root = project({"a.py": samples.CLEAN, ".venv/b.py": ""})
    watcher = watch()
    watcher.check()
    (root / "training.log").write_text("step 1")
    (root / ".venv" / "b.py").write_text(samples.DISCARDED)
    (root / "c.py").write_text("")
    assert watcher.check().startswith("Checking again: c.py\n")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
def test_an_interruption_is_its_end(project: Project, watch: Callable[..., Watcher]) -> None:
    project({"a.py": samples.DISCARDED})
    watcher = watch()
    watcher.check()
    watcher.process.send_signal(signal.SIGINT)
    assert watcher.process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--fix"], "cannot be combined"),
        (["--diff"], "cannot be combined"),
        (["--write-baseline"], "cannot be combined"),
        (["--output-file", "report"], "cannot be combined"),
        (["-"], "cannot be combined"),
        (["--output-format", "sarif"], "--watch does not support the format sarif"),
        (["missing"], "no such file or folder: missing"),
    ],
)
def test_what_does_not_go_with_it(options: list[str], why: str, project: Project, run: Run) -> None:
    project({"a.py": ""})
    done = run("check", "--watch", *options)
    assert done.code == 2
    assert why in done.err
