"""The page of findings in public code shows what its data say, of rules that there are."""

from __future__ import annotations

from pathlib import Path

from tfdata_lint.config.files import parse_toml
from tfdata_lint.rules import rule

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "in-the-wild.md").read_text(encoding="utf-8")
DATA = parse_toml((ROOT / "benchmarks" / "in_the_wild.toml").read_text(encoding="utf-8"))


def test_it_shows_all_that_were_chosen() -> None:
    assert len(DATA["findings"]) == 30
    for one in DATA["findings"]:
        anchor = "" if "cell" in one else f"#L{one['row']}"
        commit = DATA["repositories"][one["repository"]]
        assert f"https://github.com/{one['repository']}/blob/{commit}/{one['path']}{anchor})" in PAGE
        assert one["consequence"] in PAGE
        assert one["fix"] in PAGE
        assert rule(one["code"])
