"""Links from the codes of rules, in comments that suppress findings and in settings, to the pages of these rules."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from lsprotocol import types

from tfdata_lint import rules
from tfdata_lint.config.settings.reading import FILE_NAMES
from tfdata_lint.lsp import convert
from tfdata_lint.lsp.documents import Text, path_of
from tfdata_lint.source.suppression import Suppressions

_NEWLINE = r"\r\n?"
_TABLE = r"\s*\[+\s*([^\]]*?)\s*\]"
_OURS = r"""tool\s*\.\s*["']?tfdata-lint\b"""
_WORD = r"[A-Za-z][\w-]*"


def links(text: Text) -> Iterator[types.DocumentLink]:
    """Return the links of a module, a cell or a settings file."""
    name = os.path.basename(path_of(text.uri))
    if name in FILE_NAMES:
        found = _in_settings(text, is_shared=name == "pyproject.toml")
    elif text.language == "python":
        found = _in_comments(text)
    else:
        return
    for number, code in found:
        rule = rules.rule(code[0])
        page = convert.page_uri(rule.code) if rule else None
        if rule and page:
            columns = [text.units.count(code.string[:end]) for end in code.span()]
            span = types.Range(*(types.Position(number, column) for column in columns))
            yield types.DocumentLink(span, page, tooltip=f"{rule.code} {rule.name}: {rule.summary}")


def _in_comments(text: Text) -> Iterator[tuple[int, re.Match[str]]]:
    for row, code in Suppressions([(1, re.sub(_NEWLINE, "\n", text.content))]).codes():
        yield row - 1, code


def _in_settings(text: Text, is_shared: bool) -> Iterator[tuple[int, re.Match[str]]]:
    """The words of the sections that are ours, the one thing in a file of our own."""
    is_ours = not is_shared
    for number, row in enumerate(re.sub(_NEWLINE, "\n", text.content).split("\n")):
        if is_shared and (table := re.match(_TABLE, row)):
            is_ours = re.match(_OURS, table[1]) is not None
        if is_ours:
            for word in re.finditer(_WORD, row):
                yield number, word
