"""TFD003, the note of what was not read: a run tells it in every format, and it is no finding."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cli.conftest import Run

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[..., Run]

LONG = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\n" + "x = f(1)\n" * 200 + "ds.map(f)\n"
LOW = "[tool.tfdata-lint]\nanalysis-limit = 300\n"
HIGH = "[tool.tfdata-lint]\nanalysis-limit = 400_000\n"


def test_a_run_does_not_say_that_all_is_clear(run: Check, project: Project) -> None:
    project({"long.py": LONG, "pyproject.toml": LOW})
    done = run("check", ".")
    assert done.code == 0
    assert "long.py:7" in done.out
    assert "advice TFD003 unread-rest: The analysis of this file ends here" in done.out
    assert "its 300 steps" in done.out
    assert "`analysis-limit`" in done.out
    assert "All clear" not in done.out


def test_it_is_kept_with_what_was_found(run: Check, project: Project) -> None:
    project({"long.py": LONG, "pyproject.toml": LOW})
    assert run("check", ".") == run("check", ".")
    project({"pyproject.toml": HIGH})
    done = run("check", ".")
    assert "TFD003" not in done.out
    assert "TFD401" in done.out
    assert done.code == 1


def test_it_makes_no_run_fail(run: Check, project: Project) -> None:
    project({"long.py": LONG, "pyproject.toml": LOW + 'fail-level = "advice"\n'})
    assert run("check", ".").code == 0


def test_it_is_ignored_by_its_own_code_only(run: Check, project: Project) -> None:
    project({"long.py": LONG, "pyproject.toml": LOW})
    assert "TFD003" in run("check", "--ignore", "TFD0", ".").out
    assert "TFD003" in run("check", "--select", "TFD1", ".").out
    assert "TFD003" not in run("check", "--ignore", "TFD003", ".").out


def test_one_note_for_a_project(run: Check, project: Project) -> None:
    project({"a.py": LONG, "b.py": LONG, "lib/c.py": LONG, "pyproject.toml": LOW})
    lines = [line for line in run("check", ".").out.splitlines() if "TFD003" in line]
    assert len(lines) == 1
    assert lines[0].startswith("a.py:7")
    assert "; so it is in 2 more files" in lines[0]
    assert len(json.loads(run("check", "--output-format", "json", ".").out)) == 3
    assert run("check", "--output-format", "concise", ".").out.count("TFD003") == 3


def test_none_for_tests(run: Check, project: Project) -> None:
    project({"tests/long.py": LONG, "long_test.py": LONG, "test_long.py": LONG, "pyproject.toml": LOW})
    done = run("check", ".")
    assert "TFD003" not in done.out
    assert "All clear" in done.out


def test_formats(run: Check, project: Project) -> None:
    project({"long.py": LONG, "pyproject.toml": LOW})
    (found,) = json.loads(run("check", "--output-format", "json", ".").out)
    assert (found["code"], found["severity"]) == ("TFD003", "advice")
    (result,) = json.loads(run("check", "--output-format", "sarif", ".").out)["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("TFD003", "note")


def test_the_command_graph_tells_it(run: Check, project: Project) -> None:
    project({"long.py": LONG, "pyproject.toml": LOW})
    done = run("graph", "long.py")
    assert done.code == 0
    assert "range" in done.out
    assert "TFD003" in done.err
    project({"pyproject.toml": HIGH})
    assert "TFD003" not in run("graph", "long.py").err


def test_settings_show_the_limit(run: Check, project: Project) -> None:
    project({"pyproject.toml": LOW})
    rows = {row.split()[0]: row.split()[1:] for row in run("check", "--show-settings").out.splitlines()}
    assert rows["analysis-limit"] == ["pyproject.toml:2", "300"]


@pytest.mark.parametrize("value", ["0", "-1", "true", '"many"', "1.5"])
def test_wrong_limits(value: str, run: Check, project: Project) -> None:
    project({"a.py": "", "pyproject.toml": f"[tool.tfdata-lint]\nanalysis-limit = {value}\n"})
    done = run("check", ".")
    assert done.code == 2
    assert "pyproject.toml:2: `analysis-limit` must be a whole number of at least 1" in done.err


def test_fixes_of_a_long_file_keep_to_its_formatter(
    run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That more of it is parsed than usual loses nothing that is known of it."""
    made = "tf.data.TFRecordDataset(files).map(parse).batch(8)"
    code = f"import tensorflow as tf\n\n\ndef make(files, parse):\n    return {made}\n"
    project({"long.py": code, "pyproject.toml": "[tool.black]\nline-length = 100\n"})
    words = ("check", "--select", "TFD102", "--diff", "--unsafe-fixes", ".")
    expected = run(*words)
    assert (
        "+    return tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(8)"
        in expected.out
    )
    monkeypatch.setattr("tfdata_lint.source.module.LONGEST", 50)
    assert run(*words) == expected


class TestCellMagics:
    LOSING = "ds = tf.data.Dataset.range(3)\nds.map(f)\nx = 1\n"

    def notebook(self, *cells: str) -> str:
        code = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
        return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    def test_what_is_skipped_is_said(self, run: Check, project: Project) -> None:
        cells = "import tensorflow as tf", f"%%mine --fast\n{self.LOSING}", f"%%mine\n{self.LOSING}"
        project({"a.ipynb": self.notebook(*cells)})
        done = run("check", ".")
        assert done.code == 0
        assert "a.ipynb:cell 2:1:1: advice TFD003 unread-rest: This cell was not read: `%%mine` is not" in done.out
        assert done.out.count("TFD003") == 1
        assert "`cell-magics`" in done.out

    def test_the_setting_has_it_read(self, run: Check, project: Project) -> None:
        project({"a.ipynb": self.notebook("import tensorflow as tf", f"%%mine --fast\n{self.LOSING}")})
        assert "TFD401" not in run("check", ".").out
        done = run("check", ".", "--config", 'cell-magics = ["%%mine"]')
        assert "a.ipynb:cell 2:3:1: error TFD401" in done.out
        assert "TFD003" not in done.out
        assert "map" in run("graph", ".", "--config", 'cell-magics = ["mine"]').out

    def test_a_fix_is_written_into_such_a_cell(self, run: Check, project: Project) -> None:
        code = "ds = tf.data.Dataset.range(3).map(f, num_parallel_calls=tf.data.experimental.AUTOTUNE)\nprint(ds)\n"
        folder = project({"a.ipynb": self.notebook("import tensorflow as tf", f"%%mine\n{code}")})
        run("check", ".", "--fix", "--select", "TFD701", "--config", 'cell-magics = ["mine"]')
        assert (
            "%%mine\\nds = tf.data.Dataset.range(3).map(f, num_parallel_calls=tf.data.AUTOTUNE)"
            in (folder / "a.ipynb").read_text()
        )

    def test_other_languages_and_other_code_are_not_mentioned(self, run: Check, project: Project) -> None:
        cells = (
            "import tensorflow as tf",
            f"%%writefile {{name}}.py\n{self.LOSING}",
            "%%bash\necho ds.batch(3)\n",
            "%%mine\nprint(1)\n",
            "%%sql\nselect ds.batch(3) from x\n",
        )
        project({"a.ipynb": self.notebook(*cells)})
        assert "TFD003" not in run("check", ".").out

    def test_a_wrong_name(self, run: Check, project: Project) -> None:
        done = run("check", "--config", 'cell-magics = ["a b"]')
        assert (done.code, done.err.count("has `a b`, which is not the name of a magic")) == (2, 1)
