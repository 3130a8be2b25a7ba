"""What a run may be told besides files of settings: keys, variables of the environment, which files, exit codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import samples

import tfdata_lint
from tfdata_lint.config.settings.values import is_met

Run = Callable[..., Any]
Project = Callable[[Mapping[str, str | bytes]], Path]


class TestKeys:
    def test_one_on_the_command_line(self, project: Project, run: Run) -> None:
        project({"a.py": samples.DISCARDED, "tfdata-lint.toml": 'output-format = "json"\nignore = ["TFD401"]'})
        done = run("check", "--config", 'output-format = "concise"', "--config", "ignore = []")
        assert done.out.startswith("a.py:")
        assert "TFD401" in done.out

    def test_beside_a_file(self, project: Project, run: Run) -> None:
        project({"a.py": samples.DISCARDED, "other.toml": 'ignore = ["TFD401"]'})
        assert run("check", "--config", "other.toml", "--config", 'output-format = "concise"').code == 0

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ("ignoer = []", "unknown key `ignoer`; did you mean `ignore`?"),
            ("ignore = 3", "`ignore` must be a list"),
            ('ignore = ["TFD9999"]', "unknown rule `TFD9999`"),
            ("ignore = [", "neither a file nor `KEY = VALUE`"),
            ("missing.toml", "no such configuration file: missing.toml"),
            ('required-version = ">=99"', "tfdata-lint >=99 is required"),
        ],
    )
    def test_wrong_ones(self, given: str, said: str, project: Project, run: Run) -> None:
        project({"a.py": samples.DISCARDED})
        done = run("check", "--config", given)
        assert (done.code, done.out) == (2, "")
        assert said in done.err

    def test_two_files(self, project: Project, run: Run) -> None:
        project({"a.toml": "", "b.toml": ""})
        assert "takes one file" in run("check", "--config", "a.toml", "--config", "b.toml").err


class TestRequiredVersion:
    def test_another_version(self, project: Project, run: Run) -> None:
        project({"a.py": "", "tfdata-lint.toml": '\nrequired-version = ">=99"'})
        done = run("check")
        assert done.code == 2
        needed = f"tfdata-lint.toml:2: the project requires tfdata-lint >=99, but this is {tfdata_lint.__version__}"
        assert needed in done.err

    def test_this_one(self, project: Project, run: Run) -> None:
        project({"a.py": "", "tfdata-lint.toml": f'required-version = ">=0.0.1,=={tfdata_lint.__version__}"'})
        assert run("check").code == 0

    @pytest.mark.parametrize("wrong", ['"new"', "1", '">1,"', '"=>1"'])
    def test_what_is_no_version(self, wrong: str, project: Project, run: Run) -> None:
        project({"a.py": "", "tfdata-lint.toml": f"required-version = {wrong}"})
        done = run("check")
        assert done.code == 2
        assert "tfdata-lint.toml:1: `required-version`" in done.err

    @pytest.mark.parametrize(
        ("requirement", "version", "met"),
        [
            ("1.2", "1.2.0", True), ("==1.2", "1.2.1", False), ("!=1.2", "1.3", True), (">1.2", "1.2.0", False),
            (">=1.2, <2", "1.10", True), ("<2", "2.0.0", False), ("<=2", "2.0", True), (">=1", "1.0.0rc1", True),
        ],
    )  # fmt: skip
    def test_bounds(self, requirement: str, version: str, met: bool) -> None:
        assert is_met(requirement, version) is met


class TestEnvironment:
    def test_the_format_and_the_file(self, project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project({"a.py": samples.DISCARDED, "tfdata-lint.toml": 'output-format = "json"'})
        monkeypatch.setenv("TFDATA_LINT_OUTPUT_FORMAT", "concise")
        assert run("check").out.startswith("a.py:")
        assert run("check", "--output-format", "json").out.startswith("[")
        monkeypatch.setenv("TFDATA_LINT_OUTPUT_FILE", "out.txt")
        run("check")
        assert (root / "out.txt").read_text().startswith("a.py:")

    def test_a_format_that_there_is_not(self, run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        project({"a.py": ""})
        monkeypatch.setenv("TFDATA_LINT_OUTPUT_FORMAT", "html")
        done = run("check")
        assert done.code == 2
        assert "TFDATA_LINT_OUTPUT_FORMAT must be one of" in done.err

    def test_the_cache(self, project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project({"a.py": samples.DISCARDED})
        monkeypatch.setenv("TFDATA_LINT_CACHE_DIR", "kept")
        run("check")
        assert (root / "kept" / "CACHEDIR.TAG").exists()
        monkeypatch.setenv("TFDATA_LINT_CACHE_DIR", "other")
        monkeypatch.setenv("TFDATA_LINT_NO_CACHE", "1")
        run("check")
        assert not (root / "other").exists()


class TestFiles:
    def test_they_are_listed(self, project: Project, run: Run) -> None:
        project({"a.py": "x = (", "b/c.ipynb": "{}", "d.txt": "", "e.py": "", "tfdata-lint.toml": 'exclude = ["e.py"]'})
        done = run("check", "--show-files")
        assert (done.code, done.out.split(), done.err) == (0, ["a.py", "b/c.ipynb"], "")

    def test_missing_ones(self, project: Project, run: Run) -> None:
        project({"a.py": ""})
        done = run("check", "--show-files", "a.py", "b.py")
        assert (done.code, done.out) == (2, "a.py\n")


class TestClean:
    def test_what_was_kept_is_gone(self, project: Project, run: Run) -> None:
        root = project({"a.py": samples.DISCARDED})
        run("check")
        assert (root / ".tfdata_lint_cache").exists()
        done = run("clean")
        assert (done.code, done.out) == (0, "Removed .tfdata_lint_cache\n")
        assert not (root / ".tfdata_lint_cache").exists()
        assert run("clean").out == ""

    def test_folders_of_others_stay(self, project: Project, run: Run) -> None:
        root = project({"a.py": "", "src/b.py": "", "tfdata-lint.toml": 'cache-dir = "src"'})
        (root / ".tfdata_lint_cache").symlink_to(root / "src")
        (root / "src" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
        assert run("clean").out == ""
        assert (root / "src" / "b.py").exists()


class TestExitCode:
    def test_what_they_mean_is_said_where_they_are_first_met(self, run: Run) -> None:
        for words in (["--help"], ["check", "--help"]):
            text = run(*words).out
            assert "\n  1  findings: the check succeeded (--exit-zero turns this into 0)\n" in text
        readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
        assert "the check succeeded and found something" in readme.partition("\n## Fix it")[0]

    def test_something_was_fixed(self, project: Project, run: Run) -> None:
        root = project({"a.py": samples.DEPRECATED})
        assert run("check", "--diff", "--exit-non-zero-on-fix", "--exit-zero").code == 0
        assert run("check", "--fix", "--exit-non-zero-on-fix").code == 1
        assert (root / "a.py").read_text() != samples.DEPRECATED
        assert run("check", "--fix", "--exit-non-zero-on-fix").code == 0
