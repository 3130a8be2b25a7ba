"""What the formatter or style checker of a project is told: which one it is, and how long rows may be."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tfdata_lint.source.content import names_in, read_beside


class Formatter(NamedTuple):
    """Who lays out the code of a folder; nothing of it is set where nobody says."""

    name: str = ""
    width: int = 0
    folder: str = ""
    """Where its settings are."""


_FILES = (
    "pyproject.toml", "ruff.toml", ".ruff.toml", ".style.yapf", "setup.cfg", "tox.ini", ".flake8", "pylintrc",
    ".pylintrc",
)  # fmt: skip
#: The sections that tell something, those before others that count more, and the width that goes without saying.
_SECTIONS = {
    "tool.black": ("black", 88), "tool.pyink": ("pyink", 80), "tool.ruff": ("ruff", 88), "tool.yapf": ("yapf", 79),
    "yapf": ("yapf", 79), "style": ("yapf", 79), "flake8": ("flake8", 0), "pycodestyle": ("pycodestyle", 0),
    "pylint": ("pylint", 0),
}  # fmt: skip
_ROW = r"""(?xm)^[ \t]*(?: \[ (?P<section> [\w.: -]+) \]
      | (?: (?:max[-_])? line[-_]length | column_limit ) [ \t]*[=:][ \t]* ["']? (?P<width> \d{1,6})
      | based_on_style [ \t]*[=:][ \t]* ["']? (?P<style> \w+) )"""
#: One of them is in each text that tells something.
_WORDS = ("length", "column_limit", "based_on_style", *{section.removeprefix("tool.") for section in _SECTIONS})
_NARROW = frozenset({"google", "chromium", "yapf", "facebook"})


@lru_cache(maxsize=4096)
def formatter_of(folder: str) -> Formatter:
    """The formatter of the project that a folder belongs to. The folder is absolute."""
    names = names_in(folder)
    found = {section: formatter for name in _FILES if name in names
             for section, formatter in _told(os.path.join(folder, name))}  # fmt: skip
    for section in _SECTIONS:
        if section in found and found[section].width:
            return found[section]
    parent = os.path.dirname(folder)
    if ".git" in names or parent == folder or folder == os.path.expanduser("~"):
        return Formatter()
    return formatter_of(parent)


def _told(path: str) -> Iterator[tuple[str, Formatter]]:
    """The sections of a file that say how code is laid out."""
    text = (read_beside(path) or b"").decode("utf-8", "replace").replace("\r", "\n")
    name = os.path.basename(path).lstrip(".")
    section = {"ruff.toml": "tool.ruff", "pylintrc": "pylint"}.get(name, "")
    found = {section: 0} if section else {}
    for row in re.finditer(_ROW, text) if any(word in text for word in _WORDS) else ():
        if row["section"]:
            section = "pylint" if name == "pylintrc" else row["section"].strip()
            if name == "ruff.toml":
                section = f"tool.ruff.{section}"
            found.setdefault(section, 0)
        elif row["width"]:
            found[section] = int(row["width"])
        elif not found.get(section):
            found[section] = 80 if row["style"] in _NARROW else 79
    if "tool.ruff.format" in found or "tool.ruff.lint" in found:
        found.setdefault("tool.ruff", 0)
    for section, width in found.items():
        if section in _SECTIONS:
            formatter, usual = _SECTIONS[section]
            yield section, Formatter(formatter, width or usual, os.path.dirname(path))
