"""The site is built without a warning, all of its links lead somewhere, and no page needs another host."""

from __future__ import annotations

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
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
    pytest.importorskip("material", reason="needs the extra `site`")
    folder = tmp_path_factory.mktemp("site")
    built = run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", ROOT / "website" / "mkdocs.yml", "-d", folder],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        patience=4 * PATIENCE,
    )
    assert built.returncode == 0, built.stdout
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """By their addresses."""
    found = {}
    for path in site.rglob("*.html"):
        page = Page()
        page.feed(path.read_text(encoding="utf-8"))
        found[urljoin(HERE, path.relative_to(site).as_posix().removesuffix("index.html"))] = page
    return found


def test_each_rule_has_its_page(pages: dict[str, Page]) -> None:
    assert {f"{HERE}rules/{rule.code}-{rule.name}/" for rule in all_rules()} <= pages.keys()


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
