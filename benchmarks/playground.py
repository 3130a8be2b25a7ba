"""How long does the playground take to start, and to find what is wrong in 300 rows?

    pip install -e '.[site]'
    (cd website/playground && npm ci && npm run build)
    python benchmarks/playground.py

Chromium loads it from this machine, each time with an empty cache.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import shutil
import statistics
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
DIST = ROOT / "website" / "playground" / "dist"
ROWS = 300
DONE = "document.querySelector('.pg-state').textContent.match(/in (\\d+) ms/)?.[1]"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def program() -> str:
    """So many rows at least: one of the examples, again and again."""
    text = (ROOT / "examples" / "image_classification.py").read_text()
    return text * -(-ROWS // text.count("\n"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    browser_path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    starts, checks = [], []
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(DIST))) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for _ in range(arguments.rounds):
            context = browser.new_context()
            page = context.new_page()
            page.set_default_timeout(120_000)
            began = time.perf_counter()
            page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
            page.wait_for_function(DONE)
            starts.append(time.perf_counter() - began)
            page.click(".cm-content")
            page.keyboard.press("ControlOrMeta+a")
            page.evaluate("document.querySelector('.pg-state').textContent = ''")
            page.keyboard.insert_text(program())
            page.wait_for_function(DONE)
            checks.append(int(page.evaluate(DONE)))
            context.close()
        browser.close()
        server.shutdown()
    print(f"to the first findings: {statistics.median(starts):.1f} s of {', '.join(f'{s:.1f}' for s in starts)}")
    print(f"findings of {ROWS} rows: {statistics.median(checks):.0f} ms of {', '.join(map(str, checks))}")


if __name__ == "__main__":
    main()
