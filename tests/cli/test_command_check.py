"""`tfdata-lint check`, option by option."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.samples import BROKEN, CLEAN, DEPRECATED, DISCARDED, notebook

from tfdata_lint.cli import check
from tfdata_lint.output import printer

#: The last expression of a cell is shown, not discarded.
SEVERAL = DISCARDED + "count = 1\n"

Run = Callable[..., SimpleNamespace]
Project = Callable[[Mapping[str, str | bytes]], Path]


def codes(output: str) -> list[str]:
    """The codes of a `concise` or JSON output, in order."""
    if output.startswith("["):
        return [finding["code"] for finding in json.loads(output)]
    return [word for line in output.splitlines() for word in line.split() if word.startswith("TFD")]


def concise(run: Run, *arguments: str) -> list[str]:
    return codes(run("check", "--advice", "--output-format", "concise", "-q", *arguments).out)


@pytest.fixture
def two_files(project: Project) -> Path:
    return project({"a.py": DISCARDED, "b.py": DEPRECATED})


class TestOutcome:
    def test_clean(self, run: Run, project: Project) -> None:
        project({"a.py": CLEAN})
        done = run("check", "a.py")
        assert (done.code, done.out, done.err) == (0, "All clear: no findings in 1 file.\n", "")

    def test_findings(self, run: Run, two_files: Path) -> None:
        done = run("check")
        assert done.code == 1
        assert "\n\nFound 1 error, 1 warning in 2 of 2 files.\n" in done.out

    def test_exit_zero(self, run: Run, two_files: Path) -> None:
        assert run("check", "--exit-zero").code == 0

    def test_exit_zero_does_not_hide_what_failed(self, run: Run, two_files: Path) -> None:
        assert run("check", "--exit-zero", "missing.py").code == 2

    @pytest.mark.parametrize(
        ("file", "level", "code"),
        [
            ("a.py", "error", 1),
            ("a.py", "warning", 1),
            ("a.py", "advice", 1),
            ("b.py", "error", 0),
            ("b.py", "warning", 1),
            ("b.py", "advice", 1),
        ],
    )
    def test_fail_level(self, file: str, level: str, code: int, run: Run, two_files: Path) -> None:
        assert run("check", file, "--fail-level", level).code == code

    def test_fail_level_and_output_format_as_settings(self, run: Run, project: Project) -> None:
        project({"b.py": DEPRECATED, "tfdata-lint.toml": 'fail-level = "error"\noutput-format = "concise"\n'})
        done = run("check", "-q")
        assert done.code == 0
        assert len(done.out.splitlines()) == 1
        assert run("check", "--fail-level", "warning").code == 1

    def test_quiet(self, run: Run, two_files: Path) -> None:
        done = run("check", "--quiet")
        assert "TFD401" in done.out
        assert "Found" not in done.out
        assert run("check", "-q", "--ignore", "ALL").out == ""


class TestRules:
    def test_select(self, run: Run, two_files: Path) -> None:
        assert concise(run) == ["TFD401", "TFD701"]
        assert concise(run, "--select", "TFD4") == ["TFD401"]
        assert concise(run, "--select", "TFD701,TFD401") == ["TFD401", "TFD701"]
        assert concise(run, "--select", "TFD102", "--select", "deprecated-autotune") == ["TFD701"]

    def test_ignore(self, run: Run, two_files: Path) -> None:
        assert concise(run, "--ignore", "TFD4") == ["TFD701"]
        assert concise(run, "--ignore", "upgrade", "--ignore", "TFD102") == ["TFD401"]

    def test_extend_select(self, run: Run, two_files: Path) -> None:
        assert concise(run, "--select", "TFD1", "--extend-select", "TFD701") == ["TFD701"]

    def test_per_file_ignores(self, run: Run, project: Project) -> None:
        settings = '[tool.tfdata-lint.per-file-ignores]\n"old/**" = ["TFD401"]\n'
        project({"a.py": DISCARDED, "old/a.py": DISCARDED, "pyproject.toml": settings})
        assert concise(run) == ["TFD401"]

    def test_each_file_has_its_own_settings(self, run: Run, project: Project) -> None:
        project(
            {
                "tfdata-lint.toml": 'ignore = ["TFD401"]\n',
                "a.py": DISCARDED,
                "sub/tfdata-lint.toml": "",
                "sub/a.py": DISCARDED,
            }
        )
        assert concise(run) == ["TFD401"]
        assert concise(run, "--isolated") == ["TFD401", "TFD401"]
        assert concise(run, "--config", "tfdata-lint.toml") == []

    def test_target_tensorflow(self, run: Run, two_files: Path) -> None:
        assert concise(run, "b.py", "--target-tensorflow", "2.15") == ["TFD701"]
        assert concise(run, "b.py", "--target-tensorflow", "2.3") == []

    def test_target_tensorflow_as_a_setting(self, run: Run, project: Project) -> None:
        project({"b.py": DEPRECATED, "tfdata-lint.toml": 'target-tensorflow = "2.3"\n'})
        assert concise(run) == []
        assert concise(run, "--target-tensorflow", "2.15") == ["TFD701"]


class TestOutput:
    def test_full(self, run: Run, two_files: Path) -> None:
        out = run("check", "a.py").out
        assert out.startswith("a.py:4:1: error TFD401 discarded-result: ")
        assert "\n4 | dataset.shuffle(1024)\n  | ^^^^" in out
        assert " = cost: " in out
        assert " = advice: " in out

    def test_concise(self, run: Run, two_files: Path) -> None:
        lines = run("check", "--output-format", "concise").out.splitlines()
        assert [line.split(": ")[:2] for line in lines[:2]] == [
            ["a.py:4:1", "error TFD401 discarded-result"],
            ["b.py:3:12", "warning TFD701 deprecated-autotune"],
        ]
        assert lines[2].startswith("Found 1 error, 1 warning ")

    def test_json(self, run: Run, two_files: Path) -> None:
        done = run("check", "--output-format", "json")
        assert [(f["code"], f["filename"], f["location"]) for f in json.loads(done.out)] == [
            ("TFD401", "a.py", {"row": 4, "column": 1}),
            ("TFD701", "b.py", {"row": 3, "column": 12}),
        ]

    def test_json_of_nothing(self, run: Run, project: Project) -> None:
        project({"a.py": CLEAN})
        assert json.loads(run("check", "--output-format", "json").out) == []

    def test_statistics(self, run: Run, two_files: Path) -> None:
        (two_files / "c.py").write_text(DEPRECATED)
        assert run("check", "--statistics", "-q").out.splitlines() == [
            "2  TFD701  deprecated-autotune  warning",
            "1  TFD401  discarded-result     error",
        ]

    def test_statistics_end_with_what_was_seen(self, run: Run, two_files: Path) -> None:
        lines = run("check", "--statistics").out.splitlines()
        assert lines[-1] == "2 of 2 tf.data calls were recovered in pipelines (100.0%)."
        assert run("check", "--statistics", "--diff", "--fix").out.count("calls of") == 0

    def test_statistics_as_json(self, run: Run, two_files: Path) -> None:
        done = run("check", "--statistics", "--output-format", "json")
        assert json.loads(done.out) == [
            {"code": "TFD401", "name": "discarded-result", "severity": "error", "count": 1},
            {"code": "TFD701", "name": "deprecated-autotune", "severity": "warning", "count": 1},
        ]

    def test_a_notebook(self, run: Run, project: Project) -> None:
        project({"n.ipynb": notebook(("markdown", "# Title"), "%matplotlib inline\nimport os", SEVERAL)})
        done = run("check")
        assert done.out.startswith("n.ipynb:cell 3:4:1: error TFD401 discarded-result: ")
        assert "\n4 | dataset.shuffle(1024)\n" in done.out
        (found,) = json.loads(run("check", "--output-format", "json").out)
        assert (found["cell"], found["location"]["row"]) == (3, 4)

    @pytest.mark.parametrize(
        ("name", "imports"),
        [
            ("n.ipynb", "from helpers import load"),
            ("n.ipynb", "from helpers import *"),
            ("n.ipynb", "%run helpers.py"),
            ("n.ipynb", "%run -i ./helpers"),
            ("books/n.ipynb", "%run ../helpers.py"),
            ("n.ipynb", "%load_ext autoreload\nfrom helpers import load"),
            ("n.py", "# %%\n%run helpers.py\n# %%"),
            ("n.py", "from helpers import *"),
        ],
    )
    def test_a_notebook_with_a_module_beside_it(self, run: Run, project: Project, name: str, imports: str) -> None:
        helpers = "import tensorflow as tf\ndef load(n):\n    return tf.data.Dataset.range(n).filter(bool)\n"
        cells = (f"{imports}\nimport tensorflow as tf", "rows = load(4)\nprint(len(rows))\nfor x in rows.batch(2): x")
        project({"helpers.py": helpers, name: notebook(*cells) if name != "n.py" else "\n".join(cells)})
        assert "error TFD407" in run("check", "--select", "TFD407").out


class TestColor:
    @pytest.fixture(autouse=True)
    def _files(self, two_files: Path) -> None:
        pass

    def test_not_into_a_pipe(self, run: Run) -> None:
        assert "\x1b" not in run("check").out

    def test_always(self, run: Run) -> None:
        assert "\x1b[1;31merror" in run("check", "--color", "always").out

    def test_on_a_terminal(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setenv("TERM", "xterm")
        assert "\x1b" in run("check").out
        assert "\x1b" not in run("check", "--no-color").out
        assert "\x1b" not in run("check", "--color", "never").out
        monkeypatch.setenv("TERM", "dumb")
        assert "\x1b" not in run("check").out

    def test_by_the_environment(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b" in run("check").out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b" not in run("check").out
        assert "\x1b" in run("check", "--color=always").out


class TestFiles:
    def test_folders_and_files_each_once(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, "sub/b.py": DISCARDED, "notes.txt": DISCARDED})
        assert len(concise(run, "a.py", ".", "sub", "sub/b.py")) == 2

    def test_order_does_not_change(self, run: Run, project: Project) -> None:
        project({f"{name}/x.py": DISCARDED for name in "dbca"})
        runs = {run("check", "--output-format", "concise").out for _ in range(3)}
        assert len(runs) == 1
        assert [line[0] for line in runs.pop().splitlines()[:4]] == list("abcd")

    def test_gitignore(self, run: Run, project: Project) -> None:
        root = project({".gitignore": "made/\n", "a.py": DISCARDED, "made/b.py": DISCARDED})
        (root / ".git").mkdir()
        assert len(concise(run)) == 1
        assert len(concise(run, "--no-respect-gitignore")) == 2

    def test_exclude(self, run: Run, project: Project) -> None:
        project({"tfdata-lint.toml": 'extend-exclude = ["old"]\n', "a.py": DISCARDED, "old/b.py": DISCARDED})
        assert len(concise(run)) == 1
        assert len(concise(run, "old/b.py")) == 1
        assert len(concise(run, "old/b.py", "--force-exclude")) == 0

    def test_nothing_to_lint(self, run: Run, project: Project) -> None:
        project({"notes.txt": ""})
        done = run("check")
        assert (done.code, done.out, done.err) == (0, "", "tfdata-lint: no Python files or notebooks in .\n")


class TestStandardInput:
    def test_without_a_name(self, run: Run, stdin: Callable[[str], None]) -> None:
        stdin(DISCARDED)
        assert run("check", "-").out.startswith("<stdin>:4:1: error TFD401")

    def test_with_a_name(self, run: Run, project: Project, stdin: Callable[[str], None]) -> None:
        project({"sub/tfdata-lint.toml": 'ignore = ["TFD401"]\n'})
        stdin(DISCARDED)
        assert run("check", "-", "--stdin-filename", "other.py").out.startswith("other.py:4:1: error TFD401")
        stdin(DISCARDED)
        assert run("check", "-", "--stdin-filename", "sub/a.py").code == 0

    def test_a_notebook(self, run: Run, stdin: Callable[[str], None]) -> None:
        stdin(notebook("", SEVERAL))
        assert run("check", "-", "--stdin-filename", "n.ipynb").out.startswith("n.ipynb:cell 2:4:1: error TFD401")

    def test_its_problems_are_told(self, run: Run, stdin: Callable[[str], None]) -> None:
        stdin("def f(:\n")
        assert "<stdin>:1:" in run("check", "-").out

    def test_excluded_by_force(self, run: Run, project: Project, stdin: Callable[[str], None]) -> None:
        project({"tfdata-lint.toml": 'extend-exclude = ["old"]\n'})
        stdin(DISCARDED)
        done = run("check", "-", "--stdin-filename", "old/a.py", "--force-exclude")
        assert (done.code, done.out) == (0, "")

    def test_name_without_dash(self, run: Run) -> None:
        done = run("check", "--stdin-filename", "a.py")
        assert (done.code, done.err) == (2, "tfdata-lint: error: --stdin-filename needs `-` as the path\n")

    def test_dash_and_others(self, run: Run) -> None:
        done = run("check", "-", "a.py")
        assert (done.code, done.err) == (2, "tfdata-lint: error: `-` cannot be combined with other paths\n")


class TestBadInput:
    """One clear line each, the rest still linted, and never a traceback."""

    def test_missing_path(self, run: Run, two_files: Path) -> None:
        done = run("check", "missing.py", "a.py", "nowhere")
        assert done.code == 2
        assert "TFD401" in done.out
        assert done.err.splitlines() == [
            "tfdata-lint: error: no such file or folder: missing.py",
            "tfdata-lint: error: no such file or folder: nowhere",
        ]

    def test_unreadable_file(self, run: Run, two_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(path: str) -> bytes:
            if path == "b.py":
                raise PermissionError(13, "Permission denied")
            return Path(path).read_bytes()

        monkeypatch.setattr("tfdata_lint.lint.linting.content", SimpleNamespace(read=refuse))
        done = run("check", "--output-format", "concise")
        assert done.code == 1
        assert codes(done.out) == ["TFD401", "TFD000"]
        assert "b.py:1:1: error TFD000 unreadable-source: cannot read this file: Permission denied" in done.out

    @pytest.mark.parametrize(
        ("name", "content", "row"),
        [
            ("broken.py", BROKEN, 3),
            ("tabs.py", "if x:\n\ty = 1\n        z = tf.data\n", 3),
            ("bytes.py", b"import tensorflow as tf\nx = tf.data.Dataset('\xff')\n", 2),
            ("coding.py", b"# coding: no-such\nimport tensorflow\n", 1),
            ("nul.py", b"import tensorflow as tf\nx = tf.data\0\n", 2),
            ("broken.ipynb", '{"cells": [\n', 2),
            ("list.ipynb", "[]", 1),
            ("deep.py", "import tensorflow as tf\nx = tf.data" + "(" * 3000 + ")" * 3000 + "\n", 2),
        ],
    )
    def test_unreadable_source(self, name: str, content: str | bytes, row: int, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, name: content})
        found = json.loads(run("check", name, "a.py", "--output-format", "json").out)
        assert [(f["code"], f["filename"]) for f in found] == [("TFD401", "a.py"), ("TFD000", name)]
        assert found[1]["location"]["row"] == row
        assert found[1]["severity"] == "error"
        done = run("check", name, "a.py")
        assert done.code == 1
        assert done.err == ""
        assert "Traceback" not in done.out

    def test_one_broken_cell(self, run: Run, project: Project) -> None:
        project({"n.ipynb": notebook("x = (tf.data", SEVERAL)})
        done = run("check", "--output-format", "concise")
        assert [line.split(": ")[0] for line in done.out.splitlines()[:2]] == [
            "n.ipynb:cell 1:1:5",
            "n.ipynb:cell 2:4:1",
        ]

    def test_a_long_chain(self, run: Run, project: Project) -> None:
        chain = "ds = tf.data.Dataset.range(3)" + ".skip(0)" * 300
        project({"a.py": f"import tensorflow as tf\n{chain}\nds.shuffle(1024)\n"})
        assert concise(run, "--select", "TFD401") == ["TFD401"]

    def test_wrong_configuration(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, "pyproject.toml": "[tool.tfdata-lint]\nselct = []\n"})
        done = run("check")
        assert done.code == 2
        assert "TFD401" in done.out
        assert done.err == "tfdata-lint: error: pyproject.toml:2: unknown key `selct`; did you mean `select`?\n"

    def test_malformed_configuration(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, "tfdata-lint.toml": "select = [\n"})
        done = run("check")
        assert done.code == 2
        assert done.err.startswith("tfdata-lint: error: tfdata-lint.toml:")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--select", "TFD999"], "--select: unknown rule `TFD999`"),
            (["--ignore", "TFD101,missing-prefetsch"], "did you mean `missing-prefetch`?"),
            (["--extend-select", "tfd101"], "--extend-select: unknown rule `tfd101`; did you mean `TFD101`?"),
            (["--target-tensorflow", "two"], "--target-tensorflow: not a TensorFlow version: 'two'"),
            (
                ["--target-tensorflow", "3.0"],
                "--target-tensorflow: not a TensorFlow version: '3.0' (the newest known version is",
            ),
            (["--config", "missing.toml"], "no such configuration file: missing.toml"),
            (["--config", "a.py", "--isolated"], "--config and --isolated cannot be combined"),
            (["--fail-level", "note"], "invalid choice: 'note'"),
            (["--output-format", "xml"], "invalid choice: 'xml'"),
            (["--xyzzy"], "unrecognized arguments: --xyzzy (see `tfdata-lint check --help`)"),
            (["--selct=TFD1", "a.py"], "unrecognized arguments: --selct=TFD1; did you mean `--select`? (see `"),
            (["--version"], "unrecognized arguments: --version; did you mean `tfdata-lint --version`? (see `"),
            (["--select", ""], "--select: no rule given"),
            (["--cache-dir", "a.py"], "cannot keep results in a.py: it is not a folder"),
            (["--output-file", "a.py/findings"], "--output-file: cannot write a.py/findings: Not a directory"),
        ],
    )
    def test_wrong_options(self, arguments: list[str], message: str, run: Run, two_files: Path) -> None:
        done = run("check", *arguments)
        assert done.code == 2
        assert done.out == ""
        assert len(done.err.splitlines()) == 1
        assert message in done.err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["chek"], "argument COMMAND: invalid choice: 'chek'; did you mean `check`? (see `tfdata-lint --help`)"),
            (
                ["train"],
                "argument COMMAND: invalid choice: 'train' (choose from check, graph, rule, tune, profile, ",
            ),
            (["lint", "src"], "did you mean `tfdata-lint check`?"),
            (["verify", "a.py"], "did you mean `tfdata-lint check --verify TARGET`?"),
            (["explain", "TFD101"], "did you mean `tfdata-lint rule CODE`?"),
            (["baseline"], "did you mean `tfdata-lint check --write-baseline`?"),
            (["version"], "did you mean `tfdata-lint --version`?"),
            (["observe"], "did you mean `with tfdata_lint.observe():` in your program, or `tfdata-lint check --verify"),
            (["a.py"], "argument COMMAND: invalid choice: 'a.py'; did you mean `tfdata-lint check a.py`? (see `"),
            (["rule", "TFD5O1"], "unknown rule `TFD5O1`; did you mean `TFD501`?"),
            (["check", "--select", "TFD3O6"], "unknown rule `TFD3O6`; did you mean `TFD306`?"),
            (["check", "--ignore", "TFD36"], "unknown rule `TFD36`; did you mean `TFD306`?"),
            (["check", "--ignore", "TFD999"], "unknown rule `TFD999`; `tfdata-lint rule` lists them"),
            (["rule", "tfd51"], "unknown rule `tfd51`; did you mean `TFD501`?"),
            (["rule", "TFD50"], "`TFD50` is the beginning of 6 codes: TFD501, TFD502"),
            (["profile", "missing.json"], "cannot read missing.json: No such file or directory"),
            (["graph", "missing.py"], "no such file or folder: missing.py"),
        ],
    )
    def test_wrong_commands(self, arguments: list[str], message: str, run: Run, two_files: Path) -> None:
        done = run(*arguments)
        assert (done.code, done.out) == (2, "")
        assert len(done.err.splitlines()) == 1
        assert message in done.err

    def test_rules_that_cannot_be_loaded(self, run: Run, two_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail() -> None:
            raise tfdata_rules.RuleError("cannot load the rules of x: ImportError: no y")

        import tfdata_lint.rules as tfdata_rules
        from tfdata_lint.config.settings.selection import active_rules

        active_rules.cache_clear()
        monkeypatch.setattr(tfdata_rules, "entries", fail)
        done = run("check")
        active_rules.cache_clear()
        assert (done.code, done.err) == (2, "tfdata-lint: error: cannot load the rules of x: ImportError: no y\n")

    def test_interrupted(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(_: object) -> int:
            raise KeyboardInterrupt

        monkeypatch.setattr(check, "run", interrupt)
        done = run("check")
        assert (done.code, done.err) == (130, "tfdata-lint: interrupted\n")

    def test_a_failure_of_ours(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_: object) -> int:
            raise ValueError("odd")

        monkeypatch.setattr(check, "run", fail)
        done = run("check")
        assert done.code == 2
        assert done.err == "tfdata-lint: error: ValueError: odd (TFDATA_LINT_DEBUG=1 says where)\n"


class TestProcess:
    """The same through a real process."""

    @staticmethod
    def start(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
        path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
        return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
            [sys.executable, "-m", "tfdata_lint", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path, "PYTHONIOENCODING": "ascii"}, **options,
        )  # fmt: skip

    def test_version_and_help(self) -> None:
        with self.start("--version") as process:
            assert process.stdout
            assert process.stdout.read().startswith(b"tfdata-lint ")
        with self.start("check", "--help") as process:
            assert process.stdout
            assert b"exit codes:" in process.stdout.read()

    def test_no_command(self) -> None:
        with self.start() as process:
            assert process.stderr
            assert process.stderr.read().count(b"\n") == 1
        assert process.returncode == 2

    def test_findings_on_a_terminal_without_unicode(self, project: Project) -> None:
        project({"ñ.py": DISCARDED + "x = '猫'; dataset.shuffle(2)\n"})
        with self.start("check") as process:
            out, err = process.communicate()
        assert (process.returncode, err) == (1, b"")
        assert b"TFD401" in out

    @pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="has no pipes that break")
    def test_a_reader_that_has_seen_enough(self, project: Project) -> None:
        project({f"{number}.py": DISCARDED for number in range(300)})
        with self.start("check") as process:
            assert process.stdout
            assert process.stderr
            process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 0


class TestProgress:
    @pytest.fixture
    def _slow(self, two_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = iter(range(0, 1000, 3))
        monkeypatch.setattr(printer, "monotonic", lambda: next(clock))

    @pytest.mark.usefixtures("_slow")
    def test_on_a_terminal(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
        assert run("check").err.startswith("\r1 file checked, 3 s …\r\x1b[K")
        assert run("check", "--quiet").err == ""

    @pytest.mark.usefixtures("_slow")
    def test_nowhere_else(self, run: Run) -> None:
        assert run("check").err == ""
