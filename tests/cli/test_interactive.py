"""`--fix --interactive`: a person answers at a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from processes import PATIENCE, started

from tfdata_lint.cli.interactive import Chooser
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.changing import change_bytes
from tfdata_lint.lint.reports import Fixing

OLD = "num_parallel_calls=tf.data.experimental.AUTOTUNE"
NEW = "num_parallel_calls=tf.data.AUTOTUNE"
LINES = [f"{name} = ds.map(f, {OLD})" for name in "abc"]
MODULE = "\n".join(["import tensorflow as tf", "ds = tf.data.Dataset.range(9)", *LINES, "print(a, b, c)", ""])


def asked(monkeypatch: pytest.MonkeyPatch, texts: Mapping[str, str], *answers: str) -> dict[str, str]:
    """What comes of each text, where a person gives these answers. No answer is left over."""
    left = list(answers)
    monkeypatch.setattr("sys.stdin.readline", lambda: f"{left.pop(0)}\n" if left else "", raising=False)
    fixing = Fixing(write=False, choose=Chooser(color=False))
    settings = Settings(select=["TFD701"])
    found = {}
    for path, text in texts.items():
        report = change_bytes(text.encode(), path, settings, fixing, explicit=True)
        found[path] = (report.after or text.encode()).decode()
    assert not left
    return found


@pytest.mark.parametrize(
    ("answers", "fixed"),
    [
        ("yyy", "abc"),
        ("nnn", ""),
        ("yny", "ac"),
        ("nyn", "b"),
        ("a", "abc"),
        ("na", "bc"),
        ("yd", "a"),
        ("yq", "a"),
        ("?zny?y", "bc"),
        # The end of the input is the end of the questions.
        ("y", "a"),
    ],
)
def test_answers(answers: str, fixed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    after = asked(monkeypatch, {"a.py": MODULE}, *answers)["a.py"]
    assert [line[0] for line in after.split("\n") if line.endswith(f"{NEW})")] == list(fixed)


def test_the_rest_of_a_file_is_not_the_rest_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"a.py": MODULE, "b.py": MODULE, "c.py": MODULE}
    after = asked(monkeypatch, texts, *"adnq")
    assert [text.count(NEW) for text in after.values()] == [3, 0, 0]


def test_lines_that_are_alike_are_asked_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    same = MODULE.replace("b = ", "a = ").replace("c = ", "a = ")
    for answers in ("yny", "nyn", "nny"):
        after = asked(monkeypatch, {"a.py": same}, *answers)["a.py"]
        assert ["y" if line.endswith(f"{NEW})") else "n" for line in after.split("\n")[2:5]] == list(answers)


def test_what_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked(monkeypatch, {"a.py": MODULE}, *"?q")
    shown = capsys.readouterr().out
    assert "a.py:3:" in shown
    assert f"-{LINES[0]}" in shown
    assert f"+{LINES[0].replace(OLD, NEW)}" in shown
    assert "(1 of 3) Apply this fix [y,n,a,d,q,?]? y - apply this fix" in shown


def at_a_terminal(folder: Path, keys: str) -> str:
    here, there = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "tfdata_lint", "check", "--fix", "--interactive", "--select", "TFD701", "."]
    with started(command, stdin=there, stdout=there, stderr=there, env=environment, cwd=folder) as process:
        os.close(there)
        os.write(here, keys.encode())
        text = b""
        while select.select([here], [], [], PATIENCE)[0]:
            try:
                text += os.read(here, 65536)
            except OSError:
                # On Linux this is the end.
                break
        process.wait(PATIENCE)
    os.close(here)
    return text.decode()


def test_at_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODULE)
    shown = at_a_terminal(tmp_path, "y\nn\nq\n")
    assert re.findall(r"\((. of .)\) Apply this fix", shown) == ["1 of 3", "2 of 3", "3 of 3"]
    assert (tmp_path / "a.py").read_text() == MODULE.replace(OLD, NEW, 1)
    assert "1 fixed" in shown or "Fixed 1" in shown


@pytest.mark.parametrize(
    "options", [["--interactive"], ["--fix", "--interactive", "--diff"], ["--fix", "--interactive"]]
)
def test_only_where_somebody_can_answer(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODULE)
    command = [sys.executable, "-m", "tfdata_lint", "check", *options, str(tmp_path)]
    with started(command, stdin=-3, stdout=-1, stderr=-1) as process:
        out, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, b"")
    assert b"error: --interactive" in error
    assert (tmp_path / "a.py").read_text() == MODULE
