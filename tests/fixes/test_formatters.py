"""What Black or Ruff has formatted is formatted after its fixes; the formatters themselves are run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import hypothesis
import pytest
from cli.conftest import Run, _plain_environment, project, run
from cli.samples import notebook
from fixes.pipelines import programs
from hypothesis import HealthCheck, Phase

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint import formatter
from tfdata_lint.lint.changing import change_bytes, fix_source
from tfdata_lint.lint.reports import Fixing

__all__ = ["_plain_environment", "project", "run"]

Check = Callable[..., Run]
Project = Callable[[Mapping[str, str | bytes]], Path]

EXAMPLES = 25

BEFORE = """\
import tensorflow as tf


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


ds = tf.data.Dataset.list_files("images/*")
pair = ds.map(load, num_parallel_calls=1), None  # some
"""
LONG = BEFORE.replace("num_parallel_calls=1", "num_parallel_calls=tf.data.AUTOTUNE")
FORMATTED = LONG.replace("pair = ", "pair = (\n    ").replace(", None", ",\n    None,\n)")

RUFF = "[tool.ruff]\nline-length = 60\n"
BLACK = "[tool.black]\nline-length = 60\n"

#: Programs in the place of a formatter, and what they do.
ANSWERS = "#!/bin/sh\ntouch {mark}\nexec cat\n"
FAILS = "#!/bin/sh\nexit 2\n"
HANGS = "#!/bin/sh\nexec sleep 60\n"
#: All but these give what is clean back as it is.
CHANGES = "#!/bin/sh\nsed 's/AUTOTUNE/experimental.AUTOTUNE/'\n"
LOSES = "#!/bin/sh\nsed 's/AUTOTUNE.*/AUTOTUNE(/'\n"
BREAKS = "#!/bin/sh\nif grep -q AUTOTUNE; then printf '\\377'; else cat \"$3\"; fi\n"

posix = pytest.mark.skipif(os.name != "posix", reason="the programs are scripts of a shell")


def executable(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script)
    path.chmod(0o755)
    return path


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts nothing but these folders where formatters are looked for."""

    def only(*folders: Path) -> None:
        monkeypatch.setattr(formatter, "_hanging", Counter())
        monkeypatch.setattr(sys, "executable", str(tmp_path / "environment" / "python"))
        monkeypatch.setenv("PATH", os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"]))

    return only


def read(root: Path, name: str = "a.py") -> str:
    return (root / name).read_bytes().decode()


class TestPresent:
    @pytest.mark.parametrize(("settings", "name"), [(RUFF, "Ruff"), (BLACK, "Black")])
    def test_files_are_formatted(self, settings: str, name: str, run: Check, project: Project) -> None:
        root = project({"a.py": BEFORE, "pyproject.toml": settings, "b.py": "import os\n"})
        shown = run("check", "--diff", "--unsafe-fixes")
        assert f"\nWould format 1 file with {name} " in shown.err
        done = run("check", "--fix", "--unsafe-fixes")
        assert read(root) == FORMATTED
        assert f"\nFormatted 1 file with {name} " in done.out
        patched = subprocess.run(["patch", "-R", "-p0"], input=shown.out, text=True, capture_output=True, check=False)
        assert patched.returncode == 0, patched.stdout
        assert read(root) == BEFORE

    def test_there_is_nothing_left_to_do(self, run: Check, project: Project) -> None:
        root = project({"a.py": FORMATTED, "pyproject.toml": RUFF})
        assert "Fixed nothing." in run("check", "--fix", "--unsafe-fixes").out
        assert read(root) == FORMATTED

    def test_settings_of_a_folder(self, project: Project) -> None:
        root = project({"src/ruff.toml": "line-length = 60\n"})
        text = BEFORE.encode()
        report = change_bytes(text, str(root / "src/a.py"), AROUND, Fixing(unsafe=True, formats=True), explicit=True)
        assert report.after == FORMATTED.encode()

    @pytest.mark.parametrize("form", ["crlf", "mark", "form feed", "tabs", "latin-1"])
    def test_what_is_kept(self, form: str, run: Check, project: Project) -> None:
        # Ruff takes form feeds away.
        settings = BLACK if form == "form feed" else RUFF
        if form == "tabs":
            settings += "[tool.ruff.format]\nindent-style = 'tab'\n"

        def written(text: str) -> bytes:
            match form:
                case "crlf":
                    return text.replace("\n", "\r\n").encode()
                case "mark":
                    return b"\xef\xbb\xbf" + text.encode()
                case "form feed":
                    return text.replace("\n\n\nds", "\n\n\x0c\nds").encode()
                case "tabs":
                    return text.replace("    ", "\t").encode()
            return f"# coding: latin-1\n# é\n{text}".encode("latin-1")

        root = project({"a.py": written(BEFORE), "pyproject.toml": settings})
        run("check", "--fix", "--unsafe-fixes")
        # Ruff only reads UTF-8.
        expected = LONG if form == "latin-1" else FORMATTED
        assert (root / "a.py").read_bytes() == written(expected)

    def test_what_is_found_outside(
        self, run: Check, project: Project, alone: Callable[..., None], tmp_path: Path
    ) -> None:
        """In the own environment, or by the path of the caller, also where that names links."""
        real = Path(sys.executable).parent
        (tmp_path / "links").symlink_to(real)
        for folder in (real, tmp_path / "links"):
            alone(folder)
            root = project({"a.py": BEFORE, "pyproject.toml": RUFF})
            run("check", "--fix", "--unsafe-fixes")
            assert read(root) == FORMATTED


AROUND = Settings(select=("ALL",), looks_around=True)


class TestAbsent:
    """Edits are as small as they can be, and rows that no simple break helps stay long."""

    def test_no_program(self, run: Check, project: Project, alone: Callable[..., None]) -> None:
        alone()
        root = project({"a.py": BEFORE, "pyproject.toml": RUFF})
        assert "ormatted" not in run("check", "--fix", "--unsafe-fixes").out
        assert read(root) == LONG

    @pytest.mark.parametrize(
        ("settings", "options"),
        [
            (f'{RUFF}[tool.tfdata-lint]\nformat = "off"\n', ()),
            (RUFF, ("--isolated",)),
            ("[tool.yapf]\ncolumn_limit = 60\n", ()),
            ("[flake8]\nmax-line-length = 60\n", ()),
        ],
    )
    def test_it_is_not_wanted(self, settings: str, options: tuple[str, ...], run: Check, project: Project) -> None:
        root = project({"a.py": BEFORE, "pyproject.toml": settings})
        assert "ormatted" not in run("check", "--fix", "--unsafe-fixes", *options).out
        assert read(root) != FORMATTED
        assert "tf.data.AUTOTUNE" in read(root)

    @pytest.mark.parametrize("settings", [RUFF, BLACK])
    def test_the_file_was_not_formatted(self, settings: str, run: Check, project: Project) -> None:
        other = f"NAMES = ['a']\n\n{BEFORE}"
        root = project({"a.py": other, "pyproject.toml": settings})
        assert "ormatted" not in run("check", "--fix", "--unsafe-fixes").out
        assert read(root) == f"NAMES = ['a']\n\n{LONG}"

    def test_notebooks(self, run: Check, project: Project) -> None:
        root = project({"a.ipynb": notebook(BEFORE), "pyproject.toml": RUFF})
        assert "ormatted" not in run("check", "--fix", "--unsafe-fixes").out
        assert read(root, "a.ipynb") == notebook(LONG)

    def test_only_the_command_line_runs_it(self, project: Project) -> None:
        """Not the editor, and no program that asks for fixes."""
        root = project({"a.py": BEFORE, "pyproject.toml": RUFF})
        report = fix_source(BEFORE, str(root / "a.py"), AROUND, unsafe=True)
        assert report.after == LONG.encode()
        assert change_bytes(
            BEFORE.encode(), str(root / "a.py"), AROUND, Fixing(unsafe=True), explicit=True
        ).after == LONG.encode()  # fmt: skip


@posix
class TestPrograms:
    @pytest.mark.parametrize("script", [FAILS, HANGS, CHANGES, LOSES, BREAKS, "no program"])
    def test_what_fails_is_left(
        self, script: str, run: Check, project: Project, alone: Callable[..., None], tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(formatter, "_PATIENCE", 1)
        executable(tmp_path / "outside" / "black", script)
        alone(tmp_path / "outside")
        names = [f"{letter}.py" for letter in "abcd"]
        root = project({**dict.fromkeys(names, BEFORE), "pyproject.toml": BLACK})
        done = run("check", "--fix", "--unsafe-fixes", "--jobs", "1")
        assert {read(root, name) for name in names} == {LONG}
        assert done.err == ""
        assert formatter._hanging.total() == (formatter._MOST_TRIES if script == HANGS else 0)

    @pytest.mark.parametrize(
        ("line", "script"),
        [
            # What the comment suppresses would be found.
            ("ds.shuffle(10)  # noqa: TFD401\n", "sed 's/  # noqa.*//'"),
            # AutoGraph cannot tell two lambdas on a row apart.
            ("both = [\n    lambda x: x,\n    lambda x: -x,\n]\n", "tr '\\n' '@' | sed 's/x,@ */x, /' | tr '@' '\\n'"),
        ],
    )
    def test_what_would_mean_something_else(
        self, line: str, script: str, run: Check, project: Project, alone: Callable[..., None], tmp_path: Path
    ) -> None:
        text = BEFORE + line
        clean = 'text=$(cat; echo .); case "$text" in *AUTOTUNE*)'
        shell = f'#!/bin/sh\n{clean} printf %s "${{text%.}}" | {script};; *) printf %s "${{text%.}}";; esac\n'
        program = executable(tmp_path / "outside" / "black", shell)
        alone(tmp_path / "outside")
        root = project({"a.py": text, "pyproject.toml": BLACK})
        # It does what is said of it.
        answer = subprocess.run([program], input=LONG + line, text=True, capture_output=True, check=True).stdout
        assert answer not in ("", LONG + line)
        run("check", "--fix", "--unsafe-fixes")
        assert read(root) == LONG + line

    def test_one_outside_is_run(self, run: Check, project: Project, alone: Callable[..., None], tmp_path: Path) -> None:
        """Else those below show nothing."""
        executable(tmp_path / "outside" / "ruff", ANSWERS.format(mark=tmp_path / "mark"))
        alone(tmp_path / "outside")
        project({"a.py": BEFORE, "pyproject.toml": RUFF})
        run("check", "--fix", "--unsafe-fixes")
        assert (tmp_path / "mark").exists()

    @pytest.mark.parametrize("way", ["folder", "relative", "link to folder", "link to file", "link out", "environment"])
    @pytest.mark.parametrize("place", ["checkout", "working directory", "settings"])
    def test_nothing_of_the_project_is_run(
        self, way: str, place: str, run: Check, project: Project, alone: Callable[..., None], tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        root = project({"src/a.py": BEFORE, "pyproject.toml": RUFF})
        outside = tmp_path / "outside"
        outside.mkdir()
        program = executable(root / "bin" / "ruff", ANSWERS.format(mark=tmp_path / "mark"))
        if place == "checkout":
            (root / ".git").mkdir()
            monkeypatch.chdir(root / "src")
        elif place == "settings":
            monkeypatch.chdir(outside)
        folders = [program.parent]
        if way == "relative":
            folders = [Path(os.path.relpath(program.parent)), Path(".")]
        elif way == "link to folder":
            (outside / "link").symlink_to(program.parent)
            folders = [outside / "link"]
        elif way == "link to file":
            (outside / "ruff").symlink_to(program)
            folders = [outside]
        elif way == "link out":
            program.rename(outside / "ruff")
            program.parent.rmdir()
            program.parent.symlink_to(outside)
            if place == "settings":
                monkeypatch.chdir(tmp_path / "project" / "src")
        alone(*([] if way == "environment" else folders))
        if way == "environment":
            monkeypatch.setattr(sys, "executable", str(program.parent / "python"))
        run("check", "--fix", "--unsafe-fixes", str(root / "src" / "a.py"))
        assert not (tmp_path / "mark").exists()
        assert read(root, "src/a.py") == LONG


# ── any program ─────────────────────────────────────────────────────────────────────────────────────────────────────


def by_black(text: str, width: int) -> str:
    black = pytest.importorskip("black")
    return str(black.format_str(text, mode=black.Mode(line_length=width)))


def by_ruff(text: str, width: int) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", str(width), "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=True).stdout


FORMATTERS = {"black": by_black, "ruff": by_ruff}


def changed(name: str, width: int, path: str, *, formats: bool) -> list[str]:
    """What fixes make of programs that a formatter has laid out."""
    found: list[str] = []

    @hypothesis.seed(0)
    @hypothesis.settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(programs())
    def fix(program: str) -> None:
        before = FORMATTERS[name](program, width).encode()
        report = change_bytes(before, path, AROUND, Fixing(unsafe=True, formats=formats), explicit=True)
        if report.after not in (None, before):
            found.append((report.after or b"").decode())

    fix()
    assert len(found) > EXAMPLES / 2
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "width"), [pytest.param("black", 60, marks=pytest.mark.thorough), ("ruff", 100), ("ruff", 70)]
)
def test_what_a_formatter_accepts_it_accepts_after_the_fixes(name: str, width: int, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(f"[tool.{name}]\nline-length = {width}\n")
    for text in changed(name, width, str(tmp_path / "pipeline.py"), formats=True):
        assert text == FORMATTERS[name](text, width)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATTERS)
def test_it_accepts_nearly_all_where_it_does_not_run(name: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    texts = changed(name, 88, str(tmp_path / "pipeline.py"), formats=False)
    assert sum(text != FORMATTERS[name](text, 88) for text in texts) <= len(texts) / 10
