"""A file that Black or Ruff accepts is accepted after its fixes; the formatters themselves are asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from fixes.pipelines import programs
from hypothesis import HealthCheck, Phase

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.source.formatting import formatted
from tfdata_lint.source.layout import LogicalLine, logical_lines

pytestmark = pytest.mark.slow

black = pytest.importorskip("black")

EXAMPLES = 25


def by_black(text: str, width: int) -> str:
    return str(black.format_str(text, mode=black.Mode(line_length=width)))


def by_ruff(text: str, width: int) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", str(width), "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=True).stdout


FORMATTERS = {"black": by_black, "ruff": by_ruff}


def fixed(text: str, path: Path) -> str:
    report = fix_source(text, str(path), Settings(select=("ALL",), looks_around=True), unsafe=True)
    return text if report.after is None else report.after.decode()


@pytest.mark.parametrize(("name", "width"), [("black", 88), ("black", 60), ("ruff", 100), ("ruff", 70)])
def test_what_a_formatter_accepts_it_accepts_after_the_fixes(name: str, width: int, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(f"[tool.{name}]\nline-length = {width}\n")
    changed = for_each_program(FORMATTERS[name], width, tmp_path / "pipeline.py")
    assert changed > EXAMPLES / 2


def test_without_settings_the_file_tells(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert for_each_program(by_black, 88, tmp_path / "pipeline.py") > EXAMPLES / 2


def lines(text: str) -> Iterator[tuple[LogicalLine, str]]:
    return ((line, text[line.start : line.end]) for line in logical_lines(text))


def for_each_program(formatter: Callable[[str, int], str], width: int, path: Path) -> int:
    changed = 0

    @hypothesis.seed(0)
    @hypothesis.settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(programs())
    def check(program: str) -> None:
        nonlocal changed
        before = formatter(program, width)
        # Where comments stand inside of chains, Ruff goes ways of its own.
        hypothesis.assume(
            formatter is by_black or not any(line.comments and "\n" in text for line, text in lines(before))
        )
        after = fixed(before, path)
        changed += after != before
        assert after == formatter(after, width)

    check()
    return changed


PACKAGE = Path(__file__).parents[2] / "tfdata_lint"


@pytest.mark.parametrize("name", FORMATTERS)
def test_statements_of_real_code_are_laid_out_alike(name: str) -> None:
    """Of this package, whose style is that of Ruff: those statements that are laid out at all."""
    known = 0
    for path in sorted((PACKAGE / "source").rglob("*.py")):
        text = FORMATTERS[name](path.read_text(encoding="utf-8"), 70)
        for _, statement in lines(text):
            if "\n" in statement and not statement.lstrip().startswith("#"):
                found = formatted(statement, 70, by_ruff=name == "ruff")
                known += found is not None
                assert found in (None, statement)
    assert known > 200
