"""`--print-completion`: scripts that shells understand."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def complete(script: str, folder: Path, *words: str) -> set[str]:
    """What bash offers for the last of these words."""
    ask = f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _shtab_tfdata_lint"
    done = subprocess.run(
        ["bash", "-c", f'{script}\n{ask} tfdata-lint "{words[-1]}"\nprintf "%s\\n" "${{COMPREPLY[@]}}"'],
        capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    return set(done.stdout.split())


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash(run: Run, tmp_path: Path) -> None:
    script = run("--print-completion", "bash").out
    (tmp_path / "train.py").touch()
    assert complete(script, tmp_path, "tfdata-lint", "ch") == {"check"}
    assert {"--fix", "--fix-only"} <= complete(script, tmp_path, "tfdata-lint", "check", "--fi")
    assert complete(script, tmp_path, "tfdata-lint", "check", "--output-format", "sa") == {"sarif"}
    assert complete(script, tmp_path, "tfdata-lint", "check", "tr") == {"train.py"}
    assert complete(script, tmp_path, "tfdata-lint", "check", "--config", "tr") == {"train.py"}


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells(shell: str, run: Run) -> None:
    done = run("--print-completion", shell)
    assert done.code == 0
    assert "output-format" in done.out


def test_a_shell_that_is_not_known(run: Run) -> None:
    done = run("--print-completion", "cmd.exe")
    assert done.code == 2
    assert "no completions for 'cmd.exe': the shells are bash, " in done.err


def test_without_its_library(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    done = run("--print-completion", "bash")
    assert done.code == 2
    assert "pip install 'shtab>=1.7'" in done.err
