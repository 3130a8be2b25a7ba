"""Whole runs of the program: however it is run it says the same, a run that is killed spoils nothing, memory does not
grow, and no library is ever opened.

`TFDATA_LINT_KILLS=50 pytest tests/project/test_whole_runs.py` kills more runs than usual.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import libcst
import pytest
from cli.samples import BROKEN, notebook
from processes import PATIENCE, started

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = [path for path in sorted((ROOT / "examples").iterdir()) if path.is_file()]
KILLS = int(os.environ.get("TFDATA_LINT_KILLS", "6"))

can_kill = pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")

#: A script beside a package and a `src` folder: absolute, relative and star imports, and modules that are not there.
PACKAGES = {
    "train.py": """\
import tensorflow as tf
import tensorflow_datasets as tfds
from keras import layers
from numpy import *

import package.inputs as inputs
from shared.steps import finish

model = tf.keras.Sequential([layers.Dense(1)])
model.fit(inputs.numbers().batch(32))
model.evaluate(finish(tfds.load("mnist", split="test")))
""",
    "package/__init__.py": "from .inputs import numbers as counted\n",
    "package/inputs.py": """\
import tensorflow as tf

from .parsing import *


def numbers(training=False):
    dataset = tf.data.Dataset.list_files("train-*")
    if training:
        dataset = dataset.shuffle(100)
    return dataset.map(parse).cache()
""",
    "package/parsing.py": """\
import tensorflow as tf


def parse(record):
    return tf.io.decode_jpeg(tf.io.read_file(record))
""",
    "package/jobs/evaluate.py": """\
import tensorflow as tf

from .. import counted, missing
from nowhere import nothing


def main(model: tf.keras.Model):
    for batch in counted(training=missing).batch(64):
        model(nothing(batch))
""",
    "src/shared/steps.py": "BATCH = 32\n\n\ndef finish(dataset):\n    return dataset.batch(BATCH)\n",
    "broken.py": BROKEN,
    "look.ipynb": notebook("import tensorflow as tf\nfrom package import counted", "for x in counted():\n    print(x)"),
}  # fmt: skip


def program(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tfdata_lint", "check", *arguments]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def run(*arguments: str, cwd: Path) -> tuple[int, bytes]:
    """The exit code and all that it printed."""
    done = subprocess.run(
        program(*arguments), cwd=cwd, env=environment(), timeout=PATIENCE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve projects, enough for several batches."""
    root = tmp_path_factory.mktemp("projects")
    for number in range(12):
        for name, text in PACKAGES.items():
            path = root / f"project_{number}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (root / f"project_{number}/tfdata-lint.toml").write_text('target-tensorflow = "2.4"\n')
    return root


# ── all ways to run ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Dask cluster with two worker processes."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as running:
        running.wait_for_workers(2, timeout=PATIENCE)
        yield running.scheduler_address.replace("tcp://", "dask://")


def have_linted(address: str) -> list[bool]:
    """Of each worker of a cluster: has it recovered pipelines?"""
    from distributed import Client

    with Client(address.replace("dask://", "tcp://"), timeout=PATIENCE, set_as_default=False) as client:
        return list(client.run(lambda: "tfdata_lint.pipeline.recover" in sys.modules).values())


@pytest.mark.parametrize("form", ["full", "json"])
def test_all_ways_to_run_print_the_same(form: str, projects: Path, cluster: str, tmp_path: Path) -> None:
    def output(*options: str) -> tuple[int, bytes]:
        return run("--output-format", form, *options, cwd=projects)

    code, serial = output("--jobs", "1", "--no-cache")
    assert code == 1
    # What is due to another module.
    assert serial.count(b"train.py") >= 12
    ways = {
        "two processes": ["--jobs", "2", "--no-cache"],
        "a cold cache": ["--jobs", "1", "--cache-dir", str(tmp_path / "serial")],
        "a warm cache": ["--jobs", "1", "--cache-dir", str(tmp_path / "serial")],
        "Dask and a cold cache": ["--executor", cluster, "--cache-dir", str(tmp_path / "dask")],
        "what Dask has kept": ["--jobs", "2", "--cache-dir", str(tmp_path / "dask")],
    }
    for way, options in ways.items():
        assert output(*options) == (code, serial), way
    assert any(have_linted(cluster))


# ── runs that are killed ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.thorough
@can_kill
def test_killed_at_random_moments(tmp_path: Path) -> None:
    """With its workers, as by a closed terminal."""
    files = [tmp_path / f"{number}_{example.name}" for number in range(6) for example in EXAMPLES]
    for file in files:
        file.write_bytes((ROOT / "examples" / file.name.partition("_")[2]).read_bytes())
    options = "--cache-dir", "cache", "--jobs", "2", "--isolated"
    expected = run("--no-cache", "--isolated", cwd=tmp_path)
    assert expected[0] == 1
    began = time.monotonic()
    assert run(*options, cwd=tmp_path) == expected
    duration = time.monotonic() - began

    chance = random.Random(20)
    killed = 0
    for _ in range(KILLS):
        for file in chance.sample(files, chance.randrange(len(files))):
            # As after an edit that moves nothing: it is linted again.
            file.write_bytes(file.read_bytes() + b"\n")
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with started(program(*options), cwd=tmp_path, env=environment(), **silent) as process:
            time.sleep(chance.uniform(0, duration))
        if process.returncode == -signal.SIGKILL:
            killed += 1
        else:
            # It was over before: the machine is not as busy any more.
            duration /= 2
        assert run(*options, cwd=tmp_path) == expected
    assert killed


# Ends the process at the Nth thing that it does to files below `cache`.
_KILLED_AT = """
import os, signal, sys

events = {"open", "os.mkdir", "os.rename", "os.remove", "os.scandir", "os.utime"}
left = int(sys.argv.pop(1))

def kill(event, arguments):
    global left
    if event in events and "cache" in str(arguments[0]).split(os.sep):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
from tfdata_lint.cli import main
sys.exit(main(["check", "--cache-dir", "cache", "--isolated"]))
"""


@can_kill
def test_killed_at_each_step_of_writing_the_cache(tmp_path: Path) -> None:
    for example in EXAMPLES:
        (tmp_path / example.name).write_bytes(example.read_bytes())
    expected = run("--no-cache", "--isolated", cwd=tmp_path)
    for step in range(1, 30):
        (tmp_path / "clean.py").write_text("\n" * step)
        command = [sys.executable, "-c", _KILLED_AT, str(step)]
        ended = subprocess.run(command, cwd=tmp_path, env=environment(), timeout=PATIENCE, capture_output=True)
        assert run("--cache-dir", "cache", "--isolated", cwd=tmp_path) == expected
        if ended.returncode != -signal.SIGKILL:
            break
    assert (ended.returncode, ended.stdout) == (expected[0], expected[1])
    # At the least: it is looked for, and a temporary file is opened and renamed.
    assert step > 3


# ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_ROUNDS = """
import gc, json, sys, tracemalloc
from tfdata_lint import lint_paths

tracemalloc.start()
sizes = []
for _ in range(10):
    assert sum(len(report.diagnostics) for report in lint_paths(sys.argv[1:]))
    gc.collect()
    sizes.append(tracemalloc.get_traced_memory()[0])
print(json.dumps(sizes))
"""


@pytest.mark.thorough
def test_memory_does_not_grow_after_the_second_round(projects: Path) -> None:
    command = [sys.executable, "-c", _ROUNDS, "project_0", "project_1"]
    done = subprocess.run(command, cwd=projects, env=environment(), timeout=PATIENCE, capture_output=True, check=True)
    sizes = json.loads(done.stdout)
    assert max(sizes[2:]) < 1.1 * sizes[1], sizes


# ── libraries ───────────────────────────────────────────────────────────────────────────────────────────────────────

_TRACED = """
import json, sys

opened = []

def note(event, arguments):
    if event in ("open", "os.scandir", "os.listdir") and isinstance(arguments[0], str):
        opened.append(arguments[0])

sys.addaudithook(note)
from tfdata_lint.cli import main
main(["check", "--no-cache", "-q", "."])
print("\\n" + json.dumps([opened, list(sys.modules)]))
"""
LIBRARIES = {"tensorflow", "tensorflow_datasets", "keras", "numpy"}


def test_no_library_is_opened(tmp_path: Path) -> None:
    """Neither one that is installed nor one in the project's own environment, or beside the code."""
    installed = tmp_path / ".venv/lib/python3/site-packages"
    for name in LIBRARIES:
        for folder in tmp_path, installed:
            (folder / name).mkdir(parents=True)
            (folder / name / "__init__.py").write_text("")
            (folder / name / "data.py").write_text("")
    for name, text in PACKAGES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "tfdata-lint.toml").write_text(f"extend-exclude = {json.dumps([f'/{name}/' for name in LIBRARIES])}\n")
    done = subprocess.run(
        [sys.executable, "-c", _TRACED], cwd=tmp_path, env=environment(), timeout=PATIENCE, capture_output=True,
        check=True,
    )  # fmt: skip
    opened, modules = json.loads(done.stdout.splitlines()[-1])
    assert any(path.endswith("inputs.py") for path in opened)
    assert [path for path in opened if LIBRARIES & set(Path(path).parts)] == []
    assert LIBRARIES.isdisjoint(modules)


UNDECLARED = {
    "train.py": """
import tensorflow as tf

def train(model, files):
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).map(tf.io.decode_jpeg).batch(32).repeat(2))
""",
    "old.py": """
import tensorflow as tf

features = tf.placeholder(tf.float32, [1000, 8])
iterator = tf.data.Dataset.from_tensor_slices(features).shuffle(1000).batch(32).make_initializable_iterator()
""",
}


def test_what_is_installed_decides_nothing(tmp_path: Path) -> None:
    """The same bytes without any TensorFlow, with ours, and with old ones in every place where one could look."""
    for folder in "without", "ours", "old":
        for name, text in UNDECLARED.items():
            (tmp_path / folder / name).parent.mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text(text)
    bare, old = tmp_path / "bare", tmp_path / "old/.venv/lib/python3.11/site-packages"
    bare.mkdir()
    for entry in Path(libcst.__file__).parents[1].iterdir():
        if not entry.name.startswith(("tensorflow", "keras", "tf_")):
            (bare / entry.name).symlink_to(entry)
    (old / "tensorflow-1.15.0.dist-info").mkdir(parents=True)
    (old / "tensorflow").mkdir()
    (old / "tensorflow/__init__.py").write_text("raise SystemExit('imported')")
    environments = {
        "without": (["-S"], {"PYTHONPATH": f"{ROOT}{os.pathsep}{bare}"}),
        "ours": ([], {"PYTHONPATH": str(ROOT)}),
        "old": (
            [],
            {
                "PYTHONPATH": f"{ROOT}{os.pathsep}{old}",
                "VIRTUAL_ENV": str(tmp_path / "old/.venv"),
                "CONDA_PREFIX": str(tmp_path / "old/.venv"),
            },
        ),
    }
    for form in "full", "json":
        outputs = {
            subprocess.run(
                [sys.executable, *flags, "-m", "tfdata_lint", "check", "--output-format", form], cwd=tmp_path / name,
                env={k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "CONDA_PREFIX")} | variables,
                timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            ).stdout
            for name, (flags, variables) in environments.items()
        }  # fmt: skip
        assert len(outputs) == 1, outputs
        (output,) = outputs
        assert b"TFD101" in output
