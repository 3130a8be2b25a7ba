"""What is kept between runs, when it holds, and that nothing can spoil it."""

from __future__ import annotations

import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest
from cli.conftest import Run
from cli.samples import BROKEN, CLEAN, DEPRECATED, DISCARDED, FIXABLE, FIXED, notebook
from processes import started

import tfdata_lint
from tfdata_lint.config import requirements
from tfdata_lint.config.requirements import tensorflow_of
from tfdata_lint.lint import linting
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.run import engine
from tfdata_lint.run.cache import cache

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[..., Run]

FOLDER = ".tfdata_lint_cache"

#: Lacks `prefetch` when what it imports is a dataset.
TRAIN = """\
import tensorflow as tf
from inputs import load

for batch in load().batch(32).as_numpy_iterator():
    step(batch)
"""
INPUTS = """\
import tensorflow as tf


def load():
    return tf.data.TFRecordDataset("train")
"""


@pytest.fixture(autouse=True)
def _files_are_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were changed a moment ago are not told by their times. Those of tests always were."""
    monkeypatch.setattr(cache, "_STEP", -3600 * 10**9)


@pytest.fixture(autouse=True)
def _nothing_was_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests met in this process would be worth to be kept."""
    monkeypatch.setattr(requirements, "packages", {})


def fail(*arguments: object, **named: object) -> NoReturn:
    raise AssertionError("this was known")


@pytest.fixture
def nothing_is_linted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: monkeypatch.setattr(linting, "lint_bytes", fail)


@pytest.fixture
def nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: monkeypatch.setattr("tfdata_lint.lint.linting.content", SimpleNamespace(read=fail))


def index(folder: str = FOLDER) -> Path:
    (path,) = Path(folder).glob("*.cache")
    return path


def look_again() -> None:
    """As another run does."""
    tensorflow_of.cache_clear()


def kept() -> str:
    """The part about files."""
    return index().read_text().partition("\n\n")[0]


class TestWhatHolds:
    def test_files_that_are_as_they_were_are_not_even_read(
        self, run: Check, project: Project, nothing_is_read: Callable[[], None]
    ) -> None:
        project({"a.py": DISCARDED, "b.py": CLEAN, "c.py": "import os\n", "d.py": BROKEN, "e.ipynb": notebook(FIXABLE)})
        first = run("check")
        nothing_is_read()
        assert run("check") == first
        assert "3 of 5 files" in first.out

    def test_all_that_is_known_of_a_finding_is_kept(
        self, run: Check, project: Project, nothing_is_read: Callable[[], None]
    ) -> None:
        project({"a.py": FIXABLE, "b/猫.py": DISCARDED.replace("images", "猫"), "c.ipynb": notebook("x = 1", FIXABLE)})
        first = run("check", "--output-format", "json")
        nothing_is_read()
        assert run("check", "--output-format", "json") == first
        assert any(finding["fix"] for finding in json.loads(first.out))

    def test_a_changed_file_is_linted_again(self, run: Check, project: Project) -> None:
        root = project({"a.py": DISCARDED, "b.py": CLEAN})
        run("check")
        (root / "a.py").write_text(CLEAN)
        (root / "b.py").write_text(DEPRECATED)
        assert run("check") == run("check", "--no-cache")

    def test_one_that_only_looks_new_is_compared_by_its_text(
        self, run: Check, project: Project, nothing_is_linted: Callable[[], None]
    ) -> None:
        root = project({"a.py": DISCARDED})
        first = run("check")
        os.utime(root / "a.py", (1, 1))
        nothing_is_linted()
        assert run("check") == first

    def test_a_change_that_the_clock_does_not_show(
        self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(cache, "_STEP", 3600 * 10**9)
        root = project({"a.py": DISCARDED, "b.py": "import os\n" + "#" * (len(DISCARDED) - 10)})
        run("check")
        for name, text in ("a.py", CLEAN.ljust(len(DISCARDED))), ("b.py", DISCARDED):
            before = os.stat(root / name)
            (root / name).write_text(text)
            os.utime(root / name, ns=(before.st_atime_ns, before.st_mtime_ns))
            assert os.stat(root / name).st_size == before.st_size
        assert run("check") == run("check", "--no-cache")

    def test_what_is_only_linted_when_it_is_named(
        self, run: Check, project: Project, nothing_is_linted: Callable[[], None]
    ) -> None:
        project({"a.py": "x = (\n"})
        found, named = run("check"), run("check", "a.py")
        assert (found.code, named.code) == (0, 1)
        assert (run("check"), run("check", "a.py")) == (found, named)
        nothing_is_linted()
        assert run("check", "a.py") == named

    def test_how_findings_are_told_does_not_matter(
        self, run: Check, project: Project, nothing_is_linted: Callable[[], None]
    ) -> None:
        project({"a.py": DISCARDED})
        run("check")
        nothing_is_linted()
        assert "a.py:4:1: error" in run("check", "--output-format", "concise", "--fail-level", "error").out

    def test_runs_that_change_files_read_it_and_do_not_write_it(self, run: Check, project: Project) -> None:
        root = project({"a.py": FIXABLE, "b.py": DISCARDED.replace("images", "x")})
        before = run("check")
        written = index().read_bytes()
        run("check", "--diff")
        run("check", "--fix", "--unsafe-fixes")
        assert (root / "a.py").read_text() == FIXED
        assert index().read_bytes() == written
        assert run("check").out != before.out
        assert run("check") == run("check", "--no-cache")

    def test_an_internal_error_is_not_kept(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        project({"a.py": DISCARDED})
        with monkeypatch.context() as broken:
            broken.setattr("tfdata_lint.pipeline.recover.recover", fail)
            assert run("check").code == 2
        assert "TFD401" in run("check").out


class TestWhatItDependsOn:
    @pytest.mark.parametrize(
        "arguments",
        [["--select", "TFD7"], ["--ignore", "TFD401"], ["--target-tensorflow", "2.3"], ["--ignore-noqa"]],
        ids=lambda arguments: str(arguments[0]),
    )
    def test_options(self, arguments: list[str], run: Check, project: Project) -> None:
        project({"a.py": DISCARDED, "b.py": DEPRECATED, "c.py": DISCARDED + "  # noqa: TFD401\n"})
        for more in [], arguments, []:
            assert run("check", *more) == run("check", "--no-cache", *more)

    def test_the_configuration(self, run: Check, project: Project) -> None:
        root = project({"a.py": FIXABLE, "b/a.py": DISCARDED, "tfdata-lint.toml": ""})
        assert "TFD401" in run("check").out
        (root / "tfdata-lint.toml").write_text('unfixable = ["TFD102"]\n[per-file-ignores]\n"b/*" = ["TFD401"]\n')
        assert run("check").out == run("check", "--no-cache").out
        (root / "b/tfdata-lint.toml").write_text('select = ["TFD401"]\n')
        assert run("check").out == run("check", "--no-cache").out

    def test_what_the_project_requires(self, run: Check, project: Project) -> None:
        root = project({"a.py": DEPRECATED, "tfdata-lint.toml": "", "requirements.txt": "tensorflow==2.15\n"})
        assert "TFD701" in run("check").out
        (root / "requirements.txt").write_text("tensorflow==2.3\n")
        look_again()
        assert run("check").code == 0

    def test_other_files(
        self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch, nothing_is_linted: Callable[[], None]
    ) -> None:
        root = project({"a.py": DISCARDED, "helper.py": "import os\n", "folder/data.txt": ""})
        others = root / "helper.py", root / "missing.py", root / "folder/name"
        linted: list[str] = []

        def lint(data: bytes, path: str, *arguments: object, **named: object) -> FileReport:
            linted.append(path)
            return FileReport(path, depends=tuple(map(str, others)))

        monkeypatch.setattr(linting, "lint_bytes", lint)
        run("check", "a.py")
        (root / "helper.py").touch()
        run("check", "a.py")
        assert linted == ["a.py"]
        (root / "helper.py").write_text("import re\n")
        run("check", "a.py")
        run("check", "a.py")
        assert linted == ["a.py"] * 2
        (root / "missing.py").write_text("")
        run("check", "a.py")
        run("check", "a.py")
        assert linted == ["a.py"] * 3
        (root / "folder/more.py").write_text("")
        run("check", "a.py")
        assert linted == ["a.py"] * 3
        (root / "folder/name.py").write_text("")
        run("check", "a.py")
        run("check", "a.py")
        assert linted == ["a.py"] * 4

    @pytest.mark.parametrize(
        ("imports", "there", "comes"),
        [
            ("from inputs import load", [], "inputs.py"),
            ("from inputs import load", [], "inputs/__init__.py"),
            ("from inputs import load", [], "src/inputs.py"),
            ("from inputs import load", ["src/other.py"], "src/inputs.py"),
            ("from inputs import load", ["../inputs.py"], "inputs.py"),
            ("from lib.inputs import load", [], "lib/inputs.py"),
            ("from lib.inputs import load", ["lib/other.py"], "lib/inputs.py"),
            ("from lib.inputs import load", ["lib/__init__.py"], "lib/inputs.py"),
            ("from lib.deep.inputs import load", ["lib/__init__.py", "lib/deep/other.py"], "lib/deep/inputs.py"),
            ("from lib import load", ["lib/other.py"], "lib/__init__.py"),
            ("from .inputs import load", ["__init__.py"], "inputs.py"),
            ("from ..inputs import load", ["../__init__.py", "__init__.py"], "../inputs.py"),
        ],
    )
    def test_a_module_that_comes_later(
        self, imports: str, there: list[str], comes: str, run: Check, project: Project
    ) -> None:
        root = project({"jobs/train.py": TRAIN.replace("from inputs import load", imports), "tfdata-lint.toml": ""})
        for name in there:
            (root / "jobs" / name).parent.mkdir(exist_ok=True, parents=True)
            (root / "jobs" / name).write_text("")
        assert run("check", "jobs/train.py").code == 0
        (root / "jobs" / comes).parent.mkdir(exist_ok=True)
        (root / "jobs" / comes).write_text(INPUTS)
        look_again()
        assert "TFD101" in run("check", "jobs/train.py").out
        (root / "jobs" / comes).unlink()
        look_again()
        assert run("check", "jobs/train.py").code == 0

    def test_modules_that_nobody_looks_for(
        self, run: Check, project: Project, nothing_is_linted: Callable[[], None]
    ) -> None:
        """Whatever comes and goes in the folders above, though nothing marks the root of the project."""
        root = project({"top/jobs/train.py": TRAIN.replace("inputs", "lib.inputs"), "top/jobs/lib/other.py": ""})
        first = run("check", "top/jobs/train.py")
        for name in ("new.py", "top/new/__init__.py", "top/jobs/new.py", "top/jobs/lib/new.py", "top/train.txt"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text("")
        (root / "top/jobs/lib/other.py").unlink()
        look_again()
        nothing_is_linted()
        assert run("check", "top/jobs/train.py") == first

    def test_a_module_behind_a_module(self, run: Check, project: Project) -> None:
        root = project({"train.py": TRAIN, "inputs.py": "from deeper import load\n", "tfdata-lint.toml": ""})
        assert run("check").code == 0
        (root / "deeper.py").write_text(INPUTS)
        look_again()
        assert "TFD101" in run("check").out
        (root / "deeper.py").write_text("def load():\n    return []\n")
        look_again()
        assert run("check").code == 0

    def test_nothing_is_kept_of_what_depends_on_a_file_that_changes_meanwhile(
        self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = project({"a.py": DISCARDED, "helper.py": ""})
        monkeypatch.setattr(cache, "_STEP", 3600 * 10**9)
        monkeypatch.setattr(
            linting, "lint_bytes", lambda data, path, *a, **b: FileReport(path, depends=(str(root / "helper.py"),))
        )
        run("check", "a.py")
        assert not Path(FOLDER).exists()

    def test_the_version(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        project({"a.py": DISCARDED})
        run("check")
        monkeypatch.setattr(tfdata_lint, "__version__", "99.0")
        monkeypatch.setattr(linting, "lint_bytes", lambda data, path, *a, **b: FileReport(path))
        assert run("check").code == 0

    @pytest.mark.parametrize("name", ["rule.py", "recover.cpython-313-darwin.so", "recover.cp313-win_amd64.pyd"])
    def test_its_code(
        self, name: str, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "program").mkdir()
        monkeypatch.setattr(tfdata_lint, "__file__", str(tmp_path / "program/__init__.py"))
        project({"a.py": DISCARDED})
        run("check", "a.py")
        (tmp_path / "program" / name).touch()
        monkeypatch.setattr(linting, "lint_bytes", lambda data, path, *a, **b: FileReport(path))
        assert run("check", "a.py").code == 0

    def test_its_code_as_it_is_installed(
        self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """As its RECORD has it; what Python and the installer add besides does not count."""
        site = tmp_path / "site"
        (site / "program").mkdir(parents=True)
        record = site / f"program-{tfdata_lint.__version__}.dist-info/RECORD"
        record.parent.mkdir()
        record.write_text("../bin/program,sha256=a,1\nprogram/a.py,sha256=a,1\n")
        monkeypatch.setattr(tfdata_lint, "__file__", str(site / "program/__init__.py"))
        linted: list[str] = []
        monkeypatch.setattr(linting, "lint_bytes", lambda data, path, *a, **b: linted.append(path) or FileReport(path))
        project({"a.py": DISCARDED})
        run("check")
        linted.clear()
        (site / "program/a.py").touch()
        record.write_text("../bin/program,sha256=b,1\nprogram/__pycache__/a.pyc,,\nprogram/a.py,sha256=a,1\n")
        run("check")
        assert linted == []
        record.write_text("program/a.py,sha256=b,1\n")
        run("check")
        assert linted == ["a.py"]

    def test_what_is_installed_with_it(
        self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Rules of other distributions may be among it."""
        project({"a.py": DISCARDED})
        run("check")
        (tmp_path / "elsewhere/rules-1.0.dist-info").mkdir(parents=True)
        monkeypatch.syspath_prepend(tmp_path / "elsewhere")
        monkeypatch.setattr(linting, "lint_bytes", lambda data, path, *a, **b: FileReport(path))
        assert run("check").code == 0

    def test_the_code_of_its_plugins(
        self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """It may change while the version stays."""
        project({"a.py": DISCARDED})
        linted: list[str] = []
        monkeypatch.setattr(linting, "lint_bytes", lambda data, path, *a, **b: linted.append(path) or FileReport(path))
        metadata = tmp_path / "site/foreign-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "entry_points.txt").write_text(
            "[console_scripts]\na = b:c\n[tfdata_lint.rules]\nhouse = foreign_rules.house:Rule\none = foreign_rule\n"
        )
        monkeypatch.syspath_prepend(tmp_path / "site")
        run("check")
        for name in (
            "foreign_rules/__init__.py",
            "foreign_rules/house.py",
            "foreign_rules/more/deep.py",
            "foreign_rule.py",
        ):
            (tmp_path / "site" / name).parent.mkdir(exist_ok=True)
            for text in "1", "2":
                (tmp_path / "site" / name).write_text(text)
                importlib.invalidate_caches()
                linted.clear()
                run("check")
                run("check")
                assert linted == ["a.py"]

    def test_the_working_directory(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project({"a.py": DISCARDED, "b/a.py": DEPRECATED, "tfdata-lint.toml": ""})
        run("check")
        monkeypatch.chdir(root / "b")
        assert run("check", "a.py") == run("check", "a.py", "--no-cache")
        assert not Path(FOLDER).exists()
        assert len(list(root.glob(f"{FOLDER}/*.cache"))) == 2


class TestSearching:
    """Which files there are is remembered, too."""

    @pytest.fixture
    def searched(self, run: Check, project: Project) -> Path:
        root = project(
            {"a.py": CLEAN, "b/c/d.py": DISCARDED, "b/e.py": DEPRECATED, ".gitignore": "*.txt\n", ".git/x": ""}
        )
        # The first run adds the cache to the project.
        run("check")
        run("check")
        return root

    def test_folders_that_are_as_they_were_are_not_searched(
        self, searched: Path, run: Check, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = run("check", "--no-cache")
        monkeypatch.setattr("tfdata_lint.source.discovery.discover", fail)
        assert run("check") == expected

    @pytest.mark.parametrize(
        "change",
        [
            lambda root: (root / "b/c/new.py").write_text(DISCARDED),
            lambda root: (root / "b/e.py").unlink(),
            lambda root: (root / "b/c/d.py").rename(root / "d.py"),
            lambda root: (root / "b").rename(root / "moved"),
            lambda root: (root / ".gitignore").write_text("b\n"),
            lambda root: (root / "b/.gitignore").write_text("e.py\n"),
            lambda root: (root / "tfdata-lint.toml").write_text('exclude = ["b"]\n'),
        ],
        ids=["new", "gone", "moved", "folder moved", ".gitignore changed", "new .gitignore", "settings"],
    )
    def test_what_changes_them(self, change: Callable[[Path], object], searched: Path, run: Check) -> None:
        change(searched)
        assert run("check") == run("check", "--no-cache")

    @pytest.mark.parametrize("change", [".gitignore", ".git/info/exclude", "no repository"])
    def test_what_changes_them_above(
        self, change: str, searched: Path, run: Check, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (searched / ".gitignore").write_text("e.py\n")
        monkeypatch.chdir(searched / "b")
        options = "check", "--cache-dir", "../cache"
        assert "e.py" not in run(*options).out
        if change == "no repository":
            (searched / ".git").rename(searched / "git")
        else:
            (searched / change).parent.mkdir(exist_ok=True)
            (searched / change).write_text("c\n")
        assert run(*options) == run("check", "--no-cache")

    def test_a_link_whose_file_comes_later(self, searched: Path, run: Check) -> None:
        (searched / "link.py").symlink_to("b/target.txt")
        run("check")
        run("check")
        (searched / "b/target.txt").write_text(DISCARDED)
        assert run("check") == run("check", "--no-cache")


class TestTheFolder:
    def test_git_and_backups_leave_it_out(self, run: Check, project: Project) -> None:
        root = project({"a.py": DISCARDED})
        run("check")
        assert (root / FOLDER / ".gitignore").read_text() == "*\n"
        assert (root / FOLDER / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")

    def test_a_folder_that_was_there_is_not_hidden(self, run: Check, project: Project) -> None:
        root = project({"a.py": DISCARDED, "mine/file.txt": ""})
        run("check", "--cache-dir", "mine")
        assert index("mine").exists()
        assert not (root / "mine/.gitignore").exists()

    def test_where_the_settings_say(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project({"b/a.py": DISCARDED, "tfdata-lint.toml": 'cache-dir = "build/lint"\n'})
        monkeypatch.chdir(root / "b")
        run("check")
        assert index("../build/lint").exists()

    @pytest.mark.parametrize("arguments", [["--no-cache"], ["--diff"], ["--fix"], ["-"]], ids=str)
    def test_none_is_made(
        self, arguments: list[str], run: Check, project: Project, stdin: Callable[[str], None]
    ) -> None:
        project({"a.py": DISCARDED})
        stdin(DISCARDED)
        run("check", *arguments)
        assert not Path(FOLDER).exists()

    def test_one_that_cannot_be_used_is_no_error(self, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED, FOLDER: "a file"})
        assert run("check") == run("check", "--no-cache")

    @pytest.mark.parametrize(
        "damage",
        [
            lambda data: b"",
            lambda data: data[: len(data) // 2],
            lambda data: data.replace(b"TFD401", b"TFD402"),
            lambda data: data.replace(b"\0", b"\n"),
            lambda data: b"\0" * len(data),
            lambda data: b"something else\n" * 100,
        ],
        ids=["empty", "torn", "wrong", "unordered", "zeros", "foreign"],
    )
    def test_a_damaged_file_is_written_anew(
        self, damage: Callable[[bytes], bytes], run: Check, project: Project, nothing_is_read: Callable[[], None]
    ) -> None:
        project({"a.py": DISCARDED, "b.py": CLEAN})
        first = run("check")
        index().write_bytes(damage(index().read_bytes()))
        assert run("check") == first
        nothing_is_read()
        assert run("check") == first

    def test_what_is_gone_is_forgotten(self, run: Check, project: Project) -> None:
        root = project({"a.py": DISCARDED, "b/gone.py": DISCARDED, "c/left.py": DISCARDED})
        run("check")
        (root / "b/gone.py").unlink()
        (root / "c/left.py").rename(root / "left.py")
        (root / "a.py").write_text(DEPRECATED)
        run("check", "a.py", "b")
        assert "gone.py" not in kept()
        assert "c/left.py" in kept()
        (root / "a.py").write_text(CLEAN)
        run("check")
        assert "c/left.py" not in kept()

    def test_files_of_other_versions_do_not_pile_up(self, run: Check, project: Project) -> None:
        root = project({"a.py": DISCARDED, f"{FOLDER}/mine.txt": "", f"{FOLDER}/CACHEDIR.TAG": ""})
        for name, days in ("tfdata-lint-0.cache", 40), ("tfdata-lint-1.cache", 3), ("tfdata-lint-2.tmp", 3):
            (root / FOLDER / name).write_text("")
            os.utime(root / FOLDER / name, (time.time() - days * 86_400,) * 2)
        os.utime(root / FOLDER / "mine.txt", (0, 0))
        run("check")
        left = {path.name for path in (root / FOLDER).iterdir()}
        assert left >= {"mine.txt", "tfdata-lint-1.cache"}
        assert not left & {"tfdata-lint-0.cache", "tfdata-lint-2.tmp"}

    def test_two_runs_at_once_keep_what_both_have_found(
        self, run: Check, project: Project, nothing_is_read: Callable[[], None]
    ) -> None:
        project({"a.py": DISCARDED, "b.py": DEPRECATED})
        reports = {}
        first, second = (engine.lint_paths([name], cache_dir=FOLDER) for name in ("a.py", "b.py"))
        # Both have started before either has ended.
        reports = {report.path: report for run in (first, second) for report in [next(run)]}
        assert [*first, *second] == []
        nothing_is_read()
        assert {report.path: report for report in engine.lint_paths(["a.py", "b.py"], cache_dir=FOLDER)} == reports

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill")
    def test_runs_that_are_killed_leave_one_that_can_be_used(self, run: Check, project: Project) -> None:
        root = project({f"{n}.py": FIXABLE for n in range(8)})
        expected = run("check", "--no-cache")
        command = [sys.executable, "-m", "tfdata_lint", "check", "-q"]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
        chance = random.Random(20)
        for _ in range(5):
            (root / f"{chance.randrange(8)}.py").touch()
            with started(command, env=environment, stdout=subprocess.DEVNULL):
                time.sleep(chance.uniform(0.05, 0.4))
            assert run("check") == expected
