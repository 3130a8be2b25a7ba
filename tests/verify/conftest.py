"""Running code under `--verify`, as the command does it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from processes import PATIENCE

from tfdata_lint.verify.copies import folders
from tfdata_lint.verify.model import Run
from tfdata_lint.verify.plan import Interpreter, Limits, Plan, target
from tfdata_lint.verify.runner import observe

Verify = Callable[..., Run]

#: For the marks of what times decide, besides `nightly`.
alone = pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="measures times: only without -n")


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that does not belong to the project: what is written there stays."""
    return tmp_path_factory.mktemp("outside")


@pytest.fixture
def verify(tmp_path: Path) -> Verify:
    """Write a script and observe a run of it, by this Python, as the command does; keywords are limits."""

    def run(
        code: str,
        *arguments: str,
        name: str = "script.py",
        function: str = "",
        python: str = sys.executable,
        copies: bool = True,
        **limits: Any,
    ) -> Run:
        path = tmp_path / name
        path.write_text(dedent(code))
        what = target(f"{path}::{function}" if function else str(path), arguments)
        allowed = Limits(**{"seconds": PATIENCE, "pace": 3.0, **limits})
        copied = folders(what, temporary=allowed.temporary) if copies else ()
        return observe(Plan(what, Interpreter(python, "it runs the tests"), allowed, copied))

    return run
