"""Fixes as edits of the text, in the style that the code around them has."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.graph import PipelineGraph, Stage
from tfdata_lint.pipeline.syntax import SCOPES, Block, Positioned, Syntax, assigned_value
from tfdata_lint.rules.base import Applicability, Edit, Fix
from tfdata_lint.rules.legacy import is_tensorflow_1
from tfdata_lint.source import layout

_TENSORFLOW = "tensorflow"
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
_HOMES = ("", ".compat.v1", ".compat.v2")
_AUTOTUNES = ("data.AUTOTUNE", "data.experimental.AUTOTUNE")
#: Nothing, or a comment.
REST_OF_ROW = re.compile(r"[ \t]*(?:#[^\n]*)?")
_TRAILING = re.compile(r"(?P<comment>[ \t]*(?:#[^\n]*)?)\n[ \t]*\.")


class Draft:
    """The edits of one fix, gathered. What cannot be written is noted, and the fix is then for display only."""

    def __init__(self, graph: PipelineGraph) -> None:
        self.graph = graph
        self.problem = ""
        """Why it cannot be written, in one sentence."""
        self._edits: list[tuple[int, int, str]] = []

    @property
    def syntax(self) -> Syntax:
        return self.graph.syntax

    def fix(self, applicability: Applicability, title: str, reason: str = "") -> Fix:
        """The fix with the edits so far."""
        if self.problem or applicability == "display-only":
            return Fix("display-only", title, self.problem or reason)
        edits = sorted(set(self._edits))
        if any(end > start for (_, end, _), (start, _, _) in pairwise(edits)):
            return Fix("display-only", title, "its parts lie within each other")
        return Fix(applicability, title, reason, tuple(Edit(self.syntax.span(a, b), text) for a, b, text in edits))

    # ── edits of any kind ───────────────────────────────────────────────────────────────────────────────────────────

    def refuse(self, problem: str) -> None:
        """Note why the fix cannot be written; the first reason is kept."""
        self.problem = self.problem or problem

    def can_edit(self, node: ast.AST | None) -> bool:
        """Is a node part of this file, where text can be changed?"""
        way = self.syntax.way(node) if node is not None else []
        if way and not any(isinstance(step, ast.JoinedStr) for step in way):
            return True
        self.refuse("the code is not where it could be changed")
        return False

    def replace(self, node: Positioned, text: str) -> None:
        """Put other code in the place of a node."""
        if self.can_edit(node):
            self.put(self.syntax.start(node), self.syntax.end(node), text)

    def put(self, start: int, end: int, text: str) -> None:
        """Replace a range of the text; what comes in must not lack a comment that goes out."""
        if Counter(_comments(self.syntax.text[start:end])) - Counter(_comments(text)):
            self.refuse("a comment stands in the way")
        if not self.syntax.is_as_written(start, end):
            self.refuse("it stands behind a magic of the notebook")
        if self.syntax.crosses_cells(start, end):
            self.refuse("it goes over several cells of the notebook")
        self._edits.append((start, end, text))

    # ── arguments ───────────────────────────────────────────────────────────────────────────────────────────────────

    def set_arguments(self, stage: Stage, **values: str) -> None:
        """Give a stage arguments: in the place of those it has, the others behind the last one as keywords."""
        call = self.call_of(stage)
        if call is None:
            return
        new: list[str] = []
        for name, value in values.items():
            given = stage.arguments.get(name)
            if given is None:
                new.append(f"{name}={value}")
            elif any(part is given.node for part in (*call.args, *(keyword.value for keyword in call.keywords))):
                self.replace(given.node, value)
            else:
                self.refuse(f"`{name}` is set in another place")
        if new:
            self.add_arguments(call, *new)

    def call_of(self, stage: Stage) -> ast.Call | None:
        """The call that is written for a stage; noted as a problem where it is called in another way."""
        match stage.node:
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)) as call if self.can_edit(call):
                if called == stage.op or stage.symbol.endswith(f".{stage.op}"):
                    return call
        self.refuse(f"`{stage.op}` is not called by its name here")
        return None

    def add_arguments(self, call: ast.Call, *texts: str) -> None:
        """Write more arguments behind the others, laid out as they are."""
        arguments: list[ast.expr] = sorted(
            (*call.args, *(keyword.value for keyword in call.keywords)), key=self.syntax.start
        )
        starred = [argument for argument in call.args if isinstance(argument, ast.Starred)]
        if starred or any(keyword.arg is None for keyword in call.keywords):
            self.refuse("not all arguments are seen")
            return
        close = self.syntax.end(call) - 1
        if not arguments:
            opening = self.syntax.text.rindex("(", 0, close)
            self.put(opening + 1, opening + 1, ", ".join(texts))
            return
        if isinstance(arguments[-1], ast.GeneratorExp) and len(arguments) == 1:
            self.refuse("its only argument is a generator expression")
            return
        self._add_behind(arguments[-1], call, texts, close)

    def _add_behind(self, last: ast.expr, call: ast.Call, texts: tuple[str, ...], close: int) -> None:
        code = self.syntax.text
        end, comma = _end_of_argument(code, self.syntax.end(last), close)
        first = next((keyword for keyword in call.keywords if keyword.value is last), last)
        start_of_row, _ = self.syntax.line(self.syntax.start(first))
        if code[start_of_row : self.syntax.start(first)].strip():
            self.put(end, end, f",{self._gap(call, end, ', '.join(texts))}{', '.join(texts)}")
            return
        indent = self.syntax.indent(self.syntax.start(first))
        rows = [f"\n{indent}{text}" for text in texts]
        anchor = comma + 1 if comma is not None else end
        _, end_of_row = self.syntax.line(anchor)
        ends_row = end_of_row < close and REST_OF_ROW.fullmatch(code, anchor, end_of_row)
        if ends_row and comma is not None:
            self.put(end_of_row, end_of_row, "".join(f"{row}," for row in rows))
        elif ends_row and "#" in code[anchor:end_of_row]:
            # The comment behind the last argument stays with it.
            self.put(end, end, ",")
            self.put(end_of_row, end_of_row, ",".join(rows))
        else:
            self.put(end, end, "".join(f",{row}" for row in rows))

    def _gap(self, call: ast.Call, end: int, text: str) -> str:
        """What to put before another argument: a blank, or a new row below the first where this one gets too long."""
        code = self.syntax.text
        start_of_row, end_of_row = self.syntax.line(end)
        opening = code.index("(", self.syntax.end(call.func)) + 1
        row, _ = self.syntax.line(opening)
        shift = sum(len(new) - (b - a) for a, b, new in self._edits if row <= a < opening)
        column = opening - row + shift
        if row != start_of_row or end_of_row - row + shift + len(text) + 2 <= self.syntax.width:
            return " "
        fits = column + len(text) + end_of_row - end <= self.syntax.width
        return "\n" + " " * column if fits and "\t" not in code[row:opening] else " "

    def rename(self, stage: Stage, new: str) -> None:
        """Call another operation."""
        call = self.call_of(stage)
        if call is not None:
            end = self.syntax.end(call.func)
            length = len(call.func.attr if isinstance(call.func, ast.Attribute) else self.syntax.written(call.func))
            self.put(end - length, end, new)

    # ── stages ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def append(self, stage: Stage, link: str) -> None:
        """Write one more stage behind the last one: `.link` in its chain, or a statement of its own."""
        node = stage.node
        if not isinstance(node, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)) or not self.can_edit(node):
            self.refuse("the end of the pipeline cannot be extended where it stands")
            return
        code, end = self.syntax.text, self.syntax.end(node)
        start_of_row, end_of_row = self.syntax.line(end)
        is_long = end_of_row - start_of_row + len(link) + 1 > self.syntax.width
        block = self.syntax.block(node)
        if block and (name := self._stage_by_stage(block, node, is_long)):
            self._write_below(block.statement, f"{name} = {name}.{link}")
            return
        dot = self._broken_before(node)
        rest = code[end:end_of_row]
        if dot is None:
            self.put(end, end, f".{link}")
        elif _is_continued(code, dot):
            self.put(end, end, f".{link}" if "#" in rest else f" \\\n{self.syntax.indent(dot)}.{link}")
        else:
            at = end_of_row if rest.lstrip().startswith("#") else end
            self.put(at, at, f"\n{self.syntax.indent(dot)}.{link}")

    def append_behind(self, ends: Sequence[Stage], link: str, consumer: ast.AST) -> bool:
        """Write one more stage behind the branches that all give their end to one name: `ds = ds.link`.

        False when they do not, or when the consumer would not see it.
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
        if any(isinstance(part, _LEAVING) for statement in touched for part in ast.walk(statement)):
            return False
        return self._write_below(touched[-1], f"{name} = {name}.{link}")

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
                return name if suits and self._end_of_rows(block.statement) is not None else ""
        return ""

    def _write_below(self, statement: ast.stmt, code: str) -> bool:
        """Write a statement on the row below another one; False where there is no such row."""
        end = self._end_of_rows(statement)
        if end is None:
            return False
        indent = self.syntax.indent(self.syntax.start(statement))
        # Comments that are indented further belong to its last block.
        while comment := re.compile(rf"\n{indent}[ \t]+#.*").match(self.syntax.text, end):
            end = comment.end()
        self.put(end, end, f"\n{indent}{code}")
        return True

    def _end_of_rows(self, statement: ast.stmt) -> int | None:
        """Where the rows of a statement end, if nothing else stands on them."""
        start, end = self.syntax.start(statement), self.syntax.end(statement)
        start_of_row, _ = self.syntax.line(start)
        _, end_of_row = self.syntax.line(end)
        code = self.syntax.text
        is_alone = not code[start_of_row:start].strip() and REST_OF_ROW.fullmatch(code, end, end_of_row)
        return end_of_row if is_alone else None

    def _broken_before(self, node: ast.expr) -> int | None:
        """Where the dot of the last call is, when a row begins with it."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        dot = self.syntax.text.rindex(".", 0, self.syntax.end(node.func) - len(node.func.attr))
        start_of_row, _ = self.syntax.line(dot)
        return None if self.syntax.text[start_of_row:dot].strip() else dot

    def swap(self, first: Stage, second: Stage) -> None:
        """Change the order of two stages, of which the second comes directly after the first."""
        one, other = self.call_of(first), self.call_of(second)
        if one is None or other is None:
            return
        if first.symbol or not (isinstance(one.func, ast.Attribute) and isinstance(other.func, ast.Attribute)):
            self.refuse("the two are not called one after the other")
        elif any(self.syntax.text[self.syntax.end(call.func)] != "(" for call in (one, other)):
            self.refuse("its name stands in parentheses")
        elif any(isinstance(part, ast.NamedExpr) for call in (one, other) for part in ast.walk(call)):
            self.refuse("an argument assigns a name")
        elif other.func.value is one:
            self._swap_links(*self._link(one), *self._link(other))
        elif self._are_neighbours(one, other):
            self._swap_statements(*self._link(one), *self._link(other))
        else:
            self.refuse("other code stands between the two")

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
        inside = sorted(edit for edit in self._edits if start <= edit[0] and edit[1] <= end)
        self._edits = [edit for edit in self._edits if edit not in inside]
        text = self.syntax.text[start:end]
        for first, last, new in reversed(inside):
            text = text[: first - start] + new + text[last - start :]
        return text

    def _are_neighbours(self, one: ast.Call, other: ast.Call) -> bool:
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
        named = [part.id for call in (one, other) for part in _arguments_of(call) if isinstance(part, ast.Name)]
        called = [any(isinstance(part, ast.Call) for part in _evaluated(call)) for call in (one, other)]
        return receiver.id not in named and not all(called)

    def _swap_statements(self, start: int, middle: int, next_start: int, end: int) -> None:
        code = self.syntax.text
        _, end_of_row = self.syntax.line(middle)
        _, end_of_next = self.syntax.line(end)
        rest, next_rest = code[middle:end_of_row], code[end:end_of_next]
        if "#" in code[end_of_row:next_start]:
            self.refuse("a comment between the two belongs to one of them")
        elif self._gathers_lambdas((start, middle), (next_start, end)):
            self.refuse("AutoGraph cannot tell two lambdas on one row apart")
        elif "#" not in rest + next_rest:
            one, other = self._taken(start, middle), self._taken(next_start, end)
            self.put(start, middle, other)
            self.put(next_start, end, one)
        elif REST_OF_ROW.fullmatch(rest) and REST_OF_ROW.fullmatch(next_rest):
            one, other = self._taken(start, middle), self._taken(next_start, end)
            between = code[end_of_row:next_start]
            self.put(start, end_of_next, f"{other}{next_rest}{between}{one}{rest}")
        else:
            self.refuse("a comment behind one of the two cannot go with it")

    def _gathers_lambdas(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Would exchanging these ranges bring a lambda to where another one stands?"""
        code = self.syntax.text
        for (start, end), (new_start, new_end) in ((one, other), (other, one)):
            around = code[self.syntax.line(start)[0] : start] + code[end : self.syntax.line(end)[1]]
            if "lambda" in around and "lambda" in code[new_start:new_end]:
                return True
        return False

    # ── statements ──────────────────────────────────────────────────────────────────────────────────────────────────

    def insert_before(self, statement: ast.stmt, code: str) -> None:
        """Write a statement on a row of its own before another one."""
        start = self.syntax.start(statement)
        start_of_row, _ = self.syntax.line(start)
        if self.syntax.text[start_of_row:start].strip() or isinstance(statement, ast.FunctionDef | ast.ClassDef):
            self.refuse("the statement does not begin a row")
            return
        self.put(start_of_row, start_of_row, f"{self.syntax.indent(start)}{code}\n")

    def is_local(self, name: str, node: ast.AST) -> bool:
        """May this name be assigned where a node stands without becoming another variable?"""
        found = self.syntax.binds(name, node)
        way = self.syntax.way(node)
        scope = next((step for step in reversed(way) if isinstance(step, (*SCOPES, ast.Module))), None)
        return found is not None and found[0] is scope

    # ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def autotune(self, node: ast.expr | None, target: Target) -> str:
        """`AUTOTUNE` as it is written at a node: a constant that is in scope, or through the name of TensorFlow."""
        if node is None or not self.can_edit(node):
            return "tf.data.AUTOTUNE"
        if constant := self._constant(node):
            return constant
        old = target.below(2, 4) or (target.version is None and is_tensorflow_1(self.graph))
        return self.data(node, "experimental.AUTOTUNE" if old else "AUTOTUNE")

    def data(self, node: ast.expr, name: str) -> str:
        """A name of `tf.data` as one writes it at a node."""
        for alias, module in self._modules(node):
            if module == f"{_TENSORFLOW}.data":
                return f"{alias}.{name}"
            if module == f"{_TENSORFLOW}.data.experimental" and name.startswith("experimental."):
                return f"{alias}.{name.removeprefix('experimental.')}"
        return f"{self.tensorflow(node)}.data.{name}"

    def tensorflow(self, node: ast.expr) -> str:
        """The name of TensorFlow at a node; an import is added where there is none."""
        for alias, module in self._modules(node):
            if module == _TENSORFLOW:
                return alias
        if not self.syntax.is_free("tf"):
            self.refuse("there is no name for TensorFlow here")
            return "tf"
        self._import("import tensorflow as tf")
        return "tf"

    def _modules(self, node: ast.expr) -> list[tuple[str, str]]:
        """The names of TensorFlow and its modules that are seen at a node: (name, module), TensorFlow itself first."""
        homes = {(name, _home(full)) for name, full in self.syntax.imports()}
        seen = [(name, home) for name, home in homes if home and self._is_seen(name, node)]
        return sorted(seen, key=lambda entry: (entry[1], entry[0] != "tf", entry[0]))

    def _is_seen(self, name: str, node: ast.expr) -> bool:
        """Is this name, where a node stands, what an import above has made it?"""
        found = self.syntax.binds(name, node)
        if found is None:
            return False
        scope, bindings = found
        imports = [binding for binding in bindings if isinstance(binding, (ast.Import, ast.ImportFrom))]
        if len(imports) < len(bindings) or not any(map(self._runs, imports)):
            return False
        return isinstance(scope, ast.Module) or min(statement.lineno for statement in imports) < node.lineno

    def _runs(self, statement: ast.stmt) -> bool:
        """Not under `if TYPE_CHECKING:`."""
        way = self.syntax.way(statement)
        return not any(isinstance(step, ast.If) and "TYPE_CHECKING" in ast.unparse(step.test) for step in way)

    def _constant(self, node: ast.expr) -> str:
        """A name that stands for AUTOTUNE at a node."""
        for name, full in self.syntax.imports():
            if _is_autotune(full) and self._is_seen(name, node):
                return name
        written = {f"{alias}{'' if home == _TENSORFLOW + '.data' else '.data'}{part}.AUTOTUNE"
                   for alias, home in self._modules(node) for part in ("", ".experimental")}  # fmt: skip
        way = self.syntax.way(node)
        for scope in way:
            if not isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            inside = scope is self.syntax.function_of(way)
            for statement, name, value in self.syntax.aliases(scope):
                if inside and statement.lineno >= node.lineno:
                    break
                bindings = self.syntax.bindings(scope)[name]
                if value in written and len(bindings) == 1 and self.syntax.binds(name, node) == (scope, bindings):
                    return name
        return ""

    def _import(self, code: str) -> None:
        """Add an import below those of TensorFlow, or below the others."""
        body = self.syntax.tree.body
        imports = [statement for statement in body if isinstance(statement, (ast.Import, ast.ImportFrom))]
        related = [statement for statement in imports if "tensorflow" in self.syntax.written(statement)]
        if not imports:
            first = next((s for s in body if not _is_docstring(s)), None)
            if first is not None:
                self.insert_before(first, code)
            return
        if not self._write_below((related or imports)[-1], code):
            self.refuse("there is no name for TensorFlow here")


def _comments(code: str) -> list[str]:
    """The comments in a piece of code."""
    if "#" not in code:
        return []
    return [
        code[start : end if (end := code.find("\n", start)) >= 0 else len(code)].rstrip()
        for line in layout.logical_lines(code)
        for start in line.comments
    ]


def _end_of_argument(code: str, end: int, close: int) -> tuple[int, int | None]:
    """The end of the last argument with the parentheses around it, and where a comma behind it is."""
    comma = None
    position = end
    while position < close:
        character = code[position]
        if character == "#":
            position = code.find("\n", position, close)
            if position < 0:
                break
        elif character == ",":
            comma = position
        elif character == ")":
            end = position + 1
        position += 1
    return end, comma


def _is_continued(code: str, dot: int) -> bool:
    """Is the row above continued by a backslash?"""
    return code[: code.rfind("\n", 0, dot) + 1].endswith("\\\n")


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
            todo = [value]
            while todo:
                node = todo.pop()
                if node is end.node:
                    return name
                if isinstance(node, ast.IfExp):
                    todo += [node.body, node.orelse]
    return ""


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
        yield from ast.walk(argument)


def _evaluated(call: ast.Call) -> Iterable[ast.AST]:
    """What runs when the arguments of a call are evaluated: not the bodies of lambdas."""
    todo: list[ast.AST] = [*call.args, *call.keywords]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))


def _home(full: str) -> str:
    """`tensorflow`, `tensorflow.data`, … for what an import brings, whatever version it goes through; else nothing."""
    for prefix in _HOMES:
        for module in ("", ".data", ".data.experimental"):
            if full == f"{_TENSORFLOW}{prefix}{module}":
                return f"{_TENSORFLOW}{module}"
    # A project may wrap its import, to make it lazy say.
    return _TENSORFLOW if full.endswith(".tensorflow") else ""


def _is_autotune(full: str) -> bool:
    return any(full == f"{_TENSORFLOW}{prefix}.{name}" for prefix in _HOMES for name in _AUTOTUNES)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
