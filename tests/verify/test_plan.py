"""What the command line asks for: targets, interpreters, limits. Nothing is executed here."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tfdata_lint.cli import main
from tfdata_lint.cli.parser import make_parser
from tfdata_lint.verify.plan import Interpreter, Limits, Plan, PlanError, has_tensorflow, interpreter, keyword, target

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("train.py", "data.py", "notes.txt"):
        (tmp_path / name).touch()
    (tmp_path / "train.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    (tmp_path / "broken.ipynb").write_text('{"cells": [\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    return tmp_path


def environment(folder: Path) -> str:
    """A virtual environment, as far as anybody looks at it."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    return str(python)


def test_three_kinds_of_target() -> None:
    assert str(target("train.py", ["--epochs", "1"])) == "train.py --epochs 1"
    assert str(target("data.py::make", keywords={"size": 3})) == "data.py::make(size=3)"
    assert target("train.ipynb").kind == "notebook"


@pytest.mark.parametrize(
    ("text", "arguments", "keywords", "problem"),
    [
        ("missing.py", [], {}, "no such file: missing.py"),
        ("broken.ipynb", [], {}, r"broken.ipynb:\d: this notebook is not valid JSON"),
        ("notes.txt", [], {}, "neither a script, nor a notebook"),
        ("data.py::make it", [], {}, "is not the name of a function"),
        ("data.py::make", ["-v"], {}, "arguments after `--` are for a script"),
        ("train.py", [], {"size": 3}, "--verify-arg is for a function"),
    ],
)
def test_what_is_no_target(text: str, arguments: list[str], keywords: dict[str, object], problem: str) -> None:
    with pytest.raises(PlanError, match=problem):
        target(text, arguments, keywords)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n=3", 3),
        ("n=0.5", 0.5),
        ("n=[1, 2]", [1, 2]),
        ("n=true", True),
        ("n=None", None),
        ("n=a=b", "a=b"),
        ("n=", ""),
    ],
)
def test_arguments_of_a_function(text: str, value: object) -> None:
    assert keyword(text) == ("n", value)


def test_an_interpreter_needs_tensorflow(tmp_path: Path) -> None:
    python = tmp_path / "python"
    for code, found in ((3, False), (0, True), (1, True)):
        python.write_text(f"#!/bin/sh\nexit {code}\n")
        python.chmod(0o755)
        assert has_tensorflow(Interpreter(str(python), "--python")) is found
    assert has_tensorflow(Interpreter(str(tmp_path / "none"), "--python"))


def test_the_interpreter_of_the_project_comes_first(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "package").mkdir()
    asked, own, active = (environment(project / name) for name in ("asked", ".venv", "active"))
    monkeypatch.setenv("VIRTUAL_ENV", str(project / "active"))

    assert interpreter("package/data.py", str(project / "asked")).path == asked
    assert interpreter("package/data.py").path == own
    os.unlink(own)
    assert interpreter("package/data.py") == Interpreter(active, "VIRTUAL_ENV")
    os.unlink(active)
    assert interpreter("package/data.py").path == sys.executable


def test_it_is_told_before_it_happens() -> None:
    plan = Plan(target("train.py"), Interpreter("/venv/bin/python", "--python"), Limits(seconds=5, network=True))

    assert "\n".join(plan.announcement()) == (
        "will execute  train.py\n"
        "with          /venv/bin/python (--python)\n"
        f"in            {os.getcwd()}\n"
        "for           5 s at most until its first pipeline, and for each pipeline; then it is stopped\n"
        "how often     once to observe it; 2 to 20 times for each fix that is compared, up to 6 at once,"
        " started in turn\n"
        "files         what it writes stays: this system cannot copy folders"
        " (--verify-tempdir runs it in a temporary one)\n"
        "network       allowed"
    )
    isolated = replace(plan, copies=("/project",))
    assert (
        "files         what it writes in /project goes to a copy that is deleted afterwards" in isolated.announcement()
    )
    assert not any("in turn" in line for line in isolated.announcement())


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--verify-seconds", "5"], "--verify-seconds needs --verify TARGET"),
        (["--verify", "missing.py"], "no such file: missing.py"),
        (["--verify", "train.py", "--verify-seconds", "soon"], "'soon' is not a positive number"),
        (["--verify", "train.py", "--verify", "train.ipynb", "--", "-v"], "need exactly one --verify TARGET"),
    ],
)
def test_the_command_refuses(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    assert problem in capsys.readouterr().err


def verify_options() -> list[argparse.Action]:
    (commands,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    (group,) = (g for g in commands.choices["check"]._action_groups if g.title == "verify")
    return [action for action in group._group_actions if action.option_strings != ["--verify"]]


@pytest.mark.parametrize("option", verify_options(), ids=lambda action: action.option_strings[0])
def test_no_other_option_executes_anything(option: argparse.Action, capsys: pytest.CaptureFixture[str]) -> None:
    (name,) = option.option_strings
    assert main(["check", name] + ["5"] * (option.nargs != 0)) == 2
    assert f"{name} needs --verify TARGET" in capsys.readouterr().err


def test_what_follows_two_dashes_is_for_a_script_only_if_there_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--show-settings", "--verify-network", "--", "a.py", "b.py"]) == 2
    assert "--show-settings takes exactly one path" in capsys.readouterr().err


def test_settings_say_how_a_function_is_called_and_never_that_it_is(
    project: Path, outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called = outside / "called"
    (project / "pyproject.toml").write_text(
        "[tool.tfdata-lint.verify]\nsize = 1\nnames = ['a']\n\n"
        '[tool.tfdata-lint.verify."sub/data.py::make"]\nsize = 2\nseed = 3\n'
    )
    (project / "sub").mkdir()
    for name in ("data.py", "sub/data.py"):
        (project / name).write_text(
            f"def make(**given):\n    open({str(called)!r}, 'w').write(str(given))\n    exit('enough')\n"
        )

    assert main(["check", "--no-cache", "."]) == 0
    assert main(["check", "--show-settings"]) == 0
    (row,) = (line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("verify "))
    assert row[1] == "pyproject.toml:1"
    assert not called.exists()

    main(["check", "--no-cache", "data.py", "--verify", "data.py::make"])
    assert called.read_text() == "{'size': 1, 'names': ['a']}"
    main(["check", "--no-cache", "data.py", "--verify", "sub/data.py::make", "--verify-arg", "seed=4"])
    assert called.read_text() == "{'size': 2, 'names': ['a'], 'seed': 4}"
    assert "will execute  sub/data.py::make(size=2, names=['a'], seed=4)" in capsys.readouterr().err
    main(["check", "--no-cache", "data.py", "--verify", "data.py::make", "--isolated"])
    assert called.read_text() == "{}"


def test_the_command_executes_only_what_it_is_told_to(
    project: Path, outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = outside / "ran"
    (project / "train.py").write_text(
        f"import sys\nopen({str(ran)!r}, 'w').write(' '.join(sys.argv))\nsys.exit('no data')\n"
    )
    assert main(["check", "--isolated", "--no-cache", "train.py"]) == 0
    assert not ran.exists()

    main(["check", "--isolated", "--no-cache", "train.py", "--verify", "train.py", "--", "--epochs", "1"])
    printed = capsys.readouterr()

    assert ran.read_text() == "train.py --epochs 1"
    assert "will execute  train.py --epochs 1" in printed.err
    assert "train.py --epochs 1: it exited with 'no data' (user-error)" in printed.out
