"""Which findings a comment suppresses, and which comments are left over."""

from __future__ import annotations

import json

import pytest

from tfdata_lint.source.module import load
from tfdata_lint.source.suppression import Suppressions, UnusedSuppression

ACTIVE = {"TFD001", "TFD101", "TFD102"}


def of(text: str) -> Suppressions:
    return load(text.encode(), "a.py").suppressions


def suppressed(text: str, code: str = "TFD101", row: int = 1) -> bool:
    return of(text).suppresses(code, row, row)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa", "#noqa", "# NoQA", "# noqa: TFD101", "# noqa:tfd101", "# noqa : TFD101", "# NOQA: E501,TFD101",
        "# noqa: E501 TFD101", "# why # noqa: TFD101", "# noqa: TFD101 because", "# noqa: explained",
        "# type: ignore # noqa", "# tfdata-lint: ignore", "#tfdata-lint:ignore", "# tfdata-lint: ignore[TFD101]",
        "# TFDATA-LINT: ignore[ tfd102 , tfd101 ] - why", "# tfdata-lint: ignore  # why", "# noqa: E501 # noqa: TFD101",
        "# tfdata-lint: ignore-file", "# tfdata-lint: ignore-file[TFD101]",
    ],
)  # fmt: skip
def test_suppresses(comment: str) -> None:
    assert suppressed(f"ds = f(x)  {comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: E501", "# noqa: TFD102", "# noqa: TFD1011", "# noqa: TFD10", "# noqa-x", "# flake8: noqa", "# noqas",
        "# tfdata-lint: ignore[TFD102]", "# tfdata-lint: ignore[]", "# tfdata-lint: ignore TFD101",
        "# tfdata-lint: off",
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
    assert {row for row in range(1, 9) if suppressions.suppresses(code, row, row)} == rows


def test_of_a_block_only_the_header_counts() -> None:
    text = "for a in (\n    ds\n):  # noqa: TFD101\n    g()\nfor a in ds:\n    g()  # noqa: TFD101\n"
    suppressions = of(text)
    assert [suppressions.suppresses("TFD101", row, end) for row, end in [(1, 4), (2, 2), (4, 4), (5, 6), (6, 6)]] == [
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


def notebook(*cells: str) -> Suppressions:
    data = {"metadata": {}, "cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    return load(json.dumps(data).encode(), "a.ipynb").suppressions


def test_notebooks() -> None:
    # A bracket left open, a magic with a quote, and a shell comment do not reach the next cell.
    suppressions = notebook("x = (", "!echo it's # noqa\na = 1", "ds = f(x)  # noqa: TFD101\n", "ds  # noqa: TFD102")
    hits = [
        (code, row) for code in ("TFD101", "TFD102") for row in range(1, 7) if suppressions.suppresses(code, row, row)
    ]
    assert hits == [("TFD101", 4), ("TFD102", 6)]
    suppressions = notebook("ds = f(x)", "# tfdata-lint: ignore-file[TFD101]")
    assert suppressions.suppresses("TFD101", 1, 1)
    assert not suppressions.suppresses("TFD102", 1, 1)


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


def test_used() -> None:
    suppressions = of(
        "x  # noqa: TFD101, TFD102\ny  # tfdata-lint: ignore\n"
        "z  # tfdata-lint: ignore-file[TFD102]\nw  # noqa: TFD101\n"
    )
    assert suppressions.suppresses("TFD101", 1, 1)
    assert suppressions.suppresses("TFD101", 2, 2)
    assert suppressions.suppresses("TFD102", 3, 3)
    assert not suppressions.suppresses("TFD101", 3, 3)
    assert suppressions.unused(ACTIVE) == [
        UnusedSuppression(1, 3, ("TFD102",), "# noqa: TFD101, TFD102"),
        UnusedSuppression(4, 3, ("TFD101",), "# noqa: TFD101"),
    ]


def test_two_directives_in_one_comment() -> None:
    unused = of("x  # noqa: E501 # tfdata-lint: ignore[TFD101]\n").unused(ACTIVE)
    assert [(u.column, u.text) for u in unused] == [(16, "# tfdata-lint: ignore[TFD101]")]
