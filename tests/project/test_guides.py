"""`docs/guides.md` names rules that there are, and all of them; also those that `tests/rules/guides` awaits."""

from __future__ import annotations

import re
from pathlib import Path

from tfdata_lint.rules import all_rules
from tfdata_lint.testing.blocks import blocks
from tfdata_lint.testing.pages import markers

TEXT = (Path(__file__).parents[2] / "docs" / "guides.md").read_text(encoding="utf-8")
PAGES = (Path(__file__).parents[1] / "rules" / "guides").glob("*.md")
#: `tests/rules/test_guides.py` fails where a rule of these is written.
AWAITED = {
    marker.code
    for page in PAGES
    for block in blocks(page)
    if block.option("later") is not None
    for marker in markers(block.text)
}


def test_the_rules_are_those_that_there_are() -> None:
    named = set(re.findall(r"TFD\d{3}", TEXT))
    assert named - AWAITED == {rule.code for rule in all_rules() if rule.group != "meta"}


def test_every_row_says_what_becomes_of_it() -> None:
    rows = [row for row in TEXT.splitlines() if row.startswith("|") and not row.startswith(("| The guide", "|---"))]
    assert rows
    for row in rows:
        *_, here, _ = row.split(" |" if row.endswith(" |") else "|")
        assert re.search(r"TFD\d{3}|`--verify`|None", here), row
