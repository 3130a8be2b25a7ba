"""`--print-completion`: scripts that shells understand, asked as somebody asks who presses Tab."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE

from tfdata_lint.cli.completion import SHELLS, commands_of
from tfdata_lint.cli.parser import make_parser
from tfdata_lint.cli.shells import script as script_for
from tfdata_lint.config.formats import FORMATS

Run = Callable[..., Any]
Ask = Callable[..., set[str]]


def output(folder: Path, *command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask_bash(script: Path, *words: str) -> set[str]:
    """What bash offers for the last of these words."""
    listed = " ".join(map(repr, words))
    ask = f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _tfdata_lint tfdata-lint '{words[-1]}'"
    text = output(script.parent, "bash", "-c", f'. {script}\n{ask}\nprintf "%s\\n" "${{COMPREPLY[@]}}"')
    return set(text.splitlines())


def ask_fish(script: Path, *words: str) -> set[str]:
    line = " ".join(words)
    text = output(script.parent, "fish", "--no-config", "-c", f"source {script}; complete -C '{line}'")
    return {row.partition("\t")[0] for row in text.splitlines()}


#: What a shell that is typed at prints once it has answered.
_ANSWERED = "-answered-"


def typed(script: Path, shell: list[str], line: str) -> None:
    """Type at a shell on a terminal until it has answered."""
    import fcntl
    import pty
    import struct
    import termios

    size = struct.pack("HHHH", 40, 200, 0, 0)
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - the shell's process
        os.chdir(script.parent)
        os.execvpe(shell[0], shell, os.environ | {"TERM": "xterm", "HOME": str(script.parent)})
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
        os.write(terminal, line.encode())
        _read_until(terminal, _ANSWERED)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)


def _read_until(terminal: int, end: str) -> None:
    import select

    text = ""
    while end not in text:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        assert ready, text
        text += os.read(terminal, 65_536).decode(errors="replace")


def ask_zsh(script: Path, *words: str) -> set[str]:
    """What zsh offers is what its `compadd` keeps of what it is given."""
    offered = script.with_name("offered")
    offered.write_text("")
    (script.parent / ".zshrc").write_text(
        f"""\
autoload -Uz compinit && compinit -u -D
source {script}
compadd() {{
  local -a kept; builtin compadd -O kept "$@"
  print -rl -- $kept >> {offered}
  builtin compadd "$@"
}}
show() {{ zle complete-word; print -- {_ANSWERED} }}
zle -N show; bindkey '^T' show
"""
    )
    typed(script, ["zsh", "-i"], f"{' '.join(words)}\x14")
    return set(offered.read_text().split("\n")) - {""}


ASK: dict[str, Ask] = {"bash": ask_bash, "fish": ask_fish, "zsh": ask_zsh}


@pytest.fixture(params=ASK)
def ask(request: pytest.FixtureRequest, run: Run, tmp_path: Path) -> Callable[..., set[str]]:
    """Asks one of the shells that can be asked."""
    if not shutil.which(shell := request.param):
        pytest.skip(f"needs {shell}")
    (tmp_path / "train.py").touch()
    script = tmp_path / "script"
    script.write_text(run("--print-completion", shell).out)
    return lambda *words: ASK[shell](script, "tfdata-lint", *words)


def test_a_shell_completes(ask: Ask) -> None:
    assert ask("ch") == {"check"}
    assert {"check", "graph", "rule", "tune", "server", "schema", "profile"} <= ask("")
    assert {"--fix", "--fix-only"} <= ask("check", "--fi")
    assert ask("check", "--output-format", "sa") == {"sarif"}
    assert ask("check", "--output-format", "") >= set(FORMATS)
    assert ask("check", "tr") == {"train.py"}
    assert ask("check", "--config", "tr") == {"train.py"}
    assert ask("rule", "missing-p") == {"missing-prefetch"}
    assert ask("--print-completion", "fi") == {"fish"}
    assert "--select" not in ask("graph", "--s")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_in_it(shell: str) -> None:
    parser = make_parser()
    text = script_for(parser, shell)
    for command in commands_of(parser)[1]:
        assert command.name in text
        for option in command.options:
            name = next((flag for flag in option.flags if flag.startswith("--")), option.flags[-1]).lstrip("-")
            assert len(name) == 1 or re.search(rf"(?<!\w)(?<!\w-){name}(?![-\w])", text), option
    assert "json-lines" in text


def test_powershell_takes_it(run: Run, tmp_path: Path) -> None:
    if not shutil.which("pwsh"):
        pytest.skip("needs PowerShell")
    ask = "(TabExpansion2 'tfdata-lint check --output-format sa' -cursorColumn 36).CompletionMatches.CompletionText"
    (tmp_path / "script.ps1").write_text(run("--print-completion", "powershell").out + f"\n{ask}\n")
    assert output(tmp_path, "pwsh", "-NoProfile", "script.ps1").split() == ["sarif"]


def test_nothing_is_installed_for_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("shtab", "argcomplete"):
        monkeypatch.setitem(sys.modules, name, None)
    done = run("--print-completion", "bash")
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("shell", ["cmd.exe", ""])
def test_a_shell_that_is_not_known(shell: str, run: Run) -> None:
    done = run("--print-completion", shell)
    assert done.code == 2
    assert f"no completions for {shell!r}: the shells are bash, " in done.err


def test_bash_splits_at_the_sign(run: Run, tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("needs bash")
    (tmp_path / "script").write_text(run("--print-completion", "bash").out)
    ask = "tfdata-lint", "check", "--output-format", "="
    assert ask_bash(tmp_path / "script", *ask, "sa") == {"sarif"}
    assert ask_bash(tmp_path / "script", *ask) >= set(FORMATS)
    assert ask_bash(tmp_path / "script", "tfdata-lint", "check", "--target-tensorflow", "") == {""}


def test_names_with_blanks(run: Run, tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("needs bash")
    (tmp_path / "my train.py").touch()
    (tmp_path / "script").write_text(run("--print-completion", "bash").out)
    assert ask_bash(tmp_path / "script", "tfdata-lint", "check", "my") == {"my train.py"}
