"""`--baseline` and `--write-baseline`: known findings are not reported, wherever their rows have gone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cli.samples import BROKEN, CLEAN, DEPRECATED, DISCARDED, FIXABLE, SAFE, notebook

from tfdata_lint import lint_source
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.surroundings import digests, surroundings
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.source.module import load

Run = Callable[..., SimpleNamespace]
Project = Callable[[Mapping[str, str | bytes]], Path]

FILE = "tfdata-lint-baseline.json"
HINT = f' To report only what is new, set `baseline = "{FILE}"`.\n'

#: TFD102 and TFD401, in a function.
BUILD = """\
import tensorflow as tf


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


def build(pattern):
    dataset = tf.data.Dataset.list_files(pattern)
    dataset = dataset.map(load)
    dataset.shuffle(1024)
    return dataset
"""


def entries() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(FILE).read_text("utf-8"))["findings"]
    return found


def told(run: Run, *arguments: str) -> list[str]:
    """What is reported besides the known findings: `file:row code`."""
    done = run("check", "-q", "--output-format", "json", "--baseline", FILE, *arguments)
    return [f"{f['filename']}:{f['location']['row']} {f['code']}" for f in json.loads(done.out)]


@pytest.fixture
def known(run: Run, project: Project) -> Path:
    """A project whose findings are all known."""
    root = project({"a.py": BUILD, "b.py": DEPRECATED})
    assert run("check", "-q", "--write-baseline").code == 0
    return root


def _entry(count: str) -> str:
    entry = {"path": "a.py", "rule": "TFD101", "function": "", "statement": "", "digest": "", "count": int(count)}
    return json.dumps({"version": 1, "findings": [entry]})


class TestKnownFindings:
    def test_are_not_reported(self, run: Run, known: Path) -> None:
        done = run("check", "--baseline", FILE)
        assert (done.code, done.err) == (0, "")
        assert done.out == "All clear: no new findings in 2 files; 3 old ones are not shown.\n"

    def test_new_ones_are(self, run: Run, known: Path) -> None:
        (known / "c.py").write_text(DISCARDED)
        done = run("check", "--baseline", FILE)
        assert done.code == 1
        assert "Found 1 error in 1 of 3 files; 3 old ones are not shown.\n" in done.out

    def test_say_where_they_were_found(self, run: Run, known: Path) -> None:
        assert [(e["path"], e["rule"], e["function"], e["statement"], e["count"]) for e in entries()] == [
            ("a.py", "TFD102", "build", "dataset = dataset.map(load)", 1),
            ("a.py", "TFD401", "build", "dataset.shuffle(1024)", 1),
            ("b.py", "TFD701", "", "AUTOTUNE = tf.data.experimental.AUTOTUNE", 1),
        ]

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("import tensorflow as tf\n", '"""Moved down."""\n\nimport os\n\nimport tensorflow as tf\n'),
            ("dataset.shuffle(1024)", "dataset.shuffle(\n        1_024,  # a comment\n    )"),
            ("    dataset = dataset.map(load)\n", "    if pattern:\n        dataset = dataset.map(load)\n"),
            ("    return dataset\n", "    count = 1\n    return dataset\n"),
            ("\n", "\r\n"),
        ],
        ids=["rows above", "layout", "indented", "rows below", "row endings"],
    )
    def test_may_move(self, old: str, new: str, run: Run, known: Path) -> None:
        (known / "a.py").write_bytes(BUILD.replace(old, new).encode())
        assert told(run) == []

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            ("shuffle(1024)", "shuffle(2048)", ["a.py:11 TFD401"]),
            ("def build(", "def make(", ["a.py:10 TFD102", "a.py:11 TFD401"]),
            ("    dataset.shuffle(1024)\n", "    dataset.shuffle(1024)\n" * 2, ["a.py:12 TFD401"]),
        ],
        ids=["another statement", "another function", "once more"],
    )
    def test_are_new_when(self, old: str, new: str, expected: list[str], run: Run, known: Path) -> None:
        (known / "a.py").write_text(BUILD.replace(old, new))
        assert told(run) == expected

    def test_in_a_notebook_may_change_their_cell(self, run: Run, project: Project) -> None:
        root = project({"a.ipynb": notebook("import tensorflow as tf", DEPRECATED)})
        run("check", "--write-baseline")
        cells = ("markdown", "# Title"), "%matplotlib inline\nimport tensorflow as tf", "count = 1", DEPRECATED
        (root / "a.ipynb").write_text(notebook(*cells))
        assert told(run) == []

    @pytest.mark.parametrize(
        ("text", "comment"),
        [
            ("def f(x):\n    return x  # noqa: TFD101\n", "# noqa: TFD101"),
            ("def f(x):\n    # tfdata-lint: ignore[TFD101]\n    return x\n", "# tfdata-lint: ignore[TFD101]"),
        ],
    )
    def test_unused_suppressions_can_be_known(self, text: str, comment: str, run: Run, project: Project) -> None:
        root = project({"a.py": text})
        run("check", "--write-baseline")
        assert [(e["rule"], e["function"], e["statement"]) for e in entries()] == [("TFD001", "f", comment)]
        (root / "a.py").write_text("import os\n\n\n" + text)
        assert told(run) == []

    def test_what_cannot_be_read_is_always_told(self, run: Run, project: Project) -> None:
        project({"a.py": BROKEN})
        assert run("check", "--write-baseline").code == 1
        assert entries() == []
        assert told(run) == ["a.py:3 TFD000"]

    def test_of_standard_input(self, run: Run, known: Path, stdin: Callable[[str], None]) -> None:
        stdin(BUILD + DISCARDED)
        assert told(run, "-", "--stdin-filename", "a.py") == ["a.py:16 TFD401"]

    def test_are_left_alone_by_fixes_and_comments(self, run: Run, known: Path) -> None:
        (known / "c.py").write_text(FIXABLE)
        run("check", "--baseline", FILE, "--fix")
        assert (known / "a.py").read_text() == BUILD
        assert (known / "c.py").read_text() == SAFE
        run("check", "--baseline", FILE, "--add-noqa")
        assert (known / "a.py").read_text() == BUILD
        assert "ignore[TFD401]" in (known / "c.py").read_text()
        assert run("check", "--baseline", FILE, "--diff").code == 0

    def test_of_several_equal_ones_the_rest_is_fixed(self, run: Run, known: Path) -> None:
        (known / "requirements.txt").write_text("tensorflow==2.5\n")
        twice = BUILD.replace("    dataset = dataset.map(load)\n", "    dataset = dataset.map(load)\n" * 2)
        (known / "a.py").write_text(twice)
        run("check", "--baseline", FILE, "--fix")
        assert (known / "a.py").read_text().count("map(load)\n") == 1


class TestWriting:
    def test_says_what_was_written(self, run: Run, project: Project) -> None:
        project({"b.py": DEPRECATED})
        done = run("check", "--write-baseline")
        assert (done.code, done.out, done.err) == (0, f"Wrote 1 finding to {FILE}: 1 added, 0 removed.{HINT}", "")
        assert run("check", "--write-baseline").out == f"Wrote 1 finding to {FILE}: 0 added, 0 removed.\n"

    @pytest.mark.parametrize(
        ("options", "out"), [(["--output-format", "json"], "[]\n"), (["--output-file", "findings"], "")]
    )
    def test_leaves_other_output_whole(self, options: list[str], out: str, run: Run, project: Project) -> None:
        project({"b.py": DEPRECATED})
        done = run("check", "--write-baseline", *options)
        assert (done.out, done.err) == (out, f"Wrote 1 finding to {FILE}: 1 added, 0 removed.{HINT}")


class TestGoneFindings:
    def test_are_told(self, run: Run, known: Path) -> None:
        (known / "b.py").write_text(CLEAN)
        done = run("check", "--baseline", FILE)
        assert done.code == 0
        assert done.err == f"tfdata-lint: findings of {FILE} that no longer occur: 1; --write-baseline removes them\n"
        assert run("check", "--baseline", FILE, "-q").err == ""

    def test_are_taken_out(self, run: Run, known: Path) -> None:
        (known / "b.py").write_text(CLEAN)
        (known / "c.py").write_text(DISCARDED)
        done = run("check", "--write-baseline")
        assert done.out == f"Wrote 3 findings to {FILE}: 1 added, 1 removed.\n"
        assert [entry["path"] for entry in entries()] == ["a.py", "a.py", "c.py"]

    def test_go_with_their_rule(self, run: Run, known: Path) -> None:
        """A rule that there is no more, or that was renamed."""
        Path(FILE).write_text(Path(FILE).read_text().replace("TFD701", "TFD799"))
        run("check", "--write-baseline", "--ignore", "TFD701")
        assert {entry["rule"] for entry in entries()} == {"TFD102", "TFD401"}

    def test_go_with_their_file(self, run: Run, known: Path) -> None:
        (known / "b.py").unlink()
        run("check", "a.py", "--write-baseline")
        assert {entry["path"] for entry in entries()} == {"a.py"}

    @pytest.mark.parametrize(
        ("text", "arguments"),
        [
            (CLEAN, ["a.py"]),
            (CLEAN, ["--select", "TFD4"]),
            (DEPRECATED + BROKEN, []),
            (DEPRECATED + BROKEN, ["--ignore", "TFD000"]),
        ],
        ids=["file not linted", "rule off", "not readable", "not readable, not told"],
    )
    def test_stay_where_it_is_not_known(self, text: str, arguments: list[str], run: Run, known: Path) -> None:
        (known / "b.py").write_text(text)
        assert "gone" not in run("check", "--baseline", FILE, *arguments).err
        before = Path(FILE).read_bytes()
        run("check", "--write-baseline", *arguments)
        assert Path(FILE).read_bytes() == before


class TestFile:
    def test_has_one_row_for_each_entry_in_order(self, known: Path) -> None:
        rows = Path(FILE).read_text().splitlines()
        assert rows[:3] == ["{", '"version": 1,', '"findings": [']
        assert [json.loads(row.rstrip(","))["path"] for row in rows[3:-2]] == ["a.py", "a.py", "b.py"]
        assert rows[-2:] == ["]", "}"]

    def test_is_written_only_when_it_changes(self, run: Run, known: Path) -> None:
        os.utime(FILE, (1, 1))
        run("check", "--write-baseline")
        assert os.stat(FILE).st_mtime == 1

    def test_keeps_the_texts_that_it_has(self, run: Run, known: Path) -> None:
        """They are for people, and Pythons differ in how they write them."""
        Path(FILE).write_text(Path(FILE).read_text().replace("dataset.shuffle(1024)", "as it was"))
        (known / "c.py").write_text(DISCARDED)
        run("check", "--write-baseline")
        assert [entry["statement"] for entry in entries()][1] == "as it was"

    def test_may_be_a_link_and_reached_through_one(self, run: Run, known: Path, tmp_path: Path) -> None:
        (known / FILE).rename(known / "real.json")
        (known / FILE).symlink_to("real.json")
        (tmp_path / "link").symlink_to(known)
        assert run("check", "-q", "--baseline", FILE, str(tmp_path / "link")).code == 0
        (known / "c.py").write_text(DISCARDED)
        assert run("check", "--write-baseline").code == 0
        assert (known / FILE).is_symlink()
        assert "c.py" in (known / "real.json").read_text()

    def test_may_be_merged(self, run: Run, known: Path) -> None:
        """Where both sides of a merge have an entry."""
        content = json.loads(Path(FILE).read_text())
        content["findings"] += content["findings"]
        Path(FILE).write_text(json.dumps(content))
        (known / "a.py").write_text(BUILD.replace("    dataset.shuffle(1024)\n", "    dataset.shuffle(1024)\n" * 2))
        assert told(run) == ["a.py:12 TFD401"]

    def test_has_paths_from_its_own_folder(self, run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project({"src/a.py": DISCARDED, "ci/x": "", "src/deep/x": ""})
        run("check", "src", "--write-baseline", "--baseline", f"ci/{FILE}")
        assert '"../src/a.py"' in (root / "ci" / FILE).read_text()
        monkeypatch.chdir(root / "src" / "deep")
        for path in ("..", str(root)):
            assert run("check", "-q", path, "--baseline", f"../../ci/{FILE}").code == 0

    def test_any_name_and_text(self, run: Run, project: Project) -> None:
        text = "def größe():\n" + "".join(
            f"    {row}\n" for row in DISCARDED.replace("images", "Bilder ✓").splitlines()
        )
        project({"größe 1.py": text})
        Path(os.fsdecode(b"\xff.py")).write_text(text)
        run("check", "--write-baseline")
        assert [entry["function"] for entry in entries()] == ["größe", "größe"]
        assert '"größe 1.py"' in Path(FILE).read_text("utf-8")
        assert told(run) == []

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ("{\n<<<<<<< HEAD\n", ":2: not valid JSON"),
            ("import os\n", ":1: not valid JSON"),
            ("[]", ": this is not a tfdata-lint baseline"),
            ('{"version": 2, "findings": []}', ": this is a baseline of version 2"),
            ('{"version": 1}', ": entry 1 of `findings` is not a baseline entry"),
            ('{"version": 1, "findings": [{"path": "a.py"}]}', ": entry 1 of `findings` is not a baseline entry"),
            (_entry("1000000000000000000000000000000"), ": entry 1 of `findings` is not a baseline entry"),
            (_entry("0"), ": entry 1 of `findings` is not a baseline entry"),
            (_entry("-1"), ": entry 1 of `findings` is not a baseline entry"),
            (b'{"version": "\xff"}', ": 'utf-8' codec"),
        ],
    )
    def test_that_is_wrong(self, content: str | bytes, why: str, run: Run, project: Project) -> None:
        root = project({"a.py": DISCARDED, FILE: content})
        for option in ((), ("--write-baseline",)):
            done = run("check", "--baseline", FILE, *option)
            assert (done.code, done.out) == (2, "")
            assert done.err.startswith(f"tfdata-lint: error: {FILE}{why}")
        assert (root / FILE).read_bytes() == (content if isinstance(content, bytes) else content.encode())

    def test_that_is_not_there(self, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED, "folder/x": ""})
        done = run("check", "--baseline", "no.json")
        assert (done.code, done.out) == (2, "")
        assert done.err == "tfdata-lint: error: no such baseline: no.json (--write-baseline creates it)\n"
        assert run("check", "--baseline", "folder").code == 2
        assert run("check", "--write-baseline", "--baseline", "no/no.json").code == 2

    def test_that_is_read_only(self, run: Run, known: Path) -> None:
        (known / "c.py").write_text(DISCARDED)
        (known / FILE).chmod(0o444)
        done = run("check", "--write-baseline")
        assert done.code == 2
        assert "read-only" in done.err


class TestWhichFile:
    def test_of_the_settings_relative_to_them(
        self, run: Run, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = project({"tfdata-lint.toml": 'baseline = "ci/known.json"\n', "src/a.py": DISCARDED, "ci/x": ""})
        monkeypatch.chdir(root / "src")
        assert run("check").code == 2
        assert run("check", "--write-baseline").code == 0
        assert (root / "ci" / "known.json").is_file()
        assert run("check").code == 0
        assert run("check", "--no-baseline").code == 1
        assert run("check", "--isolated").code == 1
        assert run("check", "--baseline", "other.json").code == 2

    def test_setting_must_be_a_name(self, run: Run, project: Project) -> None:
        project({"tfdata-lint.toml": "baseline = true\n", "a.py": CLEAN})
        done = run("check")
        assert done.code == 2
        assert "tfdata-lint.toml:1: `baseline` must be the name of a file in quotes" in done.err

    @pytest.mark.parametrize(
        "option", ["--fix", "--fix-only", "--diff", "--add-noqa", "--no-baseline", "--diff-base=HEAD", "-"]
    )
    def test_write_baseline_stands_alone(self, option: str, run: Run, project: Project) -> None:
        project({"a.py": DISCARDED})
        done = run("check", "--write-baseline", option)
        assert done.code == 2
        assert "--write-baseline cannot be combined" in done.err
        assert not os.path.exists(FILE)


class TestSurroundings:
    def test_is_only_computed_when_asked_for(self) -> None:
        (plain,) = lint_source(DISCARDED).diagnostics
        (asked,) = lint_source(DISCARDED, settings=Settings(with_surroundings=True)).diagnostics
        assert plain.surroundings is None
        assert asked.surroundings is not None

    @pytest.mark.parametrize(
        ("code", "function", "statement"),
        [
            ("HERE", "", "HERE"),
            ("x = 1; y = HERE; z = 2", "", "y = HERE"),
            ("class A:\n    async def f(self):\n        return HERE", "A.f", "return HERE"),
            ("def f():\n    def g(x=HERE):\n        pass", "f", "def g(x=HERE):"),
            ("@HERE\ndef f(): pass", "", "@HERE def f():"),
            ("for x in HERE:\n    pass\nelse:\n    y()", "", "for x in HERE:"),
            ("if a:\n    pass\nelif b:\n    HERE", "", "HERE"),
            ("with a, HERE as b:\n    pass", "", "with a, HERE as b:"),
            ("try:\n    pass\nexcept E:\n    HERE\nfinally:\n    pass", "", "HERE"),
            ("match x:\n    case 1:\n        HERE", "", "HERE"),
            ("f(lambda x: (\n    HERE,  # why\n))", "", "f(lambda x: (HERE,))"),
        ],
    )
    def test_function_and_statement(self, code: str, function: str, statement: str) -> None:
        source = load(code.encode(), "a.py")
        row = next(number for number, line in enumerate(source.lines, 1) if "HERE" in line)
        column = source.lines[row - 1].index("HERE")
        found = surroundings(source, Span("a.py", row, column, row, column + 4))
        assert (found.function, found.statement) == (function, statement)
        assert found.digest in digests(source)

    def test_digests_tell_statements_apart(self) -> None:
        rows = ["f(a, b)", "f((a, b))", "f(a)(b)", "f(a=b)", "f(**b)", "f('a')", "f(b'a')", "f(1)", "f(1.0)", "f(True)"]
        rows += ["x = y = z", "x = y", "del x", "{**a}", "{None: a}", "a[b:]", "a[:b]", "lambda: a", "a if b else c"]
        assert len(digests(load("\n".join(rows).encode(), "a.py"))) == len(rows)

    def test_digests_are_the_same_for_every_python(self) -> None:
        """They stand in files. One that changes makes all known findings new."""
        row = "ds = ds.map(lambda x: (x['é'], *y), num_parallel_calls=-1).batch(1 << 4)[f'{a!r:>{b}}':, None] or 2.5"
        assert digests(load(row.encode(), "a.py")) == {"a95cb3d10e914edd"}

    def test_of_long_chains(self) -> None:
        row = "x = ds" + ".map(f)" * 400
        found = surroundings(load(row.encode(), "a.py"), Span("a.py", 1, 4, 1, 10))
        assert found.statement == row[:80]
