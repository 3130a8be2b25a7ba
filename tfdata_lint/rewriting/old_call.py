"""Calls written anew: under another name, as two calls, with other arguments; laid out as the code around them is."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.project.syntax import Block, Syntax
from tfdata_lint.rewriting.arguments import end_of_argument
from tfdata_lint.rewriting.chains import stage_statement
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.source.trees import walk

_COMMENT = re.compile(r"#[^\n]*")
#: To the right of everything.
_FAR = 1000
#: What may stand before a dot without parentheses.
_PRIMARIES = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
#: What must stay in its place.
_BOUND = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


class Argument(NamedTuple):
    """An argument as it is written, or shall be."""

    text: str
    name: str = ""
    """The parameter, where it is given as a keyword."""
    node: ast.expr | None = None
    start: int = 0
    """The offset of its first character."""
    above: tuple[str, ...] = ()
    """Comments on the rows above."""
    behind: str = ""
    """The comment on its own row."""

    @property
    def literal(self) -> Any:
        """What is written, if that is a literal; else `...`."""
        return self.node.value if isinstance(self.node, ast.Constant) else ...

    @property
    def is_none(self) -> bool:
        return self.literal is None

    @property
    def is_plain(self) -> bool:
        """May it be written twice?"""
        node: ast.AST | None = self.node
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, (ast.Name, ast.Constant))

    @property
    def acts(self) -> bool:
        """May something happen when it is evaluated?"""
        return self.node is not None and not self.is_plain and not isinstance(self.node, ast.Lambda)

    @property
    def negated(self) -> Argument:
        """`not` of it, and of `not x` the x."""
        match self.node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as operand):
                return self._replace(text=ast.unparse(operand))
            case ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript() | ast.Compare():
                return self._replace(text=f"not {self.text}")
        return self._replace(text=f"not ({self.text})")

    def __str__(self) -> str:
        return f"{self.name}={self.text}" if self.name else self.text


class Link(NamedTuple):
    """One call of a chain: `name(arguments)`."""

    name: str
    arguments: tuple[Argument, ...]

    @property
    def in_one_row(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"

    @property
    def has_comments(self) -> bool:
        return any(argument.above or argument.behind for argument in self.arguments)


class OldCall:
    """A call that shall be written in another way."""

    def __init__(self, draft: Draft, call: ast.Call, apply: ast.Call | None = None) -> None:
        self.draft = draft
        self.syntax: Syntax = draft.syntax
        self.call = call
        self.apply = apply
        """The `.apply(…)` that it is the argument of; then both of them go."""
        code = self.syntax.text
        self.close = self.syntax.end(call) - 1
        self.opening = code.index("(", self.syntax.end(call.func))
        self._place = self.syntax.start(call)
        if apply is not None and isinstance(apply.func, ast.Attribute):
            self._place = self.syntax.end(apply.func) - len(apply.func.attr)
            if code[self.syntax.end(apply.func)] != "(" or apply.keywords or len(apply.args) > 1:
                draft.refuse("it is not called directly inside `.apply(…)`")
        self._end = self.syntax.end(apply or call)
        self.arguments, self._has_last_comma = self._read()
        close = self.close if apply is None or "\n" in self._inside else self._end - 1
        broken = "\n" in code[self._place : close]
        self._closes_on_own_row = not broken or not code[self.syntax.line(close)[0] : close].strip()

    # ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _inside(self) -> str:
        return self.syntax.text[self.opening + 1 : self.close]

    def bound(self, parameters: str) -> dict[str, Argument] | None:
        """The arguments by their parameters, of which those without `=` must be given; None when that cannot be."""
        known = [parameter.rstrip("=") for parameter in parameters.split()]
        required = {name for name in parameters.split() if not name.endswith("=")}
        given: dict[str, Argument] = {}
        for position, argument in enumerate(self.arguments):
            name = argument.name or (known[position] if position < len(known) else "")
            if isinstance(argument.node, ast.Starred) or name not in known or name in given:
                self.draft.refuse("not all of its arguments are seen")
                return None
            given[name] = argument
        if not required <= given.keys():
            self.draft.refuse("not all of its arguments are seen")
            return None
        if any(isinstance(part, _BOUND) for part in walk(self.call)):
            self.draft.refuse("an argument assigns a name")
            return None
        return given

    def _read(self) -> tuple[list[Argument], bool]:
        code = self.syntax.text
        nodes: list[ast.expr | ast.keyword] = sorted((*self.call.args, *self.call.keywords), key=self.syntax.start)
        found: list[Argument] = []
        position, comma = self.opening + 1, None
        for index, node in enumerate(nodes):
            start, end = self.syntax.start(node), self.syntax.end(node)
            next_start = self.syntax.start(nodes[index + 1]) if index + 1 < len(nodes) else self.close
            end_of_code, comma = end_of_argument(code, end, next_start)
            lead, tail = code[position:start], code[end : comma or end_of_code]
            own_row, _, rows_above = lead.partition("\n")
            if found and (comment := _COMMENT.search(own_row)):
                found[-1] = found[-1]._replace(behind=comment[0].rstrip())
                own_row = ""
            above = [match[0].rstrip() for match in _COMMENT.finditer(f"{own_row}\n{rows_above}")]
            opened = "(" * _COMMENT.sub("", lead).count("(")
            closed = ")" * _COMMENT.sub("", tail).count(")")
            behind = " ".join(match[0].rstrip() for match in _COMMENT.finditer(tail))
            found.append(_argument(self.syntax, node, opened, closed, tuple(above), behind))
            position = comma + 1 if comma else end_of_code
        if found and (comment := _COMMENT.search(code[position : self.close])):
            found[-1] = found[-1]._replace(behind=comment[0].rstrip())
        return found, comma is not None

    # ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def rename(self, name: str) -> None:
        """Only the name becomes another one; the arguments stay as they are."""
        code, column = self.syntax.text, self._column(self._place)
        raw = code[self.opening : self.close + 1]
        first_row, newline, _ = raw.partition("\n")
        row = f"{code[self.syntax.line(self._place)[0] : self._place]}{name}{first_row}"
        joins = self.syntax.line(self._place) != self.syntax.line(self.opening)
        if not newline:
            row += self._rest(self._end)
        if joins and self.arguments and (not self.draft.fits(len(row)) or self._is_crowded(row)):
            self.write([Link(name, tuple(self.arguments))])
            return
        indented = len(self.syntax.indent(self._place)) - len(self.syntax.indent(self.opening))
        moved = column + len(name) - self._column(self.opening)
        text = _shifted(raw, indented, self._column(self.opening), moved)
        self.draft.put(self._place, self._end, f"{name}{text}")

    def write(self, links: Sequence[Link]) -> None:
        """These calls, one behind the other, in its place."""
        self._keep_order([argument for part in links for argument in part.arguments])
        code, place = self.syntax.text, self._place
        start_of_row, _ = self.syntax.line(place)
        before, indent = code[start_of_row:place], self.syntax.indent(place)
        rest = self._rest(self._end)
        first, others = links[0], links[1:]
        if not others:
            self.draft.put(place, self._end, self._laid_out(first, before, indent, rest))
            return
        if before.strip() == ".":
            continued = code[: start_of_row - 1].endswith("\\")
            text = self._laid_out(first, before, indent, "")
            for other in others:
                text += f" \\\n{before}" if continued else f"\n{before}"
                text += self._laid_out(other, before, indent, rest)
            self.draft.put(place, self._end, text)
            return
        in_one_row = "".join(f".{other.in_one_row}" for other in others)
        fits = self._fits(f"{before}{first.in_one_row}{in_one_row}{rest}") and not any(
            part.has_comments for part in links
        )
        name, is_habit = self._assigned(others)
        if name and (is_habit or not fits):
            _, end_of_row = self.syntax.line(self._end)
            text = self._laid_out(first, before, indent, rest) + code[self._end : end_of_row]
            for other in others:
                text += f"\n{indent}{name} = {name}."
                text += self._laid_out(other, f"{indent}{name} = {name}.", indent, "")
            self.draft.put(place, end_of_row, text)
            return
        text = self._laid_out(first, before, indent, f"{in_one_row}{rest}")
        for other in others:
            last_row = f"{before}{text}".rpartition("\n")[2]
            text += "." + self._laid_out(other, f"{last_row}.", indent, rest)
        self.draft.put(place, self._end, text)

    def write_on_first(self, parameter: str, name: str) -> None:
        """Its first argument gets the method: `f(dataset, path)` becomes `dataset.f(path)`."""
        first = next((a for a in self.arguments if a.name in ("", parameter)), None)
        if first is None or first.node is None or isinstance(first.node, ast.Starred):
            self.draft.refuse("not all of its arguments are seen")
            return
        others = tuple(argument for argument in self.arguments if argument is not first)
        self._keep_order((first, *others))
        if not others and "\n" in self._inside and not _is_one_expression(first.text):
            # The parentheses of the call go on to hold the rows together.
            inside = re.sub(r",(\s*)$", r"\1", self._inside)
            moved = self._column(self._place) - self._column(self.opening)
            text = _shifted(f"({inside}).{name}()", 0, self._column(self.opening), moved)
            self.draft.put(self._place, self._end, text)
            return
        bare = first._replace(name="", text=self.syntax.written(first.node))
        receiver = self._moved(bare, self.syntax.indent(self._place), self._column(self._place))
        if not isinstance(first.node, _PRIMARIES) or not _is_one_expression(receiver):
            receiver = f"({receiver})"
        self.write([Link(f"{receiver}.{name}", others)])

    def _keep_order(self, arguments: Sequence[Argument]) -> None:
        """Refuse where two of the arguments that may do something would do it in another order."""
        starts = [argument.start for argument in arguments if argument.acts]
        if starts != sorted(starts):
            self.draft.refuse("its arguments may do something, which would happen in another order")

    def _laid_out(self, called: Link, before: str, indent: str, rest: str) -> str:
        """A call in one row, with all arguments on the next row, or with one argument per row."""
        several = len(called.arguments) > 1
        is_broken = called.has_comments or (several and any("\n" in argument.text for argument in called.arguments))
        in_one_row = called.in_one_row
        if not is_broken and not (self._has_last_comma and several):
            first_row, newline, _ = in_one_row.partition("\n")
            if not called.arguments or self._fits(f"{before}{first_row}{'' if newline else rest}"):
                column = len(before) + len(called.name) + 1
                return f"{called.name}({', '.join(self._moved(a, indent, column) for a in called.arguments)})"
            inner = f"{indent}{self._step}{', '.join(map(str, called.arguments))}"
            if not newline and self._fits(inner + ("" if self._closes_on_own_row else f"){rest}")):
                close = f"\n{indent})" if self._closes_on_own_row else ")"
                return f"{called.name}(\n{inner}{close}"
        inner = f"{indent}{self._step}"
        on_own_row = self._closes_on_own_row or called.arguments[-1].behind
        rows = [f"{called.name}("]
        for argument in called.arguments:
            rows += [f"{inner}{comment}" for comment in argument.above]
            comment = f"  {argument.behind}" if argument.behind else ""
            rows.append(f"{inner}{self._moved(argument, inner, len(inner))},{comment}")
        if on_own_row:
            return "\n".join([*rows, f"{indent})"])
        return "\n".join(rows)[:-1] + ")"

    def _moved(self, argument: Argument, indent: str, column: int) -> str:
        """An argument of several rows, for a place with this indentation and column."""
        old, old_indent = self._column(argument.start), len(self.syntax.indent(argument.start))
        # What begins a row has nothing aligned below it.
        return _shifted(str(argument), len(indent) - old_indent, old if old > old_indent else _FAR, column - old)

    def _assigned(self, others: Sequence[Link]) -> tuple[str, bool]:
        """The name that a statement gives this, so that the next call can be a statement too; and is that the habit?"""
        block = self.syntax.block(self.apply or self.call)
        match block.statement if block else None:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) as statement if value is self.apply:
                pass
            case _:
                return "", False
        nodes = [argument.node for other in others for argument in other.arguments if argument.node is not None]
        if block is None or name in names(*nodes) or self.draft.end_of_rows(statement) is None:
            return "", False
        return name, stage_statement(statement) == name and any(
            stage_statement(other) == name for other in _neighbours(block)
        )

    # ── layout ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _fits(self, row: str) -> bool:
        return self.draft.fits(len(row.rstrip())) and not self._is_crowded(row)

    def _is_crowded(self, row: str) -> bool:
        """Would this row hold two lambdas, where none did before? AutoGraph tells them apart by their rows."""
        start, _ = self.syntax.line(self._place)
        _, end = self.syntax.line(self._end)
        most = max(old.count("lambda") for old in self.syntax.text[start:end].split("\n"))
        return row.count("lambda") > max(most, 1)

    @property
    def _step(self) -> str:
        """By how much the arguments on the next row are indented."""
        code = self.syntax.text
        places = [(self.opening, argument.start) for argument in self.arguments[:1]]
        if self.apply is not None:
            places.append((self._place, self.syntax.start(self.call)))
        for opening, first in places:
            if "\n" in code[opening:first]:
                deeper = self.syntax.indent(first).removeprefix(self.syntax.indent(opening))
                return deeper or "    "
        return "    "

    def _column(self, offset: int) -> int:
        return offset - self.syntax.line(offset)[0]

    def _rest(self, offset: int) -> str:
        """What follows on the row, without a comment."""
        _, end = self.syntax.line(offset)
        return self.syntax.text[offset:end].partition("#")[0].rstrip()


def _argument(
    syntax: Syntax, node: ast.expr | ast.keyword, opened: str, closed: str, above: tuple[str, ...], behind: str
) -> Argument:
    text = f"{opened}{syntax.written(node)}{closed}"
    if isinstance(node, ast.keyword):
        if node.arg is None:
            starred = ast.Starred(node.value, ast.Load())
            return Argument(text, "", starred, syntax.start(node), above, behind)
        value = text[text.index("=") + 1 :].lstrip()
        return Argument(value, node.arg, node.value, syntax.start(node), above, behind)
    return Argument(text, "", node, syntax.start(node), above, behind)


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


def _neighbours(block: Block) -> list[ast.stmt]:
    around = (block.index - 1, block.index + 1)
    return [block.statements[index] for index in around if 0 <= index < len(block.statements)]
