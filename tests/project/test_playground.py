"""The playground on the site, in a browser: what is typed is linted, drawn and fixed, and no other host is asked."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE, run

pytestmark = pytest.mark.playground

WEBSITE = Path(__file__).parents[2] / "website"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
#: Python is loaded, and much of it for the first time.
PATIENCE_MS = 1000 * PATIENCE
CLEAN = "import tensorflow as tf\n\nds = tf.data.Dataset.range(9).batch(3)\n"
PROGRAM = "import tensorflow as tf\n\nds = tf.data.Dataset.range(9).batch(3).shuffle(3)\nfor x in ds:\n    print(x)\n"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("playwright", reason="needs the extra `site`")
    if CHROMIUM is None or shutil.which("npm") is None:
        pytest.skip("needs Chromium and npm")
    playground, folder = tmp_path_factory.mktemp("playground"), tmp_path_factory.mktemp("site")
    environment = {**os.environ, "PYTHON": sys.executable, "TFDATA_LINT_PLAYGROUND": str(playground)}
    write = [sys.executable, "../write.py", str(folder)]
    build = [sys.executable, "-m", "zensical", "build", "--strict", "-f", str(folder / "mkdocs.yml")]
    npm = (["npm", "ci", "--silent"], ["npm", "run", "build", "--silent", "--", str(playground)])
    for command in (*npm, write, build):
        done = run(command, cwd=WEBSITE / "playground", env=environment, patience=4 * PATIENCE)
        assert done.returncode == 0, done.stdout
    return folder / "build"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()


@pytest.fixture(scope="module")
def page(address: str, browser: Any) -> Iterator[Any]:
    opened = browser.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    asked: list[str] = []
    problems: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.goto(f"{address}playground/")
    opened.wait_for_selector(".pg-finding")
    yield opened
    assert problems == []
    assert {url for url in asked if not url.startswith((address, "data:", "blob:"))} == set()


def write(page: Any, text: str) -> None:
    page.click(".cm-content")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)


def turn(page: Any, tab: str) -> None:
    page.click(f".pg-tabs button:text-is('{tab}')")


def test_an_example_is_linted(page: Any) -> None:
    assert "TFD302 cache-after-random" in page.inner_text(".pg-panel")
    assert page.locator(".cm-lintRange-error").count()


def test_findings_follow_what_is_typed(page: Any) -> None:
    write(page, PROGRAM)
    page.wait_for_selector(".pg-rule:has-text('TFD306')")
    write(page, CLEAN)
    page.wait_for_selector(".pg-state:has-text('Nothing found')")
    assert page.inner_text(".pg-panel") == "Nothing to report."


def test_what_cannot_be_parsed_is_one_finding(page: Any) -> None:
    write(page, "import tensorflow as tf\nds = tf.data.Dataset.range(\n")
    page.wait_for_selector(".pg-rule:has-text('TFD000')")
    assert page.locator(".pg-finding").count() == 1


def test_fixes_are_shown_and_applied(page: Any) -> None:
    write(page, PROGRAM)
    page.wait_for_selector(".pg-finding .pg-added:has-text('shuffle(3).batch(3)')")
    turn(page, "Fixes")
    page.check(".pg-panel input")
    page.wait_for_selector(".pg-added:has-text('shuffle(3).batch(3)')")
    page.click(".pg-apply")
    page.wait_for_selector(".cm-content:has-text('shuffle(3).batch(3)')")
    turn(page, "Findings")
    page.wait_for_selector(".pg-state:has-text('in ')")
    page.wait_for_function("!document.querySelector('.pg-panel').textContent.includes('TFD306')")


def test_the_pipeline_is_drawn(page: Any) -> None:
    write(page, PROGRAM)
    turn(page, "Pipelines")
    page.wait_for_selector(".pg-panel svg text:has-text('batch')")
    assert {"range", "batch", "shuffle"} <= {*page.locator(".pg-panel svg text").all_text_contents()}


def test_another_tensorflow_has_other_findings(page: Any) -> None:
    turn(page, "Findings")
    page.select_option(".pg-examples", "image_classification")
    page.select_option(".pg-target", "2.5")
    page.wait_for_selector(".pg-warning .pg-rule:has-text('TFD101')")
    page.select_option(".pg-target", "")
    page.wait_for_selector(".pg-advice .pg-rule:has-text('TFD101')")


def test_a_notebook_is_dropped(page: Any) -> None:
    cells = [{"cell_type": "markdown", "source": "# title"}, {"cell_type": "code", "source": PROGRAM.splitlines(True)}]
    script = """notebook => {
        const held = new DataTransfer();
        held.items.add(new File([notebook], "a.ipynb"));
        const drop = new DragEvent("drop", { dataTransfer: held, bubbles: true });
        document.querySelector(".pg-editor").dispatchEvent(drop);
    }"""
    page.evaluate(script, json.dumps({"cells": cells}))
    page.wait_for_selector(".cm-content:has-text('# %%')")
    page.wait_for_selector(".pg-rule:has-text('TFD306')")


def test_a_rule_opens_its_example(site: Path, address: str, browser: Any) -> None:
    rule = next(site.glob("rules/TFD306-*/index.html")).read_text(encoding="utf-8")
    link = re.search(r'href="\.\./\.\./(playground/#code=[^"]+)"', rule)
    assert link
    other = browser.new_page()
    other.goto(address + link[1])
    other.wait_for_selector(".pg-rule:has-text('TFD306')", timeout=PATIENCE_MS)
    other.close()


def test_the_page_of_a_rule_stands_beside_it(page: Any) -> None:
    write(page, PROGRAM)
    turn(page, "Findings")
    page.click(".pg-rule:has-text('TFD306')")
    page.wait_for_selector(".pg-page h1:has-text('TFD306 shuffle-after-batch')")


def test_a_link_holds_the_code(page: Any, browser: Any) -> None:
    write(page, f"# Grüße\n{CLEAN}")
    page.click(".pg-link")
    page.wait_for_url(re.compile("#code="))
    other = browser.new_page()
    other.goto(page.url)
    other.wait_for_selector(".cm-content:has-text('# Grüße')", timeout=PATIENCE_MS)
    other.close()
