"""Calls written anew: under another name, as two calls, with other arguments. Their rows stay as they are broken."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.rewriting.chains import stage_statement
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.edits import places_of_comments
from tfdata_lint.rewriting.pieces import Blanks, Given, arguments_of, call_of
from tfdata_lint.source.trees import walk

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


Link: TypeAlias = tuple[str, list[Argument]]
"""One call of a chain: its name and its arguments."""


class OldCall:
    """A call that shall be written in another way. What makes that impossible is noted before any text is written."""

    def __init__(self, draft: Draft, call: ast.Call, apply: ast.Call | None = None) -> None:
        self.draft = draft
        self.syntax = draft.syntax
        self.call = call
        self.apply = apply
        """The `.apply(…)` that it is the argument of; then both of them go."""
        code, start, end = self.syntax.text, self.syntax.start, self.syntax.end
        self._given: list[ast.expr | ast.keyword] = sorted((*call.args, *call.keywords), key=start)
        self._values = [given.value if isinstance(given, ast.keyword) else given for given in self._given]
        self._opening, self._close = code.index("(", end(call.func)), end(call) - 1
        self._place, self._end = start(call), end(apply or call)
        if apply is not None and isinstance(apply.func, ast.Attribute):
            draft.touched.append(apply)
            self._place = end(apply.func) - len(apply.func.attr)
            if code[end(apply.func)] != "(" or apply.keywords or len(apply.args) > 1:
                draft.refuse("the call is not directly inside `.apply(…)`")

    @property
    def arguments(self) -> list[Argument]:
        """All of them, as they are."""
        return [Argument(old=value) for value in self._values]

    def bound(self, parameters: str) -> dict[str, ast.expr]:
        """The values by their parameters, of which those without `=` must be given; none when that cannot be."""
        known = [parameter.rstrip("=") for parameter in parameters.split()]
        found: dict[str, ast.expr] = {}
        for position, (given, value) in enumerate(zip(self._given, self._values, strict=True)):
            name = known[position] if _name(given) == "" and position < len(known) else _name(given)
            if name in known and name not in found:
                found[name] = value
        required = {name for name in parameters.split() if not name.endswith("=")}
        if len(found) < len(self._given) or not required <= found.keys():
            self.draft.refuse("not all of its arguments are known")
        elif any(isinstance(part, _BOUND) for part in walk(self.call)):
            self.draft.refuse("an argument assigns a name")
        else:
            return found
        return {}

    # ── what is written ─────────────────────────────────────────────────────────────────────────────────────────────

    def rename(self, name: str) -> None:
        """Only the name becomes another one; the arguments stay as they are."""
        self.draft.put(self._place, self._end, name + self._inside(name))

    def write(self, *links: Link, receiver: ast.expr | None = None) -> None:
        """These calls, one behind the other, in its place; what they are called on may have been an argument."""
        arguments = [argument for _, arguments in links for argument in arguments]
        values = [value for value in (receiver, *(argument.old for argument in arguments)) if value is not None]
        starts = [self.syntax.start(value) for value in values if _acts(value)]
        if starts != sorted(starts):
            self.draft.refuse("its arguments may have effects, whose order would change")
        kept = {id(argument.old): not argument.text for argument in arguments or [Argument(old=receiver)]}
        if self._loses_comments(kept):
            self.draft.refuse("a comment is in the way")
        name, is_habit = self._assigned(values) if len(links) > 1 else ("", False)
        end = self.syntax.line(self._end)[1] if name else self._end
        self.draft.put(self._place, end, lambda: self._written(links, receiver, name, is_habit, end))

    def write_on_first(self, parameter: str, name: str) -> None:
        """Its first argument gets the method: `f(dataset, path)` becomes `dataset.f(path)`."""
        number = next((n for n, given in enumerate(self._given) if _name(given) in ("", None, parameter)), None)
        if number is None or _name(self._given[number]) is None:
            self.draft.refuse("not all of its arguments are known")
        else:
            others = [argument for n, argument in enumerate(self.arguments) if n != number]
            self.write((name, others), receiver=self._values[number])

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
            is_kept = kept.get(id(self._values[number]))
            if is_kept is None or (start < offset < end and not is_kept):
                return True
        return False

    def _assigned(self, values: Sequence[ast.expr]) -> tuple[str, bool]:
        """The name that a statement gives this, so that the next call can be a statement too; and is that the habit?"""
        block = self.syntax.block(self.apply or self.call)
        match block and block.statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) as statement if value is self.apply:
                if block and name not in names(*values) and self.draft.end_of_rows(statement) is not None:
                    around = map(stage_statement, block.statements[max(block.index - 1, 0) : block.index + 2])
                    return name, stage_statement(statement) == name and list(around).count(name) > 1
        return "", False

    # ── how it is written ───────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _before(self) -> str:
        """What its row begins with."""
        return self.syntax.text[self.syntax.line(self._place)[0] : self._place]

    def _inside(self, name: str) -> str:
        """Its arguments in their parentheses, to be put behind a name: what is aligned moves along."""
        text, column = self.syntax.text[self._opening : self._close + 1], self._column(self._opening)
        if '"""' in text or "'''" in text or "\t" in text or "\\\n" in text:
            return text
        moved = self._column(self._place) + len(name) - column
        indented = len(self.syntax.indent(self._place)) - len(self.syntax.indent(self._opening))

        def row(match: re.Match[str]) -> str:
            indent = len(match[0]) - 1
            return "\n" + " " * max(0, indent + (moved if indent > column else indented))

        return re.sub(r"\n *(?=[^ \n])", row, text)

    def _written(self, links: Sequence[Link], receiver: ast.expr | None, name: str, is_habit: bool, end: int) -> str:
        """The calls, and what follows them: in one chain, or each a statement that gives its result to a name."""
        code, before, text = self.syntax.text, self._before, self._before
        call = call_of(f"_{self._inside(links[0][0])}")
        blanks, joint, tail = Blanks.of(call), ".", code[self._end : end]
        given = dict(zip(map(id, self._values), arguments_of(call), strict=True))
        calls = [(called, [_given(argument, given) for argument in arguments]) for called, arguments in links]
        is_commented = any(part.comments for _, parts in calls for part in parts)
        row = before + ".".join(f"{called}({', '.join(map(str, parts))})" for called, parts in calls)
        if before.strip() == ".":
            joint = " \\" * code[: self._place - len(before)].endswith("\\\n") + f"\n{before}"
        elif name and (is_habit or is_commented or not self.draft.fits(len(row))):
            joint, tail = f"{tail}\n{self.syntax.indent(self._place)}{name} = {name}.", ""
        if receiver is not None:
            part = given[id(receiver)]._replace(name="")
            if "\n" not in part.code:
                part = part._replace(code=self.syntax.written(receiver))
            is_bare = isinstance(receiver, _PRIMARIES) and not part.comments and _is_one_expression(part.code)
            text += (part.code if is_bare else self._laid_out("", [part], blanks)) + "."
        for number, (called, parts) in enumerate(calls):
            text += joint if number else ""
            text += self._laid_out(called, parts, blanks)
            blanks = blanks._replace(between=" ", comma="")
        return text[len(before) :] + tail

    def _laid_out(self, name: str, parts: Sequence[Given], blanks: Blanks) -> str:
        """A call in one row if it may be; else with rows as it had them."""
        row = ", ".join(map(str, parts))
        is_commented = any(part.comments for part in parts)
        is_open = is_commented or ("\n" in row and not name) or (len(parts) > 1 and (blanks.comma or "\n" in row))
        if not is_open:
            return f"{name}({row})"
        indent = f"\n{self.syntax.indent(self._place)}"
        blanks = blanks.broken(indent)
        text, between = f"{name}(", blanks.first
        for part in parts:
            text += between + "".join(comment + blanks.between for comment in part.above)
            text += str(part) + ("," if part is not parts[-1] else blanks.comma * bool(name))
            text += "".join((blanks.between if n else "  ") + comment for n, comment in enumerate(part.behind))
            between = blanks.between
        return f"{text}{blanks.last or indent * bool(parts[-1].behind)})"

    def _column(self, offset: int) -> int:
        return offset - self.syntax.line(offset)[0]


def literal(value: ast.expr | None) -> Any:
    """What is written, if that is a literal; else `...`."""
    return value.value if isinstance(value, ast.Constant) else ...


def is_plain(value: ast.expr) -> bool:
    """May it be written twice?"""
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, (ast.Name, ast.Constant))


def _acts(value: ast.expr) -> bool:
    """May something happen when it is evaluated?"""
    return not is_plain(value) and not isinstance(value, ast.Lambda)


def _name(given: ast.expr | ast.keyword) -> str | None:
    """The parameter of an argument: empty where it is given by position, None where several may be."""
    if isinstance(given, ast.keyword):
        return given.arg
    return None if isinstance(given, ast.Starred) else ""


def _given(argument: Argument, given: Mapping[int, Given]) -> Given:
    old = given.get(id(argument.old), Given(""))
    return old._replace(code=argument.text or old.code, name=argument.name or old.name)


def _is_one_expression(text: str) -> bool:
    """Does it need no parentheses to go over its rows?"""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
