"""Editing: what is outside of the edited ranges stays byte for byte, in modules and in the JSON of notebooks."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tfdata_lint.source.editing import CannotEdit, edited
from tfdata_lint.source.module import Source, load
from tfdata_lint.source.replacement import Replacement


def edit(data: bytes, *replacements: tuple[int, int, int, int, str], path: str = "a.py") -> bytes:
    return edited(data, load(data, path), [Replacement(*r) for r in replacements])


def refusal(data: bytes, *replacements: tuple[int, int, int, int, str], path: str = "a.py") -> str:
    with pytest.raises(CannotEdit) as refused:
        edit(data, *replacements, path=path)
    return str(refused.value)


def place(text: str, offset: int) -> tuple[int, int]:
    """Row and column, as `ast` counts them, of a character of a text whose rows end in `\\n`."""
    before = text[:offset]
    return before.count("\n") + 1, len(before[before.rfind("\n") + 1 :].encode())


def replacement(text: str, start: int, end: int, new: str, first_row: int = 1) -> Replacement:
    (row, column), (end_row, end_column) = place(text, start), place(text, end)
    return Replacement(row + first_row - 1, column, end_row + first_row - 1, end_column, new)


Changes = list[tuple[int, int, str]]


@st.composite
def changes(draw: st.DrawFn, text: str, new: st.SearchStrategy[str], first: int = 0) -> Changes:
    """One to three ranges of a text, in order and apart from each other, with what comes there."""
    ranges = draw(st.lists(st.integers(first, len(text)), min_size=2, max_size=6).map(sorted))
    return [(start, end, draw(new)) for start, end in zip(ranges[::2], ranges[1::2], strict=False)]


def naively(text: str, changed: Changes) -> str:
    for start, end, new in reversed(changed):
        text = text[:start] + new + text[end:]
    return text


# ── modules ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "replaced", "after"),
    [
        ("a = f(1)\n", (1, 6, 1, 7, "2"), "a = f(2)\n"),
        ("é = '日'; x = 1", (1, 12, 1, 13, "y"), "é = '日'; y = 1"),
        ("a\nb\nc\n", (2, 0, 3, 0, ""), "a\nc\n"),
        ("a\nb\nc\n", (1, 1, 3, 0, " + "), "a + c\n"),
        ("s = '\u2028'\f; a\x85b\n\fc\n", (2, 1, 2, 2, "d"), "s = '\u2028'\f; a\x85b\n\fd\n"),
        # New rows end as the row does in which they begin …
        ("a\r\nb\nc\rd", (1, 1, 1, 1, "\n+"), "a\r\n+\r\nb\nc\rd"),
        ("a\r\nb\nc\rd", (2, 1, 2, 1, "\n+"), "a\r\nb\n+\nc\rd"),
        ("a\r\nb\nc\rd", (3, 0, 3, 0, "+\n"), "a\r\nb\n+\rc\rd"),
        # … and, when that has no ending, as the first of the file.
        ("a\r\nb\nc\rd", (4, 1, 4, 1, "\n+\n"), "a\r\nb\nc\rd\r\n+\r\n"),
        ("a\r\n", (2, 0, 2, 0, "b\n"), "a\r\nb\r\n"),
        ("a", (1, 1, 1, 1, "\nb"), "a\nb"),
        ("", (1, 0, 1, 0, "a\n"), "a\n"),
    ],
)
def test_replacement(before: str, replaced: tuple[int, int, int, int, str], after: str) -> None:
    assert edit(before.encode(), replaced).decode() == after


def test_insertions_at_one_place_keep_their_order() -> None:
    assert edit(b"f(x)\n", (1, 3, 1, 3, ", 1"), (1, 0, 1, 1, "g"), (1, 3, 1, 3, ", 2")) == b"g(x, 1, 2)\n"


def test_nothing_to_replace() -> None:
    assert edit(b"a\xff") == b"a\xff"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_byte_order_mark_is_neither_added_nor_lost(mark: bytes) -> None:
    for cookie in (b"utf-8", b"utf-8-sig"):
        assert edit(mark + b"# coding: " + cookie + b"\nx", (2, 0, 2, 1, "y")) == mark + b"# coding: " + cookie + b"\ny"


ALPHABETS = {
    "utf-8": "ab #'é日\u2028\x85\f\x00😀",
    "latin-1": "ab #'é\x85\f",
    "cp1252": "ab #'é€\f",
    "shift_jis": "ab #'日ア\f",
    # It switches alphabets within a row, and back at its end.
    "iso2022_jp": "ab #'日ア\f",
}


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.data())
def test_only_the_ranges_change(data: st.DataObject) -> None:
    encoding = data.draw(st.sampled_from(list(ALPHABETS)))
    mark = b"\xef\xbb\xbf" if encoding == "utf-8" and data.draw(st.booleans()) else b""
    rows = st.tuples(st.text(ALPHABETS[encoding], max_size=6), st.sampled_from(["\n", "\r\n", "\r"]))
    rest = "".join(row + end for row, end in data.draw(st.lists(rows, max_size=6)))
    raw = f"# coding: {encoding}\n# 2\n{rest}{data.draw(st.sampled_from(['', 'last']))}"
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    first = text.index("\n# 2\n") + 5
    changed = data.draw(changes(text, st.text(ALPHABETS[encoding] + "\n", max_size=5), first))
    before = mark + raw.encode(encoding)

    try:
        after = edited(before, load(before, "a.py"), [replacement(text, *change) for change in changed])
    except CannotEdit:
        # What ends a row with `\r` may come in front of what begins with `\n`.
        assert "\r" in raw.replace("\r\n", "")
        return

    assert load(after, "a.py").text == naively(text, changed)
    old_rows = re.findall(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", before)
    touched = [(place(text, start)[0], place(text, end)[0]) for start, end, _ in changed]
    runs = [0, *(row for pair in touched for row in (pair[0] - 1, pair[1])), len(old_rows)]
    kept = [b"".join(old_rows[start:end]) for start, end in zip(runs[::2], runs[1::2], strict=True)]
    assert re.fullmatch(b".*".join(map(re.escape, kept)), after, re.DOTALL)
    assert set(re.findall(rb"\r\n|\r|\n", after)) <= set(re.findall(rb"\r\n|\r|\n", before)) | {b"\n"}


def test_row_endings_are_not_joined() -> None:
    assert "another text" in refusal(b"a\rb\nc\n", (2, 0, 2, 1, ""))
    assert edit(b"a\rb\nc\n", (2, 0, 3, 0, "")) == b"a\rc\n"


def test_text_that_the_encoding_does_not_have() -> None:
    data = "# coding: latin-1\né\n".encode("latin-1")
    assert refusal(data, (2, 0, 2, 0, "€")) == "the new text needs '\\u20ac', which iso8859-1 cannot write"
    assert "'\\ud800'" in refusal(b"a\n", (1, 0, 1, 0, "\ud800"))
    # In this encoding Python writes a yen sign as it reads a backslash.
    assert "another text" in refusal(b"# coding: shift_jis\n", (2, 0, 2, 0, "¥"))


def test_the_comment_that_names_the_encoding_stays_where_it_counts() -> None:
    data = "# a\n# coding: latin-1\né\n".encode("latin-1")
    assert "another text" in refusal(data, (1, 0, 1, 0, "import b\n"))


@pytest.mark.parametrize(
    "data",
    [
        # Both a needless switch of the alphabet and a second way to write a character are lost in decoding.
        b"# coding: iso2022_jp\nx = 1\n\x1b(B",
        b"# coding: cp932\nx = '\x87\x90'\n",
        # Not text of this encoding at all.
        b"# coding: ascii\nx = '\xe9'\n",
    ],
)
def test_bytes_that_cannot_be_written_again(data: bytes) -> None:
    encoding = load(data, "a.py").encoding
    assert f"written as {encoding} again" in refusal(data, (2, 0, 2, 1, "y"))


# ── notebooks ───────────────────────────────────────────────────────────────────────────────────────────────────────

TEXTS = st.text("ab #'\\\"/é日\n", max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["source", "cells", "é"]), inner),
    max_leaves=5,
)


def lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


@st.composite
def chunks(draw: st.DrawFn, text: str) -> list[str]:
    cuts = [0, *sorted(draw(st.lists(st.integers(0, len(text)), max_size=4))), len(text)]
    return [text[start:end] for start, end in pairwise(cuts)]


@st.composite
def notebooks(draw: st.DrawFn) -> dict[str, Any]:
    cells = []
    for kind in draw(st.lists(st.sampled_from(["code", "code", "markdown"]), min_size=1, max_size=4)):
        text = draw(TEXTS)
        cell = {"cell_type": kind, "metadata": draw(VALUES), "outputs": draw(VALUES)}
        # An empty list does not show how its items would be laid out.
        cell["source"] = draw(st.sampled_from([text, lines(text) or ""]))
        cells.append(dict(draw(st.permutations(list(cell.items())))))
    return {"metadata": {}, "cells": cells, "nbformat": 4, "sheets": draw(VALUES)}


DUMPS = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 1, 2, "\t"]),
        "separators": st.sampled_from([None, (",", ":"), (", ", ": "), (" ,", " : ")]),
        "ensure_ascii": st.booleans(),
        "sort_keys": st.booleans(),
    }
)


def text_of(cell: dict[str, Any]) -> str:
    return "".join(cell["source" if "source" in cell else "input"])


def normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def in_cells(source: Source, notebook: dict[str, Any], changed: list[Changes]) -> list[Replacement]:
    """`changed` has the changes of each code cell, in the cell's text."""
    replacements = []
    for rows, cell, changes_of_cell in zip(source.cells, code_cells(notebook), changed, strict=True):
        text = normal(text_of(cell))
        replacements += [replacement(text, *change, first_row=rows.first) for change in changes_of_cell]
    return replacements


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(notebooks(), DUMPS, st.sampled_from(["", "\n", " \n\n"]), st.data())
def test_notebook_is_as_if_written_with_the_new_text(
    notebook: dict[str, Any], dumps: dict[str, Any], end: str, data: st.DataObject
) -> None:
    new = st.text("xy\n'\"\\" if dumps["ensure_ascii"] else "xy\n'\"\\é日", max_size=5)
    changed: list[Changes] = [data.draw(changes(text_of(cell), new) | st.just([])) for cell in code_cells(notebook)]
    before = (json.dumps(notebook, **dumps) + end).encode()
    source = load(before, "a.ipynb")
    after = edited(before, source, in_cells(source, notebook, changed))

    for cell, changes_of_cell in zip(code_cells(notebook), changed, strict=True):
        text = naively(text_of(cell), changes_of_cell)
        cell["source"] = lines(text) if isinstance(cell["source"], list) else text
    assert after.decode() == json.dumps(notebook, **dumps) + end


#: Texts of cells that no Jupyter writes, but that others do.
ODD_TEXTS = st.lists(st.sampled_from(["x", "é", " ", "\n", "\r\n", "\r", "\u2028", '"', "\\", "n", "/"])).map("".join)


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(notebooks(), DUMPS, st.booleans(), st.data())
def test_only_the_source_of_edited_cells_changes(
    notebook: dict[str, Any], dumps: dict[str, Any], windows: bool, data: st.DataObject
) -> None:
    for cell in code_cells(notebook):
        text = data.draw(ODD_TEXTS)
        cell["source"] = data.draw(st.just(text) | chunks(text))
    if data.draw(st.booleans()):
        # Version 3 has sheets of cells, whose text is the `input`.
        notebook["worksheets"] = [{}, {"cells": notebook["cells"][:1]}, {"cells": notebook["cells"][1:]}]
        for cell in notebook["cells"]:
            cell["input"] = cell.pop("source")

    def written(notebook: dict[str, Any]) -> str:
        as_read = {key: value for key, value in notebook.items() if key != "cells" or "worksheets" not in notebook}
        text = json.dumps(as_read, **dumps).replace("/", "\\/")
        return text.replace("\n", "\r\n") if windows else text

    changed: list[Changes] = []
    for cell in code_cells(notebook):
        text = normal(text_of(cell))
        changed.append(data.draw(st.just([]) | changes(text, st.text("xy\n'é/", max_size=5))))
    before = written(notebook).encode()
    source = load(before, "a.ipynb")
    try:
        after = edited(before, source, in_cells(source, notebook, changed))
    except CannotEdit:
        assert any("\r" in text_of(cell).replace("\r\n", "") for cell in code_cells(notebook))
        return

    values = []
    for cell, changes_of_cell in zip(code_cells(notebook), changed, strict=True):
        if changes_of_cell:
            key = "input" if "input" in cell else "source"
            values.append((cell[key], normal(naively(normal(text_of(cell)), changes_of_cell))))
            cell[key] = "VALUE"
    around = map(re.escape, written(notebook).split('"VALUE"'))
    found = re.fullmatch("(.*)".join(around), after.decode(), re.DOTALL)
    assert found
    for raw, (value, text) in zip(found.groups(), values, strict=True):
        new = json.loads(raw)
        assert type(new) is type(value)
        assert normal("".join(new)) == text


@pytest.mark.parametrize(
    ("before", "replaced", "after"),
    [
        # Characters that stay are written as they were.
        (r'"a \u003c b\u000a\/c\n"', (2, 1, 2, 2, "d"), r'"a \u003c b\u000a\/d\n"'),
        (r'["\ud83d\ude00\u0061b"]', (1, 5, 1, 6, "c"), r'["\ud83d\ude00\u0061c"]'),
        # New ones are escaped only where others of the cell are and none is written as it is.
        (r'"a"', (1, 0, 1, 1, "é"), '"é"'),
        (r'"a\\u\n"', (1, 0, 1, 1, "é"), r'"é\\u\n"'),
        (r'"\u0061"', (1, 1, 1, 1, "é😀"), r'"\u0061\u00e9\ud83d\ude00"'),
        (r'"\u0061ü"', (1, 1, 1, 1, "é"), r'"\u0061éü"'),
        # Rows end as the others of the cell do.
        (r'"a\r\nb\nc"', (1, 1, 1, 1, "\n+"), r'"a\r\n+\r\nb\nc"'),
        (r'["a\r\n", "b"]', (2, 1, 2, 1, "\n+"), r'["a\r\n", "b\r\n", "+"]'),
        (r'["a\r", "\nb"]', (1, 1, 2, 0, "\n"), r'["a\r\n", "b"]'),
        # Items that stay keep their text and place, whatever they are.
        (r'["a\nb\n", "", "c", "d\n" , "\u0065"]', (4, 0, 4, 1, "f"), r'["a\nb\n", "", "c", "d\n" , "f"]'),
        (r'["a\nb\n", "c", "d\n" , "e"]', (3, 0, 3, 1, "f"), r'["a\nb\n", "f", "d\n" , "e"]'),
        (r'["a\n", "b\n", "c"]', (2, 0, 3, 0, ""), r'["a\n", "c"]'),
        (r'["a\n", "b\n", "c"]', (2, 0, 2, 0, "x\ny\n"), r'["a\n", "x\n", "y\n", "b\n", "c"]'),
        (r'["a\n", "b\n", "c"]', (1, 1, 3, 0, ""), r'["ac"]'),
        (r'["a\n", "b\n", "c"]', (1, 1, 2, 0, ""), r'["ab\n", "c"]'),
        # Items that change become rows.
        (r'["a\nb\nc", "\nd"]', (2, 0, 2, 1, "f"), r'["a\n", "f\n", "c", "\nd"]'),
        ('[\n "a\\n"\n]', (1, 1, 1, 1, "\nb"), '[\n "a\\n",\n "b\\n"\n]'),
        ('[\r\n\t"a\\n"\r\n\t, "b"]', (1, 1, 1, 1, "\n+"), '[\r\n\t"a\\n"\r\n\t, "+\\n"\r\n\t, "b"]'),
        (r'["a\u000ab\\n\u000Dc", "d"]', (1, 0, 1, 1, "x"), r'["x\u000a", "b\\n\u000D", "c", "d"]'),
        (r'["a"]', (1, 0, 1, 1, ""), "[]"),
        (r'["a\n"]', (2, 0, 2, 0, "b"), r'["a\n","b"]'),
        ("[]", (1, 0, 1, 0, "a\nb"), r'["a\n","b"]'),
    ],
)
def test_json_of_a_cell(before: str, replaced: tuple[int, int, int, int, str], after: str) -> None:
    around = '{"cells":[{"cell_type":"code","source":@,"z":1}]}\n'
    assert edit(around.replace("@", before).encode(), replaced, path="a.ipynb").decode() == around.replace("@", after)


@pytest.mark.parametrize(("between", "items"), [(",", '"a\\n","b"'), (", ", '"a\\n", "b"'), (",\n  ", '"a\\n", "b"')])
def test_first_separator_of_items(between: str, items: str) -> None:
    around = f'{{"cells": [{{"cell_type": "code"{between}"source": [@]}}]}}'
    after = edit(around.replace("@", '"a"').encode(), (1, 1, 1, 1, "\nb"), path="a.ipynb")
    assert after.decode() == around.replace("@", items)


def test_the_last_of_equal_keys_counts() -> None:
    cell = '{"cell_type": "markdown", "source": "x", "source": ["%s"], "cell_type": "code"}'
    around = f'\ufeff{{"cells": [], "c\\u0065lls": [{{}}, {cell}], "z": NaN}}'
    after = edit((around % "a = 1").encode(), (1, 0, 1, 1, "b"), path="a.ipynb")
    assert after.decode() == around % "b = 1"


def test_cells_on_sheets() -> None:
    cell = '{"cell_type": "code", "input": "%s"}'
    around = f'{{"cells": null, "worksheets": [{{}}, 1, {{"cells": [{cell % "x"}]}}, {{"cells": [{{}}, {cell}]}}]}}'
    assert edit((around % "a").encode(), (2, 0, 2, 1, "b"), path="a.ipynb").decode() == around % "b"


def notebook_of(*texts: str) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "source": text} for text in texts]}).encode()


def test_edits_stay_in_their_cell() -> None:
    data = notebook_of("a\nb", "c")
    assert "begins in cell 1 and ends in a later one" in refusal(data, (2, 0, 3, 0, ""), path="a.ipynb")
    assert edit(data, (1, 1, 2, 1, ""), (3, 0, 3, 0, "x\n"), path="a.ipynb") == notebook_of("a", "x\nc")


@pytest.mark.parametrize(
    "replaced",
    [(2, 0, 2, 1, ""), (1, 0, 2, 3, ""), (2, 3, 3, 0, ""), (2, 0, 2, 0, "x; "), (4, 5, 4, 6, "y")],
)
def test_magics_are_not_edited(replaced: tuple[int, int, int, int, str]) -> None:
    data = notebook_of("a\n!ls\nb\n%time x = 1\n")
    assert "of cell 1 that is a magic" in refusal(data, replaced, path="a.ipynb")


@pytest.mark.parametrize("row", [1, 2, 3])
def test_cell_magics_stay_first(row: int) -> None:
    data = notebook_of("# note\n%%capture\n%%time\nx = 1")
    assert "a magic" in refusal(data, (row, 0, row, 0, "import y\n"), path="a.ipynb")


def test_around_magics() -> None:
    data = notebook_of("a\n!ls\nb")
    assert edit(data, (1, 0, 2, 0, "x\n"), path="a.ipynb") == notebook_of("x\n!ls\nb")
    assert edit(data, (2, 0, 2, 0, "x\n"), (3, 0, 3, 1, "c"), path="a.ipynb") == notebook_of("a\nx\n!ls\nc")


@pytest.mark.parametrize(
    ("cell", "replaced"),
    [
        ("%%bash\n\nls", (2, 0, 2, 0, "x = 1\n")),
        ("!ls \\\n  *\nx", (2, 0, 2, 0, "y\n")),
        ("x = 1\n!ls", (1, 5, 2, 0, "  # ")),
    ],
)
def test_nothing_becomes_part_of_a_magic(cell: str, replaced: tuple[int, int, int, int, str]) -> None:
    assert "another text" in refusal(notebook_of(cell), replaced, path="a.ipynb")
