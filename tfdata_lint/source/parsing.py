"""From text to `ast`, or to the reason why not.

Text that this Python is too old for is read in part: LibCST, which knows the newer syntax, tells it from mistakes.
"""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tfdata_lint.source import layout


class Problem(NamedTuple):
    """Why a text, or a part of it, cannot be read. The row counts from 1, the column from 0 in UTF-8 bytes."""

    message: str
    row: int
    column: int
    is_meant: bool = False
    """It is an exercise: whoever wrote it left a value out."""
    advice: str = ""


_TOO_DEEP = "this code is nested too deeply to be read; split the expression into several statements"
_OPEN = r"never closed|does not match"
_UNTIL_PYTHON_3 = "this looks like Python 2, and only Python 3 can be read; port it"
_EXERCISE = "a value is left out here, where a comment stands"
_UNFINISHED = "code is left out in this cell, as in an exercise"
_LEFT_OUT = r"(?im)^[^#'\"\n]*(?:=|\breturn%s)[ \t]*(?=\#[^\n]*\b(?:todo|your|complete|fill|replace|exercise))"
#: What a cell says that somebody is to complete.
_TO_FILL_IN = (
    r"(?i)\btodo\b|\b_{3,}\b|#[^\n]*(?:\byour (?:code|action|answer|solution|(?:\w+ ){1,3}here)\b"
    r"|\bfill (?:in|me|this)\b|\bcomplete (?:this|me|the)\b|<-+ *complete\b|\bexercise\b)"
)

#: Mistakes that LibCST does not see, so its word does not count.
_UNSEEN_BY_LIBCST = r"\((?:unicode|value) error\)|bytes can only|unpacking cannot be used|Exceeds the limit"
_PYTHON_2_MESSAGES = r"Missing parentheses in call to '(?:print|exec)'|leading zeros in decimal"
_PYTHON_2_LINE = r"""(?x)
      \s*(?:print|exec)\s+["'\w]       # print "x"
    | \s*except\b[^:\#]*,\s*[a-z_]\w*\s*:  # except Error, e:
    | \s*raise\s+[\w.]+\s*,            # raise Error, "x"
    | \s*def\s+\w+\s*\(\s*\(             # def f((a, b)):
    | .*\b\d+[lL]\b                    # 10L
    | .*\b[uU][rR]["']                 # ur"x"
    """
#: Newer syntax is blanked a statement at a time at most this often within one outermost statement.
_PATIENCE = 20
#: Characters that are parsed for that in one text, and those of a statement that LibCST, which takes 2 KB of memory for
#: each, is asked about.
_STATEMENTS = 20_000
_PARSED_AGAIN = 4_000_000
_LONGEST_JUDGED = 150_000
_STACK = 64 << 20


def parse(text: str) -> ast.Module | Problem:
    """The tree of a text whose rows end in `\\n`. Rows that this Python is too old for are left out of the tree."""
    with _quiet():
        try:
            return ast.parse(text)
        except (RecursionError, MemoryError):
            return Problem(_TOO_DEEP, _row_of_depth(text), 0)
        except SyntaxError as error:
            return _second_reading(text, error)
        except ValueError as error:
            # NUL characters before Python 3.12, lone surrogates.
            return _unparsable_character(text) or Problem(f"this cannot be parsed: {error}", 1, 0)


def parse_cell(text: str) -> ast.Module | Problem:
    """The tree of a cell as IPython reads it, which takes the indentation of the first row from all rows; columns count
    with it. What is to be filled in is an exercise."""
    parsed = parse(text)
    if not isinstance(parsed, Problem):
        return parsed
    if text.lstrip("\n").startswith((" ", "\t")):
        indented = parse(f"if 1:\n{text}")
        if isinstance(indented, ast.Module):
            block, *others = ast.increment_lineno(indented, -1).body
            return ast.Module([*getattr(block, "body", ()), *others], [])
    if re.search(_TO_FILL_IN, text):
        return parsed._replace(message=parsed.message if parsed.is_meant else _UNFINISHED, is_meant=True)
    return parsed


@contextmanager
def _quiet() -> Iterator[None]:
    """No warnings of the linted code, and no garbage collector: a tree is many objects, and none of them is garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if was_on:
            gc.enable()


def _second_reading(text: str, error: SyntaxError) -> ast.Module | Problem:
    message = error.msg or "invalid syntax"
    row, column = _position(text, error)
    if problem := _unparsable_character(text):
        return problem
    if "too many nested parentheses" in message:
        return Problem(_TOO_DEEP, row, column)
    if _is_python_2(text.split("\n")[row - 1], column, message):
        return Problem(_UNTIL_PYTHON_3, row, column)
    # What closes a bracket may have become part of the comment.
    brackets = r"|[(\[]" if re.search(_OPEN, message) else ""
    if gap := re.search(_LEFT_OUT % brackets, text):
        return Problem(_EXERCISE, text.count("\n", 0, gap.start()) + 1, len(gap[0].encode("utf-8", "replace")), True)
    if not re.search(_UNSEEN_BY_LIBCST, message) and (tree := _without_newer_syntax(text)):
        return tree
    if isinstance(error, IndentationError) or message.startswith(("invalid ", "f-string")):
        return Problem(message, row, column)
    return Problem(f"invalid syntax: {message}", row, column)


def _position(text: str, error: SyntaxError) -> tuple[int, int]:
    """Row and column in bytes; errors in f-strings may name places that do not exist."""
    lines = text.split("\n")
    row = min(max(error.lineno or 1, 1), len(lines))
    return row, len(lines[row - 1][: max((error.offset or 1) - 1, 0)].encode("utf-8", "replace"))


def _unparsable_character(text: str) -> Problem | None:
    found = re.search("[\0\ud800-\udfff]", text)
    if not found:
        return None
    row = text.count("\n", 0, found.start()) + 1
    before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    what = "a NUL character" if found[0] == "\0" else f"half a character (U+{ord(found[0]):04X})"
    return Problem(f"{what}, which Python source may not hold; remove it", row, len(before.encode("utf-8", "replace")))


def _is_python_2(line: str, column: int, message: str) -> bool:
    if re.match(_PYTHON_2_MESSAGES, message) or re.match(_PYTHON_2_LINE, line):
        return True
    return line.encode("utf-8", "replace")[column:].startswith((b"`", b"<>"))


def _row_of_depth(text: str) -> int:
    """The first row of the statement that is nested too deeply."""
    lines = text.split("\n")
    for first, last in layout.statements(text):
        try:
            ast.parse("\n".join(lines[first - 1 : last]))
        except (RecursionError, MemoryError):
            return first
        except (SyntaxError, ValueError):
            continue
    return 1


# ── newer syntax ────────────────────────────────────────────────────────────────────────────────────────────────────


def _without_newer_syntax(text: str) -> ast.Module | None:
    """The tree of what this Python can read, if the text is right in a newer one."""
    lines = text.split("\n")
    newer: list[tuple[int, int]] = []
    for number, (first, last) in enumerate(layout.statements(text)):
        if number == _STATEMENTS:
            return None
        try:
            ast.parse("\n".join(lines[first - 1 : last]))
        except SyntaxError:
            newer.append((first, last))
        except (ValueError, RecursionError, MemoryError):
            return None
    if not _libcst_reads(["\n".join(lines[first - 1 : last]) + "\n" for first, last in newer]):
        return None
    patience = _PARSED_AGAIN
    for first, last in newer:
        lines[first - 1 : last], cost = _readable(lines[first - 1 : last], patience)
        patience -= cost
    try:
        return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _libcst_reads(statements: list[str]) -> bool:
    # Its parser overflows the stack on deep nesting, which kills the process. Hence also a thread with a stack of its
    # own: the one that calls may have little.
    if not statements or any(len(text) > _LONGEST_JUDGED or layout.is_tangled(text) for text in statements):
        return False
    import threading

    verdict = False

    def judge() -> None:
        nonlocal verdict
        import libcst

        try:
            for text in statements:
                libcst.parse_module(text)
            verdict = True
        except Exception:
            # It raises errors of several kinds, some of them its own bugs.
            verdict = False

    previous = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=judge)
        thread.start()
    except RuntimeError:
        return False
    finally:
        threading.stack_size(previous)
    thread.join()
    return verdict


def _readable(lines: list[str], patience: int) -> tuple[list[str], int]:
    """The rows of one outermost statement, with `pass` for what cannot be parsed; all blank when that does not help.

    And the characters that were parsed for it, which are about as many as are allowed at most.
    """
    blank = [""] * len(lines)
    logical = list(layout.logical_lines("\n".join(lines)))
    lines = list(lines)
    reached = cost = 0
    for _ in range(_PATIENCE):
        if cost > patience:
            break
        text = "\n".join(lines)
        cost += len(text)
        try:
            ast.parse(text)
            return lines, cost
        except SyntaxError as error:
            row = error.lineno or 0
        except (ValueError, RecursionError, MemoryError):
            break
        line = next((line for line in logical if line.row <= row <= line.end_row), None)
        if line is None or row <= reached:
            break
        first = lines[line.row - 1]
        indent = first[: len(first) - len(first.lstrip())]
        if first[len(indent) :].startswith("@"):
            break
        lines[line.row - 1 : line.end_row] = [indent + "pass", *blank[: line.end_row - line.row]]
        reached = line.end_row
    return blank, cost
