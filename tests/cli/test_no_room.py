"""Where nothing more can be written: what there is stays as it is, and one line says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from cli.samples import FIXABLE

from tfdata_lint.config.formats import FORMATS

pytestmark = pytest.mark.slow

Project = Callable[[Mapping[str, str | bytes]], Path]

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": ""}
#: Bytes that a file may have.
ROOM = 16
FULL = "tfdata-lint: error: cannot write the output: No space left on device\n"

has_full_device = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")


def start(*arguments: str, limited: bool = False, before: str = "", behind: str = "") -> tuple[int, str, str]:
    """Run it in a process whose files cannot grow, or by a shell: its exit code, and what it said."""

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))

    command: list[str] = [sys.executable, "-m", "tfdata_lint", *arguments]
    if before or behind:
        command = ["sh", "-c", f'{before} "$@" {behind}', "sh", *command]
    done = subprocess.run(
        command, preexec_fn=limit if limited else None, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def content(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be limited")
class TestFiles:
    @pytest.mark.parametrize(
        "arguments",
        [
            ["--write-baseline"],
            ["--write-baseline", "--baseline", "new.json"],
            ["--output-file", "findings.txt"],
            ["--output-file", "old.txt", "--output-format", "sarif"],
            ["--fix"],
            ["--fix-only", "--unsafe-fixes"],
            ["--add-noqa=later"],
        ],
    )
    def test_they_are_as_before(self, arguments: list[str], project: Project) -> None:
        known = '{\n"version": 1,\n"findings": []\n}\n'
        root = project({"a.py": FIXABLE, "tfdata-lint-baseline.json": known, "old.txt": "old"})
        before = content(root)
        code, _, said = start("check", "a.py", "--no-cache", *arguments, limited=True)
        assert content(root) == before
        assert code == 2
        (line,) = said.splitlines()
        assert line.startswith("tfdata-lint: error: ")
        assert line.endswith("File too large")

    def test_the_folder_of_the_cache_is_ours_or_not_there(self, project: Project) -> None:
        """Were it left without its `.gitignore`, it would stay so."""
        root = project({"a.py": FIXABLE})
        # The key that signs what is kept is made, if no test before has made it.
        start("check", "a.py", "--cache-dir", str(root.parent / f"{root.name}-kept"))
        code, _, said = start("check", "a.py", limited=True)
        assert (code, said) == (1, "")
        assert set(content(root)) == {str(root / "a.py")}
        start("check", "a.py")
        assert (root / ".tfdata_lint_cache" / ".gitignore").read_text() == "*\n"


def commands() -> Iterator[tuple[str, ...]]:
    yield from (("check", "a.py", "--no-cache", "--output-format", name) for name in FORMATS)
    yield "check", "a.py", "--no-cache", "--statistics"
    yield "check", "a.py", "--no-cache", "--diff"
    yield "check", "a.py", "--show-settings"
    yield "graph", "a.py"
    yield "graph", "a.py", "--format", "json"
    yield "rule", "TFD101"
    yield "rule", "TFD101", "--output-format", "json"
    yield "rule", "--all"
    yield ("schema",)
    yield ("--help",)
    yield "check", "--help"
    yield ("--version",)
    yield "--print-completion", "bash"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
class TestStandardOutput:
    @has_full_device
    @pytest.mark.parametrize("command", list(commands()), ids=" ".join)
    def test_full(self, command: tuple[str, ...], project: Project) -> None:
        project({"a.py": FIXABLE})
        assert start(*command, behind="> /dev/full") == (2, "", FULL)

    @has_full_device
    @pytest.mark.parametrize("command", [("--help",), ("check", "a.py", "--no-cache")], ids=" ".join)
    def test_full_and_not_buffered(self, command: tuple[str, ...], project: Project) -> None:
        project({"a.py": FIXABLE})
        assert start(*command, before="PYTHONUNBUFFERED=1 exec", behind="> /dev/full") == (2, "", FULL)

    @pytest.mark.parametrize("command", [("check", "a.py", "--no-cache"), ("rule", "--all"), ("--help",)], ids=" ".join)
    def test_nobody_reads_it(self, command: tuple[str, ...], project: Project) -> None:
        project({"a.py": FIXABLE})
        assert start(*command, behind="| head -c 1 > /dev/null")[1:] == ("", "")

    def test_closed(self, project: Project) -> None:
        project({"a.py": FIXABLE})
        assert start("check", "a.py", "--no-cache", behind=">&-") == (1, "", "")
        assert start("rule", "TFD101", behind=">&-") == (0, "", "")
        assert start("check", "-", behind="<&-") == (2, "", "tfdata-lint: error: standard input is closed\n")

    @has_full_device
    @pytest.mark.parametrize("behind", ["2> /dev/full", "2>&-"])
    def test_no_room_for_errors(self, behind: str, project: Project) -> None:
        project({"a.py": FIXABLE})
        code, printed, _ = start("check", "a.py", "--no-cache", behind=behind)
        assert code == 1
        assert "TFD102" in printed
        assert start("check", "missing.py", behind=behind)[0] == 2
