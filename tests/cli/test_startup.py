"""What is imported when: a hook that has nothing to do must be quick."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tfdata_lint import Settings, fix_source, lint_source
from tfdata_lint.rules import entries

pytestmark = pytest.mark.slow

HEAVY = {
    "astroid", "difflib", "importlib.metadata", "json", "libcst", "multiprocessing", "pathspec", "shutil", "tensorflow",
    "tomli", "tomllib", "unicodedata",
}  # fmt: skip


def imported(*arguments: str, cwd: Path) -> set[str]:
    code = "import sys; from tfdata_lint.cli import main; main(sys.argv[1:]); print('MODULES', *sys.modules, sep='\\n')"
    root = str(Path(__file__).parents[2])
    # -S leaves out what the installation itself imports at the start; the folders of the packages stay on the path.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([root, *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, *arguments],
        capture_output=True, text=True, cwd=cwd, env=environment, check=True,
    )  # fmt: skip
    return set(done.stdout.partition("MODULES\n")[2].split())


def test_version_imports_next_to_nothing(tmp_path: Path) -> None:
    modules = imported("--version", cwd=tmp_path)
    assert not modules & (HEAVY | {"ast", "dataclasses", "tfdata_lint.run.engine", "tfdata_lint.config.settings.model"})


@pytest.mark.parametrize("command", [["check"], ["check", "--isolated", "a.py"], ["check", "a.py", "--color=always"]])
def test_a_file_without_pipelines_needs_nothing_heavy(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import os\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    modules = imported(*command, cwd=tmp_path)
    allowed = {"pathspec"} if command == ["check"] else set()
    assert not modules & (HEAVY - allowed)
    assert "tfdata_lint.config.requirements" not in modules


def test_a_file_with_pipelines_needs_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\nfor x in tf.data.Dataset.range(3).batch(2):\n    pass\n")
    modules = imported("check", "a.py", cwd=tmp_path)
    assert "tfdata_lint.pipeline.recover" in modules
    assert not modules & HEAVY


def test_a_rule_is_imported_where_something_calls_for_it(tmp_path: Path) -> None:
    program = (
        "import tensorflow as tf\nfrom steps import step\nfor x in tf.data.Dataset.range(9).batch(2){}:\n    step(x)\n"
    )
    homes = {entry.code: entry.home for entry in entries()}
    for called, is_called_for in (("", False), (".cache('a').repeat()", True)):
        (tmp_path / "a.py").write_text(program.format(called))
        modules = imported("check", "--no-cache", "a.py", cwd=tmp_path)
        assert homes["TFD101"] in modules
        assert {homes[code] in modules for code in ("TFD303", "TFD316")} == {is_called_for}
        assert not modules & {homes["TFD000"], homes["TFD102"], homes["TFD201"], homes["TFD801"]}


@pytest.mark.parametrize(
    ("arguments", "is_written"),
    [
        ([], False),
        (["--output-format", "concise"], False),
        (["--output-format", "json"], True),
        (["--diff", "--unsafe-fixes"], True),
    ],
    ids=str,
)
def test_libcst_writes_edits_where_they_are_shown(arguments: list[str], is_written: bool, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import tensorflow as tf\nfrom steps import step\n"
        "ds = tf.data.TFRecordDataset('a').map(lambda r: tf.io.decode_jpeg(r, 3)[:8, :8])\n"
        "for x in ds.batch(2).prefetch(1):\n    step(x)\n"
    )
    modules = imported(
        "check", "--isolated", "--target-tensorflow=2.5", "--exit-zero", "--no-cache", *arguments, "a.py", cwd=tmp_path
    )
    assert "tfdata_lint.rules.overlap.sequential_map" in modules
    assert ("libcst" in modules) == is_written


def test_what_is_known_needs_no_parser_and_no_rules(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\nds = tf.data.Dataset.range(3).batch(2).prefetch(1)\n")
    os.utime(tmp_path / "a.py", (1e9, 1e9))
    first, second = (imported("check", "--isolated", "a.py", cwd=tmp_path) for _ in range(2))
    needed = {"ast", "tfdata_lint.lint.linting", "tfdata_lint.rules"}
    assert needed <= first
    assert not (needed | {"dataclasses", "inspect"}) & second


def test_findings_that_are_kept_are_printed_without_rules(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import tensorflow as tf\n\n\ndef train(model, files):\n    pictures = tf.data.TFRecordDataset(files)\n"
        "    model.fit(pictures.shuffle(1000).map(tf.io.decode_jpeg).batch(32))\n"
    )
    os.utime(tmp_path / "a.py", (1e9, 1e9))
    arguments = ("check", "--exit-zero", "a.py")
    assert "tfdata_lint.rules" in imported(*arguments, cwd=tmp_path)
    modules = imported(*arguments, cwd=tmp_path)
    assert "tfdata_lint.output.advice" in modules
    assert not modules & {"tfdata_lint.rules", "tfdata_lint.rules.index"}


def test_what_a_project_declares_is_parsed_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\nds = tf.data.Dataset.range(3).batch(2).prefetch(1)\n")
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = ['tensorflow>=2.8']\n")
    os.utime(tmp_path / "a.py", (1e9, 1e9))
    first, second = (imported("check", "a.py", cwd=tmp_path) & {"tomllib", "tomli"} for _ in range(2))
    assert first
    assert not second


def test_settings_are_parsed_only_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "tfdata-lint.toml").write_text("")
    assert imported("check", "a.py", cwd=tmp_path) & {"tomllib", "tomli"}


def test_the_public_names() -> None:
    import tfdata_lint

    for name in tfdata_lint.__all__:
        assert getattr(tfdata_lint, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tfdata_lint.nothing  # noqa: B018


def test_without_libcst_fixes_that_it_writes_are_for_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the playground, whose Python has no LibCST."""
    monkeypatch.setitem(sys.modules, "libcst", None)
    text = (
        "import tensorflow as tf\n\nds = tf.data.Dataset.range(9).batch(3).shuffle(3)\n\n\ndef train(model, files):\n"
        "    pictures = tf.data.TFRecordDataset(files).shuffle(1000)\n"
        "    model.fit(pictures.map(tf.io.decode_jpeg).batch(32))\n"
    )
    settings = Settings(select=("TFD102", "TFD306"), target_tensorflow="2.4")
    fixes = {found.code: found.fix for found in lint_source(text, "a.py", settings).diagnostics}
    swapped, added = fixes["TFD306"], fixes["TFD102"]
    assert swapped is not None
    assert swapped.can_be_applied
    assert added is not None
    assert (added.applicability, added.reason) == ("display-only", "LibCST cannot read this code, or is not installed")
    after = fix_source(text, "a.py", settings, unsafe=True).after
    assert after is not None
    assert after.decode() == text.replace("batch(3).shuffle(3)", "shuffle(3).batch(3)")
