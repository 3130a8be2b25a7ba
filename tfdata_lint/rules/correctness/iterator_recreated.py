"""TFD403 iterator-recreated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name, way
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import GUARDS, counter, ends_early, reached_by, reaches_the_end
from tfdata_lint.pipeline.nouns.questions import consumed
from tfdata_lint.pipeline.nouns.stages import Dataset, Loop, Stage, tips, upstream
from tfdata_lint.pipeline.project.bindings import FUNCTIONS
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.runs import place_in
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import Taken, end_of_gap, indented, iterator_name, rows_of
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.source.trees import walk

_SHOWING = frozenset({"print", "display", "imshow", "show", "plot", "info", "debug"})
#: Passes of a literal `range` up to which a loop looks at the data rather than trains on it.
_FEW = 4
#: So many pictures somebody may look at.
_PICTURES = 64


#: These read a dataset to its end, as an epoch does.
_READING = ("for", "fit", "evaluate", "predict")
_KINDS = ("iter", "as_numpy_iterator", "make_iterator")
#: These take the first element in one go.
_TAKING = ("for", "inspection", "list", "get_single_element")
_LOOKING = frozenset({"imshow", "show", "plot", "display", "savefig", "imsave", "save"})
_MAKING = ("iter", "as_numpy_iterator", "make_one_shot_iterator")


class IteratorRecreated(Rule):
    code = "TFD403"
    name = "iterator-recreated"
    group = "performance"
    summary = "Every step creates a new iterator, which restarts the pipeline for a single element"
    experiment = "loop"
    triggers = (
        "to:iter to:as_numpy_iterator to:make_iterator to:for to:inspection to:list to:get_single_element",
        "loop",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        taken: Taken = set()
        for consumer in consumed(graph, *_KINDS, *_TAKING):
            if not consumer.context.loops:
                continue
            loop = consumer.context.loops[-1]
            if any(other.node is loop.node for tip in tips(_taken_of(consumer)) for other in tip.context.loops):
                continue
            found = graph.once(_place_of, loop.node, consumer.node)
            if found is None or not _takes_one(graph, consumer, loop, found[1]):
                continue
            place = found[0]
            if _changes(loop.node, consumer.node) or (place is not consumer.node and _changes(loop.node, place)):
                continue
            if not _trains(place, loop) or _is_once_an_epoch(graph, consumer, loop):
                continue
            stage = next(tips(_taken_of(consumer)))
            message = "Every pass of this loop makes a new iterator and takes its first element"
            cost = (
                "Each new iterator restarts threads, source and shuffle buffer; without a shuffle it returns the first"
                " element again (measured: 20 to 50 times slower with `shuffle(5000)`, 6 times without)"
            )
            advice = "Make the iterator once, before the loop, or loop over the dataset"
            yield self.finding(
                consumer.span,
                message,
                cost=cost,
                advice=advice,
                confidence=stage.confidence,
                related=(Related(loop.span, "the loop"), Related(stage.span, "the dataset is made outside of it")),
                fix=_fix(graph, consumer, loop, taken) if place is consumer.node else None,
            )


def _place_of(graph: PipelineGraph, loop: ast.AST, node: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    """What of a loop leads to a place that is known to run in it, also where it calls what it was given: `sample()`;
    and the code that the place stands in."""
    found = graph.once(place_in, loop, node)
    syntax = syntax_of(graph.source)
    function = syntax.scopes.scope_of(node) if syntax.way(node) else None
    if found is not None or not isinstance(function, (ast.Lambda, *FUNCTIONS)):
        return found
    if isinstance(syntax.way(function)[-2], ast.ClassDef) or any(isinstance(part, ast.arg) for part in walk(function)):
        return None
    calls = [part for part in walk(loop) if isinstance(part, ast.Call) and not part.args and not part.keywords]
    values = [call for call in calls if isinstance(call.func, ast.Name) and _is_value(syntax, call.func)]
    return (values[0], function) if len(values) == 1 else None


def _is_value(syntax: Syntax, name: ast.Name) -> bool:
    """Is it a parameter or an assigned name, so that a function in it may be any?"""
    found = syntax.scopes.binds(name.id, name)
    return found is not None and all(isinstance(part, (ast.arg, ast.Name)) for part in found[1])


def _taken_of(consumer: Consumer) -> Dataset:
    """What it takes its element of: `ds` of `ds.take(1)`."""
    match list(tips(consumer.dataset)):
        case [Stage(op="take", inputs=(origin,)) as stage] if stage.literal("count") == 1:
            return origin
    return consumer.dataset


def _takes_one(graph: PipelineGraph, consumer: Consumer, loop: Loop, code: ast.AST) -> bool:
    """Is one `next` all that happens to the iterator, in this loop and in none inside of it?"""
    is_one = _taken_of(consumer) is not consumer.dataset
    others = [other for other in graph.consumers if other is not consumer and other.iterator is consumer.iterator]
    if consumer.kind in _TAKING or (is_one and consumer.kind == "as_numpy_iterator" and not others):
        is_first = isinstance(consumer.node, ast.For) and ends_early(consumer.node)
        is_for_steps = isinstance(loop.node, ast.While) or counter(loop.node) != ""
        return is_for_steps and (is_first or is_one) and not _LOOKING & _called(consumer.node)
    if consumer.target not in _MAKING or consumer.iterator is None:
        return False
    pulls = [other for other in graph.consumers if other.kind == "next" and other.iterator is consumer.iterator]
    if any(pull.loop is not loop.node for pull in pulls):
        return False
    # Several elements of one iterator are a short epoch.
    return _uses_once(code, consumer.node, [pull.node for pull in pulls])


def _called(node: ast.AST) -> set[str]:
    return {last_name(part) for part in walk(node) if isinstance(part, ast.Call)}


def _trains(place: ast.AST, loop: Loop) -> bool:
    """Does it take an element in each of many passes, and not to show it?"""
    number = loop.passes
    if number is not None and number <= _PICTURES and _LOOKING & _called(loop.node):
        return False
    if (number is not None and number <= _FEW) or _SHOWING & _calls_around(loop.node, place):
        return False
    return _runs_in_every_pass(loop.node, place)


def _is_once_an_epoch(graph: PipelineGraph, consumer: Consumer, loop: Loop) -> bool:
    """Does each pass also read a dataset to its end, so that one element beside it is a look?"""
    readers = (other for other in graph.consumers if other.kind in _READING and other is not consumer)
    for other in readers:
        if any(outer.node is loop.node for outer in other.context.loops):
            found = graph.once(_place_of, loop.node, other.node)
            is_whole = other.kind != "for" or reaches_the_end(other.node)
            if found is not None and is_whole and _runs_in_every_pass(loop.node, found[0]):
                return True
    return False


@guarded
def _fix(graph: PipelineGraph, consumer: Consumer, loop: Loop, taken: Taken) -> Fix | None:
    if consumer.kind == "make_iterator":
        # There are two statements to move: it, and its `get_next`.
        return None
    draft = Draft(graph)
    ends = any(map(_ends, tips(consumer.dataset)))
    _make_before(draft, loop.node, consumer.node, taken, repeated=ends)
    then = "starts again at the end" if ends else "ends with StopIteration when there are no more"
    return draft.fix(
        "unsafe", "Make the iterator before the loop", f"the loop then gets one batch after the other, and {then}"
    )


def _ends(stage: Stage) -> bool:
    """Does nothing that is seen keep a dataset from running out?"""
    for part in upstream(stage):
        if part.op == "take":
            return True
        if part.is_opaque or part.is_endless is not False:
            return False
    return True


def _calls_around(loop: ast.AST, node: ast.AST) -> set[str]:
    """The last names of the calls that a piece of its body is an argument of."""
    return {last_name(part) for part in way(loop, node) if isinstance(part, ast.Call)}


def _runs_in_every_pass(loop: ast.AST, node: ast.AST) -> bool:
    """Does a piece of its body run in each of its passes, which are not left?"""
    steps = way(loop, node)
    if not steps or any(isinstance(step, GUARDS) for step in steps[1:-1]):
        return False
    if not isinstance(loop, (ast.For, ast.While)):
        return True
    blocks = [loop.body, *(step.body for step in steps[1:-1] if isinstance(step, (ast.With, ast.Try)))]
    return not any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for block in blocks for part in block)


def _changes(loop: ast.AST, call: ast.AST) -> bool:
    """Does it assign a name by which the first argument of a call, or else its receiver, is reached?"""
    origins = [*call.args, call.func] if isinstance(call, ast.Call) else [getattr(call, "iter", call)]
    return any(reached_by(loop, ast.Store) & reached_by(origin, ast.expr_context) for origin in origins)


def _uses_once(loop: ast.AST, made: ast.AST, calls: list[ast.AST]) -> bool:
    """Is one of these calls all that happens in its body to what another call makes there?"""
    match way(loop, made)[1:]:
        case [ast.Call() as user, *_] | [ast.Attribute(), user, *_]:
            return user in calls
        case [ast.Assign(targets=[ast.Name(id=name), *_]), *_]:
            reads = _count_of(loop, name, ast.Load)
            return reads == sum(_count_of(call, name, ast.expr_context) for call in calls) == 1
    return False


def _make_before(draft: Draft, loop: ast.AST, call: ast.AST, taken: Taken, *, repeated: bool) -> None:
    """Make an iterator before a loop instead of in each pass; where the dataset may end it is repeated."""
    if not isinstance(loop, (ast.For, ast.While)):
        draft.refuse("a comprehension has no place for a statement before its loop")
        return
    dataset = _dataset(call)
    if not isinstance(call, ast.Call) or dataset is None or not _is_plain(dataset):
        draft.refuse("the dataset's expression may have another value before the loop")
        return
    ending = ".repeat()" if repeated else ""
    block = draft.syntax.block(call)
    if block is not None and isinstance(block.statement, ast.Assign) and block.statement.value is call:
        _move_before(draft, block.statement, loop, dataset, ending)
        return
    name = iterator_name(draft, dataset, taken)
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
        case [ast.Name(id=name)] if any(statement is own for own in loop.body) and _assigns_once(loop, name):
            pass
        case _:
            draft.refuse("the iterator is created in its own block, or its name is also used for something else")
            return
    rows = rows_of(draft, statement)
    start = draft.syntax.start(loop)
    start_of_row, _ = draft.syntax.line(start)
    if rows is None or draft.syntax.text[start_of_row:start].strip() or rows[0] < start_of_row:
        draft.refuse("the loop does not start on its own line")
        return
    code = draft.syntax.text
    end = draft.syntax.end(dataset)
    moved = indented(code[rows[0] : end] + ending + code[end : rows[1]], draft.syntax.indent(start))
    draft.put(start_of_row, end_of_gap(draft, rows), moved + code[start_of_row : rows[0]])


def _assigns_once(loop: ast.AST, name: str) -> bool:
    """Does a name stand for one thing in its body?"""
    return _count_of(loop, name, ast.Store) + _count_of(loop, name, ast.Del) == 1


def _count_of(top: ast.AST, name: str, context: type[ast.expr_context]) -> int:
    """How often a name is read, or assigned."""
    parts = (node for node in walk(top) if isinstance(node, ast.Name) and node.id == name)
    return sum(isinstance(node.ctx, context) for node in parts)


def _is_plain(node: ast.expr) -> bool:
    """A name, an attribute, an item: what can be evaluated earlier without a difference."""
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_plain(value)
        case ast.Subscript(value=value, slice=index):
            return _is_plain(value) and (isinstance(index, ast.Constant) or _is_plain(index))
    return False
