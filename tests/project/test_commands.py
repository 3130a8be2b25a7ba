"""Each command that the README and the pages show is run, in a project such as its reader may have."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from processes import PATIENCE, free_port, is_served, run, started, wait_for

pytestmark = pytest.mark.site

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
         *sorted((ROOT / "website" / "pages").glob("*.md"))]  # fmt: skip
_BLOCK = re.compile(r"^```(console|sh|bash|shell)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: What is run by other tests, or by those who set things up, by how the command begins or what it holds.
ELSEWHERE = {
    "pip install": ".ci/run",
    "python -m venv": ".ci/run",
    "pytest": ".ci/run",
    "benchmarks/": "test_benchmarks.py",
    "tests/truth/run.py": "tests/truth",
    "--executor dask": "tests/cli/test_parallel.py",
    "website/write.py": "test_site.py",
    "zensical serve": "test_site.py",
    "npm run build": "test_playground.py",
    "docker ": "test_packaging.py",
    "tfdata-lint profile": "tests/verify/test_profile.py",
    "tfdata-lint compare": "tests/cli/test_evidence.py",
}
#: They go on until they are stopped.
ENDLESS = ("--watch", "server --tcp")
EXECUTES = ("--verify", "tfdata-lint tune")

#: One finding that a safe fix mends, and elements that are there at once.
PROGRAM = """
import sys
import tensorflow as tf

ds = tf.data.Dataset.range(2_000).map(lambda x: x + 1, num_parallel_calls=tf.data.experimental.AUTOTUNE).batch(8)
for batch in ds:
    pass
"""


class Shown(NamedTuple):
    page: str
    command: str


def shown() -> list[Shown]:
    found = []
    for page in PAGES:
        for language, block in _BLOCK.findall(page.read_text(encoding="utf-8")):
            rows = block.replace("\\\n", " ").splitlines()
            # Of what a console shows, only what stands behind a prompt was typed.
            typed = [row.removeprefix("$ ") for row in rows if language != "console" or row.startswith("$ ")]
            found += [Shown(page.name, " ".join(row.split())) for row in typed if row.strip()]
    return found


#: Once where several pages show the same; the two runs that `compare` puts side by side are the same, too.
OURS = list(
    {
        one.command.replace("after.json", "before.json"): one
        for one in shown()
        if not any(part in one.command for part in ELSEWHERE)
    }.values()
)


def test_what_is_run_elsewhere_is_still_shown() -> None:
    commands = [one.command for one in shown()]
    assert [part for part in ELSEWHERE if not any(part in command for command in commands)] == []
    assert len(OURS) > 30


def _case(one: Shown) -> object:
    """Those that run the code of the project start TensorFlow: one page of them stands for the others."""
    is_alike = "--verify" in one.command and one.page != "tutorial.md"
    return pytest.param(one, id=f"{one.page}: {one.command}", marks=pytest.mark.thorough if is_alike else ())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of ours, with a reader's project in it."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("train.py", "input.py", "src/input.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(PROGRAM)
    shutil.copy(ROOT / "examples" / "flowers.ipynb", folder / "train.ipynb")
    (folder / "tfdata-lint-evidence.json").write_text('{"version": 1, "verdicts": []}')
    (folder / "run.tfdata.json").write_text('{"format": 1, "pipelines": []}')
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    baseline = [sys.executable, "-m", "tfdata_lint", "check", "--write-baseline"]
    for command in ([*git, "init", "-qb", "main"], [*git, "add", "."], [*git, "commit", "-qm", "first"],
                    [*git, "update-ref", "refs/remotes/origin/main", "HEAD"], baseline):  # fmt: skip
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Path:
    """A copy of it for one command."""
    return Path(shutil.copytree(made, tmp_path, dirs_exist_ok=True))


@pytest.mark.skipif(os.name == "nt", reason="they are commands of a POSIX shell")
@pytest.mark.parametrize("one", [*map(_case, OURS)])
def test_it_runs(one: Shown, project: Path) -> None:
    command = one.command.partition(" | reviewdog")[0]
    if any(part in command for part in EXECUTES):
        if importlib.util.find_spec("tensorflow") is None:
            pytest.skip("needs TensorFlow")
        # What is over before anything is observed says so; `tests/verify` waits for verdicts.
        command = command.replace("--verify ", "--verify-budget 15 --verify ", 1).replace(
            "tune ", "tune --budget 20 ", 1
        )
    (project / ".local/share/bash-completion/completions").mkdir(parents=True)
    environment = {
        **os.environ,
        "HOME": str(project),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "NO_COLOR": "1",
    }
    if not any(part in command for part in ENDLESS):
        done = run(["bash", "-c", command], cwd=project, env=environment, patience=2 * PATIENCE)
        # On a busy machine the time may be over before anything is observed, which is said.
        is_over = any(part in command for part in EXECUTES) and "budget) was reached" in done.stdout
        assert done.returncode in (0, 1) or is_over, done.stdout
        return
    port = free_port()
    command = re.sub(r"(?<=--tcp )\d+", str(port), command)
    output = project / "printed"
    with (
        output.open("w") as printed,
        # What runs in the background of a shell ignores Ctrl-C, and so does what it starts.
        started(["bash", "-c", command], cwd=project, env=environment, stdin=subprocess.DEVNULL, stdout=printed,
                stderr=subprocess.STDOUT, preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL)) as process,
    ):  # fmt: skip
        wait_for(lambda: process.poll() is not None or "Watching for changes" in output.read_text() or is_served(port))
        assert process.poll() is None or "--tcp" in command, output.read_text()
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    assert "error" not in output.read_text().partition(":")[0]
