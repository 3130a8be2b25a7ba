"""Stages that come or change places: links of a chain of calls, or statements of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, takewhile
from typing import TypeGuard

from tfdata_lint.pipeline.knowledge.operations import METHODS
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.syntax import Block, assigned_value
from tfdata_lint.rewriting.arguments import Arguments
from tfdata_lint.rewriting.edits import REST_OF_ROW
from tfdata_lint.source.trees import children, walk

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
#: Why stages do not change places.
ELSE = "there is other code between the two calls"
#: What leads to a name that is read wherever its statement is reached.
_STEPS = (ast.Attribute, ast.Call, ast.List, ast.Name, ast.Tuple, ast.keyword)
#: What an object does when an item of it is asked for.
_ITEMS = r"def __(?:getitem|missing)__\("
#: Whether they run sooner or later makes no difference.
_QUIET = frozenset({"functools.partial", "int", "len", "max", "min"})


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
        self.touched += filter(None, known)
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
        self.reorder((first, second), (second, first))

    def reorder(self, stages: Sequence[Stage], order: Sequence[Stage]) -> None:
        """Change the order of stages, of which each comes directly after the one before."""
        called = [call for stage in stages if (call := self.call_of(stage)) is not None]
        calls = [call for call in called if isinstance(call.func, ast.Attribute)]
        if len(called) < len(stages):
            return
        turned = [(calls[stages.index(one)], calls[stages.index(other)])
                  for number, one in enumerate(order) for other in order[:number]
                  if stages.index(one) < stages.index(other)] if len(calls) == len(stages) else []  # fmt: skip
        joints = [self._joint(one, other) for one, other in pairwise(calls)]
        names = {part.id for call in calls for part in _arguments_of(call) if isinstance(part, ast.Name)}
        if any(stage.symbol for stage in stages[:-1]) or any(stage.detached for stage in stages) or not turned:
            self.refuse("the two are not called one after the other")
        elif any(self.syntax.text[self.syntax.end(call.func)] != "(" for call in calls):
            self.refuse("its name is in parentheses")
        elif any(isinstance(part, ast.NamedExpr) for call in calls for part in walk(call)):
            self.refuse("an argument assigns a name")
        elif any(self.acts(one) and self.acts(other) for one, other in turned):
            self.refuse("the arguments of both contain calls, whose order would change")
        # What an argument asks of the dataset would change with the order.
        elif None in joints or not names.isdisjoint(joints):
            self.refuse(ELSE)
        else:
            pieces = self._rows(stages, calls) or self._links(calls)
            self._exchange(pieces, [stages.index(stage) for stage in order], any(joints))

    def carry(self, stage: Stage, far: Stage, over: Iterable[Stage]) -> None:
        """Move a stage over others, of which some stand in branches: behind the far one, or before its statement."""
        call, other = self.call_of(stage), self.call_of(far)
        blocks = [block for one in (call, other) if one is not None and (block := self.syntax.block(one))]
        statements = [block.statement for block in blocks]
        rows = self.syntax.around(statements) if len(statements) == 2 else []
        # It must not leave a branch or a loop.
        if (
            call is None
            or other is None
            or not rows
            or statements[0] not in rows
            or not all(map(_is_of_chain, statements, (call, other)))
        ):
            self.refuse("the two depend on different conditions")
            return
        (start, end), (_, last) = self._link(call), self._link(other)
        is_behind = last > end
        # Of a branch or a loop it crosses all.
        limit = last if rows[-1] is statements[1] else self.syntax.end(rows[-1])
        crossed = (end, limit) if is_behind else (self.syntax.start(rows[0]), end - 1)
        known = {id(one.node) for one in over}
        name = next((part.id for part in walk(statements[not is_behind]) if _is_stored(part)), "")
        named = {part.id for part in _arguments_of(call) if isinstance(part, ast.Name)}
        stored = {part.id for row in rows for part in walk(row) if _is_stored(part)}
        own, (first, _) = self.start_of_rows(statements[0]), self.syntax.line(self.syntax.start(statements[0]))
        unknown = [part for row in rows for part in walk(row) if _is_method(part) and id(part) not in known]
        is_else = any(crossed[0] < self.syntax.end(part) <= crossed[1] for part in unknown)
        if (
            is_else
            or not named.isdisjoint(stored)
            or not all(_sets_only(row, name, is_behind and row is rows[0]) for row in rows)
        ):
            self.refuse(ELSE)
        elif self.syntax.crosses_cells(self.syntax.start(rows[0]), self.syntax.end(rows[-1])):
            self.refuse("it spans several notebook cells")
        elif own < first and stage_statement(statements[0]):
            self.refuse("a comment above may be about the statement that would move")
        elif self.acts(call):
            self.refuse("its arguments contain calls, which would run at another time")
        else:
            link = self._taken(start, end)
            self.remove(stage)
            if not is_behind:
                above = self.start_of_rows(rows[0])
                self.put(above, above, f"{self.syntax.indent(above)}{name} = {name}.{link}\n")
            elif stage_statement(rows[-1]) or rows[-1] is not statements[1]:
                self.write_below(rows[-1], f"{name} = {name}.{link}")
            else:
                self.link(far, link)

    def link(self, stage: Stage, link: str) -> None:
        """Write one more stage behind another one, in its chain."""
        if call := self.call_of(stage):
            dot, end = self._broken_before(call), self.syntax.end(call)
            _, end_of_row = self.syntax.line(end)
            if dot is not None and REST_OF_ROW.fullmatch(self.syntax.text, end, end_of_row):
                end = end_of_row
            self.put(end, end, f".{link}" if dot is None else f"\n{self.syntax.indent(dot)}.{link}")

    def may_act(self, call: ast.AST | None) -> bool:
        """May its arguments do something when they are evaluated, be it as a property or an item of an object?"""
        if not isinstance(call, ast.Call):
            return False
        parts = [part for part in _evaluated(call) if isinstance(part, (ast.Attribute, ast.Subscript))]
        asked = [rf"property\s+def {part.attr}\(" if isinstance(part, ast.Attribute) else _ITEMS for part in parts]
        return self.acts(call) or any(re.search(there, self.syntax.text) for there in asked)

    def acts(self, call: ast.Call) -> bool:
        """May its arguments do something when they are evaluated?"""
        parts = [*_evaluated(call)]
        return any(isinstance(part, ast.Call) and not self._is_quiet(part.func) for part in parts) or any(
            isinstance(part, (ast.Await, ast.NamedExpr)) for part in parts
        )

    def _is_quiet(self, called: ast.expr) -> bool:
        if isinstance(called, ast.Attribute) and called.attr == "numpy":
            return True
        scopes = self.syntax.scopes
        is_builtin = isinstance(called, ast.Name) and scopes.binds(called.id, called) is None
        return (ast.unparse(called) if is_builtin else scopes.full_name(called)) in _QUIET

    def _link(self, call: ast.Call) -> tuple[int, int]:
        """From the name of the operation to the closing parenthesis."""
        assert isinstance(call.func, ast.Attribute)
        return self.syntax.end(call.func) - len(call.func.attr), self.syntax.end(call)

    def _links(self, calls: Sequence[ast.Call]) -> list[tuple[int, int]]:
        """Calls without what they are called on; a comment behind one goes with it."""
        links = [self._link(call) for call in calls]
        rows = [self.syntax.line(end) for _, end in links]
        rests = [self.syntax.text[end : row[1]] for (_, end), row in zip(links, rows, strict=True)]
        if len(set(rows)) == 1 or not any("#" in rest for rest in rests):
            return links
        if not all(map(REST_OF_ROW.fullmatch, rests)):
            self.refuse("a comment after one of the two calls cannot move with it")
        return [(start, row[1]) for (start, _), row in zip(links, rows, strict=True)]

    def _exchange(self, pieces: Sequence[tuple[int, int]], order: Sequence[int], apart: bool) -> None:
        """Put pieces of the text into the places of one another; what stands between them stays."""
        code, start, end = self.syntax.text, pieces[0][0], pieces[-1][1]
        between = [code[before:behind] for (_, before), (behind, _) in pairwise(pieces)]
        if any("#" in gap for gap in between):
            self.refuse("a comment between the two belongs to one of them")
            return
        texts = [self._taken(*pieces[place]) for place in order]
        if apart and "#" not in code[start:end]:
            for piece, text in zip(pieces, texts, strict=True):
                self.put(*piece, text)
        else:
            self.put(start, end, "".join(map("".join, zip(texts, (*between, ""), strict=True))))

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
        """`ds = ….one(…)` and below it `ds = ds.other(…)…`, or a chain: nothing in between tells them apart."""
        joint = self._joint(one, other) if isinstance(other.func, ast.Attribute) else None
        named = (part for call in (one, other) for part in _arguments_of(call) if isinstance(part, ast.Name))
        # What an argument asks of the dataset would change with the order.
        return joint is not None and all(joint != part.id for part in named)

    def _joint(self, one: ast.Call, other: ast.Call) -> str | None:
        """The name in `ds = ….one(…)` and below it `ds = ds.other(…)…`, none in a chain; None where neither is so."""
        assert isinstance(other.func, ast.Attribute)
        receiver = other.func.value
        if receiver is one:
            return ""
        block = self.syntax.block(other)
        if block is None or block.previous is None or not isinstance(receiver, ast.Name):
            return None
        if assigned_value(block.previous, receiver.id) is not one:
            return None
        value = block.statement.value if isinstance(block.statement, ast.Return) else None
        value = value or assigned_value(block.statement, receiver.id)
        if (value is None or not _is_link(value, other)) and not self._is_read_next(one, receiver):
            return None
        return None if self.syntax.crosses_cells(self.syntax.start(one), self.syntax.end(other)) else receiver.id

    def _is_read_next(self, one: ast.Call, receiver: ast.Name) -> bool:
        """Is the name of a call read in the next statement, which comes to it in any case, and nowhere else below?"""
        syntax = self.syntax
        steps = list(reversed(syntax.way(receiver)))
        parts = list(takewhile(lambda step: not isinstance(step, ast.stmt), steps))
        found = syntax.scopes.binds(receiver.id, receiver)
        if found is None or isinstance(steps[len(parts)], (ast.While, ast.AugAssign)):
            return False
        named = [part for part in walk(found[0]) if isinstance(part, ast.Name) and part.id == receiver.id]
        # Those in other functions are read who knows when.
        function = syntax.function_of(syntax.way(receiver))
        later = [part for part in named if syntax.start(part) > syntax.end(one)
                 or syntax.function_of(syntax.way(part)) is not function]  # fmt: skip
        if isinstance(found[0], ast.Module):
            self.doubt = f"`{receiver.id}` then holds another dataset"
        is_reached = all(isinstance(part, _STEPS) for part in parts)
        return is_reached and later == [receiver] and not self.graph.is_used_elsewhere(receiver.id)

    def _rows(self, stages: Sequence[Stage], calls: Sequence[ast.Call]) -> list[tuple[int, int]]:
        """The rows of statements that are nothing but their stages, where a comment above is about one of them."""
        blocks = [block for call in calls if (block := self.syntax.block(call)) is not None]
        statements = [block.statement for block in blocks]
        names = {stage_statement(statement) for statement in statements}
        ends = [end for statement in statements if (end := self.end_of_rows(statement)) is not None]
        if len(names) != 1 or names == {""} or not len(set(statements)) == len(ends) == len(calls):
            return []
        starts = [self.start_of_rows(statement) for statement in statements]
        own = [self.syntax.line(self.syntax.start(statement))[0] for statement in statements]
        above = self.syntax.text[starts[0] : own[0]].lower()
        is_said = stages[0].op in above and not any(other.op in above for other in stages[1:])
        if starts[1:] == own[1:] and not is_said:
            # It may be about all, where none of the others has a comment of its own.
            starts[0] = own[0]
        return list(zip(starts, ends, strict=True)) if starts != own else []


def stage_statement(statement: ast.stmt) -> str:
    """`ds` of `ds = ds.map(…)`, a single call; empty for anything else."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=receiver)))
        ) if name == receiver:
            return name
    return ""


def _is_of_chain(statement: ast.stmt, call: ast.Call) -> bool:
    value = statement.value if isinstance(statement, (ast.Assign, ast.Return)) else None
    return value is not None and _is_link(value, call)


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _is_method(node: ast.AST) -> TypeGuard[ast.expr]:
    """Is it a call of a method that datasets have?"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS


def _sets_only(statement: ast.stmt, name: str, is_first: bool) -> bool:
    """Does it, whichever branch it takes, make nothing but a dataset of that with a name, which it gives this name?"""
    match statement:
        case ast.If(test=asked, body=body, orelse=orelse) | ast.For(iter=asked, body=body, orelse=orelse):
            is_asked = any(isinstance(part, ast.Name) and part.id == name for part in walk(asked))
            inner = (*body, *orelse)
            return not is_asked and all(
                not isinstance(row, ast.Return) and _sets_only(row, name, False) for row in inner
            )
        case ast.Assign(targets=[ast.Name(id=found)], value=value):
            return found == name and (is_first or _is_made_of(name, value))
        case ast.Return(value=ast.expr() as value):
            return _is_made_of(name, value)
    return False


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
