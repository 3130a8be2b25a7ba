"""Rows and columns as the protocol counts them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from lsp_editor import span
from lsprotocol import types

from tfdata_lint.lsp.convert import edits_between
from tfdata_lint.lsp.documents import Text, Units

ENCODINGS = ("utf-8", "utf-16", "utf-32")


def text(content: str, encoding: str = "utf-16") -> Text:
    return Text("file:///a.py", 1, content, Units(encoding))


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 8), ("utf-16", 5), ("utf-32", 4)])
def test_a_column_behind_an_emoji_and_an_accent(encoding: str, column: int) -> None:
    """`"é😋` is followed by a quotation mark, in the fourth place."""
    row = text('x = 1\n\t"é😋"\r\ny', encoding)
    at = types.Position(1, column)
    assert (row.column(at), row.content[row.offset(at)]) == (4, '"')
    assert row.position(row.offset(at)) == at


def test_rows_end_at_newlines_only() -> None:
    """Python's `splitlines` breaks at form feeds and separators, too; editors do not."""
    assert text("a\fb\x1c\u2028\r\nc\rd\n").rows == ["a\fb\x1c\u2028\r\n", "c\r", "d\n", ""]


def test_positions_outside_of_the_text_are_at_its_edges() -> None:
    short = text("ab\r\ncd")
    assert short.offset(types.Position(0, 99)) == 2
    assert short.offset(types.Position(9, 0)) == 6
    assert short.offset(types.Position(1, 99)) == 6


def test_the_middle_of_a_character_is_before_it() -> None:
    assert text("😋x").offset(types.Position(0, 1)) == 0
    assert text("😋x", "utf-8").offset(types.Position(0, 3)) == 0


def test_an_edit_replaces_a_range() -> None:
    edit = types.TextDocumentContentChangePartial(span(0, 2, 1, 0), "é\n")
    assert text("😋x\ny").changed(edit).content == "😋é\ny"


def test_all_newlines_of_a_text_are_its_own() -> None:
    assert [text(t).newline for t in ("a\r\nb\n", "a\rb", "a\nb\r\n", "a")] == ["\r\n", "\r", "\n", "\n"]


rows = st.text(st.sampled_from("ab\t é😋\u2028\r\n"), max_size=40)


@given(before=rows, after=rows, encoding=st.sampled_from(ENCODINGS))
def test_edits_between_two_texts_make_one_of_the_other(before: str, after: str, encoding: str) -> None:
    start = text(before, encoding)
    spans = [(start.offset(e.range.start), start.offset(e.range.end), e.new_text) for e in edits_between(start, after)]
    for first, last, new in sorted(spans, reverse=True):
        before = before[:first] + new + before[last:]
    assert before == after


@given(content=rows, encoding=st.sampled_from(ENCODINGS), place=st.integers(0, 40))
def test_offsets_and_positions_are_inverse(content: str, encoding: str, place: int) -> None:
    one = text(content, encoding)
    offset = min(place, len(content))
    # Between the two halves of `\r\n` no position can be.
    if content[offset - 1 : offset + 1] != "\r\n":
        assert one.offset(one.position(offset)) == offset
