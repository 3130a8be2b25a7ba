"""Calls written anew: under another name, as two calls, with other arguments."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.project.syntax import Syntax
from tfdata_lint.rewriting.chains import stage_statement
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.edits import places_of_comments
from tfdata_lint.rewriting.pieces import arguments_of, call_of
from tfdata_lint.source.trees import walk

if TYPE_CHECKING:
    from tfdata_lint.rewriting.pieces import Given

#: To the right of everything.
_FAR = 1000

#: What may stand before a dot without parentheses.
_PRIMARIES = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
#: What must stay in its place.
_BOUND = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


class Argument(NamedTuple):
    """An argument of a new call."""

    name: str = ""
    """The parameter, where it is to be given by name; else it is given as it was."""
    old: ast.expr | None = None
    """The value of the old argument that it is, or takes the place of: the comments beside that are its own."""
    text: str = ""
    """Another value."""


class Link(NamedTuple):
    """One call of a chain: `name(arguments)`."""

    name: str
    arguments: Sequence[Argument]


class _Part(NamedTuple):
    """An argument to be written."""

    text: str
    start: int
    """Where the old one is."""
    above: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    """Comments."""


class OldCall:
    """A call that shall be written in another way. What makes that impossible is noted before any text is written."""

    def __init__(self, draft: Draft, call: ast.Call, apply: ast.Call | None = None) -> None:
        self.draft = draft
        self.syntax: Syntax = draft.syntax
        self.call = call
        self.apply = apply
        """The `.apply(…)` that it is the argument of; then both of them go."""
        code = self.syntax.text
        self._given = sorted((*call.args, *call.keywords), key=self.syntax.start)
        self._values = [given.value if isinstance(given, ast.keyword) else given for given in self._given]
        self._opening, self._close = code.index("(", self.syntax.end(call.func)), self.syntax.end(call) - 1
        self._place, self._end = self.syntax.start(call), self.syntax.end(apply or call)
        if apply is not None and isinstance(apply.func, ast.Attribute):
            self._place = self.syntax.end(apply.func) - len(apply.func.attr)
            if code[self.syntax.end(apply.func)] != "(" or apply.keywords or len(apply.args) > 1:
                draft.refuse("it is not called directly inside `.apply(…)`")

    def bound(self, parameters: str) -> dict[str, ast.expr]:
        """The values by their parameters, of which those without `=` must be given; none when that cannot be."""
        known = [parameter.rstrip("=") for parameter in parameters.split()]
        found: dict[str, ast.expr] = {}
        for position, (given, value) in enumerate(zip(self._given, self._values, strict=True)):
            name = _name(given)
            if name == "" and position < len(known):
                name = known[position]
            if name in known and name not in found:
                found[name] = value
        required = {name for name in parameters.split() if not name.endswith("=")}
        if len(found) < len(self._given) or not required <= found.keys():
            self.draft.refuse("not all of its arguments are seen")
        elif any(isinstance(part, _BOUND) for part in walk(self.call)):
            self.draft.refuse("an argument assigns a name")
        else:
            return found
        return {}

    # ── what is written ─────────────────────────────────────────────────────────────────────────────────────────────

    def rename(self, name: str) -> None:
        """Only the name becomes another one; the arguments stay as they are."""
        code, moved = self.syntax.text, self._column(self._place) + len(name) - self._column(self._opening)
        inside = code[self._opening : self._close + 1]
        start = self.syntax.line(self._place)[0]
        row, newline, _ = f"{code[start : self._place]}{name}{inside}".partition("\n")
        joins = self._given and start != self.syntax.line(self._opening)[0]
        if joins and not self._fits(row if newline else row + self._rest()):
            self.write(Link(name, self.arguments))
            return
        indented = len(self.syntax.indent(self._place)) - len(self.syntax.indent(self._opening))
        self.draft.put(self._place, self._end, name + _shifted(inside, indented, self._column(self._opening), moved))

    @property
    def arguments(self) -> list[Argument]:
        """All of them, as they are."""
        return [Argument(old=value) for value in self._values]

    def write(self, *links: Link, receiver: ast.expr | None = None) -> None:
        """These calls, one behind the other, in its place; what they are called on may have been an argument."""
        old = [receiver, *(argument.old for link in links for argument in link.arguments)]
        starts = [
            self.syntax.start(value)
            for value in old
            if value is not None and not (is_plain(value) or isinstance(value, ast.Lambda))
        ]
        if starts != sorted(starts):
            self.draft.refuse("its arguments may do something, which would happen in another order")
        kept = {id(argument.old): not argument.text for link in links for argument in link.arguments}
        if self._loses_comments({id(receiver): True, **kept}):
            self.draft.refuse("a comment stands in the way")
        name, is_habit = self._assigned(links[1:])
        end = self.syntax.line(self._end)[1] if name else self._end
        self.draft.put(self._place, end, lambda: self._written(links, name, is_habit, end))

    def write_on_first(self, parameter: str, name: str) -> None:
        """Its first argument gets the method: `f(dataset, path)` becomes `dataset.f(path)`."""
        number = next((n for n, given in enumerate(self._given) if _name(given) in ("", None, parameter)), None)
        if number is None or _name(self._given[number]) is None:
            self.draft.refuse("not all of its arguments are seen")
            return
        first, inside = self._values[number], self.syntax.text[self._opening + 1 : self._close]
        others = [argument for argument in self.arguments if argument.old is not first]
        if not others and "\n" in inside and not _is_one_expression(inside.strip()):
            # The parentheses of the call go on to hold the rows together.
            moved = self._column(self._place) - self._column(self._opening)
            text = re.sub(r",(\s*)$", r"\1", inside)
            text = _shifted(f"({text}).{name}()", 0, self._column(self._opening), moved)
            self.draft.put(self._place, self._end, text)
            return
        written = self.syntax.written(first)
        if not isinstance(first, _PRIMARIES) or not _is_one_expression(written):
            written = f"({written})"
        self.write(Link(f"{written}.{name}", others), receiver=first)

    def _loses_comments(self, kept: Mapping[int, bool]) -> bool:
        """Does a comment stand beside no argument that is kept, or inside of one whose value is not?"""
        places = [(self.syntax.start(given), self.syntax.end(given)) for given in self._given]
        # What follows on the row of an argument is about it, the rows below that are about the next one.
        about = [min(self.syntax.line(end)[1], start) for (_, end), (start, _) in pairwise(places)]
        for offset in places_of_comments(self.syntax.text[: self._end], self._place):
            if not (places and self._opening < offset < self._close):
                return True
            number = bisect_right(about, offset)
            start, end = places[number]
            if not kept.get(id(self._values[number]), start < offset < end) and start < offset < end:
                return True
        return False

    def _assigned(self, others: Sequence[Link]) -> tuple[str, bool]:
        """The name that a statement gives this, so that the next call can be a statement too; and is that the habit?"""
        block = self.syntax.block(self.apply or self.call) if others else None
        match block and block.statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) as statement if value is self.apply:
                values = [argument.old for other in others for argument in other.arguments if argument.old]
                if block is not None and name not in names(*values) and self.draft.end_of_rows(statement) is not None:
                    around = map(stage_statement, block.statements[max(block.index - 1, 0) : block.index + 2])
                    return name, stage_statement(statement) == name and list(around).count(name) > 1
        return "", False

    # ── how it is written ───────────────────────────────────────────────────────────────────────────────────────────

    def _written(self, links: Sequence[Link], name: str, is_habit: bool, end: int) -> str:
        """The calls, and what follows them up to an offset: in one chain, or each a statement that assigns to a name."""
        code, indent = self.syntax.text, self.syntax.indent(self._place)
        given = dict(zip(map(id, self._values), arguments_of(call_of(self.syntax.written(self.call))), strict=True))
        calls = [(link.name, [self._part(argument, given) for argument in link.arguments]) for link in links]
        start_of_row = self.syntax.line(self._place)[0]
        before, tail = code[start_of_row : self._place], code[self._end : end]
        joint = "."
        if before.strip() == ".":
            joint = f" \\\n{before}" if code[: start_of_row - 1].endswith("\\") else f"\n{before}"
        elif name:
            row = ".".join(f"{called}({', '.join(part.text for part in parts)})" for called, parts in calls)
            has_comments = any(part.above or part.behind for _, parts in calls for part in parts)
            if is_habit or has_comments or not self._fits(before + row + self._rest()):
                joint, tail = f"{tail}\n{indent}{name} = {name}.", ""
        text = before
        for number, (called, parts) in enumerate(calls):
            text += joint if number else ""
            text += self._laid_out(called, parts, text.rpartition("\n")[2], indent)
        return text[len(before) :] + tail

    def _part(self, argument: Argument, given: Mapping[int, Given]) -> _Part:
        if argument.old is None:
            return _Part(f"{argument.name}={argument.text}" if argument.name else argument.text, self._place)
        old = given[id(argument.old)]
        name = f"{argument.name or old.name}=".lstrip("=")
        start = self.syntax.start(argument.old) - len(name)
        return _Part(name + (argument.text or old.code), start, old.above, old.behind)

    def _laid_out(self, name: str, parts: Sequence[_Part], before: str, indent: str) -> str:
        """A call in one row, or with its arguments below; rows that are too long are broken later on."""
        code, several = self.syntax.text, len(parts) > 1
        has_comma = several and code[self._opening : self._close].rstrip().endswith(",")
        is_broken = has_comma or any(part.above or part.behind or ("\n" in part.text and several) for part in parts)
        in_one_row = ", ".join(self._moved(part, len(indent), len(before) + len(name) + 1) for part in parts)
        if not parts or not (is_broken or self._is_crowded(f"{before}{name}({in_one_row})")):
            return f"{name}({in_one_row})"
        inner = indent + self._step
        # On a row of its own, unless there was none.
        is_below = self._closes_below or bool(parts[-1].behind)
        rows = [f"{name}("]
        for part in parts:
            rows += [inner + comment for comment in part.above]
            comma = "," if is_broken and (is_below or part is not parts[-1]) else ""
            rows.append("  ".join((inner + self._moved(part, len(inner), len(inner)) + comma, *part.behind[:1])))
            rows += [inner + comment for comment in part.behind[1:]]
        return "\n".join(rows) + (f"\n{indent})" if is_below else ")")

    @property
    def _step(self) -> str:
        """By how much the arguments on the next row are indented."""
        first = self.syntax.start(self._given[0]) if self._given else self._opening
        for outer, inner in ((self._opening, first), (self._place, self.syntax.start(self.call))):
            if deeper := self.syntax.indent(inner).removeprefix(self.syntax.indent(outer)):
                return deeper
        return "    "

    @property
    def _closes_below(self) -> bool:
        """Does a row begin with the closing parenthesis, or is there but one row?"""
        code = self.syntax.text
        close = self._close if "\n" in code[self._opening : self._close] else self._end - 1
        return "\n" not in code[self._place : close] or not code[self.syntax.line(close)[0] : close].strip()

    def _moved(self, part: _Part, indent: int, column: int) -> str:
        """An argument of several rows, for a place with this indentation and column."""
        old, old_indent = self._column(part.start), len(self.syntax.indent(part.start))
        # What begins a row has nothing aligned below it.
        return _shifted(part.text, indent - old_indent, old if old > old_indent else _FAR, column - old)

    def _fits(self, row: str) -> bool:
        return self.draft.fits(len(row.rstrip())) and not self._is_crowded(row)

    def _is_crowded(self, row: str) -> bool:
        """Would this row hold two lambdas, where none did before? AutoGraph tells them apart by their rows."""
        start, end = self.syntax.line(self._place)[0], self.syntax.line(self._end)[1]
        most = max(old.count("lambda") for old in self.syntax.text[start:end].split("\n"))
        return max(part.count("lambda") for part in row.split("\n")) > max(most, 1)

    def _column(self, offset: int) -> int:
        return offset - self.syntax.line(offset)[0]

    def _rest(self) -> str:
        """What follows on the row, without a comment."""
        return self.syntax.text[self._end : self.syntax.line(self._end)[1]].partition("#")[0].rstrip()


def _name(given: ast.expr | ast.keyword) -> str | None:
    """The parameter of an argument: empty where it is given by position, None where several may be."""
    if isinstance(given, ast.keyword):
        return given.arg
    return None if isinstance(given, ast.Starred) else ""


def literal(value: ast.expr | None) -> Any:
    """What is written, if that is a literal; else `...`."""
    return value.value if isinstance(value, ast.Constant) else ...


def is_plain(value: ast.expr) -> bool:
    """May it be written twice?"""
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, (ast.Name, ast.Constant))


def _shifted(text: str, indented: int, column: int, moved: int) -> str:
    """Another indentation for all rows but the first: what stands to the right of a column moves with it."""
    if '"""' in text or "'''" in text or "\t" in text or "\\\n" in text:
        return text
    rows = text.split("\n")
    for index, row in enumerate(rows[1:], 1):
        stripped = row.lstrip(" ")
        indent = len(row) - len(stripped)
        if stripped:
            rows[index] = " " * max(0, indent + (moved if indent > column else indented)) + stripped
    return "\n".join(rows)


def _is_one_expression(text: str) -> bool:
    """Does it need no parentheses to go over its rows?"""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
