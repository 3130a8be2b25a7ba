"""What is executed leaves no traces, does not disturb itself, and says what it wrote. No TensorFlow is needed here."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from processes import PATIENCE, started, wait_for

from tfdata_lint.verify import folders
from tfdata_lint.verify.copies import folders as copied_folders
from tfdata_lint.verify.held import Held
from tfdata_lint.verify.model import Run
from tfdata_lint.verify.plan import Interpreter, Limits, Plan, target
from tfdata_lint.verify.processes import end_marked
from tfdata_lint.verify.report import answers

Verify = Callable[..., Run]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has namespaces and /proc"),
]


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files are, for what is left of them to be seen."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def copies(tmp_path: Path) -> None:
    (tmp_path / "script.py").touch()
    if not copied_folders(target(str(tmp_path / "script.py"))):
        pytest.skip("this system makes no copies of folders: no user namespaces, or no overlays")


def marked(mark: str) -> list[int]:
    """Processes with this word in their command line."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and mark.encode() in Path(f"/proc/{entry}/cmdline").read_bytes():
                found.append(int(entry))
        except OSError:
            continue
    return found


@pytest.fixture
def mark() -> Iterator[str]:
    """For how long what a test starts sleeps: by that it is known. It outlives no test, even where that fails."""
    word = f"3600.{os.getpid():07}{time.monotonic_ns() % 10**9:09}"
    yield word
    for process in marked(word):
        os.kill(process, signal.SIGKILL)


# ── processes ───────────────────────────────────────────────────────────────────────────────────────────────────────


STARTS = {
    "its own session": "subprocess.Popen(command, start_new_session=True)",
    "no environment": "subprocess.Popen(command, env={})",
    "neither": "subprocess.Popen(command, env={}, start_new_session=True)",
    "deaf": "subprocess.Popen(['sh', '-c', 'trap \"\" TERM INT HUP; ' + ' '.join(command)], start_new_session=True)",
    "daemon": """\
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.environ.clear()
                os.closerange(0, 64)
                subprocess.Popen(command, env={})
                time.sleep(3600)
            os._exit(0)
        os.wait()
        time.sleep(0.2)
        """,
    "many": """\
        for _ in range(20):
            if os.fork() == 0:
                os.setsid()
                subprocess.Popen(command, env={}, start_new_session=True)
                os._exit(0)
        """,
}
#: For what hangs.
SECONDS = 3.0
ENDS = {
    "by itself": "",
    "at once": "os._exit(0)",
    "crashing": "os.kill(os.getpid(), 11)",
    "hanging": "time.sleep(3600)",
}


def starting(how: str, mark: str, end: str) -> str:
    command = ["sleep", mark]
    first = f"import os, subprocess, sys, time\ncommand = {command}\n"
    return first + dedent(STARTS[how]) + f"\ntime.sleep(0.1)\nprint('started')\n{ENDS[end]}\n"


@pytest.mark.parametrize("how", STARTS)
def test_whatever_it_starts_is_ended(verify: Verify, mark: str, how: str, temporary: Path) -> None:
    run = verify(starting(how, mark, "by itself"))

    assert "started" in run.output.head
    assert marked(mark) == []
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("end", ENDS)
def test_however_it_ends(verify: Verify, mark: str, end: str) -> None:
    verify(starting("neither", mark, end), seconds=SECONDS)

    assert marked(mark) == []


@pytest.mark.parametrize("end", ["by itself", "hanging"])
def test_where_there_are_no_namespaces_nothing_is_left_either(
    verify: Verify, mark: str, end: str, tmp_path: Path
) -> None:
    run = verify(starting("daemon", mark, end), python=without_namespaces(tmp_path), copies=False, seconds=SECONDS)

    assert run.network == "blocked in Python"
    assert run.copied == ()
    assert marked(mark) == []


def without_namespaces(tmp_path: Path) -> str:
    """A Python whose `unshare` is refused, as in many containers."""
    python = tmp_path / "python"
    refusing = (
        "import ctypes, runpy, sys\n"
        "class Refusing(ctypes.CDLL):\n"
        "    unshare = staticmethod(lambda flags: -1)\n"
        "ctypes.CDLL = Refusing\n"
        "del sys.argv[0]\n"
        "sys.path.insert(0, '')\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    (tmp_path / "refusing.py").write_text(refusing)
    python.write_text(f'#!/bin/sh\n[ "$1" = -B ] && shift\nexec {sys.executable} -B {tmp_path}/refusing.py "$@"\n')
    python.chmod(0o755)
    return str(python)


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────

WRITES = """\
    import os, shutil, tempfile
    shutil.rmtree("checkpoints")
    os.makedirs("checkpoints")
    os.mkdir("logs")
    os.rename("old", "older")
    open("checkpoints/1", "w").write("new")
    open("notes.txt", "a").write("more")
    os.remove("gone.txt")
    with open("brief.txt", "w"):
        os.remove("brief.txt")
    tempfile.NamedTemporaryFile(delete=False).write(b"temporary")
    print(sorted(os.listdir(".")), os.listdir("checkpoints"), open("notes.txt").read(), os.listdir("older"))
    """


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("checkpoints/0", "old/file", "notes.txt", "gone.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("as it was ")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def snapshot(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() if p.is_file() else "" for p in folder.rglob("*")}


@pytest.mark.usefixtures("copies")
def test_what_it_writes_goes_to_a_copy_and_is_told(verify: Verify, project: Path, temporary: Path) -> None:
    verify("", name="script.py")
    (project / "script.py").write_text(dedent(WRITES))
    before = snapshot(project)
    run = verify(WRITES)

    seen = ["checkpoints", "logs", "notes.txt", "older", "script.py"]
    assert run.output.head == f"{seen} ['1'] as it was more ['file']\n"
    assert snapshot(project) == before
    assert list(temporary.iterdir()) == []
    assert run.copied == (str(project),)
    written = {os.path.relpath(path) for path in run.written}
    # A folder that was renamed is one thing, or all that is in it.
    assert {*written} - {"older", "older/file"} == {"checkpoints/1", "logs", "notes.txt"}
    assert {os.path.relpath(path) for path in run.deleted} == {"checkpoints/0", "gone.txt", "old"}
    said = "\n".join(answers.render(run))
    assert "written to a deleted copy: checkpoints/1" in said
    assert "deleted in a copy only: checkpoints/0, gone.txt, old" in said


@pytest.mark.usefixtures("copies")
def test_in_other_folders_it_is_told_what_python_writes(verify: Verify, outside: Path) -> None:
    (outside / "gone").touch()
    run = verify(
        f"""\
        import os
        os.chdir({str(outside)!r})
        open("model", "w").write("weights")
        os.remove("gone")
        open("model")
        """
    )

    assert run.written == (str(outside / "model"),)
    assert run.deleted == (str(outside / "gone"),)
    assert f"  written: {outside}/model" in answers.render(run)
    assert (outside / "model").read_text() == "weights"


def test_without_copies_it_is_written_and_told(verify: Verify, project: Path) -> None:
    run = verify(WRITES, copies=False)

    assert (project / "checkpoints" / "1").read_text() == "new"
    assert {os.path.relpath(path) for path in run.written} == {"checkpoints/1", "logs", "notes.txt", "older"}
    assert {os.path.relpath(path) for path in run.deleted} == {"checkpoints/0", "gone.txt", "old"}


@pytest.mark.usefixtures("copies")
def test_what_is_mounted_in_the_project_is_there(verify: Verify, project: Path, outside: Path) -> None:
    """Mounted in a namespace of this test: that needs privileges."""
    (outside / "data").write_text("of another disk")
    (project / "mounted").mkdir()
    code = (
        "import sys; from pathlib import Path; from tfdata_lint.verify import plan, runner\n"
        "from tfdata_lint.verify.copies import folders\n"
        "what = plan.target('script.py')\n"
        "asked = plan.Plan(what, plan.Interpreter(sys.executable, ''), plan.Limits(seconds=300), folders(what))\n"
        "print(asked.copies, runner.observe(asked).output.head)\n"
    )
    (project / "script.py").write_text("print(open('mounted/data').read())")
    mounting = f'mount --bind {outside} {project}/mounted && exec {sys.executable} -c "$0"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", mounting, code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "Operation not permitted" in done.stderr or "must be superuser" in done.stderr:
        pytest.skip("nothing can be mounted here")

    assert done.stdout.strip() == f"('{project}',) of another disk", done.stderr


def test_what_belongs_to_the_project_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfdata_lint.verify.copies._can_be_copied", lambda _: True)
    for name in ("one/src/train.py", "two/train.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    (tmp_path / "one" / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path / "two")
    one, two = str(tmp_path / "one"), str(tmp_path / "two")

    assert copied_folders(target("train.py")) == (two,)
    assert copied_folders(target("../one/src/train.py")) == (one, two)
    assert copied_folders(target("../one/src/train.py"), temporary=True) == (one,)
    monkeypatch.chdir(tmp_path)
    assert copied_folders(target("one/src/train.py")) == (str(tmp_path),)


# ── several at once ─────────────────────────────────────────────────────────────────────────────────────────────────

#: It counts how many are at it, and takes a while.
RACES = """\
    import os, shutil, time
    if os.path.exists("work"):
        raise SystemExit("somebody else is here")
    os.mkdir("work")
    time.sleep(0.3)
    shutil.rmtree("work")
    """


def observed_at_once(plan: Plan) -> list[str]:
    from concurrent.futures import ThreadPoolExecutor

    from tfdata_lint.verify.runner import observe

    with ThreadPoolExecutor(4) as pool:
        return [run.detail for run in pool.map(observe, [plan] * 4)]


@pytest.mark.usefixtures("copies")
def test_executions_do_not_see_what_others_write(project: Path) -> None:
    (project / "script.py").write_text(dedent(RACES))
    what = target("script.py")
    plan = Plan(what, Interpreter(sys.executable, ""), Limits(seconds=PATIENCE), copied_folders(what))

    assert set(observed_at_once(plan)) == {"it did not import TensorFlow"}


def test_where_they_would_they_take_turns(project: Path) -> None:
    """One is held, or has failed, before the next one starts."""
    (project / "script.py").write_text(dedent(RACES))
    plan = Plan(target("script.py"), Interpreter(sys.executable, ""), Limits(seconds=PATIENCE))

    from tfdata_lint.verify.held import Gone

    for _ in range(2):
        with pytest.raises(Gone, match="the pipeline was not reached"), Held(plan, ("for", 0)):
            pytest.fail("it was started, and nobody waited for it")
        assert not (project / "work").exists()


# ── what is temporary ───────────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_killed_one_left_is_swept_by_the_next(project: Path, mark: str, temporary: Path) -> None:
    """Its temporary files, and children that have left everything behind."""
    (project / "script.py").write_text(starting("neither", mark, "hanging"))
    command = [sys.executable, "-m", "tfdata_lint", "check", "--no-cache", "--isolated", "--verify", "script.py"]
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(sys.path)}
    with started(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as linter:
        wait_for(lambda: any(process != linter.pid for process in marked(mark)))
        linter.send_signal(signal.SIGKILL)
        linter.wait()
    assert [path.name.split("-")[2] for path in temporary.iterdir()] == [str(linter.pid)]

    folders.sweep()

    assert marked(mark) == []
    assert list(temporary.iterdir()) == []


def test_what_belongs_to_somebody_alive_is_not_swept(temporary: Path) -> None:
    """Nor what looks like it."""
    (temporary / "tfdata-lint-of-another-kind").mkdir()
    ours = folders.Folder()
    code = (
        f"import tempfile; tempfile.tempdir = {str(temporary)!r}\n"
        "from tfdata_lint.verify import folders\n"
        "folder = folders.Folder(); print(folder.path, flush=True); input()"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with started([sys.executable, "-c", code], env=environment, **pipes) as other:
        assert other.stdout
        theirs = other.stdout.readline().strip()

        folders.sweep()
        assert os.path.isdir(theirs)
        assert os.path.isdir(ours.path)
    folders.sweep()
    assert not os.path.exists(theirs)
    ours.close()
    assert [path.name for path in temporary.iterdir()] == ["tfdata-lint-of-another-kind"]


def test_what_may_not_be_read_is_removed_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir(mode=0o755)
    inner = tmp_path / "removed" / "closed"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    (inner / "link").symlink_to(tmp_path / "kept")
    inner.chmod(0)
    folders.remove(str(tmp_path / "removed"))

    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_processes_of_others_are_not_ended(mark: str) -> None:
    with started(["sleep", mark]) as other:
        end_marked("tfdata-lint-1-nobody")
        assert other.poll() is None


# ── how it is executed ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_part_of_a_package_runs_as_its_module(verify: Verify, tmp_path: Path) -> None:
    (tmp_path / "package" / "inner").mkdir(parents=True)
    for name, text in (("__init__", ""), ("names", "NAME = 'relative'"), ("inner/__init__", "")):
        (tmp_path / "package" / f"{name}.py").write_text(text)
    code = "import sys\nfrom ..names import NAME\nprint(NAME, __name__, __spec__.name, sys.argv[1:])\n"
    run = verify(code, "-x", name="package/inner/train.py")

    assert run.target.module == "package.inner.train"
    assert run.output.head == "relative __main__ package.inner.train ['-x']\n"


@pytest.mark.parametrize(
    ("code", "module"),
    [
        ("from .model import build", "package.train"),
        ("def late():\n    from . import model", "package.train"),
        ("import package.model as model", "package.train"),
        ("import model", ""),
        ("import packages", ""),
        ("def broken(:", ""),
    ],
)
def test_as_a_module_only_where_it_imports_as_one(tmp_path: Path, code: str, module: str) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "train.py").write_text(code)
    what = target(str(tmp_path / "package" / "train.py"))
    (first, *_) = Plan(what, Interpreter("python", "")).announcement()

    assert what.module == module
    assert first.endswith("(as python -m package.train)" if module else "train.py")


def test_an_exported_notebook_has_a_stand_in_for_its_shell(verify: Verify) -> None:
    run = verify(
        """\
        get_ipython().run_line_magic('matplotlib', 'inline')
        get_ipython().system('pip install tensorflow')
        get_ipython().run_line_magic('time', 'a = 1')
        get_ipython().run_cell_magic('time', '', 'b = a + 1\\n')
        files = get_ipython().getoutput('ls')
        print(a, b, files)
        """
    )

    assert run.output.head == "1 2 []\n"


@pytest.mark.parametrize(
    ("code", "function", "hint"),
    [
        (
            "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--data', required=True)\n"
            "parser.parse_args()\n",
            "",
            "pass its arguments after --: --verify ",
        ),
        ("def make(size): pass", "make", "--verify-arg NAME=VALUE gives it an argument"),
        ("def make(): pass", "", "::FUNCTION calls a function and reads the datasets that it returns"),
        ("open('data/train.csv')", "", "--verify-network lets it download data"),
    ],
    ids=["arguments", "argument of a function", "nothing is called", "no data"],
)
def test_what_would_help(verify: Verify, code: str, function: str, hint: str) -> None:
    assert hint in "\n".join(answers.render(verify(code, function=function)))


def test_what_was_written_is_in_the_json(verify: Verify, outside: Path) -> None:
    from tfdata_lint.verify.as_json import to_json

    run = verify(f"open({str(outside / 'model')!r}, 'w')")

    assert json.loads(json.dumps(to_json(run)))["written"] == [str(outside / "model")]
