"""Several processes, executors and shards: what is reported is the same, whatever happens to those who do the work."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from cli.conftest import Run
from cli.samples import BROKEN, CLEAN, DEPRECATED, DISCARDED, FIXABLE, notebook
from processes import PATIENCE, started, wait_for

from tfdata_lint import lint_paths
from tfdata_lint.lint import linting
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.run import batches, parallel, workers
from tfdata_lint.run.parallel import Shard
from tfdata_lint.run.workers import Task, work

pytestmark = pytest.mark.slow

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[..., Run]

ROOT = Path(__file__).parents[2]
TREE = {f"{folder}/{n}.py": text for folder in "ab" for n, text in enumerate([CLEAN, DISCARDED, DEPRECATED, FIXABLE])}
TREE |= {"a.py": "import os\n", "b.py": BROKEN, "c.ipynb": notebook(FIXABLE), "d/猫.py": DISCARDED}


def codes(reports: Iterable[FileReport]) -> list[str]:
    return [diagnostic.code for report in reports for diagnostic in report.diagnostics]


@pytest.fixture
def tree(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Several batches, even of so few files.
    monkeypatch.setattr(batches, "_BATCH_FILES", 2)
    return project(TREE)


@contextmanager
def another_thread() -> Iterator[None]:
    """A process with threads cannot be copied, so that workers start from nothing."""
    end = Event()
    thread = Thread(target=end.wait)
    thread.start()
    yield
    end.set()
    thread.join()


def test_batches_grow_with_what_came_before() -> None:
    """Small ones first, that all have something to do; large ones later, of which each worker parses less anew."""
    limits = [batches.Batch(before).limit for before in (0, 1_000_000, 4_000_000, 100_000_000)]
    assert limits == [256_000, 256_000, 500_000, 1_000_000]
    assert not batches.Batch().is_full


class TestProcesses:
    def test_the_output_is_the_same(self, tree: Path, run: Check) -> None:
        serial = run("check", "--no-cache", "--jobs", "1")
        assert serial.out.count("TFD") > 8
        assert run("check", "--no-cache", "--jobs", "2") == serial
        with another_thread():
            assert run("check", "--no-cache", "--jobs", "2") == serial
        # Cold and warm.
        assert [run("check", "--jobs", "2"), run("check")] == [serial, serial]

    def test_they_are_started_when_there_is_enough_to_do(
        self, tree: Path, run: Check, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        started = []
        processes = workers._processes

        def note(jobs: int, *, copies: bool) -> ProcessPoolExecutor:
            started.append(jobs)
            return processes(jobs, copies=copies)

        monkeypatch.setattr(workers, "_processes", note)
        monkeypatch.setattr(parallel, "processors", lambda: 2)
        serial = run("check", "--no-cache")
        assert started == []
        size = sum(len(text) for text in TREE.values())
        monkeypatch.setattr(parallel, "WORTH_WHILE", size // 2)
        assert run("check", "--no-cache") == serial
        assert started == [2]
        monkeypatch.setattr(parallel, "processors", lambda: 1)
        assert run("check", "--no-cache") == serial
        assert started == [2]

    @pytest.mark.parametrize("number", ["0", "-1", "two", "1.5"])
    def test_their_number(self, number: str, run: Check, project: Project) -> None:
        project({})
        done = run("check", f"--jobs={number}")
        assert (done.code, done.err) == (2, f"tfdata-lint: error: --jobs: {number!r} is not a number of processes\n")


def changed(code: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """A run with two processes, in which the engine is changed by some code."""
    script = f"""
import os, signal, sys, time
from tfdata_lint.lint import linting
from tfdata_lint.run import batches
from tfdata_lint.cli import main
batches._BATCH_FILES = 2
signal.signal(signal.SIGINT, signal.default_int_handler)
lint_bytes = linting.lint_bytes
def changed(data, path, *arguments, **named):
    {code}
    return lint_bytes(data, path, *arguments, **named)
linting.lint_bytes = changed
sys.exit(main(["check", "--no-cache", "--jobs", "2", "--output-format", "concise", "-q"]))
"""
    return started(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


#: What workers do then: note that they are there, and go on for ever.
WAIT = "open(f'worker-{os.getpid()}', 'w').close(); time.sleep(3600)"


@pytest.mark.skipif(sys.platform != "linux", reason="the changed engine is not copied")
class TestWhenSomethingEndsIt:
    def test_a_worker_that_dies_costs_one_file(self, tree: Path, run: Check) -> None:
        serial = run("check", "--no-cache", "--output-format", "concise", "-q").out.splitlines()
        with changed("if path == 'a/1.py': os.kill(os.getpid(), signal.SIGKILL)") as process:
            out, err = process.communicate(timeout=PATIENCE)
        lines = out.splitlines()
        (failed,) = [line for line in lines if "TFD002" in line]
        assert "a worker failed on a/1.py: BrokenProcessPool: A process in the process pool was terminated" in failed
        assert [line for line in lines if line != failed] == [line for line in serial if "a/1.py" not in line]
        assert "Traceback" not in err

    @pytest.mark.parametrize("everyone", [True, False], ids=["the terminal", "only the run"])
    def test_an_interrupt_ends_all_at_once(self, everyone: bool, tree: Path) -> None:
        with changed(WAIT) as process:
            wait_for(lambda: len(list(tree.glob("worker-*"))) == 2)
            (os.killpg if everyone else os.kill)(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
            assert (process.returncode, err) == (130, "tfdata-lint: interrupted\n")
            wait_for(lambda: not any(map(is_running, tree.glob("worker-*"))))

    def test_no_worker_is_left_when_the_run_is_killed(self, tree: Path) -> None:
        with changed(WAIT) as process:
            wait_for(lambda: len(list(tree.glob("worker-*"))) == 2)
            process.kill()
            process.communicate()
            wait_for(lambda: not any(map(is_running, tree.glob("worker-*"))))


def is_running(worker: Path) -> bool:
    try:
        status = Path(f"/proc/{worker.name.partition('-')[2]}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


class Elsewhere(Executor):
    """Works on a machine that has other files, or none."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.texts: list[str] = []

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        (task,) = arguments
        future: Future[Any] = Future()
        self.texts += [file.path for file in task.files] if task.texts else []
        future.set_result(function(replace(task, folder=self.folder)))
        return future


class TestExecutors:
    @pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
    def test_any_of_them_will_do(self, kind: Callable[[int], Executor], tree: Path) -> None:
        with kind(2) as executor:
            assert list(lint_paths(["."], executor=executor)) == list(lint_paths(["."]))
        assert Path.cwd() == tree

    @pytest.mark.parametrize("folder", ["missing", "empty", "other"])
    def test_workers_that_do_not_see_the_files_get_their_texts(self, folder: str, tree: Path, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        for path, text in TREE.items():
            other = tmp_path / "other" / path
            other.parent.mkdir(parents=True, exist_ok=True)
            other.write_text(f"#{text}")
        executor = Elsewhere(tmp_path / folder)
        assert list(lint_paths(["."], executor=executor)) == list(lint_paths(["."]))
        # All but the three that hold nothing of interest.
        assert len(executor.texts) == len(TREE) - 3

    def test_what_needs_other_files_is_then_linted_here(
        self, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lint = linting.lint_bytes

        def changed(data: bytes, path: str, *arguments: Any, **named: Any) -> FileReport:
            there = os.path.exists("a/0.py")
            report = lint(data, path, *arguments, **named)
            return report._replace(depends=("/a.py",), problem="" if there else "other")

        monkeypatch.setattr(linting, "lint_bytes", changed)
        assert list(lint_paths(["."], executor=Elsewhere(tmp_path))) == list(lint_paths(["."]))

    @pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
    def test_workers_that_have_linted_before_look_again(
        self, kind: Callable[[int], Executor], project: Project
    ) -> None:
        """They may live on between runs. What they know of other modules and of the project must not."""
        uses = "from inputs import load\nfor batch in load().batch(32):\n    step(batch)\n"
        root = project({"train.py": f"import tensorflow as tf\n{uses}"})
        with kind(1) as executor:
            assert codes(lint_paths(["train.py"], executor=executor)) == []
            source = "import tensorflow as tf\ndef load():\n    return tf.data.TFRecordDataset('a')\n"
            (root / "inputs.py").write_text(source)
            assert codes(lint_paths(["train.py"], executor=executor)) == ["TFD101"]
            (root / "requirements.txt").write_text("tensorflow==2.15\n")
            (advice,) = next(lint_paths(["train.py"], executor=executor)).diagnostics
        assert advice.severity == "advice"

    def test_one_that_is_gone(self, tree: Path) -> None:
        class Gone(Executor):
            def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
                raise BrokenExecutor("gone")

        assert list(lint_paths(["."], executor=Gone())) == list(lint_paths(["."]))

    def test_one_that_fails(self, project: Project) -> None:
        class Failing(Executor):
            def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
                future: Future[Any] = Future()
                future.set_exception(ValueError("a reason"))
                return future

        project({"a.py": DISCARDED})
        (report,) = lint_paths(["a.py"], executor=Failing())
        assert "a worker failed on a.py: ValueError: a reason" in report.diagnostics[0].message

    def test_the_working_directory_of_a_worker_is_given_back(self, tmp_path: Path) -> None:
        before = Path.cwd()
        assert work(Task(str(tmp_path), [], [], 0)).results == []
        assert Path.cwd() == before


class TestDask:
    """How it works with a cluster is in `project/test_whole_runs.py`."""

    @pytest.mark.parametrize("address", ["dask://somewhere", "somewhere:8786", "ray://somewhere:1"])
    def test_an_address_that_is_none(self, address: str, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED})
        done = run("check", "--executor", address)
        expected = f"tfdata-lint: error: --executor: {address!r} is not an address such as dask://HOST:8786\n"
        assert (done.code, done.err) == (2, expected)

    def test_a_cluster_that_is_not_there(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(workers, "_PATIENCE", 0.2)
        project({"a.py": DISCARDED})
        # Ours, but nobody listens.
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            done = run("check", "--executor", f"dask://{address}")
        assert done.code == 2
        assert f"there is no Dask scheduler at {address}" in done.err

    def test_without_the_library(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "distributed", None)
        project({"a.py": DISCARDED})
        assert "pip install 'distributed>=2024.1'" in run("check", "--executor", "dask://127.0.0.1:9").err

    def test_workers_with_other_rules(self) -> None:
        for programs, message in (
            ({}, "has no workers"),
            ({"tcp://a:1": ModuleNotFoundError("No module named 'tfdata_lint'")}, "cannot run tfdata-lint: No module"),
            ({"tcp://a:1": ("0.0.1", (3, 9), ())}, "has a different tfdata-lint"),
        ):
            with pytest.raises(workers.ExecutorError, match=message):
                workers._compare(programs)
        workers._compare({"tcp://a:1": workers._program()})

    def test_not_with_processes(self, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED})
        assert run("check", "--executor", "dask://a:1", "--jobs", "2").code == 2


class TestShards:
    def test_each_file_is_in_one(self, tree: Path, run: Check) -> None:
        whole = {report.path for report in lint_paths(["."])}
        parts = [part_of(Shard(part, 3)) for part in (1, 2, 3)]
        assert set().union(*parts) == whole
        assert sum(map(len, parts)) == len(whole)
        assert all(parts)

    def test_it_stays_there(self, tree: Path, run: Check, monkeypatch: pytest.MonkeyPatch) -> None:
        shard = Shard(1, 3)
        before = part_of(shard)
        (tree / "a/00.py").write_text(CLEAN)
        (tree / "a/1.py").unlink()
        assert part_of(shard) - {"a/00.py"} == before - {"a/1.py"}
        # Whatever it is called by.
        absolute = {report.path for report in lint_paths([str(tree)], only=lambda path: shard.has(path, str(tree)))}
        assert {os.path.relpath(path) for path in absolute} == part_of(shard)

    def test_their_findings_are_those_of_the_whole(self, tree: Path, run: Check) -> None:
        options = "check", "--output-format", "concise", "-q"
        whole = run(*options, "--no-cache")
        for _ in range(2):
            parts = [run(*options, "--shard", f"{part}/3") for part in (1, 2, 3)]
            assert sorted("".join(part.out for part in parts).splitlines()) == sorted(whole.out.splitlines())
        assert run(*options) == whole

    def test_one_may_be_empty(self, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED})
        assert sorted(run("check", "--shard", f"{part}/2").code for part in (1, 2)) == [0, 1]

    def test_none_writes_a_baseline(self, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED})
        done = run("check", "--write-baseline", "--shard", "1/2")
        expected = "tfdata-lint: error: --write-baseline needs the findings of all files: it cannot be combined with"
        assert (done.code, done.err) == (2, f"{expected} --shard\n")
        assert not Path("tfdata-lint-baseline.json").exists()

    @pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "1/", "a/b", "1/0", "-1/2", "1/2/3", ""])
    def test_wrong_ones(self, shard: str, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED})
        done = run("check", f"--shard={shard}")
        expected = f"tfdata-lint: error: --shard: {shard!r} is not a part such as 1/4\n"
        assert (done.code, done.err) == (2, expected)


def part_of(shard: Shard) -> set[str]:
    return {report.path for report in lint_paths(["."], only=lambda path: shard.has(path, "."))}
