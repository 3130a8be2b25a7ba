"""TFD403 iterator-recreated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Consumer, Loop, tips
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import Taken, end_of_gap, indented, is_plain, iterator_name, rows_of
from tfdata_lint.rules.base import Finding, Fix, Related, Rule

#: Statements under which a call need not happen in every pass of the loop.
_GUARDS = (
    ast.If,
    ast.IfExp,
    ast.BoolOp,
    ast.ExceptHandler,
    ast.Match,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
)
_SHOWING = frozenset({"print", "display", "imshow", "show", "plot", "info", "debug"})
#: Passes of a literal `range` up to which a loop looks at the data rather than trains on it.
_FEW = 4


class IteratorRecreated(Rule):
    """A loop takes one element of a new iterator in every pass."""

    code = "TFD403"
    name = "iterator-recreated"
    group = "performance"
    summary = "A new iterator for every step: the pipeline starts again, and gives its first batch again"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        taken: Taken = set()
        for consumer in graph.consumers:
            if consumer.kind not in ("iter", "as_numpy_iterator") or consumer.iterator is None:
                continue
            if not consumer.context.loops or consumer.context.in_test:
                continue
            loop = consumer.context.loops[-1]
            if not _pulls_only_here(graph, consumer, loop) or not _is_made_outside(consumer, loop):
                continue
            if not _happens_in_every_pass(consumer, loop):
                continue
            stage = next(tips(consumer.dataset))
            yield self.finding(
                consumer.span,
                "Every pass of this loop makes a new iterator and takes its first element",
                cost="A new iterator starts threads, source and shuffle buffer again and returns the first batch again "
                "(measured: 50 times slower with a shuffle, 6 times without)",
                advice="Make the iterator once, before the loop, or loop over the dataset",
                confidence=stage.confidence,
                related=(Related(loop.span, "the loop"), Related(stage.span, "the dataset is made outside of it")),
                fix=_fix(graph, consumer, loop, taken),
            )


def _pulls_only_here(graph: PipelineGraph, consumer: Consumer, loop: Loop) -> bool:
    """Is `next` all that happens to the iterator, in this loop and in none inside of it?"""
    pulls = [c for c in graph.consumers if c.kind == "next" and c.iterator is consumer.iterator]
    if not pulls or any(not c.context.loops or c.context.loops[-1].node is not loop.node for c in pulls):
        return False
    way = _way(loop.node, consumer.node)
    if len(way) > 1 and isinstance(way[1], ast.Call):
        return any(pull.node is way[1] for pull in pulls)
    if len(way) > 1 and isinstance(way[1], ast.Attribute):
        return len(way) > 2 and any(pull.node is way[2] for pull in pulls)
    if not (len(way) > 1 and isinstance(way[1], ast.Assign) and isinstance(way[1].targets[0], ast.Name)):
        return False
    name = way[1].targets[0].id
    reads = [n for n in ast.walk(loop.node) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
    pulled = [n for pull in pulls for n in ast.walk(pull.node) if isinstance(n, ast.Name) and n.id == name]
    # Several elements of one iterator are a short epoch.
    return len(reads) == len(pulled) == 1


def _is_made_outside(consumer: Consumer, loop: Loop) -> bool:
    """Neither the dataset nor a name it is reached by changes in the loop."""
    if any(other.node is loop.node for tip in tips(consumer.dataset) for other in tip.context.loops):
        return False
    if not isinstance(consumer.node, ast.Call):
        return False
    origin = consumer.node.args[:1] or [consumer.node.func]
    stored = {
        ast.unparse(node)
        for node in ast.walk(loop.node)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store)
    }
    read = {ast.unparse(n) for part in origin for n in ast.walk(part) if isinstance(n, (ast.Name, ast.Attribute))}
    return not stored & read


def _happens_in_every_pass(consumer: Consumer, loop: Loop) -> bool:
    way = _way(loop.node, consumer.node)
    if not way or any(isinstance(part, _GUARDS) for part in way[1:-1]):
        return False
    if any(isinstance(part, ast.Call) and _last_name(part.func) in _SHOWING for part in way):
        return False
    match loop.node:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))])) if count <= _FEW:
            return False
        case ast.For(body=body) | ast.While(body=body):
            blocks = [body, *(part.body for part in way[1:-1] if isinstance(part, (ast.With, ast.Try)))]
            return not any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for block in blocks for node in block)
    return True


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _way(top: ast.AST, node: ast.AST) -> list[ast.AST]:
    """The nodes from one inside a loop up to the loop; none when it is not written in it."""
    parents = {id(child): parent for parent in ast.walk(top) for child in ast.iter_child_nodes(parent)}
    way = [node]
    while way[-1] is not top:
        parent = parents.get(id(way[-1]))
        if parent is None:
            return []
        way.append(parent)
    return way


def _fix(graph: PipelineGraph, consumer: Consumer, loop: Loop, taken: Taken) -> Fix:
    draft = Draft(graph)
    if not isinstance(loop.node, (ast.For, ast.While)):
        draft.refuse("there is no place for a statement before a comprehension's loop alone")
    else:
        _hoist(draft, consumer, loop.node, taken)
    return draft.fix(
        "unsafe",
        "Make the iterator before the loop",
        "the loop then sees one batch after the other, and ends with StopIteration when there are no more",
    )


def _hoist(draft: Draft, consumer: Consumer, loop: ast.For | ast.While, taken: Taken) -> None:
    call = consumer.node
    dataset = _dataset(call)
    if not isinstance(call, ast.Call) or dataset is None or not is_plain(dataset):
        draft.refuse("the dataset is given by an expression that may not mean the same before the loop")
        return
    block = draft.syntax.block(call)
    if block is not None and isinstance(block.statement, ast.Assign) and block.statement.value is call:
        _move(draft, block.statement, loop)
        return
    name = iterator_name(draft, dataset, taken)
    draft.insert_before(loop, f"{name} = {draft.syntax.written(call)}")
    draft.replace(call, name)


def _dataset(call: ast.AST) -> ast.expr | None:
    """`ds` of `iter(ds)` and `ds.as_numpy_iterator()`."""
    match call:
        case ast.Call(func=ast.Name(), args=[dataset], keywords=[]):
            return dataset
        case ast.Call(func=ast.Attribute(value=dataset), args=[], keywords=[]):
            return dataset
    return None


def _move(draft: Draft, statement: ast.Assign, loop: ast.For | ast.While) -> None:
    """Move `iterator = iter(ds)` from the loop's body to the row before the loop."""
    if not any(statement is own for own in loop.body) or not _is_assigned_once(statement, loop):
        draft.refuse("the iterator is made in a block of its own, or its name stands for something else, too")
        return
    rows = rows_of(draft, statement)
    start = draft.syntax.start(loop)
    start_of_row, _ = draft.syntax.line(start)
    if rows is None or draft.syntax.text[start_of_row:start].strip() or rows[0] < start_of_row:
        draft.refuse("the loop does not begin a row")
        return
    code = draft.syntax.text
    moved = indented(code[slice(*rows)], draft.syntax.indent(start))
    draft.put(start_of_row, end_of_gap(draft, rows), moved + code[start_of_row : rows[0]])


def _is_assigned_once(statement: ast.Assign, loop: ast.AST) -> bool:
    match statement.targets:
        case [ast.Name(id=name)]:
            names = (node for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == name)
            return sum(not isinstance(node.ctx, ast.Load) for node in names) == 1
    return False
