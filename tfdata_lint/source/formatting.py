"""One statement laid out as Black and Ruff do it: the last brackets are opened first, chains of calls go link by link.

Only rows are broken and joined; within a row the blanks stay. `formatted` gives None for what it does not know how to
lay out, and nothing that means something else than before.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tfdata_lint.source.leaves import COMMA, DOT, Leaf, leaves_of

_LONGEST = 20_000


class _CannotSplit(Exception):
    """The line has no place to be split in this way."""


class _Split(NamedTuple):
    head: _Line
    body: _Line
    tail: _Line
    opening: Leaf
    closing: Leaf


class _Line:
    """Leaves that may become one row, with the indent of that."""

    def __init__(self, leaves: list[Leaf], indent: str, *, inside: bool = False, tracked: bool = True) -> None:
        self.leaves = leaves
        self.indent = indent
        self.inside = inside
        """Does it stand in brackets, where it may be broken everywhere?"""
        self.must_split = False
        self.is_magic = tracked and any(
            _is_magic(leaves, index) for index, leaf in enumerate(leaves) if leaf.kind == ")"
        )
        self.delimiters = dict(_delimiters(leaves)) if inside else {}
        self.below: tuple[str, ...] = ()
        """Comments on the rows below it."""

    def __str__(self) -> str:
        first, *others = self.leaves
        text = f"{self.indent}{first.text}" + "".join([leaf.gap + leaf.text for leaf in others])
        return text.rstrip() + "".join([f"  {leaf.comment}" for leaf in self.leaves if leaf.comment])

    @property
    def rows(self) -> list[str]:
        """With the comments above and below."""
        return [f"{self.indent}{comment}" for comment in self.leaves[0].above] + [
            str(self), *(f"{self.indent}{comment}" for comment in self.below)
        ]  # fmt: skip

    @property
    def holds_rows(self) -> bool:
        """Are there comments inside that have rows of their own?"""
        return any(leaf.above for leaf in self.leaves[1:])

    def __bool__(self) -> bool:
        return bool(self.leaves)

    def lengths(self) -> Iterator[tuple[Leaf, int]]:
        for leaf in self.leaves:
            yield leaf, len(leaf.gap) + len(leaf.text) + (len(leaf.comment) + 2 if leaf.comment else 0)


def formatted(statement: str, width: int, step: str = "    ", *, by_ruff: bool = False) -> str | None:
    """A logical line as the formatters would lay it out, its indent included; None where that is not known."""
    if len(statement) > _LONGEST or "\\\n" in statement or "fmt:" in statement or "yapf:" in statement:
        return None
    stripped = statement.lstrip(" \t")
    indent = statement[: len(statement) - len(stripped)]
    try:
        leaves = leaves_of(stripped, by_ruff=by_ruff)
        if leaves is None:
            return None
        lines = _Layout(width, step, by_ruff).lines(_Line(leaves, indent), forced=False)
    except (SyntaxError, tokenize.TokenError, RecursionError):
        return None
    text = "\n".join([row for line in lines for row in line.rows])
    if text == statement:
        return text
    return text if text.count("#") == statement.count("#") and _meaning(text) == _meaning(statement) else None


@lru_cache(maxsize=128)  # One statement is laid out for several widths.
def _meaning(statement: str) -> str:
    """What must stay the same."""
    text = statement.strip()
    body = " pass" if text.rsplit("#", 1)[0].rstrip().endswith(":") or text.endswith(":") else ""
    if text.startswith("elif"):
        text = text[2:]
    try:
        return ast.dump(ast.parse(f"{text}\n{body}" if body else text))
    except SyntaxError:
        return text


def _delimiters(leaves: Sequence[Leaf]) -> Iterator[tuple[int, int]]:
    """The places behind which a line in brackets may be split, with their priorities."""
    base = min((leaf.depth for leaf in leaves), default=0)
    for index, leaf in enumerate(leaves):
        if leaf.depth != base:
            continue
        if leaf.after:
            yield index, leaf.after
        if leaf.before and index:
            yield index - 1, leaf.before


def _is_magic(leaves: Sequence[Leaf], index: int) -> bool:
    """Does a comma before this bracket ask for one row per item?"""
    closing = leaves[index]
    if index == 0 or leaves[index - 1].text != "," or closing.opening is None:
        return False
    opening = closing.opening
    if opening.text == "{" or (opening.text == "[" and opening.is_atom) or opening.is_call:
        return True
    start = next((at for at in range(index - 1, -1, -1) if leaves[at] is opening), None)
    if start is None:
        return True
    return sum(leaf.kind == "," and leaf.depth == closing.depth + 1 for leaf in leaves[start:index]) > 1


# ── splitting ───────────────────────────────────────────────────────────────────────────────────────────────────────


class _Layout:
    def __init__(self, width: int, step: str, by_ruff: bool) -> None:
        self.width = width
        self.step = step
        self.by_ruff = by_ruff

    def lines(self, line: _Line, forced: bool) -> list[_Line]:
        """A line as it is or split, and what it was split into split again."""
        text = str(line)
        if not line.must_split and not line.is_magic and not line.holds_rows and len(text) <= self.width:
            return [line]
        if line.inside:
            try:
                return self._again(_by_delimiters(line), text, forced)
            except _CannotSplit:
                pass
        try:
            return self._by_brackets(line, text, forced)
        except _CannotSplit:
            return [line]

    def _again(self, parts: Iterable[_Line], text: str, forced: bool) -> list[_Line]:
        parts = list(parts)
        if any(str(part) == text for part in parts):
            raise _CannotSplit
        return [line for part in parts for line in self.lines(part, forced)]

    def _by_brackets(self, line: _Line, text: str, forced: bool) -> list[_Line]:
        optional = [leaf for leaf in line.leaves if leaf.kind in ("(", ")") and not leaf.text]
        copied = None if forced or not optional else _copy(line)
        result = self._again(self._split_with_omits(line, forced), text, forced)
        if copied is None or any(leaf.text for leaf in optional) or self._fits(result[0]):
            return result
        try:
            second = self._by_brackets(copied, text, True)
        except _CannotSplit:
            return result
        return second if all(map(self._fits, second)) else result

    def _fits(self, line: _Line) -> bool:
        return len(str(line)) <= self.width

    def _split_with_omits(self, line: _Line, forced: bool) -> list[_Line]:
        """At the last brackets of which what stands before fits."""
        first: list[_Line] | None = None
        for omit in self._trailers(line):
            lines = self._split(line, omit, forced)
            if self._fits(lines[0]):
                return lines
            if not omit:
                first = lines
        return first if first is not None else self._split(line, frozenset(), forced)

    def _split(self, line: _Line, omit: frozenset[int], forced: bool) -> list[_Line]:
        return self._without_optional(self._at_last_brackets(line, omit), line, omit, forced)

    def _at_last_brackets(self, line: _Line, omit: frozenset[int]) -> _Split:
        leaves = line.leaves
        close = next((at for at in range(len(leaves) - 1, -1, -1)
                      if leaves[at].kind == ")" and id(leaves[at]) not in omit), None)  # fmt: skip
        while close is not None:
            opening = leaves[close].opening
            start = next((at for at in range(close - 1, -1, -1) if leaves[at] is opening), None)
            if start is None:
                raise _CannotSplit
            if start < close - 1:
                break
            # Empty brackets are part of the tail.
            close = next((at for at in range(start - 1, -1, -1)
                          if leaves[at].kind == ")" and id(leaves[at]) not in omit), None)  # fmt: skip
        if close is None or start is None:
            raise _CannotSplit
        opening = leaves[start]
        head = _Line(leaves[: start + 1], line.indent)
        body = _Line(leaves[start + 1 : close], line.indent + self.step, inside=True)
        body.must_split = _is_exploded(body, opening)
        tail = _Line(leaves[close:], line.indent, tracked=False)
        body.below, tail.below = tail.leaves[0].above, line.below
        return _Split(head, body, tail, opening, leaves[close])

    def _without_optional(self, split: _Split, line: _Line, omit: frozenset[int], forced: bool) -> list[_Line]:
        """The parts of a split; at parentheses that are written already where those that could be added do not help."""
        if not forced and not split.opening.text and self._may_omit(split):
            omit = omit | {id(split.closing)}
            try:
                other = self._at_last_brackets(line, omit)
                if self._is_better(other, split):
                    return self._without_optional(other, line, omit, forced)
            except _CannotSplit:
                if not _can_be_split(split.body) and not self._fits(split.body):
                    raise
        split.closing.above = ()
        split.opening.text = split.opening.text or "("
        split.closing.text = split.closing.text or ")"
        return [part for part in split[:3] if part]

    def _is_better(self, other: _Split, split: _Split) -> bool:
        """Is a split at brackets that are written better than parentheses of our own?"""
        head = split.head.leaves
        if len(head) < 2 or head[-2].text != "=" or not any(leaf.kind in ("(", ")") for leaf in head[:-1]):
            return True
        if len(str(split.head)) > self.width - 2 or split.head.is_magic:
            return True
        texts = [leaf.text for leaf in head]
        others = [leaf.text for leaf in other.head.leaves]
        if 1 < texts.count("=") > others.count("="):
            return False
        behind = other.head.leaves[len(others) - others[::-1].index("=") :] if "=" in others else other.head.leaves
        return any(leaf.kind == ")" for leaf in behind) or ("=" in others and self._fits(other.head))

    def _may_omit(self, split: _Split) -> bool:
        """May the parentheses that could be added around this body be left out?"""
        line = split.body
        if not line.delimiters:
            return True
        highest = max(line.delimiters.values())
        if list(line.delimiters.values()).count(highest) > 1:
            return False
        if highest == DOT:
            return True
        first, last = line.leaves[0], line.leaves[-1]
        if first.kind == "(" and line.leaves[1].kind != ")" and self._may_omit_before(line, first):
            return True
        if last.kind == ")" and (last.opening is None or last.opening.text != "[" or last.opening.is_atom):
            return line.leaves[-2].kind != "(" and self._may_omit_behind(line, last)
        return False

    def _may_omit_before(self, line: _Line, first: Leaf) -> bool:
        length, remainder = len(line.indent), False
        for leaf, size in line.lengths():
            remainder = remainder or (leaf.kind == ")" and leaf.opening is first)
            if remainder:
                length += size
                if length > self.width:
                    return False
                remainder = leaf.kind != "("
        return True

    def _may_omit_behind(self, line: _Line, last: Leaf) -> bool:
        length, seen = len(line.indent), False
        for leaf, size in line.lengths():
            length += size
            if leaf is last.opening:
                if seen or length <= self.width:
                    return True
            else:
                seen = seen or leaf.kind == "("
        return False

    def _trailers(self, line: _Line) -> Iterator[frozenset[int]]:
        """Sets of closing brackets to pass over, each with one more of the calls at the end of the line."""
        omit: set[int] = set()
        if not line.is_magic:
            yield frozenset()
        length = len(line.indent)
        opening: Leaf | None = None
        closing: Leaf | None = None
        inner: set[int] = set()
        for index, (leaf, size) in reversed(list(enumerate(line.lengths()))):
            length += size
            # Black does not pass over brackets with a comment behind them.
            if length > self.width or (leaf.comment and not self.by_ruff):
                return
            previous = line.leaves[index - 1] if index else None
            if opening is not None:
                if leaf is opening:
                    opening = None
                elif leaf.kind == ")":
                    if _is_magic(line.leaves, index):
                        return
                    inner.add(id(leaf))
            elif leaf.kind == ")":
                if previous is not None and previous.kind == "(":
                    inner.add(id(leaf))
                    continue
                if closing is not None:
                    omit |= {id(closing), *inner}
                    inner.clear()
                    yield frozenset(omit)
                if _is_magic(line.leaves, index):
                    return
                if leaf.text:
                    opening, closing = leaf.opening, leaf


def _by_delimiters(line: _Line) -> list[_Line]:
    """At all delimiters of the highest priority."""
    leaves = line.leaves
    found = {at: priority for at, priority in line.delimiters.items() if at != len(leaves) - 1}
    highest = max(found.values(), default=0)
    places = [at for at, priority in line.delimiters.items() if priority == highest]
    if not highest or (highest == DOT and len(places) == 1):
        raise _CannotSplit
    ends = sorted({*(at + 1 for at in places), len(leaves)})
    parts = [leaves[start:end] for start, end in pairwise([0, *ends])]
    if highest == COMMA and leaves[-1].text != ",":
        comma = Leaf(",", ",", "")
        comma.depth, comma.after = min(leaf.depth for leaf in leaves), COMMA
        comma.comment, leaves[-1].comment = leaves[-1].comment, ""
        parts[-1] = [*parts[-1], comma]
    lines = [_Line(part, line.indent, inside=True) for part in parts]
    lines[-1].below = line.below
    return lines


def _is_exploded(body: _Line, opening: Leaf) -> bool:
    """Does each item of this body get a row of its own, however short they are?"""
    if not body:
        return False
    has_comma = body.leaves[-1].text == ","
    found = [priority for at, priority in body.delimiters.items() if not (has_comma and at == len(body.leaves) - 1)]
    return max(found, default=0) == COMMA and (has_comma or opening.is_atom)


def _can_be_split(line: _Line) -> bool:
    """False for what surely cannot: a name, or a string with one method."""
    leaves = line.leaves
    if len(leaves) < 2:
        return False
    if leaves[0].kind != "string" or leaves[1].text != ".":
        return True
    calls = dots = 0
    following = leaves[-1]
    for leaf in reversed(leaves[:-1]):
        if leaf.kind == "(":
            if following.kind != ")":
                return False
            calls += 1
        elif leaf.text == ".":
            dots += 1
        elif leaf.kind == "name":
            if following.text != "." and following.kind != "(":
                return False
        elif leaf.kind != ")":
            return False
        if dots > 1 and calls > 1:
            return False
    return True


def _copy(line: _Line) -> _Line:
    """With leaves of its own, so that parentheses become visible in one of the two only."""
    copies: dict[int, Leaf] = {}
    for leaf in line.leaves:
        copy = copies[id(leaf)] = Leaf(leaf.text, leaf.kind, leaf.gap)
        for name in ("above", "comment", "depth", "before", "after", "is_atom", "is_call"):
            setattr(copy, name, getattr(leaf, name))
        copy.opening = copies.get(id(leaf.opening), leaf.opening)
    result = _Line([copies[id(leaf)] for leaf in line.leaves], line.indent, inside=line.inside)
    result.must_split = line.must_split
    return result
