"""What the tests share: which of them a command runs, and a process that runs snippets on real TensorFlow."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import tensorflow_runner
from processes import PATIENCE, started
from tensorflow_runner import RunOnTensorFlow

# No example is too slow, however busy the machine is. A build that fails must fail again: there the examples are always
# the same. Elsewhere each run tries new ones.
hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")

#: Fixtures.
_ON_TENSORFLOW = {"run_on_tensorflow", "tf"}
#: The marks of what `--quick` leaves out; `pyproject.toml` says what they mean.
_JOBS = ("tensorflow", "site", "playground", "editor", "release", "nightly")
_LEFT_OUT = ("slow", *_JOBS)
_HOME = pytest.StashKey[tempfile.TemporaryDirectory[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help=f"without what is marked as {', '.join(_LEFT_OUT)}")


def pytest_configure(config: pytest.Config) -> None:
    # The key of caches: that of the user is left alone.
    config.stash[_HOME] = tempfile.TemporaryDirectory(prefix="tfdata-lint-tests-")
    os.environ["XDG_CACHE_HOME"] = config.stash[_HOME].name
    if config.getoption("--quick"):
        # So it cannot be found, here and in what asks for it.
        sys.modules["tensorflow"] = None  # type: ignore[assignment]


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_HOME].cleanup()


@pytest.hookimpl(tryfirst=True)  # The marks are there before `-m` looks at them.
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if _ON_TENSORFLOW & {*getattr(item, "fixturenames", ())}:
            item.add_marker("tensorflow")
        # What decides is covered without them; being measured takes three times as long.
        if any(map(item.get_closest_marker, _JOBS)):
            item.add_marker("no_cover")
    if config.getoption("--quick"):
        left_out = {item for item in items if any(map(item.get_closest_marker, _LEFT_OUT))}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What is built for a file is built once: its tests are run by one process, but for those that have parameters."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if nodeid.endswith("]") else nodeid.partition("::")[0]

    return Scheduling(config, log) if config.getoption("dist") == "load" else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("tensorflow") and importlib.util.find_spec("tensorflow") is None:
        pytest.skip("needs TensorFlow")


@pytest.fixture(scope="session")
def tf() -> Any:
    """The installed TensorFlow, with whose names tables are compared."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    return importlib.import_module("tensorflow")


@pytest.fixture(scope="session")
def run_on_tensorflow() -> Iterator[RunOnTensorFlow]:
    """Run code on TensorFlow in a process of its own: `{"error": "ValueError", "detail": "…"}`."""
    if not hasattr(os, "fork"):
        pytest.skip("needs processes that can fork")
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with started([sys.executable, tensorflow_runner.__file__], env=environment, **pipes) as process:
        requests, answers = process.stdin, process.stdout
        assert requests is not None
        assert answers is not None
        assert answers.readline() == "ready\n", "TensorFlow cannot be imported"

        def run(code: str, file: str, first_line: int = 1) -> dict[str, Any]:
            request = {"code": code, "file": file, "first_line": first_line, "seconds": PATIENCE}
            requests.write(json.dumps(request) + "\n")
            requests.flush()
            ended: dict[str, Any] = json.loads(answers.readline())
            return ended

        yield run
