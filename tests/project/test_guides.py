"""`docs/guides.md` names rules that there are, and all of them."""

from __future__ import annotations

import re
from pathlib import Path

from tfdata_lint.rules import all_rules

TEXT = (Path(__file__).parents[2] / "docs" / "guides.md").read_text(encoding="utf-8")


def test_the_rules_are_those_that_there_are() -> None:
    named = set(re.findall(r"TFD\d{3}", TEXT))
    assert named == {rule.code for rule in all_rules() if rule.group != "meta"}


def test_every_row_says_what_becomes_of_it() -> None:
    rows = [row for row in TEXT.splitlines() if row.startswith("|") and not row.startswith(("| The guide", "|---"))]
    assert rows
    for row in rows:
        *_, here, _ = row.split(" |" if row.endswith(" |") else "|")
        assert re.search(r"TFD\d{3}|`--verify`|`tfdata-lint profile`|None", here), row
