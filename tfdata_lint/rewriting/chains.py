"""Stages that come or change places: links of a chain of calls, or statements of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence

from tfdata_lint.pipeline.knowledge.operations import METHODS
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.syntax import Block, assigned_value
from tfdata_lint.rewriting.arguments import Arguments
from tfdata_lint.rewriting.edits import REST_OF_ROW
from tfdata_lint.source.trees import children, walk

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
_TRAILING = re.compile(r"(?P<comment>[ \t]*(?:#[^\n]*)?)\n[ \t]*\.")


class Chains(Arguments):
    """Edits of several stages."""

    def append(self, stage: Stage, link: str) -> None:
        """Write one more stage behind the last one: `.link` in its chain, or a statement of its own."""
        node = stage.node
        if not isinstance(node, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)) or not self.can_edit(node):
            self.refuse("the pipeline cannot be extended at its end")
            return
        if (name := link.partition("(")[0]) in self.graph.overridden:
            self.refuse(f"a class of the project has a `{name}` of its own")
            return
        code, end = self.syntax.text, self.syntax.end(node)
        start_of_row, end_of_row = self.syntax.line(end)
        is_long = not self.fits(end_of_row - start_of_row + len(link) + 1)
        block = self.syntax.block(node)
        if block and (name := self._stage_by_stage(block, node, is_long)):
            self.write_below(block.statement, f"{name} = {name}.{link}")
            return
        dot = self._broken_before(node)
        rest = code[end:end_of_row]
        if dot is None:
            self.put(end, end, f".{link}")
        elif code[: code.rfind("\n", 0, dot) + 1].endswith("\\\n"):
            # The row above is continued by a backslash.
            self.put(end, end, f".{link}" if "#" in rest else f" \\\n{self.syntax.indent(dot)}.{link}")
        else:
            at = end_of_row if rest.lstrip().startswith("#") else end
            self.put(at, at, f"\n{self.syntax.indent(dot)}.{link}")

    def append_behind(self, ends: Sequence[Stage], link: Callable[[ast.stmt], str], consumer: ast.AST) -> bool:
        """Write one more stage behind the branches that all give their end to one name: `ds = ds.link`.

        `link` says how it is written below a statement. False when they do not, when the name may stand for something
        else there, or when the consumer would not see it.
        """
        names = {self.assigned(end) for end in ends}
        if len(names) != 1 or not (assigned := names.pop()):
            return False
        name, _ = assigned
        touched = self.syntax.around(
            [block.statement for end in ends if end.node and (block := self.syntax.block(end.node))]
        )
        if not touched or self._is_before(consumer, touched[-1]):
            return False
        parts = [part for statement in touched for part in walk(statement)]
        if any(isinstance(part, _LEAVING) or _sets_attribute(part, name) for part in parts):
            return False
        known = [end.node for end in ends]
        # What another branch makes of the same dataset may be an end that nothing here leads to.
        shares = any(isinstance(node, ast.expr) and _is_made_of(name, node) for node in known)
        if not _gives_an_end(
            touched, name, lambda value: any(value is node for node in known) or (shares and _is_made_of(name, value))
        ):
            return False
        return self.write_below(touched[-1], f"{name} = {name}.{link(touched[-1])}")

    def assigned(self, end: Stage) -> tuple[str, ast.AST | None] | None:
        """The name that a statement gives the end of a pipeline, and the function that it belongs to."""
        block = self.syntax.block(end.node) if end.node is not None else None
        name = _assigned_name(block.statement, end) if block is not None else ""
        return (name, self.syntax.function_of(self.syntax.way(block.statement))) if block and name else None

    def _is_before(self, node: ast.AST, statement: ast.stmt) -> bool:
        """Does a node stand before the end of a statement of the same function?"""
        way = self.syntax.way(node)
        if self.syntax.function_of(way) is not self.syntax.function_of(self.syntax.way(statement)):
            return False
        return not way or getattr(node, "lineno", 0) <= (statement.end_lineno or 0)

    def _stage_by_stage(self, block: Block, node: ast.expr, is_long: bool) -> str:
        """`ds` where this is `ds = …`, and a statement of its own suits the next stage.

        The code around has one for each stage, or the row would get too long.
        """
        match block.statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is node:
                repeats = block.previous is not None and stage_statement(block.previous) == name
                suits = is_long or (repeats and stage_statement(block.statement) == name)
                return name if suits and self.end_of_rows(block.statement) is not None else ""
        return ""

    def _broken_before(self, node: ast.expr) -> int | None:
        """Where the dot of the last call is, when a row begins with it."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        dot = self.syntax.text.rindex(".", 0, self.syntax.end(node.func) - len(node.func.attr))
        start_of_row, _ = self.syntax.line(dot)
        return None if self.syntax.text[start_of_row:dot].strip() else dot

    def remove(self, stage: Stage) -> None:
        """Take a stage out of its chain, or delete the statement that it is."""
        call = self.call_of(stage)
        if call is None:
            return
        if stage.detached or not isinstance(call.func, ast.Attribute) or last_name(call) != stage.op:
            self.refuse(f"`{stage.op}` is not called on the dataset here")
            return
        block = self.syntax.block(call)
        name = stage_statement(block.statement) if block is not None else ""
        if block is None or not name or assigned_value(block.statement, name) is not call:
            self.put(self.syntax.end(call.func.value), self.syntax.end(call), "")
        elif (end := self.end_of_rows(block.statement)) is None or len(block.statements) == 1:
            self.refuse("the statement cannot be deleted in its place")
        else:
            start, _ = self.syntax.line(self.syntax.start(block.statement))
            self.put(start, min(end + 1, len(self.syntax.text)), "")

    def swap(self, first: Stage, second: Stage) -> None:
        """Change the order of two stages, of which the second comes directly after the first."""
        one, other = self.call_of(first), self.call_of(second)
        if one is None or other is None:
            return
        if (
            first.symbol
            or first.detached
            or second.detached
            or not (isinstance(one.func, ast.Attribute) and isinstance(other.func, ast.Attribute))
        ):
            self.refuse("the two are not called one after the other")
        elif any(self.syntax.text[self.syntax.end(call.func)] != "(" for call in (one, other)):
            self.refuse("its name is in parentheses")
        elif any(isinstance(part, ast.NamedExpr) for call in (one, other) for part in walk(call)):
            self.refuse("an argument assigns a name")
        elif all(any(isinstance(part, ast.Call) for part in _evaluated(call)) for call in (one, other)):
            self.refuse("the arguments of both contain calls, whose order would change")
        elif other.func.value is one:
            self._swap_links(*self._link(one), *self._link(other))
        elif self.are_neighbours(one, other):
            if rows := self._commented_rows(first, second, one, other):
                self._swap_rows(*rows)
                return
            self._swap_statements(*self._link(one), *self._link(other))
        else:
            self.refuse("there is other code between the two calls")

    def _link(self, call: ast.Call) -> tuple[int, int]:
        """From the name of the operation to the closing parenthesis."""
        assert isinstance(call.func, ast.Attribute)
        return self.syntax.end(call.func) - len(call.func.attr), self.syntax.end(call)

    def _swap_links(self, start: int, middle: int, next_start: int, end: int) -> None:
        code = self.syntax.text
        one, between, other = self._taken(start, middle), code[middle:next_start], self._taken(next_start, end)
        _, end_of_row = self.syntax.line(end)
        rest = code[end:end_of_row]
        broken = _TRAILING.fullmatch(between)
        if broken and REST_OF_ROW.fullmatch(rest):
            # A comment behind a stage goes with it.
            after = between[len(broken["comment"]) :]
            self.put(start, end_of_row, f"{other}{rest}{after}{one}{broken['comment']}")
        elif "#" in between:
            self.refuse("a comment between the two belongs to one of them")
        else:
            self.put(start, end, other + between + one)

    def _taken(self, start: int, end: int) -> str:
        """A piece of the text that shall stand elsewhere, with the edits inside of it, which are done then."""
        inside = sorted((e for e in self._edits if start <= e[0] and e[1] <= end), key=lambda edit: edit[:2])
        self._edits = [edit for edit in self._edits if edit not in inside]
        self._added.clear()
        text = self.syntax.text[start:end]
        for first, last, new in reversed(inside):
            text = text[: first - start] + (new if isinstance(new, str) else new()) + text[last - start :]
        return text

    def are_neighbours(self, one: ast.Call, other: ast.Call) -> bool:
        """`ds = ….one(…)` and below it `ds = ds.other(…)…`, with nothing in between that could tell them apart."""
        block = self.syntax.block(other)
        if block is None or block.previous is None or not isinstance(other.func, ast.Attribute):
            return False
        receiver = other.func.value
        if not isinstance(receiver, ast.Name) or assigned_value(block.previous, receiver.id) is not one:
            return False
        value = block.statement.value if isinstance(block.statement, ast.Return) else None
        value = value or assigned_value(block.statement, receiver.id)
        if value is None or not _is_link(value, other):
            return False
        if self.syntax.crosses_cells(self.syntax.start(one), self.syntax.end(other)):
            return False
        # What an argument asks of the dataset would change with the order.
        return all(receiver.id != part.id for call in (one, other) for part in _arguments_of(call)
                   if isinstance(part, ast.Name))  # fmt: skip

    def _swap_statements(self, start: int, middle: int, next_start: int, end: int) -> None:
        code = self.syntax.text
        _, end_of_row = self.syntax.line(middle)
        _, end_of_next = self.syntax.line(end)
        rest, next_rest = code[middle:end_of_row], code[end:end_of_next]
        if "#" in code[end_of_row:next_start]:
            self.refuse("a comment between the two belongs to one of them")
        elif "#" not in rest + next_rest:
            one, other = self._taken(start, middle), self._taken(next_start, end)
            self.put(start, middle, other)
            self.put(next_start, end, one)
        elif REST_OF_ROW.fullmatch(rest) and REST_OF_ROW.fullmatch(next_rest):
            one, other = self._taken(start, middle), self._taken(next_start, end)
            between = code[end_of_row:next_start]
            self.put(start, end_of_next, f"{other}{next_rest}{between}{one}{rest}")
        else:
            self.refuse("a comment after one of the two calls cannot move with it")

    def _commented_rows(
        self, first: Stage, second: Stage, one: ast.Call, other: ast.Call
    ) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The rows of two statements that are nothing but their stages, where a comment above is about one of them."""
        block = self.syntax.block(other)
        if block is None or not isinstance(before := block.previous, ast.Assign) or before.value is not one:
            return None
        end, next_end = self.end_of_rows(before), self.end_of_rows(block.statement)
        if end is None or next_end is None or not stage_statement(before) == stage_statement(block.statement) != "":
            return None
        code, next_start = self.syntax.text, self.start_of_rows(block.statement)
        start, own_start = self.start_of_rows(before), self.syntax.line(self.syntax.start(before))[0]
        above = code[start:own_start].lower()
        if first.op not in above or second.op in above:
            # It may be about both.
            start = own_start
        has_comments = start < own_start or next_start < self.syntax.line(self.syntax.start(block.statement))[0]
        return ((start, end), (next_start, next_end)) if has_comments and "#" not in code[end:next_start] else None

    def _swap_rows(self, rows: tuple[int, int], next_rows: tuple[int, int]) -> None:
        """Exchange two statements with the comments above and behind them."""
        one, other = self._taken(*rows), self._taken(*next_rows)
        self.put(rows[0], next_rows[1], other + self.syntax.text[rows[1] : next_rows[0]] + one)


def stage_statement(statement: ast.stmt) -> str:
    """`ds` of `ds = ds.map(…)`, a single call; empty for anything else."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=receiver)))
        ) if name == receiver:
            return name
    return ""


def _assigned_name(statement: ast.stmt, end: Stage) -> str:
    """`ds` of `ds = …`, where that is this end of a pipeline on some path."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name if any(leaf is end.node for leaf in _leaves(value)) else ""
    return ""


def _gives_an_end(
    statements: Sequence[ast.stmt], name: str, is_end: Callable[[ast.expr], bool], is_one: bool = False
) -> bool:
    """Is what a name stands for behind these statements the end of a pipeline, whichever branches they take?

    `is_one`: is it before?
    """
    for statement in statements:
        bodies: list[Sequence[ast.stmt]]
        match statement:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                is_one = all(map(is_end, _leaves(value)))
                continue
            case ast.If(body=body, orelse=orelse):
                bodies = [body, orelse]
            case ast.Match(cases=cases):
                last = cases[-1]
                is_all = last.guard is None and isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
                bodies = [case.body for case in cases] if is_all else [[], *(case.body for case in cases)]
            case _:
                named = (part for part in walk(statement) if isinstance(part, ast.Name) and part.id == name)
                is_one = is_one and all(isinstance(part.ctx, ast.Load) for part in named)
                continue
        outcomes = [_gives_an_end(body, name, is_end, is_one) for body in bodies]
        is_one = all(outcomes)
    return is_one


def _is_made_of(name: str, value: ast.expr) -> bool:
    """`ds.shuffle(8).batch(4)` of `ds`."""
    links = 0
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        row = METHODS.get(value.func.attr)
        if row is None or row.kind != "transformation":
            return False
        value, links = value.func.value, links + 1
    return links > 0 and isinstance(value, ast.Name) and value.id == name


def _leaves(value: ast.expr) -> list[ast.expr]:
    """What may come out: of `a if c else b` these are two."""
    return [*_leaves(value.body), *_leaves(value.orelse)] if isinstance(value, ast.IfExp) else [value]


def _sets_attribute(node: ast.AST, name: str) -> bool:
    """`ds.size = 4`: the next stage would not have it."""
    match node:
        case ast.Attribute(value=ast.Name(id=found), ctx=ast.Store()):
            return found == name
        case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=found), *_]):
            return found == name
    return False


def _is_link(chain: ast.expr, call: ast.Call) -> bool:
    """Is a call part of the chain of calls that ends in this expression?"""
    node: ast.expr = chain
    while node is not call:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return False
        node = node.func.value
    return True


def _arguments_of(call: ast.Call) -> Iterable[ast.AST]:
    for argument in (*call.args, *call.keywords):
        yield from walk(argument)


def _evaluated(call: ast.Call) -> Iterable[ast.AST]:
    """What runs when the arguments of a call are evaluated: not the bodies of lambdas."""
    todo: list[ast.AST] = [*call.args, *call.keywords]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.Lambda):
            todo.extend(children(node))
