"""The benchmark runs where it is told to, writes a page with a plot, and refuses to time wrong results."""

from __future__ import annotations

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

pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="processes are measured with wait4")


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
