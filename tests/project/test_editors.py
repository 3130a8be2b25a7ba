"""The settings that `editors/` has for editors that no test starts: they are read, and their commands are run."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import samples
from processes import run, started

from tfdata_lint.lsp.greeting import FIX_ALL
from tfdata_lint.lsp.options import FIELDS, Options

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"


def read(name: str) -> Any:
    return json.loads((EDITORS / name).read_text(encoding="utf-8"))


def as_here(command: Sequence[str]) -> list[str]:
    """The command, with this source instead of an installed program."""
    program, *arguments = command
    assert program == "tfdata-lint"
    return [sys.executable, "-m", "tfdata_lint", *arguments]


HERE = os.environ | {"PYTHONPATH": str(ROOT)}
SUBLIME = read("sublime/LSP.sublime-settings")
ZED = read("zed/settings.json")
JETBRAINS = read("jetbrains/template.json")
SERVERS = {
    "Sublime Text": SUBLIME["clients"]["tfdata-lint"]["command"],
    "Zed": [ZED["lsp"]["pylsp"]["binary"]["path"], *ZED["lsp"]["pylsp"]["binary"]["arguments"]],
    "JetBrains": shlex.split(JETBRAINS["programArgs"]["default"]),
}


@pytest.mark.parametrize("editor", SERVERS)
def test_the_server_starts(editor: str, tmp_path: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    message = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
    with started(as_here(SERVERS[editor]), cwd=tmp_path, env=HERE, **pipes) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Content-Length: ")


def test_the_options_are_those_of_the_server() -> None:
    for options in (SUBLIME["clients"]["tfdata-lint"], ZED["lsp"]["pylsp"]):
        given: Mapping[str, Any] = options.get("initializationOptions") or options["initialization_options"]
        assert given.keys() <= FIELDS.keys()
        assert Options().with_(given).problems == ()
    assert SUBLIME["lsp_code_actions_on_save"] == {FIX_ALL: True}
    assert ZED["languages"]["Python"]["language_servers"][0] in ZED["lsp"]
    assert [mapping["languageId"] for mapping in JETBRAINS["fileTypeMappings"]] == ["python"]


def test_the_tasks_of_zed(tmp_path: Path) -> None:
    """One reports, the other fixes; the name of the file may have blanks."""
    check, fix = read("zed/tasks.json")
    file = tmp_path / "a file.py"
    file.write_text(samples.DEPRECATED, encoding="utf-8")
    values = {"ZED_FILE": str(file), "ZED_WORKTREE_ROOT": str(tmp_path)}

    def task(one: Mapping[str, Any]) -> list[str]:
        return as_here([one["command"], *(values.get(word.removeprefix("$"), word) for word in one["args"])])

    assert {values[one["cwd"].removeprefix("$")] for one in (check, fix)} == {str(tmp_path)}
    found = run(task(check), cwd=tmp_path, env=HERE)
    assert found.returncode == 1
    assert "a file.py:3:12: warning TFD701" in found.stdout
    assert run(task(fix), cwd=tmp_path, env=HERE).returncode == 0
    assert file.read_text(encoding="utf-8") == samples.DEPRECATED.replace("experimental.", "")


def test_the_file_watcher_of_jetbrains(tmp_path: Path) -> None:
    """Its filter reads what the command prints."""
    tree = ElementTree.parse(EDITORS / "jetbrains" / "watcherTasks.xml")
    options = {option.get("name"): option.get("value") for option in tree.iter("option")}
    (tmp_path / "a file.py").write_text(samples.DEPRECATED, encoding="utf-8")
    arguments = (options["arguments"] or "").replace("$FilePath$", "a file.py")
    done = run(as_here([options["program"] or "", *shlex.split(arguments)]), cwd=tmp_path, env=HERE)
    names = {
        "FILE_PATH": "(?P<path>.+?)",
        "LINE": r"(?P<row>\d+)",
        "COLUMN": r"(?P<column>\d+)",
        "MESSAGE": "(?P<what>.*)",
    }
    pattern = options["regExp"] or ""
    for name, group in names.items():
        pattern = pattern.replace(f"${name}$", group)
    found = [match.groupdict() for match in re.finditer(f"(?m)^{pattern}$", done.stdout)]
    assert [(one["path"], one["row"], one["column"], one["what"][:14]) for one in found] == [
        ("a file.py", "3", "12", "warning TFD701")
    ]


def test_each_is_named_by_the_page() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    files = [file for folder in ("jetbrains", "sublime", "zed") for file in (EDITORS / folder).iterdir()]
    assert len(files) == 5
    assert [file for file in files if f"(../{file.relative_to(ROOT).as_posix()})" not in page] == []
