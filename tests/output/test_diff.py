"""Changes as a unified diff: readable for people, exact for `patch`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tfdata_lint.output.diff import unified

ROWS = [f"row{number} = {number}\n" for number in range(20)]
OLD = "".join(ROWS)
NEW = OLD.replace("row9 = 9\n", "row9 = 10\nadded = 1\n")

CONTENTS = {
    "lf": (OLD.encode(), NEW.encode()),
    "crlf": (OLD.replace("\n", "\r\n").encode(), NEW.replace("\n", "\r\n").encode()),
    "cr": (OLD.replace("\n", "\r").encode(), NEW.replace("\n", "\r").encode()),
    "no last newline": (OLD[:-1].encode(), (NEW[:-1] + "0").encode()),
    "a last newline comes": (OLD[:-1].encode(), OLD.encode()),
    "bom": (b"\xef\xbb\xbf" + OLD.encode(), b"\xef\xbb\xbfrow = 1\n" + OLD.encode()),
    "latin-1": (
        f"# coding: latin-1\n# \xe9\n{OLD}".encode("latin-1"),
        f"# coding: latin-1\n# \xe9\n\n{OLD}".encode("latin-1"),
    ),
    "odd blanks": (f"a = '\x0c\u2028猫'\n{OLD}".encode(), f"a = '\x0c\u2028猫'\nb = 1\n{OLD}".encode()),
    "emptied": (b"# noqa: TFD101\n", b""),
}


def test_a_module() -> None:
    assert (
        unified("a.py", OLD.encode(), NEW.encode()).decode()
        == """\
--- a.py
+++ a.py
@@ -7,7 +7,8 @@
 row6 = 6
 row7 = 7
 row8 = 8
-row9 = 9
+row9 = 10
+added = 1
 row10 = 10
 row11 = 11
 row12 = 12
"""
    )


def test_the_same() -> None:
    assert unified("a.py", OLD.encode(), OLD.encode()) == b""


def test_in_color() -> None:
    colored = unified("a.py", b"a\r\nb", b"a\r\nc", color=True)
    assert colored.splitlines(keepends=True) == [
        b"\x1b[1m--- a.py\x1b[0m\n",
        b"\x1b[1m+++ a.py\x1b[0m\n",
        b"\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n",
        b" a\r\n",
        b"\x1b[31m-b\x1b[0m\n",
        b"\\ No newline at end of file\n",
        b"\x1b[32m+c\x1b[0m\n",
        b"\\ No newline at end of file\n",
    ]


@pytest.mark.skipif(not shutil.which("patch"), reason="needs patch")
@pytest.mark.parametrize("name", ["a.py", "sub/with blanks.py"])
@pytest.mark.parametrize(("before", "after"), CONTENTS.values(), ids=CONTENTS.keys())
def test_patch_applies_it(before: bytes, after: bytes, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(before)
    subprocess.run(["patch", "-p0"], input=unified(name, before, after), cwd=tmp_path, check=True, capture_output=True)
    assert file.read_bytes() == after


def test_a_notebook_shows_the_cells_that_change() -> None:
    def cells(*texts: str) -> bytes:
        code = [{"cell_type": "code", "source": text} for text in texts]
        return json.dumps({"cells": [{"cell_type": "markdown", "source": "# 1"}, *code], "nbformat": 4}).encode()

    before = cells("%cd x\nds = f()", "y = 1", "z = '\ud800'")
    after = cells("%cd x\nds = g()", "y = 1", "z = '\ud800'\nw = 1")
    assert (
        unified("n.ipynb", before, after).decode()
        == """\
--- n.ipynb:cell 2
+++ n.ipynb:cell 2
@@ -1,2 +1,2 @@
 %cd x
-ds = f()
+ds = g()
--- n.ipynb:cell 4
+++ n.ipynb:cell 4
@@ -1 +1,2 @@
 z = '\\ud800'
+w = 1
"""
    )
