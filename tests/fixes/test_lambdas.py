"""Fixes that would put a lambda on the row of another one that AutoGraph cannot tell from it are not safe."""

from __future__ import annotations

from pathlib import Path

from rows import each

from tfdata_lint import Settings, lint_source
from tfdata_lint.config.target import NEWEST, Target
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.source.lambdas import confused
from tfdata_lint.testing.blocks import Block, blocks

PROGRAMS = list(blocks(Path(__file__).parent / "trust" / "lambdas.md"))
REASON = "two lambdas would stand on one row, which AutoGraph cannot tell apart"


@each("block", PROGRAMS)
def test_safety(block: Block) -> None:
    settings = Settings(target_tensorflow=Target(oldest=NEWEST))
    found = lint_source(block.text, settings=settings).diagnostics
    fixes = [one.fix for one in found if one.code in ("TFD305", "TFD702")]
    expected = ("unsafe", REASON) if block.option("safe") is None else ("safe", "")
    assert [(fix.applicability, fix.reason) for fix in fixes if fix] == [expected]


def test_rows_of_their_own() -> None:
    """Who asks for an unsafe fix gets them where a break helps: not inside of a bracket over several rows."""
    fixed = [fix_source(block.text, unsafe=True).after or b"" for block in PROGRAMS if block.option("safe") is None]
    assert [bool(confused(text.decode())) for text in fixed] == [False, True, True, False, False]
