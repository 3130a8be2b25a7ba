"""A folder with modules of a stranger that are called as those of Python and ours: none is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli.samples import DEPRECATED, DISCARDED
from processes import PATIENCE, started

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
#: As the installed command: the folder of the program comes first, not the working directory.
COMMAND = """\
import sys
from tfdata_lint.cli import console
console()
"""
NAMES = (
    "re", "ast", "json", "types", "typing", "multiprocessing", "concurrent", "socket", "pickle", "logging", "asyncio",
    "tfdata_lint", "sitecustomize", "usercustomize", "libcst", "pathspec", "pygls", "lsprotocol", "tomllib", "runpy",
    "encodings", "site", "watchfiles", "hashlib", "tempfile", "subprocess", "shutil", "signal", "tensorflow",
)  # fmt: skip


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'marks')!r}, 'a').write('{name} ')\n")
    for number in range(4):
        (folder / f"input_{number}.py").write_text(DISCARDED + DEPRECATED)
    monkeypatch.chdir(folder)
    return folder


def marks(folder: Path) -> str:
    path = folder.parent / "marks"
    return path.read_text() if path.exists() else ""


def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}


def program(tmp_path: Path, code: str = COMMAND) -> list[str]:
    path = tmp_path / "bin" / "command.py"
    path.parent.mkdir()
    path.write_text(code)
    return [sys.executable, str(path)]


def run(command: Sequence[str], tmp_path: Path, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, input=text, env=environment(tmp_path), timeout=PATIENCE, check=False
    )


def test_they_would_be_imported(hostile: Path, tmp_path: Path) -> None:
    """Else the others show nothing."""
    run([sys.executable, "-c", "import tfdata_lint.cli, libcst, pickle"], tmp_path)
    assert {"tfdata_lint"} <= set(marks(hostile).split())


@pytest.mark.parametrize(
    "arguments",
    [["--jobs", "1"], ["--jobs", "2"], ["--fix"], ["--diff"], ["--statistics"], ["--output-format", "sarif"]],
    ids=" ".join,
)
def test_the_command(arguments: list[str], hostile: Path, tmp_path: Path) -> None:
    done = run([*program(tmp_path), "check", "--output-format", "json", *arguments], tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "TFD401" in done.stdout + done.stderr
    assert marks(hostile) == ""


@pytest.mark.parametrize("jobs", [2, 3])
def test_workers_that_are_no_copies(jobs: int, hostile: Path, tmp_path: Path) -> None:
    """As on macOS and Windows, and where there are threads: each is a new Python, started in this folder."""
    code = f"""\
from threading import Event, Thread

from tfdata_lint import lint_paths

if __name__ == "__main__":
    ended = Event()
    Thread(target=ended.wait).start()
    for report in lint_paths(".", jobs={jobs}):
        print(report.path, *[found.code for found in report.diagnostics])
    ended.set()
"""
    done = run(program(tmp_path, code), tmp_path)
    assert done.stderr == ""
    assert done.stdout.count("TFD401") == 4
    assert marks(hostile) == ""


def test_the_environment_is_as_it_was(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tfdata_lint.run.workers import _safe_path

    for before in (None, "", "1"):
        monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        if before is not None:
            monkeypatch.setenv("PYTHONSAFEPATH", before)
        folder = os.getcwd()
        with _safe_path():
            assert os.environ.get("PYTHONSAFEPATH") == "1" or os.getcwd() != folder
        assert (os.environ.get("PYTHONSAFEPATH"), os.getcwd()) == (before, folder)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python has no -P")
def test_the_module_with_a_safe_path(hostile: Path, tmp_path: Path) -> None:
    done = run([sys.executable, "-P", "-m", "tfdata_lint", "check", "--jobs", "2", "--output-format", "json"], tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert marks(hostile) == ""


def test_how_the_editor_starts_a_verification(hostile: Path, tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    from tfdata_lint.lsp.verify import _RUN

    # It ends when its input does.
    with started(
        [sys.executable, "-c", _RUN, "check", "-q", "--output-format", "concise"],
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stderr
        assert b"TFD401" in process.stdout.read()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 1
    assert marks(hostile) == ""


def test_the_server(hostile: Path, tmp_path: Path) -> None:
    pytest.importorskip("pygls")

    def message(method: str, params: object, number: int | None = None) -> bytes:
        body = {"jsonrpc": "2.0", "method": method, "params": params}
        data = json.dumps(body | ({"id": number} if number else {})).encode()
        return b"Content-Length: %d\r\n\r\n%b" % (len(data), data)

    uri = (hostile / "input_0.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": DISCARDED}
    with started(
        [*program(tmp_path), "server"],
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(message("initialize", {"capabilities": {}, "rootUri": hostile.as_uri()}, 1))
        process.stdin.write(message("initialized", {}))
        process.stdin.write(message("textDocument/didOpen", {"textDocument": document}))
        process.stdin.flush()
        seen = b""
        while b"TFD401" not in seen and (part := process.stdout.read1(65_536)):
            seen += part
    assert b"TFD401" in seen
    assert marks(hostile) == ""
