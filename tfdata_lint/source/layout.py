"""Where the statements and comments of a text lie, found without a parser, so also in text that no parser accepts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

#: What tells where a statement ends.
TOKEN = r"""(?xs)
      (?P<comment> \#[^\n]*)
    | (?P<string>
          \"{3} [^"\\]* (?: (?: \\.? | "(?!"") ) [^"\\]* )* (?: \"{3} | \Z )
        | '{3}  [^'\\]* (?: (?: \\.? | '(?!'') ) [^'\\]* )* (?: '{3}  | \Z )
        | " (?: [^"\\\n] | \\. )* "?
        | ' (?: [^'\\\n] | \\. )* '?
      )
    | (?P<open> [(\[{])
    | (?P<close> [)\]}])
    | (?P<comma> ,)
    | (?P<newline> \n)
    | \\\n
    """
_PLAIN = r"""[^\n"'()\[\]{}#\\]*"""
_STRING = r""""[^"\\\n]*(?:\\.[^"\\\n]*)*"(?!")|'[^'\\\n]*(?:\\.[^'\\\n]*)*'(?!')"""
_INSIDE = _STRING
for _ in range(3):
    _INSIDE = rf"{_STRING}|[(\[{{]{_PLAIN}(?:(?:{_INSIDE}){_PLAIN})*[)\]}}]"
#: What most logical lines are: one row, with brackets within brackets within brackets at most, and no long string.
_ROW = rf"{_PLAIN}(?:(?:{_INSIDE}){_PLAIN})*(\#[^\n]*)?(?=\n|\Z)"
_compiled = cache(re.compile)
_CONTINUES_STATEMENT = re.compile(r"(?:else|elif|except|finally)\b")

#: What LibCST reads in reasonable time and memory; both grow with the square of these.
_MOST_BRACKETS = 100
_LONGEST_PART = 2_000


class LogicalLine(NamedTuple):
    """A line as Python counts them, over as many rows as its brackets, strings and backslashes make it."""

    start: int
    end: int
    """Offsets; the newline at the end is left out."""
    row: int
    end_row: int
    comments: tuple[int, ...] = ()
    """Offsets of its comments."""
    skipped: bool = False
    """Is it one of the lines that `skip` knows?"""


def logical_lines(text: str, skip: Callable[[str, int], int | None] | None = None) -> Iterator[LogicalLine]:
    """The logical lines of a text, blank ones and lone comments included.

    `skip(text, start)` gives the end of a line that is not Python; None for all others.
    """
    position, row = 0, 1
    while position <= len(text):
        comments: tuple[int, ...] = ()
        skipped = skip(text, position) if skip else None
        if skipped is None:
            end, comments = _end_of_line(text, position)
        else:
            end = skipped
        end_row = row + text.count("\n", position, end)
        yield LogicalLine(position, end, row, end_row, comments, skipped is not None)
        position, row = end + 1, end_row + 1


def statements(text: str) -> list[tuple[int, int]]:
    """The rows of each statement of the outermost level, as (first, last); decorators and `else` belong to theirs."""
    starts: list[int] = []
    decorated = False
    rows = 0
    for line in logical_lines(text):
        rows = line.end_row
        if line.start == line.end or text[line.start] in " \t\f#" or _CONTINUES_STATEMENT.match(text, line.start):
            continue
        if not decorated:
            starts.append(line.row)
        decorated = text[line.start] == "@"
    return [(start, end - 1) for start, end in pairwise([*starts, rows + 1])]


def beginning(text: str, limit: int) -> tuple[str, int]:
    """The statements of the outermost level that end within so many characters, and the row of the first that does not.

    The row is 0 when all do.
    """
    start, first = 0, 1
    decorated = False
    # A line that goes on beyond that is not looked through: a bracket takes 400 bytes.
    for line in logical_lines(text[: limit + 1]):
        if not (line.start == line.end or text[line.start] in " \t\f#" or _CONTINUES_STATEMENT.match(text, line.start)):
            if not decorated:
                start, first = line.start, line.row
            decorated = text[line.start] == "@"
        if line.end > limit:
            return text[:start], first
    return text, 0


def is_tangled(text: str) -> bool:
    """Is it nested so deeply, or so long without a comma, that LibCST would take seconds or kill the process?"""
    depth = part = 0
    for token in re.finditer(TOKEN, text):
        match token.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "string" | "comment":
                part += len(token[0])
        if token.lastgroup == "comma" or (token.lastgroup == "newline" and depth == 0):
            part = token.end()
        if depth > _MOST_BRACKETS or token.start() - part > _LONGEST_PART:
            return True
    return len(text) - part > _LONGEST_PART


def _end_of_line(text: str, start: int) -> tuple[int, tuple[int, ...]]:
    if row := _compiled(_ROW).match(text, start):
        return row.end(), () if row[1] is None else (row.start(1),)
    depth = 0
    comments: list[int] = []
    for token in _compiled(TOKEN).finditer(text, start):
        match token.lastgroup:
            case "newline" if depth == 0:
                return token.start(), tuple(comments)
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "comment":
                comments.append(token.start())
    return len(text), tuple(comments)
