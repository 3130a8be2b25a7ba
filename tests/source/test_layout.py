"""The scanner agrees with Python's own tokenizer, and never loses a row."""

from __future__ import annotations

import io
import re
import tokenize
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from tfdata_lint.source import layout
from tfdata_lint.source.layout import is_tangled, logical_lines, statements

PIECES = [
    "x = 1",
    "f(",
    ")",
    "[",
    "]",
    "{'a': 1}",
    "'s'",
    '"""',
    "'''",
    '"',
    "# c",
    "\\",
    "\n",
    "\n",
    "    ",
    "if x:",
    ",",
    "é",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_lines_cover_every_row_once(text: str) -> None:
    lines = list(logical_lines(text))
    assert "\n".join(text[line.start : line.end] for line in lines) == text
    rows = [row for line in lines for row in range(line.row, line.end_row + 1)]
    assert rows == list(range(1, text.count("\n") + 2))


@settings(deadline=None)
@given(st.lists(st.sampled_from([*PIECES, "\\'", 'f"{d["k"]}"', "(a, [b, {c}])", "(((())))", "\f", "\r"])).map("".join))
def test_rows_that_are_found_at_once_are_as_token_by_token(text: str) -> None:
    at_once = list(logical_lines(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "_ROW", re.compile("(?!)"))
        assert list(logical_lines(text)) == at_once


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_statements_follow_each_other(text: str) -> None:
    found = statements(text)
    assert all(first <= last for first, last in found)
    assert all(last + 1 == first for (_, last), (first, _) in pairwise(found))


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\ny = (\n  2,  # two\n  3)\nz = 4\n",
        "s = '''a # no\nb'''  # yes\n",
        's = "a\\\nb"  # c\nt = 1\n',
        "if (a and\n    b):  # c\n    pass\nelse:\n    pass\n",
        "x = 1 + \\\n  2\n",
        "r = r'\\'  # not a comment'\n",
        "r'''\\''''  # s\nx\n",
        "f'{x!r:>{w}}' # c\n",
        "a = {\n 'k': '#',  # c\n}\n@d\ndef f(\n x): return x\n",
        'def f():\n    """Doc # no\n\n    more"""\n    return 1  # yes\n',
        "x = ''; y = \"\"  # c\nz = ''''a'''\n",
    ],
)
def test_agrees_with_tokenize(text: str) -> None:
    expected: list[tuple[int, int]] = []
    comments = []
    first = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append(token.start)
        if token.type in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER):
            continue
        first = first or token.start[0]
        if token.type == tokenize.NEWLINE:
            expected.append((first, token.start[0]))
            first = None
    ours = list(logical_lines(text))
    assert [(line.row, line.end_row) for line in ours if text[line.start : line.end].strip()] == expected
    offsets = [offset for line in ours for offset in line.comments]
    assert [(text.count("\n", 0, o) + 1, o - text.rfind("\n", 0, o) - 1) for o in offsets] == comments


def test_statements_keep_decorators_and_branches_together() -> None:
    text = "import a\n\n@d\n# why\n@e\ndef f():\n    pass\n\nif a:\n    b\nelif c:\n    d\nelse:\n    e\nx = 1"
    assert statements(text) == [(1, 2), (3, 8), (9, 14), (15, 15)]


@pytest.mark.parametrize(
    "text", ["(" * 150 + ")" * 150, "x" + ".a()" * 1000, "-" * 3000 + "1", "f(\n" * 101 + ")" * 101]
)
def test_tangled(text: str) -> None:
    assert is_tangled(text)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n" * 5000,
        "x = {" + "'a': 1, " * 5000 + "}",
        "s = '" + "x" * 9000 + "'",
        "# " + "x" * 9000,
        "x" + ".a()" * 300,
    ],
)
def test_not_tangled(text: str) -> None:
    assert not is_tangled(text)
