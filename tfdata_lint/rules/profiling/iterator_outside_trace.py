"""TFD501."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds, last_name, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.lengths import has_length
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import Taken, end_of_gap, indented, is_plain, iterator_name, rows_of
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.profiling.traces import Step, steps_of
from tfdata_lint.source.trees import walk

_COST = (
    "The profiler shows steps without the wait for data (measured: 5.6 ms instead of 20.7 ms), so an input-bound"
    " program looks fine"
)
_ADVICE = "Make the iterator before the loop and call `next` inside `{}`"
#: The builtins that are written.
_WRITTEN = ("iter", "len", "next", "range")


class IteratorOutsideTrace(Rule):
    code = "TFD501"
    name = "iterator-outside-trace"
    group = "performance"
    experiment = "profile"
    summary = "A profiled training step does not include the wait for its input"
    triggers = ("use:Trace use:StepTraceAnnotation",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        steps = steps_of(graph)
        reported: set[int] = set()
        taken: Taken = set()
        for consumer in graph.consumers if steps else ():
            what = "the `for` loop fetches each element before the step"
            if consumer.kind == "next":
                what = "`next` is called outside of it"
            for step in steps:
                # A loop over a few elements is a look at them, and what is profiled.
                if step.loop not in (consumer.loop, consumer.node) or id(step.use) in reported:
                    continue
                if not holds(step.loop, consumer.node) or step.covers(consumer.node):
                    continue
                reported.add(id(step.use))
                yield self.finding(
                    step.use.span if step.place is step.use.node else span_of(step.place, graph.file),
                    f"`{last_name(step.use.node)}` does not cover the input: {what}",
                    cost=_COST,
                    advice=_ADVICE.format(last_name(step.use.node)),
                    confidence=consumer.dataset.confidence,
                    related=(Related(consumer.span, "the next element is fetched here"),),
                    fix=_fix(graph, consumer, step, taken),
                )


@guarded
def _fix(graph: PipelineGraph, consumer: Consumer, step: Step, taken: Taken) -> Fix:
    draft = Draft(graph)
    reason = "the profiled step then includes the wait, also the one at the end of the data"
    if not isinstance(step.block, ast.With) or step.block.items[0].context_expr is not step.use.call:
        draft.refuse("`Trace` does not come first in the `with` of the step")
    elif consumer.kind == "next":
        _fetch_inside(draft, consumer.node, step.block)
    else:
        same = (other for other in graph.consumers if other.node is step.loop)
        _count_passes(draft, step.loop, step.block, taken, next(filter(None, map(_obstacle, same)), ""))
        reason = "the loop then counts steps instead of ending with the data, so `len` must be right"
    return draft.fix("unsafe", "Fetch the element inside `Trace`", reason)


def _obstacle(consumer: Consumer) -> str:
    """Why the loop cannot count its steps."""
    if consumer.kind == "walk":
        return "what it walks may have no length"
    if consumer.context.in_tf_function:
        return "`len` does not work inside a `tf.function`"
    return "" if has_length(consumer.dataset) else "the dataset may have no known length"


def _fetch_inside(draft: Draft, call: ast.AST, block: ast.With) -> None:
    """Move `x = next(iterator)` from the row above `with …:` into it."""
    place = draft.syntax.block(block)
    statement = place.previous if place is not None else None
    match statement:
        case ast.Assign(targets=[target], value=value) if value is call:
            pass
        case _:
            draft.refuse("`next` is not called on the line above `Trace`")
            return
    if names(target) & names(*(item.context_expr for item in block.items)):
        draft.refuse("an argument of `Trace` depends on the element")
        return
    rows, first = rows_of(draft, statement), _first_row(draft, block)
    if rows is not None and first is not None:
        code, indent = draft.syntax.text, draft.syntax.indent(draft.syntax.start(block.body[0]))
        draft.put(rows[0], first, code[end_of_gap(draft, rows) : first] + indented(code[slice(*rows)], indent))


def _count_passes(draft: Draft, loop: ast.AST, block: ast.With, taken: Taken, problem: str = "") -> None:
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
        draft.refuse("the loop does not iterate directly over a named dataset")
    elif problem := problem or _hindrance(loop, element, block):
        draft.refuse(problem)
    elif taken_name := next((name for name in _WRITTEN if draft.syntax.scopes.binds(name, loop)), ""):
        draft.refuse(f"`{taken_name}` is already used for something else here")
    first = _first_row(draft, block) if not draft.problem else None
    if first is None:
        return
    name, written = iterator_name(draft, dataset, taken), draft.syntax.written
    draft.insert_before(loop, f"{name} = iter({written(dataset)})")
    draft.replace(loop.target, counter)
    draft.replace(loop.iter, f"range(len({written(dataset)}))")
    text = written(element)
    target = text[1:-1].strip() if isinstance(element, ast.Tuple) and text.startswith("(") else text
    draft.put(first, first, f"{draft.syntax.indent(draft.syntax.start(block.body[0]))}{target} = next({name})\n")


def _hindrance(loop: ast.For, element: ast.expr, block: ast.With) -> str:
    """Why the loop cannot count its passes."""
    if block not in loop.body:
        return "`Trace` is not in every pass of the loop"
    before = loop.body[: loop.body.index(block)]
    if any(isinstance(node, ast.Continue) for statement in before for node in walk(statement)):
        return "some elements are skipped before `Trace`"
    if names(element) & names(*before, *(item.context_expr for item in block.items)):
        return "the element is used before `Trace`"
    if isinstance(loop.target, ast.Name) and "_" in names(loop):
        return "there is no step counter"
    return ""


def _first_row(draft: Draft, block: ast.With) -> int | None:
    """Where the first row of a block's body begins, the comments above it included."""
    statement = block.body[0]
    start_of_row, _ = draft.syntax.line(draft.syntax.start(statement))
    if draft.syntax.text[start_of_row : draft.syntax.start(statement)].strip() or hasattr(statement, "decorator_list"):
        draft.refuse("the block of `Trace` does not start on its own line")
        return None
    return draft.start_of_rows(statement)
