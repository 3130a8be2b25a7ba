"""The page of a rule on a terminal."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from processes import PATIENCE, started

if sys.platform == "win32":
    pytest.skip("needs a terminal of POSIX", allow_module_level=True)

import pty
import select

_PAGER = "sed 's/^/paged: /'"
_COMMAND = (sys.executable, "-m", "tfdata_lint", "rule", "TFD401")


def shown(*options: str, keys: str = "", **variables: str) -> str:
    """What a command shows on a terminal of 24 rows, where somebody presses keys."""
    own = ("TFDATA_LINT_PAGER", "PAGER", "LESS")
    environment = {name: value for name, value in os.environ.items() if name not in own}
    path = os.pathsep.join(filter(None, sys.path))
    environment |= {"TERM": "xterm", "LINES": "24", "COLUMNS": "80", "PYTHONPATH": path, **variables}
    here, there = pty.openpty()
    with started([*_COMMAND, *options], stdin=there, stdout=there, stderr=there, env=environment) as process:
        os.close(there)
        os.write(here, keys.encode())
        text = b""
        while select.select([here], [], [], PATIENCE)[0]:
            try:
                part = os.read(here, 65536)
            except OSError:
                # On Linux this is the end.
                break
            if not part:
                break
            text += part
        process.wait(PATIENCE)
    os.close(here)
    return text.decode().replace("\r\n", "\n")


def test_through_the_pager_that_the_environment_names() -> None:
    assert "paged: # TFD401" in shown(PAGER=_PAGER)
    assert "paged: # TFD401" in shown(PAGER="false", TFDATA_LINT_PAGER=_PAGER)


@pytest.mark.parametrize("variables", [{"TFDATA_LINT_PAGER": ""}, {"PAGER": "cat"}, {"PAGER": _PAGER, "TERM": "dumb"}])
def test_without_one(variables: dict[str, str]) -> None:
    assert shown(**variables).startswith("# TFD401")


def test_not_where_it_is_not_wanted() -> None:
    assert shown("--no-pager", PAGER=_PAGER).startswith("# TFD401")
    assert shown("--output-format", "json", PAGER=_PAGER).startswith("{")


def test_one_that_there_is_not() -> None:
    assert "\n# TFD401 " in shown(PAGER="no-such-pager-of-anybody")


def test_who_has_seen_enough() -> None:
    text = shown("--no-pager")
    assert len(text.splitlines()) > 10
    assert shown(PAGER="head -n 1") == text.partition("\n")[0] + "\n"


@pytest.mark.skipif(not shutil.which("less"), reason="needs less")
def test_less_is_the_usual_one() -> None:
    """It waits for a key, as the page is longer than the terminal."""
    text = shown(keys="q")
    assert "# TFD401" in text
    assert len(text.splitlines()) < len(shown("--no-pager").splitlines())


def test_never_into_a_pipe(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+") as out:
        with started(
            _COMMAND, stdout=out, env={**os.environ, "PAGER": _PAGER, "PYTHONPATH": os.pathsep.join(sys.path)}
        ) as process:
            process.wait(PATIENCE)
        out.seek(0)
        assert out.read().startswith("# TFD401")
