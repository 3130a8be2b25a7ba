"""The site is built without a warning, all of its links lead somewhere, and no page needs another host."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from processes import PATIENCE, run

from tfdata_lint.rules import all_rules

pytestmark = pytest.mark.site

ROOT = Path(__file__).parents[2]
HERE = "https://site.invalid/"


class Page(HTMLParser):
    """What a page refers to, and the names in it that others may refer to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag in ("a", "area") and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") not in ("canonical", "prev", "next"):
            self.loads.append(values["href"])
        if "src" in values:
            self.loads.append(values["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zensical", reason="needs the extra `site`")
    folder = tmp_path_factory.mktemp("site")
    for command in (
        [ROOT / "website" / "write.py", folder],
        ["-m", "zensical", "build", "--strict", "-f", folder / "mkdocs.yml"],
    ):
        done = run([sys.executable, *command], patience=4 * PATIENCE)
        assert done.returncode == 0, done.stdout
    return folder / "build"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """By their addresses."""
    found = {}
    for path in site.rglob("*.html"):
        page = Page()
        page.feed(path.read_text(encoding="utf-8"))
        found[urljoin(HERE, path.relative_to(site).as_posix().removesuffix("index.html"))] = page
    return found


def test_the_pages_need_no_builder_in_particular(site: Path) -> None:
    """They are files that link to files, and the navigation is data."""
    written = site.parent / "pages"
    broken = []
    for page in written.rglob("*.md"):
        text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        targets = re.findall(r"\]\((?!https?:|mailto:|#)([^)\s#]+)", re.sub(r"`[^`]*`", "", text))
        broken += [f"{page.name}: {target}" for target in targets if not (page.parent / target).exists()]
    assert broken == []
    assert "hooks" not in (ROOT / "website" / "mkdocs.yml").read_text(encoding="utf-8")
    assert set(_listed(json.loads((site.parent / "navigation.json").read_text(encoding="utf-8")))) == {
        page.relative_to(written).as_posix() for page in written.rglob("*.md")
    }


def _listed(navigation: dict[str, Any]) -> Iterator[str]:
    for below in navigation.values():
        yield from _listed(below) if isinstance(below, dict) else (below,)


def test_each_rule_has_its_page(pages: dict[str, Page]) -> None:
    assert {f"{HERE}rules/{rule.code}-{rule.name}/" for rule in all_rules()} <= pages.keys()


def test_the_cases_of_a_rule_are_closed_and_not_searched(site: Path) -> None:
    """Of TFD102, whose examples are many."""
    page = (site / "rules" / "TFD102-sequential-map" / "index.html").read_text(encoding="utf-8")
    reader, _, cases = page.partition('<details class="cases"')
    assert reader.count("<pre>") <= 3 < cases.count("<pre>")
    assert "```" not in cases
    index = json.loads((site / "search.json").read_text(encoding="utf-8"))
    texts = [entry["text"] for entry in index["items"] if entry["location"].startswith("rules/TFD102")]
    assert any("num_parallel_calls" in text for text in texts)
    assert sum(text.count("import tensorflow as tf") for text in texts) <= 3


def test_links_lead_somewhere(site: Path, pages: dict[str, Page]) -> None:
    broken = []
    for address, page in pages.items():
        for link in (*page.links, *page.loads):
            target, _, anchor = urljoin(address, link).partition("#")
            if not target.startswith(HERE) or address.endswith("404.html"):
                continue
            path = site / unquote(urlsplit(target).path).lstrip("/")
            there = path.is_file() or (path / "index.html").is_file()
            if not there or (anchor and target in pages and unquote(anchor) not in pages[target].anchors):
                broken.append(f"{address}: {link}")
    assert len(pages) > 100
    assert broken == []


def test_nothing_is_loaded_from_another_host(site: Path, pages: dict[str, Page]) -> None:
    foreign = {load for address, page in pages.items() for load in page.loads if urlsplit(load).netloc}
    assert foreign == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", styles)
