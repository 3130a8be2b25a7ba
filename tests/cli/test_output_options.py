"""`check --output-format` and `--output-file`."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import samples

from tfdata_lint.config.formats import FORMATS, STREAMED
from tfdata_lint.run import engine

Run = Callable[..., Any]
Project = Callable[[Mapping[str, str | bytes]], Path]
Stdin = Callable[[str | bytes], None]


@pytest.fixture
def root(project: Project) -> Path:
    return project({"a.py": samples.DISCARDED, "n.ipynb": samples.notebook(samples.DEPRECATED), "clean.py": ""})


class TestFormats:
    @pytest.mark.parametrize("name", FORMATS)
    def test_each_of_them_tells_the_findings(self, name: str, root: Path, run: Run) -> None:
        done = run("check", "--output-format", name)
        assert done.code == 1
        assert "TFD401" in done.out
        assert "TFD701" in done.out
        assert not done.err

    @pytest.mark.parametrize("name", sorted({*FORMATS} - {*STREAMED} - {"github", "markdown", "junit"}))
    def test_without_findings_there_is_a_whole_document(self, name: str, project: Project, run: Run) -> None:
        project({"clean.py": ""})
        done = run("check", "--output-format", name)
        assert done.code == 0
        assert isinstance(json.loads(done.out), list | dict)

    @pytest.mark.parametrize("name", sorted({*STREAMED, "github"} - {"full", "concise"}))
    def test_without_findings_there_are_no_lines(self, name: str, project: Project, run: Run) -> None:
        project({"clean.py": ""})
        assert run("check", "--output-format", name).out == ""

    def test_as_a_setting(self, root: Path, run: Run) -> None:
        (root / "tfdata-lint.toml").write_text('output-format = "junit"')
        assert ElementTree.fromstring(run("check").out).tag == "testsuites"

    def test_one_that_does_not_exist(self, root: Path, run: Run) -> None:
        done = run("check", "--output-format", "html")
        assert done.code == 2
        assert "html" in done.err
        assert "sarif" in done.err

    def test_findings_have_the_same_fingerprint_when_rows_move(self, root: Path, run: Run) -> None:
        def fingerprints() -> list[str]:
            found = json.loads(run("check", "a.py", "--output-format", "gitlab").out)
            return [issue["fingerprint"] for issue in found]

        before = fingerprints()
        (root / "a.py").write_text(f"# moved\n\n{samples.DISCARDED}")
        assert fingerprints() == before

    def test_what_is_left_after_fixing(self, project: Project, run: Run) -> None:
        project({"a.py": samples.FIXABLE})
        done = run("check", "--fix", "--output-format", "json-lines")
        assert [json.loads(line)["code"] for line in done.out.splitlines()] == ["TFD401"]
        assert "Fixed 1 finding in 1 file: 1 TFD102." in done.err

    def test_statistics_are_not_printed_in_all_of_them(self, root: Path, run: Run) -> None:
        done = run("check", "--statistics", "--output-format", "sarif")
        assert (done.code, done.out) == (2, "")
        assert "--statistics does not support the format sarif" in done.err


class TestMany:
    def test_the_worst_first(self, project: Project, run: Run) -> None:
        project({"a.py": samples.FIXABLE, "b.py": samples.DISCARDED})
        by_file = run("check", "--output-format", "concise", "-q").out.splitlines()
        ranked = run("check", "--output-format", "concise", "-q", "--sort", "severity").out.splitlines()
        assert by_file != ranked
        assert sorted(by_file) == sorted(ranked)
        severities = [("error", "warning", "advice").index(row.split()[1]) for row in ranked]
        assert severities == sorted(severities)

    def test_a_summary_where_it_is_asked_for_or_needed(self, project: Project, run: Run) -> None:
        project({"a.py": samples.DISCARDED})
        row = "1  TFD401  discarded-result  error"
        assert row not in run("check").out.splitlines()
        for form in ("full", "concise"):
            assert row in run("check", "--summary", "--output-format", form).out.splitlines()
        statistics = run("check", "--summary", "--statistics").out.splitlines()
        assert statistics.count(row) == 1
        assert "Errors:" in statistics
        project({f"{name}.py": samples.DISCARDED for name in "abcdefghijkl"})
        assert "12  TFD401  discarded-result  error" in run("check").out.splitlines()

    def test_each_file_can_be_read_alone(self, project: Project, run: Run) -> None:
        project({"a.py": samples.DISCARDED, "b.py": samples.DISCARDED})
        assert run("check").out.count("= cost: ") == 2
        assert run("check").out.count("= advice: ") == 2
        assert run("check", "b.py").out.count("= cost: ") == 1


class TestAdvice:
    """It is printed in short, unless somebody asks for it."""

    TEXT = (
        "import tensorflow as tf\n\n\ndef parse(x):\n    return tf.io.decode_jpeg(x)\n\n\ndef train(model, files):\n"
        "    ds = tf.data.TFRecordDataset(files, num_parallel_reads=4)\n"
        "    model.fit(ds.shuffle(1000).map(parse).batch(32))\n"
    )
    FULL = "a.py:10:32: advice TFD102 sequential-map"
    SHORT = "TensorFlow 2.21 does the following by itself"

    def test_of_what_is_declared_the_place_is_named(self, project: Project, run: Run) -> None:
        project({"a.py": self.TEXT, "requirements.txt": "tensorflow==2.16\n"})
        # The second time from the cache.
        for _ in range(2):
            out = run("check").out
            assert "TensorFlow 2.16 (requirements.txt:1) does the following by itself:\n" in out

    def test_quiet_leaves_it_out(self, project: Project, run: Run) -> None:
        project({"a.py": self.TEXT})
        assert run("check", "-q").out == ""
        assert self.FULL in run("check", "-q", "--advice").out

    def test_only_what_is_printed_makes_the_exit_code(self, project: Project, run: Run) -> None:
        drawn = self.TEXT.replace("tf.io.decode_jpeg(x)", "tf.image.random_crop(tf.io.decode_jpeg(x), [8, 8, 3])")
        project({"a.py": f"{drawn}    tf.Session()\n"})
        done = run("check")
        assert done.out.startswith("Warnings in TensorFlow 1 programs")
        assert "Found 1 warning in TensorFlow 1 programs, 1 piece of advice in 1 of 1 file." in done.out
        assert done.code == 0
        assert (run("check", "-q").out, run("check", "-q").code) == ("", 0)
        for options in (("--advice",), ("--output-format", "json"), ("--statistics",)):
            assert run("check", *options).code == 1

    def test_an_old_version_does_nothing_by_itself(self, project: Project, run: Run) -> None:
        project({"a.py": self.TEXT.replace(".map(parse)", "")})
        assert self.SHORT in run("check").out
        out = run("check", "--target-tensorflow", "1.12").out
        assert ("by itself" in out, "1 piece of advice" in out) == (False, True)

    def test_the_counts_add_up(self, project: Project, run: Run) -> None:
        autotune = "import tensorflow as tf\n\nAUTO = tf.data.experimental.AUTOTUNE\n"
        project({"a.py": f"{self.TEXT}    tf.Session()\n", "b.py": autotune})
        done = run("check")
        assert "Found 1 warning, 1 more in TensorFlow 1 programs, 1 piece of advice in 2 of 2 files." in done.out
        assert done.code == 1

    def test_what_the_runtime_does_is_named_once(self, project: Project, run: Run) -> None:
        project({"a.py": self.TEXT})
        out = run("check").out
        assert self.SHORT in out
        assert "  TFD101 missing-prefetch:\n    a.py:10:43\n  TFD102 sequential-map:\n    a.py:10:32\n" in out
        assert "= cost" not in out
        assert "Found 2 pieces of advice in 1 of 1 file." in out
        assert "Assumed" not in out

    @pytest.mark.parametrize(
        "options",
        [
            ("--advice",),
            ("--select", "TFD102"),
            ("--select", "TFD1"),
            ("--select", "sequential-map"),
            ("--extend-select", "performance"),
            ("--fail-level", "advice"),
        ],
    )
    def test_in_full_where_it_is_asked_for(self, options: Sequence[str], project: Project, run: Run) -> None:
        project({"a.py": self.TEXT})
        out = run("check", *options).out
        assert self.FULL in out
        assert self.SHORT not in out

    @pytest.mark.parametrize("options", [("--select", "ALL"), ("--select", "TFD")])
    def test_all_rules_are_nothing_to_ask_for(self, options: Sequence[str], project: Project, run: Run) -> None:
        project({"a.py": self.TEXT})
        assert self.SHORT in run("check", *options).out

    def test_one_cause_on_near_rows_is_told_once(self, project: Project, run: Run) -> None:
        project({"a.py": "import tensorflow as tf\n\n" + "AUTO = tf.data.experimental.AUTOTUNE\n" * 3})
        out = run("check").out
        assert out.count("warning TFD701") == 1
        assert "= also at: 4:8, 5:8\n" in out
        assert "Found 3 warnings in 1 of 1 file." in out

    @pytest.mark.parametrize("form", ["json", "json-lines"])
    def test_fixes_that_are_skipped_are_marked(self, form: str, project: Project, run: Run) -> None:
        project({"a.py": self.TEXT, "requirements.txt": "tensorflow==2.16\n"})
        for version, is_needless in (("2.16", True), ("2.4", False)):
            out = run("check", "--select", "TFD102", "--output-format", form, "--target-tensorflow", version).out
            (found,) = json.loads(out if form == "json" else f"[{out}]")
            assert (found["fix"]["applicability"], found["fix"]["needless"]) == ("safe", is_needless)

    def test_formats_for_programs_tell_all_of_it(self, project: Project, run: Run) -> None:
        project({"a.py": self.TEXT})
        assert self.FULL not in run("check", "--output-format", "concise").out
        assert self.FULL in run("check", "--output-format", "concise", "--advice").out
        assert [found["code"] for found in json.loads(run("check", "--output-format", "json").out)] == [
            "TFD102",
            "TFD101",
        ]

    @pytest.mark.parametrize(
        ("setting", "options", "codes"),
        [
            ('ignore = ["advice"]', (), []),
            ('per-file-ignores = {"a.py" = ["advice"]}', (), []),
            ('per-file-ignores = {"b.py" = ["advice"]}', (), ["TFD102", "TFD101"]),
            ("", ("--ignore", "advice"), []),
            ('ignore = ["advice"]\nextend-select = ["TFD102"]', (), ["TFD102"]),
            ('ignore = ["advice"]', ("--extend-select", "TFD101"), ["TFD101"]),
            ('target-tensorflow = "2.4"\nignore = ["advice"]', (), ["TFD102"]),
        ],
    )
    def test_what_has_this_severity_can_be_ignored(
        self, setting: str, options: Sequence[str], codes: list[str], project: Project, run: Run
    ) -> None:
        project({"a.py": self.TEXT, "tfdata-lint.toml": setting})
        found = json.loads(run("check", "--output-format", "json", *options).out)
        assert [each["code"] for each in found] == codes

    @pytest.mark.parametrize(
        ("name", "severity"), [("a.py", "warning"), ("test_a.py", "advice"), ("tests/a.py", "advice")]
    )
    def test_performance_of_tests_is_advice(self, name: str, severity: str, project: Project, run: Run) -> None:
        drawn = self.TEXT.replace("tf.io.decode_jpeg(x)", "tf.image.random_crop(tf.io.decode_jpeg(x), [8, 8, 3])")
        project({name: drawn, "tfdata-lint.toml": 'select = ["TFD102"]'})
        (found,) = json.loads(run("check", "--output-format", "json").out)
        assert found["severity"] == severity

    def test_a_suppression_of_hidden_advice_is_used(self, project: Project, run: Run) -> None:
        text = self.TEXT.replace("batch(32))", "batch(32))  # noqa: TFD101, TFD102")
        project({"a.py": text, "tfdata-lint.toml": 'ignore = ["advice"]'})
        assert run("check").out == "All clear: no findings in 1 file.\n"


class TestOutputFile:
    @pytest.mark.parametrize("name", FORMATS)
    def test_it_gets_what_would_be_printed(self, name: str, root: Path, run: Run) -> None:
        printed = run("check", "--output-format", name)
        done = run("check", "--output-format", name, "--output-file", "report", "--color", "always")
        assert (done.code, done.out, done.err) == (1, "", "")
        assert (root / "report").read_text(encoding="utf-8") == printed.out

    def test_its_folder_is_made(self, root: Path, run: Run) -> None:
        assert run("check", "--output-file", "reports/today/all.txt").code == 1
        assert "TFD401" in (root / "reports" / "today" / "all.txt").read_text()

    def test_it_is_replaced_as_a_whole(self, root: Path, run: Run) -> None:
        report = root / "report.json"
        report.write_text("before")
        with report.open() as opened:
            run("check", "--output-format", "json", "--output-file", "report.json")
            assert opened.read() == "before"
        assert len(json.loads(report.read_text())) == 2
        assert [path.name for path in root.iterdir() if "report" in path.name] == ["report.json"]

    @pytest.mark.skipif(os.name == "nt", reason="POSIX")
    def test_others_may_read_it_as_any_new_file(self, root: Path, run: Run) -> None:
        (root / "usual").touch()
        run("check", "--output-file", "report")
        assert stat.S_IMODE((root / "report").stat().st_mode) == stat.S_IMODE((root / "usual").stat().st_mode)

    @pytest.mark.skipif(not os.path.exists("/dev/null"), reason="POSIX")
    def test_a_device_stays_a_device(self, root: Path, run: Run) -> None:
        assert run("check", "--output-file", "/dev/null").code == 1
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)

    def test_through_a_link(self, root: Path, run: Run) -> None:
        (root / "target").touch()
        (root / "link").symlink_to("target")
        run("check", "--output-file", "link")
        assert (root / "link").is_symlink()
        assert "TFD401" in (root / "target").read_text()

    def test_an_interrupted_run_leaves_it(self, root: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*arguments: object, **more: object) -> Any:
            raise KeyboardInterrupt

        (root / "report").write_text("before")
        monkeypatch.setattr(engine, "lint_paths", interrupted)
        assert run("check", "--output-file", "report").code == 130
        assert (root / "report").read_text() == "before"

    def test_errors_go_to_the_terminal(self, root: Path, run: Run) -> None:
        done = run("check", "a.py", "missing.py", "--output-file", "report")
        assert done.code == 2
        assert "missing.py" in done.err
        assert "TFD401" in (root / "report").read_text()

    def test_with_standard_input(self, root: Path, run: Run, stdin: Stdin) -> None:
        stdin(samples.FIXABLE)
        done = run("check", "-", "--fix", "--output-file", "report", "--output-format", "concise")
        assert done.out == samples.SAFE
        assert "TFD401" in (root / "report").read_text()

    def test_where_nothing_can_be_written(self, root: Path, run: Run) -> None:
        done = run("check", "--output-file", "a.py/report")
        assert done.code == 2
        assert "--output-file: cannot write a.py/report" in done.err

    @pytest.mark.parametrize("mode", ["--diff", "--fix-only", "--add-noqa"])
    def test_modes_that_print_no_findings(self, mode: str, root: Path, run: Run) -> None:
        done = run("check", mode, "--output-file", "report")
        assert done.code == 2
        assert "--output-file writes findings" in done.err
        assert (root / "a.py").read_text() == samples.DISCARDED
