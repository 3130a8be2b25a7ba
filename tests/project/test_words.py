"""Prose is spelled the American way, and says none of the phrases that readers stumbled over."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("rules/*.md")])
#: The texts of rules and fixes: messages, advice, reasons, docstrings and comments.
MODULES = sorted([*ROOT.glob("tfdata_lint/rules/**/*.py"), *ROOT.glob("tfdata_lint/rewriting/**/*.py")])
#: Names of rules and of Python's modules, and what the field calls its objects.
IGNORED = "astroid,befores,clear,fulfil,judgement,nd,notin,te,whos"
BANNED = (
    "for you to say",
    "means but not what it did",
    "on no package index",
    "only on evidence",
    "is paid for in each",
    "by itself, so `--fix` leaves it",
)


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each line of prose of a page or module with its row: neither code nor names."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        kinds = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.COMMENT)}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in kinds and token.string.count(" ") > 2:
                for row, line in enumerate(token.string.splitlines(), token.start[0]):
                    yield row, without_names(line)
        return
    is_code = False
    for row, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield row, without_names(line)


def without_names(line: str) -> str:
    """Return a line without code in backticks, targets of links, and names with a hyphen, dot or underscore."""
    line = re.sub(r"`[^`]*`|\]\([^)]*\)|\{[^}]*\}", " ", line)
    return re.sub(r"\S*\w[-_./:]\w\S*", " ", line)


def misspelled(lines: list[str]) -> str:
    """Return what codespell says of these lines, empty where it knows no better."""
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare,en-GB_to_en-US", "-L", IGNORED, "-"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, encoding="utf-8")
    assert done.returncode in (0, 65), done.stderr
    return done.stdout


def test_spelling() -> None:
    pytest.importorskip("codespell_lib")
    places = [(path, row, line) for path in (*PAGES, *MODULES) for row, line in prose(path)]
    said = misspelled([line for _, _, line in places])
    rows = [int(found[1]) for found in re.finditer(r"^(\d+): ", said, re.MULTILINE)]
    assert not said, said + "\n".join(f"{places[row - 1][0].relative_to(ROOT)}:{places[row - 1][1]}" for row in rows)


def test_spelling_is_checked() -> None:
    pytest.importorskip("codespell_lib")
    assert "parallelizes" in misspelled(["TensorFlow parallelises this map"])
    assert "behavior" in misspelled(["its behaviour"])
    assert not misspelled([without_names("`parallelise` and unnormalised-resize")])


@pytest.mark.parametrize("phrase", BANNED)
def test_banned_phrases(phrase: str) -> None:
    said = [
        f"{path.relative_to(ROOT)}:{row}"
        for path in (*PAGES, *MODULES)
        for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if phrase in line
    ]
    assert not said
