"""What the tests share: a process that runs snippets on real TensorFlow."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import tensorflow_runner
from tensorflow_runner import RunOnTensorFlow

# A build that fails must fail again: there the examples are always the same. Elsewhere each run tries new ones.
hypothesis.settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")

#: Fixtures.
_ON_TENSORFLOW = {"run_on_tensorflow", "tf"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="without TensorFlow, and without what is marked as slow")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--quick"):
        # So it cannot be found, here and in what asks for it.
        sys.modules["tensorflow"] = None  # type: ignore[assignment]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        slow = {item for item in items if item.get_closest_marker("slow") or _ON_TENSORFLOW & {*item.fixturenames}}
        config.hook.pytest_deselected(items=list(slow))
        items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="session")
def run_on_tensorflow() -> Iterator[RunOnTensorFlow]:
    """Run code on TensorFlow in a process of its own: `{"error": "ValueError", "detail": "…"}`."""
    if importlib.util.find_spec("tensorflow") is None or not hasattr(os, "fork"):
        pytest.skip("needs TensorFlow, and processes that can fork")
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    process = subprocess.Popen(
        [sys.executable, tensorflow_runner.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    requests, answers = process.stdin, process.stdout
    assert answers.readline() == "ready\n", "TensorFlow cannot be imported"

    def run(code: str, file: str, first_line: int = 1, seconds: float = 30) -> dict[str, Any]:
        request = {"code": code, "file": file, "first_line": first_line, "seconds": seconds}
        requests.write(json.dumps(request) + "\n")
        requests.flush()
        ended: dict[str, Any] = json.loads(answers.readline())
        return ended

    yield run
    requests.close()
    process.wait(timeout=60)
