"""What each command prints of a checkout whose names, code and settings are hostile."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from processes import PATIENCE
from security.hostile import NAMES, on_azure, on_github
from security.test_output import PAINT, assert_acts_nowhere

from tfdata_lint.cli import main
from tfdata_lint.config.formats import FORMATS
from tfdata_lint.output.github import SUMMARY

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="names of Linux")]

#: Its strings, comments and names come back in messages, graphs, frames and diffs.
CODE = '''\
import tensorflow as tf

def decode(x):  # ##vso[task.complete result=Failed]\x1b[2J\u202e
    """
    ::error::in a docstring
::warning::at its beginning
    """
    return tf.io.decode_jpeg(tf.io.read_file(x))

FILES = "##[error]\x1b]52;c;ZXZpbA==\x07 `|<b>"
ds = tf.data.Dataset.list_files(f"##vso[task.x]{FILES}\x1b[31m\u202e")
if FILES == """
::error::if|`<script>&lt;"%%{init}%%""":
    ds = ds.cache("""
::error::cache\x1b[2J##vso[task.x]a`|b""")
ds = ds.map(lambda x: {"""
::error::key`##[error]\x1b[31m""": decode(x)})
ds = ds.map(lambda x: x).batch(2)  # noqa: TFD101\x1b[2J, ##vso[task.x]TFD1
ds = ds.map(decode)
for x in ds:  # tfdata-lint: ignore[::error::, ##vso[task.x]
    print("""
::error::printed""", x)
'''
BROKEN = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nx = (\n::error::\x1b[2J##vso[task.x]\n"
SETTINGS = (
    '[tool.tfdata-lint]\n"\\n::error::key\\u001b[2J##vso[task.x]" = 1\nselect = ["\\n::error::\\u202e##[error]"]\n'
)
NOTEBOOK = {"cells": [{"cell_type": "code", "source": CODE, "execution_count": 1}], "nbformat": 4}


class Printed(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    for name in NAMES:
        (root / name).write_text(CODE)
    (root / "broken\n::error::\x1b[2J.py").write_text(BROKEN)
    (root / "n\n::error::##vso[task.x]\x1b[2J.ipynb").write_text(json.dumps(NOTEBOOK))
    return root


@pytest.fixture
def call(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Iterator[Callable[..., Printed]]:
    monkeypatch.chdir(checkout)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE", "TF_BUILD", SUMMARY):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    def run(*words: str) -> Printed:
        code = main(words)
        out, err = capsysbinary.readouterr()
        return Printed(code, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape"))

    return run


@pytest.mark.parametrize("form", FORMATS)
def test_findings_in_each_format(form: str, call: Callable[..., Printed]) -> None:
    printed = call("check", "--output-format", form, "--select", "ALL")
    assert printed.code == 1
    found = json.loads(call("check", "--output-format", "json", "--select", "ALL").out)
    assert len({one["filename"] for one in found}) == len(NAMES) + 2
    issues = [one for one in found if form == "github" or one["severity"] != "advice"]
    assert_acts_nowhere(printed.out, form, len(issues))
    assert_acts_nowhere(printed.err)


@pytest.mark.parametrize("form", ["text", "svg", "html", "json", "dot", "mermaid"])
def test_graphs(form: str, call: Callable[..., Printed]) -> None:
    printed = call("graph", "--format", form)
    assert_acts_nowhere(printed.out)
    assert_acts_nowhere(printed.err)
    if form == "json":
        assert len(json.loads(printed.out)) == len(NAMES) + 1
    if form == "text":
        painted = call("graph", "--color", "always").out
        assert_acts_nowhere(re.sub(PAINT, "", painted))
        assert re.sub(PAINT, "", painted) == printed.out
    if form in ("svg", "html"):
        # Well-formed, and no element but ours.
        root = ElementTree.fromstring(printed.out.partition("<body>")[2].partition("</body>")[0] or printed.out)
        tags = {element.tag.partition("}")[2] for element in root.iter()}
        assert tags == {"svg", "style", "rect", "text", "g", "title", "path"}
    if form in ("dot", "mermaid"):
        # Each row is one of theirs, and what is quoted ends where it should.
        quoted = r'"(?:[^"\\]|\\.)*"' if form == "dot" else '"[^"]*"'
        node = (
            rf"  \w+ \[label={quoted}, shape=\w+\];"
            if form == "dot"
            else rf"  \w+(?:\[|\(\[|\[/){quoted}(?:\]|\]\)|/\])"
        )
        edge = rf"  \w+ -> \w+(?: \[label={quoted}\])?;" if form == "dot" else rf"  \w+ --> ?(?:\|{quoted}\| )?\w+"
        first, *rows = printed.out.rstrip().split("\n")
        rows = rows[2:-1] if form == "dot" else rows
        assert first == ("digraph pipelines {" if form == "dot" else "flowchart TB")
        assert [row for row in rows if not re.fullmatch(f"{node}|{edge}", row)] == []
        assert "<script" not in printed.out or form == "dot"
        assert "%%{" not in printed.out or form == "dot"


@pytest.mark.parametrize("form", ["text", "json"])
def test_coverage(form: str, call: Callable[..., Printed]) -> None:
    printed = call("graph", "--coverage", "--format", form)
    assert_acts_nowhere(printed.out)
    if form == "json":
        assert len(json.loads(printed.out)["files"]) == len(NAMES) + 1


@pytest.mark.parametrize("service", ["GITHUB_ACTIONS", "TF_BUILD", ""])
def test_a_diff_acts_nowhere_in_a_log_and_is_exact_elsewhere(
    service: str, call: Callable[..., Printed], checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS")
    if service:
        monkeypatch.setenv(service, "True")
    printed = call("check", "--diff", "--unsafe-fixes")
    assert printed.code == 1
    assert_acts_nowhere(printed.err)
    painted = call("check", "--diff", "--unsafe-fixes", "--color", "always").out
    assert_acts_nowhere(re.sub(PAINT, "", painted).replace("\t", ""))
    if service:
        assert not on_github(printed.out)
        assert not on_azure(printed.out)
        return
    for name in NAMES:
        (tmp_path / name).write_text(CODE)
    (tmp_path / "a.diff").write_bytes(printed.out.encode("utf-8", "surrogateescape"))
    apply = ["git", "apply", "-p0", "--exclude=*.ipynb*", "a.diff"]
    subprocess.run(apply, cwd=tmp_path, check=True, timeout=PATIENCE)
    applied = {(tmp_path / name).read_text() for name in NAMES}
    (tmp_path / NAMES[0]).write_text(CODE)
    monkeypatch.chdir(tmp_path)
    call("check", "--fix-only", "--unsafe-fixes", "--no-cache", "--", NAMES[0])
    assert applied == {(tmp_path / NAMES[0]).read_text()} != {CODE}


def test_fixes_that_are_shown(
    call: Callable[..., Printed], checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        (tmp_path / name).write_text(CODE)
    monkeypatch.chdir(tmp_path)
    for words in (["--fix", "--show-fixes"], ["--fix-only", "--show-fixes"], ["--add-noqa=::error::"]):
        printed = call("check", "--no-cache", *words)
        assert_acts_nowhere(printed.out)
        assert_acts_nowhere(printed.err)
        assert "Fixed" in printed.out + printed.err or "Suppressed" in printed.out + printed.err


def test_statistics_and_overview(call: Callable[..., Printed]) -> None:
    for words in (["--statistics"], ["--summary"], ["--sort", "severity"], ["--statistics", "--output-format", "json"]):
        printed = call("check", *words)
        assert_acts_nowhere(printed.out)
        assert_acts_nowhere(printed.err)


EVIL = "\n::error::\x1b[2J##vso[task.x]\u202e"


@pytest.mark.parametrize(
    "words",
    [
        ["check", f"missing{EVIL}"],
        ["check", f"--select={EVIL}"],
        ["check", f"--ignore={EVIL}"],
        ["check", f"--config={EVIL}"],
        ["check", f"--diff-base={EVIL}"],
        ["check", f"--output-format={EVIL}"],
        ["check", f"--shard={EVIL}"],
        ["check", f"--jobs={EVIL}"],
        ["check", f"--executor={EVIL}"],
        ["check", f"--add-noqa={EVIL}"],
        ["check", f"--{EVIL}"],
        ["check", f"--verify={EVIL}"],
        ["check", f"--baseline={EVIL}/x"],
        ["check", f"--output-file=/proc/{EVIL}/x"],
        ["check", f"--target-tensorflow={EVIL}"],
        ["graph", f"missing{EVIL}"],
        ["graph", "--format", EVIL],
        ["rule", EVIL],
        ["tune", EVIL],
        ["workers", EVIL],
        ["server", "--tcp", EVIL],
        [EVIL],
    ],
    ids=lambda words: words[0] + " " + words[-1].partition("=")[0][:20].encode("unicode_escape").decode(),
)
def test_what_is_wrong_with_a_command(words: list[str], call: Callable[..., Printed]) -> None:
    printed = call(*words)
    assert printed.code == 2
    assert "error" in printed.err
    assert_acts_nowhere(printed.out)
    assert_acts_nowhere(printed.err)


def test_settings(call: Callable[..., Printed], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / f"a{EVIL}"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "pyproject.toml").write_text(SETTINGS)
    (folder / "a.py").write_text(CODE)
    for words in (
        ["check"],
        ["check", "--show-settings"],
        ["check", "--show-settings", "--output-format", "json"],
        ["graph"],
    ):
        printed = call(*words)
        assert printed.code == 2
        assert "error" in printed.err
        assert_acts_nowhere(printed.out)
        assert_acts_nowhere(printed.err)
    (folder / "pyproject.toml").write_text(f"x = '{EVIL}'\n")
    assert_acts_nowhere(call("check").err)


def test_a_summary_of_a_step_has_names_that_are_no_text(
    call: Callable[..., Printed], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "summary.md"
    monkeypatch.setenv(SUMMARY, str(page))
    printed = call("check", "--output-format", "github")
    assert printed.code == 1
    assert printed.out.count("::warning ") > 10
    text = page.read_text(encoding="utf-8")
    assert r"\udcff\udcfe latin \udce9.py" in text
    assert_acts_nowhere(text)


#: What is no text, what is no ASCII, and what is neither for a page of codes.
FEW = [name for name in NAMES if any(part in name for part in ("latin", "猫", "nel"))]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_every_encoding_of_the_output(encoding: str, checkout: Path) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for form in ("full", "junit", "markdown", "json"):
        done = subprocess.run(
            [sys.executable, "-m", "tfdata_lint", "check", "--output-format", form, "--", *FEW],
            cwd=checkout, env=environment, capture_output=True, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        assert_acts_nowhere(done.stdout.decode(encoding))
        if form == "junit":
            names = {suite.get("name") for suite in ElementTree.fromstring(done.stdout)}
            assert "😀 ❤\ufe0f 猫 é.py" in names
