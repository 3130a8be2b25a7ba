"""How the element of a step comes to be fetched inside of its `Trace`."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.words import TRACES
from tfdata_lint.pipeline.nouns.code import holds, last_name, names, statements_in
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.loops import walks_all_of
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import endless_stage
from tfdata_lint.pipeline.python.origins import argument, origins
from tfdata_lint.pipeline.python.uses import is_read
from tfdata_lint.rewriting.draft import Draft, is_docstring
from tfdata_lint.rewriting.statements import Taken, end_of_gap, free_name, indented, iterator_name, rows_of
from tfdata_lint.rules.device.steps import defined
from tfdata_lint.rules.profiling.traces import Step
from tfdata_lint.source.trees import walk

_STAYS = "the iterator stays alive after the loop, and the profile shows one more step"
_OTHERS_INSIDE = "the element is then fetched in all that the `with` enters, which may be more than `Trace`"
_OTHER = "`Trace` would be given something else where the function is called"
_ONCE_MORE = "what stands above `Trace` would run once more at the end of the data"
#: What a row above the step may do once more at the end of the data.
_HARMLESS = (ast.Assign, ast.If, ast.Break, ast.Pass)
_CONTEXTS = frozenset({name.rpartition(".")[2] for name in TRACES} | {"nullcontext"})
#: What gives an iterator, which is its own.
_ITERATORS = ("iter", "as_numpy_iterator")


class Inside(NamedTuple):
    """The place in a step where its element is to be fetched: between `above` and `below`, in place of a range."""

    statement: ast.stmt
    contexts: list[ast.expr]
    start: int
    end: int
    indent: str
    above: str = ""
    below: str = ""
    reason: str = ""


def inside_of(draft: Draft, step: Step) -> Inside | None:
    """The beginning of what is traced."""
    match step.block:
        case ast.With(items=[first, *others], body=[statement, *_]) as block:
            is_bare = first.context_expr is step.use.call
            start_of_row, _ = draft.syntax.line(draft.syntax.start(statement))
            code = draft.syntax.text[start_of_row : draft.syntax.start(statement)]
            is_on_its_row = not code.strip() and not hasattr(statement, "decorator_list")
            draft.refuse_where(
                (others and not is_bare, "`Trace` does not come first in the `with` of the step"),
                (not is_on_its_row, "the block of `Trace` does not start on its own line"),
            )
            start, contexts = draft.start_of_rows(statement), [item.context_expr for item in block.items]
            return Inside(block, contexts, start, start, code, reason="" if is_bare and not others else _OTHERS_INSIDE)
        case ast.Call() as call:
            return _around_call(draft, step, call)
        case _:
            draft.refuse("`Trace` is not entered by `with`")
    return None


def _around_call(draft: Draft, step: Step, call: ast.Call) -> Inside | None:
    """Bring the `with` of a helper, which is all of it, around the statement that calls it."""
    syntax, graph = draft.syntax, draft.graph
    neighbours, function = syntax.block(call), defined(syntax.tree, call.func)
    match function:
        case ast.FunctionDef(
            decorator_list=[], body=[*texts, ast.With(items=[ast.withitem(optional_vars=None) as item]) as block]
        ) if item.context_expr is step.use.call and all(map(is_docstring, texts)) and neighbours is not None:
            statement = neighbours.statement
        case _:
            draft.refuse("`Trace` is only a part of the function that is called")
            return None
    is_method, context, meaning = isinstance(call.func, ast.Attribute), item.context_expr, syntax.scopes.meaning
    parts = function.args.args
    places = [argument(graph, call, at - is_method, part.arg, graph.source) for at, part in enumerate(parts)]
    is_same = {part.arg: place is not None and ast.unparse(place.node) == part.arg
               for part, place in zip(parts, places, strict=True)}  # fmt: skip
    is_used = len(re.findall(rf"\b{function.name}\b", syntax.text)) > 2 or graph.is_used_elsewhere(function.name)
    draft.refuse_where(
        (is_used, f"`{function.name}` may be called in other places, which then lack `Trace`"),
        (not isinstance(statement, (ast.Assign, ast.Expr)), "the call is not in a statement of its own"),
        (not all(is_same.get(name, meaning(name, context) == meaning(name, call)) for name in names(context)), _OTHER),
    )
    rows, moved = rows_of(draft, block), rows_of(draft, statement)
    if rows is None or moved is None:
        return None
    code, indent, body = syntax.text, syntax.indent(moved[0]), draft.start_of_rows(block.body[0])
    outer, start = syntax.indent(rows[0]), syntax.line(syntax.start(block))[0]
    inner = indent + syntax.indent(syntax.start(block.body[0])).removeprefix(outer)
    draft.put(start, rows[1], indented(code[body : rows[1]], outer))
    return Inside(
        statement, [context], *moved, inner, f"{indent}with {syntax.written(context)}:\n",
        indented(code[slice(*moved)], inner), "the function that is called then no longer marks the step",
    )  # fmt: skip


def fetch_what_is_above(draft: Draft, call: ast.AST, inside: Inside) -> None:
    """Move `x = next(iterator)`, and what stands between it and the step, into the step."""
    block = draft.syntax.block(inside.statement)
    above = block.statements[: block.index] if block is not None else []
    first = next((number for number, statement in enumerate(above) if holds(statement, call)), len(above))
    match above[first:]:
        case [ast.Assign() as fetch, *between]:
            pass
        case [ast.Try(body=[ast.Assign() as fetch], orelse=[], finalbody=[]) as tried, *between]:
            between += [statement for handler in tried.handlers for statement in handler.body]
        case _:
            draft.refuse("`next` is not called in an assignment above `Trace`")
            return
    depends = names(*inside.contexts) & {name.id for name in _bound_in(above[first:])}
    draft.refuse_where(
        (
            call not in (fetch.value, *getattr(fetch.value, "args", ())),
            "the line that calls `next` does more than that",
        ),
        (
            any(isinstance(part, ast.Call) for statement in between for part in walk(statement)),
            "more happens between `next` and `Trace`",
        ),
        (depends, "an argument of `Trace` depends on the element"),
        (
            any(map(draft.may_act, inside.contexts)),
            "an argument of `Trace` does something, which would happen before the element is fetched",
        ),
    )
    rows = [rows_of(draft, statement) or (0, 0) for statement in above[first:]] if not draft.problem else []
    if not draft.problem:
        code, moved = draft.syntax.text, (rows[0][0], rows[-1][1])
        kept = code[end_of_gap(draft, moved) : inside.start] + inside.above
        draft.put(moved[0], inside.end, kept + indented(code[slice(*moved)], inside.indent) + inside.below)


def fetch_for_loop(draft: Draft, loop: ast.AST, inside: Inside, same: Sequence[Consumer], taken: Taken) -> str:
    """Take the elements of a `for` loop in the step, whatever it walks; why that may be noticed, if it may."""
    head, counter = "while True", []
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name() as number, element]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[walked, *first], keywords=named),
        ) if len(first) + len(named) < 2:
            begin = "".join(map(draft.syntax.written, [*first, *(keyword.value for keyword in named)]))
            counter, head = [number], f"for {number.id} in {draft.standard('itertools', loop)}.count({begin})"
        case ast.For(
            target=ast.Tuple(elts=[ast.Name() as number, element]),
            iter=ast.Call(func=ast.Name(id="zip"), args=[ast.Call() as numbers, walked], keywords=[]),
        ) if last_name(numbers) in ("count", "range"):
            counter, head = [number], f"for {number.id} in {draft.syntax.written(numbers)}"
        case ast.For(target=element, iter=walked):
            pass
        case _:
            draft.refuse("the loop is not a `for` loop")
            return ""
    assert isinstance(loop, ast.For)
    _check(draft, loop, inside, same, element, counter)
    if draft.problem:
        return ""
    written, is_iterator = draft.syntax.written, _is_iterator(draft, walked, loop)
    name = written(walked) if is_iterator else iterator_name(draft, walked, taken)
    if not is_iterator:
        draft.insert_before(loop, f"{name} = iter({written(walked)})")
    start = draft.syntax.start(loop)
    draft.put(start, draft.syntax.text.index(":", draft.syntax.end(loop.iter)), head)
    is_alone = isinstance(element, ast.Name) and not is_read(draft.syntax, element, loop)
    target = written(element)
    fetched = target if is_alone else free_name(draft, loop, taken, "element", "next_element")
    unit = draft.syntax.indent(draft.syntax.start(loop.body[0])).removeprefix(draft.syntax.indent(start))
    rows = [f"{fetched} = next({name}, None)", f"if {fetched} is None:", f"{unit}break"]
    if not is_alone:
        is_bare = not isinstance(element, ast.Tuple) or not target.startswith("(")
        rows.append(f"{target if is_bare else target[1:-1].strip()} = {fetched}")
    fetch = "".join(f"{inside.indent}{row}\n" for row in rows)
    draft.put(inside.start, inside.end, inside.above + fetch + inside.below)
    return "" if is_iterator else _STAYS


def _check(
    draft: Draft, loop: ast.For, inside: Inside, same: Sequence[Consumer], element: ast.expr, counter: list[ast.Name]
) -> None:
    """Refuse loops whose elements cannot be taken in the step."""
    is_there = inside.statement in loop.body
    before = loop.body[: loop.body.index(inside.statement)] if is_there else []
    nodes, scopes = [node for statement in before for node in walk(statement)], draft.syntax.scopes
    used = next((name for name in ("iter", "next") if scopes.binds(name, loop)), "")
    is_harmless = all(isinstance(part, _HARMLESS) for part in statements_in(before)) and not any(
        last_name(node) not in _CONTEXTS
        if isinstance(node, ast.Call)
        else isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store)
        for node in nodes
    )
    is_endless = walks_all_of(loop.iter) and all(
        paths(one.dataset, one.context.conditions).always(lambda path: endless_stage(path) is not None) for one in same
    )
    late = next((name.id for name in (*counter, *_bound_in(before)) if is_read(draft.syntax, name, loop)), "")
    draft.refuse_where(
        (any(one.context.in_tf_function for one in same), "the loop is in a `tf.function`"),
        (not is_there, "`Trace` is not in every pass of the loop"),
        (loop.orelse, "the loop has an `else`"),
        (any(isinstance(node, ast.Continue) for node in nodes), "some elements are skipped before `Trace`"),
        (names(element) & names(*before, *inside.contexts), "the element is used before `Trace`"),
        (used, f"`{used}` is already used for something else here"),
        (not is_harmless and not is_endless, _ONCE_MORE),
        (late, f"`{late}` is read after the loop, and would then be of one more pass"),
    )


def _is_iterator(draft: Draft, walked: ast.expr, loop: ast.For) -> bool:
    """Is it the name of an iterator, which lives on in any case?"""
    _, bindings = (draft.syntax.scopes.binds(walked.id, walked) if isinstance(walked, ast.Name) else None) or (None, [])
    places = origins(draft.graph, walked) if len(bindings) == 1 and not holds(loop, bindings[0]) else []
    return bool(places) and all(last_name(place.node) in _ITERATORS for place in places)


def _bound_in(body: Sequence[ast.stmt]) -> list[ast.Name]:
    found = (node for statement in body for node in walk(statement) if isinstance(node, ast.Name))
    return [node for node in found if isinstance(node.ctx, ast.Store)]
