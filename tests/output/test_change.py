"""The rows that a fix changes, as they stand below its finding."""

from __future__ import annotations

import re

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.diagnostics import PlacedEdit
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.output.change import change
from tfdata_lint.output.text import render
from tfdata_lint.source.places import Place

ROWS = {3: "ds = ds.map(f)", 4: "ds = ds.batch(8)", 5: "x = 1"}


def edit(row: int, column: int, end_row: int, end_column: int, text: str) -> PlacedEdit:
    lines = tuple((number, ROWS[number]) for number in range(row, end_row + 1) if number in ROWS)
    return PlacedEdit(Place("a.py", None, row, column, end_row, end_column, lines), text)


def test_several_edits_of_a_row_are_one_change() -> None:
    both = [edit(3, 14, 3, 14, ", num_parallel_calls=4"), edit(3, 1, 3, 3, "data")]
    assert change(both) == ["- ds = ds.map(f)", "+ data = ds.map(f, num_parallel_calls=4)"]


def test_rows_that_stay_are_not_shown() -> None:
    assert change([edit(3, 15, 4, 1, "\nds = ds.cache()\n")]) == ["+ ds = ds.cache()"]
    assert change([edit(3, 1, 5, 6, "ds = ds.map(f)\nx = 1")]) == ["- ds = ds.batch(8)"]


def test_a_long_change_is_cut() -> None:
    *rows, rest = change([edit(5, 6, 5, 6, "\ny = 2" * 20)])
    assert rows == ["+ y = 2"] * 12
    assert rest == "… 8 more (`--diff` shows all)"


def test_what_is_not_at_hand_is_not_shown() -> None:
    assert change([edit(3, 1, 9, 2, "x")]) == []
    assert change([]) == []


def test_it_stands_below_the_finding_and_says_what_the_fix_writes() -> None:
    text = "import tensorflow as tf\n\nds = tf.data.Dataset.range(8).prefetch(tf.data.experimental.AUTOTUNE)\n"
    [found] = lint_source(text, "a.py", Settings(with_edits=True)).diagnostics
    assert re.findall(r"^ +([-+] .*)$", render(found), re.MULTILINE) == [
        "- ds = tf.data.Dataset.range(8).prefetch(tf.data.experimental.AUTOTUNE)",
        "+ ds = tf.data.Dataset.range(8).prefetch(tf.data.AUTOTUNE)",
    ]
    [unasked] = lint_source(text, "a.py", Settings(with_edits=False)).diagnostics
    assert not re.findall(r"^ +[-+] ", render(unasked), re.MULTILINE)
