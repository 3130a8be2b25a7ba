"""Which findings a comment suppresses, and which comments are left over."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from tfdata_lint.source.module import Source, load
from tfdata_lint.source.replacement import Replacement
from tfdata_lint.source.suppression import Suppressions, UnusedSuppression, ignoring

ACTIVE = {"TFD001", "TFD101", "TFD102"}


def of(text: str) -> Suppressions:
    return load(text.encode(), "a.py").suppressions


def suppressed(text: str, code: str = "TFD101", row: int = 1) -> bool:
    return of(text).suppresses([code], row, row)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa", "#noqa", "# NoQA", "# noqa: TFD101", "# noqa:tfd101", "# noqa : TFD101", "# NOQA: E501,TFD101",
        "# noqa: E501 TFD101", "# noqa: E501 , TFD101", "# why # noqa: TFD101", "# noqa: TFD101 because",
        "# type: ignore # noqa", "# tfdata-lint: ignore", "#tfdata-lint:ignore",
        "# tfdata-lint: ignore[TFD101]",
        "# TFDATA-LINT: ignore[ tfd102 , tfd101 ] - why", "# tfdata-lint: ignore  # why", "# noqa: E501 # noqa: TFD101",
        "# tfdata-lint: ignore-file", "# tfdata-lint: ignore-file[TFD101]",
    ],
)  # fmt: skip
def test_suppresses(comment: str) -> None:
    assert suppressed(f"ds = f(x)  {comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: explained", "# noqa: some-word", "# noqa: see the issue", "# noqa:", "# noqa: why TFD101",
        "# noqa: E501", "# noqa: TFD102", "# noqa: TFD1011", "# noqa: TFD10", "# noqa-x", "# flake8: noqa", "# noqas",
        "# tfdata-lint: ignore[TFD102]", "# tfdata-lint: ignore[]", "# tfdata-lint: ignore TFD101",
        "# tfdata-lint: on", "# tfdata-lint: enable[TFD101]", "# tfdata-lint: offset",
        "# tfdata-lint: ignore[TFD101", "# tfdata-lint: ignore-file[TFD102]", "# tfdata-lint: ignored", "",
        "# tfdata-lint: ignore=TFD101",
    ],
)  # fmt: skip
def test_does_not_suppress(comment: str) -> None:
    assert not suppressed(f"ds = f(x)  {comment}\n")


CHAIN = """\
a = 1  # noqa: TFD102
ds = (
    x  # why
    .map(f)  # noqa: TFD101
    # tfdata-lint: ignore[TFD102]
    .batch(8)
)
b = 1
"""


@pytest.mark.parametrize(("code", "rows"), [("TFD101", {2, 3, 4, 5, 6, 7}), ("TFD102", {1, 2, 3, 4, 5, 6, 7})])
def test_holds_for_the_whole_statement(code: str, rows: set[int]) -> None:
    suppressions = of(CHAIN)
    assert {row for row in range(1, 9) if suppressions.suppresses([code], row, row)} == rows


def test_of_a_block_only_the_header_counts() -> None:
    text = "for a in (\n    ds\n):  # noqa: TFD101\n    g()\nfor a in ds:\n    g()  # noqa: TFD101\n"
    suppressions = of(text)
    assert [suppressions.suppresses(["TFD101"], row, end) for row, end in [(1, 4), (2, 2), (4, 4), (5, 6), (6, 6)]] == [
        True, True, False, False, True,
    ]  # fmt: skip


def test_only_comments_count() -> None:
    assert not suppressed("ds = f('# noqa')\n")
    assert not suppressed("ds = f('''\n# noqa\n''')\n")
    assert suppressed("ds = f('#', '''\n# noqa: E1\n''')  # noqa: TFD101\n")
    assert not suppressed("# noqa\nds = f(x)\n", row=2)


def test_whole_file_wherever_it_stands() -> None:
    assert suppressed("ds = f(x)\n\n# tfdata-lint: ignore-file[TFD101]\n")
    assert not suppressed("ds = f(x)\n\n# noqa: TFD101\n")


def test_text_that_does_not_parse() -> None:
    assert suppressed("x = = 1\nds = f(x)  # noqa\ny = (\n", row=2)


def notebook(*cells: str) -> Source:
    data = {"metadata": {}, "cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    return load(json.dumps(data).encode(), "a.ipynb")


def test_notebooks() -> None:
    # A bracket left open, a magic with a quote, and a shell comment do not reach the next cell.
    suppressions = notebook(
        "x = (", "!echo it's # noqa\na = 1", "ds = f(x)  # noqa: TFD101\n", "ds  # noqa: TFD102"
    ).suppressions
    hits = [
        (code, row) for code in ("TFD101", "TFD102") for row in range(1, 7) if suppressions.suppresses([code], row, row)
    ]
    assert hits == [("TFD101", 4), ("TFD102", 6)]
    suppressions = notebook("ds = f(x)", "# tfdata-lint: ignore-file[TFD101]").suppressions
    assert suppressions.suppresses(["TFD101"], 1, 1)
    assert not suppressions.suppresses(["TFD102"], 1, 1)


# ── left over ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# noqa: TFD101", ("TFD101",)),
        ("# noqa: E501, TFD101, TFD102", ("TFD101", "TFD102")),
        ("# tfdata-lint: ignore[TFD101]", ("TFD101",)),
        ("# tfdata-lint: ignore-file[TFD101,TFD102]", ("TFD101", "TFD102")),
        ("# tfdata-lint: ignore", ()),
        ("# tfdata-lint: ignore-file", ()),
        # Not understood, so without effect.
        ("# tfdata-lint: ignore TFD101", ()),
        ("# tfdata-lint: ignore[]", ()),
        ("# tfdata-lint: disable=TFD101", ()),
    ],
)
def test_unused(comment: str, codes: tuple[str, ...]) -> None:
    (unused,) = of(f"a = 1\né = 2  {comment}\n").unused(ACTIVE)
    assert (unused.row, unused.column, unused.codes) == (2, 8, codes)
    assert comment.startswith(unused.text)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa", "# noqa: E501", "# noqa: explained", "# noqa: TFD999", "# tfdata-lint: ignore[TFD404]",
        "# tfdata-linter", "# noqa: TFD001", "",
    ],
)  # fmt: skip
def test_not_unused(comment: str) -> None:
    assert of(f"x = 1  {comment}\n").unused(ACTIVE) == []


def test_codes_that_no_rule_has() -> None:
    suppressions = of("x = 1  # noqa: E501, TFD999, TFD404\ny = 1  # tfdata-lint: ignore[E501]\n")
    known = {"TFD101", "TFD404"}
    assert [unused.codes for unused in suppressions.unused({"TFD101"}, known)] == [("TFD999",), ("E501",)]


NAMES = ("TFD101", "missing-prefetch", "performance")


@pytest.mark.parametrize(
    ("comment", "used"),
    [
        ("# noqa: missing-prefetch", {"missing-prefetch"}),
        ("# noqa: Missing-Prefetch because it is slow", {"missing-prefetch"}),
        ("# noqa: E501, missing-prefetch, W291 slow", {"missing-prefetch"}),
        ("# noqa: performance", {"performance"}),
        ("# noqa: E501, performance # why", {"performance"}),
        ("# noqa: TFD101, performance, tfd101", {"TFD101", "performance"}),
        ("# tfdata-lint: ignore[missing-prefetch] why", {"missing-prefetch"}),
        ("# tfdata-lint: ignore-file[TFD404, Performance]", {"performance"}),
        ("# tfdata-lint: disable[performance]", {"performance"}),
        ("# noqa: performance is fine", set()),
        ("# noqa: TFD102 performance", set()),
        ("# noqa: missing-prefetch-2", set()),
        ("# noqa: performance-x", set()),
        ("# tfdata-lint: ignore[correctness]", set()),
    ],
)
def test_names_and_groups(comment: str, used: set[str]) -> None:
    suppressions = of(f"ds = f(x)  {comment}\n")
    assert suppressions.suppresses(NAMES, 1, 1) == bool(used)
    left = {code for one in suppressions.unused(NAMES, NAMES) for code in one.codes}
    assert not left & used


@pytest.mark.parametrize(
    ("comment", "codes", "left"),
    [
        ("# noqa: some-word", ("some-word",), ""),
        ("# noqa: Explained", ("explained",), ""),
        ("# noqa: E501, some-word", ("some-word",), "# noqa: E501"),
        ("# noqa: missing-prefetch", ("missing-prefetch",), ""),
        ("# noqa: see the issue", (), "# see the issue"),
        ("# noqa:", (), ""),
        ("# noqa: ?? # why", (), "# ?? # why"),
    ],
)
def test_a_noqa_that_names_no_rule_is_reported(comment: str, codes: tuple[str, ...], left: str) -> None:
    text = f"x = 1  {comment}\n"
    suppressions = of(text)
    (unused,) = suppressions.unused(NAMES, NAMES)
    assert (unused.codes, unused.is_understood, unused.is_ours) == (codes, bool(codes), False)
    assert edited(text, [suppressions.removal(unused)]) == f"x = 1  {left}".rstrip() + "\n"


def test_used() -> None:
    suppressions = of(
        "x  # noqa: TFD101, TFD102\ny  # tfdata-lint: ignore\n"
        "z  # tfdata-lint: ignore-file[TFD102]\nw  # noqa: TFD101\n"
    )
    assert suppressions.suppresses(["TFD101"], 1, 1)
    assert suppressions.suppresses(["TFD101"], 2, 2)
    assert suppressions.suppresses(["TFD102"], 3, 3)
    assert not suppressions.suppresses(["TFD101"], 3, 3)
    assert suppressions.unused(ACTIVE) == [
        UnusedSuppression(1, 3, ("TFD102",), "# noqa: TFD101, TFD102", is_ours=False),
        UnusedSuppression(4, 3, ("TFD101",), "# noqa: TFD101", is_ours=False),
    ]


def test_two_directives_in_one_comment() -> None:
    unused = of("x  # noqa: E501 # tfdata-lint: ignore[TFD101]\n").unused(ACTIVE)
    assert [(u.column, u.text) for u in unused] == [(16, "# tfdata-lint: ignore[TFD101]")]


# ── edits ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def edited(text: str, edits: Iterable[Replacement]) -> str:
    rows = [row.encode() for row in text.split("\n")]
    for edit in sorted(edits, key=lambda edit: (edit.row, edit.column), reverse=True):
        new = rows[edit.row - 1][: edit.column] + edit.text.encode() + rows[edit.end_row - 1][edit.end_column :]
        rows[edit.row - 1 : edit.end_row] = new.split(b"\n")
    return b"\n".join(rows).decode()


def without_unused(text: str) -> str:
    """As the linter does it: in passes, without edits that overlap."""
    for _ in range(4):
        suppressions = of(text)
        edits: list[Replacement] = []
        for unused in suppressions.unused(ACTIVE, ACTIVE):
            edit = suppressions.removal(unused)
            if not edits or (edits[-1].end_row, edits[-1].end_column) <= (edit.row, edit.column):
                edits.append(edit)
        if not edits:
            return text
        text = edited(text, edits)
    raise AssertionError(f"this goes on and on: {text}")


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# noqa: TFD101", ""),
        ("# noqa: TFD101, TFD999  ", ""),
        ("# tfdata-lint: ignore", ""),
        ("# tfdata-lint: ignore-file[TFD101]", ""),
        # Codes of others and their separators stay.
        ("# noqa: E501, TFD102", "# noqa: E501"),
        ("# noqa: TFD101,E501,TFD102,W291", "# noqa: E501,W291"),
        ("# NOQA:TFD101 E501 why", "# NOQA:E501 why"),
        ("# noqa: TFD101 , E501", "# noqa: E501"),
        # So do all other comments, and the words of a reason.
        ("# noqa: TFD102  # pylint: disable=x", "# pylint: disable=x"),
        ("# type: ignore  # noqa: TFD102", "# type: ignore"),
        ("# why # tfdata-lint: ignore[TFD101]  # type: ignore", "# why # type: ignore"),
        ("# noqa: TFD101 # tfdata-lint: ignore", ""),
        ("# noqa: TFD102 slow is fine", "# slow is fine"),
        ("#noqa:TFD102 - slow # is fine", "# slow # is fine"),
        ("# why  # tfdata-lint: ignore[TFD101]: slow", "# why  # slow"),
        # They must not become a directive.
        ("# noqa: TFD101 noqa", "# - noqa"),
        ("# noqa: TFD101 type: ignore", "# - type: ignore"),
        # Not understood.
        ("# tfdata-lint: ignore TFD101, TFD102 because", "# because"),
        ("# tfdata-lint: disable=TFD101", ""),
        ("# tfdata-lint: ignore[TFD101  # why", "# why"),
        ("# tfdata-lint: ignore[]", ""),
        ("# tfdata-lint: skip", ""),
        ("# tfdata-lint: see the issue", "# see the issue"),
    ],
)
def test_removal(comment: str, left: str) -> None:
    assert without_unused(f"é = 'ü'  {comment}\ny = 2\n") == f"é = 'ü'  {left}".rstrip() + "\ny = 2\n"


def test_removal_keeps_the_codes_that_are_used() -> None:
    text = "x  # tfdata-lint: ignore[ TFD101, TFD102, TFD999 ]\n"
    suppressions = of(text)
    suppressions.suppresses(["TFD102"], 1, 1)
    (unused,) = suppressions.unused(ACTIVE, ACTIVE)
    assert edited(text, [suppressions.removal(unused)]) == "x  # tfdata-lint: ignore[ TFD102 ]\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("# tfdata-lint: ignore-file\nx\n", "x\n"),
        ("x(\n    a,\n    # noqa: TFD101\n    b)\n", "x(\n    a,\n    b)\n"),
        ("x\n# noqa: TFD101  # why\n", "x\n# why\n"),
        ("x\n# noqa: TFD101", "x\n"),
        # Where a newline more or less would change what the text means.
        ("x = 1 \\\n# noqa: TFD101\ny\n", "x = 1 \\\n\ny\n"),
        ("x = 1 \\\n# noqa: TFD101", "x = 1 \\\n#"),
        ("# noqa: TFD101\n\n# coding: ascii\né\n", "\n\n# coding: ascii\né\n"),
    ],
)
def test_removal_of_a_row(text: str, left: str) -> None:
    assert without_unused(text) == left


def test_removal_in_notebooks() -> None:
    source = notebook("%time x  # noqa: TFD101\n# noqa: TFD101\nx", "x\n# noqa: TFD101", "# noqa: TFD101")
    suppressions = source.suppressions
    edits = [suppressions.removal(unused) for unused in suppressions.unused(ACTIVE)]
    assert edits == [
        Replacement(1, 7, 1, 23, ""),
        Replacement(2, 0, 3, 0, ""),
        # A cell stays apart from the next.
        Replacement(5, 0, 5, 14, ""),
        Replacement(6, 0, 6, 14, ""),
    ]


def with_noqa(text: str, *findings: tuple[str, int], reason: str = "") -> str:
    return edited(text, of(text).additions(findings, reason))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x", "x  # tfdata-lint: ignore[TFD102]"),
        ("é = 'ü'  ", "é = 'ü'  # tfdata-lint: ignore[TFD102]"),
        ("x  # why", "x  # why  # tfdata-lint: ignore[TFD102]"),
        ("x # tfdata-lint: off", "x # tfdata-lint: off"),
        # Merged with the codes that are there.
        ("x  # noqa: E501", "x  # noqa: E501  # tfdata-lint: ignore[TFD102]"),
        ("x #noqa:E501,W291 because", "x #noqa:E501,W291 because  # tfdata-lint: ignore[TFD102]"),
        ("x  # noqa: E501 W291", "x  # noqa: E501 W291  # tfdata-lint: ignore[TFD102]"),
        ("x  # tfdata-lint: ignore[TFD101]  # why", "x  # tfdata-lint: ignore[TFD101, TFD102]  # why"),
        (
            "x  # noqa: E501  # tfdata-lint: ignore[ TFD101 ]",
            "x  # noqa: E501  # tfdata-lint: ignore[ TFD101, TFD102 ]",
        ),
        (
            "x  # tfdata-lint: ignore-file[TFD101]",
            "x  # tfdata-lint: ignore-file[TFD101]  # tfdata-lint: ignore[TFD102]",
        ),
        # It is suppressed already.
        ("x  # noqa", "x  # noqa"),
        ("x(  # noqa: TFD102\n)", "x(  # noqa: TFD102\n)"),
        ("x\n# tfdata-lint: ignore-file", "x\n# tfdata-lint: ignore-file"),
    ],
)
def test_addition(before: str, after: str) -> None:
    assert with_noqa(before, ("TFD102", 1)) == after
    assert with_noqa(before + "\n", ("TFD102", 1)) == after + "\n"


@pytest.mark.parametrize(
    ("before", "row", "after"),
    [
        ("x(\n  a,\n  b)\n", 2, "x(\n  a,  # tfdata-lint: ignore[TFD102]\n  b)\n"),
        ("x = a \\\n  + b \\\n  + c\n", 1, "x = a \\\n  + b \\\n  + c  # tfdata-lint: ignore[TFD102]\n"),
        ("x('''\n#\n''', 1,\n  2)\n", 1, "x('''\n#\n''', 1,  # tfdata-lint: ignore[TFD102]\n  2)\n"),
        ("x('a\\\nb',  # why\n  2)\n", 1, "x('a\\\nb',  # why  # tfdata-lint: ignore[TFD102]\n  2)\n"),
        ("x(a,  # \\\n  2)\n", 1, "x(a,  # \\  # tfdata-lint: ignore[TFD102]\n  2)\n"),
        ("for a in (\n    b\n):\n    c\n", 3, "for a in (\n    b\n):  # tfdata-lint: ignore[TFD102]\n    c\n"),
        # There is no room.
        ("x = '''\ny\n", 1, "x = '''\ny\n"),
    ],
)
def test_addition_in_the_rows_of_a_statement(before: str, row: int, after: str) -> None:
    assert with_noqa(before, ("TFD102", row)) == after


def test_additions_of_a_statement_go_together() -> None:
    before = "x = (a\n  .b('''\n''').c(\n  ))\ny\n"
    after = (
        "x = (a  # tfdata-lint: ignore[TFD301]\n  .b('''\n''').c(  # tfdata-lint: ignore[TFD101, TFD102]\n  ))\n"
        "y  # tfdata-lint: ignore[TFD101]\n"
    )
    findings = [("TFD102", 3), ("TFD301", 4), ("TFD101", 2), ("TFD101", 3), ("TFD301", 1), ("TFD101", 5)]
    assert with_noqa(before, *findings) == after


RANGES = """\
a
# tfdata-lint: off
b
# tfdata-lint: on
c
d  # tfdata-lint: disable[TFD101, TFD102] slow is fine
e
# tfdata-lint: enable[TFD101]
f
"""


def test_ranges() -> None:
    found = of(RANGES)
    rows = {code: [row for row in range(1, 10) if found.suppresses([code], row, row)] for code in sorted(ACTIVE)}
    assert rows == {"TFD001": [2, 3, 4], "TFD101": [2, 3, 4, 6, 7, 8], "TFD102": [2, 3, 4, 6, 7, 8, 9]}
    assert found.unused(ACTIVE) == []


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        (RANGES, [2, 4, 6, 8]),
        ("# tfdata-lint: on\n", [1]),
        ("# tfdata-lint: off\n# tfdata-lint: on\n# tfdata-lint: on\n", [1, 2, 3]),
        ("# tfdata-lint: disable[TFD101]\n# tfdata-lint: enable[TFD102]\n", [1, 2]),
    ],
)
def test_ranges_in_which_nothing_is_found(text: str, unused: list[int]) -> None:
    assert [directive.row for directive in of(text).unused(ACTIVE, ACTIVE)] == unused


def test_a_range_ends_with_its_cell() -> None:
    found = notebook("# tfdata-lint: off\nx", "y").suppressions
    assert [found.suppresses(["TFD101"], row, row) for row in (2, 3)] == [True, False]


def test_the_codes_of_a_range_that_suppress_nothing_are_removed() -> None:
    text = "# tfdata-lint: disable[TFD101, TFD102] why\nx\n# tfdata-lint: enable[TFD101, TFD404]\ny\n"
    found = of(text)
    assert found.suppresses(["TFD101"], 2, 2)
    changes = [found.removal(unused) for unused in found.unused(ACTIVE, ACTIVE)]
    assert [(change.row, change.text) for change in changes] == [(1, "TFD101"), (3, "TFD101")]


def test_ruff_leaves_our_comments_alone(tmp_path: Path) -> None:
    forms = [
        "ignore[TFD101, TFD102] why",
        "ignore",
        "ignore-file[TFD404]",
        "off",
        "on",
        "disable[TFD101]",
        "enable[TFD101]",
    ]
    text = "\n".join(f"x = {number}  # tfdata-lint: {form}" for number, form in enumerate(forms)) + "\n"
    text += "".join(f"# tfdata-lint: {form}\n" for form in forms)
    file = tmp_path / "a.py"
    file.write_text(with_noqa(text + "y = 1  # noqa: E501\n", ("TFD102", 15), reason="old"))
    fix = [
        "check",
        "--isolated",
        "--select",
        "ALL",
        "--preview",
        "--fix",
        "--unsafe-fixes",
        "--no-cache",
        "--exit-zero",
    ]
    done = subprocess.run([sys.executable, "-m", "ruff", *fix, str(file)], capture_output=True, text=True, check=True)
    assert "fixed" in done.stdout  # Of others' comments Ruff does remove those that suppress nothing.
    kept = re.findall("# tfdata-lint: .*", file.read_text())
    assert kept == [*(f"# tfdata-lint: {form}" for form in (*forms, *forms)), "# tfdata-lint: ignore[TFD102] old"]


def test_additions_in_notebooks() -> None:
    source = notebook("%%time\nx", "!ls\n%time x  # noqa: E501", "x = (")
    additions = source.suppressions.additions([("TFD101", 2), ("TFD101", 4), ("TFD101", 5)])
    assert additions == [
        Replacement(2, 1, 2, 1, "  # tfdata-lint: ignore[TFD101]"),
        Replacement(4, 21, 4, 21, "  # tfdata-lint: ignore[TFD101]"),
        Replacement(5, 5, 5, 5, "  # tfdata-lint: ignore[TFD101]"),
    ]


@pytest.mark.parametrize(
    ("reason", "comment"),
    [
        ("slow is fine", "# tfdata-lint: ignore[TFD102] slow is fine"),
        ("E501 slow", "# tfdata-lint: ignore[TFD102] - E501 slow"),
        (", py3", "# tfdata-lint: ignore[TFD102] - , py3"),
        (" ", "# tfdata-lint: ignore[TFD102]"),
    ],
)
def test_reason(reason: str, comment: str) -> None:
    after = with_noqa("x", ("TFD102", 1), reason=reason)
    assert after == f"x  {comment}"
    (unused,) = of(after).unused(ACTIVE, ACTIVE)
    assert unused.codes == ("TFD102",)
    # What is there has its own reason.
    theirs = "x  # noqa: E501 long"
    assert with_noqa(theirs, ("TFD102", 1), reason=reason) == f"{theirs}  {ignoring(['TFD102'], reason)}"
    ours = "x  # tfdata-lint: ignore[TFD101] long"
    assert with_noqa(ours, ("TFD102", 1), reason=reason) == "x  # tfdata-lint: ignore[TFD101, TFD102] long"


@pytest.mark.parametrize("reason", ["a # b", "a\nb", "a\rb"])
def test_reason_that_cannot_stand_in_a_comment(reason: str) -> None:
    with pytest.raises(ValueError, match="single line of text without `#`"):
        of("x").additions([], reason)


# A comment can stand at each §.
STATEMENTS = [
    "x = f(1)§",
    "§",
    "x = (§\n    f(a)§\n    §\n    .g('#', \"# noqa: TFD101\",§\n    b)§\n)§",
    "x = '''a # why\n# noqa: TFD101\nb''' + \\\n    c§",
    'f(§\n  """\n  #\\\n""", "\\\\", r"\\\\", \'"\', b)§',
    "é = {'ü': 'ö',§\n    'k': [1, # why \\\n    2]}§",
    "for a in (§\n    b§\n):§\n    §\n    g(a)§\nelse: h()§",
    "def f():§\n    '''#'''§\n    return x \\\n\n",
]
COMMENTS = [
    "# why", "#", "# type: ignore", "# noqa", "# noqa: E501", "# noqa: TFD101", "#noqa:TFD101,W291,tfd102 slow",
    "# noqa: E501 TFD102 - noqa: slow", "# tfdata-lint: ignore", "# tfdata-lint: ignore[TFD101, TFD999] slow",
    "# tfdata-lint: ignore-file[ TFD102]", "# tfdata-lint: disable=TFD101 tfdata-lint: ignore", "# é \\", ", E1",
]  # fmt: skip


@st.composite
def codes(draw: st.DrawFn, comments: st.SearchStrategy[str]) -> str:
    text = "\n".join(draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=4)))
    text = re.sub("§", lambda _: draw(comments), text)
    return text + draw(st.sampled_from(["", "\n"]))


several = st.lists(st.sampled_from(COMMENTS), max_size=3).map(lambda parts: "".join(f"  {part}" for part in parts))
commented = codes(several.filter(lambda text: not text.startswith("  ,")))
bare = codes(st.just(""))


def comments_of(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def words_of_others(text: str) -> Counter[str]:
    words = re.findall(r"\w+|\\", " ".join(comments_of(text)).lower())
    return Counter(word for word in words if not re.fullmatch("noqa|tfdata|lint|ignore|file|disable|tfd.*", word))


def findings_in(text: str) -> st.SearchStrategy[list[tuple[str, int]]]:
    rows = [row for row, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not rows:
        return st.just([])
    return st.lists(st.tuples(st.sampled_from(["TFD101", "TFD102", "TFD301"]), st.sampled_from(rows)), max_size=4)


@settings(deadline=None)
@given(st.data(), commented, st.sampled_from(["", "slow is fine", "E501"]))
def test_what_is_added_suppresses(data: st.DataObject, text: str, reason: str) -> None:
    findings = data.draw(findings_in(text))
    after = with_noqa(text, *findings, reason=reason)
    suppressions = of(after)
    assert all(suppressions.suppresses([code], row, row) for code, row in findings)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    assert not words_of_others(text) - words_of_others(after)
    assert suppressions.additions(findings) == []


@settings(deadline=None)
@given(commented)
def test_removal_leaves_code_and_other_comments_alone(text: str) -> None:
    after = without_unused(text)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    assert words_of_others(after) == words_of_others(text)


@settings(deadline=None)
@given(st.data(), bare)
def test_what_was_added_can_be_removed(data: st.DataObject, text: str) -> None:
    assert without_unused(with_noqa(text, *data.draw(findings_in(text)))) == text
