"""Loading: encodings, rows and columns as `ast` has them, and a clear problem for everything that cannot be read."""

from __future__ import annotations

import ast
import gc
import subprocess
import sys
import warnings

import pytest
from hypothesis import given, settings, strategies as st

from tfdata_lint.source.module import Location, Problem, Source, load


def problem_of(data: bytes, path: str = "a.py") -> Problem:
    source = load(data, path)
    assert source.tree is None
    (problem,) = source.problems
    return problem


def names(source: Source) -> list[str]:
    assert source.tree is not None
    return [node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)]


# ── encodings and newlines ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "kind"), [("a.py", "module"), ("a.pyi", "stub"), ("script", "module"), ("a.IPYNB", "notebook")]
)
def test_kind(path: str, kind: str) -> None:
    assert load(b"{}", path).kind == kind


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        ("é = 1\n".encode(), "utf-8", "é = 1\n"),
        ("# coding: latin-1\né = 1\n".encode("latin-1"), "iso8859-1", "# coding: latin-1\né = 1\n"),
        ("#!x\n# -*- coding: cp1252 -*-\n€\n".encode("cp1252"), "cp1252", "#!x\n# -*- coding: cp1252 -*-\n€\n"),
        ("# coding: latin-1-unix\né\n".encode("latin-1"), "iso8859-1", "# coding: latin-1-unix\né\n"),
        ("# coding: utf_8\né\n".encode(), "utf-8", "# coding: utf_8\né\n"),
        # The second row counts only below a comment, the third never.
        ("x = 1\n# coding: latin-1\né = 1\n".encode(), "utf-8", "x = 1\n# coding: latin-1\né = 1\n"),
        ("\n\n# coding: latin-1\né = 1\n".encode(), "utf-8", "\n\n# coding: latin-1\né = 1\n"),
    ],
)
def test_encoding(data: bytes, encoding: str, text: str) -> None:
    source = load(data, "a.py")
    assert (source.encoding, source.text, source.problems, source.bom) == (encoding, text, [], False)


def test_byte_order_mark_is_removed() -> None:
    source = load(b"\xef\xbb\xbf# coding: utf-8\nx = 1\n", "a.py")
    assert (source.bom, source.text, source.problems) == (True, "# coding: utf-8\nx = 1\n", [])


@pytest.mark.parametrize(("end", "rows"), [("\n", 3), ("\r\n", 3), ("\r", 3)])
def test_newlines(end: str, rows: int) -> None:
    source = load(f"a = 1{end}b = 2{end}".encode(), "a.py")
    assert (source.newline, source.text, len(source.lines)) == (end, "a = 1\nb = 2\n", rows)


@pytest.mark.parametrize("data", [b"", b"x", b"\n"])
def test_short_files(data: bytes) -> None:
    source = load(data, "a.py")
    assert source.tree is not None
    assert (source.newline, source.problems) == ("\n", [])


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["x = 'é'", "y = 1\f", "\fz = 2", "if x:\n\ty", "'a\x0bb\x1cc\u2028d'", "# \x85", "", "f(\n\f1)"]
            ),
            st.sampled_from(["\n", "\r\n", "\r"]),
        )
    )
)
def test_rows_are_those_of_ast(parts: list[tuple[str, str]]) -> None:
    text = "".join(line.replace("\n", end) + end for line, end in parts)
    source = load(text.encode(), "a.py")
    direct = ast.parse(text)
    assert source.tree is not None
    assert ast.dump(source.tree, include_attributes=True) == ast.dump(direct, include_attributes=True)
    for node in ast.walk(direct):
        if isinstance(node, ast.Name | ast.Constant) and node.lineno == node.end_lineno:
            segment = source.lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()
            assert segment == (node.id if isinstance(node, ast.Name) else segment)
            assert ast.dump(ast.parse(segment, mode="eval").body) == ast.dump(node).replace("Store", "Load")


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0")), st.data())
def test_columns_count_characters(line: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(line)))
    source = load(f"# {line}\n".encode(), "a.py")
    assert source.location(1, len(f"# {line[:column]}".encode())) == Location(1, column + 3, None)


def test_location_outside_of_the_text() -> None:
    source = load(b"x\n", "a.py")
    assert source.location(9, 0) == Location(2, 1, None)
    assert source.location(0, 0) == Location(1, 1, None)


# ── what cannot be read ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "row", "column", "words"),
    [
        (b"x = 1\ny = \xe9\n", 2, 4, "byte 0xe9 is not valid UTF-8"),
        (b"x\r\ry = 'a\xff'\r", 3, 6, "byte 0xff"),
        (b"# coding: ascii\ns = '\xc3\xa9'\n", 2, 5, "not valid ASCII"),
        (b"# coding: klingon\n", 1, 10, "no encoding `klingon`"),
        (b"#!/bin/x\n# vim: fileencoding=rot13\n", 2, 20, "no encoding `rot13`"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, 10, "mark of UTF-8"),
        ("x = 1\n".encode("utf-16"), 1, 0, "UTF-16"),
        (b"x = 1\ns = 'a\0b'\n", 2, 6, "NUL"),
        ("# é\nx = é\0\n".encode(), 2, 6, "NUL"),
        (b"x = (1,\ny = 2\n", 1, 4, "'(' was never closed"),
        ("é = 1; def\n".encode(), 1, 8, "invalid syntax"),
        (b"if x:\ny\n", 2, 0, "indented block"),
        (b"f() = 1\n", 1, 0, "cannot assign"),
        (b"f(a=1, 2)\n", 1, 8, "positional argument"),
    ],
)
def test_problems_name_the_place(data: bytes, row: int, column: int, words: str) -> None:
    problem = problem_of(data)
    assert words in problem.message
    assert (problem.row, problem.column) == (row, column)


@pytest.mark.parametrize("line", ["x = 'C:\\Users'", "x = b'é'", "x = [*a for a in b]", "x = {**a for a in b}"])
def test_mistakes_that_libcst_does_not_see(line: str) -> None:
    assert problem_of(f"x = 1\n{line}\n".encode()).row == 2


@pytest.mark.parametrize(
    "line",
    [
        "print 'x'",
        "print x, y",
        "exec 'x'",
        "raise E, 'x'",
        "x = 0777",
        "x = 10L",
        "x = `y`",
        "if a <> b: pass",
        "ur'x'",
        "try:\n    x\nexcept E, e:\n    y",
        "def f((a, b)): pass",
    ],
)
def test_python_2(line: str) -> None:
    assert "Python 2" in problem_of(f"x = 1\n{line}\n".encode()).message


@pytest.mark.parametrize("line", ["x = (1 2)", "print(x y)", "raise E from", "x = <>", "printer x"])
def test_not_every_mistake_is_python_2(line: str) -> None:
    message = problem_of(f"{line}\n".encode()).message
    assert ("Python 2" in message) == (line == "x = <>")


@pytest.mark.parametrize(
    "nested",
    [
        "(" * 3000 + ")" * 3000,
        "[" * 3000 + "]" * 3000,
        "-" * 20_000 + "1",
        "not " * 20_000 + "x",
        "x" + ".a()" * 20_000,
    ],
)
def test_deep_nesting_is_one_problem(nested: str) -> None:
    # In a process of its own: a parser that overflows the stack takes the process with it.
    code = (
        "import sys; from tfdata_lint.source.module import load\n"
        "s = load(sys.stdin.buffer.read(), 'a.py'); print(s.tree, [(p.row, p.message) for p in s.problems])\n"
        "print('libcst' in sys.modules)"
    )
    text = f"x = 1\ny = 2\n\nz = {nested}\n"
    done = subprocess.run([sys.executable, "-c", code], input=text.encode(), capture_output=True, check=True)
    verdict, libcst_imported = done.stdout.decode().splitlines()
    assert libcst_imported == "False"
    # Python 3.10 reads the chain.
    if sys.version_info >= (3, 11) or not verdict.startswith("<ast.Module"):
        assert verdict.startswith("None [(4, 'this code is nested too deeply to be read")


def test_the_place_of_deep_nesting() -> None:
    problem = problem_of(b"x = (\n1)\n\n\ndef f():\n    return " + b"-" * 20_000 + b"1\n")
    assert (problem.row, problem.column) == (5, 0)


def test_deep_nesting_below_a_mistake() -> None:
    assert problem_of(b"x = = 1\n" + b"(" * 3000 + b")" * 3000 + b"\n")
    assert problem_of(b"x = = 1\n" + b"-" * 50_000 + b"1\n").row == 1


def test_a_long_chain_is_read() -> None:
    source = load(("ds = (x\n" + "    .map(f)\n" * 300 + ")\n").encode(), "a.py")
    assert source.tree is not None
    assert source.problems == []


def test_parsing_is_quiet_and_leaves_the_collector_alone() -> None:
    gc.enable()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert load(b"x = '\\d'\ny = 1 is 1\n", "a.py").tree is not None
        assert load(b"x = = '\\d'\n", "a.py").tree is None
    assert caught == []
    assert gc.isenabled()
    gc.disable()
    try:
        assert load(b"x", "a.py").tree is not None
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_tree_is_parsed_once() -> None:
    source = load(b"x = (", "a.py")
    assert source.problems == []
    assert source.tree is source.tree is None
    assert len(source.problems) == 1
    source = load(b"x", "a.py")
    assert source.tree is source.tree is not None


@settings(deadline=None)
@given(st.binary(), st.sampled_from(["a.py", "a.pyi", "a.ipynb"]))
def test_loading_never_fails(data: bytes, path: str) -> None:
    source = load(data, path)
    assert source.tree is not None or source.problems
    for problem in source.problems:
        assert 1 <= problem.row <= len(source.lines)
        source.location(problem.row, problem.column)
    source.suppressions.unused({"TFD101"})


# ── syntax that this Python is too old for ──────────────────────────────────────────────────────────────────────────


too_old = pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it")


@too_old
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\ntype X = int\nb\n", ["a", "b"]),
        ("a\ndef f[T](x: T) -> T:\n    return c\nb\n", ["a", "b"]),
        ('a\ndef f(d):\n    c\n    s = f"{d[\'k\']} {d["k"]}"\n    e\nb\n', ["a", "b", "c", "e"]),
        ("a\nclass C:\n    def f(self):\n        c\n        type X = int\n    def g(self): e\n", ["a", "c", "e"]),
        ("a\nx = g(\n  f\"{'\\n'.join(b)}\"\n)\nc\n", ["a", "c"]),
    ],
)
def test_newer_syntax_is_left_out(text: str, kept: list[str]) -> None:
    source = load(text.encode(), "a.py")
    assert sorted(names(source)) == kept
    assert source.problems == []
    assert source.text == text
    rows = {node.id: node.lineno for node in ast.walk(source.tree or ast.Module()) if isinstance(node, ast.Name)}
    assert all(source.lines[row - 1].strip().startswith((name, "def g")) for name, row in rows.items())


@too_old
def test_newer_syntax_beside_a_mistake() -> None:
    problem = problem_of(b"type X = int\nx = = 1\n")
    assert problem.row == 1
