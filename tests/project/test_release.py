"""What a release says of itself is the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tfdata_lint import __version__

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("file", "row"), [("CITATION.cff", "version: {}"), ("CHANGELOG.md", "## {}")])
def test_the_version_is_the_same(file: str, row: str) -> None:
    rows = (ROOT / file).read_text(encoding="utf-8").splitlines()
    assert any(text == row.format(__version__) or text.startswith(f"{row.format(__version__)} ") for text in rows)


@pytest.mark.parametrize(
    "file", sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]), ids=lambda path: path.name
)
def test_links_lead_somewhere(file: Path) -> None:
    text = re.sub(r"^```.*?^```", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    broken = [link for link in links if link and "://" not in link and not (file.parent / link).exists()]
    assert broken == []


def test_what_the_distribution_needs_is_in_it() -> None:
    listed = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for path in ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md"):
        assert (ROOT / path).exists()
        assert f'"/{path}"' in listed
