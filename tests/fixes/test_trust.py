"""Runs the programs of `trust/` on TensorFlow, before and after safe fixes: nothing that they do may change.

What follows `python` above a program: `safe=TFD101,TFD102`, the rules of which a safe fix is made all the same;
`raises=ValueError`, how it ends; `known`, that something
does change, as the page of the rule says. A line `# file: name.py` begins another file; the last one is run.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from fixes.comparison import Files
from fixes.trusted import Fixed, Outcome, fix_safely, judge
from rows import drawn, each, try_all
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.testing.blocks import Block, blocks

PAGES = sorted((Path(__file__).parent / "trust").glob("*.md"))
PROGRAMS = [block for page in PAGES for block in blocks(page)]

_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)


def files_of(block: Block) -> Files:
    first, *parts = _FILE.split(block.text)
    return dict(zip(parts[::2], parts[1::2], strict=True)) if parts else {"program.py": first}


@functools.cache
def fixes_of(block: Block) -> tuple[Fixed, ...]:
    return fix_safely(files_of(block))


def outcomes(page: Path, run: RunOnTensorFlow) -> dict[int, Outcome]:
    programs = drawn(block for block in PROGRAMS if block.file == page)
    judged = judge([(files_of(block), fixes_of(block)) for block in programs], run)
    return {block.line: outcome for block, outcome in zip(programs, judged, strict=True)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_safe_fixes_change_nothing(page: Path, run_on_tensorflow: RunOnTensorFlow) -> None:
    ended = outcomes(page, run_on_tensorflow)
    tried = drawn(block for block in PROGRAMS if block.file == page)
    try_all(tried, lambda block: check_outcome(block, ended[block.line]))


def check_outcome(block: Block, outcome: Outcome) -> None:
    expected = block.option("raises") or ""
    assert outcome.error.partition(":")[0] == expected, f"{block.place(1)}\n{outcome.error}"
    seen = [name for name, value in outcome.values.items() if value["spec"] not in ("int", "str", "float")]
    assert seen or expected, f"{block.place(1)}: there is nothing to compare"
    if block.option("known") is None:
        assert not outcome.difference, f"{block.place(1)}: {outcome.difference}"
    else:
        assert outcome.difference, f"{block.place(1)} is known no more"


@each("block", [block for block in PROGRAMS if block.option("safe")])
def test_safe_fixes_are_still_made(block: Block) -> None:
    wanted = set((block.option("safe") or "").split(","))
    made = {code for fixed in fixes_of(block) for code in fixed.codes}
    assert wanted <= made, f"{block.place(1)}: {wanted - made} not among {made or 'none'}"


def test_there_are_enough_of_them() -> None:
    benign = [block for block in PROGRAMS if block.option("safe")]
    assert len(PROGRAMS) >= 150
    assert len(benign) >= 25
