"""Break the rows of a statement that are too long: a chain at its dots, a call in its parentheses; others stay long."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from tfdata_lint.source import layout
from tfdata_lint.source.lambdas import confused

_CONTINUED = " " * 4
#: A statement with more brackets stays as it is: each break looks at all of it.
_MOST_BRACKETS = 200
#: What is blank between the parts of an expression.
_BLANK = re.compile(r"(?:\s|#.*)*")
#: Commas between these words and what follows part parameters of a lambda or targets of a loop, and no items.
_MARKS = re.compile(rf"{layout.TOKEN} | \b (?: (?P<word> lambda | for ) | (?P<end> in ) ) \b | (?P<colon> : )")
#: What stands before the value of a statement or a lambda, and behind it.
_BEFORE = r"""(?x) \s* (?: .*[^=!<>]= | for\b.*\bin | return | yield | if | elif | while | assert
    | (?:\w+=)? lambda\b[^:]*: ) \s+"""
_BEHIND = r"(?x) [:,]? \s* (?: \#.* )?"
#: A row of calls, with what stands in their brackets blanked out: a value, or an item.
_CALLS = rf"""{_BEFORE[:4]} (?: (?P<value> {_BEFORE[4:]} ) | \s* (?: \w+= | ["'][^"':]*["']:\s+ )? )
    (?P<calls> (?: \w+ | [)\]}}] )? (?: \.\w+ | \(_*\) | \[_*\] | \{{_*\}} )+ ) [)\]}}]* {_BEHIND[4:]}"""


class Rules(NamedTuple):
    """How rows are broken."""

    width: int
    closes_below: bool
    """Do closing brackets stand on rows of their own?"""
    parts_lambdas: bool = False
    """Do lambdas that AutoGraph could not tell apart on one row get rows of their own?"""


class _Bracket(NamedTuple):
    """A pair of brackets: their offsets, and where the items between them begin."""

    start: int
    end: int
    items: list[int]

    def has(self, place: int) -> bool:
        return self.start < place <= self.end


def closes_below(rows: Sequence[str]) -> bool:
    """Return whether closing brackets stand on rows of their own in this code; where nothing tells, they do."""
    return sum(row.lstrip().startswith(")") for row in rows) * 2 >= sum(row.endswith("(") for row in rows)


def rewrapped(old: str, new: str, kept: Collection[str], rules: Rules) -> str:
    """Return the new text of a logical line, laid out by these rules if its old text was.

    Else its rows stay as they are, except for those that are too long and are not among those that are kept.
    """
    # The comma behind an argument on a row of its own is of the edit, as it would keep the old rows.
    before, after = _in_one_row(old), _in_one_row(re.sub(r"(?m)^(\s*\w+=.*),(?=\n\s*\))", r"\1", new))
    if before and after and _wrapped(before, (), rules) == old:
        return _wrapped(after, (), rules)
    return _wrapped(new, kept, rules)


def _in_one_row(line: str) -> str:
    """A logical line without its breaks and the parentheses that only they need.

    Empty where a comment, a string or a comma behind the last item keeps the breaks.
    """
    if "\n" not in line:
        return line
    if re.search(r",\s*[)\]}]", line):
        return ""
    for mark in _MARKS.finditer(line):
        is_comment = mark.lastgroup == "comment" and mark.end() < len(line)
        if is_comment or ("\n" in mark[0] and mark.lastgroup != "newline"):
            return ""
    for start, end, items in _brackets(line):
        is_value = re.fullmatch(_BEFORE, line[:start]) and re.fullmatch(_BEHIND, line[end + 1 :])
        if is_value and line[start] == "(" and len(items) == 1:
            line = line[:start] + line[start + 1 : end].strip() + line[end + 1 :]
            break
    line = re.sub(r"(?<!\s)\s*\n\s*", "\n", line)
    return re.sub(r"(?<=[(\[{])\n|\n(?=[)\]}.])", "", line).replace("\n", " ")


def _wrapped(line: str, kept: Collection[str], rules: Rules) -> str:
    """A logical line whose rows are within the width where that can be; those that are kept stay."""
    start = 0
    while start <= len(line) and len(re.findall(r"[(\[{]", line)) <= _MOST_BRACKETS:
        text = line[start:].partition("\n")[0]
        is_bad = len(text) > rules.width or (rules.parts_lambdas and confused(text))
        better = _Row(line, start, text, rules).broken() if is_bad and text not in kept else ""
        line = better or line
        start += 0 if better else len(text) + 1
    return line


class _Row:
    """A row of a logical line, which may be broken."""

    def __init__(self, line: str, start: int, text: str, rules: Rules) -> None:
        self.line, self.start, self.text, self.rules = line, start, text, rules
        self.indent = text[: len(text) - len(text.lstrip())]
        self.begin, self.end = start + len(self.indent), start + len(text)
        brackets = _brackets(line)
        own = [bracket for bracket in brackets if start <= bracket.start and bracket.end < self.end]
        self.outer = [bracket for bracket in own if not any(other.has(bracket.start) for other in own)]
        self.around = max((bracket for bracket in brackets if bracket.has(self.begin)), default=None)

    def broken(self) -> str:
        """The line with this row broken; empty where nothing helps."""
        items = self.around.items if self.around is not None and self.begin in self.around.items else []
        if any(self.begin < item < self.end for item in items):
            return self._by_items(items)
        found = re.fullmatch(_CALLS, self._plain())
        if found is None:
            return ""
        first, last = self.start + found.start("calls"), self.start + found.end("calls")
        calls = [bracket for bracket in self.outer if first <= bracket.start]
        dots = [bracket.end + 1 for bracket in calls if self.line.startswith(".", bracket.end + 1)]
        is_link = self.around is not None and self.line[self.begin] == "."
        if found["value"] and len(dots) > 1:
            return self._with((first, f" (\n{self.indent}{_CONTINUED}"), (last, f"{self._below})"))
        if not found["value"] and (items or is_link) and len(dots) > (not is_link):
            return self._with(*((dot, f"\n{self.indent}") for dot in dots))
        return self._by_arguments(calls)

    def _by_items(self, items: Sequence[int]) -> str:
        """A row for each item of the bracket around, and a comma behind the last one."""
        breaks = [(item, f"\n{self.indent}") for item in items if self.begin < item < self.end]
        is_last = self.around is not None and self.line[self.end : self.around.end].isspace()
        if is_last and self.rules.closes_below and "#" not in self.text and not self.text.endswith(","):
            breaks.append((self.end, ","))
        return self._with(*breaks)

    def _by_arguments(self, calls: Sequence[_Bracket]) -> str:
        """The arguments of a call on a row of their own: of the last one for which that helps."""
        for bracket in reversed(calls):
            head, tail = bracket.start + 1 - self.start, len(self.indent) + self.end - bracket.end
            is_subscript = re.match(r"[\w)\]}]\[", self.line[bracket.start - 1 :])
            if bracket.items and not is_subscript and max(head, tail) <= self.rules.width:
                return self._with((bracket.items[0], f"\n{self.indent}{_CONTINUED}"), (bracket.end, self._below))
        return ""

    def _plain(self) -> str:
        """The row with what stands in its brackets blanked out."""
        plain = self.text
        for bracket in self.outer:
            first, last = bracket.start + 1 - self.start, bracket.end - self.start
            plain = plain[:first] + "_" * (last - first) + plain[last:]
        return plain

    @property
    def _below(self) -> str:
        """What comes before a closing bracket."""
        return f"\n{self.indent}" if self.rules.closes_below else ""

    def _with(self, *breaks: tuple[int, str]) -> str:
        """The line with these texts in the place of the blanks before some places."""
        line = self.line
        for place, text in reversed(breaks):
            line = line[:place].rstrip(" ") + text + line[place:]
        return line


def _brackets(line: str) -> list[_Bracket]:
    """The pairs of brackets of a logical line."""
    found: list[_Bracket] = []
    opened: list[tuple[int, list[int]]] = []
    inner: list[int] = []
    for mark in _MARKS.finditer(line):
        match mark.lastgroup:
            case "open":
                opened.append((mark.start(), [_after_blanks(line, mark.end())]))
            case "close" if opened:
                start, items = opened.pop()
                found.append(_Bracket(start, mark.start(), [item for item in items if item < mark.start()]))
            case "word":
                inner.append(len(opened))
            case "end" | "colon" if inner[-1:] == [len(opened)]:
                inner.pop()
            case "comma" if opened and inner[-1:] != [len(opened)]:
                opened[-1][1].append(_after_blanks(line, mark.end()))
    return found


def _after_blanks(line: str, place: int) -> int:
    found = _BLANK.match(line, place)
    return found.end() if found else place
