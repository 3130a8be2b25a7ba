"""Loops over a dataset written anew: the iterator made before the loop, the next element fetched elsewhere in it."""

from __future__ import annotations

import ast
import re
from typing import TypeAlias

from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.loops import assigns_once
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import end_of_gap, indented, is_plain, rows_of
from tfdata_lint.source.trees import walk

Taken: TypeAlias = set[tuple[int, str]]
"""Names that fixes of this reading bring: the function that they are local to, by its `id`, and the name."""

#: The builtins that are written.
_WRITTEN = ("iter", "len", "next", "range")


def make_before(draft: Draft, loop: ast.AST, call: ast.AST, taken: Taken, *, repeated: bool) -> None:
    """Make an iterator before a loop instead of in each pass; where the dataset may end it is repeated."""
    if not isinstance(loop, (ast.For, ast.While)):
        draft.refuse("there is no place for a statement before a comprehension's loop alone")
        return
    dataset = _dataset(call)
    if not isinstance(call, ast.Call) or dataset is None or not is_plain(dataset):
        draft.refuse("the dataset is given by an expression that may not mean the same before the loop")
        return
    ending = ".repeat()" if repeated else ""
    block = draft.syntax.block(call)
    if block is not None and isinstance(block.statement, ast.Assign) and block.statement.value is call:
        _move_before(draft, block.statement, loop, dataset, ending)
        return
    name = _iterator_name(draft, dataset, taken)
    start, end = draft.syntax.start(call), draft.syntax.end(dataset)
    written = draft.syntax.text[start:end] + ending + draft.syntax.text[end : draft.syntax.end(call)]
    draft.insert_before(loop, f"{name} = {written}")
    draft.replace(call, name)


def _dataset(call: ast.AST) -> ast.expr | None:
    """`ds` of `iter(ds)` and `ds.as_numpy_iterator()`."""
    match call:
        case ast.Call(func=ast.Name(), args=[dataset], keywords=[]):
            return dataset
        case ast.Call(func=ast.Attribute(value=dataset), args=[], keywords=[]):
            return dataset
    return None


def _move_before(
    draft: Draft, statement: ast.Assign, loop: ast.For | ast.While, dataset: ast.expr, ending: str
) -> None:
    """Move `iterator = iter(ds)` from the loop's body to the row before the loop."""
    match statement.targets:
        case [ast.Name(id=name)] if any(statement is own for own in loop.body) and assigns_once(loop, name):
            pass
        case _:
            draft.refuse("the iterator is made in a block of its own, or its name stands for something else, too")
            return
    rows = rows_of(draft, statement)
    start = draft.syntax.start(loop)
    start_of_row, _ = draft.syntax.line(start)
    if rows is None or draft.syntax.text[start_of_row:start].strip() or rows[0] < start_of_row:
        draft.refuse("the loop does not begin a row")
        return
    code = draft.syntax.text
    end = draft.syntax.end(dataset)
    moved = indented(code[rows[0] : end] + ending + code[end : rows[1]], draft.syntax.indent(start))
    draft.put(start_of_row, end_of_gap(draft, rows), moved + code[start_of_row : rows[0]])


def fetch_inside(draft: Draft, call: ast.AST, block: ast.With) -> None:
    """Move `x = next(iterator)` from the row above `with …:` into it."""
    place = draft.syntax.block(block)
    statement = place.previous if place is not None else None
    match statement:
        case ast.Assign(targets=[target], value=value) if value is call:
            pass
        case _:
            draft.refuse("`next` is not called on the row above `Trace`")
            return
    if names(target) & names(*(item.context_expr for item in block.items)):
        draft.refuse("`Trace` is given something of the element")
        return
    rows, first = rows_of(draft, statement), _first_row(draft, block)
    if rows is not None and first is not None:
        code, indent = draft.syntax.text, draft.syntax.indent(draft.syntax.start(block.body[0]))
        draft.put(rows[0], first, code[end_of_gap(draft, rows) : first] + indented(code[slice(*rows)], indent))


def count_passes(draft: Draft, loop: ast.AST, block: ast.With, taken: Taken, problem: str = "") -> None:
    """Write `for step, x in enumerate(ds):` as `for step in range(len(ds)):`, with `next` inside a `with` block.

    `problem`: what is known to forbid it.
    """
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=counter), element]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[dataset], keywords=[]),
        ):
            pass
        case ast.For(target=element, iter=dataset):
            counter = "_"
        case _:
            draft.refuse("the loop is not a `for` loop")
            return
    if not is_plain(dataset):
        draft.refuse("the loop is not directly over a dataset that has a name")
    elif problem := problem or _obstacle(loop, element, block):
        draft.refuse(problem)
    elif taken_name := next((name for name in _WRITTEN if draft.syntax.scopes.binds(name, loop)), ""):
        draft.refuse(f"`{taken_name}` is something else here")
    first = _first_row(draft, block) if not draft.problem else None
    if first is None:
        return
    name, written = _iterator_name(draft, dataset, taken), draft.syntax.written
    draft.insert_before(loop, f"{name} = iter({written(dataset)})")
    draft.replace(loop.target, counter)
    draft.replace(loop.iter, f"range(len({written(dataset)}))")
    text = written(element)
    target = text[1:-1].strip() if isinstance(element, ast.Tuple) and text.startswith("(") else text
    draft.put(first, first, f"{draft.syntax.indent(draft.syntax.start(block.body[0]))}{target} = next({name})\n")


def _obstacle(loop: ast.For, element: ast.expr, block: ast.With) -> str:
    """Why the loop cannot count its passes."""
    if block not in loop.body:
        return "`Trace` is not in every pass of the loop"
    before = loop.body[: loop.body.index(block)]
    if any(isinstance(node, ast.Continue) for statement in before for node in walk(statement)):
        return "some elements are passed over before `Trace`"
    if names(element) & names(*before, *(item.context_expr for item in block.items)):
        return "the element is used before `Trace`"
    if isinstance(loop.target, ast.Name) and "_" in names(loop):
        return "there is no counter of the steps"
    return ""


def comes_first(block: ast.With, call: ast.AST | None) -> bool:
    """Is a call the first thing that a `with` statement enters?"""
    return block.items[0].context_expr is call


def _first_row(draft: Draft, block: ast.With) -> int | None:
    """Where the first row of a block's body begins, the comments above it included."""
    statement = block.body[0]
    start_of_row, _ = draft.syntax.line(draft.syntax.start(statement))
    if draft.syntax.text[start_of_row : draft.syntax.start(statement)].strip() or hasattr(statement, "decorator_list"):
        draft.refuse("the block of `Trace` does not begin on a row of its own")
        return None
    return draft.start_of_rows(statement)


def _iterator_name(draft: Draft, dataset: ast.expr, taken: Taken) -> str:
    """A new name for an iterator of a dataset: `iterator`, or one made from the dataset's name."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    function = next((step for step in draft.syntax.way(dataset) if isinstance(step, functions)), None)
    code = draft.syntax.written(function) if function is not None else draft.syntax.text
    for name in ("iterator", f"{_stem(dataset)}_iterator"):
        if (id(function), name) not in taken and re.search(rf"\b{name}\b", code) is None:
            taken.add((id(function), name))
            return name
    draft.refuse("there is no good name for the iterator")
    return "iterator"


def _stem(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lstrip("_")
        case ast.Subscript(value=value):
            return _stem(value)
    return "data"
