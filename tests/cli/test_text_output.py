"""How findings look as text."""

from __future__ import annotations

import re
from collections import Counter
from textwrap import dedent

import pytest
from hypothesis import given, strategies as st

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix, RelatedPlace
from tfdata_lint.output.advice import in_short, is_shortened
from tfdata_lint.output.summary import fixable, fixed, overview, statistics, summary, suppressed
from tfdata_lint.output.text import Text, joined, render
from tfdata_lint.source.places import Place


def place(row: int, column: int, end_row: int, end_column: int, *lines: str, first: int = 0, **more: object) -> Place:
    start = first or row
    numbered = tuple(enumerate(lines, start))
    return Place("train.py", more.get("cell"), row, column, end_row, end_column, lines=numbered)  # type: ignore[arg-type]


def finding(where: Place, **more: object) -> Diagnostic:
    values: dict[str, object] = {
        "code": "TFD102",
        "name": "sequential-map",
        "severity": "warning",
        "confidence": "proven",
        "message": "`map` is sequential",
        "cost": "",
        "advice": "",
    }
    return Diagnostic(**(values | more), place=where)  # type: ignore[arg-type]


def shown(where: Place, **more: object) -> str:
    return render(finding(where, **more)) + "\n"


def test_everything() -> None:
    text = shown(
        place(9, 9, 9, 19, "ds = ds.map(parse)"),
        confidence="likely",
        cost="Measured 2× on two cores",
        advice="Add `num_parallel_calls=tf.data.AUTOTUNE`",
        related=(
            RelatedPlace(place(3, 6, 3, 12, "ds = source(files)"), "starts here"),
            RelatedPlace(place(12, 5, 12, 17, "    model.fit(ds)"), "consumed here"),
        ),
        fix=PlacedFix("unsafe", "Add `num_parallel_calls`", "draws land on other elements", ()),
    )
    assert text == dedent(
        """\
        train.py:9:9: warning TFD102 sequential-map: `map` is sequential
         9 | ds = ds.map(parse)
           |         ^^^^^^^^^^
          ::: 3:6: starts here
         3 | ds = source(files)
           |      ------
          ::: 12:5: consumed here
        12 |     model.fit(ds)
           |     ------------
           = confidence: likely, not proven
           = cost: Measured 2× on two cores
           = advice: Add `num_parallel_calls=tf.data.AUTOTUNE`
           = fix: Add `num_parallel_calls` (unsafe: draws land on other elements)
        """
    )


def test_concise_is_one_line() -> None:
    where = place(9, 9, 9, 19, "ds = ds.map(parse)")
    assert render(finding(where, cost="x"), concise=True) == (
        "train.py:9:9: warning TFD102 sequential-map: `map` is sequential"
    )


def test_a_notebook_names_the_cell() -> None:
    assert shown(place(2, 1, 2, 3, "ds", cell=3)).startswith("train.py:cell 3:2:1: warning TFD102")


def test_a_safe_fix_needs_no_reason() -> None:
    text = shown(place(1, 1, 1, 3, "ds"), fix=PlacedFix("safe", "Append `.prefetch()`", "", ()))
    assert text.endswith(" = fix: Append `.prefetch()` (safe)\n")


def test_other_fixes_are_a_choice() -> None:
    several = PlacedFix("unsafe", "Use `interleave`", "the order changes", ())
    text = shown(place(1, 1, 1, 3, "ds"), fix=PlacedFix("safe", "Use `map`", "", ()), alternatives=(several,))
    assert text.endswith(" = fix: Use `map` (safe)\n  = or: Use `interleave` (unsafe: the order changes)\n")


def test_a_long_range_shows_its_first_and_last_line() -> None:
    where = Place("a.py", None, 2, 6, 9, 2, lines=((2, "ds = f("), (9, ")")))
    assert render(finding(where)).splitlines()[1:] == [
        "2 | ds = f(",
        "  |      ^^",
        "...",
        "9 | )",
        "  | ^",
    ]


@pytest.mark.parametrize(
    ("line", "column", "end", "code", "marks"),
    [
        ("ds.map(f)", 4, 10, "ds.map(f)", "   ^^^^^^"),
        ("\tds.map(f)", 5, 11, "    ds.map(f)", "       ^^^^^^"),
        ('ds["\t"].map(f)', 9, 15, 'ds["    "].map(f)', "           ^^^^^^"),
        ('ds["猫"].map(f)', 9, 15, 'ds["猫"].map(f)', "         ^^^^^^"),
        ('ds["😀"].map(f)', 9, 15, 'ds["😀"].map(f)', "         ^^^^^^"),
        ('ds["e\u0301"].map(f)', 10, 16, 'ds["e\u0301"].map(f)', "        ^^^^^^"),
        ("\fds.map(f)", 5, 11, " ds.map(f)", "    ^^^^^^"),
        ("", 1, 1, "", "^"),
    ],
)
def test_marks_stand_under_the_code(line: str, column: int, end: int, code: str, marks: str) -> None:
    _, shown_line, shown_marks = render(finding(place(1, column, 1, end, line))).splitlines()
    assert shown_line == f"1 | {code}".rstrip()
    assert shown_marks == f"  | {marks}"


def test_a_very_long_line_is_cut_around_the_marks() -> None:
    line = "x = [" + "1, " * 1000 + "ds.map(f)" + ", 2" * 1000 + "]"
    column = line.index("map") + 1
    _, code, marks = render(finding(place(1, column, 1, column + 6, line))).splitlines()
    assert len(code) < 180
    assert code[marks.index("^") : marks.rindex("^") + 1] == "map(f)"
    assert code.startswith("1 | …")
    assert code.endswith("…")


def test_a_place_without_code() -> None:
    assert shown(place(1, 1, 1, 1), advice="Do") == (
        "train.py:1:1: warning TFD102 sequential-map: `map` is sequential\n  = advice: Do\n"
    )


def test_color() -> None:
    assert "\x1b[" not in render(finding(place(1, 1, 1, 3, "ds")))
    colored = render(finding(place(1, 1, 1, 3, "ds")), color=True)
    assert "\x1b[1;33mwarning\x1b[0m" in colored
    assert "\x1b[1;33m^^\x1b[0m" in colored


@pytest.mark.parametrize(
    ("counts", "files", "checked", "expected"),
    [
        ({}, 0, 1, "All clear: no findings in 1 file."),
        ({}, 0, 12, "All clear: no findings in 12 files."),
        ({"error": 1}, 1, 1, "Found 1 error in 1 of 1 file."),
        (
            {"error": 3, "warning": 2, "advice": 4},
            5,
            12,
            "Found 3 errors, 2 warnings, 4 pieces of advice in 5 of 12 files.",
        ),
        ({"advice": 1}, 1, 2, "Found 1 piece of advice in 1 of 2 files."),
    ],
)
def test_summary(counts: dict[str, int], files: int, checked: int, expected: str) -> None:
    assert summary(Counter(counts), files, checked) == expected


@pytest.mark.parametrize(
    ("using", "expected"),
    [
        (14, "All clear: no findings in 14 files."),
        (2, "All clear: no findings; 2 of 14 files use tf.data."),
        (1, "All clear: no findings; 1 of 14 files uses tf.data."),
        (0, "All clear: no findings; none of 14 files use tf.data."),
    ],
)
def test_how_many_files_use_tf_data(using: int, expected: str) -> None:
    assert summary(Counter(), 0, 14, using=using) == expected


def test_old_names_of_a_file_are_one_finding() -> None:
    renames = [finding(place(row, 1, row, 3, "ds"), code="TFD701") for row in (1, 50, 90)]
    others = [finding(place(row, 1, row, 3, "ds")) for row in (2, 60)]
    found = joined([renames[0], others[0], renames[1], others[1], renames[2]])
    assert [(one.code, [where.row for where in more]) for one, more in found] == [
        ("TFD701", [50, 90]),
        (others[0].code, []),
        (others[1].code, []),
    ]


def test_statistics() -> None:
    counts = Counter({("TFD101", "missing-prefetch", "advice"): 3, ("TFD404", "leaky-split", "error"): 12})
    assert list(statistics(counts)) == [
        "12  TFD404  leaky-split       error",
        " 3  TFD101  missing-prefetch  advice",
    ]


SAFE = PlacedFix("safe", "Add", "", (PlacedEdit(place(1, 1, 1, 1), "x"),))
UNSAFE = SAFE._replace(applicability="unsafe", reason="the order changes")
DISPLAY_ONLY = SAFE._replace(applicability="display-only")
NO_EDITS = SAFE._replace(edits=())


def with_fixes(*fixes: PlacedFix) -> list[Diagnostic]:
    return [finding(place(row, 1, row, 3, "ds"), fix=fix) for row, fix in enumerate(fixes, 1)]


@pytest.mark.parametrize(
    ("fixes", "unsafe", "expected"),
    [
        ([], False, []),
        ([DISPLAY_ONLY, NO_EDITS], True, []),
        ([SAFE], False, ["1 can be fixed with `--fix`."]),
        ([UNSAFE], False, ["1 can be fixed with `--fix --unsafe-fixes`."]),
        ([SAFE, UNSAFE, SAFE], False, ["2 can be fixed with `--fix`, 1 more with `--fix --unsafe-fixes`."]),
        ([SAFE, UNSAFE, DISPLAY_ONLY], True, ["2 can be fixed with `--fix --unsafe-fixes`."]),
    ],
)
def test_what_can_be_fixed(fixes: list[PlacedFix], unsafe: bool, expected: list[str]) -> None:
    assert list(fixable(with_fixes(*fixes), unsafe=unsafe, fixing=False)) == expected


def test_why_something_was_not_fixed() -> None:
    left = with_fixes(SAFE, UNSAFE, UNSAFE, DISPLAY_ONLY, UNSAFE._replace(reason="draws change"))
    assert list(fixable(left, unsafe=True, fixing=True)) == []
    assert list(fixable(left, unsafe=False, fixing=True)) == [
        "3 findings can be fixed with `--fix --unsafe-fixes`:",
        "  train.py:2:1 and 1 more TFD102 sequential-map: the order changes",
        "  train.py:5:1 TFD102 sequential-map: draws change",
    ]


def test_what_was_fixed() -> None:
    done = with_fixes(SAFE, UNSAFE)
    assert list(fixed(done, would=False, each=False)) == ["Fixed 2 findings in 1 file: 2 TFD102."]
    assert list(fixed(done, would=True, each=True)) == [
        "Would fix 2 findings in 1 file:",
        "  train.py:1:1 TFD102 sequential-map: Add (safe)",
        "  train.py:2:1 TFD102 sequential-map: Add (unsafe: the order changes)",
    ]
    assert list(fixed([], would=False, each=True)) == ["Fixed nothing."]
    assert list(fixed([], would=True, each=False)) == ["Nothing to fix."]


def test_what_was_suppressed() -> None:
    assert suppressed(with_fixes(SAFE), would=False) == "Suppressed 1 finding in 1 file."
    assert suppressed(with_fixes(SAFE, SAFE), would=True) == "Would suppress 2 findings in 1 file."
    assert suppressed([], would=False) == "Nothing to suppress."


# ── several findings ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_cost_that_was_told_of_a_rule_is_not_told_again() -> None:
    text = Text(is_complete=False)
    said = {"cost": "It is slow", "advice": "Use `g`", "confidence": "likely"}
    text.render(finding(place(1, 1, 1, 3), **said))
    again = text.render(finding(place(2, 1, 2, 3), **said))
    assert again.splitlines()[1:] == [
        "  = confidence: likely, not proven",
        "  = cost: as at 1:1",
        "  = advice: Use `g`",
    ]
    other = text.render(finding(place(3, 1, 3, 3), **said | {"cost": "It is slower"}))
    assert other.splitlines()[2:] == ["  = cost: It is slower", "  = advice: Use `g`"]
    of_another_rule = text.render(finding(place(4, 1, 4, 3), **said, code="TFD103"))
    assert "= cost: It is slow\n" in of_another_rule


def test_no_finding_sends_into_another_file() -> None:
    text = Text(is_complete=False)
    text.render(finding(place(1, 1, 1, 3), cost="It is slow"))
    elsewhere = finding(place(1, 1, 1, 3)._replace(path="b.py"), cost="It is slow")
    assert text.render(elsewhere).splitlines()[1:] == ["  = cost: It is slow"]


def test_one_cause_on_neighboring_rows_is_one_finding() -> None:
    near = [finding(place(row, 1, row, 3, "ds")) for row in (1, 12, 20)]
    far, different = finding(place(40, 1, 40, 3, "ds")), finding(place(41, 1, 41, 3, "ds"), message="Another")
    fixed_otherwise = different._replace(fix=SAFE)
    assert list(joined([*near, far, different, fixed_otherwise])) == [
        (near[0], [near[1].place, near[2].place]),
        (far, []),
        (different, []),
        (fixed_otherwise, []),
    ]
    assert Text().render(near[0], [near[1].place]).splitlines()[-1] == "  = also at: 12:1"


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (0, ["train.py:9:9: warning TFD102 sequential-map: `map` is sequential"]),
        (64, ["train.py:9:9: warning TFD102 sequential-map: `map` is sequential"]),
        (63, ["train.py:9:9: warning TFD102 sequential-map", "  `map` is sequential"]),
        (37, ["train.py:9:9: warning TFD102", "  sequential-map: `map` is sequential"]),
        (27, ["train.py:9:9:", "  warning TFD102", "  sequential-map: `map` is", "  sequential"]),
    ],
)
def test_a_headline_fits_into_the_terminal(width: int, lines: list[str]) -> None:
    assert Text(width=width).render(finding(place(9, 9, 9, 19))).splitlines() == lines


# ── advice in short ─────────────────────────────────────────────────────────────────────────────────────────────────


def advice(number: int, **more: object) -> list[Diagnostic]:
    values = {"severity": "advice", "advice": "Do this", **more}
    return [finding(place(row, 1, row, 3, "ds"), **values) for row in range(1, number + 1)]


def test_a_place_names_its_file_where_the_line_above_is_about_another() -> None:
    files = ("train.py", "files.py", "files.py", "train.py")
    related = tuple(
        RelatedPlace(place(row, 1, row, 3)._replace(path=path), "here") for row, path in enumerate(files, 2)
    )
    lines = render(finding(place(1, 1, 1, 3), related=related)).splitlines()
    assert [line.split()[1] for line in lines if ":::" in line] == ["2:1:", "files.py:3:1:", "4:1:", "train.py:5:1:"]


def test_up_to_ten_pieces_have_a_row_each() -> None:
    assert list(in_short(advice(1))) == [
        "1 piece of advice (`--advice` prints it in full):",
        "  train.py:1:1: TFD102 sequential-map: Do this",
        "",
    ]
    assert len(list(in_short(advice(10)))) == 12


def test_more_advice_is_counted_by_rule() -> None:
    assert list(in_short([*advice(1, code="TFD604", name="eager-train-step"), *advice(10)])) == [
        "11 pieces of advice (`--advice` prints them):",
        "  10  TFD102  sequential-map    advice",
        "   1  TFD604  eager-train-step  advice",
        "",
    ]


def test_a_row_for_each_file_of_tensorflow_1() -> None:
    warnings = [piece._replace(severity="warning", assumed="1.15") for piece in advice(3)]
    _, row, *rest = in_short([*warnings, *advice(1)])
    assert row == "  train.py: 3 TFD102"
    told = "1 piece of advice (`--advice` prints it in full):"
    assert rest == ["", told, "  train.py:1:1: TFD102 sequential-map: Do this", ""]


def test_what_only_tensorflow_1_runs_is_told_in_short() -> None:
    piece = advice(1)[0]._replace(severity="warning")
    old, declared, newer = (piece._replace(assumed=assumed) for assumed in ("1.15", "", "2.21"))
    assert [is_shortened(one, Settings()) for one in (old, declared, newer)] == [True, False, False]
    assert not is_shortened(old._replace(severity="error"), Settings())
    assert not is_shortened(old, Settings(select=("TFD102",)))


def test_what_tensorflow_does_by_itself_is_one_finding() -> None:
    lines = list(in_short(advice(12, by_version=True, assumed="2.21"), width=80))
    assert lines == [
        "TensorFlow 2.21 does the following by itself (no version is declared: set",
        "`target-tensorflow` if you support older ones):",
        "  TFD102 sequential-map:",
        "    train.py:1:1, 2:1, 3:1, 4:1, 5:1, 6:1, 7:1, 8:1, 9:1, 10:1",
        "    and 2 more",
        "",
    ]
    declared = {"declared": "2.16 (requirements.txt:1)"}
    for mark in ({"fix": SAFE._replace(needless="TensorFlow does it", is_done_by_runtime=True)}, {"by_version": True}):
        first, *_ = in_short(advice(1, **declared, **mark))
        assert first == "TensorFlow 2.16 (requirements.txt:1) does the following by itself:"


def test_what_gains_nothing_for_another_reason_says_which() -> None:
    needless = SAFE._replace(needless="the last stage already works ahead")
    by_itself = advice(1, by_version=True, declared="2.16 (a.txt)")
    said = [*advice(1, fix=needless, declared="2.16 (a.txt)"), *by_itself]
    assert [line for line in in_short(said) if line.endswith(":")] == [
        "TensorFlow 2.16 (a.txt) does the following by itself:",
        "  TFD102 sequential-map:",
        "`--fix` skips the following, because the last stage already works ahead:",
        "  TFD102 sequential-map:",
    ]
    (first, *_) = in_short(advice(1, fix=needless, by_version=True, assumed="2.21"))
    assert first.endswith("works ahead (no version is declared: set `target-tensorflow` if you support older ones):")


def test_each_version_has_a_heading_of_its_own() -> None:
    pieces = [*advice(1, by_version=True, assumed="2.21"), *advice(1, by_version=True, declared="2.16 (a.txt)")]
    assert [line for line in in_short(pieces) if "TensorFlow" in line] == [
        "TensorFlow 2.21 does the following by itself (no version is declared: set `target-tensorflow` if you support"
        " older ones):",
        "TensorFlow 2.16 (a.txt) does the following by itself:",
    ]


def test_advice_is_counted_after_what_tensorflow_does_by_itself() -> None:
    lines = list(in_short([*advice(2), *advice(1, by_version=True, declared="2.16 (pyproject.toml)")]))
    assert lines[0] == "TensorFlow 2.16 (pyproject.toml) does the following by itself:"
    assert lines[4] == "2 other pieces of advice (`--advice` prints them in full):"


def test_of_one_file_everything_is_said() -> None:
    text = Text()
    for row in (1, 2):
        assert text.render(finding(place(row, 1, row, 3), cost="It is slow")).endswith("= cost: It is slow")


@pytest.mark.parametrize(
    ("title", "reason", "lines"),
    [
        ("Add `g`", "", ["  = advice: Use `g` (fix: safe)"]),
        ("Add `g`", "it is needless", ["  = advice: Use `g`", "  = fix: safe: it is needless"]),
        ("Swap `g` and `h`", "", ["  = advice: Use `g`", "  = fix: Swap `g` and `h` (safe)"]),
    ],
)
def test_a_fix_that_does_what_is_advised_does_not_say_so_again(title: str, reason: str, lines: list[str]) -> None:
    text = shown(place(1, 1, 1, 3), advice="Use `g`", fix=PlacedFix("safe", title, reason, ()))
    assert text.splitlines()[1:] == lines


@given(
    st.text("ab `:=猫", min_size=1, max_size=300),
    st.sampled_from([40, 80, 120]),
    st.booleans(),
    st.text("xy ", max_size=99),
)
def test_words_are_never_broken(message: str, width: int, color: bool, cost: str) -> None:
    one = finding(place(9, 3, 9, 9, f"{message} # {cost}"), message=message, cost=cost)
    lines = Text(color=color, width=width).render(one).splitlines()
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    words = " ".join(plain).split()
    assert [word for word in [*message.split(), *cost.split()] if word not in words] == []
    wide = [line for line in plain if sum(2 if c == "猫" else 1 for c in line) > width]
    assert all(len(line.split()) == 1 or " | " in line for line in wide)


def test_an_overview_names_the_errors_again() -> None:
    found = [
        finding(place(1, 1, 1, 3)),
        finding(place(2, 1, 2, 3)),
        finding(place(3, 1, 3, 3), code="TFD404", name="leaky-split", severity="error", message="It leaks"),
    ]
    assert list(overview(found)) == [
        "1  TFD404  leaky-split     error",
        "2  TFD102  sequential-map  warning",
        "",
        "Errors:",
        "  train.py:3:1: TFD404 It leaks",
        "",
    ]
    assert "Errors:" not in list(overview(found[:2]))
    assert list(overview(found[2:] * 25))[-2] == "  … and 5 more"
