"""`tfdata-lint check`: fixes, suppressions, and what is left of a file when they cannot be made."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.samples import BROKEN, CLEAN, DISCARDED, FIXABLE, FIXED, SAFE, notebook

from tfdata_lint import Finding, Rule, fix_source
from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Applicability

Run = Callable[..., SimpleNamespace]
Project = Callable[[Mapping[str, str | bytes]], Path]
Stdin = Callable[[str | bytes], None]

#: After the fix of TFD401 alone.
DISCARDED_FIXED = FIXABLE.replace("dataset.shuffle(", "dataset = dataset.shuffle(")
WHY_UNSAFE = "the call now takes effect"


def read(path: str) -> str:
    """A file in the working directory."""
    return Path(path).read_bytes().decode()


@pytest.fixture
def one_file(project: Project) -> Path:
    return project({"a.py": FIXABLE})


class TestFix:
    def test_safe_fixes(self, run: Run, one_file: Path) -> None:
        done = run("check", "--fix", "--output-format", "concise")
        assert read("a.py") == SAFE
        assert (done.code, done.err) == (1, "")
        assert done.out.splitlines() == [
            "a.py:10:1: error TFD401 discarded-result: The result of `dataset.shuffle` is thrown away",
            "Fixed 1 finding in 1 file: 1 TFD102.",
            "Found 1 error in 1 of 1 file.",
            "1 finding can be fixed with `--fix --unsafe-fixes`:",
            f"  a.py:10:1 TFD401 discarded-result: {WHY_UNSAFE}",
        ]

    def test_interrupted(self, run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        """What was fixed until then is told, with what was found beside it."""
        from tfdata_lint.lint import changing, fixes

        settle = fixes.settle

        def interrupt(data: bytes, path: str, *arguments: object) -> fixes.Settled:
            if path.endswith("b.py"):
                raise KeyboardInterrupt
            return settle(data, path, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(changing, "settle", interrupt)
        project({"a.py": FIXABLE, "b.py": FIXABLE})
        done = run("check", "--fix", "--output-format", "concise")
        assert (read("a.py"), read("b.py"), done.code) == (SAFE, FIXABLE, 130)
        assert re.findall(r"^\w\.py.*?(TFD\d+)", done.out, re.MULTILINE) == ["TFD401"]
        assert "Fixed 1 finding in 1 file: 1 TFD102.\n" in done.out

    def test_unsafe_fixes(self, run: Run, one_file: Path) -> None:
        done = run("check", "--fix", "--unsafe-fixes")
        assert read("a.py") == FIXED
        assert done.code == 0
        assert done.out.splitlines() == [
            "Fixed 2 findings in 1 file: 1 TFD102, 1 TFD401.",
            "All clear: no findings in 1 file.",
        ]

    def test_a_second_time_there_is_nothing_to_fix(self, run: Run, one_file: Path) -> None:
        run("check", "--fix", "--unsafe-fixes")
        done = run("check", "--fix", "--unsafe-fixes")
        assert read("a.py") == FIXED
        assert (done.code, done.out) == (0, "Fixed nothing.\nAll clear: no findings in 1 file.\n")

    def test_without_it_nothing_is_written(self, run: Run, one_file: Path) -> None:
        summary = run("check").out.splitlines()[-1]
        assert summary == "1 can be fixed with `--fix`, 1 more with `--fix --unsafe-fixes`."
        assert run("check", "--unsafe-fixes").out.splitlines()[-1] == "2 can be fixed with `--fix --unsafe-fixes`."
        assert read("a.py") == FIXABLE

    def test_only_selected_rules(self, run: Run, one_file: Path) -> None:
        assert run("check", "--fix", "--unsafe-fixes", "--select", "TFD401").code == 0
        assert read("a.py") == DISCARDED_FIXED

    def test_many_files(self, run: Run, project: Project) -> None:
        project({"a.py": FIXABLE, "broken.py": BROKEN, "clean.py": CLEAN, "sub/c.py": FIXABLE})
        done = run("check", "--fix", "--unsafe-fixes")
        assert [read(name) for name in ("a.py", "broken.py", "clean.py", "sub/c.py")] == [FIXED, BROKEN, CLEAN, FIXED]
        assert done.code == 1
        assert done.out.startswith("broken.py:3:27: error TFD000")
        assert done.out.endswith("Fixed 4 findings in 2 files: 2 TFD102, 2 TFD401.\nFound 1 error in 1 of 4 files.\n")

    def test_of_files_with_one_reason_the_first_is_named(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, "b.py": DISCARDED})
        assert run("check", "--fix").out.splitlines()[-2:] == [
            "2 findings can be fixed with `--fix --unsafe-fixes`:",
            f"  a.py:4:1 and 1 more TFD401 discarded-result: {WHY_UNSAFE}",
        ]

    def test_fail_level_is_about_what_is_left(self, run: Run, one_file: Path) -> None:
        assert run("check", "--ignore", "TFD401", "--fail-level", "warning").code == 1
        assert run("check", "--ignore", "TFD401", "--fail-level", "warning", "--fix").code == 0

    def test_exit_zero(self, run: Run, one_file: Path) -> None:
        assert run("check", "--fix", "--exit-zero").code == 0
        assert read("a.py") == SAFE

    def test_quiet(self, run: Run, one_file: Path) -> None:
        assert "Fixed" not in run("check", "--fix", "--quiet").out
        assert run("check", "--fix", "--unsafe-fixes", "--quiet").out == ""
        assert read("a.py") == FIXED

    def test_json_is_what_is_left(self, run: Run, one_file: Path) -> None:
        done = run("check", "--fix", "--output-format", "json")
        assert [finding["code"] for finding in json.loads(done.out)] == ["TFD401"]
        assert done.err.startswith("Fixed 1 finding in 1 file: 1 TFD102.\n")

    def test_statistics_are_of_what_is_left(self, run: Run, one_file: Path) -> None:
        assert run("check", "--fix", "--statistics", "-q").out == "1  TFD401  discarded-result  error\n"


class TestFixOnly:
    def test_what_is_left_is_not_reported(self, run: Run, one_file: Path) -> None:
        done = run("check", "--fix-only")
        assert read("a.py") == SAFE
        assert done.code == 0
        assert done.out.startswith("Fixed 1 finding in 1 file: 1 TFD102.\n1 finding can be fixed with")

    def test_what_could_not_be_read_is(self, run: Run, project: Project) -> None:
        project({"a.py": BROKEN})
        done = run("check", "--fix-only", "--output-format", "json")
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("a.py:3:27: error TFD000 unreadable-source: ")


class TestShowFixes:
    def test_each_is_listed(self, run: Run, one_file: Path) -> None:
        assert run("check", "--fix", "--unsafe-fixes", "--show-fixes").out.splitlines() == [
            "Fixed 2 findings in 1 file:",
            "  a.py:9:19 TFD102 sequential-map: Use `num_parallel_calls=tf.data.AUTOTUNE` (safe)",
            f"  a.py:10:1 TFD401 discarded-result: Assign the result back to `dataset` (unsafe: {WHY_UNSAFE})",
            "All clear: no findings in 1 file.",
        ]


class TestDiff:
    DIFF = "\n".join(
        [
            "--- a.py",
            "+++ a.py",
            "@@ -6,5 +6,5 @@",
            " ",
            " ",
            ' dataset = tf.data.Dataset.list_files("images/*")',
            "-dataset = dataset.map(load, num_parallel_calls=1)",
            "+dataset = dataset.map(load, num_parallel_calls=tf.data.AUTOTUNE)",
            " dataset.shuffle(1024)",
            "",
        ]
    )

    def test_the_changes_and_nothing_else(self, run: Run, one_file: Path) -> None:
        done = run("check", "--diff")
        assert (done.code, done.out) == (1, self.DIFF)
        assert done.err.startswith("Would fix 1 finding in 1 file: 1 TFD102.\n1 finding can be fixed with")
        assert read("a.py") == FIXABLE

    @pytest.mark.parametrize(
        "others", [["--fix"], ["--fix-only"], ["--statistics"], ["--output-format", "json"], ["--quiet"]]
    )
    def test_with_other_options_too(self, others: list[str], run: Run, one_file: Path) -> None:
        done = run("check", "--diff", *others)
        assert (done.code, done.out) == (1, self.DIFF)
        assert read("a.py") == FIXABLE

    def test_findings_without_a_change(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED})
        done = run("check", "--diff")
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("Nothing to fix.\n1 finding can be fixed with `--fix --unsafe-fixes`:\n")

    def test_what_could_not_be_read_is_told_beside_it(self, run: Run, project: Project) -> None:
        project({"a.py": FIXABLE, "b.py": BROKEN})
        done = run("check", "--diff", "--quiet")
        assert done.out == self.DIFF
        assert done.err.startswith("b.py:3:27: error TFD000")

    def test_exit_zero(self, run: Run, one_file: Path) -> None:
        assert run("check", "--diff", "--exit-zero").code == 0

    def test_color(self, run: Run, one_file: Path) -> None:
        out = run("check", "--diff", "--color", "always").out
        assert "\x1b[1m--- a.py\x1b[0m\n" in out
        assert "\x1b[31m-dataset = dataset.map(load, num_parallel_calls=1)\x1b[0m\n" in out


class TestSettings:
    """`fixable`, `unfixable`, `extend-safe-fixes` and `extend-unsafe-fixes`."""

    @pytest.mark.parametrize(
        ("settings", "safe", "unsafe"),
        [
            ("", SAFE, FIXED),
            ('unfixable = ["TFD102"]', FIXABLE, DISCARDED_FIXED),
            ('unfixable = ["ALL"]', FIXABLE, FIXABLE),
            ('fixable = ["correctness"]', FIXABLE, DISCARDED_FIXED),
            ("fixable = []", FIXABLE, FIXABLE),
            ('fixable = ["TFD102"]\nunfixable = ["TFD1"]', SAFE, SAFE),
            ('extend-safe-fixes = ["discarded-result"]', FIXED, FIXED),
            ('extend-unsafe-fixes = ["TFD1"]', FIXABLE, FIXED),
            ('extend-safe-fixes = ["ALL"]\nextend-unsafe-fixes = ["TFD102"]', DISCARDED_FIXED, FIXED),
            ('extend-safe-fixes = ["TFD401"]\nunfixable = ["TFD401"]', SAFE, SAFE),
        ],
    )
    def test_what_is_fixed(self, settings: str, safe: str, unsafe: str, run: Run, project: Project) -> None:
        project({"a.py": FIXABLE, "tfdata-lint.toml": settings})
        run("check", "--fix")
        assert read("a.py") == safe
        project({"a.py": FIXABLE})
        run("check", "--fix", "--unsafe-fixes")
        assert read("a.py") == unsafe

    def test_what_is_not_fixable_is_not_offered(self, run: Run, project: Project) -> None:
        project({"a.py": FIXABLE, "tfdata-lint.toml": 'unfixable = ["TFD102"]'})
        done = run("check")
        assert "fix: display-only" not in done.out
        assert done.out.splitlines()[-1] == "1 can be fixed with `--fix --unsafe-fixes`."

    def test_who_calls_it_unsafe(self, run: Run, project: Project) -> None:
        project({"a.py": FIXABLE, "tfdata-lint.toml": 'extend-unsafe-fixes = ["TFD102"]'})
        assert "  a.py:9:19 TFD102 sequential-map: the settings mark it as unsafe" in run("check", "--diff").err

    def test_a_wrong_rule(self, run: Run, project: Project) -> None:
        project({"a.py": CLEAN, "tfdata-lint.toml": 'unfixable = ["TFD999"]\n'})
        done = run("check")
        assert done.code == 2
        assert "tfdata-lint.toml:1: `unfixable`: unknown rule `TFD999`" in done.err


class TestStandardInput:
    def test_fixed_text_out_messages_aside(self, run: Run, stdin: Stdin) -> None:
        stdin(FIXABLE)
        done = run("check", "-", "--fix", "--output-format", "concise")
        assert (done.code, done.out) == (1, SAFE)
        assert done.err.startswith("<stdin>:10:1: error TFD401 ")
        assert "\nFixed 1 finding in 1 file: 1 TFD102.\n" in done.err

    def test_quietly(self, run: Run, stdin: Stdin) -> None:
        stdin(FIXABLE)
        done = run("check", "-", "--fix", "--unsafe-fixes", "-q")
        assert (done.code, done.out, done.err) == (0, FIXED, "")

    def test_json_is_a_message(self, run: Run, stdin: Stdin) -> None:
        stdin(FIXABLE)
        done = run("check", "-", "--fix", "--output-format", "json", "-q")
        assert done.out == SAFE
        assert [finding["code"] for finding in json.loads(done.err)] == ["TFD401"]

    def test_fix_only(self, run: Run, stdin: Stdin) -> None:
        stdin(FIXABLE)
        done = run("check", "-", "--fix-only", "-q")
        assert (done.code, done.out, done.err) == (0, SAFE, "")

    @pytest.mark.parametrize("text", ["", CLEAN, BROKEN, DISCARDED, DISCARDED.replace("\n", "\r\n"), "\ufeffx = 1"])
    def test_nothing_to_fix(self, text: str, run: Run, stdin: Stdin) -> None:
        stdin(text)
        assert run("check", "-", "--fix").out == text

    @pytest.mark.parametrize("option", ["--fix", "--add-noqa"])
    def test_an_excluded_file_comes_through(self, option: str, run: Run, project: Project, stdin: Stdin) -> None:
        project({"tfdata-lint.toml": 'extend-exclude = ["old"]\n'})
        stdin(FIXABLE)
        done = run("check", "-", option, "--stdin-filename", "old/a.py", "--force-exclude")
        assert (done.code, done.out, done.err) == (0, FIXABLE, "")

    def test_diff(self, run: Run, stdin: Stdin) -> None:
        stdin(FIXABLE)
        done = run("check", "-", "--diff", "--stdin-filename", "a.py")
        assert (done.code, done.out) == (1, TestDiff.DIFF)

    def test_a_notebook(self, run: Run, stdin: Stdin) -> None:
        stdin(notebook(FIXABLE))
        done = run("check", "-", "--fix", "--stdin-filename", "n.ipynb")
        assert json.loads(done.out) == json.loads(notebook(SAFE))

    def test_row_endings(self, run: Run, stdin: Stdin) -> None:
        stdin(FIXABLE.replace("\n", "\r\n"))
        assert run("check", "-", "--fix").out == SAFE.replace("\n", "\r\n")

    def test_the_file_of_that_name_is_not_touched(self, run: Run, one_file: Path, stdin: Stdin) -> None:
        stdin(FIXABLE)
        assert run("check", "-", "--fix", "--stdin-filename", "a.py").out == SAFE
        assert read("a.py") == FIXABLE


class TestBytes:
    """Everything that is not part of a fix stays as it is."""

    BEFORE, AFTER = b"map(load, num_parallel_calls=1)", b"map(load, num_parallel_calls=tf.data.AUTOTUNE)"

    @pytest.mark.parametrize(
        "content",
        [
            FIXABLE.encode(),
            FIXABLE.rstrip().encode(),
            FIXABLE.replace("\n", "\r\n").encode(),
            FIXABLE.replace("\n", "\r").encode(),
            FIXABLE.replace("\n", "\r\n", 4).encode(),
            b"\xef\xbb\xbf" + FIXABLE.encode(),
            f"# -*- coding: latin-1 -*-\n# \xe9\xff\n{FIXABLE}".encode("latin-1"),
            f"# -*- coding: shift_jis -*-\nx = 'ソ'\n{FIXABLE}".encode("shift_jis"),
            ("\f\t\n# 猫  \n" + FIXABLE + "\n\n \t").encode(),
        ],
        ids=["lf", "no last newline", "crlf", "cr", "mixed", "bom", "latin-1", "shift_jis", "blanks"],
    )
    def test_a_module(self, content: bytes, run: Run, project: Project) -> None:
        project({"a.py": content})
        assert "Fixed 1 finding " in run("check", "--fix").out
        assert Path("a.py").read_bytes() == content.replace(self.BEFORE, self.AFTER)

    def test_a_marimo_notebook(self, run: Run, project: Project) -> None:
        head, *definitions = FIXABLE.split("\n\n\n")
        cells = [f"@app.cell\ndef _():\n    {row}\n    return (tf,)\n" for row in head.splitlines() if row]
        cells += [f"@app.function\n{definitions[0]}\n"]
        body = definitions[1].rstrip().replace("\n", "\n    ")
        # It comes first in the file, and uses names of the others.
        text = "\n\n".join(
            ["import marimo\n\napp = marimo.App()\n", f"@app.cell\ndef _(tf):\n    {body}\n    return\n", *cells]
        )
        project({"n.py": text})
        done = run("check", "--fix")
        assert "Fixed 1 finding in 1 file" in done.out + done.err
        assert read("n.py") == text.replace("num_parallel_calls=1", "num_parallel_calls=tf.data.AUTOTUNE")

    @pytest.mark.parametrize(
        "layout",
        [{"indent": 1}, {"indent": "\t", "sort_keys": True}, {"separators": (",", ":")}, {"ensure_ascii": False}],
    )
    def test_a_notebook(self, layout: dict[str, object], run: Run, project: Project) -> None:
        cells = json.loads(notebook(("markdown", "# Größe"), "%matplotlib inline\nx = 'é'\n", FIXABLE))
        cells["cells"][1] |= {"outputs": [{"output_type": "stream", "text": "map(lo\u00e4d)"}], "execution_count": 7}
        before = json.dumps(cells, **layout).encode() + b"\n"  # type: ignore[arg-type]
        project({"n.ipynb": before})
        assert "Fixed 1 finding " in run("check", "--fix").out
        assert Path("n.ipynb").read_bytes() == before.replace(self.BEFORE, self.AFTER)


class TestFilesThatCannotBeWritten:
    """One clear line, the original intact, the findings still reported, and the other files fixed."""

    @pytest.fixture(autouse=True)
    def _files(self, project: Project) -> None:
        project({"a.py": FIXABLE, "b.py": FIXABLE})

    def check(self, run: Run, reason: str, a: str = FIXABLE, left: tuple[str, ...] = ("TFD102", "TFD401")) -> None:
        done = run("check", "--fix", "--unsafe-fixes", "--output-format", "concise")
        assert done.code == 2
        assert done.err == f"tfdata-lint: error: a.py: {reason}\n"
        assert re.findall(r"^\w\.py.*(TFD\d+)", done.out, re.MULTILINE) == [*left]
        assert "Fixed 2 findings in 1 file: 1 TFD102, 1 TFD401.\n" in done.out
        assert (read("a.py"), read("b.py")) == (a, FIXED)
        assert [name for name in os.listdir() if name.endswith(".tmp")] == []

    def test_read_only(self, run: Run) -> None:
        Path("a.py").chmod(0o444)
        self.check(run, "this file is read-only; allow writing it (`chmod u+w`) and run again")

    def test_a_full_disk(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        refused = iter([OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])

        def fsync(descriptor: int) -> None:
            if error := next(refused, None):
                raise error

        monkeypatch.setattr(os, "fsync", fsync)
        self.check(run, "there is no space left on the disk; make room and run again")

    @pytest.mark.skipif(os.name != "posix", reason="not everybody may make links")
    def test_a_symbolic_link(self, run: Run, tmp_path: Path) -> None:
        target = tmp_path / "target.py"
        target.write_text(FIXABLE)
        Path("a.py").unlink()
        Path("a.py").symlink_to(target)
        self.check(run, f"this is a symbolic link to `{target}`; fix that file instead")
        assert Path("a.py").is_symlink()
        assert target.read_text() == FIXABLE

    def test_changed_while_it_is_linted(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        from tfdata_lint.lint import changing, fixes

        settle = fixes.settle

        def meanwhile(data: bytes, path: str, *arguments: object) -> fixes.Settled:
            if path.endswith("a.py"):
                Path(path).write_text("# saved by an editor\n")
            return settle(data, path, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(changing, "settle", meanwhile)
        # What is left is found in the new text.
        self.check(run, "this file was changed since it was read; run again", a="# saved by an editor\n", left=())

    def test_the_diff_needs_no_right_to_write(self, run: Run) -> None:
        Path("a.py").chmod(0o444)
        done = run("check", "--diff", "-q", "a.py")
        assert (done.code, done.err) == (1, "")


class Rewrites(Rule):
    """A rule made up for a test: a pattern in the text that shall become something else."""

    group = "performance"
    summary = "Made up"
    name = "made-up"

    def __init__(self, code: str, pattern: str, text: str, applicability: Applicability = "safe") -> None:
        self.code = code  # type: ignore[misc]
        self.pattern, self.text, self.applicability = pattern, text, applicability

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        draft = Draft(graph)
        for found in re.finditer(self.pattern, draft.syntax.text):
            draft = Draft(graph)
            draft.put(found.start(), found.end(), found.expand(self.text))
            span = draft.syntax.span(found.start(), found.end())
            yield self.finding(span, "seen", cost="", advice="", fix=draft.fix(self.applicability, "Change", "why"))


class TestPasses:
    TEXT = "import tensorflow as tf\n\nds = tf.data.Dataset.range(3)\nx = 1\n"

    @pytest.fixture(autouse=True)
    def _file(self, project: Project) -> None:
        project({"a.py": self.TEXT})

    def refusal(self, run: Run) -> str:
        """What is said of fixes that are not made, with the file left as it is."""
        done = run("check", "--fix", "--output-format", "concise")
        assert done.code == 2
        assert read("a.py") == self.TEXT
        assert "Fixed nothing.\n" in done.out
        assert run("check", "--diff", "-q").code == 2
        (line,) = [line for line in done.out.splitlines() if "TFD002" in line]
        return str(line)

    def test_fixes_that_meet_are_made_one_after_the_other(self, run: Run, with_rules: Callable[..., None]) -> None:
        first = Rewrites("TFD197", r"range\(3\)(?=\n)", "range(3).skip(1)")
        second = Rewrites("TFD198", r"range\(3\)", "range(4)")
        with_rules(second, first)
        done = run("check", "--fix", "--show-fixes")
        assert read("a.py") == self.TEXT.replace("range(3)", "range(4).skip(1)")
        assert re.findall(r"(3:\d+ TFD\d+)", done.out) == ["3:22 TFD197", "3:22 TFD198"]
        assert done.code == 0

    def test_a_fix_may_make_room_for_another(self, run: Run, with_rules: Callable[..., None]) -> None:
        with_rules(Rewrites("TFD197", "x = 1", "x = 2"), Rewrites("TFD198", "x = 2", "x = 3"))
        assert run("check", "--fix").code == 0
        assert read("a.py") == self.TEXT.replace("x = 1", "x = 3")

    def test_rules_that_undo_each_other(self, run: Run, with_rules: Callable[..., None]) -> None:
        with_rules(Rewrites("TFD197", "x = 1", "x = 2"), Rewrites("TFD198", "x = 2", "x = 1"))
        assert "the fixes of TFD197 and TFD198 undo each other, so a.py was not changed" in self.refusal(run)

    def test_a_fix_that_breaks_the_code(self, run: Run, with_rules: Callable[..., None]) -> None:
        with_rules(Rewrites("TFD197", "x = 1", "x = ("))
        assert "the fix of TFD197 would leave code that does not parse, so a.py was not changed" in self.refusal(run)

    def test_fixes_without_end(self, run: Run, with_rules: Callable[..., None]) -> None:
        with_rules(Rewrites("TFD197", r"x = (\d+)", r"x = \g<1>0"))
        assert "the fix of TFD197 never ended, so a.py was not changed" in self.refusal(run)

    def test_fixes_that_come_to_an_end_late(self, run: Run, with_rules: Callable[..., None]) -> None:
        with_rules(Rewrites("TFD197", r"x = (\d{1,9})(?=\n)", r"x = \g<1>0"))
        assert run("check", "--fix").code == 0
        assert read("a.py") == self.TEXT.replace("x = 1", "x = 1" + 9 * "0")

    def test_the_other_files_are_fixed(self, run: Run, project: Project, with_rules: Callable[..., None]) -> None:
        project({"b.py": self.TEXT.replace("x", "y")})
        with_rules(Rewrites("TFD197", "x = 1", "x = ("), Rewrites("TFD198", r"range\(3\)", "range(4)"))
        assert run("check", "--fix").code == 2
        assert read("a.py") == self.TEXT
        assert "range(4)" in read("b.py")

    def test_fixes_for_display_only(self, run: Run, with_rules: Callable[..., None]) -> None:
        with_rules(Rewrites("TFD197", "x = 1", "x = 2", "display-only"))
        done = run("check", "--fix", "--unsafe-fixes")
        assert done.code == 1
        assert done.out.endswith("Fixed nothing.\nFound 1 warning in 1 of 1 file.\n")
        assert read("a.py") == self.TEXT

    def test_a_rule_that_fails_does_not_keep_others_from_it(self, run: Run, with_rules: Callable[..., None]) -> None:
        with_rules(Rewrites("TFD197", "(", ""), Rewrites("TFD198", "x = 1", "x = 2"))
        done = run("check", "--fix-only")
        assert done.code == 2
        assert "a.py:1:1: error TFD002 internal-error: rule TFD197 made-up failed on a.py" in done.err
        assert read("a.py") == self.TEXT.replace("x = 1", "x = 2")


class TestNeedless:
    """Advice about what the runtime does by itself."""

    TEXT = FIXABLE.replace(", num_parallel_calls=1", "").replace("dataset.shuffle", "dataset = dataset.shuffle")
    FIXED = TEXT.replace("map(load)", "map(load, num_parallel_calls=tf.data.AUTOTUNE)")

    def test_it_is_left_and_says_why(self, run: Run, project: Project) -> None:
        project({"a.py": self.TEXT})
        assert "TensorFlow parallelizes this stateless function by itself" in run("check", "--advice").out
        for options in (), ("--unsafe-fixes",):
            done = run("check", "--advice", "--fix", *options)
            assert read("a.py") == self.TEXT
            assert "fix: safe: `--fix` skips it, because TensorFlow already does this" in done.out
            assert "can be fixed" not in run("check").out + done.out
        assert run("check", "--diff").out == ""

    def test_another_reason_than_tensorflow(self, run: Run, project: Project) -> None:
        """A parallel stage works ahead, whichever TensorFlow runs it."""
        text = self.FIXED.replace("dataset = dataset.shuffle(1024)", "model.fit(dataset.batch(8))")
        project({"a.py": text, "requirements.txt": "tensorflow==2.8\n"})
        out = run("check").out
        assert "`--fix` skips the following, because the last stage already works ahead:\n  TFD101" in out
        assert "by itself" not in out
        assert "fix: safe: `--fix` skips it, because the last stage already works ahead" in run("check", "--advice").out

    @pytest.mark.parametrize("setting", ['target-tensorflow = "2.5"', 'extend-safe-fixes = ["TFD102"]'])
    def test_where_it_is_asked_for(self, setting: str, run: Run, project: Project) -> None:
        project({"a.py": self.TEXT, "tfdata-lint.toml": setting})
        run("check", "--fix")
        assert read("a.py") == self.FIXED

    def test_as_a_function(self) -> None:
        assert fix_source(self.TEXT).after is None
        after = fix_source(self.TEXT, needless=True).after
        assert after is not None
        assert after.decode() == self.FIXED

    def test_where_the_settings_forbid_it(self, run: Run, project: Project) -> None:
        project({"a.py": self.TEXT, "tfdata-lint.toml": 'extend-safe-fixes = ["ALL"]\nunfixable = ["TFD102"]'})
        run("check", "--fix", "--unsafe-fixes")
        assert read("a.py") == self.TEXT


class TestSuppressions:
    def test_what_is_suppressed_is_not_fixed(self, run: Run, project: Project) -> None:
        text = FIXABLE.replace("map(load, num_parallel_calls=1)", "map(load, num_parallel_calls=1)  # noqa: TFD102")
        project({"a.py": text})
        run("check", "--fix")
        assert read("a.py") == text

    @pytest.mark.parametrize(
        ("comment", "left"),
        [
            ("  # noqa: TFD101", ""),
            ("  # noqa: TFD101, E501", "  # noqa: E501"),
            ("  # tfdata-lint: ignore[TFD101]", ""),
            ("  # noqa", "  # noqa"),
        ],
    )
    def test_unused_ones_are_removed(self, comment: str, left: str, run: Run, project: Project) -> None:
        project({"a.py": f"x = 1{comment}\n"})
        assert run("check", "--fix").code == 0
        assert read("a.py") == f"x = 1{left}\n"

    def test_ignore_noqa(self, run: Run, project: Project) -> None:
        comment = "  # noqa: TFD401"
        project({"a.py": DISCARDED.rstrip() + comment + "\nx = 1  # noqa: TFD102\n"})
        assert run("check", "--statistics", "-q").out.split() == ["1", "TFD001", "unused-suppression", "warning"]
        for option in ("--ignore-noqa", "--show-suppressed"):
            assert run("check", "--statistics", "-q", option).out.split()[:2] == ["1", "TFD401"]
        run("check", "--ignore-noqa", "--fix", "--unsafe-fixes")
        assert f"dataset = dataset.shuffle(1024){comment}\nx = 1  # noqa: TFD102\n" in read("a.py")


class TestAddNoqa:
    def test_afterwards_all_is_clear(self, run: Run, one_file: Path) -> None:
        done = run("check", "--add-noqa")
        assert (done.code, done.out, done.err) == (0, "Suppressed 2 findings in 1 file.\n", "")
        expected = FIXABLE.replace(
            "map(load, num_parallel_calls=1)", "map(load, num_parallel_calls=1)  # tfdata-lint: ignore[TFD102]"
        )
        assert read("a.py") == expected.replace("(1024)", "(1024)  # tfdata-lint: ignore[TFD401]")
        assert run("check").code == 0
        assert run("check", "--add-noqa").out == "Nothing to suppress.\n"

    def test_a_reason(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED})
        run("check", "--add-noqa=not needed, see above")
        assert read("a.py").endswith("dataset.shuffle(1024)  # tfdata-lint: ignore[TFD401] not needed, see above\n")
        assert run("check").code == 0

    def test_what_follows_is_a_path(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, "b.py": DISCARDED})
        assert run("check", "--add-noqa", "a.py").out == "Suppressed 1 finding in 1 file.\n"
        assert (read("a.py") != DISCARDED, read("b.py") == DISCARDED) == (True, True)

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (
                ["a.py", "--add-ignore", "TFD102"],
                "--add-ignore takes no rule. To suppress only TFD102: --select TFD102 --add-ignore; for a reason:"
                ' --add-ignore="TFD102"',
            ),
            (
                ["--add-noqa", "sequential-map", "a.py"],
                "--add-noqa takes no rule. To suppress only sequential-map: --select sequential-map --add-noqa; for a"
                ' reason: --add-noqa="sequential-map"',
            ),
            (
                ["a.py", "--add-ignore", "old code"],
                'no such file or folder: old code; for a reason: --add-ignore="old code"',
            ),
            (["--add-ignore", "gone.py"], "no such file or folder: gone.py"),
        ],
    )
    def test_what_follows_and_is_no_path(self, words: list[str], said: str, run: Run, one_file: Path) -> None:
        done = run("check", *words)
        assert (done.code, done.out) == (2, "")
        assert done.err.splitlines()[0].endswith(said)
        assert len(done.err.splitlines()) == 1
        assert read("a.py") == FIXABLE

    @pytest.mark.parametrize("reason", ["see # 3", "two\nlines"])
    def test_a_reason_that_cannot_stand_in_a_comment(self, reason: str, run: Run, one_file: Path) -> None:
        done = run("check", f"--add-noqa={reason}")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("tfdata-lint: error: --add-ignore: the reason for a suppression")
        assert read("a.py") == FIXABLE

    @pytest.mark.parametrize("other", ["--fix", "--fix-only", "--ignore-noqa"])
    def test_not_together_with(self, other: str, run: Run, one_file: Path) -> None:
        done = run("check", "--add-noqa", other)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("tfdata-lint: error: --add-ignore cannot be combined with ")
        assert read("a.py") == FIXABLE

    def test_selected_rules(self, run: Run, one_file: Path) -> None:
        run("check", "--add-noqa", "--select", "TFD102")
        assert read("a.py") == FIXABLE.replace(
            "map(load, num_parallel_calls=1)", "map(load, num_parallel_calls=1)  # tfdata-lint: ignore[TFD102]"
        )

    def test_a_comment_that_is_there(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED.rstrip() + "  # noqa: E501 long\n"})
        run("check", "--add-noqa=late")
        assert read("a.py") == DISCARDED.rstrip() + "  # noqa: E501 long  # tfdata-lint: ignore[TFD401] late\n"

    def test_the_diff_of_it(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED})
        done = run("check", "--add-noqa", "--diff")
        assert (done.code, done.err) == (1, "Would suppress 1 finding in 1 file.\n")
        assert done.out.endswith("-dataset.shuffle(1024)\n+dataset.shuffle(1024)  # tfdata-lint: ignore[TFD401]\n")
        assert read("a.py") == DISCARDED

    def test_a_notebook(self, run: Run, project: Project) -> None:
        text = notebook(FIXABLE, DISCARDED + "x = 1")
        project({"n.ipynb": text})
        # The last expression of a cell is shown, not discarded.
        assert run("check", "--add-noqa").out == "Suppressed 2 findings in 1 file.\n"
        cells = json.loads(read("n.ipynb"))["cells"]
        assert "".join(cells[1]["source"]) == DISCARDED.rstrip() + "  # tfdata-lint: ignore[TFD401]\nx = 1"
        assert run("check").code == 0

    def test_a_file_that_cannot_be_written(self, run: Run, one_file: Path) -> None:
        Path("a.py").chmod(0o444)
        done = run("check", "--add-noqa")
        assert done.code == 2
        assert done.out == ""
        assert done.err.startswith("tfdata-lint: error: a.py: this file is read-only; ")

    def test_standard_input(self, run: Run, stdin: Stdin) -> None:
        stdin(DISCARDED)
        done = run("check", "-", "--add-noqa")
        assert done.out == DISCARDED.rstrip() + "  # tfdata-lint: ignore[TFD401]\n"
        assert done.err == "Suppressed 1 finding in 1 file.\n"
