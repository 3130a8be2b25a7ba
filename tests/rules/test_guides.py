"""Lints programs for each row of `docs/guides.md` that names a rule, so that no row promises more than the rules keep.

A page in `guides/` is about the guide that its title names, in that file's words; a heading in it has the words of a
row. Below it are bad programs, with markers as in the pages of the rules, which together show each rule of the row, and
good ones, about which none of these rules says anything. All rules are on: pedantic ones and previews, too. The words
after `python` are those of the pages of the rules.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from rows import each
from tensorflow_runner import RunOnTensorFlow, check_end

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.rules import rule
from tfdata_lint.testing.blocks import Block, blocks, headings
from tfdata_lint.testing.pages import markers, target_of

FOLDER = Path(__file__).parent / "guides"
TEXT = (Path(__file__).parents[2] / "docs" / "guides.md").read_text(encoding="utf-8")
CODE = re.compile(r"TFD\d{3}")


class Row(NamedTuple):
    guide: str
    says: str
    codes: tuple[str, ...]
    here: str

    def __str__(self) -> str:
        return f"{self.guide}: {self.says}"


def rows() -> list[Row]:
    """The rows that name a rule."""
    guide, found = "", []
    for line in TEXT.splitlines():
        if line.startswith("## "):
            guide = line[3:]
        elif line.startswith("| "):
            says, here = (cell.strip() for cell in line.strip("| ").split(" | "))
            if codes := tuple(dict.fromkeys(CODE.findall(here))):
                found.append(Row(guide, says, codes, here))
    return found


def programs() -> dict[tuple[str, str], list[Block]]:
    """The blocks of all pages, by guide and heading."""
    found: dict[tuple[str, str], list[Block]] = defaultdict(list)
    for page in sorted(FOLDER.glob("*.md")):
        lines, guide = page.read_text(encoding="utf-8").splitlines(), headings(page)[0].removeprefix("# ")
        for block in blocks(page):
            above = next(line for line in reversed(lines[: block.line - 1]) if line.startswith("## "))
            found[guide, above.removeprefix("## ")].append(block)
    return dict(found)


def named(block: Block) -> set[tuple[int, str, str]]:
    """Row, severity and code of what the block announces."""
    return {(marker.row, marker.severity, marker.code) for marker in markers(block.text)}


def diagnosed(block: Block) -> set[tuple[int, str, str]]:
    """Row, severity and code of what all rules find."""
    report = lint_source(block.text, "train.py", Settings(extend_select=("ALL",), target_tensorflow=target_of(block)))
    return {(d.place.row, d.severity, d.code) for d in report.diagnostics}


def codes_of(found: Iterable[tuple[int, str, str]]) -> set[str]:
    return {code for _, _, code in found}


ROWS, PROGRAMS = rows(), programs()
BLOCKS = [block for found in PROGRAMS.values() for block in found]


def test_each_row_has_programs_and_each_program_a_row() -> None:
    named_rows = [(row.guide, row.says) for row in ROWS]
    assert sorted(named_rows) == sorted(PROGRAMS)


@each("row", ROWS)
def test_row(row: Row) -> None:
    found = PROGRAMS[row.guide, row.says]
    bad, good = [b for b in found if named(b)], [b for b in found if not named(b)]
    assert good, "no good program"
    assert set().union(*(codes_of(named(block)) for block in bad)) == set(row.codes)
    for block in bad:
        missing = named(block) - diagnosed(block)
        assert not missing, f"{block}: announced, not found: {sorted(missing)}: {sorted(diagnosed(block))}"
    for block in good:
        wrong = {report for report in diagnosed(block) if report[2] in row.codes}
        assert not wrong, f"{block}: found in a good program: {sorted(wrong)}"


@each("row", ROWS)
def test_row_says_how_it_is_told(row: Row) -> None:
    """Off by default, and advice, are what no row leaves out."""
    severities: dict[str, set[str]] = defaultdict(set)
    for block in PROGRAMS[row.guide, row.says]:
        for _, severity, code in named(block):
            severities[code].add(severity)
    for code in row.codes:
        checked = rule(code)
        if checked and (checked.group == "pedantic" or checked.status == "preview"):
            assert f"{code} (off" in row.here, f"{code} is off by default"
        elif checked:
            assert f"{code} (off" not in row.here, f"{code} is on by default"
            assert severities[code] != {"advice"} or "advice" in row.here, f"{code} is advice"


@each("block", BLOCKS)
def test_program_is_python(block: Block) -> None:
    ast.parse(block.text)


@pytest.mark.nightly  # Another TensorFlow changes them, and who writes one runs it.
@each("block", [block for block in BLOCKS if block.option("no-run") is None])
def test_program_runs_as_announced(block: Block, run_on_tensorflow: RunOnTensorFlow) -> None:
    check_end(block, run_on_tensorflow)
