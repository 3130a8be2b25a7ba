"""The benchmark runs where it is told to, writes a page with a plot, and refuses to time wrong results.

And two versions are compared over real code: what one says and the other does not. Rules have a price.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from shutil import copyfile
from types import ModuleType
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
PAGE = "# Page\n\n<!-- results: begin -->\nof yesterday\n<!-- results: end -->\n\nThe end.\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "wait4"), reason="processes are measured with wait4"),
]


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import measure

    return measure


@pytest.fixture
def report(measure: ModuleType) -> ModuleType:
    import report

    return report


@pytest.fixture
def programs(report: ModuleType) -> ModuleType:
    import programs

    return programs


def script(path: Path, *lines: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)
    return path


def test_it_measures_a_tree_and_writes_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    (tmp_path / "tree").mkdir()
    copyfile(ROOT / "examples" / "reviews.py", tmp_path / "tree" / "reviews.py")
    other = script(tmp_path / "python", f'PYTHONPATH="{ROOT}" exec "{sys.executable}" "$@"')
    # Of the others, only those that are found here are measured.
    for name in ("ty", "pyrefly", "pyright"):
        script(tmp_path / "bin" / name, "echo 1.2.3")
    command = [sys.executable, ROOT / "benchmarks" / "run.py", tmp_path / "tree", "--only=pipelines", "--rounds=1"]
    done = subprocess.run(
        [*command, f"--tools={tmp_path}", f"--compiled={other}", f"--output={page}"],
        capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(ROOT), "PATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "of yesterday" not in text
    assert text.endswith("<!-- results: end -->\n\nThe end.\n")
    assert "; ty 1.2.3, pyrefly 1.2.3, pyright 1.2.3." in text
    build = r"configured with(out)? PGO, with(out)? LTO\n"
    python = rf" \S+, \w+ modules compiled; Python {platform.python_version()}, {build}"
    assert re.search(rf"^- tfdata-lint{python}- tfdata-lint compiled{python}", text, re.MULTILINE)
    assert "| | wall | × ty | × the floor | CPU | × tfdata-lint | peak memory |" in text
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith(("| t", "| p"))]
    assert rows == [
        "| tfdata-lint, 1 process", "| tfdata-lint, 2 processes", "| tfdata-lint, from its cache",
        "| tfdata-lint compiled, 1 process", "| tfdata-lint compiled, 2 processes",
        "| tfdata-lint compiled, from its cache",
        "| the floor", "| ty", "| pyrefly", "| pyright",
    ]  # fmt: skip
    drawing = ElementTree.parse(page.with_suffix(".svg")).getroot()
    assert len(drawing.findall("{*}rect")) == len(rows)


def test_installations_find_the_same_unless_one_is_older(
    measure: ModuleType, programs: ModuleType, tmp_path: Path
) -> None:
    pythons = [str(script(tmp_path / word, f"echo {word}")) for word in ("one", "other")]
    ours, compiled = (programs.Installation(Path(python).name, python) for python in pythons)
    before = programs.Installation("before", pythons[1], findings="findings-before")
    lints = [each.lint("", cwd=tmp_path, same=True) for each in (ours, before, compiled)]
    measure.measure(lints[:2], 1, tmp_path)
    with pytest.raises(measure.WrongResult, match="other"):
        measure.measure(lints, 1, tmp_path)


def test_how_long_an_editor_waits_is_shown(report: ModuleType) -> None:
    waits = report.Waits("Typing.", {"tfdata-lint": (12.34, 45.6)})
    assert "| | median | p95 |" in waits.markdown()
    assert "| tfdata-lint | 12.3 ms | 45.6 ms |" in waits.markdown()


def test_what_is_measured_is_the_process(measure: ModuleType, tmp_path: Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.2: pass\nblock = b'x' * 200_000_000"
    commands = [
        measure.Command("busy", (sys.executable, "-c", busy), tmp_path),
        measure.Command("idle", (sys.executable, "-c", "import time; time.sleep(0.2)"), tmp_path),
    ]
    usages = measure.measure(commands, 1, tmp_path)
    assert usages["busy"].cpu >= 0.2
    assert usages["busy"].peak >= 190
    assert usages["idle"].wall >= 0.2
    assert usages["idle"].cpu < usages["busy"].cpu


@pytest.mark.parametrize("prints", ["print(1)", "print(0); raise SystemExit(1)"])
def test_wrong_results_are_not_timed(prints: str, measure: ModuleType, tmp_path: Path) -> None:
    commands = [
        measure.Command("one", (sys.executable, "-c", "print(0)"), tmp_path, prints="findings"),
        measure.Command("other", (sys.executable, "-c", prints), tmp_path, prints="findings"),
    ]
    with pytest.raises(measure.WrongResult, match="other"):
        measure.measure(commands, 1, tmp_path)


def test_growth_is_compared_with_linear_growth(report: ModuleType) -> None:
    seconds = {"start": 1, "files × 1": 3, "files × 4": 13}
    growth = report.Growth("Files.", {label: report.Usage(0, cpu, 10_000) for label, cpu in seconds.items()})
    # The start aside, four times as many files take 12 s instead of 2 s: 1.5 times as much as they should.
    assert "| files × 4 | 13.0 s | 1.50 | 10000 MiB |" in growth.markdown()


# ── two versions, compared ──────────────────────────────────────────────────────────────────────────────────────────

#: A linter that is quick to start: it finds words.
WORDS = """
import json, sys
from pathlib import Path

def main():
    found = []
    tree = Path(sys.argv[-1])
    for file in sorted(tree.rglob("*.py")) if tree.is_dir() else [tree]:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            for word, (code, severity, applicability, below) in WORDS.items():
                if word in line:
                    end = {"row": number + below, "column": 1}
                    fix = applicability and {"applicability": applicability}
                    found.append({
                        "code": code, "name": "word", "severity": severity, "confidence": "proven",
                        "message": f"`{word}` | here", "filename": str(file), "cell": None, "location": end, "fix": fix,
                    })
            if "fails" in line and COMPLAINS:
                print(f"{file.name} fails", file=sys.stderr)
    print(json.dumps(found) if WORDS else "nonsense")
    return 2 if COMPLAINS else 0
"""
TREE = "old\n\nnew\n\nboth\nlouder\nmoves\n\nfails\n"


def linter(folder: Path, words: str, *, complains: bool = False) -> Path:
    package = folder / "tfdata_lint"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "cli.py").write_text(f"WORDS = {words}\nCOMPLAINS = {complains}\n{WORDS}", encoding="utf-8")
    return folder


def ecosystem(*words: object, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "ecosystem.py", *map(str, words)],
        capture_output=True, text=True, check=False, encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"} | (environment or {}),
    )  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree" / "src").mkdir(parents=True)
    (tmp_path / "tree" / "src" / "a file.py").write_text(TREE, encoding="utf-8")
    return tmp_path / "tree"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    both = "'both': ('TFD1', 'error', None, 0), 'louder': ('TFD1', 'advice', 'safe', 0)"
    return linter(
        tmp_path / "old", f"{{'old': ('TFD2', 'error', None, 0), 'moves': ('TFD1', 'error', None, 0), {both}}}"
    )


@pytest.fixture
def new(tmp_path: Path) -> Path:
    both = "'both': ('TFD1', 'error', None, 0), 'louder': ('TFD1', 'warning', 'unsafe', 0)"
    words = f"{{'new': ('TFD000', 'error', None, 0), 'moves': ('TFD1', 'error', None, 1), {both}}}"
    return linter(tmp_path / "new", words, complains=True)


def test_what_another_version_says_is_shown(old: Path, new: Path, tree: Path) -> None:
    done = ecosystem(old, new, tree)
    assert done.returncode == 1, done.stderr
    (row,) = (line for line in done.stdout.splitlines() if line.startswith(f"| {tree} |"))
    assert re.search(r" \| 4 \| 4 \| 1 \| 1 \| 1 \| 1 \| [\d.]+ m?s \| [\d.]+ m?s \| [\d.]+ \|$", row)
    assert done.stdout.partition(f"## {tree}\n\n")[2] == (
        "- + a file.py fails\n\n"
        "### TFD000 word: 1 added\n\n| | where | what |\n|---|---|---|\n"
        "| + | `src/a file.py:3` | error: `new` \\| here |\n\n"
        "### TFD1 word: 1 moved, 1 changed\n\n| | where | what |\n|---|---|---|\n"
        "| → | `src/a file.py:8` | from 7: `moves` \\| here |\n"
        "| ~ | `src/a file.py:6` | advice → warning; fix: safe → unsafe: `louder` \\| here |\n\n"
        "### TFD2 word: 1 removed\n\n| | where | what |\n|---|---|---|\n"
        "| − | `src/a file.py:1` | error: `old` \\| here |\n"
    )


def test_findings_are_links_where_the_files_are_shown(old: Path, new: Path, tree: Path) -> None:
    url = "https://github.com/o/r/blob/0123"
    done = ecosystem(old, new, tree, f"--url={tree}={url}/")
    assert f"| + | [src/a file.py:3]({url}/src/a%20file.py#L3) |" in done.stdout


@pytest.mark.parametrize(
    "remote", ["git@github.com:o/r.git", "https://secret@github.com/o/r", "https://github.com/o/r/"]
)
def test_a_clone_says_itself_where_its_files_are(remote: str, old: Path, new: Path, tree: Path) -> None:
    commit(tree)
    subprocess.run(["git", "-C", tree, "remote", "add", "origin", remote], check=True)
    head = subprocess.run(["git", "-C", tree, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    (tree / "not committed").mkdir()
    (tree / "not committed" / "more.py").write_text("new\n", encoding="utf-8")
    done = ecosystem(old, new, tree / "src", tree / "not committed")
    assert f"[a file.py:3](https://github.com/o/r/blob/{head.stdout.strip()}/src/a%20file.py#L3)" in done.stdout
    assert "| + | `more.py:1` |" in done.stdout


def test_revisions_are_compared_and_nothing_is_left(old: Path, tree: Path, tmp_path: Path) -> None:
    commit(old)
    cli = old / "tfdata_lint" / "cli.py"
    cli.write_text(cli.read_text(encoding="utf-8").replace("'both'", "'bo'"), encoding="utf-8")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = ecosystem("HEAD", old, tree, f"--repository={old}", environment={"TMPDIR": str(temporary)})
    assert done.returncode == 1, done.stderr
    assert "| ~ | `src/a file.py:5` | `both` \\| here → `bo` \\| here |\n" in done.stdout
    assert not list(temporary.iterdir())


def test_the_same_version_says_the_same(tree: Path) -> None:
    copyfile(ROOT / "examples" / "reviews.py", tree / "reviews.py")
    done = ecosystem(ROOT, ROOT, tree, "--select=TFD404")
    assert done.returncode == 0, done.stderr
    assert f"| {tree} | 1 | 1 | 0 | 0 | 0 | 0 |" in done.stdout
    assert "##" not in done.stdout


def test_what_cannot_be_compared_is_said(old: Path, tree: Path, tmp_path: Path) -> None:
    nonsense = linter(tmp_path / "nonsense", "{}")
    for words, complaint in (
        (("no-revision", old, tree), "no-revision"),
        ((old, nonsense, tree), "prints no findings"),
        ((old, old, tree / "nowhere"), "no such file or folder"),
        ((old, old, tree, f"--url={tmp_path}=https://github.com/o/r"), "none of the trees"),
        ((old, old, tree, "--url=https://github.com/o/r"), "is not TREE="),
    ):
        done = ecosystem(*words, f"--repository={ROOT}")
        assert done.returncode == 2
        assert complaint in done.stderr


def commit(folder: Path) -> None:
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message=all"]):
        subprocess.run([*git, *words], check=True)


# ── the price of rules ──────────────────────────────────────────────────────────────────────────────────────────────

#: Two fixes of it are safe, and needless today.
PIPELINE = """import tensorflow as tf

def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))

model.fit(tf.data.Dataset.list_files("*.jpg").map(load).batch(32))
"""


def price(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "price.py", *map(str, words)],
        capture_output=True, text=True, check=False, encoding="utf-8", env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.mark.nightly  # The ledger asks for the same in each run.
def test_rules_and_proofs_have_a_price(tmp_path: Path) -> None:
    for name in ("one", "other", "none"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.py").write_text(PIPELINE if name != "none" else "x = 1\n", encoding="utf-8")
    proof = "rules/overlap/ahead.py"
    without = f"{proof}:why_unsafe='it is not'"
    done = price(*tmp_path.iterdir(), "--json", f"--room={proof}", f"--without={without}")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    rules = {code: row for row in result["rules"] for code in row["codes"]}
    worth = {"findings": 2, "repositories": 2, "safe": 0, "needless": 2, "unsafe": 0}
    for code in ("TFD101", "TFD102"):
        assert rules[code].items() >= worth.items()
        assert rules[code]["calls"] == 2
    assert rules["TFD404"]["findings"] == 0
    rooms = {row["name"]: row for row in result["rooms"]}
    others = (row["statements"] for name, row in rooms.items() if name not in ("all", proof))
    assert rooms["all"]["statements"] == sum(others)
    assert rooms["rules/overlap"]["findings"] >= 4
    assert rooms[proof]["calls"] >= 4
    assert "findings" not in rooms["pipeline/mapped"]
    assert result["without"] == [
        {
            "without": without, "safe fixes decided": 4, "lost": 4, "gained": 0, "failures": 0,
            "rules": ["TFD101 2", "TFD102 2"],
        }
    ]  # fmt: skip


def test_what_has_no_price_is_said(tmp_path: Path) -> None:
    for words, complaint in (
        ((tmp_path / "nowhere",), "no such file or folder"),
        ((tmp_path, "--room=pipeline/nowhere"), "no such file or folder"),
        ((tmp_path, "--without=rules/overlap/ahead.py:nothing=1"), "no attribute 'nothing'"),
        ((tmp_path, "--without=rules/overlap/ahead.py:why_unsafe=safe"), "malformed node"),
        ((tmp_path, "--without=rules/base.py:Finding=1"), "Finding is not a function"),
        (("--room=pipeline/mapped",), "need a CHECKOUT"),
    ):
        done = price(*words)
        assert done.returncode == 2
        assert complaint in done.stderr
